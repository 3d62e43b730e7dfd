/**
 * Rows of cells to what they are: where the header is, what is above it, which rows hold no data, which columns are
 * written once.
 */

import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import { findFillDownColumns } from './filled-down-columns.ts';
import type { TableSource } from './sample-source.ts';
import type { ColumnHead, SampleRecord, Trailer } from './sample-table.ts';

export type TableLayout = {
  readonly source: TableSource;
  readonly columns: readonly ColumnHead[];
  readonly trailers: readonly Trailer[];
  /** The row of the header; 0 for none. */
  readonly header: number;
};

/** How a row begins that is no data. */
export const NO_DATA =
  /^(?:(?:sous[- ]?|grand |sub[- ]?)?tot(?:al(?:es|s)?|aux)\b|suma\b|page\b|[ée]dit[ée](?!\p{L})|imprim[ée]|printed\b|impreso\b|report\b|fin\b|end\b|\*{2,}|-{3,}|={3,})/iu;

/** `rows` in order, those above the table as well; `recordsFrom` gives the records of the table by the row of its header, or 0. */
export function layOutTable(
  rows: readonly SampleRecord[],
  recordsFrom: (header: number) => readonly SampleRecord[],
  notes: DraftNotes,
): TableLayout {
  const header = findHeaderRow(rows, notes);
  const records = recordsFrom(header);
  const head = header === 0 ? undefined : records[0];
  const names = head ? readHeaderNames(head.cells, notes) : makeColumnNames(records);
  const data = head ? records.slice(1) : records;
  const { kept, leaveOut, trailers } = findRowsToLeaveOut(data, names, notes);
  const fillDown = findFillDownColumns(kept, names, notes);
  const inFront = prefixesOf(names);
  const columns = names.map((name): ColumnHead => {
    const block = [...inFront].find((prefix) => name.startsWith(`${prefix}/`));
    const path = block === undefined ? [name] : [block, name.slice(block.length + 1)];
    return definedOnly({ name, path, known: header !== 0, block });
  });
  const isNamed = new Set(head?.cells.map((cell) => cell.trim())).size === names.length;
  const own = { 'leave-out': leaveOut, 'fill-down': fillDown };
  if (isNamed) return { source: { 'header-row': header, ...own }, columns, trailers, header };
  const top = header === 0 ? { 'header-row': 'none' as const } : { 'skip-rows': header };
  return { source: { ...top, 'column-names': names, ...own }, columns, trailers, header };
}

/** The first row that is as wide as most and filled to 60 %; 0 where its cells look like data or repeat. */
function findHeaderRow(given: readonly SampleRecord[], notes: DraftNotes): number {
  const rows = given.map(({ cells }) => cells.map((cell) => cell.trim()));
  const width = mostCommon(rows.filter((cells) => cells.length > 1).map((cells) => cells.length));
  const first = rows.findIndex(
    (cells) => cells.length >= width && cells.filter((cell) => cell !== '').length >= 0.6 * width,
  );
  const cells = rows[first] ?? [];
  const below = rows.slice(first + 1).filter((one) => one.length >= width * 0.8);
  const looksLikeData = cells.filter((cell) => /^[-+(]?\d[\d\s.,/:T-]*[-)]?$/.test(cell)).length;
  const distinct = new Set(cells).size;
  if (first < 0 || looksLikeData > 0.15 * cells.length || distinct < 0.8 * cells.filter((cell) => cell !== '').length) {
    const shown = cells.slice(0, 4).join(' | ').slice(0, 60);
    notes.addEvidence('source.header-row', SOURCE_EVIDENCE.noHeader({ cells: shown }));
    notes.addQuestion(85, 'source.column-names', SAMPLE_QUESTION.noHeader());
    return 0;
  }
  if (below.length === 0) notes.addQuestion(99, 'source', SAMPLE_QUESTION.noRows());
  const row = given[first]?.row ?? 1;
  notes.addEvidence(
    'source.header-row',
    row === 1
      ? SOURCE_EVIDENCE.headerFirst({ columns: SAMPLE_COUNTS.columns({ count: distinct }) })
      : SOURCE_EVIDENCE.headerAt({ row, width, rows: SAMPLE_COUNTS.rows({ count: row - 1 }) }),
  );
  return row;
}

/** Trimmed names, "#5" for an empty one; a repeated name gets its number, with a question. */
function readHeaderNames(cells: readonly string[], notes: DraftNotes): readonly string[] {
  const names = cells.map((cell, at) => cell.trim() || `#${at + 1}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) notes.addQuestion(75, 'source.column-names', SAMPLE_QUESTION.sameNames({ name: twice }));
  return names.map((name, at) => (names.indexOf(name) === at ? name : `${name} (${at + 1})`));
}

function makeColumnNames(records: readonly SampleRecord[]): readonly string[] {
  const width = mostCommon(records.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, at) => `Column${at + 1}`);
}

/** Rows without data: blank ones, totals, page feet. Each kind becomes a rule, with the rows it takes away. */
function findRowsToLeaveOut(
  records: readonly SampleRecord[],
  names: readonly string[],
  notes: DraftNotes,
): {
  readonly kept: readonly SampleRecord[];
  readonly leaveOut: TableSource['leave-out'];
  readonly trailers: readonly Trailer[];
} {
  const trailers: (Trailer & { records: SampleRecord[] })[] = [];
  const gone = new Set<SampleRecord>();
  const blank = records.filter(({ cells }) => cells.every((cell) => cell.trim() === ''));
  const [firstBlank] = blank;
  if (firstBlank) {
    const rows = SAMPLE_COUNTS.rows({ count: blank.length });
    notes.addEvidence('source.leave-out.blank', SOURCE_EVIDENCE.blankRows({ rows, row: firstBlank.row }));
  }
  for (const record of blank) gone.add(record);
  for (const record of records.filter((one) => !gone.has(one))) {
    const at = record.cells.findIndex((cell) => cell.trim() !== '');
    const cell = (record.cells[at] ?? '').trim();
    const thin =
      record.cells.length < names.length || record.cells.filter((one) => one.trim() !== '').length <= names.length / 2;
    if (!thin || !NO_DATA.test(cell)) continue;
    const word = /^[^\s\d;:,]+(?:[- ](?:total|totaux)\b)?/iu.exec(cell)?.[0] ?? cell;
    const rule = { column: names[at] ?? `#${at + 1}`, 'starts-with': word };
    gone.add(record);
    const known = trailers.find(
      (one) => 'starts-with' in one.rule && one.rule['starts-with'] === word && one.rule.column === rule.column,
    );
    if (known) {
      known.records.push(record);
      continue;
    }
    trailers.push({ rule, records: [record] });
    notes.addEvidence(
      `source.leave-out.${word}`,
      SOURCE_EVIDENCE.leftOut({ row: record.row, cell: cell.slice(0, 40) }),
    );
  }
  const broken = records.filter((one) => !gone.has(one) && one.cells.length !== names.length);
  const [firstBroken] = broken;
  if (firstBroken) {
    const rows = SAMPLE_COUNTS.rows({ count: broken.length });
    notes.addQuestion(70, 'source', SAMPLE_QUESTION.brokenRows({ rows, row: firstBroken.row }));
  }
  const kept = records.filter((one) => !gone.has(one) && one.cells.length === names.length);
  const leaveOut = definedItems([
    ...trailers.map(({ rule }) => rule),
    blank.length > 0 ? ({ blank: true } as const) : undefined,
  ]);
  return { kept, leaveOut, trailers };
}

/** What several names have in front of a slash: "Partner" of Partner/City and Partner/Zip, as Odoo writes fields of fields. */
function prefixesOf(names: readonly string[]): ReadonlySet<string> {
  const fronts = names.flatMap((name) => /^[^/]*[^/\s](?=\/[^/\s])/.exec(name)?.[0] ?? []);
  return new Set(fronts.filter((front, at) => fronts.indexOf(front) !== at));
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 1;
}
