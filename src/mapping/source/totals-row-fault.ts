/**
 * A totals row that the mapping does not leave out becomes a document of its own, in which everything is wrong. A row
 * that is half empty and has "Total" in a cell gets the one fault `map/totals-row` in place of all of these.
 */

import { ROW_ROWS } from '../../i18n/messages/mapping-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { originOf, type Row, type Table } from '../../model/row.ts';

const TOTAL =
  /^(?:(?:sous|grand|sub|general)[\s-]*)?(?:tota(?:l|ux|les)|somme|suma|sum|cumul)(?:[\s:.]|general|generaux|ht|ttc|tva|net|eur|\d|factures?|documents?|invoices?)*$/;

/** Index of the cell with "Total" or its like; undefined for any other row. */
export function totalsCell({ cells }: Row): number | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '').length;
  if (filled === 0 || filled * 2 > cells.length) return undefined;
  const at = cells.findIndex((cell) => cell.length <= 40 && TOTAL.test(plain(cell)));
  return at < 0 ? undefined : at;
}

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

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
