/**
 * Broken exports: each gets one clear fault at the right place, nothing of a file that is damaged as a whole is sent,
 * and the good documents beside it go out.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShipped, REPOSITORY } from './instance.ts';
import { type Night, spendNight } from './night.ts';

/** code, row, column as the operator reads them. */
type Place = readonly [code: string, row?: number, column?: string];
type Broken = { readonly sent: readonly string[]; readonly faults: readonly Place[] };

const refused = (...place: Place): Broken => ({ sent: [], faults: [place] });
/** The second of three documents is faulty. */
const second = (tag: string, ...place: Place): Broken => ({ sent: [`${tag}-1`, `${tag}-3`], faults: [place] });

const BROKEN: { readonly [file: string]: Broken } = {
  'Classeur1.csv': refused('intake/no-mapping', 0),
  'DIV_cut.xml': refused('xml/not-well-formed', 14),
  'DIV_doctype.xml': refused('xml/doctype', 2),
  'DIV_other_namespace.xml': refused('xml/wrong-root', 2),
  'DIV_tag_not_closed.xml': refused('xml/not-well-formed', 18),
  'DIV_two_roots.xml': refused('xml/not-well-formed', 28),
  'DIV_wrong_encoding.xml': refused('text/undecodable', 5),
  'FAC_31_february.csv': second('FEB', 'map/not-a-date', 4, 'DateFac'),
  'FAC_cell_too_many.csv': {
    sent: [],
    faults: [
      ['map/beside-broken-row', 4],
      ['csv/too-many-cells', 4],
      ['map/beside-broken-row', 4],
    ],
  },
  'FAC_column_missing.csv': refused('map/no-such-column', 1),
  'FAC_column_name_twice.csv': refused('csv/duplicate-column', 1, 'Ville'),
  'FAC_cut_in_a_row.csv': refused('csv/no-final-line-end', 5),
  'FAC_decimal_point.csv': second('DOT', 'map/not-a-number', 4, 'PUHT'),
  'FAC_empty.csv': refused('inbox/empty-file', 0),
  'FAC_good.csv': { sent: ['GOOD-1', 'GOOD-2', 'GOOD-3'], faults: [] },
  'FAC_header_only.csv': { sent: [], faults: [['intake/no-documents', 0]] },
  'FAC_huge_cell.csv': refused('csv/row-too-long', 4, 'Designation'),
  'FAC_in_utf_8.csv': refused('text/is-utf-8', 2),
  'FAC_month_first.csv': second('USA', 'map/not-a-date', 4, 'DateFac'),
  'FAC_no_last_line_end.csv': refused('csv/no-final-line-end', 5),
  'FAC_nul.csv': refused('text/nul', 4),
  'FAC_number_came_back.csv': {
    sent: ['KEY-2', 'KEY-3'],
    faults: [
      ['map/key-came-back', 2, 'Societe'],
      ['map/key-came-back', 4, 'Societe'],
    ],
  },
  'FAC_other_delimiter.csv': refused('csv/wrong-delimiter', 1),
  'FAC_quote_not_closed.csv': refused('csv/quote-not-closed', 4, 'NomClient'),
  'FAC_siren_from_excel.csv': second('XLS', 'map/damaged-text', 4, 'SIREN'),
  'FAC_total_differs.csv': second('SUM', 'map/check-failed', 4, 'TotalTTC'),
  'FAC_totals_row.csv': { sent: ['TOT-1', 'TOT-2', 'TOT-3'], faults: [['map/totals-row', 6, 'Societe']] },
  'FAC_unknown_vat_code.csv': second('VAT', 'map/not-in-table', 4, 'CodeTVA'),
  'FAC_zero_lost.csv': second('ZER', 'map/damaged-text', 4, 'CP'),
  'NAV_without_mark.txt': refused('text/no-byte-order-mark', 1),
  'RECT_in_windows_1252.csv': refused('text/undecodable', 2),
};

const folder = join(REPOSITORY, 'samples/broken/input');
const temporary = mkdtempSync(join(tmpdir(), 'np-broken-'));
let night: Night = [];

beforeAll(async () => {
  await using shipped = await openShipped();
  const paths = [
    ...readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
    hugeCell(),
  ];
  night = await spendNight(shipped, paths, '2026-11-20');
  const doubles = shipped.sandbox.acceptances().filter(({ accepted }) => accepted !== 1);
  expect(doubles).toEqual([]);
});
afterAll(() => rmSync(temporary, { recursive: true }));

/** Made here because it is large: somebody pasted a picture into a description. */
function hugeCell(): string {
  const path = join(temporary, 'FAC_huge_cell.csv');
  const good = readFileSync(join(folder, 'FAC_good.csv'), 'latin1').replaceAll('GOOD', 'HUG');
  writeFileSync(path, good.replace('Poulie', 'Q'.repeat(1_200_000)), 'latin1');
  return path;
}

it('knows every file of the folder', () => {
  expect(night.map(({ file }) => basename(file.name)).sort()).toEqual(Object.keys(BROKEN).sort());
});

it.each(Object.entries(BROKEN))('%s', (name, { sent, faults }) => {
  const { file, entries } = night.find((one) => one.file.name === name)!;
  const told = [...file.faults, ...entries.flatMap(({ entry }) => entry.faults)].map(({ code, origin }) => [
    code,
    origin?.row,
    ...(origin?.column ? [origin.column] : []),
  ]);
  expect(told).toEqual(faults);
  const authorized = entries.filter(({ entry }) => entry.state === 'authorized');
  expect(authorized.map(({ entry }) => entry.facts.identifier)).toEqual(sent);
  expect(entries.filter(({ entry }) => !['authorized', 'invalid'].includes(entry.state))).toEqual([]);
  expect(file.state).toBe(file.faults.some(({ level }) => level === 'error') ? 'refused' : 'admitted');
});
