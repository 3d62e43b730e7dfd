/**
 * Where the elements of an XML row are in their file: their lines, and which one of several of a name it is. Recorded
 * while the file is read, and looked up only to show a place to a person.
 */
import { leastOf } from '../text/long-lists.ts';

/** The facts about all rows that follow from the paths of a mapping. */
export type SpotPaths = {
  /** The path of the row element from the root. */
  readonly row: string;
  /** Each column's path from the root; see Table.places. */
  readonly places: readonly string[];
  /** Level of the element on the path of the row that keeps the column; 1: the root. */
  readonly levelOf: readonly number[];
  /** Levels whose elements are repeated: the row, and the document if it is not the root. */
  readonly repeated: readonly number[];
  /** Of columns that are lists: the path of each field from the element of the item on. */
  readonly fields: ReadonlyMap<number, { readonly [field: string]: string }>;
};

export type ItemSpot = { readonly line: number; readonly fields: { [field: string]: number } };

/** An element on the path of the row. Lines count from 1. */
export type XmlLocation = {
  readonly of: SpotPaths;
  readonly parent: XmlLocation | undefined;
  readonly level: number;
  readonly line: number;
  /** Which one of its name within its parent, from 1. */
  readonly nth: number;
  /** By column the value that it keeps, then, again by column, the line of that value. */
  readonly values: readonly (string | number | undefined)[];
  /** By column: where the items of its lists begin. */
  readonly itemSpots: ReadonlyMap<number, readonly ItemSpot[]> | undefined;
};

const ITEM = /^(.*)\[(\d+)\]$/s;

/** The element of a value: `place` as in Table.places, followed by [n] for the nth item of a list, and its `field`. */
export function elementAt(
  spot: XmlLocation,
  place: string,
  field?: string,
): { readonly line: number; readonly path: string } | undefined {
  const { places, levelOf, fields } = spot.of;
  const [, list = '', number = ''] = places.includes(place) ? [] : (ITEM.exec(place) ?? []);
  const column = places.indexOf(number === '' ? place : list);
  // Without the column there is no holder: no element has level 0.
  const holder = above(spot, levelOf[column] ?? 0);
  if (!holder) return undefined;
  const path = placed(holder, place);
  if (number === '')
    return { line: (holder.values[places.length + column] as number | undefined) ?? holder.line, path };
  const item = holder.itemSpots?.get(column)?.[Number(number) - 1];
  const inside = field === undefined ? undefined : fields.get(column)?.[field];
  const line = (field === undefined ? undefined : item?.fields[field]) ?? item?.line ?? holder.line;
  return { line, path: inside === undefined ? path : path + inside };
}

/** For each row, the element that keeps the value of the place; the row itself for what is inside of it. */
export function holdersOf(place: string): (spot: XmlLocation) => XmlLocation | undefined {
  let known: SpotPaths | undefined;
  let level = 0;
  return (spot) => {
    if (spot.of !== known) level = spot.of.levelOf[spot.of.places.indexOf(place)] ?? 0;
    known = spot.of;
    return above(spot, level);
  };
}

/** The row element itself. */
export function rowPathAt(spot: XmlLocation): string {
  return placed(spot, spot.of.row);
}

/** The element that contains all rows of the document; the row itself if no other level is repeated. */
export function documentAt(spot: XmlLocation): { readonly line: number; readonly path: string } {
  const holder = above(spot, leastOf(spot.of.repeated)) ?? spot;
  const path = placed(
    holder,
    spot.of.row
      .split('/')
      .slice(0, holder.level + 1)
      .join('/'),
  );
  return { line: holder.line, path };
}

function above(spot: XmlLocation, level: number): XmlLocation | undefined {
  let each: XmlLocation | undefined = spot;
  while (each && each.level > level) each = each.parent;
  return each;
}

/** The path with the number of each element that has siblings of its name. */
function placed(holder: XmlLocation, place: string): string {
  const steps = place.split('/');
  for (let each: XmlLocation | undefined = holder; each && each.level > 1; each = each.parent) {
    const { level, nth, of } = each;
    if (nth > 1 || of.repeated.includes(level)) steps[level] = `${steps[level]}[${nth}]`;
  }
  return steps.join('/');
}
