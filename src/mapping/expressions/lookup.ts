/**
 * `{ from: Column, table: name }`: a code of the row becomes a value, or a ready-made block, of a table.
 *
 * Exact key, then range, then wildcard, then the `default` of the look-up, then that of the table. An empty cell has no
 * code: it gives nothing, or the default where there is one.
 */

import { TABLES } from '../../i18n/messages/mapping-messages.ts';
import { withMessage } from '../../model/fault.ts';
import { suggest } from '../../text/suggest.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import {
  type ColumnSlot,
  type Composition,
  type EvaluatedRow,
  failCell,
  readColumn,
  valueText,
} from '../runtime/composition.ts';
import { hintOf } from '../runtime/diagnostics.ts';
import { FAILED, type Kind, type RunProblem } from '../runtime/value.ts';
import { joinKey, type Period, shownKey } from '../tables/table-csv.ts';
import { codesOf, type Lookup, OTHERWISE } from '../tables/tables.ts';
import { singleColumn } from './column-name.ts';
import type { Columns, Loading, OutputScope, ValueExpression } from './expression-types.ts';

type CompileValue = (
  loading: Loading,
  value: unknown,
  path: YamlPath,
  outputs: OutputScope,
) => ValueExpression | undefined;

export type LookupForm = {
  readonly from: unknown;
  readonly table: unknown;
  readonly default?: unknown;
  readonly on?: unknown;
};

const KEYS = ['from', 'table', 'on', 'default'];

/** `compile` compiles the values inside of it: a default, a date. */
export function compileLookup(
  loading: Loading,
  given: LookupForm,
  path: YamlPath,
  outputs: OutputScope,
  compile: CompileValue,
): ValueExpression | undefined {
  const { findings } = loading;
  for (const key of Object.keys(given).filter((name) => !KEYS.includes(name))) {
    const hint = hintOf(key, KEYS)!;
    findings.add([...path, key], { code: 'map/unknown-key', message: `unknown key "${key}"`, hint, key: true });
  }
  const from = typeof given.from === 'string' ? [given.from] : given.from;
  if (!isNames(from) || typeof given.table !== 'string') {
    findings.add(path, { code: 'map/not-a-value', message: 'a look-up is { from: Column, table: name }' });
    return undefined;
  }
  const table = tableNamed(loading, given.table, [...path, 'table']);
  if (!table) return undefined;
  const slots = from.map((name) => loading.columns.slot(singleColumn(name) ?? name, [...path, 'from']));
  const fallback = 'default' in given ? compile(loading, given.default, [...path, 'default'], outputs) : undefined;
  const on = 'on' in given ? compile(loading, given.on, [...path, 'on'], outputs) : undefined;
  if (!fitsTable(loading, table, slots, 'on' in given ? (on?.kind ?? 'any') : undefined, path)) return undefined;
  return {
    kind: fallback && fallback.kind !== table.kind ? 'any' : table.kind,
    read: readerOf(table, slots, on, fallback),
    columns: [...slots.map(({ name }) => name), ...(on?.columns ?? []), ...(fallback?.columns ?? [])],
    lookup: table,
  };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
}

function tableNamed({ tables, usedTables, findings }: Loading, name: string, path: YamlPath): Lookup | undefined {
  const table = tables.get(name);
  usedTables.add(name);
  if (table) return table;
  const hint = hintOf(name, [...tables.keys()], 'tables') ?? 'add it under tables';
  findings.add(path, { code: 'map/no-such-table', message: `there is no table "${name}"`, hint });
  return undefined;
}

/** As many columns as the key has, and a day exactly where the table asks for one. */
function fitsTable(
  { columns, findings }: Loading,
  table: Lookup,
  slots: readonly ColumnSlot[],
  on: Kind | undefined,
  path: YamlPath,
): boolean {
  const refuse = (key: string, message: string, hint: string) => {
    findings.add([...path, key], { code: 'map/wrong-table', message, hint });
    return false;
  };
  if (codesOf(table).length === 0) return true;
  if (slots.length !== table.width) {
    const message = `the key of table ${table.name} has ${table.width} columns, and this names ${slots.length}`;
    return refuse('from', message, 'write from: [Column, Column] in the order of key: in the table');
  }
  if (table.periods && on === undefined) {
    return refuse(
      'from',
      `table ${table.name} has validity dates`,
      'say for which day: { from: ..., table: ..., on: $Date }',
    );
  }
  if (!table.periods && on !== undefined) {
    const hint = 'its CSV file needs the columns valid-from and valid-to; or remove on:';
    return refuse('on', `table ${table.name} has no validity dates`, hint);
  }
  if (on !== undefined && on !== 'date' && on !== 'any') {
    return refuse(
      'on',
      `on: is a date, and this is a ${on}`,
      'declare the column as date, or use DATE(...) or TODAY()',
    );
  }
  if (slots.length === 1) warnOfUnreachable({ columns, findings }, slots[0]!, table, path);
  return true;
}

function warnOfUnreachable(
  { columns, findings }: Pick<Loading, 'columns' | 'findings'>,
  slot: ColumnSlot,
  table: Lookup,
  path: YamlPath,
): void {
  const codes = codesOf(table).filter((code) => code !== OTHERWISE && !canReach(columns, slot, table, code));
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

function canReach(columns: Columns, slot: ColumnSlot, table: Lookup, code: string): boolean {
  const pattern = table.patterns.get(code);
  if (pattern === undefined) return columns.canHold(slot, code);
  if (pattern === 'wildcard' || slot.kind === 'any' || slot.kind === 'text') return true;
  return pattern === slot.kind;
}

function readerOf(
  table: Lookup,
  slots: readonly ColumnSlot[],
  on: ValueExpression | undefined,
  fallback: ValueExpression | undefined,
): ValueExpression['read'] {
  const { values, periods, match } = table;
  const codeOf = coding(slots);
  const slot = slots[0]!;
  const otherwise = fallback?.read ?? (() => (periods ? undefined : values.get(OTHERWISE)));
  if (periods) return datedReader(table, periods, codeOf, slot, on!, fallback);
  return (context) => {
    const run = context as Composition;
    const code = codeOf(run);
    if (code === FAILED) return FAILED;
    const found = values.get(code) ?? (match && code !== '' ? values.get(match(code) ?? '') : undefined);
    if (found !== undefined) return found;
    return otherwise(run) ?? (code === '' ? '' : notInTable(run, slot, table, code));
  };
}

function coding(slots: readonly ColumnSlot[]): (run: Composition) => string | typeof FAILED {
  const [only, second] = slots;
  if (!second) {
    return (run) => {
      const code = readColumn(run, only!);
      return code === FAILED ? FAILED : valueText(code);
    };
  }
  return (run) => {
    const parts = slots.map((slot) => readColumn(run, slot));
    return parts.includes(FAILED) ? FAILED : joinKey(parts.map(valueText));
  };
}

function datedReader(
  table: Lookup,
  periods: ReadonlyMap<string, readonly Period[]>,
  codeOf: (run: Composition) => string | typeof FAILED,
  slot: ColumnSlot,
  on: ValueExpression,
  fallback: ValueExpression | undefined,
): ValueExpression['read'] {
  const valid = (key: string, day: string) => periods.get(key)?.find(({ from, to }) => from <= day && day <= to)?.value;
  return (context) => {
    const run = context as Composition;
    const code = codeOf(run);
    const at = on.read(run);
    if (code === FAILED || at === FAILED) return FAILED;
    const day = valueText(at).slice(0, 10);
    const key = periods.has(code) ? code : code === '' ? undefined : table.match?.(code);
    const found = key === undefined ? undefined : valid(key, day);
    if (found !== undefined) return found;
    const otherwise = fallback ? fallback.read(run) : valid(OTHERWISE, day);
    if (otherwise !== undefined) return otherwise;
    if (code === '') return '';
    return key === undefined ? notInTable(run, slot, table, code) : notThen(run, slot, table, key, day);
  };
}

/** Undefined: no code, hence no block. */
export function lookUpBlock<T>(
  run: Composition,
  slot: ColumnSlot,
  table: Lookup,
  blocks: ReadonlyMap<string, T>,
): T | undefined | typeof FAILED {
  const code = readColumn(run, slot);
  if (code === FAILED) return FAILED;
  const text = valueText(code);
  const key = blocks.has(text) ? text : ((text === '' ? undefined : table.match?.(text)) ?? OTHERWISE);
  return blocks.get(key) ?? (text === '' ? undefined : notInTable(run, slot, table, text));
}

/** Codes shown in a message, and codes that a misspelt one is compared with: a table may have many thousands. */
const SHOWN = 8;
const COMPARED = 500;

function notInTable(run: Composition, slot: ColumnSlot, table: Lookup, text: string): typeof FAILED {
  return failCode(run, slot, () => {
    const codes = codesOf(table);
    const known = codes.slice(0, COMPARED).map(shownKey);
    const given = shownKey(text);
    const shown = [...known.slice(0, SHOWN), ...(codes.length > SHOWN ? [TABLES.codes({ count: codes.length })] : [])];
    const near = nearCode(given, known);
    return {
      code: 'map/not-in-table',
      ...withMessage(
        TABLES.notIn({ given, table: table.name, known: shown }),
        near !== undefined ? TABLES.meant({ near }) : table.givesClass ? TABLES.noSuchClass() : TABLES.cellOrTable(),
      ),
      given,
    };
  });
}

/** Short codes are near to each other by accident: "02" is no misspelt "01". Case, blanks and zeros in front are. */
function nearCode(given: string, known: readonly string[]): string | undefined {
  const same = known.find((code) => bare(code) === bare(given));
  if (same !== undefined || given.length < 4) return same;
  return suggest(
    given,
    known.filter((code) => code.length >= 4),
  );
}

function bare(code: string): string {
  return code
    .replace(/[\s\u00a0]/g, '')
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}

function notThen(run: Composition, slot: ColumnSlot, table: Lookup, key: string, day: string): typeof FAILED {
  return failCode(run, slot, () => {
    const given = shownKey(key);
    const shown = table.periods!.get(key)!.map(({ from, to }) => `${open(from)}..${open(to)}`);
    const message =
      day === ''
        ? TABLES.noDate({ table: table.name, given })
        : TABLES.notThen({ given, table: table.name, day, periods: shown.slice(0, SHOWN) });
    return { code: 'map/not-valid-then', ...withMessage(message, TABLES.dateOrRow()), given: day };
  });
}

function open(day: string): string {
  return /^(?:0000|9999)/.test(day) ? '' : day;
}

function failCode(run: Composition, slot: ColumnSlot, problem: () => RunProblem): typeof FAILED {
  run.failed = true;
  return run.tracer ? failCell(run, problem(), (run.row ?? run.rows[0]) as EvaluatedRow, slot) : FAILED;
}
