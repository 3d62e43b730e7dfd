/**
 * A table in a CSV file: which columns are the key (one or several), which the value, and between which days it counts.
 *
 * The columns `valid-from` and `valid-to` are known by their names; both days belong to the period, an empty one is open.
 */

import { parse } from 'csv-parse/sync';
import { Decimal } from '../../model/decimal.ts';
import { isIsoDate } from '../../text/calendar-date.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import { hintOf } from '../runtime/diagnostics.ts';
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

/** `at` names the setting it concerns. */
export type Tell = (at: 'file' | 'key' | 'value' | undefined, code: string, message: string, hint?: string) => void;

const FROM = 'valid-from';
const TO = 'valid-to';
const ALWAYS = { from: '0000-00-00', to: '9999-99-99' };

/** Stands between the parts of a key of several columns; no cell has it. */
const JOINT = '\u0000';

export function joinKey(parts: readonly string[]): string {
  return parts.every((part) => part === '') ? '' : parts.join(JOINT);
}

export function shownKey(key: string): string {
  return key.replaceAll(JOINT, ', ');
}

export function readCsvTable(name: string, given: CsvSettings, text: string, tell: Tell): CsvEntries | undefined {
  const { value, delimiter, type } = given;
  const keys = typeof given.key === 'string' ? [given.key] : given.key;
  if (!isNames(keys) || typeof value !== 'string') {
    const hint = 'write { file: ..., key: column of the codes, value: column of the values }';
    tell(undefined, 'map/wrong-table', `table ${name} does not say which columns of the file it uses`, hint);
    return undefined;
  }
  const records = parseCsv(text, typeof delimiter === 'string' ? delimiter : delimiterOf(text));
  if (typeof records === 'string') {
    tell('file', 'map/wrong-table', `"${given.file}": ${records}`);
    return undefined;
  }
  const header = (records[0] ?? []).map((cell) => cell.trim());
  const lacking = [...keys, value].filter((column) => !header.includes(column));
  for (const column of lacking) {
    const hint = hintOf(column, header, 'its columns');
    tell(
      column === value ? 'value' : 'key',
      'map/no-such-table-column',
      `"${given.file}" has no column "${column}"`,
      hint,
    );
  }
  if (lacking.length > 0) return undefined;
  const at = (column: string) => header.indexOf(column);
  const columns = { keys: keys.map(at), value: at(value), from: at(FROM), to: at(TO), numbers: type === 'number' };
  return readRecords(name, records, columns, tell);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
}

type Columns = {
  readonly keys: readonly number[];
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly numbers: boolean;
};

function readRecords(name: string, records: readonly string[][], columns: Columns, tell: Tell): CsvEntries {
  const dated = columns.from >= 0 || columns.to >= 0;
  const entries = new Map<string, Found[]>();
  for (const [n, record] of records.entries()) {
    const row = `table ${name}, row ${n + 1}`;
    const cell = (position: number) => (record[position] ?? '').trim();
    const parts = columns.keys.map(cell);
    const code = parts[0] === 'default' && parts.slice(1).every((part) => part === '') ? 'default' : joinKey(parts);
    if (n === 0 || code === '') continue;
    const text = cell(columns.value);
    const value = columns.numbers ? Decimal.parse(text.replace(',', '.')) : text;
    const period = { from: cell(columns.from) || ALWAYS.from, to: cell(columns.to) || ALWAYS.to };
    const odd = [period.from, period.to].find((day) => !isDay(day) && day !== ALWAYS.from && day !== ALWAYS.to);
    if (value === undefined) tell('file', 'map/wrong-table', `${row}: "${text}" is not a number`);
    else if (odd !== undefined) {
      tell('file', 'map/wrong-table', `${row}: "${odd}" is not a date`, 'write validity dates as 2026-01-31');
    } else if (period.from > period.to) {
      tell('file', 'map/wrong-table', `${row}: ${FROM} is after ${TO}`, 'write the earlier day first');
    } else {
      const known = entries.get(code);
      if (known) known.push({ ...period, value, row });
      else entries.set(code, [{ ...period, value, row }]);
    }
  }
  const width = columns.keys.length;
  const periods = new Map([...entries].map(([code, found]) => [code, settled(code, found, tell)]));
  if (dated) return { values: new Map(), periods, width };
  return { values: new Map([...periods].map(([code, [only]]) => [code, only!.value])), periods: undefined, width };
}

type Found = Period & { readonly row: string };

function isDay(text: string): boolean {
  return text.length === 10 && isIsoDate(text);
}

/** In the order of time. The same value twice is no harm; two values on one day are. */
function settled(code: string, found: Found[], tell: Tell): readonly Period[] {
  found.sort((a, b) => compareTexts(a.from, b.from));
  const periods: { from: string; to: string; value: Value }[] = [];
  for (const { row, from, to, value } of found) {
    const last = periods.at(-1);
    if (!last || last.to < from) periods.push({ from, to, value });
    else if (same(last.value, value)) last.to = last.to < to ? to : last.to;
    else tell('file', 'map/table-key-twice', `${row}: "${shownKey(code)}" has two values`, 'keep one');
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
