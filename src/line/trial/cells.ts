/** The cells a document is made of, as its archived source and the corrections so far have them. Nothing is written. */
import type { Entry } from '../../model/entry.ts';
import { type Fault, SetupError } from '../../model/fault.ts';
import { Unreadable } from '../../reading/reader.ts';
import { isOfCell } from '../correction/aside.ts';
import { type Cells, cellsAgain, sourceOf } from '../correction/reread.ts';
import { REPROCESS } from '../sentences.ts';
import type { Work } from '../work.ts';

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
