/**
 * Documents of one file that have the same number and differ: one document whose rows spell its number in two ways
 * looks like two. Nightpost sends none of them without a person; the first one, which keeps the number, is held.
 */

import type { Statements } from '../../database/database-driver.ts';
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { Hold } from '../../model/document.ts';
import { holdOf, readStoredHold, storedHold } from '../../model/recorded-words.ts';
import { type LedgerContext, optional, valueIn } from '../contract/ledger-context.ts';
import { combineHolds } from '../records/combine-holds.ts';
import type { ExistingEntry } from './decide-outcome.ts';

/** The hold of a document whose number is twice in its file; the reason of `other`, an earlier hold, is kept with it. */
export function numberTwiceHold(context: Pick<LedgerContext, 'language'>, other?: Hold): Hold {
  return combineHolds(context, holdOf('number-twice', LEDGER_HOLD.numberTwice(), context.language), other);
}

/** Holds entries that the file being read has staged and that would be sent. A reason that they have already is kept. */
export async function holdStaged(
  { sql, context }: { readonly sql: Statements; readonly context: Pick<LedgerContext, 'language'> },
  entries: readonly string[],
  own: Hold = numberTwiceHold(context),
): Promise<void> {
  for (const entry of entries) {
    const [row] = await sql.all('SELECT revision, hold FROM staged WHERE entry = ?', entry);
    if (!row) throw new Error(`entry ${entry} is not staged`);
    const { other } = optional('other', row.hold, readStoredHold);
    const hold = storedHold(combineHolds(context, own, other));
    await sql.run(
      `UPDATE revision SET outcome = 'held' WHERE entry = ? AND revision = ?`,
      entry,
      valueIn(row, 'revision'),
    );
    await sql.run('UPDATE staged SET hold = ? WHERE entry = ?', hold, entry);
  }
}

/** Documents to correct that came with this one, in the same file, under the same number. */
const BESIDE = `SELECT e.id FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = 1
  JOIN revision o ON o.entry = e.first AND o.revision = 1 AND o.file = r.file WHERE e.first = ? AND e.state = 'conflict'`;

/**
 * When it is reprocessed, it stays held while such a document exists; this does not find the invalid ones, so a person
 * has to release it.
 */
export async function isNumberStillTwice(
  sql: Statements,
  { entry, hold }: Pick<ExistingEntry, 'entry' | 'hold'>,
  absorbed: readonly string[],
): Promise<boolean> {
  const left = (await sql.all(BESIDE, entry)).filter(({ id }) => !absorbed.includes(id as string));
  return left.length > 0 || (hold === 'number-twice' && absorbed.length === 0);
}
