/**
 * Bounds of one record of an XML file, the element that holds a document. The bounds of the settings go in; the rest of
 * a record past them comes out as one row. Past its bounds the walk continues: rows are counted, and values outside of
 * the rows are kept, because they identify the document. Those are bounded too; past that the row has no values.
 */
import type { Row } from '../../model/row.ts';
import type { RecordBounds } from '../reader.ts';
import type { PathNode, PathSlot, XmlPaths } from './xml-paths.ts';

/** The most that one record may hold; `characters` are UTF-16 units of its values. */
export type RecordLimits = {
  readonly rows: number;
  readonly characters: number;
  readonly elements: number;
  /** All rows of a record are one document, which alone is refused; otherwise the whole file is. */
  readonly isOneDocument: boolean;
};

/** The most UTF-16 units of the values around the records. */
export const MAX_AROUND = 64 * 1024 * 1024;
/** A record that holds several documents: their rows are bounded one by one in a later stage. */
const OF_SEVERAL = { rows: Number.POSITIVE_INFINITY, characters: MAX_AROUND, elements: 1_000_000 };
/** Elements per row; a line of an invoice rarely has more. */
const ELEMENTS_OF_ROW = 20;
/** The most that is still kept of a record past its bounds, in UTF-16 units and values. */
const MOST_LATE = 1024 * 1024;

/** `bounds` undefined: the caller sets no bounds, and only the memory of the program is protected. */
export function recordLimits(paths: XmlPaths, bounds: RecordBounds | undefined): RecordLimits {
  if (!bounds) return { ...OF_SEVERAL, isOneDocument: false };
  const elements = Math.max(OF_SEVERAL.elements, ELEMENTS_OF_ROW * bounds.rows);
  if (isOneDocument(paths, bounds)) return { ...bounds, elements, isOneDocument: true };
  const characters = Math.max(OF_SEVERAL.characters, bounds.characters);
  return { rows: OF_SEVERAL.rows, characters, elements, isOneDocument: false };
}

/** True if no column that distinguishes documents is inside the record. */
function isOneDocument({ columns, levelOf, flushLevel, rowLevel }: XmlPaths, { key }: RecordBounds): boolean {
  if (key === undefined) return false;
  if (key === 'row') return flushLevel === rowLevel;
  return key.every((name) => (levelOf[columns.indexOf(name)] ?? 0) <= flushLevel);
}

/** A record past its bounds; `rows` counts on. */
export type CutRecord = {
  rows: number;
  /** True if `size` more may be kept of it; after the first false it stays false. */
  readonly takes: (size: number) => boolean;
  /** True if the value is outside of the rows, so that it may identify the document. */
  readonly isOf: (slot: PathSlot) => boolean;
  readonly wants: (node: PathNode) => boolean;
  readonly isKnown: () => boolean;
};

/** `rows`: rows of the record counted so far. */
export function startCutRecord(rows: number, flushLevel: number): CutRecord {
  let late = 0;
  const isOf = ({ level, field }: PathSlot) => level <= flushLevel && field === undefined;
  return {
    rows,
    takes: (size) => {
      late += size;
      return late <= MOST_LATE;
    },
    isOf,
    wants: ({ texts, tests }) => tests.length > 0 || texts.some(isOf),
    isKnown: () => late <= MOST_LATE,
  };
}

/** The first row of the record, with the values that identify its document, as the representative of all its rows. */
export function cutRow(
  first: Row,
  { rows, isKnown }: CutRecord,
  { elements, most, paths }: { readonly elements: number; readonly most: RecordLimits; readonly paths: XmlPaths },
): Row {
  const { unread: _, ...row } = first;
  const isKept = (column: number) => isKnown() && (paths.levelOf[column] ?? 0) <= paths.flushLevel;
  const cells = row.cells.map((cell, column) => (isKept(column) ? cell : ''));
  return { ...row, cells, cut: { first: row.row, rows, elements, mostElements: most.elements } };
}
