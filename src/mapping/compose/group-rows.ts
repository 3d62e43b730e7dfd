/**
 * Rows with the same key become one group: rows that follow each other, or rows anywhere in the file.
 *
 * A document that may lack a line is never issued. A row that nobody can place (its cells moved, a part of its key cannot
 * be made) refuses each document that it may belong to: under `rows: adjacent` the one before and the one after it, under
 * `rows: anywhere` all that agree with the parts of its key that are known. A key that comes back refuses all its rows.
 */

import type { Message } from '../../i18n/message.ts';
import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, DOCUMENT_TOO_LARGE, MESSAGE, withMessage } from '../../model/fault.ts';
import type { Batch, Cut, Row, RowGroup, SkippedRow, Table } from '../../model/row.ts';
import { originOf } from '../../model/row.ts';
import { totalsCell } from '../source/totals-row-fault.ts';
import { type IdenticalRows, identicalRowsIn } from './duplicate-rows.ts';
import { openFirstRows } from './first-row-index.ts';
import { collectUnplaced, mayBelong, type Unplaced } from './unplaced-rows.ts';

export type Grouper = {
  /** Groups that are complete, and the rows that `keep` leaves out. */
  readonly push: (batch: Batch) => Grouped;
  /** The groups that were still open. */
  readonly end: () => Grouped;
  /** These rows were refused, and may belong to a document that was given out: a part of their key is empty, for one. */
  readonly refused: (group: RowGroup) => void;
  /**
   * What was found out too late (rows: adjacent). If there is anything at the end, what was made of the file is to be
   * dropped and made once more with it, so that the documents that were given out before are refused as well.
   */
  readonly again: () => ReappearedKeys | undefined;
  /** The file as a whole is refused: too many rows would have to be kept at once. */
  readonly faults: () => readonly DataFault[];
};

/** What a first reading of a file is to give the second one. */
export type ReappearedKeys = {
  /** Keys that came back after their group was given out. */
  readonly keys: readonly string[];
  /** Rows that may belong to documents anywhere in the file. */
  readonly unplaced: readonly Unplaced[];
};

export const NOTHING_AGAIN: ReappearedKeys = { keys: [], unplaced: [] };

/** What one document may have; of a larger one only the numbers of its rows are kept. */
export type DocumentLimits = { readonly rows: number; readonly characters: number };

type Grouped = { readonly groups: readonly RowGroup[]; readonly leftOut: readonly SkippedRow[] };

export type KeyedRow = {
  /** The texts of its parts; '' for one that is empty or cannot be made. */
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
  /** undefined: keep the row; else the rule that leaves it out, or why nobody can tell. */
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
};

export const LIMITS: DocumentLimits = { rows: 50_000, characters: 64 * 1024 * 1024 };
const KEPT: DocumentLimits = { rows: 1_000_000, characters: 512 * 1024 * 1024 };

export function startGrouping(on: GroupingMode): Grouper {
  const rows = on.rows === 'adjacent' || on.one !== 'key' ? adjacentRows(on) : anywhereRows(on);
  const late: Unplaced[] = [];
  return {
    push: (batch) => {
      const leftOut: SkippedRow[] = [];
      const groups: RowGroup[] = [];
      for (const row of batch.rows) {
        // What tells whether a row is left out may stand in the header above it.
        const rule = row.broken || row.cut || row.near ? undefined : on.leaves?.(row);
        if (typeof rule === 'string') leftOut.push({ row: row.row, rule });
        else rows.add(row, rule ?? NO_FAULTS, groups);
      }
      return { groups, leftOut };
    },
    end: () => ({ groups: rows.end(), leftOut: [] }),
    faults: rows.faults,
    refused: ({ table, key, rows: [row] }) => {
      if (rows.has(key)) late.push({ key, fault: unplacedFault(table, row!, 'anywhere') });
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
  let lastRow: Row | undefined;
  return {
    add: (row, faults, done) => {
      const placed = place(on, row, faults);
      const before = last?.known;
      // A record of an unknown kind may be a part of the row before it.
      if (on.one === 'row' && open && row.near?.row === row.row) open.near ??= row.near;
      if (placed.known) {
        unplaced.add({ key: placed.known, fault: unplacedFault(on.table, row, 'anywhere') });
        if (open && !before && open.id !== placed.id && mayBelong(placed.known, open.key))
          open.faults.push(unplacedFault(on.table, row, 'beside'));
      }
      if (open?.id !== placed.id) {
        if (open) done.push(close(open));
        open = opened(placed);
        const first = firstRows.get(placed.id);
        if (first !== undefined) back.add(placed.id);
        if (first !== undefined || early.has(placed.id)) open.faults.push(backFault(on, row, placed.key, first));
        if (first === undefined) firstRows.add(placed.id, row.row);
        if (before && !placed.known && mayBelong(before, placed.key))
          open.faults.push(unplacedFault(on.table, lastRow!, 'beside'));
      }
      last = placed;
      lastRow = row;
      keep(on, open, row, placed);
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
      keep(on, group, row, placed);
      rows += group.rows.length - before.rows;
      characters += group.characters - before.characters;
    },
    end: () => {
      if (isTooMuch()) return [];
      return [...groups.values()].map((group) => {
        if (!group.holdsBroken) group.faults.push(...unplaced.faultsFor(group.key));
        return close(group);
      });
    },
    has: (key) => key.includes('') || groups.has(idOf(key)),
    again: () => NOTHING_AGAIN,
    faults: () => (isTooMuch() ? [tooManyRows(on, most)] : []),
  };
}

function opened({ id, key }: Placed): Open {
  return { id, key, rows: [], faults: [], characters: 0, holdsBroken: false };
}

function keep(on: GroupingMode, open: Open, row: Row, { faults, known }: Placed): void {
  if (known || row.broken || row.near) open.holdsBroken = true;
  open.near ??= row.near;
  open.cut ??= row.cut;
  if (open.numbers) {
    open.numbers.push(row.row);
    return;
  }
  open.rows.push(row);
  open.characters += charactersOf(row);
  if (faults.length > 0) open.faults.push(...faults);
  const { rows, characters } = on.limits ?? LIMITS;
  if (open.rows.length <= rows && open.characters <= characters && !row.cut) return;
  open.numbers = open.rows.map((one) => one.row);
  open.rows.length = 1;
  open.characters = charactersOf(open.rows[0]!);
}

/** What comes from the header of a joined file is there once. */
function charactersOf({ cells, beside }: Row): number {
  let sum = 0;
  for (let at = beside?.columns ?? 0; at < cells.length; at++) sum += cells[at]!.length;
  return sum;
}

type Placed = {
  readonly id: string;
  readonly key: readonly string[];
  readonly faults: readonly DataFault[];
  /** The row cannot be placed: the parts of its key that are known, '' for the others; empty where none is. */
  readonly known?: readonly string[];
};

const NO_FAULTS: readonly DataFault[] = [];
const BESIDE = 'map/beside-broken-row';

/** Readers refuse NUL, so no cell can join two keys into one. */
function place(on: GroupingMode, row: Row, found: readonly DataFault[]): Placed {
  const { key, faults } = on.keyOf(row);
  const empty = on.one === 'key' && (key.length === 1 ? key[0] === '' : key.every((part) => part === ''));
  if (!empty && !row.broken && faults.length + found.length === 0) return { id: idOf(key), key, faults: NO_FAULTS };
  const all = [
    ...(row.broken ? [brokenFault(row.broken, row)] : faults),
    ...found,
    ...(empty && !row.broken ? [noKeyFault(on, row)] : []),
  ];
  const isReadable = !row.broken || row.readable === true;
  const partial = on.one === 'key' && isReadable && (faults.length > 0 || key.includes(''));
  // Each such row is corrected by itself, and may belong to another document than the next.
  const id = empty || (partial && faults.length > 0) ? `\u0000${row.cut?.first ?? row.row}` : idOf(key);
  const isLost =
    on.one === 'key' &&
    (!isReadable || partial) &&
    (row.broken !== undefined || row.cut !== undefined || !isBlank(row));
  return { id, key, faults: all, ...(isLost ? { known: isReadable && !empty ? key : [] } : {}) };
}

function idOf(key: readonly string[]): string {
  return key.length === 1 ? key[0]! : key.join('\u0000');
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
    const isDoubtful = on.one === 'key' && !open.holdsBroken && open.key.includes('') && open.key.length > 1;
    return isDoubtful ? { ...group, isDoubtful } : group;
  };
}

function groupOf(on: GroupingMode, open: Open, identical: ReturnType<typeof identicalRowsIn>): RowGroup {
  const { key, rows, faults, numbers, cut, near } = open;
  const isOwn = near && (numbers ?? rows.map(({ row }) => row)).includes(near.row);
  if (near && !isOwn && on.one !== 'file' && !faults.some((fault) => isBeside(fault, near)))
    faults.push(unplacedFault(on.table, near, 'beside'));
  if (numbers)
    return { table: on.table, key, rows, numbers, faults: [tooLarge(on, rows[0]!, numbers.length, cut), ...faults] };
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

/** No line of any document. */
function isBlank({ cells }: Row): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function noKeyFault(on: GroupingMode, row: Row): DataFault {
  const blank = isBlank(row);
  return {
    code: 'map/no-key',
    level: 'error',
    ...(blank
      ? withMessage(ROW_ROWS.blank({ row: row.row }), ROW_ROWS.leaveBlankOut({ rule: '[{ blank: true }]' }))
      : withMessage(
          ROW_ROWS.noKey({ row: row.row }),
          on.table.places ? ROW_ROWS.fillElementIn() : ROW_ROWS.fillKeyIn(),
        )),
    origin: originOf(on.table, row, on.column),
  };
}

/** Such a row may be a total that the mapping leaves out: then the ERP has nothing to correct. */
function brokenFault(fault: DataFault, row: Row): DataFault {
  const { onlyInErp, ...plain } = fault;
  const { message, hint } = fault[MESSAGE];
  if (!onlyInErp || !hint) return fault;
  return isLost(row) ? { ...fault, ...withMessage(message, ROW_ROWS.exportAgain({ hint })) } : plain;
}

function isBeside({ code, origin }: DataFault, { row }: Row): boolean {
  return code === BESIDE && origin?.row === row;
}

function unplacedFault(table: Table, row: Row, where: 'beside' | 'anywhere'): DataFault {
  const told = where === 'beside' ? ROW_ROWS.besideBroken({ row: row.row }) : ROW_ROWS.mayBelong({ row: row.row });
  return {
    code: BESIDE,
    level: 'error',
    ...withMessage(told, wayBeside(row, where)),
    origin: originOf(table, row),
    ...(isLost(row) ? { onlyInErp: true } : {}),
  };
}

function isLost(row: Row): boolean {
  return row.broken?.onlyInErp === true && totalsCell(row) === undefined;
}

function wayBeside(row: Row, where: 'beside' | 'anywhere'): Message {
  if (totalsCell(row) !== undefined) return ROW_ROWS.totalsBeside();
  const about = { row: row.row };
  if (where === 'anywhere') return isLost(row) ? ROW_ROWS.exportRowOfAny(about) : ROW_ROWS.correctRowOfAny(about);
  return isLost(row) ? ROW_ROWS.exportRow(about) : ROW_ROWS.correctRow(about);
}

function backFault(on: GroupingMode, row: Row, key: readonly string[], first: number | undefined): DataFault {
  const given = key.join(' ');
  return {
    code: 'map/key-came-back',
    level: 'error',
    ...withMessage(
      first === undefined ? ROW_ROWS.notTogether({ key: given }) : ROW_ROWS.cameBack({ key: given, row: first }),
      ROW_ROWS.sortExport(),
    ),
    given,
    origin: originOf(on.table, row, on.column),
  };
}

function tooManyRows(on: GroupingMode, { rows, characters }: DocumentLimits): DataFault {
  return {
    code: 'map/too-many-rows',
    level: 'error',
    ...withMessage(ROW_ROWS.tooManyAnywhere({ most: rows, mebi: characters / MEBI }), ROW_ROWS.sortOrSplit()),
    origin: { file: on.table.file, row: 0 },
  };
}

/** Nothing in its cells is wrong: the rows are too many for one document. */
function tooLarge(on: GroupingMode, first: Row, count: number, cut: Cut | undefined): DataFault {
  const { rows, characters } = on.limits ?? LIMITS;
  const most = { count, most: rows, mebi: characters / MEBI };
  const message = cut
    ? ROW_ROWS.tooManyElements({ ...most, elements: cut.elements, mostElements: cut.mostElements })
    : ROW_ROWS.tooLarge(most);
  return {
    code: DOCUMENT_TOO_LARGE,
    level: 'error',
    ...withMessage(message, ROW_ROWS.keyOrSplit()),
    given: String(count),
    origin: originOf(on.table, first, on.column),
    onlyInErp: true,
  };
}

const MEBI = 1024 * 1024;
