/**
 * The text of a mapping file in; the mapping out, compiled once against its target, to be bound to the header of each
 * file. Everything wrong with it is found here, all at once, each fault with its place in the file. Never throws for a
 * wrong file.
 */
import { MAPPING_KEYS } from '../i18n/messages/mapping-messages.ts';
import { type DataFault, type Fault, isError, truncateFault } from '../model/fault.ts';
import { isMistake } from '../model/ledger-unavailable.ts';
import type { Row, Table } from '../model/row.ts';
import { matchesName } from '../text/glob.ts';
import { sha256Hex } from '../text/sha256.ts';
import { GARBLED, garbledFault } from '../yaml/garbled-text.ts';
import { checkShape, readYaml, type YamlFile } from '../yaml/yaml-document.ts';
import type { CompiledAnswers } from './answers/compiled-answers.ts';
import { type Bound, bindMapping } from './bind.ts';
import { compileMapping, typesKey } from './compile-mapping.ts';
import type { CompiledMapping } from './compiled-mapping.ts';
import type { Columns } from './expressions/expression-types.ts';
import { isOtherFile, listOf, type MappingTest, mappingShape } from './file/mapping-shape.ts';
import { yamlPitfalls } from './file/yaml-pitfalls.ts';
import { resolveIncludes } from './includes.ts';
import type { MappingPart, MappingWorld } from './mapping-world.ts';
import { onePerCause } from './root-causes.ts';
import { collectDiagnostics, faultAt } from './runtime/diagnostics.ts';
import type { Facts, Kind } from './runtime/value.ts';
import type { Join } from './source/file-join.ts';

/** A mapping that loaded without errors. */
export type Mapping = {
  readonly id: string;
  readonly version: string;
  readonly file: string;
  /** SHA-256 (hex) of the file's text and of the tables and blocks it names. */
  readonly sha256: string;
  /** The texts that the hash is of, in its order; a file that was read twice is there twice. */
  readonly parts: readonly MappingPart[];
  readonly target: string;
  readonly accepts: {
    readonly files: readonly string[];
    readonly columns: readonly string[];
    /** Other mappings with this key may take the same file. */
    readonly shares: boolean;
    /** Name patterns of files next to the export that are not exports themselves. */
    readonly companions: readonly string[];
  };
  /** True where a file of this name belongs to the mapping. Case does not count. */
  readonly acceptsName: (name: string) => boolean;
  readonly source: { readonly format: string; readonly options: unknown };
  /** The lines are in a second file; `source.options` are those of the header file. */
  readonly join?: Join;
  readonly rows: 'adjacent' | 'anywhere';
  /** Columns of the file that distinguish documents, none for one per file; undefined where one is calculated. */
  readonly key: readonly string[] | 'row' | undefined;
  /** Columns of the file that the mapping uses. */
  readonly columns: readonly string[];
  /** The declared kind of a column of the file, used or not. */
  readonly kindOf: (column: string) => Kind;
  /** Reads a trimmed text of a column as its declared type; undefined where the text is the value. */
  readonly convertOf: Columns['convertOf'];
  /** Facts that its documents are made of, in addition to their rows: with others, equal bytes are other documents. */
  readonly asks: ReadonlySet<keyof Facts>;
  /** Whether `source.replace` reads this text of the column as another one. */
  readonly replaces: (column: string, text: string) => boolean;
  /** `rows`: the first rows of the file, where a displaced header may be. */
  readonly bind: (table: Table, rows?: readonly Row[]) => Bound | { readonly faults: readonly DataFault[] };
  /** Names of the sequences that number its documents. */
  readonly sequences: readonly string[];
  readonly tests: readonly MappingTest[];
  /** Files for the ERP, one entry per block. */
  readonly answers: readonly CompiledAnswers[];
};

/** `mapping` is absent exactly where one of the faults is an error. */
type Loaded = { readonly mapping?: Mapping; readonly faults: readonly Fault[] };

/** `file` is the path below the instance folder, for faults. Long texts of faults are shortened, see truncateFault. */
export function loadMapping(text: string, file: string, world: MappingWorld): Loaded {
  const loaded = loadSafely(text, file, world);
  return { ...loaded, faults: loaded.faults.map(truncateFault) };
}

/** A defect of the program is a fault of this file, `map/internal-error`: the faults of all other files are found too. */
function loadSafely(text: string, file: string, world: MappingWorld): Loaded {
  try {
    return load(text, file, world);
  } catch (error) {
    if (!isMistake(error)) throw error;
    const words = MAPPING_KEYS.ourMistake({ error: `${error.name}: ${error.message}` });
    const [first = ''] = text.split(/\r?\n/, 1);
    const mark = { file, line: 1, column: 1, length: Math.max(first.length, 1), text: first };
    return { faults: [faultAt(mark, { code: 'map/internal-error', message: words, hint: MAPPING_KEYS.reportIt() })] };
  }
}

/** `map/not-a-mapping` alone for another kind of file, for example a table of values next to the mappings. */
function shapeOf(yaml: YamlFile) {
  if (!isOtherFile(yaml.value)) return checkShape(yaml, mappingShape, 'map');
  const [first = ''] = Object.keys(yaml.value);
  const words = { message: MAPPING_KEYS.notMapping(), hint: MAPPING_KEYS.moveTable() };
  return { faults: [faultAt(yaml.mark([first], 'key'), { code: 'map/not-a-mapping', ...words })] };
}

/**
 * Stops after the first step with errors that would make those of the next ones misleading: YAML, includes, pitfalls,
 * shape.
 */
function load(text: string, file: string, world: MappingWorld): Loaded {
  const read = readYaml(text, file);
  if ('faults' in read) return read;
  const parts: MappingPart[] = [{ path: file, text }];
  const readText = (path: string) => {
    const found = world.readText(path);
    if (found !== undefined) parts.push({ path, text: found });
    return found;
  };
  const whole = resolveIncludes(read.yaml, readText);
  if ('faults' in whole) return whole;
  const pitfalls = yamlPitfalls(whole.yaml);
  if (pitfalls.length > 0) return { faults: pitfalls };
  const shaped = shapeOf(whole.yaml);
  if ('faults' in shaped) return shaped;
  const findings = collectDiagnostics(whole.yaml);
  const given = shaped.value;
  const compiled = compileMapping(given, { ...world, readText }, findings);
  const found = onePerCause(findings.faults, {
    calculated: Object.keys(given['calculated-columns'] ?? {}),
    declared: Object.keys(given.source.types ?? given.source.columns ?? {}),
    key: typesKey(given, world),
  });
  const faults = [...found, ...garbledParts(parts, world)];
  if (!compiled || faults.some(isError)) return { faults };
  const files = listOf(given.accepts.files);
  const replaced = new Map(
    Object.entries(given.source.replace ?? {}).map(([column, texts]) => [column, new Set(Object.keys(texts))]),
  );
  const mapping: Mapping = {
    id: given.mapping,
    version: String(given.version),
    file,
    sha256: hashOfParts(parts),
    parts,
    target: given.target,
    accepts: {
      files,
      columns: given.accepts.columns ?? [],
      shares: given.accepts.shares ?? false,
      companions: listOf(given.accepts.companions ?? []),
    },
    acceptsName: (name) => files.some((pattern) => matchesName(pattern, name)),
    source: { format: given.source.format, options: compiled.options },
    ...(compiled.join ? { join: compiled.join } : {}),
    rows: given.documents.rows ?? 'adjacent',
    key: keyColumns(compiled),
    columns: compiled.columns.slots
      .filter((slot) => !slot.calculated && slot.list === undefined)
      .map((slot) => slot.name),
    replaces: (column, text) => replaced.get(column)?.has(text) ?? false,
    asks: compiled.asks,
    sequences: [...new Set(compiled.sequences)],
    kindOf: compiled.columns.kindOf,
    convertOf: compiled.columns.convertOf,
    bind: (table, rows) => bindMapping(compiled, table, rows),
    tests: given.tests ?? [],
    answers: compiled.answers,
  };
  return { mapping, faults };
}

/** Mappings, blocks and tables in another encoding than UTF-8. */
function garbledParts(parts: readonly MappingPart[], { isKept }: MappingWorld): readonly Fault[] {
  if (isKept) return [];
  // Hardly any has it, and to read all of them once more takes as long as to read them.
  const suspects = parts.filter(({ text }) => text.includes(GARBLED));
  return suspects.flatMap(({ path, text }) => {
    if (!/\.ya?ml$/i.test(path)) return garbledFault(text, path) ?? [];
    const read = readYaml(text, path);
    return 'faults' in read ? [] : (garbledFault(text, path, read.yaml) ?? []);
  });
}

/** Undefined where a part of the key is calculated: then the cells do not show it. */
function keyColumns({ one, key }: CompiledMapping): Mapping['key'] {
  if (one === 'row') return one;
  return key.some(({ calculated }) => calculated) ? undefined : key.map(({ name }) => name);
}

/** SHA-256 (hex) of the first text, then of the path and the text of each other part. */
export function hashOfParts([first, ...others]: readonly MappingPart[]): string {
  return sha256Hex([first?.text ?? '', ...others.map(({ path, text }) => `\n${path}\n${text}`)].join(''));
}
