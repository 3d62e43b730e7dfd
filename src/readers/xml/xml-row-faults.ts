/**
 * Faults of one row or document of an XML file: place in, fault with its words out. They break their rows, and the
 * reading continues.
 */

import { XML_ROW } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, type Fault, type Localizable, withMessage } from '../../model/fault.ts';
import type { Table } from '../../model/row.ts';

/** An element on the path of the row: its first line, and the ordinal of the row if it is one, else 0. */
type Place = { readonly row: number; readonly line: number };

function rowFault(table: Table, row: number, line: number, column: number | undefined, words: Words): DataFault {
  const place = column === undefined ? undefined : table.places?.[column];
  const origin = { file: table.file, row, line, ...(place === undefined ? {} : { column: place }) };
  return { ...words, level: 'error', origin };
}

type Column = { readonly column: number; readonly field?: string };

function columnName(table: Table, { column, field }: Column): string {
  return [table.columns[column] ?? '', ...(field === undefined ? [] : [field])].join('.');
}

type Words = Localizable & Pick<Fault, 'code'>;

/** xml/several-values: a path matches two elements where a cell can have one. `line`: of the second value. */
export function severalValues(table: Table, holder: Place, slot: Column, line: number): DataFault {
  return rowFault(table, holder.row, line, slot.column, {
    code: 'xml/several-values',
    ...withMessage(
      XML_ROW.several({ name: columnName(table, slot), line }),
      XML_ROW.chooseOne({ one: "a[@type='1']/b", other: "a[type='1']/b" }),
    ),
  });
}

/** xml/elements-inside-value: the element of a column contains elements, so its text is not a value. */
export function elementsInside(table: Table, holder: Place, slot: Column, line: number): DataFault {
  return rowFault(table, holder.row, line, slot.column, {
    code: 'xml/elements-inside-value',
    ...withMessage(XML_ROW.elementsInside({ name: columnName(table, slot), line }), XML_ROW.continuePath()),
  });
}

/** xml/document-without-rows: the row replaces those that the document does not have, so that it is not lost. */
export function documentWithoutRows(file: string, row: Place, level: number): DataFault {
  return {
    code: 'xml/document-without-rows',
    level: 'error',
    ...withMessage(XML_ROW.noRow({ line: row.line, level }), XML_ROW.withLines()),
    origin: { file, row: row.row, line: row.line },
  };
}
