/**
 * A table in a CSV file: which columns are the key (one or several), which the value, and between which days it counts.
 *
 * The columns `valid-from` and `valid-to` are known by their names; both days belong to the period, an empty one is open.
 */

import { parse } from 'csv-parse/sync';
import type { Message } from '../../i18n/message.ts';
import { MAPPING_TABLES, SUGGESTIONS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { isIsoDate } from '../../text/calendar-date.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import { type Problem, suggestionFor } from '../runtime/diagnostics.ts';
import type { Value } from '../runtime/value.ts';

export type Period = { readonly from: string; readonly to: string; readonly value: Value };

export type CsvEntries = {
  readonly values: ReadonlyMap<string, Value>;
  /** Where the file has validity dates: by code, in the order of time; `values` is empty then. */
  readonly periods: ReadonlyMap<string, readonly Period[]> | undefined;
  /** How many columns make the key. */
  readonly width: number;
};

export type CsvSettings = {
  readonly file: string;
  readonly key?: unknown;
  readonly value?: unknown;
  readonly delimiter?: unknown;
  readonly type?: unknown;
};

/** Reports a fault of the table; `at` names the setting that it concerns. */
export type ReportTable = (at: 'file' | 'key' | 'value' | undefined, problem: Problem) => void;

const FROM = 'valid-from';
const TO = 'valid-to';
const ALWAYS = { from: '0000-00-00', to: '9999-99-99' };

/** Joins the parts of a key of several columns; no cell has it. */
const JOINT = '\u0000';

/** One text for a key of several columns; '' where all parts are empty, so that such a cell has no code. */
export function joinKey(parts: readonly string[]): string {
  return parts.every((part) => part === '') ? '' : parts.join(JOINT);
}

/** The parts that `joinKey` has joined. */
export function partsOfKey(key: string): readonly string[] {
  return key.split(JOINT);
}

/** A key as messages show it. */
export function shownKey(key: string): string {
  return key.replaceAll(JOINT, ', ');
}

/** Undefined where the file cannot be used: `report` has the reasons. */
export function readCsvTable(
  table: string,
  given: CsvSettings,
  text: string,
  report: ReportTable,
): CsvEntries | undefined {
  const { file, value, delimiter, type } = given;
  const keys = typeof given.key === 'string' ? [given.key] : given.key;
  if (!isNames(keys) || typeof value !== 'string') {
    report(undefined, wrongTable(MAPPING_TABLES.noColumns({ table }), MAPPING_TABLES.nameColumns()));
    return undefined;
  }
  const records = parseCsv(text, typeof delimiter === 'string' ? delimiter : delimiterOf(text));
  if (typeof records === 'string') {
    report('file', wrongTable(MAPPING_TABLES.unreadable({ file, why: records })));
    return undefined;
  }
  const header = (records[0] ?? []).map((cell) => cell.trim());
  const missing = [...keys, value].filter((column) => !header.includes(column));
  for (const column of missing) {
    const message = MAPPING_TABLES.noColumn({ file, column });
    const hint = suggestionFor(column, header, SUGGESTIONS.columns);
    report(column === value ? 'value' : 'key', { code: 'map/no-such-table-column', message, hint });
  }
  const twice = [...keys, value, FROM, TO].find((column) => header.indexOf(column) !== header.lastIndexOf(column));
  if (twice !== undefined) report('file', wrongTable(MAPPING_TABLES.columnTwice({ file, column: twice })));
  if (missing.length > 0 || twice !== undefined) return undefined;
  const at = (column: string) => header.indexOf(column);
  const numbers =
    type === 'number' ? numbersIn(records.slice(1).map((record) => cellIn(record, at(value)))) : undefined;
  const columns = { width: header.length, keys: keys.map(at), value: at(value), from: at(FROM), to: at(TO), numbers };
  return readRecords(table, records, columns, report);
}

export function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
}

/** Positions in a record; -1 for a column that the file does not have. */
type Columns = {
  /** Cells of the header. */
  readonly width: number;
  readonly keys: readonly number[];
  readonly value: number;
  readonly from: number;
  readonly to: number;
  /** Reads the values of a table of numbers: 'unclear' for one that has two readings. */
  readonly numbers: ((text: string) => Decimal | 'unclear' | undefined) | undefined;
};

/** One, two or three digits, a comma and three more: the comma may be that of decimals or of thousands. */
const TWO_READINGS = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const COMMA = /^[+-]?\d*,\d+$/;

/** Decimals have a point, or a comma. A comma that may be one of thousands counts where another value of the column decides. */
function numbersIn(texts: readonly string[]): NonNullable<Columns['numbers']> {
  const hasDecimalComma = texts.some((text) => COMMA.test(text) && !TWO_READINGS.test(text));
  return (text) => (!hasDecimalComma && TWO_READINGS.test(text) ? 'unclear' : Decimal.parse(text.replace(',', '.')));
}

function readRecords(table: string, records: readonly string[][], columns: Columns, report: ReportTable): CsvEntries {
  const isDated = columns.from >= 0 || columns.to >= 0;
  const entries = new Map<string, Entry[]>();
  for (const [n, record] of records.entries()) {
    const code = codeIn(record, columns);
    if (n === 0 || code === '') continue;
    const entry = entryIn(record, columns, MAPPING_TABLES.row({ table, row: n + 1 }));
    if ('code' in entry) report('file', entry);
    else entries.set(code, [...(entries.get(code) ?? []), entry]);
  }
  const width = columns.keys.length;
  const periods = new Map([...entries].map(([code, found]) => [code, settled(code, found, report)]));
  if (isDated) return { values: new Map(), periods, width };
  const values = [...periods].flatMap(([code, [only]]) => (only ? [[code, only.value] as const] : []));
  return { values: new Map(values), periods: undefined, width };
}

function cellIn(record: readonly string[], position: number): string {
  return record[position]?.trim() ?? '';
}

function codeIn(record: readonly string[], { keys }: Columns): string {
  const parts = keys.map((position) => cellIn(record, position));
  const [first, ...others] = parts;
  return first === 'default' && others.every((part) => part === '') ? first : joinKey(parts);
}

type Entry = Period & { readonly row: Message };

/** The value and the period of one row, or what is wrong with it. */
function entryIn(record: readonly string[], columns: Columns, row: Message): Entry | Problem {
  const text = cellIn(record, columns.value);
  const value = columns.numbers ? columns.numbers(text) : text;
  // The cells after a delimiter without quotes are those of other columns.
  const isShifted = record.slice(columns.width).some((cell) => cell.trim() !== '');
  if (isShifted || record.length <= columns.value) {
    const message = MAPPING_TABLES.cells({ row, count: record.length, columns: columns.width });
    return wrongTable(message, MAPPING_TABLES.quoteCells());
  }
  const from = cellIn(record, columns.from) || ALWAYS.from;
  const to = cellIn(record, columns.to) || ALWAYS.to;
  const odd = [from, to].find((day) => !isDay(day) && day !== ALWAYS.from && day !== ALWAYS.to);
  if (columns.numbers && value === 'unclear')
    return wrongTable(MAPPING_TABLES.unclearNumber({ row, text }), MAPPING_TABLES.decimalPoint());
  if (value === undefined) return wrongTable(MAPPING_TABLES.notNumber({ row, text }));
  if (odd !== undefined) return wrongTable(MAPPING_TABLES.notDate({ row, text: odd }), MAPPING_TABLES.dateForm());
  if (from <= to) return { from, to, value, row };
  return wrongTable(MAPPING_TABLES.backwards({ row, from: FROM, to: TO }), MAPPING_TABLES.earlierFirst());
}

function wrongTable(message: Message, hint?: Message): Problem {
  return { code: 'map/wrong-table', message, hint };
}

function isDay(text: string): boolean {
  return text.length === 10 && isIsoDate(text);
}

/** In the order of time. The same value twice is no harm; two values on one day are. */
function settled(code: string, entries: readonly Entry[], report: ReportTable): readonly Period[] {
  const periods: { from: string; to: string; value: Value }[] = [];
  for (const { row, from, to, value } of entries.toSorted((a, b) => compareTexts(a.from, b.from))) {
    const last = periods.at(-1);
    if (!last || last.to < from) periods.push({ from, to, value });
    else if (same(last.value, value)) last.to = last.to < to ? to : last.to;
    else {
      const message = MAPPING_TABLES.twoValues({ row, code: shownKey(code) });
      report('file', { code: 'map/table-key-twice', message, hint: MAPPING_TABLES.keepOne() });
    }
  }
  return periods;
}

function same(a: Value, b: Value): boolean {
  return a === b || (a instanceof Decimal && b instanceof Decimal && a.equals(b));
}

function parseCsv(text: string, delimiter: string): string[][] | string {
  try {
    return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true, max_record_size: 100_000 });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  return [';', '\t', ','].find((character) => header.includes(character)) ?? ',';
}
