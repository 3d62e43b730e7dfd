/**
 * What is kept of one record of an XML file, the element that holds a document: the bounds of the settings come in, and
 * what is left of a record past them is returned as one row.
 *
 * Past its bounds a record is still walked along: its rows are counted, and the values that are outside of its rows are
 * kept, because they say which document it is. Those are bounded too; past that the row says nothing.
 */
import type { Row } from '../../model/row.ts';
import type { RecordBounds } from '../reader.ts';
import type { PathNode, PathSlot, XmlPaths } from './xml-paths.ts';

export type RecordLimits = {
  readonly rows: number;
  readonly characters: number;
  readonly elements: number;
  /** All its rows are of one document, which is refused; else the file is. */
  readonly isOneDocument: boolean;
};

/** Characters of the values around the records. */
export const MAX_AROUND = 64 * 1024 * 1024;
/** A record that holds several documents, whose rows are bounded one by one later. */
const OF_SEVERAL = { rows: Number.POSITIVE_INFINITY, characters: MAX_AROUND, elements: 1_000_000 };
/** A line of an invoice rarely has more of them. */
const ELEMENTS_OF_ROW = 20;
/** What may still be kept of a record past its bounds, in characters and values. */
const MOST_LATE = 1024 * 1024;

export function recordLimits(paths: XmlPaths, bounds: RecordBounds | undefined): RecordLimits {
  if (!bounds) return { ...OF_SEVERAL, isOneDocument: false };
  const elements = Math.max(OF_SEVERAL.elements, ELEMENTS_OF_ROW * bounds.rows);
  if (isOneDocument(paths, bounds)) return { ...bounds, elements, isOneDocument: true };
  const characters = Math.max(OF_SEVERAL.characters, bounds.characters);
  return { rows: OF_SEVERAL.rows, characters, elements, isOneDocument: false };
}

function isOneDocument({ columns, levelOf, flushLevel, rowLevel }: XmlPaths, { key }: RecordBounds): boolean {
  if (key === undefined) return false;
  if (key === 'row') return flushLevel === rowLevel;
  return key.every((name) => (levelOf[columns.indexOf(name)] ?? 0) <= flushLevel);
}

export type CutRecord = {
  rows: number;
  /** Whether so much more of it is kept; false for good once it was too much. */
  readonly takes: (size: number) => boolean;
  /** The value may say which document it is: it is outside of the rows. */
  readonly isOf: (slot: PathSlot) => boolean;
  readonly wants: (node: PathNode) => boolean;
  readonly isKnown: () => boolean;
};

/** `rows`: those counted so far. */
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

/** The first of its rows, which represents all. */
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
