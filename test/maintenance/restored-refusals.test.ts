/** What a replaced ledger reads again and refuses may have been sent as well: what makes it good waits for a person. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const BROKEN = SALES_MAPPING.replace('decimal: ","', 'decimal: "."');
const WHY = ['--reason', 'x', '--by', 'anna'];

/** The ledger is lost when the service has the document, and before any receipt is written. */
async function lostAfterSending(scene: Scene): Promise<void> {
  scene.drop('ventes.csv', sales(['A1']));
  await scene
    .night({
      onEvent: ({ what }) => {
        if (what === 'document') throw new Error('power cut');
      },
    })
    .catch(() => undefined);
  const all = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  for (const path of all) rmSync(join(scene.root, path));
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect(scene.sandbox.requests().fr.submit).toBe(1);
}

const mapping = (scene: Scene, text: string) => writeFileSync(join(scene.root, 'mappings/sales.yaml'), text);

test.each(['reprocess', 'export'])(
  'a document that is refused in quarantine is held once it is good: by %s',
  async (how) => {
    await using scene = await openScene();
    await lostAfterSending(scene);
    expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
    mapping(scene, BROKEN);
    scene.drop('ventes-again.csv', sales(['A1']).replaceAll('\n', '\r\n'));
    await scene.night();
    expect(tally(await scene.entries())).toMatchObject({ invalid: 1 });
    expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared', '--unread')).toMatchObject({ code: 0 });
    mapping(scene, SALES_MAPPING);
    if (how === 'reprocess') await commandIn(scene, 'reprocess', 'A1', '--yes', ...WHY);
    else scene.drop('ventes-new.csv', sales(['A1']));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(1);
    expect(tally(await scene.entries())).toMatchObject({ held: 1 });
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
    await commandIn(scene, 'release', 'A1', ...WHY);
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(2);
  },
);

test('a document that is refused in quarantine without its identity holds a later one of its number', async () => {
  await using scene = await openScene();
  await lostAfterSending(scene);
  for (const folder of ['processing', 'archive']) rmSync(join(scene.root, folder), { recursive: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  // Its year is part of the identity.
  scene.drop('ventes-again.csv', sales(['A1', 'A2']).replaceAll('05/09/2026', '05/19/2026'));
  await scene.night();
  expect(tally(await scene.entries())).toMatchObject({ invalid: 2 });
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('ventes-new.csv', sales(['A1', 'A3']));
  await scene.night();
  const states = (await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`).sort();
  expect(states).toEqual(['A1 held', 'A1 invalid', 'A2 invalid', 'A3 authorized']);
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  const held = (await scene.entries()).find(({ state }) => state === 'held')!;
  await commandIn(scene, 'release', held.name, ...WHY);
  await scene.night();
  scene.drop('ventes-last.csv', sales(['A1', 'A3']).replaceAll('\n', '\r\n'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(3);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});

test.each(['a1', 'A01', 'A-1', ' A1', 'Ａ1'])('it holds a later one whose number is spelled %j', async (number) => {
  await using scene = await openScene();
  await lostAfterSending(scene);
  for (const name of ['processing', 'archive']) rmSync(join(scene.root, name), { recursive: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  scene.drop('ventes-again.csv', sales(['A1', 'A2']).replaceAll('05/09/2026', '05/19/2026'));
  await scene.night();
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('ventes-new.csv', sales([number, 'A3']));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 2, held: 1, authorized: 1 });
  expect(scene.sandbox.requests().fr.submit).toBe(2);
});
