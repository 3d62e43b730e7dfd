/**
 * Code tables: written in the mapping, in a CSV file (key and value columns) or in a YAML file.
 *
 * A table gives texts, numbers or true/false; a YAML table may also give ready-made blocks of the target. Besides codes,
 * its keys may be ranges and wildcards, and `default` is the key of every code that it does not have.
 */

import { mayBeNamed } from '../../files/named-file.ts';
import { MAPPING_INCLUDES, MAPPING_TABLES } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { appendAll } from '../../text/long-lists.ts';
import { isPlainObject } from '../../yaml/plain-object.ts';
import { readYaml, type YamlFile, type YamlPath } from '../../yaml/yaml-document.ts';
import { type Diagnostics, faultAt, type Problem } from '../runtime/diagnostics.ts';
import type { Kind, Value } from '../runtime/value.ts';
import { type CsvSettings, type Period, type ReportTable, readCsvTable, shownKey } from './table-csv.ts';
import { type KeyProblem, type Keys, readKeys } from './table-keys.ts';

export type Lookup = {
  readonly name: string;
  readonly kind: Kind;
  /** How many columns make a code; their cells are joined by `joinKey`. */
  readonly width: number;
  readonly values: ReadonlyMap<string, Value>;
  /** Ready-made blocks, not yet checked against the place they go to. */
  readonly blocks: ReadonlyMap<string, { readonly value: object; readonly yaml: YamlFile; readonly path: YamlPath }>;
  /** Its numbers as the YAML has them, for a field that takes a text. */
  readonly numbers: readonly { readonly value: number; readonly yaml: YamlFile; readonly path: YamlPath }[];
  /** Instead of `values` in a table with validity dates. */
  readonly periods: ReadonlyMap<string, readonly Period[]> | undefined;
  readonly match: Keys['match'];
  readonly patterns: Keys['patterns'];
  /** It gives the class of the documents: a code that it lacks may be of no tax document at all. */
  givesClass?: boolean;
  /** It could not be read, which is reported: nothing that follows from it is. */
  readonly unread?: boolean;
};

/** The key for every code that a table does not have. */
export const OTHERWISE = 'default';

/** Text of a file below the instance folder; undefined where there is none. */
export type ReadText = (path: string) => string | undefined;

const MAX_CHARACTERS = 10 * 1024 * 1024;
/** Faults of one table: a file of the wrong kind has one in every row. */
const MAX_FAULTS = 20;

/** The tables of a mapping by name; one that cannot be read is `unread`, with findings. */
export function readTables(
  tables: { readonly [name: string]: { readonly [key: string]: unknown } },
  readText: ReadText,
  findings: Diagnostics,
): ReadonlyMap<string, Lookup> {
  const read = Object.entries(tables).map(([name, given]): [string, Lookup] => {
    const source = { name, path: ['tables', name], findings };
    const isFile = typeof given.file === 'string' && isFileTable(given);
    const table = isFile
      ? readFileTable(source, given as CsvSettings, readText)
      : readEntries(source, given, findings.yaml);
    // An unreadable table counts as known, so that only its own fault is reported.
    return [name, table ?? { ...NOTHING, name, unread: true }];
  });
  return new Map(read);
}

const NOTHING: Omit<Lookup, 'name'> = {
  kind: 'any',
  width: 1,
  values: new Map(),
  blocks: new Map(),
  numbers: [],
  periods: undefined,
  match: undefined,
  patterns: new Map(),
};

/** Every code of a table, as it is written. */
export function codesOf({ values, blocks, periods }: Lookup): readonly string[] {
  return [...values.keys(), ...blocks.keys(), ...(periods?.keys() ?? [])];
}

/** Every value that a table can give, with its code. */
export function valuesOf({ values, periods }: Lookup): readonly (readonly [string, Value])[] {
  const dated = [...(periods ?? [])].flatMap(([code, some]) => some.map(({ value }) => [code, value] as const));
  return [...values, ...dated];
}

const FILE_KEYS = ['file', 'key', 'value', 'delimiter', 'type'];

function isFileTable(given: object): boolean {
  return Object.keys(given).every((key) => FILE_KEYS.includes(key));
}

/** A table of the mapping, and its place in the file that holds its entries. */
type TableSource = { readonly name: string; readonly path: YamlPath; readonly findings: Diagnostics };

function readFileTable(source: TableSource, given: CsvSettings, readText: ReadText): Lookup | undefined {
  const { name, findings } = source;
  const { file } = given;
  const report = limitedReport(source);
  const refuse = (problem: Problem) => {
    report('file', problem);
    return undefined;
  };
  if (!mayBeNamed(file)) {
    const message = MAPPING_TABLES.outside({ file });
    return refuse({ code: 'map/table-outside', message, hint: MAPPING_TABLES.nameFile() });
  }
  const text = readText(file);
  if (text === undefined) {
    const message = MAPPING_TABLES.noFile({ file, table: name });
    return refuse({ code: 'map/no-such-file', message, hint: MAPPING_INCLUDES.pathsFromFolder() });
  }
  if (text.length > MAX_CHARACTERS) {
    const message = MAPPING_TABLES.tooLarge({ file, most: MAX_CHARACTERS / 1024 / 1024 });
    return refuse({ code: 'map/table-too-large', message, hint: MAPPING_TABLES.shorten() });
  }
  if (/\.ya?ml$/i.test(file)) {
    const result = readYaml(text, file);
    if (!('faults' in result)) return readEntries({ ...source, path: [] }, result.yaml.value, result.yaml);
    appendAll(findings.faults, result.faults);
    return undefined;
  }
  const entries = readCsvTable(name, given, text.replace(/^\ufeff/, ''), report);
  if (!entries) return undefined;
  const keys = keysOf(name, [...entries.values.keys(), ...(entries.periods?.keys() ?? [])], entries.width);
  for (const { problem } of keys.problems) report('file', problem);
  const { match, patterns } = keys;
  return { ...NOTHING, ...entries, name, match, patterns, kind: given.type === 'number' ? 'number' : 'text' };
}

/** Reports what is wrong with a table, up to a bound. */
function limitedReport({ path, findings }: TableSource): ReportTable {
  let count = 0;
  return (at, problem) => {
    if (count++ < MAX_FAULTS) findings.add(at === undefined ? path : [...path, at], problem);
  };
}

/** A key of several columns is written out: a pattern in one of them would have no clear meaning next to the others. */
function keysOf(table: string, codes: readonly string[], width: number): Keys {
  const keys = readKeys(codes);
  if (width === 1) return keys;
  const problems = [...keys.patterns.keys()].slice(0, 1).map((key): KeyProblem => {
    const message = MAPPING_TABLES.patternInKey({ table, key: shownKey(key) });
    return { key, problem: { code: 'map/wrong-table', message, hint: MAPPING_TABLES.writeCodesOut() } };
  });
  return { match: undefined, patterns: new Map(), problems };
}

function readEntries({ name, path, findings }: TableSource, given: unknown, yaml: YamlFile): Lookup | undefined {
  let count = 0;
  const report = (at: YamlPath, problem: Problem) => {
    if (count++ < MAX_FAULTS) findings.faults.push(faultAt(yaml.mark(at, 'key'), problem));
  };
  const code = 'map/wrong-table';
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const message = MAPPING_TABLES.notList({ table: name });
    report(path, { code, message, hint: MAPPING_TABLES.writeEntries() });
    return undefined;
  }
  const values = new Map<string, Value>();
  const numbers: { value: number; yaml: YamlFile; path: YamlPath }[] = [];
  const blocks = new Map<string, { value: object; yaml: YamlFile; path: YamlPath }>();
  for (const [key, value] of Object.entries(given)) {
    const at = [...path, key];
    if (typeof value === 'string' || typeof value === 'boolean') values.set(key, value);
    else if (typeof value === 'number' && Number.isFinite(value)) {
      values.set(key, Decimal.from(value));
      numbers.push({ value, yaml, path: at });
    } else if (isPlainObject(value)) {
      blocks.set(key, { value, yaml, path: at });
    } else {
      const hint = /^\d+$/.test(key) ? MAPPING_TABLES.decimalDot() : MAPPING_TABLES.writeEntries();
      report(at, { code, message: MAPPING_TABLES.noValue({ table: name, code: key }), hint });
    }
  }
  const { match, patterns, problems } = readKeys(Object.keys(given));
  for (const { key, problem } of problems) report([...path, key], problem);
  return { ...NOTHING, name, kind: kindOf([...values.values()]), values, numbers, blocks, match, patterns };
}

function kindOf(values: readonly Value[]): Kind {
  if (values.length === 0) return 'any';
  if (values.every((value) => typeof value === 'string')) return 'text';
  if (values.every((value) => typeof value === 'object')) return 'number';
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'any';
}
