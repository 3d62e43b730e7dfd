/**
 * The documents of rows under a drawn mapping, by the manual alone: each value is computed anew wherever it is needed, nothing is
 * kept, nothing is compiled.
 */
import type { Expression, Sign } from './expression.ts';
import {
  allocated,
  daysBetween,
  FUNCTIONS,
  isNumber,
  type Known,
  later,
  ordered,
  type Result,
  shown,
} from './functions.ts';
import type { Block, Cells, Drawn, Each, Form, Kind, Outcome, Part } from './model.ts';
import { digits, divided, isZero, negated, parsed, plus, type Rational, rational, times } from './rational.ts';

type Row = { readonly number: number; readonly cells: Cells };
/** Where a value is read: the rows of the document or group, and the row inside `each: row`. */
type Scope = { readonly rows: readonly Row[]; readonly row?: Row | undefined };
/** A block that is being made, and those around it. */
type Frame = { readonly block: Block; readonly scope: Scope; readonly outer?: Frame | undefined };
type Json = string | boolean | { readonly digits: string } | readonly Json[] | { readonly [key: string]: Json };

/** Cells of numbers have a decimal comma and blanks between thousands, cells of dates are day/month/year. */
function readCell(text: string, kind: Kind): Result | { readonly code: string } {
  const cell = text.trim();
  if (cell === '' || kind === 'text') return cell;
  if (kind === 'number') {
    if (!/^-?(\d+|\d{1,3}( \d{3})+)(,\d+)?$/.test(cell)) return { code: 'map/not-a-number' };
    return parsed(cell.replaceAll(' ', '').replace(',', '.'));
  }
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(cell) ?? [];
  const date = `${year}-${month}-${day}`;
  if (Number.isNaN(Date.parse(date)) || new Date(date).toISOString().slice(0, 10) !== date)
    return { code: 'map/not-a-date' };
  return date;
}

export function documentsOf(drawn: Drawn, table: readonly Cells[]): readonly Outcome[] {
  const rows = table.map((cells, n): Row => ({ number: n + 2, cells }));
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const alone = evaluatorOf(drawn, [row]);
    if (drawn.keep && alone.formula(drawn.keep, { rows: [row], row }) !== true) continue;
    const key = JSON.stringify(drawn.key.map((name) => textOf(alone.column(name, { rows: [row], row }))));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((one) => documentOf(drawn, one));
}

function documentOf(drawn: Drawn, rows: readonly Row[]): Outcome {
  const { codes, formula, form, part } = evaluatorOf(drawn, rows);
  const scope: Scope = { rows };
  const json = part(drawn.output, scope, undefined);
  const name = form(drawn.class, scope, undefined);
  for (const { that, isError } of drawn.checks) {
    const holds = formula(that, scope, { block: drawn.output, scope });
    if (holds !== true && holds !== undefined && isError) codes.add('map/check-failed');
  }
  const numbers = rows.map(({ number }) => number);
  if (codes.size > 0) return { rows: numbers, codes: [...codes].sort() };
  return { rows: numbers, class: shown(name!), json: jsonText(json!) };
}

function textOf(value: Result): string {
  return value === undefined ? '' : shown(value);
}

function evaluatorOf(drawn: Drawn, all: readonly Row[]) {
  const codes = new Set<string>();
  const fails = (code: string): undefined => {
    codes.add(code);
    return undefined;
  };

  /** The value of a column in one row; a calculated one sees the whole document. */
  const cell = (name: string, row: Row): Result => {
    const calculated = drawn.calculated.find((one) => one.name === name);
    if (calculated) return form(calculated.form, { rows: all, row }, undefined);
    const at = drawn.columns.findIndex((one) => one.name === name);
    const value = readCell(row.cells[at] ?? '', drawn.columns[at]!.kind);
    return typeof value === 'object' && 'code' in value ? fails(value.code) : value;
  };

  /** Outside `each: row` it must be the same on all rows. */
  const column = (name: string, { rows, row }: Scope): Result => {
    if (row) return cell(name, row);
    const values = rows.map((one) => cell(name, one));
    const [first] = values;
    if (first === undefined || values.includes(undefined)) return undefined;
    const differs = values.some((value) => textOf(value) !== shown(first) || isNumber(value) !== isNumber(first));
    return differs ? fails('map/not-the-same') : first;
  };

  function form(of: Form, scope: Scope, frame: Frame | undefined): Result {
    switch (of.is) {
      case 'literal':
        return of.kind === 'number' ? parsed(of.value) : of.value;
      case 'column':
        return column(of.name, scope);
      case 'formula':
        return formula(of.formula, scope, frame);
      default: {
        const code = column(of.from, scope);
        if (code === undefined) return undefined;
        const table = drawn.tables.find(({ name }) => name === of.table)!;
        const found = code === '' ? undefined : table.entries.get(shown(code));
        if (found !== undefined) return table.kind === 'number' ? parsed(found) : found;
        if (of.otherwise) return form(of.otherwise, scope, frame);
        return code === '' ? '' : fails('map/not-in-table');
      }
    }
  }

  function formula(of: Expression, scope: Scope, frame?: Frame): Result {
    switch (of.is) {
      case 'number':
        return parsed(of.text);
      case 'text':
        return of.text;
      case 'column':
        return column(of.name, scope);
      case 'path':
        return pathValues(of.path, frame)[0] ?? (hasFailed ? undefined : '');
      case 'minus':
      case 'percent': {
        const value = formula(of.of, scope, frame);
        if (!isNumber(value)) return value;
        return of.is === 'minus' ? negated(value) : divided(value, rational(100n));
      }
      case 'later':
      case 'days':
        return days(of.is, of.sign, formula(of.left, scope, frame), formula(of.right, scope, frame));
      case 'binary':
        return binary(of.sign, formula(of.left, scope, frame), formula(of.right, scope, frame));
      default:
        return call(of.name, of.of, scope, frame);
    }
  }

  const binary = (sign: Sign, a: Result, b: Result): Result => {
    if (a === undefined || b === undefined) return undefined;
    switch (sign) {
      case '&':
        return shown(a) + shown(b);
      case '+':
      case '-':
        return added(sign, a, b);
      case '*':
      case '/': {
        if (!isNumber(a) || !isNumber(b)) return fails('map/empty-in-formula');
        if (sign === '*') return times(a, b);
        return isZero(b) ? fails('map/division-by-zero') : divided(a, b);
      }
      default:
        return holds(sign, ordered(a, b));
    }
  };

  /** An empty number counts as nothing, in a sum and as a number of days. */
  const added = (sign: '+' | '-', a: Known, b: Known): Result => {
    if (!isNumber(b)) return a;
    const right = sign === '-' ? negated(b) : b;
    return isNumber(a) ? plus(a, right) : right;
  };
  const days = (is: 'later' | 'days', sign: '+' | '-', a: Result, b: Result): Result => {
    if (a === undefined || b === undefined) return undefined;
    if (is === 'days') return a === '' || b === '' ? '' : daysBetween(a as string, b as string);
    const [date, count] = isNumber(a) ? [b, a] : [a, b];
    if (date === '' || !isNumber(count)) return date;
    return later(date as string, sign === '-' ? negated(count) : count, fails);
  };

  /** The rows of the scope, one after the other. */
  const overRows = (of: Expression, { rows }: Scope, frame: Frame | undefined): readonly Result[] =>
    of.is === 'path' ? pathValues(of.path, frame) : rows.map((row) => formula(of, { rows, row }, frame));

  const call = (name: string, of: readonly Expression[], scope: Scope, frame: Frame | undefined): Result => {
    const [first, second, third] = of;
    const one = (part: Expression | undefined): Result => (part ? formula(part, scope, frame) : '');
    switch (name) {
      case 'IF': {
        const condition = one(first);
        if (condition === undefined) return undefined;
        return one(condition === true ? second : third);
      }
      case 'AND':
      case 'OR': {
        for (const part of of) {
          const value = one(part);
          if (value === undefined) return undefined;
          if ((value === true) === (name === 'OR')) return name === 'OR';
        }
        return name === 'AND';
      }
      case 'COALESCE':
      case 'IFEMPTY': {
        for (const part of of) {
          const value = one(part);
          if (value !== '') return value;
        }
        return '';
      }
      case 'COUNT':
        if (!first) return rational(BigInt(scope.rows.length));
        return filled(overRows(first, scope, frame), (values) => rational(BigInt(values.length)));
      case 'SUM':
        return filled(overRows(first!, scope, frame), (values) =>
          (values as readonly Rational[]).reduce(plus, rational(0n)),
        );
      case 'MIN':
      case 'MAX': {
        const values = of.length === 1 ? overRows(first!, scope, frame) : of.map(one);
        const sign = name === 'MIN' ? -1 : 1;
        const better = (a: Known, b: Known) => (ordered(b, a) * sign > 0 ? b : a);
        return filled(values, (known) => (known.length === 0 ? '' : known.reduce(better)));
      }
      case 'ROW-NUMBER': {
        const at = scope.row ? scope.rows.indexOf(scope.row) : -1;
        return at < 0 ? '' : rational(BigInt(at + 1));
      }
      case 'ALLOCATE': {
        const total = one(first);
        if (!isNumber(total)) return total;
        const weights = overRows(second!, scope, frame);
        if (weights.includes(undefined)) return undefined;
        const parts = allocated(
          total,
          weights.map((value) => (isNumber(value) ? value : rational(0n))),
          2,
        );
        return parts ? parts[scope.rows.indexOf(scope.row!)] : fails('map/nothing-to-share-by');
      }
      default: {
        const { empties, apply } = FUNCTIONS[name]!;
        const values = of.map(one);
        if (values.includes(undefined)) return undefined;
        if (empties === 'number' && values.includes('')) return '';
        return apply(values as readonly Known[], fails);
      }
    }
  };
  const filled = (values: readonly Result[], combine: (known: readonly Known[]) => Result): Result =>
    values.includes(undefined) ? undefined : combine(values.filter((value) => value !== '') as readonly Known[]);

  /** Set by a path that leads to a value that failed. */
  let hasFailed = false;
  /** The values that a path leads to, from the block that is being made, or one around it. */
  const pathValues = (path: string, from: Frame | undefined): readonly Result[] => {
    const keys = path.split('.');
    hasFailed = false;
    let frame = from;
    while (frame && !frame.block.entries.some(([key]) => key === keys[0])) frame = frame.outer;
    const values = frame ? inBlock(frame, keys) : [];
    hasFailed = values.includes(undefined);
    return values;
  };
  const inBlock = (frame: Frame, [key, ...keys]: readonly string[]): readonly Result[] => {
    const [, found] = frame.block.entries.find(([name]) => name === key) ?? [];
    return found ? below(found, keys, frame, frame.scope) : [];
  };
  const below = (of: Part, keys: readonly string[], outer: Frame, scope: Scope, isItem = false): readonly Result[] => {
    switch (of.is) {
      case 'value': {
        const value = form(of.form, scope, outer);
        return value === '' ? [] : [value];
      }
      case 'block': {
        // What is in an item that is left out is not in the document.
        if (isItem && part(of, scope, outer) === undefined) return [];
        return inBlock({ block: of, scope, outer }, keys);
      }
      case 'list':
        return of.items.flatMap((item) => below(item, keys, outer, scope, true));
      default:
        return scopesOf(of, scope).flatMap((inner) => below(of.make, keys, outer, inner, true));
    }
  };

  const scopesOf = ({ by, order }: Each, { rows }: Scope): readonly Scope[] => {
    if (by === 'row') return rows.map((row) => ({ rows, row }));
    const valuesIn = (row: Row) => by.map((name) => cell(name, row));
    const groups = new Map<string, Row[]>();
    for (const row of rows) {
      const values = valuesIn(row);
      const key = values.includes(undefined) ? 'failed' : JSON.stringify(values.map(textOf));
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    const found = [...groups.values()];
    const bySize = (a: readonly Row[], b: readonly Row[]) => {
      const [left, right] = [valuesIn(a[0]!), valuesIn(b[0]!)];
      const compares = left.map((value, n) => groupOrder(value, right[n]));
      return compares.find((one) => one !== 0) ?? 0;
    };
    if (order) found.sort((a, b) => bySize(a, b) * (order === 'ascending' ? 1 : -1));
    return found.map((inner) => ({ rows: inner }));
  };

  /** Undefined where it is left out. */
  function part(of: Part, scope: Scope, outer: Frame | undefined): Json | undefined {
    switch (of.is) {
      case 'value': {
        const value = form(of.form, scope, outer);
        if (value === undefined) return '';
        if (value === '') return undefined;
        if (!isNumber(value)) return value;
        return of.kind === 'number' ? { digits: digits(value) } : digits(value);
      }
      case 'block': {
        const frame = { block: of, scope, outer };
        const stays = of.when ? formula(of.when, scope, frame) : true;
        // A condition that failed refuses the document; what else is wrong with it is found as well.
        if (stays !== true && stays !== undefined) return undefined;
        const made = of.entries.map(([key, inner]) => [key, part(inner, scope, frame)] as const);
        const isLeft = made.some(([key, json], n) => json !== undefined && isLive(of.entries[n]![1]) && key !== '');
        return isLeft || !of.entries.some(([, inner]) => isLive(inner))
          ? (Object.fromEntries(made.filter(([, json]) => json !== undefined)) as Json)
          : undefined;
      }
      case 'list': {
        const items = of.items.flatMap((item): readonly (Json | undefined)[] => {
          const json = part(item, scope, outer);
          return item.is === 'each' ? ((json ?? []) as readonly Json[]) : [json];
        });
        return listed(items);
      }
      default:
        return listed(scopesOf(of, scope).map((inner) => part(of.make, inner, outer)));
    }
  }
  return { codes, formula, form, part, column };
}

function holds(sign: Sign, order: number): boolean {
  if (order === 0) return sign === '=' || sign === '<=' || sign === '>=';
  return sign === '<>' || (order < 0 ? sign === '<' || sign === '<=' : sign === '>' || sign === '>=');
}

/** Numbers by their size, everything else as text. */
function groupOrder(a: Result, b: Result): number {
  if (isNumber(a) && isNumber(b)) return ordered(a, b);
  const [left, right] = [textOf(a), textOf(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function listed(items: readonly (Json | undefined)[]): Json | undefined {
  const left = items.filter((item) => item !== undefined);
  return left.length === 0 ? undefined : left;
}

/** Has a value that is no literal somewhere in it. */
function isLive(of: Part): boolean {
  if (of.is === 'value') return of.form.is !== 'literal';
  if (of.is === 'each') return true;
  return of.is === 'block' ? of.entries.some(([, inner]) => isLive(inner)) : of.items.some(isLive);
}

function jsonText(json: Json): string {
  if (typeof json !== 'object') return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(jsonText).join(',')}]`;
  if ('digits' in json && typeof json.digits === 'string') return json.digits;
  return `{${Object.entries(json)
    .map(([key, value]) => `${JSON.stringify(key)}:${jsonText(value as Json)}`)
    .join(',')}}`;
}
