/**
 * Rows with the same key become one group: rows that follow each other, or rows anywhere in the file.
 *
 * A document that may lack a line is never issued. A row without a certain document (its cells moved, a part of its key
 * has a fault) refuses each document that it may belong to: under `rows: adjacent` the one before and the one after it, under
 * `rows: anywhere` all that agree with the parts of its key that are known. A key that comes back refuses all its rows.
 */

import type { DataFault } from '../../model/fault.ts';
import type { Batch, Cut, Row, RowGroup, SkippedRow, Table } from '../../model/row.ts';
import { appendAll } from '../../text/long-lists.ts';
import { type IdenticalRows, identicalRowsIn } from './duplicate-rows.ts';
import { openFirstRows } from './first-row-index.ts';
import {
  backFault,
  brokenFault,
  isBeside,
  isBlank,
  noKeyFault,
  otherBadCells,
  tooLarge,
  tooManyRows,
  unplacedFault,
} from './grouping-faults.ts';
import { collectUnplaced, mayBelong, type Unplaced } from './unplaced-rows.ts';

/** Takes the batches of a file in order, then `end`. */
export type Grouper = {
  /** Groups that are complete, and the rows that `keep` leaves out. */
  readonly push: (batch: Batch) => Grouped;
  /** The groups that were still open. */
  readonly end: () => Grouped;
  /** These rows were refused, and may belong to a document that was returned already: a part of their key is empty, for one. */
  readonly refused: (group: RowGroup) => void;
  /**
   * What was found too late (rows: adjacent). If there is anything at the end, the caller drops all documents of the file
   * and reads it a second time with it, so that the documents that were returned before are refused as well.
   */
  readonly again: () => ReappearedKeys | undefined;
  /** The file as a whole is refused: too many rows would have to be kept at once. */
  readonly faults: () => readonly DataFault[];
};

/** What the first reading of a file finds for the second one. */
export type ReappearedKeys = {
  /** Keys that came back after their group was returned. */
  readonly keys: readonly string[];
  /** Rows that may belong to documents anywhere in the file. */
  readonly unplaced: readonly Unplaced[];
};

export const NOTHING_AGAIN: ReappearedKeys = { keys: [], unplaced: [] };

type Grouped = { readonly groups: readonly RowGroup[]; readonly leftOut: readonly SkippedRow[] };

/** What one document may have; of a larger one only the numbers of its rows are kept. */
export type DocumentLimits = { readonly rows: number; readonly characters: number };

export type KeyedRow = {
  /** The texts of its parts; '' for one that is empty or has a fault. */
  readonly key: readonly string[];
  readonly faults: readonly DataFault[];
};

export type GroupingMode = {
  readonly table: Table;
  readonly rows: 'adjacent' | 'anywhere';
  /** one-per: file or row need no key column; then an empty key means nothing. */
  readonly one: 'key' | 'file' | 'row';
  /** Cell index of the first key column, for faults. */
  readonly column: number | undefined;
  readonly keyOf: (row: Row) => KeyedRow;
  /** undefined: keep the row; else the rule that leaves it out, or why the rule has no result. */
  readonly leaves: ((row: Row) => string | readonly DataFault[] | undefined) | undefined;
  readonly identical: IdenticalRows;
  /** From a first reading of the same file. */
  readonly again?: ReappearedKeys;
  readonly limits?: DocumentLimits;
  /** Of all documents together, where they are kept to the end of the file. */
  readonly kept?: DocumentLimits;
};

type Open = {
  readonly id: string;
  readonly key: readonly string[];
  readonly rows: Row[];
  readonly faults: DataFault[];
  characters: number;
  cut?: Cut | undefined;
  /** Numbers of all its rows, once there are too many of them to be kept. */
  numbers?: number[];
  /** See Row.near; of the first such row. */
  near?: Row | undefined;
  /** A row of it is broken, in doubt or cannot be placed: it is refused for that. */
  holdsBroken: boolean;
  /** A row of it cannot be placed. */
  holdsUnplaced: boolean;
};

export const LIMITS: DocumentLimits = { rows: 50_000, characters: 64 * 1024 * 1024 };
const KEPT: DocumentLimits = { rows: 1_000_000, characters: 512 * 1024 * 1024 };

/** Without a key column all rows are adjacent: each row, or the whole file, is one document. */
export function startGrouping(on: GroupingMode): Grouper {
  const rows = on.rows === 'adjacent' || on.one !== 'key' ? adjacentRows(on) : anywhereRows(on);
  const late: Unplaced[] = [];
  return {
    push: (batch) => {
      const leftOut: SkippedRow[] = [];
      const groups: RowGroup[] = [];
      for (const row of batch.rows) {
        // The cell that decides whether a row is left out may be in the header above it.
        const rule = row.broken || row.cut || row.near ? undefined : on.leaves?.(row);
        if (typeof rule === 'string') leftOut.push({ row: row.row, rule });
        else rows.add(row, rule ?? NO_FAULTS, groups);
      }
      return { groups, leftOut };
    },
    end: () => ({ groups: rows.end(), leftOut: [] }),
    faults: rows.faults,
    refused: ({ table, key, rows: [row] }) => {
      if (row && rows.has(key)) late.push({ key, fault: unplacedFault(table, row, 'anywhere') });
    },
    again: () => {
      const { keys, unplaced } = rows.again();
      return keys.length + late.length > 0 ? { keys, unplaced: [...unplaced, ...late] } : undefined;
    },
  };
}

type Rows = Pick<Grouper, 'faults'> & {
  readonly end: () => readonly RowGroup[];
  readonly add: (row: Row, faults: readonly DataFault[], done: RowGroup[]) => void;
  readonly again: () => ReappearedKeys;
  readonly has: (key: readonly string[]) => boolean;
};

function adjacentRows(on: GroupingMode): Rows {
  const close = closerOf(on);
  const firstRows = openFirstRows();
  const early = new Set(on.again?.keys);
  const back = new Set<string>();
  const unplaced = collectUnplaced();
  let open: Open | undefined;
  let last: Placed | undefined;
  return {
    add: (row, faults, done) => {
      const placed = place(on, row, faults);
      if (placed.isBlank) {
        // No line of any document: the rows before and after it are next to each other.
        const alone = opened(placed);
        keep(on, alone, placed);
        done.push(close(alone));
        return;
      }
      const before = last;
      // A record of an unknown kind may be a part of the row before it.
      if (on.one === 'row' && open && row.near?.row === row.row) open.near ??= row.near;
      if (placed.known) {
        unplaced.add({ key: placed.known, fault: unplacedFault(on.table, row, 'anywhere') });
        if (open && !before?.known && open.id !== placed.id && mayBelong(placed.known, open.key))
          open.faults.push(unplacedFault(on.table, row, 'beside'));
      }
      if (open?.id !== placed.id) {
        if (open) done.push(close(open));
        open = opened(placed);
        const first = firstRows.get(placed.id);
        if (first !== undefined) back.add(placed.id);
        if (first !== undefined || early.has(placed.id)) open.faults.push(backFault(on, row, placed.key, first));
        if (first === undefined) firstRows.add(placed.id, row.row);
        if (before?.known && !placed.known && mayBelong(before.known, placed.key))
          open.faults.push(unplacedFault(on.table, before.row, 'beside'));
      }
      last = placed;
      keep(on, open, placed);
    },
    end: () => (open ? [close(open)] : []),
    has: (key) => key.includes('') || firstRows.get(idOf(key)) !== undefined,
    again: () => ({ keys: [...back], unplaced: unplaced.all() }),
    faults: () => [],
  };
}

function anywhereRows(on: GroupingMode): Rows {
  const close = closerOf(on);
  const groups = new Map<string, Open>();
  const unplaced = collectUnplaced();
  const most = on.kept ?? KEPT;
  let rows = 0;
  let characters = 0;
  const isTooMuch = () => rows > most.rows || characters > most.characters;
  return {
    add: (row, faults) => {
      if (isTooMuch()) return groups.clear();
      const placed = place(on, row, faults);
      const group = groups.get(placed.id) ?? opened(placed);
      if (group.rows.length === 0) groups.set(placed.id, group);
      if (placed.known) unplaced.add({ key: placed.known, fault: unplacedFault(on.table, row, 'anywhere') });
      const before = { rows: group.rows.length, characters: group.characters };
      keep(on, group, placed);
      rows += group.rows.length - before.rows;
      characters += group.characters - before.characters;
    },
    end: () => {
      if (isTooMuch()) return [];
      return [...groups.values()].map((group) => {
        if (!group.holdsBroken) appendAll(group.faults, unplaced.faultsFor(group.key));
        return close(group);
      });
    },
    has: (key) => key.includes('') || groups.has(idOf(key)),
    again: () => NOTHING_AGAIN,
    faults: () => (isTooMuch() ? [tooManyRows(on, most)] : []),
  };
}

function opened({ id, key }: Placed): Open {
  return { id, key, rows: [], faults: [], characters: 0, holdsBroken: false, holdsUnplaced: false };
}

function keep(on: GroupingMode, open: Open, { row, faults, known }: Placed): void {
  if (known || row.broken || row.near) open.holdsBroken = true;
  if (known) open.holdsUnplaced = true;
  open.near ??= row.near;
  open.cut ??= row.cut;
  if (open.numbers) {
    open.numbers.push(row.row);
    return;
  }
  open.rows.push(row);
  open.characters += charactersOf(row);
  if (faults.length > 0) appendAll(open.faults, faults);
  const { rows, characters } = on.limits ?? LIMITS;
  if (open.rows.length <= rows && open.characters <= characters && !row.cut) return;
  open.numbers = open.rows.map((one) => one.row);
  open.rows.length = 1;
  open.characters = open.rows.reduce((sum, one) => sum + charactersOf(one), 0);
}

/** Without the cells from the header file of a pair: all rows of a document share these. */
function charactersOf({ cells, beside }: Row): number {
  let sum = 0;
  for (const cell of beside ? cells.slice(beside.columns) : cells) sum += cell.length;
  return sum;
}

type Placed = {
  readonly row: Row;
  readonly id: string;
  readonly key: readonly string[];
  readonly faults: readonly DataFault[];
  /** For a row without a certain document: the parts of its key that are known, '' for the others; empty where none is. */
  readonly known?: readonly string[];
  /** For a row that is empty but for its delimiters, and has no whole key. */
  readonly isBlank?: boolean;
};

const NO_FAULTS: readonly DataFault[] = [];

/** Readers refuse NUL, so no cell can join two keys into one. */
function place(on: GroupingMode, row: Row, found: readonly DataFault[]): Placed {
  const { key, faults } = on.keyOf(row);
  const empty = on.one === 'key' && (key.length === 1 ? key[0] === '' : key.every((part) => part === ''));
  const lacksPart = on.one === 'key' && key.includes('');
  const isNoLine = lacksPart && !row.broken && !row.cut && !row.near && isBlank(row);
  if (!empty && !row.broken && faults.length + found.length === 0)
    return { row, id: idOf(key), key, faults: NO_FAULTS, isBlank: isNoLine };
  const all = [
    ...(row.broken ? [brokenFault(row.broken, row), ...otherBadCells(row)] : faults),
    ...found,
    ...(empty && !row.broken ? [noKeyFault(on, row)] : []),
  ];
  const isReadable = !row.broken || row.readable === true;
  // A row whose key lacks a part, and has no fault, is in a document of its own, which may be in doubt.
  const partial = on.one === 'key' && isReadable && (faults.length > 0 || empty);
  // Each such row is corrected by itself, and may belong to another document than the next.
  const id = empty || (partial && faults.length > 0) ? `\u0000${row.cut?.first ?? row.row}` : idOf(key);
  const isLost =
    on.one === 'key' &&
    (!isReadable || partial) &&
    (row.broken !== undefined || row.cut !== undefined || !isBlank(row));
  if (!isLost) return { row, id, key, faults: all, isBlank: isNoLine };
  return { row, id, key, faults: all, known: isReadable && !empty ? key : [] };
}

function idOf(key: readonly string[]): string {
  const only = key.length === 1 ? key[0] : undefined;
  return only ?? key.join('\u0000');
}

function closerOf(on: GroupingMode): (open: Open) => RowGroup {
  const identical = identicalRowsIn(on.table, on.identical);
  const early = collectUnplaced(on.again?.unplaced);
  return (open) => {
    for (const fault of open.holdsBroken ? NO_FAULTS : early.faultsFor(open.key)) {
      // A row's own document reports what is wrong with it. The other file of a pair has rows of the same numbers.
      const isOwn = fault.origin?.file === on.table.file && open.rows.some(({ row }) => row === fault.origin?.row);
      if (isOwn) continue;
      if (!open.faults.some(({ code, origin }) => code === fault.code && origin?.row === fault.origin?.row))
        open.faults.push(fault);
    }
    const group = groupOf(on, open, identical);
    const isPartial = on.one === 'key' && open.key.includes('') && open.key.length > 1;
    const isDoubtful = isPartial && !open.holdsUnplaced && !open.rows.every(isBlank);
    return isDoubtful ? { ...group, isDoubtful } : group;
  };
}

function groupOf(on: GroupingMode, open: Open, identical: ReturnType<typeof identicalRowsIn>): RowGroup {
  const { key, rows, faults, numbers, cut, near } = open;
  const isOwn = near && (numbers ?? rows.map(({ row }) => row)).includes(near.row);
  if (near && !isOwn && on.one !== 'file' && !faults.some((fault) => isBeside(fault, near)))
    faults.push(unplacedFault(on.table, near, 'beside'));
  const [first] = rows;
  if (numbers && first) {
    const large = tooLarge(on, first, { count: numbers.length, cut }, on.limits ?? LIMITS);
    return { table: on.table, key, rows, numbers, faults: [large, ...faults] };
  }
  const same = rows.length > 1 ? identical?.(rows) : undefined;
  if (same) faults.push(same);
  return { table: on.table, key, rows, faults: faults.length > 1 ? onceEach(faults) : faults };
}

/** An element around several rows of an XML is damaged once, and breaks each of them. */
function onceEach(faults: readonly DataFault[]): readonly DataFault[] {
  const seen = new Set<string>();
  return faults.filter(({ code, message, origin }) => {
    if (origin?.path === undefined) return true;
    const key = JSON.stringify([code, message, origin.line, origin.path]);
    return !seen.has(key) && seen.add(key);
  });
}
