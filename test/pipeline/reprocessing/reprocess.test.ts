/** Documents that are read once more: theirs alone, as revisions of themselves, and whole or not at all. */
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import type { Correction, LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { foresee, reprocess } from '../../../src/pipeline/reprocessing/reprocess-documents.ts';
import { betweenRuns } from '../../../src/runs/between-runs.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { proofOf } from '../../samples/night.ts';

const ENOUGH = 'letter O for a zero';

function decided(corrections: readonly Partial<Correction>[] = [], at = new Date().toISOString()) {
  const whole = { row: 2, column: 'Qte', from: '', to: '2', by: 'anna', at, reason: ENOUGH };
  return { by: 'anna', reason: ENOUGH, at, corrections: corrections.map((one) => ({ ...whole, ...one })) };
}

/** Reads documents again, with these corrections. */
async function again(
  scene: Scene,
  numbers: readonly string[],
  corrections: readonly Partial<Correction>[] = [],
  through?: (driver: Driver) => Driver,
) {
  return await scene.desk(async (work) => {
    return await betweenRuns(work, async (within) => {
      const entries: LedgerEntry[] = [];
      for await (const found of work.ledger.queries.find({ ids: numbers })) entries.push(found);
      return await reprocess(within, entries, decided(corrections));
    });
  }, through);
}

async function entry(scene: Scene, number: string): Promise<LedgerEntry> {
  const found = (await scene.entries()).find(({ facts }) => facts.identifier === number);
  if (!found) throw new Error(`no ${number}`);
  return found;
}

/** The summaries of a scene, oldest file first. */
function summaries(scene: Scene): { [key: string]: unknown }[] {
  const paths = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  return paths
    .filter((path) => path.endsWith('.summary.json'))
    .map((path) => ({ path, ...(JSON.parse(scene.read(path)) as { file: { id: string } }) }))
    .sort((a, b) => (a.file.id < b.file.id ? -1 : 1));
}

const FAULTY = sales(['F1', 'F2', 'F3']).replaceAll('F2;05/09/2026;Client F2;1;2;', 'F2;05/09/2026;Client F2;1;2O;');

test('a corrected document is sent as its own next revision, and no other document of its file', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', FAULTY);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  const was = await entry(scene, 'F2');
  const [told] = await again(scene, ['F2'], [{ row: 4, from: '2O', to: '20' }]);
  expect(told).toMatchObject({ state: 'ready', outcome: { identifier: 'F2' } });
  await scene.night();
  const now = await entry(scene, 'F2');
  expect(now).toMatchObject({ id: was.id, state: 'authorized', revision: 2, facts: { amount: '277.20' } });
  expect(await scene.entries()).toHaveLength(3);
  expect(scene.sandbox.requests().fr.submit).toBe(3);
  // Each row in one place: the first file tells where those of F2 are now.
  const [first, second] = summaries(scene);
  expect(first).toMatchObject({
    path: expect.stringMatching(/^outbox/),
    rows: { read: 6, outbox: { count: 4 }, corrected: { count: 2, rows: '4-5' }, unaccounted: { count: 0 } },
  });
  expect(second).toMatchObject({ rows: { read: 2, outbox: { count: 2, rows: '4-5' }, twice: { count: 0 } } });
  expect(second).toMatchObject({ file: { state: 'admitted' }, documents: { read: 1, outbox: 1 } });
  // The receipt tells what was corrected; the archived source is what was dropped.
  const receipt = JSON.parse(scene.read(`outbox/${now.file.day}/F2.receipt.json`));
  expect(receipt.corrections).toMatchObject([{ row: 4, column: 'Qte', from: '2O', to: '20', by: 'anna' }]);
  expect(scene.files('archive')).toHaveLength(1);
  expect(scene.read(scene.files('archive')[0]!)).toBe(FAULTY);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('next to other workers a reading of many documents begins with a short commit', async () => {
  await using scene = await openScene();
  const numbers = ['F1', 'F2', 'F3', 'F4'];
  scene.drop('ventes.csv', sales(numbers, '2O'));
  await scene.night();
  const sizes: number[] = [];
  await scene.desk(async (work) => {
    const entries: LedgerEntry[] = [];
    for await (const found of work.ledger.queries.find({ ids: numbers })) entries.push(found);
    const ledger: typeof work.ledger = {
      ...work.ledger,
      roles: { id: 'own', leaseMs: 30_000 } as NonNullable<typeof work.ledger.roles>,
      corrections: {
        ...work.ledger.corrections,
        stageRevisions: async (id, some) => {
          sizes.push(some.length);
          return await work.ledger.corrections.stageRevisions(id, some);
        },
      },
    };
    const corrections = numbers.flatMap((_, n) => [2, 3].map((row) => ({ row: 2 * n + row, from: '2O', to: '2' })));
    await reprocess({ ...work, ledger }, entries, decided(corrections));
  });
  expect(sizes[0]).toBe(1);
  expect(sizes.reduce((sum, one) => sum + one)).toBe(numbers.length);
});

test('the same bytes dropped again are the whole file still, and change nothing', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', FAULTY);
  await scene.night();
  await again(scene, ['F2'], [{ row: 4, to: '20' }]);
  scene.drop('ventes-2.csv', FAULTY);
  const { told } = await scene.night();
  expect(told).toContainEqual({ what: 'file-duplicate', file: 'ventes-2.csv', first: 'ventes.csv' });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test("today's mapping mends documents without any correction", async () => {
  await using scene = await openScene();
  const text = sales(['F1', 'F2']).replaceAll(';20\n', ';vingt\n');
  scene.drop('ventes.csv', text);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 2 });
  expect(await again(scene, ['F1'])).toMatchObject([{ state: 'invalid' }]);
  const mended = SALES_MAPPING.replace('Taux: number', 'Taux: text')
    .replace('net: = ROUND', 'taux: = NUMBER("20")\n  net: = ROUND')
    .replace('rate: $Taux', 'rate: $taux');
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), mended);
  expect((await again(scene, ['F1', 'F2'])).map((one) => 'state' in one && one.state)).toEqual(['ready', 'ready']);
  await scene.night();
  expect((await scene.entries()).map(({ state, revision }) => [state, revision])).toEqual([
    ['authorized', 3],
    ['authorized', 2],
  ]);
});

test('what may have been issued is never read again', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2-XLOST', 'F3-X8']));
  await scene.night();
  const before = await scene.entries();
  const told = await again(
    scene,
    ['F1', 'F2-XLOST', 'F3-X8'],
    [
      { row: 2, to: '7' },
      { row: 4, to: '7' },
    ],
  );
  expect(told.map((one) => 'fault' in one && one.fault.code)).toEqual(Array(3).fill('reprocess/not-correctable'));
  await scene.night();
  expect((await scene.entries()).map(({ state, revision }) => [state, revision])).toEqual(
    before.map(({ state, revision }) => [state, revision]),
  );
  expect(scene.sandbox.requests().fr.submit).toBe(3);
});

test('a rejected document keeps its number; its unchanged content is not sent again', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-X6']));
  await scene.night();
  expect(await again(scene, ['F1-X6'])).toMatchObject([{ state: 'unchanged' }]);
  expect((await entry(scene, 'F1-X6')).revision).toBe(1);
  expect(await again(scene, ['F1-X6'], [{ row: 2, to: '5' }])).toMatchObject([{ state: 'ready' }]);
  expect(await entry(scene, 'F1-X6')).toMatchObject({ state: 'ready', revision: 2 });
});

test('a number that could not be read, and one that another document has', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  // No one knows whether row 4 is a line of F5, so F5 waits as well.
  scene.drop('ventes-2.csv', `${sales(['F5'])};05/09/2026;Client F6;1;2;10,50;20\n`);
  await scene.night();
  const without = (await scene.entries()).find(({ rows }) => rows[0] === 4)!;
  const number = (to: string) => [{ row: 4, column: 'Num', to }];
  expect(await again(scene, [without.id], number('F1'))).toMatchObject([
    { state: 'conflict' },
    // It waited for row 4 alone.
    { state: 'ready', entry: { facts: { identifier: 'F5' } } },
  ]);
  expect(await again(scene, [without.id], number('F6'))).toMatchObject([{ state: 'ready' }]);
  await scene.night();
  const now = await scene.entries();
  expect(now.map(({ facts, state, revision }) => [facts.identifier, state, revision])).toEqual([
    ['F1', 'authorized', 1],
    ['F5', 'authorized', 2],
    ['F6', 'authorized', 3],
  ]);
});

test('rows that belong to an issued document now are left as they are', async () => {
  await using scene = await openScene();
  scene.drop(
    'ventes.csv',
    sales(['F1', 'F2']).replace('F2;05/09/2026;Client F2;1;2;', 'F2;05/09/2026;Client F2;1;2O;'),
  );
  await scene.night();
  const fix = [4, 5].map((row) => ({ row, column: 'Num', to: 'F1' }));
  expect(await again(scene, ['F2'], fix)).toMatchObject([{ fault: { code: 'reprocess/rows-differ' } }]);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  expect(await scene.look((ledger) => ledger.queries.files({}))).toHaveLength(1);
});

test('rows without a number become one document, once each of them has it', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']).replaceAll('F1;', ';'));
  await scene.night();
  const [first, second] = await scene.entries();
  // One of its rows alone is not sent: the other may be a line of it.
  const one = await again(scene, [first!.id], [{ row: 2, column: 'Num', to: 'F1' }]);
  expect(one).toMatchObject([{ state: 'invalid', outcome: { faults: [{ code: 'map/beside-broken-row' }] } }]);
  const both = await again(scene, [second!.id], [{ row: 3, column: 'Num', to: 'F1' }]);
  expect(both).toMatchObject([{ state: 'duplicate', absorbed: 'ready', first: first!.id }, { state: 'ready' }]);
  await scene.night();
  const now = await scene.entries();
  expect(now.map(({ facts, state, rows }) => [facts.identifier, state, rows])).toEqual([
    ['F1', 'authorized', [2, 3]],
    ['', 'duplicate', []],
  ]);
  expect(now[1]!.first?.id).toBe(first!.id);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  for (const summary of summaries(scene)) {
    expect(summary).toMatchObject({ rows: { unaccounted: { count: 0 }, twice: { count: 0 } } });
  }
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('documents become one under a number that one of them had before', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2'], '2O'));
  await scene.night();
  const [first, second] = await scene.entries();
  const named = (rows: readonly number[], to: string) => rows.map((row) => ({ row, column: 'Num', to }));
  await again(scene, [second!.id], named([4, 5], 'F9'));
  const both = [...named([2, 3, 4, 5], 'F2'), ...[2, 3, 4, 5].map((row) => ({ row, to: '2' }))];
  // The receiver is another one in half of its rows.
  both.push(...[4, 5].map((row) => ({ row, column: 'Client', to: 'Client F1' })));
  const results = await again(scene, [first!.id, second!.id], both);
  expect(results).toMatchObject([{ state: 'duplicate', first: second!.id }, { outcome: { identifier: 'F2' } }]);
  await scene.night();
  expect((await scene.entries()).map(({ facts, state, rows }) => [facts.identifier, state, rows])).toEqual([
    ['F1', 'duplicate', []],
    ['F2', 'authorized', [2, 3, 4, 5]],
  ]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('a mapping that leaves the rows out now does not make the document vanish', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', FAULTY);
  await scene.night();
  const keeping = SALES_MAPPING.replace('  class: invoice', '  class: invoice\n  keep: = $Num <> "F2"');
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), keeping);
  expect(await again(scene, ['F2'])).toMatchObject([{ fault: { code: 'reprocess/no-document' } }]);
  expect(await entry(scene, 'F2')).toMatchObject({ state: 'invalid', revision: 1 });
});

test('one row moved to another number makes a document of its own', async () => {
  await using scene = await openScene();
  const rows = sales(['F1', 'F2']).replace('F1;05/09/2026;Client F1;2', 'F1;05/09/2026;Somebody else;2');
  scene.drop('ventes.csv', rows);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 1, authorized: 1 });
  const [told] = await again(scene, ['F1'], [{ row: 3, column: 'Num', to: 'F9' }]);
  expect(told).toMatchObject({ state: 'ready', more: 1, outcome: { identifier: 'F1' } });
  await scene.night();
  expect((await scene.entries()).map(({ facts, rows: own, state }) => [facts.identifier, own, state])).toEqual([
    ['F1', [2], 'authorized'],
    ['F2', [4, 5], 'authorized'],
    ['F9', [3], 'authorized'],
  ]);
  for (const one of summaries(scene))
    expect(one).toMatchObject({ rows: { unaccounted: { count: 0 }, twice: { count: 0 } } });
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('nothing is made of other bytes than those that were read', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', FAULTY);
  await scene.night();
  const archived = join(scene.root, scene.files('archive')[0]!);
  chmodSync(archived, 0o600);
  appendFileSync(archived, 'F4;05/09/2026;Client F4;1;2;10,50;20\n');
  const fix = [{ row: 4, to: '20' }];
  expect(await again(scene, ['F2'], fix)).toMatchObject([{ fault: { code: 'reprocess/source-changed' } }]);
  rmSync(archived);
  expect(await again(scene, ['F2'], fix)).toMatchObject([{ fault: { code: 'reprocess/source-missing' } }]);
  rmSync(join(scene.root, 'mappings/sales.yaml'));
  expect(await again(scene, ['F2'], fix)).toMatchObject([{ fault: { code: 'reprocess/no-mapping' } }]);
  expect(await entry(scene, 'F2')).toMatchObject({ state: 'invalid', revision: 1 });
});

test('a corrected column that the current mapping does not read is reported, and nothing changes', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', FAULTY);
  await scene.night();
  const told = await again(scene, ['F2'], [{ row: 4, column: 'Quantity', to: '20' }]);
  expect(told).toMatchObject([{ fault: { code: 'reprocess/no-such-column' } }]);
  expect(await scene.look((ledger) => ledger.queries.files({}))).toHaveLength(1);
});

test('what is foreseen changes nothing', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', FAULTY);
  await scene.night();
  const before = await scene.look((ledger) => ledger.queries.files({}));
  await scene.desk(async (work) => {
    const { corrections, at } = decided([{ row: 4, to: '20' }]);
    const entries: LedgerEntry[] = [];
    for await (const one of work.ledger.queries.find({ ids: ['F2'] })) entries.push(one);
    expect(await foresee(work, entries, { at, corrections })).toMatchObject([{ state: 'ready' }]);
    expect(await work.ledger.queries.correctionsOf(entries[0]!.file.id)).toEqual([]);
  });
  expect(await scene.look((ledger) => ledger.queries.files({}))).toEqual(before);
});

test('stopped at any write, the next run finishes what was decided, once', async () => {
  for (let stopAt = 1; ; stopAt++) {
    await using scene = await openScene();
    scene.drop('ventes.csv', FAULTY);
    await scene.night();
    let writes = 0;
    const failing = (driver: Driver): Driver => ({
      ...driver,
      write: async (work) => {
        if (++writes >= stopAt) throw new Error('power is gone');
        return await driver.write(work);
      },
    });
    const stopped = await again(scene, ['F2'], [{ row: 4, to: '20' }], failing).then(
      () => false,
      () => true,
    );
    const begun = await scene.look(async (ledger) => (await ledger.queries.files({})).length > 1);
    await scene.night();
    const now = await entry(scene, 'F2');
    // Recorded, it is done by the next run; not recorded, everything is as it was.
    expect(now).toMatchObject(begun ? { state: 'authorized', revision: 2 } : { state: 'invalid', revision: 1 });
    expect(scene.sandbox.requests().fr.submit).toBe(begun ? 3 : 2);
    for (const one of summaries(scene)) {
      expect(one).toMatchObject({ rows: { unaccounted: { count: 0 }, twice: { count: 0 } } });
    }
    expect(await scene.look((ledger) => ledger.intake.openFiles())).toEqual([]);
    if (!stopped) {
      expect(stopAt).toBeGreaterThan(5);
      return;
    }
  }
});
