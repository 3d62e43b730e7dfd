/**
 * A totals row that the mapping does not leave out becomes a document of its own, in which everything is wrong. A row
 * that is half empty and has "Total" in a cell gets the one fault `map/totals-row` in place of all of these.
 */

import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { originOf, type Row, type Table } from '../../model/row.ts';
import { totalsCell } from '../../text/totals-cell.ts';

/** `map/totals-row`; undefined for any other row. */
export function totalsRowFault(table: Table, row: Row): DataFault | undefined {
  const at = totalsCell(row);
  if (at === undefined) return undefined;
  const text = (row.cells[at] ?? '').trim();
  return {
    code: 'map/totals-row',
    level: 'error',
    ...withMessage(
      ROW_ROWS.totals({ row: row.row, text }),
      ROW_ROWS.leaveTotalsOut({ rule: `[{ column: ${table.columns[at]}, equals: "${text}" }]` }),
    ),
    given: text,
    origin: originOf(table, row, at),
  };
}
