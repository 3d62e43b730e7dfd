/**
 * Code tables: written in the mapping, in a CSV file (key and value column) or in a YAML file.
 *
 * A table gives texts, numbers or true/false; a YAML table may also give ready-made blocks of the target.
 */
import { parse } from 'csv-parse/sync';
import { Decimal } from '../model/decimal.ts';
import { readYaml, type YamlFile, type YamlPath } from '../model/yaml-file.ts';
import { type Findings, hintOf } from './findings.ts';
import type { Kind, Value } from './value.ts';

export type Lookup = {
  readonly name: string;
  readonly kind: Kind;
  readonly values: ReadonlyMap<string, Value>;
  /** Ready-made blocks, not yet checked against the place they go to. */
  readonly blocks: ReadonlyMap<string, { readonly value: object; readonly yaml: YamlFile; readonly path: YamlPath }>;
};

/** Text of a file below the instance folder; undefined where there is none. */
export type ReadText = (path: string) => string | undefined;

export function readTables(
  tables: { readonly [name: string]: { readonly [key: string]: unknown } },
  readText: ReadText,
  findings: Findings,
): ReadonlyMap<string, Lookup> {
  const read = new Map<string, Lookup>();
  for (const [name, given] of Object.entries(tables)) {
    const path = ['tables', name];
    const table =
      typeof given.file === 'string' && isFileTable(given)
        ? fileTable(name, given as { file: string }, readText, path, findings)
        : ofEntries(name, given, findings.yaml, path, findings);
    // A table that cannot be read is known all the same, so that it is told once.
    read.set(name, table ?? { name, kind: 'any', values: new Map(), blocks: new Map() });
  }
  return read;
}

const FILE_KEYS = ['file', 'key', 'value', 'delimiter', 'type'];

function isFileTable(given: object): boolean {
  return Object.keys(given).every((key) => FILE_KEYS.includes(key));
}

type FileTable = {
  readonly file: string;
  readonly key?: unknown;
  readonly value?: unknown;
  readonly delimiter?: unknown;
  readonly type?: unknown;
};

function fileTable(
  name: string,
  given: FileTable,
  readText: ReadText,
  path: YamlPath,
  findings: Findings,
): Lookup | undefined {
  if (!isInside(given.file)) {
    findings.add([...path, 'file'], {
      code: 'map/table-outside',
      message: `"${given.file}" is not below the instance folder`,
      hint: 'name the file by its path from the folder of nightpost.yaml, such as tables/units.csv',
    });
    return undefined;
  }
  const text = readText(given.file);
  if (text === undefined) {
    findings.add([...path, 'file'], {
      code: 'map/no-such-file',
      message: `the file "${given.file}" of table ${name} is not there`,
      hint: 'paths count from the folder of nightpost.yaml',
    });
    return undefined;
  }
  if (/\.ya?ml$/i.test(given.file)) {
    const result = readYaml(text, given.file);
    if ('faults' in result) {
      findings.faults.push(...result.faults);
      return undefined;
    }
    return ofEntries(name, result.yaml.value, result.yaml, [], findings);
  }
  return csvTable(name, given, text.replace(/^\ufeff/, ''), path, findings);
}

/** Relative, without "..", drive letter or backslash; the reader of the file checks links once more. */
function isInside(path: string): boolean {
  return !/^[/\\]|^[A-Za-z]:|\\|\0/.test(path) && !path.split('/').includes('..');
}

function ofEntries(
  name: string,
  given: unknown,
  yaml: YamlFile,
  path: YamlPath,
  findings: Findings,
): Lookup | undefined {
  const wrong = (at: YamlPath, message: string) => {
    const mark = yaml.mark(at);
    findings.faults.push({ code: 'map/wrong-table', level: 'error', message, hint: 'write code: value', mark });
  };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    wrong(path, `table ${name} is not a list of code: value`);
    return undefined;
  }
  const values = new Map<string, Value>();
  const blocks = new Map<string, { value: object; yaml: YamlFile; path: YamlPath }>();
  for (const [code, value] of Object.entries(given)) {
    const at = [...path, code];
    if (typeof value === 'string' || typeof value === 'boolean') values.set(code, value);
    else if (typeof value === 'number' && Number.isFinite(value)) values.set(code, Decimal.from(value));
    else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      blocks.set(code, { value, yaml, path: at });
    else wrong(at, `table ${name} has no value for "${code}"`);
  }
  return { name, kind: kindOf([...values.values()]), values, blocks };
}

function csvTable(
  name: string,
  given: FileTable,
  text: string,
  path: YamlPath,
  findings: Findings,
): Lookup | undefined {
  const { key, value, delimiter, type } = given;
  if (typeof key !== 'string' || typeof value !== 'string') {
    findings.add(path, {
      code: 'map/wrong-table',
      message: `table ${name} does not say which columns of the file it uses`,
      hint: 'write { file: ..., key: column of the codes, value: column of the values }',
    });
    return undefined;
  }
  const records = parseCsv(text, typeof delimiter === 'string' ? delimiter : delimiterOf(text));
  if (typeof records === 'string') {
    findings.add([...path, 'file'], { code: 'map/wrong-table', message: `"${given.file}": ${records}` });
    return undefined;
  }
  const header = (records[0] ?? []).map((cell) => cell.trim());
  const positions = [key, value].map((column) => header.indexOf(column));
  for (const [n, column] of [key, value].entries()) {
    if (positions[n]! >= 0) continue;
    findings.add([...path, n === 0 ? 'key' : 'value'], {
      code: 'map/no-such-table-column',
      message: `"${given.file}" has no column "${column}"`,
      hint: hintOf(column, header, 'its columns'),
    });
  }
  if (positions.some((position) => position < 0)) return undefined;
  return ofRecords(name, records, positions, type === 'number', [...path, 'file'], findings);
}

function ofRecords(
  name: string,
  records: readonly string[][],
  positions: readonly number[],
  numbers: boolean,
  path: YamlPath,
  findings: Findings,
): Lookup {
  const values = new Map<string, Value>();
  for (const [n, record] of records.entries()) {
    const [code, text] = positions.map((position) => (record[position] ?? '').trim());
    if (n === 0 || code === undefined || text === undefined || code === '') continue;
    const value = numbers ? Decimal.parse(text.replace(',', '.')) : text;
    const problem =
      value === undefined
        ? { code: 'map/wrong-table', message: `table ${name}, row ${n + 1}: "${text}" is not a number` }
        : values.has(code) && textKey(values.get(code)!) !== textKey(value)
          ? {
              code: 'map/table-key-twice',
              message: `table ${name}, row ${n + 1}: "${code}" has two values`,
              hint: 'keep one',
            }
          : undefined;
    if (problem) findings.add(path, problem);
    else values.set(code, value!);
  }
  return { name, kind: numbers ? 'number' : 'text', values, blocks: new Map() };
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

function textKey(value: Value): string {
  return typeof value === 'object' ? value.toText() : String(value);
}

function kindOf(values: readonly Value[]): Kind {
  if (values.length === 0) return 'any';
  if (values.every((value) => typeof value === 'string')) return 'text';
  if (values.every((value) => typeof value === 'object')) return 'number';
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'any';
}
