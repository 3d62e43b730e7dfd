/** Two watches with different mappings: one of them converts, the other one waits, and shows why. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { differenceBetween } from '../../../src/pipeline/context/other-setup.ts';
import { openLedgerOf, openRun } from '../../../src/runs/open-run.ts';
import { settleLeftovers } from '../../../src/runs/take-over.ts';
import { watch } from '../../../src/runs/watch.ts';
import { endWithTest } from '../../end-with-test.ts';
import { sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { openPostgresScene } from './scene.ts';

test('the newer one takes no file until the older one has ended', async () => {
  const settings = { inbox: { settle: '1ms', scan: '100ms' } };
  const scene = await openPostgresScene({ settings });
  const told: string[] = [];
  const stop = new AbortController();
  const worker = async () => {
    const instance = scene.instance();
    const ledger = await openLedgerOf(instance, 'watch');
    onTestFinished(() => ledger[Symbol.asyncDispose]());
    const work = await openRun(instance, ledger, {
      stop: stop.signal,
      onEvent: (happening) => void told.push(JSON.stringify(happening)),
    });
    onTestFinished(() => work[Symbol.asyncDispose]());
    return work;
  };
  const older = await worker();
  await settleLeftovers(older);
  const mapping = join(scene.root, 'mappings', 'sales.yaml');
  writeFileSync(mapping, readFileSync(mapping, 'utf8').replace('version: 1', 'version: 2'));
  let looks = 0;
  const newer = await worker();
  const over = watch(newer, { onLook: () => void looks++ });
  endWithTest(stop, [over]);
  const until = async (fact: () => boolean) => {
    while (!fact()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  scene.drop('ventes.csv', sales(['F1']));
  const before = looks;
  await until(() => looks > before + 1);
  const waits = { version: false, settings: false, mappings: ['sales'] };
  expect(told.filter((line) => line.includes('conversion'))).toEqual([
    expect.stringContaining(JSON.stringify(waits).slice(1)),
  ]);
  expect(scene.files('inbox')).toEqual(['inbox/ventes.csv']);

  const [text, json, doctor] = [
    await commandIn(scene, 'status'),
    await commandIn(scene, 'status', '--json'),
    await commandIn(scene, 'doctor', '--offline'),
  ];
  expect(text.out).toMatch(/: works; .*writes receipts, sends to fr.*; 0 files under way/);
  expect(text.out).toMatch(/: works; 0 files under way/);
  expect(text.out).toContain('takes no files: it differs from the watch that writes receipts (mappings: sales)');
  expect(JSON.parse(json.out).workers.map(({ waits }: { waits: unknown }) => waits)).toEqual([null, waits]);
  expect(doctor.out).toMatch(/warning +watches on this ledger.*takes no files.*mappings: sales/s);

  await older.ledger[Symbol.asyncDispose]();
  // As its next look at the roles does, a third of a lease later.
  await newer.ledger.roles!.takeRoles(['receipts']);
  await until(() => told.some((line) => line.includes('file-admitted')));
  expect(told.some((line) => line.includes('conversion-goes-on'))).toBe(true);
  stop.abort();
  await over;
  const [receipt = ''] = [...scene.files('pending'), ...scene.files('outbox')].filter((path) => /receipt/.test(path));
  expect(JSON.parse(scene.read(receipt)).mapping).toMatchObject({ id: 'sales', version: '2' });
});

test('another version differs, also with the same settings and mappings', () => {
  const work = { host: 'one', pid: 1, work: 'watch', startedAt: '2026-11-20T22:00:00.000Z', leftMs: 1 } as const;
  const older = { ...work, id: 'older', version: '1.0.0', settingsSha256: 'ab', roles: ['receipts'], files: 0 };
  expect(differenceBetween(older, { ...older, id: 'same' })).toBeUndefined();
  const differs = { version: true, settings: false, mappings: [] };
  expect(differenceBetween(older, { ...older, id: 'newer', version: '1.1.0' })).toEqual(differs);
});
