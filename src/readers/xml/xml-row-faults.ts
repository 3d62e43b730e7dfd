/** What can be wrong with one row or document of an XML file, as faults in plain words. */

import { XML_ROW } from '../../i18n/messages/readers-messages.ts';
import { type DataFault, type Fault, type Localizable, withMessage } from '../../model/fault.ts';
import type { Table } from '../../model/row.ts';

/** An element on the path of the row: its first line, and its ordinal where it is a row. */
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

export function severalValues(table: Table, holder: Place, slot: Column, line: number): DataFault {
  return rowFault(table, holder.row, line, slot.column, {
    code: 'xml/several-values',
    ...withMessage(
      XML_ROW.several({ name: columnName(table, slot), line }),
      XML_ROW.chooseOne({ one: "a[@type='1']/b", other: "a[type='1']/b" }),
    ),
  });
}

export function elementsInside(table: Table, holder: Place, slot: Column, line: number): DataFault {
  return rowFault(table, holder.row, line, slot.column, {
    code: 'xml/elements-inside-value',
    ...withMessage(XML_ROW.elementsInside({ name: columnName(table, slot), line }), XML_ROW.continuePath()),
  });
}

export function documentWithoutRows(file: string, row: Place, level: number): DataFault {
  return {
    code: 'xml/document-without-rows',
    level: 'error',
    ...withMessage(XML_ROW.noRow({ line: row.line, level }), XML_ROW.withLines()),
    origin: { file, row: row.row, line: row.line },
  };
}
