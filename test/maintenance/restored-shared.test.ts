/** Exports that two mappings share, whose ledger is lost, and receipts and summaries of some of their readings with it. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, type Scene } from '../night.ts';
import { DAY, DAY_EXPORT, INVOICES } from '../pipeline/intake/shared-mappings.ts';
import { commandIn } from '../program.ts';

const MAPPINGS = { 'invoices.yaml': INVOICES, 'day.yaml': DAY };
const written = (scene: Scene) => ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));

/** Which file of the night it is. */
function kindOf(scene: Scene, path: string): string {
  if (path.endsWith('.summary.json')) return `summary of ${JSON.parse(scene.read(path)).mapping.id}`;
  return path.includes('JOUR') ? 'receipt of by-day' : 'receipts of invoices';
}

async function documents(scene: Scene): Promise<readonly string[]> {
  const entries = await scene.entries();
  return entries
    .filter(({ file }) => file.name === 'jour05.csv')
    .map(({ facts, file }) => `${facts.identifier} ${file.mapping?.id}`)
    .sort();
}

const accounts = (scene: Scene) =>
  written(scene)
    .filter((path) => path.endsWith('.summary.json'))
    .map((path) => JSON.parse(scene.read(path)))
    .map(({ file, mapping, rows }) => [file.name, mapping?.id, rows.unaccounted.count, rows.twice.count].join(' '))
    .sort();

const LOST = [
  [],
  ['summary of by-day'],
  ['receipt of by-day'],
  ['receipt of by-day', 'summary of by-day'],
  ['receipts of invoices'],
  ['summary of invoices'],
  ['receipts of invoices', 'summary of invoices'],
  ['summary of by-day', 'summary of invoices'],
  ['receipt of by-day', 'summary of by-day', 'summary of invoices'],
  ['receipt of by-day', 'summary of by-day', 'receipts of invoices', 'summary of invoices'],
];

test.each(LOST.flatMap((lost) => [true, false].map((isRebuilt) => [lost, isRebuilt] as const)))(
  'lost: %s, rebuilt: %s',
  async (lost, isRebuilt) => {
    await using scene = await openScene({ mappings: MAPPINGS });
    await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
    scene.drop('jour05.csv', DAY_EXPORT);
    await scene.night();
    const sent = scene.sandbox.requests().fr.submit;
    const before = await documents(scene);
    for (const path of written(scene)) if (lost.includes(kindOf(scene, path))) rmSync(join(scene.root, path));
    rmSync(join(scene.root, 'state'), { recursive: true });
    const back = isRebuilt ? ['rebuild'] : ['restore', join(scene.root, 'copy.sqlite')];
    expect(await commandIn(scene, 'ledger', ...back)).toMatchObject({ code: 0 });
    await scene.night();
    expect(await documents(scene)).toEqual(before);
    expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
    scene.drop('jour06.csv', DAY_EXPORT.replaceAll('\n', '\r\n'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(sent);
    expect(await documents(scene)).toEqual(before);
    expect(accounts(scene)).toEqual([
      'jour05.csv by-day 0 0',
      'jour05.csv invoices 0 0',
      'jour06.csv by-day 0 0',
      'jour06.csv invoices 0 0',
    ]);
    expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  },
);

test('a mapping that shares exports since a later night does not read those of before', async () => {
  await using scene = await openScene({ mappings: { 'invoices.yaml': INVOICES } });
  scene.drop('jour05.csv', DAY_EXPORT);
  await scene.night();
  writeFileSync(join(scene.root, 'mappings/day.yaml'), DAY);
  for (const later of [false, true]) {
    if (later) scene.drop('jour06.csv', DAY_EXPORT.replaceAll('F', 'G').replaceAll(';05;', ';06;'));
    await scene.night();
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
    await scene.night();
    expect(await documents(scene)).toEqual(['F1 invoices', 'F2 invoices']);
  }
});

test('a mapping whose turn had not come when the ledger was lost reads the copy', async () => {
  await using scene = await openScene({ mappings: MAPPINGS });
  scene.drop('jour05.csv', DAY_EXPORT);
  const ending = new AbortController();
  await scene.night({ stop: ending.signal, onEvent: ({ what }) => what === 'file-admitted' && ending.abort() });
  expect(await documents(scene)).toEqual(['JOUR-05 by-day']);
  await commandIn(scene, 'ledger', 'receipts');
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  await scene.night();
  expect(await documents(scene)).toEqual(['F1 invoices', 'F2 invoices', 'JOUR-05 by-day']);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});

test('an export is not read again under a mapping that its columns do not fit', async () => {
  const other = DAY.replace('shares: true', 'shares: true, columns: [Other]');
  await using scene = await openScene({ mappings: { 'invoices.yaml': INVOICES, 'day.yaml': other } });
  scene.drop('jour04.csv', DAY_EXPORT.replace('Taux', 'Taux;Other').replaceAll(/(\d)$/gm, '$1;x').replaceAll('F', 'E'));
  await scene.night();
  expect((await scene.entries()).map(({ file }) => file.mapping?.id)).toContain('by-day');
  scene.drop('jour05.csv', DAY_EXPORT);
  await scene.night();
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
  await scene.night();
  expect(accounts(scene).filter((one) => one.startsWith('jour05'))).toEqual(['jour05.csv invoices 0 0']);
});
