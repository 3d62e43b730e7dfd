/**
 * A header that lacks most columns of the mapping in; one fault out, instead of one for each missing column. Undefined
 * where the header is plausible.
 */

import { HEADER } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import type { Row, Table } from '../../model/row.ts';
import { namesOf } from '../expressions/columns.ts';
import type { Columns } from '../expressions/expression-types.ts';

/** `map/other-header` where less than a quarter of at least five columns is there: another file, not misspelt names. */
export function otherHeader({ slots }: Columns, table: Table): DataFault | undefined {
  const wanted = slots.filter(({ calculated }) => !calculated).map(({ name }) => name);
  const there = wanted.filter((name) => table.columns.includes(name));
  if (wanted.length < 5 || there.length * 4 >= wanted.length) return undefined;
  const first = table.columns.slice(0, 6).join(', ');
  const shown = first.length > 80 || table.columns.length > 6 ? `${first.slice(0, 80)}, ...` : first;
  return {
    code: 'map/other-header',
    level: 'error',
    ...withMessage(
      HEADER.other({
        has: namesOf(table),
        there: there.length === 0 ? HEADER.none() : HEADER.only({ count: there.length }),
        count: wanted.length,
        shown,
      }),
      HEADER.correctHeader(),
    ),
    origin: { file: table.file, row: table.header ?? 1 },
  };
}

/** Rows after the header that are searched for a header. */
const NEAR = 5;

/**
 * `map/header-elsewhere` where a row near the header has three quarters of the names, and more than the header itself.
 */
export function headerElsewhere({ slots }: Columns, table: Table, rows: readonly Row[]): DataFault | undefined {
  const { header, above } = table;
  const wanted = slots.filter(({ calculated }) => !calculated).map(({ name }) => name);
  const found = (cells: readonly string[]) => {
    const names = new Set(cells.map((cell) => cell.trim()));
    return wanted.filter((name) => names.has(name)).length;
  };
  const here = found(table.columns);
  if (header === undefined || here === wanted.length) return undefined;
  const before = above ? [{ row: header - 1, cells: above }] : [];
  const after = rows.slice(0, NEAR).map(({ row, cells, whole }) => ({ row, cells: whole ?? cells }));
  const other = [...after, ...before].find(({ cells }) => {
    const there = found(cells);
    return there > here && there >= 2 && there * 4 >= wanted.length * 3;
  });
  if (!other) return undefined;
  return {
    code: 'map/header-elsewhere',
    level: 'error',
    ...withMessage(HEADER.elsewhere({ row: other.row, header }), HEADER.moveHeader({ row: other.row, header })),
    origin: { file: table.file, row: other.row },
  };
}
