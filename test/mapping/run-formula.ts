/** Runs one formula over given columns and output values, as a mapping would, and shows what comes out. */

import { format } from '../../src/i18n/message.ts';
import { compileFormula, type FormulaNames, type Readable } from '../../src/mapping/formula/compile-formula.ts';
import type { FormulaProblem } from '../../src/mapping/runtime/diagnostics.ts';
import { type Context, FAILED, type Kind, type RunProblem, type Value } from '../../src/mapping/runtime/value.ts';
import { Decimal } from '../../src/model/decimal.ts';
import type { Row } from '../../src/model/row.ts';

export type Given = {
  readonly columns?: { readonly [name: string]: readonly (string | number | boolean)[] };
  readonly kinds?: { readonly [name: string]: Kind };
  readonly outputs?: { readonly [path: string]: string | number | readonly (string | number)[] };
  /** From 1. */
  readonly row?: number;
};

export type Outcome = {
  readonly kind?: Kind;
  /** As text; FAILED as "FAILED". */
  readonly value?: string;
  readonly problems: readonly FormulaProblem[];
  readonly reports: readonly RunProblem[];
};

export function runFormula(text: string, given: Given = {}): Outcome {
  const compiled = compileFormula(text, namesOf(given));
  if ('problems' in compiled) return { problems: compiled.problems, reports: [] };
  const reports: RunProblem[] = [];
  const context = contextOf(given, reports);
  const value = compiled.formula.evaluate(context);
  return { kind: compiled.formula.kind, value: show(value), problems: [], reports };
}

/** The one message a formula must give, before or while running, with its place. */
export function problemOf(text: string, given: Given = {}): string {
  const { problems, reports } = runFormula(text, given);
  const shown = [
    ...problems.map(
      (one) =>
        `${text.slice(one.offset, one.offset + one.length)} | ${one.code}: ${format(one.message, 'en')}${tail(one.hint && format(one.hint, 'en'))}`,
    ),
    ...reports.map((one) => `${one.code}: ${one.message}${tail(one.hint)}`),
  ];
  return shown.join('\n');
}

export function contextOf(given: Given, reports: RunProblem[]): Context {
  const count = Math.max(0, ...Object.values(given.columns ?? {}).map((cells) => cells.length));
  const rows: Row[] = Array.from({ length: count }, (_, at) => ({ cells: [], row: at + 2 }));
  return {
    rows,
    row: given.row === undefined ? undefined : rows[given.row - 1],
    facts: {
      today: '2026-09-05',
      file: { name: 'FAC_0905.csv', base64: () => Buffer.from('NumFac;DateFac\n').toString('base64') },
    },
    report: (problem) => reports.push(problem),
  };
}

export function namesOf({ columns = {}, kinds = {}, outputs = {} }: Given): FormulaNames {
  return {
    columnNames: Object.keys(columns),
    outputNames: Object.keys(outputs),
    column: (name) => {
      const cells = Object.hasOwn(columns, name) ? columns[name] : undefined;
      if (!cells) return undefined;
      const values = cells.map(cellValue);
      const read = (context: Context) => values[(context.row ?? context.rows[0])!.row - 2] ?? '';
      return { kind: kinds[name] ?? kindOf(cells), read };
    },
    output: (path) => {
      const found = Object.hasOwn(outputs, path) ? outputs[path] : undefined;
      if (found === undefined) return undefined;
      if (typeof found !== 'object') return { kind: kindOf([found]), read: () => cellValue(found) };
      const values = found.map(cellValue);
      return { kind: kindOf(found), read: () => FAILED, list: () => values } satisfies Readable;
    },
  };
}

function cellValue(given: string | number | boolean): Value {
  return typeof given === 'number' ? Decimal.from(given) : given;
}

function kindOf(values: readonly (string | number | boolean)[]): Kind {
  const [first = ''] = values.filter((value) => value !== '');
  if (typeof first === 'number') return 'number';
  if (typeof first === 'boolean') return 'boolean';
  return /^\d{4}-\d{2}-\d{2}/.test(first) ? 'date' : 'text';
}

function show(value: Value): string {
  if (value === FAILED) return 'FAILED';
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

function tail(hint: string | undefined): string {
  return hint === undefined ? '' : ` (${hint})`;
}
