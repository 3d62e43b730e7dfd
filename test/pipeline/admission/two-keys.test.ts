/** Documents that become one, such as those with two identities: their number and their never-twice values. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BusyIdentityError } from '../../../src/ledger/contract/busy-identity.ts';
import type { LedgerEntry } from '../../../src/model/ledger-entry.ts';
import { readInTurn } from '../../../src/pipeline/admission/stage-in-turn.ts';
import { reprocess } from '../../../src/pipeline/reprocessing/reprocess-documents.ts';
import { betweenRuns } from '../../../src/runs/between-runs.ts';
import { compareTexts } from '../../../src/text/compare-texts.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

const MAPPING = SALES_MAPPING.replace('one-per: [Num]', 'one-per: [Num]\n  never-twice: [Client]');
const ROWS = [2, 3, 4, 5];

type Cell = { readonly row: number; readonly column: string; readonly to: string };

/** Corrects cells of all documents at once. */
async function correct(scene: Scene, cells: readonly Cell[]) {
  return await scene.desk(async (work) => {
    return await betweenRuns(work, async (within) => {
      const entries: LedgerEntry[] = [];
      for await (const found of work.ledger.queries.find({})) entries.push(found);
      const decided = { by: 'anna', reason: 'a test', at: new Date().toISOString() };
      const corrections = cells.map((one) => ({ from: '', ...decided, ...one }));
      return await reprocess(within, entries, { ...decided, corrections });
    });
  });
}

async function states(scene: Scene) {
  return (await scene.entries()).map(({ facts, state, rows }) => [facts.identifier, state, rows]);
}

const one = (rows: readonly number[], number: string, client: string, quantity = '2'): readonly Cell[] =>
  rows.flatMap((row) => [
    { row, column: 'Qte', to: quantity },
    { row, column: 'Num', to: number },
    { row, column: 'Client', to: client },
  ]);

describe('two documents become one', { timeout: 20_000 }, () => {
  test.each([
    ['F1', 'Client F2'],
    ['F2', 'Client F1'],
  ])('with the number of one and the never-twice values of the other: %s, %s', async (number, client) => {
    await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
    scene.drop('ventes.csv', sales(['F1', 'F2'], '2O'));
    await scene.night();
    await correct(scene, one(ROWS, number, client));
    await scene.night();
    const became = number === 'F1' ? ['authorized', 'duplicate'] : ['duplicate', 'authorized'];
    const rows = number === 'F1' ? [ROWS, []] : [[], ROWS];
    expect(await states(scene)).toEqual([
      ['F1', became[0], rows[0]],
      ['F2', became[1], rows[1]],
    ]);
    // An export of what was corrected has the same document; another one with these values is none that may be sent.
    const line = (of: string, to: string, n: number) => `${of};05/09/2026;${to};${1 + (n % 2)};2;10,50;20`;
    const file = (of: string, to: string) =>
      ['Num;Date;Client;Lig;Qte;PU;Taux', ...ROWS.map((_, n) => line(of, to, n)), ''].join('\n');
    scene.drop('ventes-2.csv', file(number, client));
    scene.drop('ventes-3.csv', file('F9', client));
    await scene.night();
    expect((await states(scene)).slice(2)).toEqual([
      [number, 'duplicate', ROWS],
      ['F9', 'conflict', ROWS],
    ]);
    expect(scene.sandbox.requests().fr.submit).toBe(1);
    expect((await proofOf(scene.instance())).found).toEqual([]);
  });
});

describe.each([0, 1])('three documents become one, after %i corrections', (before) => {
  test.each(['F1', 'F2', 'F3', 'F9'])('with the number %s: a rebuilt ledger has it once', async (number) => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['F1', 'F2', 'F3'], '2O'));
    await scene.night();
    if (before > 0) await correct(scene, one([4, 5], 'F8', 'Client F2', '3O'));
    await correct(scene, one([2, 3, 4, 5, 6, 7], number, 'Client'));
    await scene.night();
    const made = await states(scene);
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
    await scene.night();
    expect(await states(scene)).toEqual(made);
    expect(scene.sandbox.requests().fr.submit).toBe(1);
  });
});

/** Numbers that each of two documents gets before they become one. */
const CORRECTED = ['', 'F1', 'F8', 'F1 F2', 'F8 F2', 'F1 F9', 'F8 F9'];

describe.each(CORRECTED)('two documents that were corrected apart become one: "%s"', (numbers) => {
  test.each(['F1', 'F2', 'F8', 'F9', 'F7'])(
    'with the number %s: a rebuilt ledger has all their rows once',
    async (number) => {
      await using scene = await openScene();
      scene.drop('ventes.csv', sales(['F1', 'F2'], '2O'));
      await scene.night();
      for (const [n, own] of numbers.split(' ').filter(Boolean).entries())
        await correct(scene, one([2 * n + 2, 2 * n + 3], own, 'Client', '3O'));
      await correct(scene, one(ROWS, number, 'Client', '4O'));
      await scene.night();
      const made = await states(scene);
      for (let times = 0; times < 2; times++) {
        rmSync(join(scene.root, 'state'), { recursive: true });
        expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
        await scene.night();
        expect(await states(scene)).toEqual(made);
        expect(accountsIn(scene)).toEqual([]);
      }
    },
  );
});

/** Summaries in the order of their files, and the receipt of the document that gave its rows, from 0. */
test.each([[], [3], [0, 1], [0, 3], [4], [1, 4], [3, 4]].map((lost) => [lost]))(
  'no row goes with the records %j of two documents that became one',
  async (lost) => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['F1', 'F2'], '2O'));
    await scene.night();
    const fix = async (numbers: readonly string[], ...cells: readonly string[]) => {
      const found = (await scene.entries()).filter(({ facts }) => numbers.includes(facts.identifier));
      await commandIn(scene, 'fix', ...found.map(({ id }) => id), ...cells, '--reason', 'typo', '--by', 'anna');
      await scene.night();
    };
    await fix(['F1'], 'Num=F8', 'Qte=3O');
    await fix(['F2'], 'Num=F9', 'Qte=3O');
    await fix(['F8', 'F9'], 'Num=F7', 'Qte=4O');
    const summaries = written(scene).filter((path) => path.endsWith('.summary.json'));
    const idOf = (path: string): string => JSON.parse(scene.read(path)).file.id;
    const records = [
      ...summaries.toSorted((one, other) => compareTexts(idOf(one), idOf(other))),
      ...written(scene).filter((path) => path.includes('/duplicates/') && path.endsWith('.receipt.json')),
    ];
    expect(records).toHaveLength(5);
    for (const n of lost) rmSync(join(scene.root, records[n]!));
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
    await scene.night();
    const rows = (await scene.entries()).flatMap((entry) => entry.rows);
    expect([...new Set(rows)].sort()).toEqual(ROWS);
  },
);

test.each(['F1', 'F2', 'F8'])(
  'an export of two documents that became one under %s, whose summary is lost, has each row in a place',
  async (number) => {
    await using scene = await openScene();
    scene.drop('ventes.csv', sales(['F1', 'F2'], '2O'));
    await scene.night();
    await correct(scene, one(ROWS, number, 'Client', '4O'));
    await scene.night();
    const made = await states(scene);
    const summaries = written(scene).filter((path) => path.endsWith('.summary.json'));
    const idOf = (path: string): string => JSON.parse(scene.read(path)).file.id;
    const [ofExport = ''] = summaries.toSorted((a, b) => compareTexts(idOf(a), idOf(b)));
    rmSync(join(scene.root, ofExport));
    for (let times = 0; times < 2; times++) {
      rmSync(join(scene.root, 'state'), { recursive: true });
      expect(await commandIn(scene, 'ledger', 'rebuild')).toMatchObject({ code: 0 });
      await scene.night();
      expect(await states(scene)).toEqual(made);
      expect(accountsIn(scene)).toEqual([]);
      expect((await proofOf(scene.instance())).found).toEqual([]);
    }
  },
);

const written = (scene: Scene) => ['outbox', 'error'].flatMap((folder) => scene.files(folder));

/** Summaries by which rows are in no place, or in two. */
function accountsIn(scene: Scene): readonly string[] {
  return written(scene).filter((path) => {
    if (!path.endsWith('.summary.json')) return false;
    const { rows } = JSON.parse(scene.read(path));
    return rows.unaccounted.count + rows.twice.count > 0;
  });
}

test('a reading that waits for nothing ends', async () => {
  await using scene = await openScene();
  let times = 0;
  const read = scene.desk(async (work) => {
    const waiting = { restartFile: async () => undefined, isBeingStaged: async () => false };
    const ledger = { ...work.ledger, intake: { ...work.ledger.intake, ...waiting } };
    await readInTurn({ ...work, ledger }, 'this', async () => {
      times++;
      throw new BusyIdentityError('other', 'ventes.csv');
    });
  });
  await expect(read).rejects.toThrow('ventes.csv');
  expect(times).toBeLessThan(100);
});
