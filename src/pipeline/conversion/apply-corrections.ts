/**
 * Rows with the cells that a person has corrected, between the reader and the mapping: a reader's batches come in and go
 * out. The source itself stays as it was dropped.
 */

import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import type { Correction } from '../../model/ledger-entry.ts';
import type { Batch, Row, Table } from '../../model/row.ts';
import { isOfCell, rowsLeftOut } from '../../model/set-aside-rows.ts';
import { UnreadableFileError } from '../../readers/reader.ts';

export function corrected(batches: AsyncIterable<Batch>, corrections: readonly Correction[]): AsyncIterable<Batch> {
  return corrections.length === 0 ? batches : correcting(batches, corrections);
}

async function* correcting(batches: AsyncIterable<Batch>, corrections: readonly Correction[]): AsyncIterable<Batch> {
  const byRow = new Map<number, Correction[]>();
  const left = rowsLeftOut(corrections);
  for (const one of corrections.filter(isOfCell)) byRow.set(one.row, [...(byRow.get(one.row) ?? []), one]);
  for await (const batch of batches) {
    const kept = left.size === 0 ? batch.rows : batch.rows.filter(({ row }) => !left.has(row));
    const rows = kept.map((row) => {
      const own = byRow.get(row.row);
      return own ? withCells(batch.table, row, own) : row;
    });
    yield { ...batch, rows };
  }
}

/** In the order they were made, so that the last one of a cell counts. */
function withCells(table: Table, row: Row, corrections: readonly Correction[]): Row {
  const cells = [...row.cells];
  for (const one of corrections) {
    const at = table.columns.indexOf(one.column);
    if (at < 0) throw new UnreadableFileError([columnGone(table, one)]);
    cells[at] = one.to;
  }
  return { ...row, cells };
}

function columnGone({ file, columns }: Table, { row, column, by }: Correction): DataFault {
  return {
    code: 'reprocess/no-such-column',
    level: 'error',
    ...withMessage(REPROCESS.noColumn({ by, column, row }), REPROCESS.correctSource({ columns })),
    origin: { file, row },
  };
}
