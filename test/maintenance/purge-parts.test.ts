/** What a purge leaves of a document is still proven: its content without its receipts, and its receipts without its content. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { moveClock } from '../moved-clock.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';
import { proofOf } from '../samples/night.ts';

const DAY_MS = 86_400_000;

/** Two documents, thirty days old, of which a purge has removed one part by age. */
async function purgedPart(keep: object): Promise<Scene> {
  const scene = await openScene({ settings: { keep } });
  using clock = moveClock();
  clock.pass(-30 * DAY_MS);
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await commandIn(scene, 'run');
  clock.pass(30 * DAY_MS);
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).code).toBe(0);
  return scene;
}

const found = async (scene: Scene) => (await proofOf(scene.instance())).found.map(({ code }) => code);

function inLedger(scene: Scene, sql: string): void {
  const ledger = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'));
  ledger.exec(sql);
  ledger.close();
}

test('a content without its receipts', async () => {
  await using scene = await purgedPart({ receipts: '5d' });
  expect(scene.files('outbox').filter((path) => path.endsWith('.receipt.json'))).toEqual([]);
  expect(await found(scene)).toEqual([]);
  inLedger(scene, `UPDATE revision SET content = replace(content, 'Client F1', 'Client F9')`);
  expect(await found(scene)).toContain('verify/content-differs');
});

test('receipts without their content', async () => {
  await using scene = await purgedPart({ content: '5d' });
  const receipts = scene.files('outbox').filter((path) => path.endsWith('.receipt.json'));
  expect(receipts).toHaveLength(2);
  expect(await found(scene)).toEqual([]);
  chmodSync(join(scene.root, receipts[0]!), 0o600);
  writeFileSync(join(scene.root, receipts[0]!), scene.read(receipts[0]!).replace('authorized', 'rejected'));
  rmSync(join(scene.root, receipts[1]!));
  expect((await found(scene)).toSorted()).toEqual(['verify/receipt-changed', 'verify/receipt-missing']);
});
