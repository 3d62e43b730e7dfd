/**
 * From one cell of a file to the fields of its document that it feeds. Stops reading as soon as the document of its row
 * is made. Throws OperatorError (preview/no-such-column, and those of a preview).
 */
import { PREVIEW_REFUSED } from '../../i18n/messages/pipeline-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { type Fault, isInRow, OperatorError } from '../../model/fault.ts';
import type { Origin } from '../../model/origin.ts';
import type { Row, Table } from '../../model/row.ts';
import { suggest } from '../../text/suggest.ts';
import { type Field, type Preview, previewOf, readDrafts } from './preview-files.ts';

/** `row` as a preview shows it: of a spreadsheet, or the line of an XML file. `column`: name or path. */
export type CellPlace = { readonly row: number; readonly column: string };

/** The cell, and the fields that the mapping makes of it. */
export type Fed = Pick<Preview, 'identifier' | 'class' | 'rows' | 'valid'> & {
  readonly cell: CellPlace & { readonly file: string; readonly text: string };
  readonly fields: readonly Field[];
  /** The faults of this cell. */
  readonly faults: readonly Fault[];
};

/** Undefined if no document is made of the row. */
export async function cellFeeds(
  instance: Instance,
  path: string,
  now: Date,
  place: CellPlace,
): Promise<Fed | undefined> {
  let column: number | undefined;
  for await (const { one, mapping } of readDrafts(instance, path, now)) {
    const { table, rows } = one.group;
    column ??= columnOf(table, place.column);
    const row = rows.find((candidate) => shownRow(candidate) === place.row);
    if (row) return fedBy(previewOf(one, mapping, instance.settings.rules.language), table, row, column);
    if (mapping.rows === 'adjacent' && rows[0] && shownRow(rows[0]) > place.row) return undefined;
  }
  return undefined;
}

function fedBy(document: Preview, table: Table, row: Row, column: number): Fed {
  const name = nameOf(table, column);
  const isHere = (origin: Origin | undefined) => origin?.row === row.row && origin.column === name;
  const { identifier, class: documentClass, rows, valid } = document;
  return {
    identifier,
    class: documentClass,
    rows,
    valid,
    cell: { file: table.file, row: shownRow(row), column: name, text: row.cells[column] ?? '' },
    fields: document.fields.filter(({ from }) => from.some(isHere)),
    faults: document.faults.filter((fault) => isInRow(fault, row.row) && fault.origin?.column === name),
  };
}

function shownRow({ line, row }: { readonly line?: number; readonly row: number }): number {
  return line ?? row;
}

function nameOf(table: Table, column: number): string {
  return table.places?.[column] ?? table.columns[column] ?? '';
}

/** Index of the column by the name in the mapping or the path in messages, without regard to case. */
function columnOf(table: Table, name: string): number {
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  const found = [table.columns, table.places ?? []].map((names) => names.findIndex(same)).find((at) => at >= 0);
  if (found !== undefined) return found;
  const near = suggest(name, table.columns);
  throw new OperatorError('preview/no-such-column', PREVIEW_REFUSED.noColumn({ file: table.file, column: name }), {
    hint:
      near === undefined
        ? PREVIEW_REFUSED.columns({ columns: table.columns.join(', ') })
        : PREVIEW_REFUSED.nearColumn({ near }),
  });
}
