/** The cells of a document, from its archived source with all corrections so far. Nothing is written. */

import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import { type Fault, OperatorError } from '../../model/fault.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { isOfCell } from '../../model/set-aside-rows.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { type Cells, type ReprocessContext, readCells, reconvertSourceOf } from '../reprocessing/reconvert-source.ts';

/** One entry per row of the document, in the order of the file. Throws OperatorError fix/cannot-read. */
export async function readDocumentCells(context: ReprocessContext, entry: LedgerEntry): Promise<readonly Cells[]> {
  const id = entry.file.rereads ?? entry.file.id;
  const source = await reconvertSourceOf(context, must(await context.ledger.sourceFile(id), 'the file of an entry'));
  if ('fault' in source) throw cannotRead(entry, [source.fault]);
  const corrections = (await context.ledger.correctionsOf(id)).filter(isOfCell);
  const claimedAt = context.clock.now().toISOString();
  try {
    return await readCells(context, { source, claimedAt, corrections, rows: new Set(entry.rows) });
  } catch (error) {
    if (error instanceof UnreadableFileError) throw cannotRead(entry, error.faults);
    throw error;
  }
}

function cannotRead({ facts, name }: LedgerEntry, faults: readonly Fault[]): OperatorError {
  return new OperatorError('fix/cannot-read', REPROCESS.cannotRead({ document: facts.identifier || name }), {
    faults,
    hint: REPROCESS.nothingChanged(),
  });
}
