/**
 * The cells that the fields of a document are made of, as a person sees and edits them: cells with one text in one column
 * are one. Lineage comes in, cells and edits come out; pure.
 */

import { seenDocument } from '../../../decisions/act.ts';
import { type CellEdit, indexOf } from '../../../decisions/cell-edits.ts';
import { definedItems } from '../../../model/defined-only.ts';
import type { LedgerEntry } from '../../../model/ledger-entry.ts';
import type { Origin } from '../../../model/origin.ts';
import type { Cells } from '../../../pipeline/reprocessing/reconvert-source.ts';
import { escapeControls } from '../../../text/printable.ts';
import { sha256Hex } from '../../../text/sha256.ts';

/** Rows of one column with one text. `text` is absent for a cell of another file. `name`: that of its field in a form. */
export type SourceCell = {
  readonly column: string;
  readonly rows: readonly number[];
  readonly text?: string;
  readonly name?: string;
};

/** In the order of the field. `file`: of the export; cells of its partner are named, without their text. */
export function cellsOf(from: readonly Origin[], rows: readonly Cells[], file: string): readonly SourceCell[] {
  const byRow = new Map(rows.map((row) => [row.row, row]));
  const found = from.flatMap((origin) => {
    if (origin.column === undefined) return [];
    const row = origin.file === file ? byRow.get(origin.row) : undefined;
    const at = row ? indexOf(row, origin.column) : -1;
    return [{ origin, column: row?.columns[at] ?? origin.column, at, text: row?.cells[at] }];
  });
  return [...Map.groupBy(found, ({ column, text }) => JSON.stringify([column, text])).values()].map((own) => {
    const numbers = [...new Set(own.map(({ origin }) => origin.row))];
    const { column, text, at } = own[0] as (typeof own)[number];
    if (text === undefined) return { column, rows: numbers };
    return { column, rows: numbers, text, ...(isPlain(text) && { name: `cell.${at}.${numbers.join('.')}` }) };
  });
}

/** A field of a form keeps it as it is. */
function isPlain(text: string): boolean {
  return escapeControls(text) === text;
}

/** What the cells were when a person looked: an edit counts for these alone. */
export function hashOfCells(rows: readonly Cells[]): string {
  return sha256Hex(JSON.stringify(rows.map(({ row, cells }) => [row, cells])));
}

/** Cells of the latest pages: a check as a person types reads the export once, not twice. */
const shown = new Map<string, readonly Cells[]>();
const MOST_SHOWN = 64;

/** Keeps what a page shows, and makes its hash. */
export function showCells(entry: string, rows: readonly Cells[]): string {
  const sha256 = hashOfCells(rows);
  shown.delete(`${entry} ${sha256}`);
  shown.set(`${entry} ${sha256}`, rows);
  for (const oldest of shown.keys()) {
    if (shown.size <= MOST_SHOWN) break;
    shown.delete(oldest);
  }
  return sha256;
}

/** Undefined for a page of long ago. */
export function cellsShown(entry: string, sha256: unknown): readonly Cells[] | undefined {
  return shown.get(`${entry} ${String(sha256)}`);
}

/** Cells whose field has another text than the cell; a name of no cell is no edit. */
export function editsOf(form: FormData, rows: readonly Cells[]): readonly CellEdit[] {
  const byRow = new Map(rows.map((row) => [row.row, row]));
  return [...form].flatMap(([name, to]) => {
    const [, column, numbers] = /^cell\.(\d+)\.([\d.]+)$/.exec(name) ?? [];
    if (column === undefined || numbers === undefined || typeof to !== 'string') return [];
    const own = definedItems(numbers.split('.').map((row) => byRow.get(Number(row))));
    return own.flatMap(({ row, columns, cells }): readonly CellEdit[] => {
      const [title, from] = [columns[Number(column)], cells[Number(column)]];
      return title === undefined || from === undefined || from === to ? [] : [{ row, column: title, from, to }];
    });
  });
}

/** What a correction is about: another revision, or a decision to set the document aside, is another version. */
export function shownVersion(entry: LedgerEntry): string {
  const { revision, aside } = seenDocument(entry);
  return aside ? `${revision}-aside` : String(revision);
}
