/**
 * Rows whose document is unknown in; faults of each document that one of them may belong to out: those with the same
 * value in each known part of the key. Where no part is known, that is every document of the file.
 */
import type { DataFault } from '../../model/fault.ts';

/** A row whose document is unknown. */
export type Unplaced = {
  /** The parts of its key, '' where a part is not known; empty where nothing is known. */
  readonly key: readonly string[];
  /** The fault of each document that the row may belong to. */
  readonly fault: DataFault;
};

/** Rows are grouped by the known parts of their keys, so that memory and search do not grow with their number. */
export type UnplacedRows = {
  readonly add: (row: Unplaced) => void;
  /** Why no document of this key may be made; one fault for each combination of known parts. */
  readonly faultsFor: (key: readonly string[]) => readonly DataFault[];
  readonly all: () => readonly Unplaced[];
};

/** Different keys that are kept; with more of them no part counts as known. */
const MOST = 10_000;
const NONE: readonly DataFault[] = [];

/** True where a row with these parts of a key, '' for unknown ones, may belong to the document of this key. */
export function mayBelong(known: readonly string[], key: readonly string[]): boolean {
  return known.every((part, at) => part === '' || part === key[at]);
}

/** `given`: the rows that a first reading of the same file found. */
export function collectUnplaced(given: readonly Unplaced[] = []): UnplacedRows {
  /** By the positions of the known parts, then by these parts; the first row of each. */
  const groups = new Map<string, { readonly at: readonly number[]; readonly first: Map<string, Unplaced> }>();
  let count = 0;
  const add = (row: Unplaced) => {
    const at = count < MOST ? [...row.key.keys()].filter((n) => row.key[n] !== '') : [];
    const group = groups.get(at.join()) ?? { at, first: new Map<string, Unplaced>() };
    groups.set(at.join(), group);
    const id = partsAt(row.key, at);
    if (group.first.has(id)) return;
    group.first.set(id, at.length > 0 ? row : { ...row, key: [] });
    count++;
  };
  for (const row of given) add(row);
  const faultsFor = (key: readonly string[]) => {
    if (count === 0) return NONE;
    return [...groups.values()].flatMap(({ at, first }) => first.get(partsAt(key, at))?.fault ?? []);
  };
  return { add, faultsFor, all: () => [...groups.values()].flatMap(({ first }) => [...first.values()]) };
}

/** Readers refuse NUL, so no part can join two keys into one. */
function partsAt(key: readonly string[], at: readonly number[]): string {
  return at.map((n) => key[n]).join('\u0000');
}
