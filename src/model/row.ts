/**
 * The output of a reader: batches of rows under one list of columns.
 *
 * Cells are in the order of `Table.columns`, so that hot paths read them by index and no object is made per row.
 */
import { sha256Hex } from '../text/sha256.ts';
import type { FoundControl } from './control-total.ts';
import { definedOnly } from './defined-only.ts';
import type { DataFault } from './fault.ts';
import type { Origin } from './origin.ts';
import { documentAt, elementAt, rowPathAt, type XmlLocation } from './xml-location.ts';

export type Table = {
  /** Name of the source file, without folder. */
  readonly file: string;
  readonly columns: readonly string[];
  /** The row with the names of the columns, and the cells of the row above it, if a file has them. */
  readonly header?: number;
  readonly above?: readonly string[];
  /** The file whose columns come first, if two files are joined. */
  readonly beside?: string;
  /** What an Origin shows as column, if that differs from the name: the element path of an XML source. */
  readonly places?: readonly string[];
};

export type Row = {
  /** One text per column of the table; an absent or empty cell is ''. Verbatim: nothing is trimmed or converted. */
  readonly cells: readonly string[];
  /** See Origin.row. */
  readonly row: number;
  /** The cells as the file has them, if a person has corrected some. */
  readonly uncorrected?: readonly string[];
  /** XML: the line where the row element starts. */
  readonly line?: number;
  /** XML: the places of its values in the file. */
  readonly spot?: XmlLocation | undefined;
  /** In place of Table.places, if the kind of row has its own. */
  readonly places?: readonly string[];
  /** Columns that nothing in the file gave a value so far: their paths may be wrong. */
  readonly unfound?: readonly string[];
  /** XML, if the mapping asks for them: elements with content that no path reads, of the row and the elements around it. */
  readonly unread?: readonly Unread[];
  /** So many of its first cells come from a row of another file. */
  readonly beside?: { readonly file: string; readonly row: number; readonly line?: number; readonly columns: number };
  /** Record types with lists: the first row under the same header, which all of these have the lists of. */
  readonly listsOf?: number;
  /** A row that could not be read as the table asks (wrong number of cells): no document may be made near it. */
  readonly broken?: DataFault;
  /** The cells that broke it, each by its index in `cells`: once a person has corrected all of them, it is whole. */
  readonly badCells?: readonly { readonly column: number; readonly fault: DataFault }[];
  /** XML: too large a document, of which only the cells outside of its rows are known; it is refused. */
  readonly cut?: Cut;
  /** All cells of a row that has more of them than the table has columns: of a broken one, or of one near the header. */
  readonly whole?: readonly string[];
  /** The row is broken, but each of its cells is in its own column: its document is known. */
  readonly readable?: boolean;
  /**
   * Record types: a record that could not be read, of an unknown kind for one, under the same header. It may belong to this row, or be
   * its header: what stands in its cells of the records above it is in doubt. A record of an unknown kind names itself.
   */
  readonly near?: Row;
};

/** `first`: number of its first row; `rows`, `elements`: how many it has; `mostElements`: how many it may have. */
export type Cut = {
  readonly first: number;
  readonly rows: number;
  readonly elements: number;
  readonly mostElements: number;
};

/**
 * `path`: names of elements as the file has them, below the root; `line`: of the first. `isRefused`: no document may be made without it.
 * `currency`: the element is read, but its attribute names another currency (`given`) than its document (`own`); `path` is from the root.
 */
export type Unread = {
  readonly path: string;
  readonly line: number;
  readonly times: number;
  readonly isRefused: boolean;
  readonly currency?: { readonly attribute: string; readonly given: string; readonly own: string };
};

/** A row that a rule of the mapping leaves out (preamble, totals row): counted and listed, never dropped silently. */
export type SkippedRow = {
  readonly row: number;
  readonly rule: string;
  /** A row of a correction file: the document that it is of, as it was then. */
  readonly of?: { readonly id: string; readonly revision: number };
};

/** In the order of the file, whether the reader or `keep` left them out. */
export function skippedByRow(one: readonly SkippedRow[], other: readonly SkippedRow[]): readonly SkippedRow[] {
  if (other.length === 0) return one;
  return one.length === 0 ? other : [...one, ...other].sort((a, b) => a.row - b.row);
}

export type Batch = {
  readonly table: Table;
  readonly rows: readonly Row[];
  readonly leftOut: readonly SkippedRow[];
  /** How the bytes of the file were read: "utf-8", "windows-1252"; the same on every batch of a file. */
  readonly encoding?: string;
  /** Values of `source.controls` in this part of the file; their rows are among `leftOut`. */
  readonly controls?: readonly FoundControl[];
  /** Of the file as a whole, at its end: they refuse no document, but a person has to see them. */
  readonly warnings?: readonly DataFault[];
};

/** Rows that make one document. */
export type RowGroup = {
  readonly table: Table;
  readonly key: readonly string[];
  readonly rows: readonly Row[];
  /** Faults that forbid a document of this group before it is composed: a broken row, a key that came back later. */
  readonly faults: readonly DataFault[];
  /** The numbers of all its rows, if these are too many to be kept: `rows` has only the first of them then. */
  readonly numbers?: readonly number[];
  /** A part of its key is empty: if no document can be made of it, its rows may belong to another one. */
  readonly isDoubtful?: boolean;
};

/** A row of an export as text: the same text in another file is the same row, whatever its number and its order of columns. */
export type SourceRow = { readonly row: number; readonly text: string };

/**
 * The rows of a document as the export has them, without corrections. Empty cells do not count. Undefined if not all
 * rows of the group are known.
 */
export function sourceRows(mapping: string, { table, rows, numbers }: RowGroup): readonly SourceRow[] | undefined {
  if (numbers || rows.some(({ cut }) => cut)) return undefined;
  return rows.map(({ row, cells, uncorrected = cells, whole = [] }) => {
    const named = uncorrected.flatMap((cell, at) => (cell === '' ? [] : [[table.columns[at] ?? '', cell] as const]));
    named.sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
    return { row, text: JSON.stringify([mapping, named, whole]) };
  });
}

/** The rows of the other file whose cells come first in the rows of a group. */
export function headerRows({ rows }: RowGroup): readonly number[] {
  return [...new Set(rows.flatMap(({ beside }) => beside?.row ?? []))];
}

/** SHA-256 (hex) of rows in any order. */
export function sourceRowsSha256(rows: readonly SourceRow[]): string {
  return sha256Hex(
    rows
      .map(({ text }) => text)
      .sort()
      .join('\n'),
  );
}

/** The place of a cell, or of the row without a column. `field`: of the item of a list in the column. */
export function originOf(table: Table, row: Row, column = -1, field?: string): Origin {
  const { beside, spot } = row;
  const name = (row.places ?? table.places)?.[column] ?? table.columns[column];
  if (name === undefined) {
    return definedOnly({ file: table.file, row: row.row, path: spot && rowPathAt(spot), line: row.line });
  }
  if (beside && column < beside.columns) {
    return definedOnly({ file: beside.file, row: beside.row, column: name, line: beside.line });
  }
  const element = spot && elementAt(spot, name, field);
  const path = element?.path === name ? undefined : element?.path;
  return definedOnly({ file: table.file, row: row.row, column: name, path, line: element?.line ?? row.line });
}

/** Where a document begins. */
export function documentOrigin(table: Table, first: Row): Origin {
  const origin = originOf(table, first);
  return first.spot ? { ...origin, ...documentAt(first.spot) } : origin;
}

/** Where the part of a document begins to which the value of this cell belongs: the row, or the element around the cell. */
export function partOrigin(table: Table, rows: readonly Row[], cell: Origin): Origin | undefined {
  const row = rows.find((one) => one.row === cell.row);
  if (!row || cell.file !== table.file) return undefined;
  const around = originOf(table, row);
  const path = cell.path ?? cell.column;
  if (around.path === undefined || path === undefined || path.startsWith(`${around.path}/`)) return around;
  const { file, row: number, line } = cell;
  return definedOnly({ file, row: number, path: path.slice(0, path.lastIndexOf('/')), line });
}

/** The text of the cell that an Origin names; undefined if it is in none of these rows. */
export function textOf(table: Table, rows: readonly Row[], { file, row: number, column }: Origin): string | undefined {
  for (const row of rows) {
    if (row.row !== number && row.beside?.row !== number) continue;
    for (const [at, text] of row.cells.entries()) {
      const found = originOf(table, row, at);
      if (found.column === column && found.row === number && found.file === file) return text;
    }
  }
  return undefined;
}
