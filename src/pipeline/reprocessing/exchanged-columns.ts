/**
 * Two columns of a correction file whose names a person has exchanged: each has the stored cells of the other one. The
 * cells of each row in, the names of two such columns out. A single row proves nothing: there the cells may be meant.
 */
import { isSameNumber, isSameText } from '../../readers/spreadsheet-damage.ts';

/** `cell`: what the file gives; undefined where it has no such column. */
type ComparedCell = { readonly column: string; readonly stored: string; readonly cell: string | undefined };

type Exchange = { readonly columns: readonly [string, string]; rows: number };

const FEWEST_ROWS = 2;

/** `found`: columns that are exchanged in at least half of all rows, and unchanged in the others. */
export function watchExchanges() {
  const exchanges = new Map<string, Exchange>();
  const unchanged = new Map<string, number>();
  let rows = 0;
  const see = (cells: readonly ComparedCell[]): void => {
    rows++;
    const changed: ComparedCell[] = [];
    for (const one of cells) {
      if (one.cell === undefined || isSame(one.stored, one.cell))
        unchanged.set(one.column, (unchanged.get(one.column) ?? 0) + 1);
      else changed.push(one);
    }
    for (const [n, one] of changed.entries()) {
      for (const other of changed.slice(n + 1)) if (isExchanged(one, other)) count(one.column, other.column);
    }
  };
  const count = (...columns: readonly [string, string]) => {
    const key = JSON.stringify(columns);
    const known = exchanges.get(key) ?? { columns, rows: 0 };
    known.rows++;
    exchanges.set(key, known);
  };
  const found = (): Exchange['columns'] | undefined => {
    for (const { columns, rows: own } of exchanges.values()) {
      const isWhole = columns.every((column) => own + (unchanged.get(column) ?? 0) === rows);
      if (own >= FEWEST_ROWS && own * 2 >= rows && isWhole) return columns;
    }
    return undefined;
  };
  return { see, found };
}

function isExchanged(one: ComparedCell, other: ComparedCell): boolean {
  return isSame(other.stored, one.cell ?? '') && isSame(one.stored, other.cell ?? '');
}

function isSame(stored: string, given: string): boolean {
  return isSameText(stored, given) || isSameNumber(stored, given);
}
