/**
 * A delimited sample to columns and rows of data: where the header is, what is above it, which rows hold no
 * data, which columns are written once, or which kinds of records there are.
 */

import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { definedItems, definedOnly } from '../../model/defined-only.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import {
  type Dialect,
  findDialect,
  parseRecords,
  type SampleRecord,
  splitCells,
  splitSampleLines,
} from './csv-dialect.ts';
import { findFillDownColumns } from './filled-down-columns.ts';
import { findRecordTypes } from './record-type-sample.ts';
import type { SampleColumn, SampleSkipRule, SampleTable, Trailer } from './sample-table.ts';

type LeaveOut = SampleSkipRule | { readonly blank: true };

/** What the block `source` of a CSV mapping says; rows count from 1. */
export type CsvSource = {
  readonly format: 'csv';
  readonly delimiter: string;
  readonly quote: Dialect['quote'];
  readonly finalLineEnd: boolean;
  /** 1 and more, or none. */
  readonly headerRow: number | 'none';
  /** Above a header row whose names cannot be used. */
  readonly skipRows: number;
  readonly leaveOut: readonly LeaveOut[];
  readonly fillDown: readonly string[];
  readonly recordTypes: readonly { readonly value: string; readonly columns: readonly string[] }[];
};

export type CsvSample = { readonly source: CsvSource; readonly table: SampleTable };

/** How a row begins that is no data. */
export const NO_DATA =
  /^(?:(?:sous[- ]?|grand |sub[- ]?)?tot(?:al(?:es|s)?|aux)\b|suma\b|page\b|[ée]dit[ée](?!\p{L})|imprim[ée]|printed\b|impreso\b|report\b|fin\b|end\b|\*{2,}|-{3,}|={3,})/iu;

/** Reads every text: where its quotes are broken, the lines are cut at the delimiter. */
export function readCsvSample(text: string, notes: DraftNotes): CsvSample {
  const dialect = findDialect(text, notes);
  const body = text.slice(dialect.sepLine.length);
  const lines = splitSampleLines(body);
  const types = findRecordTypes(parseRecords(body, dialect, 0) ?? [], notes);
  if (types) {
    const source = {
      ...dialect,
      format: 'csv',
      headerRow: 'none',
      skipRows: 0,
      leaveOut: types.trailers.map(({ rule }) => rule),
      fillDown: [],
      recordTypes: types.levels,
    } as const;
    const cut = createCut(text, '', types.records);
    const { columns, rows, siblings, trailers, owners, lonely } = types;
    return {
      source,
      table: { columns, rows, siblings, trailers, owners, lonely, cut: (wanted) => cut(types.withOthers(wanted)) },
    };
  }
  const header = findHeaderRow(lines, dialect.delimiter, notes);
  const above = header === 'none' ? 0 : header - 1;
  const start = offsetOfLine(body, above);
  const records =
    parseRecords(body.slice(start), dialect, above) ?? splitWithoutQuotes(lines.slice(above), dialect, above);
  const names = header === 'none' ? makeColumnNames(records) : readHeaderNames(records[0]?.cells ?? [], notes);
  const data = header === 'none' ? records : records.slice(1);
  const { kept, leaveOut, trailers } = findRowsToLeaveOut(data, names, notes);
  const { fillDown, filled } = findFillDownColumns(kept, names, notes);
  const inFront = prefixesOf(names);
  const columns = names.map((name, at): SampleColumn => {
    const block = [...inFront].find((prefix) => name.startsWith(`${prefix}/`));
    return definedOnly({
      name,
      path: block === undefined ? [name] : [block, name.slice(block.length + 1)],
      cells: filled.map((cells) => (cells[at] ?? '').trim()),
      known: header !== 'none',
      block,
    });
  });
  const head = text.slice(0, dialect.sepLine.length + start + (header === 'none' ? 0 : (records[0]?.to ?? 0)));
  const named = header !== 'none' && new Set(records[0]?.cells.map((cell) => cell.trim())).size === names.length;
  const source: CsvSource = {
    ...dialect,
    format: 'csv',
    headerRow: named ? header : 'none',
    skipRows: named || header === 'none' ? 0 : header,
    leaveOut,
    fillDown,
    recordTypes: [],
  };
  const shifted = data.map((record) => ({
    ...record,
    from: record.from + dialect.sepLine.length + start,
    to: record.to + dialect.sepLine.length + start,
  }));
  return {
    source,
    table: { columns, trailers, rows: kept.map(({ row }) => row), cut: createCut(text, head, shifted) },
  };
}

/** The head of the file and the records of these rows, as they are in it. */
function createCut(text: string, head: string, records: readonly SampleRecord[]) {
  return (rows: readonly number[]): string => {
    const wanted = records.filter(({ row }) => rows.includes(row)).map(({ from, to }) => text.slice(from, to));
    const cut = head + wanted.join('');
    return /[\r\n]$/.test(cut) ? cut : `${cut}\r\n`;
  };
}

/** The first row that is as wide as most and filled to 60 %; none where its cells look like data or repeat. */
function findHeaderRow(lines: readonly string[], delimiter: string, notes: DraftNotes): number | 'none' {
  const rows = lines.map((line) => splitCells(line, delimiter).map((cell) => cell.trim()));
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
    return 'none';
  }
  if (below.length === 0) notes.addQuestion(99, 'source', SAMPLE_QUESTION.noRows());
  notes.addEvidence(
    'source.header-row',
    first === 0
      ? SOURCE_EVIDENCE.headerFirst({ columns: SAMPLE_COUNTS.columns({ count: distinct }) })
      : SOURCE_EVIDENCE.headerAt({ row: first + 1, width, rows: SAMPLE_COUNTS.rows({ count: first }) }),
  );
  return first + 1;
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
  readonly leaveOut: readonly LeaveOut[];
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

/** Index in UTF-16 units after this many lines; 0 for none. */
function offsetOfLine(text: string, lines: number): number {
  const ends = [...text.matchAll(/\r\n|\n|\r/g)];
  const end = ends[lines - 1];
  return end ? end.index + end[0].length : 0;
}

/** Where the quotes are broken the lines are still worth a look. */
function splitWithoutQuotes(lines: readonly string[], { delimiter }: Dialect, above: number): readonly SampleRecord[] {
  let at = 0;
  return lines.map((line, index) => {
    const from = at;
    at += line.length + 1;
    return { cells: splitCells(line, delimiter), row: above + index + 1, from, to: at };
  });
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 1;
}
