/**
 * Rows with the same key become one group: rows that follow each other, or rows anywhere in the file.
 *
 * A row that nobody can place (its cells moved, or without a key) refuses the documents beside it, and a key that comes
 * back refuses all its rows: a document that may lack a line is never issued.
 */
import { type DataFault, SAID, says } from '../model/fault.ts';
import type { Batch, Group, LeftOut, Row, Table } from '../model/row.ts';
import { originOf } from '../model/row.ts';
import type { Phrase } from '../model/words.ts';
import { openFirstRows } from './first-rows.ts';
import { type IdenticalRows, identicalRowsIn } from './identical-rows.ts';
import { ROWS } from './row-sentences.ts';
import { totalsCell } from './totals-row.ts';

export type Grouper = {
  /** Groups that are complete, and the rows that `keep` leaves out. */
  readonly push: (batch: Batch) => Grouped;
  /** The groups that were still open. */
  readonly end: () => Grouped;
  /**
   * Keys that came back after their group was given out (rows: adjacent). If there are any at the end, what was made
   * of the file is to be dropped and read once more with these keys, which refuses their first rows as well.
   */
  readonly cameBack: () => readonly string[];
  /** The file as a whole is refused: too many rows would have to be kept at once. */
  readonly faults: () => readonly DataFault[];
};

type Grouped = { readonly groups: readonly Group[]; readonly leftOut: readonly LeftOut[] };

export type Keyed = {
  /** The texts of its parts. */
  readonly key: readonly string[];
  readonly faults: readonly DataFault[];
};

export type Grouping = {
  readonly table: Table;
  readonly rows: 'adjacent' | 'anywhere';
  /** one-per: file or row need no key column; then an empty key means nothing. */
  readonly one: 'key' | 'file' | 'row';
  /** Cell index of the first key column, for faults. */
  readonly column: number | undefined;
  readonly keyOf: (row: Row) => Keyed;
  /** undefined: keep the row; else the rule that leaves it out, or why nobody can tell. */
  readonly leaves: ((row: Row) => string | readonly DataFault[] | undefined) | undefined;
  readonly identical: IdenticalRows;
  /** Keys known from a first reading to come back. */
  readonly cameBack: ReadonlySet<string>;
  readonly maxRows?: number;
};

type Open = {
  readonly id: string;
  readonly key: readonly string[];
  readonly rows: Row[];
  readonly faults: DataFault[];
};

const MAX_ROWS = 1_000_000;

export function startGrouping(on: Grouping): Grouper {
  const rows = on.rows === 'adjacent' || on.one === 'file' ? adjacentRows(on) : anywhereRows(on);
  return {
    ...rows,
    push: (batch) => {
      const leftOut: LeftOut[] = [];
      const groups: Group[] = [];
      for (const row of batch.rows) {
        const rule = row.broken ? undefined : on.leaves?.(row);
        if (typeof rule === 'string') leftOut.push({ row: row.row, rule });
        else rows.add(row, rule ?? NO_FAULTS, groups);
      }
      return { groups, leftOut };
    },
    end: () => ({ groups: rows.end(), leftOut: [] }),
  };
}

type Rows = Pick<Grouper, 'cameBack' | 'faults'> & {
  readonly end: () => readonly Group[];
  readonly add: (row: Row, faults: readonly DataFault[], done: Group[]) => void;
};

function adjacentRows(on: Grouping): Rows {
  const identical = identicalRowsIn(on.table, on.identical);
  const firstRows = openFirstRows();
  const back = new Set<string>();
  const most = on.maxRows ?? MAX_ROWS;
  let tooMany = false;
  let open: Open | undefined;
  let astray: Row | undefined;
  const close = (done: Group[]) => {
    if (open && !tooMany) done.push(groupOf(on, open, identical));
    open = undefined;
  };
  return {
    add: (row, faults, done) => {
      const placed = place(on, row, faults);
      if (placed.astray && open && !astray && open.id !== placed.id) open.faults.push(besideFault(on, row));
      if (open?.id !== placed.id) {
        close(done);
        open = { id: placed.id, key: placed.key, rows: [], faults: [] };
        const first = firstRows.get(placed.id);
        if (first !== undefined) back.add(placed.id);
        if (first !== undefined || on.cameBack.has(placed.id)) open.faults.push(backFault(on, row, placed.key, first));
        if (first === undefined) firstRows.add(placed.id, row.row);
        if (astray && !placed.astray) open.faults.push(besideFault(on, astray));
      }
      astray = placed.astray && on.one === 'key' ? row : undefined;
      if (open.rows.length === most) tooMany = true;
      if (tooMany) return;
      open.rows.push(row);
      if (placed.faults.length > 0) open.faults.push(...placed.faults);
    },
    end: () => {
      const done: Group[] = [];
      close(done);
      return done;
    },
    cameBack: () => [...back],
    faults: () => (tooMany ? [tooManyRows(on, most)] : []),
  };
}

function anywhereRows(on: Grouping): Rows {
  const identical = identicalRowsIn(on.table, on.identical);
  const groups = new Map<string, Open>();
  const most = on.maxRows ?? MAX_ROWS;
  let count = 0;
  let last: Open | undefined;
  let astray: Row | undefined;
  return {
    add: (row, faults) => {
      if (++count > most) return groups.clear();
      const placed = place(on, row, faults);
      const group = groups.get(placed.id) ?? { ...placed, rows: [], faults: [] };
      if (group.rows.length === 0) groups.set(placed.id, group);
      if (placed.astray && last && !astray && last !== group) last.faults.push(besideFault(on, row));
      if (astray && !placed.astray && last !== group) group.faults.push(besideFault(on, astray));
      astray = placed.astray && on.one === 'key' ? row : undefined;
      group.rows.push(row);
      group.faults.push(...placed.faults);
      last = group;
    },
    end: () => (count > most ? [] : [...groups.values()].map((group) => groupOf(on, group, identical))),
    cameBack: () => [],
    faults: () => (count > most ? [tooManyRows(on, most)] : []),
  };
}

type Placed = {
  readonly id: string;
  readonly key: readonly string[];
  readonly faults: readonly DataFault[];
  readonly astray: boolean;
};

const NO_FAULTS: readonly DataFault[] = [];

/** Readers refuse NUL, so no cell can join two keys into one. */
function place(on: Grouping, row: Row, found: readonly DataFault[]): Placed {
  const { key, faults } = on.keyOf(row);
  const empty = on.one === 'key' && (key.length === 1 ? key[0] === '' : key.every((part) => part === ''));
  const id = empty ? `\u0000${row.row}` : key.length === 1 ? key[0]! : key.join('\u0000');
  if (!empty && !row.broken && faults.length + found.length === 0) return { id, key, faults: NO_FAULTS, astray: false };
  const all = [
    ...(row.broken ? [brokenFault(row.broken, row)] : faults),
    ...found,
    ...(empty && !row.broken ? [noKeyFault(on, row)] : []),
  ];
  const known = row.broken ? row.readable === true && faults.length === 0 : all.length === 0;
  const lost = row.broken || !isBlank(row);
  return { id, key, faults: all, astray: on.one === 'key' && lost && (empty || !known) };
}

function groupOf(on: Grouping, { key, rows, faults }: Open, identical: ReturnType<typeof identicalRowsIn>): Group {
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

function noKeyFault(on: Grouping, row: Row): DataFault {
  const blank = isBlank(row);
  return {
    code: 'map/no-key',
    level: 'error',
    ...(blank
      ? says(ROWS.blank({ row: row.row }), ROWS.leaveBlankOut({ rule: '[{ blank: true }]' }))
      : says(ROWS.noKey({ row: row.row }), on.table.places ? ROWS.fillElementIn() : ROWS.fillKeyIn())),
    origin: originOf(on.table, row, on.column),
  };
}

/** Such a row may be a total that the mapping leaves out: then the ERP has nothing to correct. */
function brokenFault(fault: DataFault, row: Row): DataFault {
  const { onlyInErp, ...plain } = fault;
  const { message, hint } = fault[SAID];
  if (!onlyInErp || !hint) return fault;
  return isLost(row) ? { ...fault, ...says(message, ROWS.exportAgain({ hint })) } : plain;
}

function besideFault(on: Grouping, row: Row): DataFault {
  return {
    code: 'map/beside-broken-row',
    level: 'error',
    ...says(ROWS.besideBroken({ row: row.row }), wayBeside(row)),
    origin: originOf(on.table, row),
    ...(isLost(row) ? { onlyInErp: true } : {}),
  };
}

function isLost(row: Row): boolean {
  return row.broken?.onlyInErp === true && totalsCell(row) === undefined;
}

function wayBeside(row: Row): Phrase {
  if (totalsCell(row) !== undefined) return ROWS.totalsBeside();
  return isLost(row) ? ROWS.exportRow({ row: row.row }) : ROWS.correctRow({ row: row.row });
}

function backFault(on: Grouping, row: Row, key: readonly string[], first: number | undefined): DataFault {
  const given = key.join(' ');
  return {
    code: 'map/key-came-back',
    level: 'error',
    ...says(
      first === undefined ? ROWS.notTogether({ key: given }) : ROWS.cameBack({ key: given, row: first }),
      ROWS.sortExport(),
    ),
    given,
    origin: originOf(on.table, row, on.column),
  };
}

function tooManyRows(on: Grouping, most: number): DataFault {
  return {
    code: 'map/too-many-rows',
    level: 'error',
    ...(on.rows === 'anywhere'
      ? says(ROWS.tooManyAnywhere({ most }), ROWS.sortOrSplit())
      : says(ROWS.tooMany({ most }), ROWS.keyOrSplit())),
    origin: { file: on.table.file, row: 0 },
  };
}
