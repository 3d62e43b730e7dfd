/**
 * The four value forms, wherever a value can stand: text, $Column, = formula, { from: Column, table: name }.
 *
 * Each becomes a closure over the run; what can be wrong with it is found here, before any file is read.
 */
import { Decimal } from '../model/decimal.ts';
import type { YamlPath } from '../model/yaml-file.ts';
import type { Columns } from './columns.ts';
import { compileFormula, type Readable } from './compile-formula.ts';
import { type Findings, hintOf } from './findings.ts';
import { failCell, type LiveRow, type Run, readColumn, type Slot, textOf } from './run.ts';
import type { Lookup } from './tables.ts';
import { FAILED, type Kind, type Read, type Value } from './value.ts';

export type Form = {
  readonly kind: Kind;
  readonly read: Read;
  /** The column it shows as it is. */
  readonly direct?: Slot;
  /** A literal: the same for every document. */
  readonly constant?: Value;
  /** Columns it mentions. */
  readonly columns: readonly string[];
  readonly lookup?: Lookup;
};

/** What @path may name, where a form stands in the output. */
export type Outputs = {
  readonly output: (path: string) => Readable | undefined;
  readonly names: readonly string[];
};

/** What loading a mapping shares among its parts. */
export type Loading = {
  readonly findings: Findings;
  readonly tables: ReadonlyMap<string, Lookup>;
  readonly usedTables: Set<string>;
  readonly columns: Columns;
};

const NO_OUTPUTS: Outputs = { output: () => undefined, names: [] };
const BARE = /^\$(?:([\p{L}\p{M}\p{N}_]+(?:\.[\p{L}\p{M}\p{N}_]+)*)|\[((?:[^\]]|\]\])+)\])$/u;

/** The column that `$Column` or `$[Column with spaces]` names. */
export function bareColumn(text: string): string | undefined {
  const match = BARE.exec(text.trim());
  return match?.[1] ?? match?.[2]?.replaceAll(']]', ']');
}

export function isLookup(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'from' in value && 'table' in value;
}

/** Undefined where the form is wrong: the findings say why. */
export function compileForm(
  loading: Loading,
  value: unknown,
  path: YamlPath,
  outputs: Outputs = NO_OUTPUTS,
): Form | undefined {
  if (typeof value === 'string') return ofText(loading, value, path, outputs);
  if (typeof value === 'boolean') return constant(value, 'boolean');
  if (typeof value === 'number' && Number.isFinite(value)) return constant(Decimal.from(value), 'number');
  if (isLookup(value)) return ofLookup(loading, value as LookupForm, path, outputs);
  loading.findings.add(path, {
    code: 'map/not-a-value',
    message: value === null ? 'no value is given' : 'this is no value',
    hint: 'write a text, $Column, = formula or { from: Column, table: name }',
  });
  return undefined;
}

function constant(value: Value, kind: Kind): Form {
  return { kind, read: () => value, constant: value, columns: [] };
}

function ofText(loading: Loading, text: string, path: YamlPath, outputs: Outputs): Form | undefined {
  if (text.startsWith('=')) return ofFormula(loading, text.slice(1), path, outputs, 1);
  if (!text.startsWith('$')) return constant(text, 'text');
  const name = bareColumn(text);
  if (name !== undefined) return ofColumn(loading, name, path);
  loading.findings.add(path, {
    code: 'map/not-a-value',
    message: `"${text}" is neither a column nor a formula`,
    hint: 'write $Column, $[Column with spaces], or = in front of a formula; a text that starts with $ is = "$..."',
  });
  return undefined;
}

export function ofColumn(loading: Loading, name: string, path: YamlPath): Form {
  const slot = loading.columns.slot(name, path);
  return { kind: slot.kind, read: (context) => readColumn(context as Run, slot), direct: slot, columns: [name] };
}

/** A formula that stands alone (`keep`, `that`, `when`) may be written with or without its "=". */
export function compileBareFormula(
  loading: Loading,
  text: string,
  path: YamlPath,
  outputs: Outputs = NO_OUTPUTS,
): Form | undefined {
  const shift = text.startsWith('=') ? 1 : 0;
  return ofFormula(loading, text.slice(shift), path, outputs, shift);
}

function ofFormula(loading: Loading, text: string, path: YamlPath, outputs: Outputs, shift: number): Form | undefined {
  const { columns, findings } = loading;
  const result = compileFormula(text, {
    column: (name) => {
      const slot = columns.slot(name, path);
      return { kind: slot.kind, read: (context) => readColumn(context as Run, slot) };
    },
    columnNames: columns.names(),
    output: outputs.output,
    outputNames: outputs.names,
  });
  if ('problems' in result) {
    findings.addFormula(path, result.problems, shift);
    return undefined;
  }
  return { kind: result.formula.kind, read: result.formula.evaluate, columns: result.formula.columns };
}

type LookupForm = { readonly from: unknown; readonly table: unknown; readonly default?: unknown };

function ofLookup(loading: Loading, form: LookupForm, path: YamlPath, outputs: Outputs): Form | undefined {
  const { findings, tables } = loading;
  const extra = Object.keys(form).filter((key) => !['from', 'table', 'default'].includes(key));
  for (const key of extra) {
    findings.add([...path, key], {
      code: 'map/unknown-key',
      message: `unknown key "${key}"`,
      hint: hintOf(key, ['from', 'table', 'default'])!,
      key: true,
    });
  }
  if (typeof form.from !== 'string' || typeof form.table !== 'string') {
    findings.add(path, { code: 'map/not-a-value', message: 'a look-up is { from: Column, table: name }' });
    return undefined;
  }
  const table = tables.get(form.table);
  loading.usedTables.add(form.table);
  if (!table) {
    findings.add([...path, 'table'], {
      code: 'map/no-such-table',
      message: `there is no table "${form.table}"`,
      hint: hintOf(form.table, [...tables.keys()], 'tables') ?? 'add it under tables',
    });
    return undefined;
  }
  const fallback = 'default' in form ? compileForm(loading, form.default, [...path, 'default'], outputs) : undefined;
  const slot = loading.columns.slot(bareColumn(form.from) ?? form.from, [...path, 'from']);
  warnOfUnreachable(loading, slot, table, path);
  return {
    kind: fallback && fallback.kind !== table.kind ? 'any' : table.kind,
    read: (context) => lookUp(context as Run, slot, table, fallback),
    columns: [slot.name, ...(fallback?.columns ?? [])],
    lookup: table,
  };
}

function warnOfUnreachable({ columns, findings }: Loading, slot: Slot, table: Lookup, path: YamlPath): void {
  const codes = [...table.values.keys(), ...table.blocks.keys()].filter((code) => !columns.canHold(slot, code));
  if (codes.length === 0) return;
  const shown = codes.slice(0, SHOWN).map((code) => `"${code}"`);
  findings.add([...path, 'from'], {
    code: 'map/unreachable-key',
    level: 'warning',
    message: `table ${table.name} has codes that ${slot.name} never holds: ${shown.join(', ')}`,
    hint:
      slot.kind === 'number'
        ? 'write numbers as plain digits, 20 and not 20.0; or declare the column as text'
        : 'write the codes as the column has them, or correct the type of the column',
  });
}

function lookUp(run: Run, slot: Slot, table: Lookup, fallback: Form | undefined): Value {
  const code = readColumn(run, slot);
  if (code === FAILED) return FAILED;
  const text = textOf(code);
  const found = table.values.get(text);
  if (found !== undefined) return found;
  if (fallback) return fallback.read(run);
  return text === '' ? '' : notInTable(run, slot, table, text);
}

/** Undefined: no code, hence no block. */
export function lookUpBlock<T>(
  run: Run,
  slot: Slot,
  table: Lookup,
  blocks: ReadonlyMap<string, T>,
): T | undefined | typeof FAILED {
  const code = readColumn(run, slot);
  if (code === FAILED) return FAILED;
  const text = textOf(code);
  return text === '' ? undefined : (blocks.get(text) ?? notInTable(run, slot, table, text));
}

/** Codes shown in a message, and codes that a misspelt one is compared with: a table may have many thousands. */
const SHOWN = 12;
const COMPARED = 500;

function notInTable(run: Run, slot: Slot, table: Lookup, text: string): typeof FAILED {
  if (!run.tracer) {
    run.failed = true;
    return FAILED;
  }
  const known = [...firstOf(table.values.keys(), COMPARED), ...firstOf(table.blocks.keys(), COMPARED)];
  const count = table.values.size + table.blocks.size;
  const shown = `${known.slice(0, SHOWN).join(', ')}${count > SHOWN ? `, ... ${count} codes` : ''}`;
  const near = hintOf(text, known);
  return failCell(
    run,
    {
      code: 'map/not-in-table',
      message: `"${text}" is not in table ${table.name} (known: ${shown})`,
      hint: near?.startsWith('did')
        ? `${near} Else add the code to the table`
        : 'correct the cell, or add the code to the table',
      given: text,
    },
    (run.row ?? run.rows[0]) as LiveRow,
    slot,
  );
}

function* firstOf(codes: Iterable<string>, most: number): Iterable<string> {
  let count = 0;
  for (const code of codes) {
    if (++count > most) return;
    yield code;
  }
}
