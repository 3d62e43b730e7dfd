/**
 * Records of a CSV file that hold no data: those that a rule leaves out, and those that hold a control total. In: rules
 * of the mapping, then cells; out: the rule that applies, and the cell that is a label. An unknown column throws
 * UnreadableFileError.
 */
import type { FoundControl } from '../../model/control-total.ts';
import { findColumn } from './csv-header.ts';
import type { CsvOptions, SkipRule } from './csv-options.ts';

type Place = { readonly file: string; readonly row: number };

/**
 * The rule that recognized a record, in words. `label`: index of the cell by whose text it did where that is no value of its
 * column, such as TOTAL: the rule says so, or holds the whole text before a control total.
 */
export type LeftOutBy = { readonly rule: string; readonly label: number | undefined };

/** A record with control totals, and the text of each value, not yet a number. */
export type ControlRecord = LeftOutBy & { readonly found: readonly FoundControl[] };

/**
 * A test for the records that hold controls, or undefined if none can. While `columns` is empty (above the header row,
 * or with record types) only controls that give their columns by number apply. Throws csv/no-such-column.
 */
export function compileControlRecords(
  controls: CsvOptions['controls'],
  columns: readonly string[],
  place: Place,
): ((cells: readonly string[], row: number) => ControlRecord | undefined) | undefined {
  const named = columns.length > 0;
  const tests = controls.flatMap(({ where, value }, control) => {
    if (!named && (typeof where.column === 'string' || typeof value === 'string')) return [];
    // A trailer may have more cells than the table, so a number is not held against the header.
    const at = typeof value === 'number' ? value - 1 : findColumn(value, columns, place);
    const column = columns[at] ?? `column ${at + 1}`;
    const { test, at: label } = compileCondition(where, typeof where.column === 'number' ? [] : columns, place);
    const rule = `control total: ${describeRule(where)}`;
    return [{ control, rule, test, label: 'equals' in where ? label : undefined, at, column }];
  });
  if (tests.length === 0) return undefined;
  return (cells, row) => {
    const held = tests.filter(({ test }) => test(cells));
    const found = held.map(({ control, at, column }) => ({ control, text: (cells[at] ?? '').trim(), row, column }));
    return held[0] && { rule: held[0].rule, label: held[0].label, found };
  };
}

/** A test that names the rule which leaves a record out. The first rule that applies counts. */
export function compileSkipRules(
  rules: readonly SkipRule[],
  columns: readonly string[],
  place: Place,
): ((cells: readonly string[]) => LeftOutBy | undefined) | undefined {
  if (rules.length === 0) return undefined;
  const tests = rules.map((rule) => {
    const { test, at } = compileCondition(rule, columns, place);
    return { rule: describeRule(rule), test, label: 'label' in rule && rule.label ? at : undefined };
  });
  return (cells) => tests.find(({ test }) => test(cells));
}

/** `at`: index of the cell that it looks at. */
type Condition = { readonly test: (cells: readonly string[]) => boolean; readonly at: number | undefined };

function compileCondition(rule: SkipRule, columns: readonly string[], place: Place): Condition {
  if ('blank' in rule) return { test: (cells) => cells.every((cell) => cell.trim() === ''), at: undefined };
  const { column } = rule;
  const at = findCell(column, columns, place);
  const cell = (cells: readonly string[]) => (cells[at] ?? '').trim();
  if ('equals' in rule) return { test: (cells) => cell(cells) === rule.equals, at };
  if ('starts-with' in rule) return { test: (cells) => cell(cells).startsWith(rule['starts-with']), at };
  if ('contains' in rule) return { test: (cells) => cell(cells).includes(rule.contains), at };
  return { test: (cells) => cell(cells) === '', at };
}

function findCell(column: number | string, columns: readonly string[], place: Place): number {
  return typeof column === 'number' && columns.length === 0 ? column - 1 : findColumn(column, columns, place);
}

function describeRule(rule: SkipRule): string {
  if ('blank' in rule) return 'every cell is empty';
  const column = typeof rule.column === 'number' ? `column ${rule.column}` : rule.column;
  if ('equals' in rule) return `${column} is "${rule.equals}"`;
  if ('starts-with' in rule) return `${column} starts with "${rule['starts-with']}"`;
  if ('contains' in rule) return `${column} contains "${rule.contains}"`;
  return `${column} is empty`;
}
