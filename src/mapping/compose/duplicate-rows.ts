/**
 * The rows of one document in; a fault out where two are equal in every column, because nothing distinguishes such a
 * line from one that was exported twice. By default a warning, since two parcels may be alike;
 * `documents.identical-rows` decides. Runs for every document, so a column in which rows differ is remembered and most
 * pairs need one comparison.
 */

import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { originOf, type Row, type Table } from '../../model/row.ts';

/** Level of the fault `map/identical-rows`; `allowed` gives none. */
export type IdenticalRows = 'warning' | 'error' | 'allowed';

type Pair = { readonly first: Row; readonly second: Row };

/** Up to so many rows, each is compared with each. */
const FEW = 8;
/**
 * Above so many rows only neighbors are compared: the texts of all rows would take the memory of the file once more.
 */
const MANY = 10_000;

/**
 * A check for the documents of one file, called with all rows of a document; undefined where identical rows are
 * allowed.
 */
export function identicalRowsIn(
  table: Table,
  level: IdenticalRows,
): ((rows: readonly Row[]) => DataFault | undefined) | undefined {
  if (level === 'allowed') return undefined;
  // The column in which the last rows differed, usually a line number, mostly differs in the next rows too.
  const hint = { column: 0 };
  return (rows) => faultOf(table, equalPairs(rows, hint), level);
}

function equalPairs(rows: readonly Row[], hint: { column: number }): readonly Pair[] {
  if (rows.length <= FEW) return eachWithEach(rows, hint);
  return rows.length <= MANY ? byText(rows) : neighbors(rows);
}

/** One fault for the whole document, at the first repeated row, with the count of the others. */
function faultOf(table: Table, [pair, ...others]: readonly Pair[], level: 'warning' | 'error'): DataFault | undefined {
  if (!pair) return undefined;
  const one = ROW_ROWS.identical({ row: pair.second.row, first: pair.first.row });
  const message = others.length === 0 ? one : ROW_ROWS.moreIdentical({ message: one, count: others.length });
  return {
    code: 'map/identical-rows',
    level,
    ...withMessage(message, ROW_ROWS.whichIdentical()),
    origin: originOf(table, pair.second),
  };
}

const NONE: readonly Pair[] = [];

/** Quadratic, for few rows: no allocation until a pair is found. */
function eachWithEach(rows: readonly Row[], hint: { column: number }): readonly Pair[] {
  let found: Pair[] | undefined;
  for (const second of rows) {
    for (const first of rows) {
      // Only with the rows before it, so that each pair is compared once.
      if (first === second) break;
      if (first.cells[hint.column] !== second.cells[hint.column]) continue;
      const other = differenceOf(first, second);
      if (other >= 0) hint.column = other;
      else {
        found ??= [];
        found.push({ first, second });
        break;
      }
    }
  }
  return found ? whole(found) : NONE;
}

/** By the joined texts of the cells; skipped where one column has a different value in each row. */
function byText(rows: readonly Row[]): readonly Pair[] {
  const [one, other] = rows;
  const column = one && other ? differenceOf(one, other) : -1;
  if (column >= 0 && new Set(rows.map(({ cells }) => cells[column])).size === rows.length) return NONE;
  const firsts = new Map<string, Row>();
  const found: Pair[] = [];
  for (const second of rows) {
    // Readers refuse NUL: two rows with different cells never have the same text.
    const text = second.cells.join('\u0000');
    const first = firsts.get(text);
    if (first) found.push({ first, second });
    else firsts.set(text, second);
  }
  return whole(found);
}

function neighbors(rows: readonly Row[]): readonly Pair[] {
  const found: Pair[] = [];
  let first: Row | undefined;
  for (const second of rows) {
    if (first && differenceOf(first, second) < 0) found.push({ first, second });
    first = second;
  }
  return whole(found);
}

/** The first column in which they differ; -1 where they are equal. */
function differenceOf({ cells: one }: Row, { cells: other }: Row): number {
  for (let n = 0; n < one.length; n++) if (one[n] !== other[n]) return n;
  return -1;
}

/** Broken rows have a fault of their own. */
function whole(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.filter(({ first, second }) => !first.broken && !second.broken);
}
