/**
 * One correction, the SIREN of 40 documents, saved in six ways by LibreOffice Calc 25.2 (kept in saved-sheets/): each
 * way is taken whole, and the only corrected cells are those that the person changed. Where LibreOffice is installed it
 * saves them once more (otherwise that test is skipped).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { definedOnly } from '../../../src/model/defined-only.ts';
import type { LedgerEntry, SourceFile } from '../../../src/model/ledger-entry.ts';
import type { Row, Table } from '../../../src/model/row.ts';
import type { ArchivedSource } from '../../../src/pipeline/publishing/correction-files.ts';
import { comparisonOf } from '../../../src/pipeline/reprocessing/diff-correction.ts';
import { readCorrection } from '../../../src/pipeline/reprocessing/parse-correction-file.ts';

const FOLDER = join(import.meta.dirname, 'saved-sheets');
const EXPORT = readFileSync(join(FOLDER, 'export.csv'), 'utf8').trimEnd().split('\r\n');
const table: Table = { file: 'export.csv', columns: EXPORT[0]!.split(';') };
const rows: readonly Row[] = EXPORT.slice(1).map((line, at) => ({ row: at + 2, cells: line.split(';') }));
const DOCUMENTS = rows.length / 2;

/** Each document has two rows; the SIREN of both is at fault. */
const entries = new Map(
  Array.from({ length: DOCUMENTS }, (_, at) => {
    const own = [at * 2 + 2, at * 2 + 3];
    const faults = own.map((row) => ({ level: 'error', origin: { file: 'export.csv', row, column: 'SIREN' } }));
    const id = `01a1fc15-2574-7000-87d5-${at.toString(16).padStart(12, '0')}`;
    return [`${id}/1`, { id, file: { name: 'export.csv' }, rows: own, faults } as unknown as LedgerEntry];
  }),
);

/** What a file that came back would correct, restore and refuse, in the best of its readings. */
async function compare(name: string, content: Buffer) {
  const read = await readCorrection({ name, path: '' }, content);
  expect(read?.lost).toEqual([]);
  const source = { options: {}, mapping: { convertOf: () => undefined } } as unknown as ArchivedSource;
  const readings = await read!.readings(source, { encoding: 'windows-1252' } as SourceFile);
  const results = readings.map((lines) => {
    const given = new Map(
      lines.map(({ doc, row, ...line }) => [
        Number(row),
        { entry: entries.get(doc)!, given: definedOnly({ ...line, row: Number(row) }) },
      ]),
    );
    const about = { name, file: { name: 'export.csv' } as SourceFile, kindOf: () => 'text', fillDown: [] };
    const comparison = comparisonOf({
      ...about,
      rows: given,
      overlay: new Map(),
      asInSource: false,
      restores: true,
      astray: [],
    });
    for (const row of rows) comparison.see(table, row);
    return comparison.result();
  });
  const [best] = results.sort((a, b) => a.differences - b.differences);
  const all = [...best!.documents.values()];
  const damaged = all.flatMap((one) => one.damaged);
  return {
    taken: all.filter((one) => one.changes.length > 0 && !one.damaged.some(({ refused }) => refused)).length,
    changes: all.flatMap(({ changes }) => changes),
    restored: [...new Set(damaged.map(({ column }) => column))].sort(),
    refused: damaged.filter(({ refused }) => refused),
  };
}

const CODES = ['Art', 'CP', 'Client', 'Societe', 'Tel'];
const NUMBERS = ['Montant', 'PU', 'Qte', 'Taux'];

/** The columns in which each way of saving damaged cells. */
const WAYS: readonly (readonly [name: string, damaged: readonly string[]])[] = [
  ['corrected.csv', []],
  ['fr.csv', [...CODES, ...NUMBERS]],
  ['fr-special-numbers.csv', [...CODES, ...NUMBERS, 'Date', 'Echeance']],
  ['en-as-shown.csv', [...CODES, 'Qte', 'Date', 'Echeance']],
  ['en-comma-utf-8.csv', [...CODES, 'Qte', 'Date', 'Echeance']],
  ['saved-as-xlsx.xlsx', [...CODES, ...NUMBERS, 'Date', 'Echeance']],
  ['imported-as-text.csv', []],
];

test.each(WAYS)('%s: 40 of 40 documents are taken, and only the SIREN is corrected', async (name, damaged) => {
  const found = await compare(name, readFileSync(join(FOLDER, name)));
  expect(found.refused).toEqual([]);
  expect(found.taken).toBe(DOCUMENTS);
  for (const { column, from, to } of found.changes) {
    expect({ column, from, to }).toEqual({ column: 'SIREN', from: '99920041', to: '999200410' });
  }
  expect(found.changes).toHaveLength(rows.length);
  expect(found.restored).toEqual([...damaged].sort());
});

const SOFFICE = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find((path) => existsSync(path));
const CSV = 'csv:Text - txt - csv (StarCalc)';

/** Import and export options of Calc: separator, quote, code page, first row, columns, language, quotes, special numbers. */
const SAVED = [
  ['fr', 'CSV:59,34,1,1,,1036,false,false', `${CSV}:59,34,1,1,,1036,false,true`],
  ['fr, special numbers', 'CSV:59,34,1,1,,1036,false,true', `${CSV}:59,34,1,1,,1036,false,true`],
  ['en-US', 'CSV:59,34,1,1,,1033,false,true', `${CSV}:59,34,1,1,,1033,false,true`],
  ['en-US, comma', 'CSV:59,34,1,1,,1033,false,true', `${CSV}:44,34,76,1,,1033,false,true`],
  ['xlsx', 'CSV:59,34,1,1,,1036,false,true', 'xlsx'],
] as const;

test.skipIf(SOFFICE === undefined)(
  'LibreOffice of this machine saves the correction: 40 of 40 are taken each way (skipped without LibreOffice)',
  { timeout: 180_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nightpost-calc-'));
    try {
      for (const [way, opened, saved] of SAVED) {
        const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
        const args = [
          profile,
          '--headless',
          '--convert-to',
          saved,
          `--infilter=${opened}`,
          '--outdir',
          join(folder, way),
        ];
        const options = { stdio: 'ignore', timeout: 120_000 } as const;
        execFileSync(SOFFICE!, [...args, join(FOLDER, 'corrected.csv')], options);
        const [name] = readdirSync(join(folder, way));
        const found = await compare(name!, readFileSync(join(folder, way, name!)));
        expect({ way, taken: found.taken, refused: found.refused.length }).toEqual({
          way,
          taken: DOCUMENTS,
          refused: 0,
        });
        expect(new Set(found.changes.map(({ column, to }) => `${column} ${to}`))).toEqual(new Set(['SIREN 999200410']));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
