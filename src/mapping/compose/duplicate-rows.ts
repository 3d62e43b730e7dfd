/**
 * Rows of one document that are the same in every column: nothing tells such a line from one that was exported twice.
 * Two parcels may be like that, so by itself it is a warning; the mapping knows better (documents: identical-rows).
 *
 * Every document goes through here, and hardly one has such rows: a column in which rows differ is remembered, so that most
 * pairs are told apart by one look.
 */

import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { originOf, type Row, type Table } from '../../model/row.ts';

export type IdenticalRows = 'warning' | 'error' | 'allowed';

type Pair = { readonly first: Row; readonly again: Row };

/** Of so few rows each is compared with each. */
const FEW = 8;
/** Of more than these only neighbours are compared: all texts of a file would be in memory once more. */
const MANY = 10_000;

/** For the documents of one file. */
export function identicalRowsIn(
  table: Table,
  level: IdenticalRows,
): ((rows: readonly Row[]) => DataFault | undefined) | undefined {
  if (level === 'allowed') return undefined;
  // The column that told the last rows apart, a line number mostly, tells the next ones apart too.
  const hint = { column: 0 };
  return (rows) => {
    const pairs = rows.length <= FEW ? eachWithEach(rows, hint) : rows.length <= MANY ? byText(rows) : neighbours(rows);
    return pairs.length === 0 ? undefined : faultOf(table, pairs, level);
  };
}

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

function byText(rows: readonly Row[]): readonly Pair[] {
  const column = differenceOf(rows[0]!, rows[1]!);
  if (column >= 0 && new Set(rows.map(({ cells }) => cells[column])).size === rows.length) return NONE;
  const firsts = new Map<string, Row>();
  const found: Pair[] = [];
  for (const again of rows) {
    // Readers refuse NUL: no two rows of other cells have one text.
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

/** The first column in which they differ; -1 where there is none. */
function differenceOf({ cells: one }: Row, { cells: other }: Row): number {
  for (let n = 0; n < one.length; n++) if (one[n] !== other[n]) return n;
  return -1;
}

/** Of broken rows more is told than that they are alike. */
function whole(pairs: readonly Pair[]): readonly Pair[] {
  return pairs.filter(({ first, again }) => !first.broken && !again.broken);
}
