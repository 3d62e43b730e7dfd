/**
 * Code tables: written in the mapping, in a CSV file (key and value columns) or in a YAML file.
 *
 * A table gives texts, numbers or true/false; a YAML table may also give ready-made blocks of the target. Besides codes,
 * its keys may be ranges and wildcards, and `default` stands for every code that it does not have.
 */

import { mayBeNamed } from '../../files/named-file.ts';
import { Decimal } from '../../model/decimal.ts';
import { readYaml, type YamlFile, type YamlPath } from '../../yaml/yaml-document.ts';
import type { Diagnostics } from '../runtime/diagnostics.ts';
import type { Kind, Value } from '../runtime/value.ts';
import { type CsvSettings, type Period, readCsvTable, shownKey, type Tell } from './table-csv.ts';
import { type Keys, readKeys } from './table-keys.ts';

export type Lookup = {
  readonly name: string;
  readonly kind: Kind;
  /** How many columns make a code; their cells are joined by `joinKey`. */
  readonly width: number;
  readonly values: ReadonlyMap<string, Value>;
  /** Ready-made blocks, not yet checked against the place they go to. */
  readonly blocks: ReadonlyMap<string, { readonly value: object; readonly yaml: YamlFile; readonly path: YamlPath }>;
  /** Instead of `values` in a table with validity dates. */
  readonly periods: ReadonlyMap<string, readonly Period[]> | undefined;
  readonly match: Keys['match'];
  readonly patterns: Keys['patterns'];
  /** It gives the class of the documents: a code that it lacks may be of no tax document at all. */
  givesClass?: boolean;
  /** It could not be read, which has been told: nothing that follows from it is. */
  readonly unread?: boolean;
};

/** The key that stands for every code a table does not have. */
export const OTHERWISE = 'default';

/** Text of a file below the instance folder; undefined where there is none. */
export type ReadText = (path: string) => string | undefined;

const MAX_CHARACTERS = 10 * 1024 * 1024;
/** Faults told of one table: a file of the wrong kind has one in every row. */
const MAX_TOLD = 20;

export function readTables(
  tables: { readonly [name: string]: { readonly [key: string]: unknown } },
  readText: ReadText,
  findings: Diagnostics,
): ReadonlyMap<string, Lookup> {
  const read = new Map<string, Lookup>();
  for (const [name, given] of Object.entries(tables)) {
    const path = ['tables', name];
    const table =
      typeof given.file === 'string' && isFileTable(given)
        ? fileTable(name, given as CsvSettings, readText, path, findings)
        : ofEntries(name, given, findings.yaml, path, findings);
    // A table that cannot be read is known all the same, so that it is told once.
    read.set(name, table ?? { ...NOTHING, name, unread: true });
  }
  return read;
}

const NOTHING: Omit<Lookup, 'name'> = {
  kind: 'any',
  width: 1,
  values: new Map(),
  blocks: new Map(),
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

function fileTable(
  name: string,
  given: CsvSettings,
  readText: ReadText,
  path: YamlPath,
  findings: Diagnostics,
): Lookup | undefined {
  const tell = teller(path, findings);
  if (!mayBeNamed(given.file)) {
    const hint =
      'name the file by its path from the folder of nightpost.yaml, such as tables/units.csv; secrets and the folders of the program are not read';
    tell('file', 'map/table-outside', `"${given.file}" is no file that a mapping may read`, hint);
    return undefined;
  }
  const text = readText(given.file);
  if (text === undefined) {
    const hint = 'paths count from the folder of nightpost.yaml';
    tell('file', 'map/no-such-file', `the file "${given.file}" of table ${name} is not there`, hint);
    return undefined;
  }
  if (text.length > MAX_CHARACTERS) {
    const message = `"${given.file}" has more than ${MAX_CHARACTERS / 1024 / 1024} million characters`;
    tell('file', 'map/table-too-large', message, 'keep the codes that the export uses, or use ranges');
    return undefined;
  }
  if (/\.ya?ml$/i.test(given.file)) {
    const result = readYaml(text, given.file);
    if (!('faults' in result)) return ofEntries(name, result.yaml.value, result.yaml, [], findings);
    findings.faults.push(...result.faults);
    return undefined;
  }
  const entries = readCsvTable(name, given, text.replace(/^\ufeff/, ''), tell);
  if (!entries) return undefined;
  const keys = keysOf(name, [...entries.values.keys(), ...(entries.periods?.keys() ?? [])], entries.width);
  for (const { code, message, hint } of keys.problems) tell('file', code, message, hint);
  const { match, patterns } = keys;
  return { ...NOTHING, ...entries, name, match, patterns, kind: given.type === 'number' ? 'number' : 'text' };
}

/** Tells what is wrong with a table, up to a bound. */
function teller(path: YamlPath, findings: Diagnostics): Tell {
  let told = 0;
  return (at, code, message, hint) => {
    if (told++ < MAX_TOLD) findings.add(at === undefined ? path : [...path, at], { code, message, hint });
  };
}

/** A key of several columns is written out: what a pattern in one of them would mean beside the others is anybody's guess. */
function keysOf(name: string, codes: readonly string[], width: number): Keys {
  const keys = readKeys(codes);
  if (width === 1) return keys;
  const [pattern] = keys.patterns.keys();
  const problem = {
    key: pattern ?? '',
    code: 'map/wrong-table',
    message: `table ${name}: "${shownKey(pattern ?? '')}" is a range or has a *, and its key has several columns`,
    hint: 'write the codes out, or use a table with one key column',
  };
  return { match: undefined, patterns: new Map(), problems: pattern === undefined ? [] : [problem] };
}

function ofEntries(
  name: string,
  given: unknown,
  yaml: YamlFile,
  path: YamlPath,
  findings: Diagnostics,
): Lookup | undefined {
  let told = 0;
  const wrong = (at: YamlPath, message: string, hint = 'write code: value', code = 'map/wrong-table') => {
    if (told++ < MAX_TOLD) findings.faults.push({ code, level: 'error', message, hint, mark: yaml.mark(at, 'key') });
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
    else
      wrong(
        at,
        `table ${name} has no value for "${code}"`,
        /^\d+$/.test(code) ? 'decimals are written with a dot: 5.5' : undefined,
      );
  }
  const { match, patterns, problems } = readKeys(Object.keys(given));
  for (const { key, code, message, hint } of problems) wrong([...path, key], message, hint, code);
  return { ...NOTHING, name, kind: kindOf([...values.values()]), values, blocks, match, patterns };
}

function kindOf(values: readonly Value[]): Kind {
  if (values.length === 0) return 'any';
  if (values.every((value) => typeof value === 'string')) return 'text';
  if (values.every((value) => typeof value === 'object')) return 'number';
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'any';
}
