/**
 * `{ from: Column, table: name }`: a code of the row in, a value or a ready-made block of a table out. Exact key, then
 * range, then wildcard, then the `default` of the look-up, then that of the table. An empty cell has no code: it gives
 * nothing, or the default. Faults: `map/not-in-table`, `map/not-valid-then`.
 */

import type { Message } from '../../i18n/message.ts';
import { KINDS, MAPPING_TABLES, SUGGESTIONS, TABLES } from '../../i18n/messages/mapping-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import { withMessage } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { suggest } from '../../text/suggest.ts';
import type { YamlPath } from '../../yaml/yaml-document.ts';
import { singleColumn } from '../runtime/column-name.ts';
import {
  type ColumnSlot,
  type Composition,
  type EvaluatedRow,
  failCell,
  readColumn,
  valueText,
} from '../runtime/composition.ts';
import { type Problem, suggestionFor, unknownKey } from '../runtime/diagnostics.ts';
import { FAILED, type Kind, type RunProblem } from '../runtime/value.ts';
import { isNames, joinKey, type Period, partsOfKey, shownKey } from '../tables/table-csv.ts';
import { codesOf, type Lookup, OTHERWISE } from '../tables/tables.ts';
import type { Columns, Loading, ValueExpression } from './expression-types.ts';

/** The form as YAML gives it. `on` is the day, for a table with validity dates. */
export type LookupForm = {
  readonly from: unknown;
  readonly table: unknown;
  readonly default?: unknown;
  readonly on?: unknown;
};

const KEYS = ['from', 'table', 'on', 'default'];

/**
 * `compile` compiles the values inside the form: a default, a day. Undefined where it is wrong, with a finding:
 * `map/unknown-key`, `map/not-a-value`, `map/no-such-table`, `map/wrong-table`.
 */
export function compileLookup(
  loading: Loading,
  given: LookupForm,
  path: YamlPath,
  compile: (value: unknown, path: YamlPath) => ValueExpression | undefined,
): ValueExpression | undefined {
  const { findings } = loading;
  for (const key of Object.keys(given).filter((name) => !KEYS.includes(name))) {
    findings.add([...path, key], unknownKey(key, KEYS));
  }
  const from = typeof given.from === 'string' ? [given.from] : given.from;
  if (!isNames(from) || typeof given.table !== 'string') {
    findings.add(path, { code: 'map/not-a-value', message: MAPPING_TABLES.lookup() });
    return undefined;
  }
  const table = tableNamed(loading, given.table, [...path, 'table']);
  if (!table) return undefined;
  const slots = from.map((name) => loading.columns.slot(singleColumn(name) ?? name, [...path, 'from']));
  const inner = (key: 'default' | 'on') => (key in given ? compile(given[key], [...path, key]) : undefined);
  const fallback = inner('default');
  const on = inner('on');
  const misuse = misuseOf(table, slots.length, 'on' in given ? (on?.kind ?? 'any') : undefined);
  if (misuse) {
    findings.add([...path, misuse.key], { code: 'map/wrong-table', ...misuse.words });
    return undefined;
  }
  for (const [part, slot] of slots.entries()) warnOfUnreachable(loading, slot, part, { table, path });
  return {
    kind: fallback && fallback.kind !== table.kind ? 'any' : table.kind,
    read: readerOf({ table, slot: must(slots[0], 'the column of a look-up'), codeOf: codeReader(slots), on, fallback }),
    columns: [...slots.map(({ name }) => name), ...(on?.columns ?? []), ...(fallback?.columns ?? [])],
    lookup: table,
    overRows: [...slots, on, fallback].find((part) => part?.overRows !== undefined)?.overRows,
  };
}

/** Marks the table as used, also where it does not exist: no second finding follows. */
function tableNamed({ tables, usedTables, findings }: Loading, name: string, path: YamlPath): Lookup | undefined {
  const table = tables.get(name);
  usedTables.add(name);
  if (table) return table;
  const hint = suggestionFor(name, [...tables.keys()], SUGGESTIONS.tables) ?? MAPPING_TABLES.addTable();
  findings.add(path, { code: 'map/no-such-table', message: MAPPING_TABLES.noTable({ name }), hint });
  return undefined;
}

type Misuse = { readonly key: 'from' | 'on'; readonly words: Pick<Problem, 'message' | 'hint'> };

/**
 * A look-up names as many columns as the key has, and a day exactly where the table needs one. An unread table fits.
 */
export function misuseOf(table: Lookup, count: number, on: Kind | undefined): Misuse | undefined {
  const { name, width } = table;
  const T = MAPPING_TABLES;
  const misuse = (key: Misuse['key'], message: Message, hint: Message) => ({ key, words: { message, hint } });
  if (codesOf(table).length === 0) return undefined;
  if (count !== width) return misuse('from', T.keyColumns({ table: name, width, count }), T.keyOrder());
  if (table.periods && on === undefined) return misuse('from', T.dated({ table: name }), T.giveDay());
  if (!table.periods && on !== undefined) return misuse('on', T.undated({ table: name }), T.addDates());
  if (on === undefined || on === 'date' || on === 'any') return undefined;
  return misuse('on', T.onIsDate({ kind: KINDS[on]() }), T.declareDate());
}

/** Warning `map/unreachable-key`: codes such as 01 that a number column can never have. `part`: the one that the column is of a key. */
function warnOfUnreachable(
  { columns, findings }: Pick<Loading, 'columns' | 'findings'>,
  slot: ColumnSlot,
  part: number,
  { table, path }: { readonly table: Lookup; readonly path: YamlPath },
): void {
  const all = codesOf(table).flatMap((code) => (code === OTHERWISE ? [] : (partsOfKey(code)[part] ?? [])));
  // An empty part of a key is that of an empty cell.
  const codes = [...new Set(all)].filter((code) => code !== '' && !canReach(columns, slot, table, code));
  if (codes.length === 0) return;
  const shown = codes.slice(0, SHOWN).map((code) => `"${code}"`);
  findings.add([...path, 'from'], {
    code: 'map/unreachable-key',
    level: 'warning',
    message: MAPPING_TABLES.unreachable({ table: table.name, column: slot.name, codes: shown }),
    hint: slot.kind === 'number' ? MAPPING_TABLES.plainDigits() : MAPPING_TABLES.codesAsColumn(),
  });
}

/** True where a cell of the column can match the code, range or wildcard. */
function canReach(columns: Columns, slot: ColumnSlot, table: Lookup, code: string): boolean {
  const pattern = table.patterns.get(code);
  if (pattern === undefined) return columns.canHold(slot, code);
  if (pattern === 'wildcard' || slot.kind === 'any' || slot.kind === 'text') return true;
  return pattern === slot.kind;
}

type Code = string | typeof FAILED;

/** A look-up whose table and columns fit; `on` is the day, if the table has periods. */
type FittingLookup = {
  readonly table: Lookup;
  /** The column that faults point to. */
  readonly slot: ColumnSlot;
  readonly codeOf: (run: Composition) => Code;
  readonly on: ValueExpression | undefined;
  readonly fallback: ValueExpression | undefined;
};

/** Runs for each row: one search in a Map, and one in ranges and wildcards where that finds nothing. */
function readerOf(lookup: FittingLookup): ValueExpression['read'] {
  const { table, slot, codeOf, on, fallback } = lookup;
  const { values, periods, match } = table;
  if (periods && on) return datedReader(lookup, periods, on);
  const otherwise = fallback?.read ?? (() => values.get(OTHERWISE));
  return (context) => {
    const run = context as Composition;
    const code = codeOf(run);
    if (code === FAILED) return FAILED;
    const exact = values.get(code);
    if (exact !== undefined) return exact;
    // An empty cell has no code: neither a wildcard nor the fault of an unknown code concerns it.
    if (code === '') return otherwise(run) ?? '';
    const matched = match && values.get(match(code) ?? '');
    return matched ?? otherwise(run) ?? notInTable(run, slot, table, code);
  };
}

/** The code of the current row; several columns are joined as in the keys of the table. */
function codeReader(slots: readonly ColumnSlot[]): (run: Composition) => Code {
  const [only, second] = slots;
  if (only && !second) {
    return (run) => {
      const code = readColumn(run, only);
      return code === FAILED ? FAILED : valueText(code);
    };
  }
  return (run) => {
    const parts = slots.map((slot) => readColumn(run, slot));
    return parts.includes(FAILED) ? FAILED : joinKey(parts.map(valueText));
  };
}

/** The period of the code that includes the day (both ends included), then the default of that day. */
function datedReader(
  { table, slot, codeOf, fallback }: FittingLookup,
  periods: ReadonlyMap<string, readonly Period[]>,
  on: ValueExpression,
): ValueExpression['read'] {
  const periodAt = (key: string, day: string) => periods.get(key)?.find(({ from, to }) => from <= day && day <= to);
  const keyOf = (code: string) => {
    if (periods.has(code)) return code;
    return code === '' ? undefined : table.match?.(code);
  };
  return (context) => {
    const run = context as Composition;
    const code = codeOf(run);
    const at = on.read(run);
    if (code === FAILED || at === FAILED) return FAILED;
    const day = valueText(at).slice(0, 10);
    const key = keyOf(code);
    const found = key === undefined ? undefined : periodAt(key, day);
    if (found) return found.value;
    const otherwise = fallback ? fallback.read(run) : periodAt(OTHERWISE, day)?.value;
    if (otherwise !== undefined) return otherwise;
    if (code === '') return '';
    if (key === undefined) return notInTable(run, slot, table, code);
    return notThen(run, slot, { table, key, day });
  };
}

/** A ready-made block; undefined for none, FAILED after a reported fault. */
export type BlockOf<T> = (run: Composition) => T | undefined | typeof FAILED;

/** Reads the ready-made block of a code. `otherwise`: the `default` of the look-up. An empty code has no block. */
export function blockReader<T>(
  slot: ColumnSlot,
  table: Lookup,
  blocks: ReadonlyMap<string, T>,
  otherwise: BlockOf<T> | undefined,
): BlockOf<T> {
  return (run) => {
    const code = readColumn(run, slot);
    if (code === FAILED) return FAILED;
    const text = valueText(code);
    const key = text === '' || blocks.has(text) ? text : table.match?.(text);
    const found = key === undefined ? undefined : blocks.get(key);
    if (found !== undefined) return found;
    if (otherwise) return otherwise(run);
    return blocks.get(OTHERWISE) ?? (text === '' ? undefined : notInTable(run, slot, table, text));
  };
}

/** Codes shown in a message, and codes compared with a misspelt one: a table may have many thousands. */
const SHOWN = 8;
const COMPARED = 500;

/** Builds the fault `map/not-in-table` only while tracing: the fast pass needs no message. */
function notInTable(run: Composition, slot: ColumnSlot, table: Lookup, text: string): typeof FAILED {
  return failCode(run, slot, () => {
    const codes = codesOf(table);
    const known = codes.slice(0, COMPARED).map(shownKey);
    const given = shownKey(text);
    const shown = definedItems([
      ...known.slice(0, SHOWN),
      codes.length > SHOWN ? TABLES.codes({ count: codes.length }) : undefined,
    ]);
    const near = nearCode(given, known);
    return {
      code: 'map/not-in-table',
      ...withMessage(
        TABLES.notIn({ given, table: table.name, known: shown }),
        near === undefined ? cellHint(table) : TABLES.meant({ near }),
      ),
      given,
    };
  });
}

function cellHint({ givesClass }: Lookup): Message {
  return givesClass ? TABLES.noSuchClass() : TABLES.cellOrTable();
}

/**
 * Short codes resemble each other by accident, "02" is not a misspelt "01"; codes that differ by case, blanks or
 * leading zeros only are near.
 */
function nearCode(given: string, known: readonly string[]): string | undefined {
  const same = known.find((code) => bare(code) === bare(given));
  if (same !== undefined || given.length < 4) return same;
  return suggest(
    given,
    known.filter((code) => code.length >= 4),
  );
}

/** The code without blanks, case and leading zeros. */
function bare(code: string): string {
  return code
    .replace(/[\s\u00a0]/g, '')
    .toLowerCase()
    .replace(/^0+(?=.)/, '');
}

type Missed = { readonly table: Lookup; readonly key: string; readonly day: string };

/** `map/not-valid-then`: the table has the code, but not on that day. */
function notThen(run: Composition, slot: ColumnSlot, { table, key, day }: Missed): typeof FAILED {
  return failCode(run, slot, () => {
    const given = shownKey(key);
    const periods = (table.periods?.get(key) ?? []).map(({ from, to }) => `${open(from)}..${open(to)}`);
    const message =
      day === ''
        ? TABLES.noDate({ table: table.name, given })
        : TABLES.notThen({ given, table: table.name, day, periods: periods.slice(0, SHOWN) });
    return { code: 'map/not-valid-then', ...withMessage(message, TABLES.dateOrRow()), given: day };
  });
}

/** The end of a period for a message; '' for an open one. */
function open(day: string): string {
  return /^(?:0000|9999)/.test(day) ? '' : day;
}

function failCode(run: Composition, slot: ColumnSlot, problem: () => RunProblem): typeof FAILED {
  run.failed = true;
  if (!run.tracer) return FAILED;
  return failCell(run, problem(), (run.row ?? run.rows[0]) as EvaluatedRow, slot);
}
