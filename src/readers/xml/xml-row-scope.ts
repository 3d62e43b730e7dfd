/**
 * An element that is open on the path of the rows, with the values that it has so far. Paths and its parent in; what the walk
 * fills and reads out. Never fails.
 */
import type { DataFault } from '../../model/fault.ts';
import type { Unread } from '../../model/row.ts';
import type { ItemSpot, XmlLocation } from '../../model/xml-location.ts';
import type { XmlPaths } from './xml-paths.ts';

/** An open element on the path of the row, or a row element that waits for its document to close. */
export type RowScope = Omit<XmlLocation, 'parent' | 'values' | 'itemSpots'> & {
  readonly parent: RowScope | undefined;
  /** Elements of the next level in it so far. */
  children: number;
  /** The last of these that closed without a row. */
  rowless: RowScope | undefined;
  /** Ordinal, for row elements. */
  readonly row: number;
  /** One place per column, in use for the columns of this level; after them the lines of the values. */
  readonly values: (string | number | undefined)[];
  itemSpots: Map<number, ItemSpot[]> | undefined;
  /** The items of its lists, by column. */
  items: Map<number, ListItem[]> | undefined;
  rows: number;
  unread: Unread[] | undefined;
  isReleased: boolean;
  fault: DataFault | undefined;
};

export type ListItem = { [field: string]: string };

export function openRowScope(
  paths: XmlPaths,
  parent: RowScope | undefined,
  level: number,
  line: number,
  row: number,
): RowScope {
  return {
    of: paths.spots,
    parent,
    level,
    line,
    nth: parent ? ++parent.children : 1,
    children: 0,
    rowless: undefined,
    row,
    values: paths.emptyValues[level]?.slice() ?? [],
    items: undefined,
    itemSpots: undefined,
    rows: 0,
    unread: undefined,
    isReleased: false,
    fault: undefined,
  };
}

/** JSON of the items. All rows of a document share the text, so it is written once. */
export function listItemsText(holder: RowScope | undefined, column: number): string {
  const items = holder?.items?.get(column);
  if (!holder || !items) return '';
  holder.values[column] ??= JSON.stringify(items);
  return holder.values[column] as string;
}
