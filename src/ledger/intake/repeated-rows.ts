/**
 * An export of the same bytes that is read again because its mapping asks for the day or for its name: a document of the very
 * rows and number of an earlier one is that document, although the day or the name in it differs. The decision about it in; the
 * same, or that of a repetition, out.
 */
import type { DocumentOutcome } from '../../model/document.ts';
import { isReplaceable, type State } from '../../model/state.ts';
import { text } from '../contract/ledger-context.ts';
import type { AdmissionDecision } from './decide-outcome.ts';
import { findOccupant, type StagingContext, toExistingEntry } from './existing-entries.ts';
import { YEAR_IN_KEY } from './find-key-owner.ts';

type Repeating = {
  readonly repeats: DocumentOutcome['repeats'];
  readonly rows: readonly number[];
  /** The own identity first. */
  readonly keys: readonly string[];
};

/** Never sent again: with the identity of the earlier one a duplicate, with another year in it a conflict. */
export async function decideRepeated(
  staging: StagingContext,
  { repeats, rows, keys }: Repeating,
  decision: AdmissionDecision,
): Promise<AdmissionDecision> {
  const isConflict = decision.what === 'separate' && decision.state === 'conflict';
  if (!repeats || !(isConflict || (decision.what === 'new' && repeats.sameName))) return decision;
  const found = await staging.sql.all(
    'SELECT entry FROM revision WHERE file = ? AND first_row = ? AND source_rows = ? ORDER BY entry',
    ...[repeats.file, rows[0] ?? 0, JSON.stringify(rows)],
  );
  for (const one of found) {
    const first = await findMade(staging, text(one, 'entry'));
    if (first === undefined) continue;
    if (isConflict && decision.first === first) return { what: 'separate', state: 'duplicate', first };
    if (!isConflict && (await differsInYear(staging, first, keys)))
      return { what: 'separate', state: 'conflict', first };
  }
  return decision;
}

/** The document itself, or the one that it repeats; undefined if it may still be replaced. */
async function findMade(staging: StagingContext, id: string): Promise<string | undefined> {
  const occupant = await findOccupant(staging, 'id', id);
  const [entry] = await staging.sql.all('SELECT state, first FROM entry WHERE id = ?', id);
  if (!occupant || !entry) return undefined;
  const isRepetition = entry.state === 'duplicate' || entry.state === 'conflict';
  if (isRepetition && entry.first !== null) return await findMade(staging, text(entry, 'first'));
  return isReplaceable(entry.state as State, toExistingEntry(occupant).hold) ? undefined : id;
}

async function differsInYear({ sql }: StagingContext, entry: string, [own = '']: readonly string[]): Promise<boolean> {
  const [taken] = await sql.all(
    'SELECT keys FROM revision WHERE entry = ? AND keys IS NOT NULL ORDER BY revision DESC LIMIT 1',
    entry,
  );
  const [key = ''] = JSON.parse(taken === undefined ? '[]' : text(taken, 'keys')) as string[];
  const [before, now] = [YEAR_IN_KEY.exec(key), YEAR_IN_KEY.exec(own)];
  return before !== null && now !== null && before[1] === now[1] && before[2] !== now[2];
}
