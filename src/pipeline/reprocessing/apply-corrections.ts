/**
 * Corrected cells and rows, as a change of each batch of rows between the reader and the mapping. The source itself
 * stays as it was dropped.
 */
import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import type { Correction } from '../../model/ledger-entry.ts';
import type { Batch, Row, Table } from '../../model/row.ts';
import { isOfCell, rowsForgotten, rowsLeftOut } from '../../model/set-aside-rows.ts';
import type { CellValues } from '../../readers/join-files.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import type { TransformBatch } from '../conversion/convert-file.ts';

/**
 * Undefined if nothing is corrected. The result throws UnreadableFileError (reprocess/no-such-column) if a corrected
 * column is gone.
 */
export function correctBatches(corrections: readonly Correction[]): TransformBatch | undefined {
  if (corrections.length === 0) return undefined;
  const byRow = cellsByRow(corrections);
  const left = new Set([...rowsLeftOut(corrections), ...rowsForgotten(corrections)]);
  const correct = (batch: Batch): Batch => {
    const kept = left.size === 0 ? batch.rows : batch.rows.filter(({ row }) => !left.has(row));
    const rows = kept.map((row) => {
      const own = byRow.get(row.row);
      return own ? withCells(batch.table, row, own) : row;
    });
    return { ...batch, rows };
  };
  return Object.assign(correct, { valuesOf: correctedValues(corrections) });
}

function cellsByRow(corrections: readonly Correction[]): ReadonlyMap<number, readonly Correction[]> {
  return Map.groupBy(corrections.filter(isOfCell), ({ row }) => row);
}

/** What people have written into each cell, by which a line finds its header. */
export function correctedValues(corrections: readonly Correction[]): CellValues {
  const byRow = cellsByRow(corrections);
  return (row, column) =>
    (byRow.get(row) ?? [])
      .filter((one) => one.column === column)
      .map(({ to }) => to)
      .reverse();
}

/** In the order of the corrections, so that the last one of a cell counts. */
function withCells(table: Table, row: Row, corrections: readonly Correction[]): Row {
  const cells = [...row.cells];
  const corrected = new Set<number>();
  for (const one of corrections) {
    const at = table.columns.indexOf(one.column);
    if (at < 0) throw new UnreadableFileError([columnGone(table, one)]);
    cells[at] = one.to;
    corrected.add(at);
  }
  const whole = { ...row, cells, uncorrected: row.cells };
  return row.badCells ? withoutBadCells(whole, row.badCells, corrected) : whole;
}

/** A row that only its corrected cells broke is whole again; else it stays broken by the next one. */
function withoutBadCells(row: Row, bad: NonNullable<Row['badCells']>, corrected: ReadonlySet<number>): Row {
  const { broken: _, badCells: __, readable: ___, ...whole } = row;
  const badCells = bad.filter(({ column }) => !corrected.has(column));
  const [next] = badCells;
  return next ? { ...row, broken: next.fault, badCells } : whole;
}

function columnGone({ file, columns }: Table, { row, column, by }: Correction): DataFault {
  return {
    code: 'reprocess/no-such-column',
    level: 'error',
    ...withMessage(REPROCESS.noColumn({ by, column, row }), REPROCESS.correctSource({ columns })),
    origin: { file, row },
  };
}
