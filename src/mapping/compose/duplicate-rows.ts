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

type Pair = { readonly first: Row; readonly again: Row };

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
  return (rows) => {
    const pairs = rows.length <= FEW ? eachWithEach(rows, hint) : rows.length <= MANY ? byText(rows) : neighbours(rows);
    return pairs.length === 0 ? undefined : faultOf(table, pairs, level);
  };
}

/** One fault for the whole document, at the first repeated row, with the count of the others. */
function faultOf(table: Table, pairs: readonly Pair[], level: 'warning' | 'error'): DataFault {
  const { first, again } = pairs[0]!;
  const told = ROW_ROWS.identical({ row: again.row, first: first.row });
  return {
    code: 'map/identical-rows',
    level,
    ...withMessage(
      pairs.length === 1 ? told : ROW_ROWS.moreIdentical({ message: told, count: pairs.length - 1 }),
      ROW_ROWS.whichIdentical(),
    ),
    origin: originOf(table, again),
  };
}

const NONE: readonly Pair[] = [];

/** Quadratic, for few rows: no allocation until a pair is found. */
function eachWithEach(rows: readonly Row[], hint: { column: number }): readonly Pair[] {
  let found: Pair[] | undefined;
  for (let n = 1; n < rows.length; n++) {
    const again = rows[n]!;
    for (let at = 0; at < n; at++) {
      const first = rows[at]!;
      if (first.cells[hint.column] !== again.cells[hint.column]) continue;
      const other = differenceOf(first, again);
      if (other >= 0) hint.column = other;
      else {
        found ??= [];
        found.push({ first, again });
        break;
      }
    }
  }
  return found ? whole(found) : NONE;
}

/** By the joined texts of the cells; skipped where one column has a different value in each row. */
function byText(rows: readonly Row[]): readonly Pair[] {
  const column = differenceOf(rows[0]!, rows[1]!);
  if (column >= 0 && new Set(rows.map(({ cells }) => cells[column])).size === rows.length) return NONE;
  const firsts = new Map<string, Row>();
  const found: Pair[] = [];
  for (const again of rows) {
    // Readers refuse NUL: two rows with different cells never have the same text.
    const text = again.cells.join('\u0000');
    const first = firsts.get(text);
    if (first) found.push({ first, again });
    else firsts.set(text, again);
  }
  return whole(found);
}

function neighbours(rows: readonly Row[]): readonly Pair[] {
  const found: Pair[] = [];
  for (let n = 1; n < rows.length; n++) {
    const [first, again] = [rows[n - 1]!, rows[n]!];
    if (differenceOf(first, again) < 0) found.push({ first, again });
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
  return pairs.filter(({ first, again }) => !first.broken && !again.broken);
}
