import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerEntry, SourceFile } from '../../src/model/ledger-entry.ts';
import { STATE_NAMES } from '../../src/model/state.ts';
import { summaryName, writeSummary } from '../../src/receipts/compose-summary.ts';
import { RowAccounting } from '../../src/receipts/row-accounting.ts';
import { RowSet, rowRanges } from '../../src/receipts/row-set.ts';
import { SpillBuffer } from '../../src/receipts/spill-buffer.ts';
import { runs } from '../seed.ts';
import { CHAIN, DAY, makeEntry, makeFile, makeInvalid, makeRoot, stream } from './make.ts';

const settings = { environment: 'prod', rules: { language: 'en' } } as const;

async function summary(root: string, file: SourceFile, entries: readonly LedgerEntry[]) {
  const { folder, day } = await writeSummary(root, { file, entries: stream(entries) }, settings, CHAIN);
  const path = join(root, folder, day, summaryName(file));
  return { folder, path, text: await readFile(path, 'utf8') };
}

test('a summary shows where every row is, lists the documents and adds up the amounts', async () => {
  const root = await makeRoot();
  const file = makeFile({ rows: 9, leftOut: [{ row: 10, rule: 'totals' }] });
  const entries = [
    makeEntry(1, { file, rows: [2, 3, 4], answer: { code: 2 } }),
    makeEntry(2, {
      file,
      rows: [5],
      state: 'contingency',
      answer: { code: 8 },
      facts: { identifier: 'B', currency: 'EUR', amount: '0.1' },
    }),
    makeInvalid(3, { file, rows: [6, 7], facts: { identifier: 'C', currency: 'USD', amount: '5' } }),
    makeInvalid(4, { file, rows: [8], facts: { identifier: 'D' } }),
    makeEntry(5, { file, rows: [9], state: 'sending', facts: { identifier: 'E', currency: 'EUR', amount: '0.2' } }),
  ];
  const { folder, text } = await summary(root, file, entries);
  expect(folder).toBe('error');
  expect(JSON.parse(text)).toMatchObject({
    summary: 1,
    environment: 'prod',
    file: { name: 'ventes_1119.csv', state: 'admitted' },
    rows: {
      read: 9,
      outbox: { count: 3, rows: '2-4' },
      pending: { count: 2, rows: '5, 9' },
      error: { count: 3, rows: '6-8' },
      withoutDocument: 0,
      leftOut: [{ rule: 'totals', count: 1, rows: '10' }],
      unaccounted: { count: 0, rows: '' },
      twice: { count: 0, rows: '' },
    },
    documents: { read: 5, outbox: 1, pending: 2, error: 2, corrected: 0, withoutAmount: 1 },
    totals: [
      {
        currency: 'EUR',
        read: { documents: 3, amount: '1481.70' },
        outbox: { documents: 1, amount: '1481.40' },
        pending: { documents: 2, amount: '0.3' },
        error: { documents: 0, amount: '0' },
      },
      { currency: 'USD', error: { documents: 1, amount: '5' } },
    ],
  });
  expect(text).toContain(
    `\n    {"number":"FA-2026-0001","state":"authorized","rows":"2-4","code":2,"amount":"1481.40","currency":"EUR","receipt":"outbox/${DAY}/FA-2026-0001.receipt.json","id":"${entries[0]!.id}"},\n`,
  );
});

test('a row without a place and a row in two places are seen', async () => {
  const root = await makeRoot();
  const file = makeFile({ rows: 4 });
  const { folder, text } = await summary(root, file, [
    makeEntry(1, { file, rows: [2, 3] }),
    makeEntry(2, { file, rows: [3, 5] }),
  ]);
  expect(folder).toBe('error');
  expect(JSON.parse(text).rows).toMatchObject({
    unaccounted: { count: 1, rows: '4' },
    twice: { count: 1, rows: '3' },
  });
});

test('rows whose document a later file corrected have their place too', async () => {
  const root = await makeRoot();
  const file = makeFile({ rows: 2 });
  const later = { id: 'later', name: 'ventes_1120.csv' };
  const entries = [makeEntry(1, { file, rows: [2] }), { correctedBy: later, identifier: 'FA-2', rows: [3] }];
  const { folder, day } = await writeSummary(root, { file, entries: stream(entries) }, settings, CHAIN);
  const text = await readFile(join(root, folder, day, summaryName(file)), 'utf8');
  expect(folder).toBe('outbox');
  expect(JSON.parse(text)).toMatchObject({
    rows: { corrected: { count: 1, rows: '3' }, unaccounted: { count: 0 } },
    documents: { read: 2, outbox: 1, corrected: 1 },
    table: [{ state: 'authorized' }, { number: 'FA-2', state: null, correctedBy: later }],
  });
});

test('a refused file is one place for all its rows', async () => {
  const root = await makeRoot();
  const file = makeFile({ state: 'refused', rows: 7, leftOut: [{ row: 1, rule: 'preamble' }] });
  const { folder, text } = await summary(root, file, []);
  expect(folder).toBe('error');
  expect(JSON.parse(text)).toMatchObject({ rows: { withoutDocument: 6, unaccounted: { count: 0 } }, table: [] });
});

test('the summary is in the folder where work remains, and moves with it', async () => {
  const root = await makeRoot();
  const file = makeFile({ rows: 1 });
  const seen: string[] = [];
  for (const state of ['invalid', 'contingency', 'authorized'] as const) {
    const { folder } = await summary(root, file, [makeEntry(1, { file, rows: [2], state })]);
    seen.push(folder);
    const there = ['outbox', 'pending', 'error'].filter((name) => existsSync(join(root, name, DAY, summaryName(file))));
    expect(there).toEqual([folder]);
  }
  expect(seen).toEqual(['error', 'pending', 'outbox']);
  expect(existsSync(join(root, 'error', DAY, 'README.txt'))).toBe(true);
});

test('a table beyond memory goes through a temporary file that is removed', async () => {
  const root = await makeRoot();
  const path = join(root, 'x.table.tmp-np');
  let text = '';
  {
    await using spill = new SpillBuffer(path, 100);
    for (let n = 0; n < 1_000; n++) await spill.add(`line ${n}\n`);
    expect(existsSync(path)).toBe(true);
    for await (const piece of spill.read()) text += piece;
  }
  expect(text).toBe(Array.from({ length: 1_000 }, (_, n) => `line ${n}\n`).join(''));
  expect(existsSync(path)).toBe(false);
});

test('whatever the documents and the rules, every row is in exactly one place, and a lost one shows', () => {
  const plan = fc.array(
    fc.record({ rows: fc.integer({ min: 1, max: 5 }), place: fc.constantFrom(...STATE_NAMES, 'left out' as const) }),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(plan, fc.nat(), (parts, lost) => {
      let row = 2;
      const leftOut: { row: number; rule: string }[] = [];
      const entries: LedgerEntry[] = [];
      for (const [n, { rows, place }] of parts.entries()) {
        const own = Array.from({ length: rows }, () => row++);
        if (place === 'left out') leftOut.push(...own.map((at) => ({ row: at, rule: `rule ${n % 2}` })));
        else entries.push(makeEntry(n, { rows: own, state: place }));
      }
      const file = makeFile({ rows: row - 2, leftOut });
      const tally = new RowAccounting(file);
      for (const entry of entries) tally.add(entry);
      const { outbox, pending, error, leftOut: out, unaccounted, twice } = tally.rows();
      const sum = [outbox, pending, error, ...out].reduce((all, { count }) => all + count, 0);
      expect([sum, unaccounted.count, twice.count]).toEqual([row - 2, 0, 0]);

      if (entries.length === 0) return;
      const short = new RowAccounting(file);
      const missing = entries[lost % entries.length]!;
      for (const entry of entries) if (entry !== missing) short.add(entry);
      expect(short.rows().unaccounted.count).toBe(missing.rows.length);
    }),
    { numRuns: runs(300) },
  );
});

test('row lists are short and say exactly the rows', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 3_000 }), { maxLength: 60 }), (rows) => {
      const set = new RowSet();
      for (const row of rows) expect(set.add(row)).toBe(true);
      for (const row of rows) expect(set.add(row)).toBe(false);
      const text = set.toText();
      const read =
        text === ''
          ? []
          : text.split(', ').flatMap((run) => {
              const [from, to = from] = run.split('-').map(Number);
              return Array.from({ length: to! - from! + 1 }, (_, n) => from! + n);
            });
      expect(read).toEqual([...rows].sort((a, b) => a - b));
      expect(rowRanges(rows)).toBe(text);
    }),
  );
  expect(rowRanges([17, 2, 3, 4])).toBe('2-4, 17');
});
