/** The cells a document is made of, as its archived source and the corrections so far have them. Nothing is written. */

import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import { type Fault, SetupError } from '../../model/fault.ts';
import type { Entry } from '../../model/ledger-entry.ts';
import { isOfCell } from '../../model/set-aside-rows.ts';
import { Unreadable } from '../../readers/reader.ts';
import type { Work } from '../context/run-context.ts';
import { type Cells, cellsAgain, sourceOf } from '../reprocessing/reconvert-source.ts';

export async function cellsOf(
  hands: Pick<Work, 'instance' | 'ledger' | 'clock'>,
  entry: Entry,
): Promise<readonly Cells[]> {
  const id = entry.file.rereads ?? entry.file.id;
  const source = await sourceOf(hands, (await hands.ledger.sourceFile(id))!);
  if ('fault' in source) throw cannotRead(entry, [source.fault]);
  const corrections = (await hands.ledger.correctionsOf(id)).filter(isOfCell);
  const claimedAt = hands.clock.now().toISOString();
  try {
    return await cellsAgain(hands, { source, claimedAt, corrections, rows: new Set(entry.rows) });
  } catch (error) {
    if (error instanceof Unreadable) throw cannotRead(entry, error.faults);
    throw error;
  }
}

function cannotRead({ facts, name }: Entry, faults: readonly Fault[]): SetupError {
  return new SetupError('fix/cannot-read', REPROCESS.cannotRead({ document: facts.identifier || name }), {
    faults,
    hint: REPROCESS.nothingChanged(),
  });
}
