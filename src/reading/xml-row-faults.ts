/** What can be wrong with one row or document of an XML file, as faults in plain words. */
import type { Fault } from '../model/fault.ts';
import type { Table } from '../model/row.ts';

/** An element on the path of the row: its first line, and its ordinal where it is a row. */
type Place = { readonly row: number; readonly line: number };

function fault(table: Table, row: number, line: number, column: number | undefined, words: Words): Fault {
  const place = column === undefined ? undefined : table.places?.[column];
  const origin = { file: table.file, row, line, ...(place === undefined ? {} : { column: place }) };
  return { ...words, level: 'error', origin };
}

type Column = { readonly column: number; readonly field?: string };

function nameOf(table: Table, { column, field }: Column): string {
  return field === undefined ? table.columns[column]! : `${table.columns[column]}.${field}`;
}

type Words = Pick<Fault, 'code' | 'message' | 'hint'>;

export function severalValues(table: Table, holder: Place, slot: Column, line: number): Fault {
  return fault(table, holder.row, line, slot.column, {
    code: 'xml/several-values',
    message: `Column "${nameOf(table, slot)}" has more than one value, the second on line ${line}`,
    hint: "Choose one by an attribute or child, as in a[@type='1']/b or a[type='1']/b, or make the repeated element the row",
  });
}

export function elementsInside(table: Table, holder: Place, slot: Column, line: number): Fault {
  return fault(table, holder.row, line, slot.column, {
    code: 'xml/elements-inside-value',
    message: `Column "${nameOf(table, slot)}" leads to an element that holds other elements (line ${line}), not a text`,
    hint: 'Continue the path down to the element that holds the text',
  });
}

export function withoutRows(file: string, row: Place, level: number): Fault {
  return {
    code: 'xml/document-without-rows',
    level: 'error',
    message: `The element that starts on line ${row.line} (level ${level}) holds no row`,
    origin: { file, row: row.row, line: row.line },
    hint: 'Export it with its lines; if documents without lines are right, set `rows-optional: true`',
  };
}
