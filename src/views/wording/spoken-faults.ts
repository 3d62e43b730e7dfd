/**
 * Recorded faults and reasons in the current language of the settings; receipts keep the words of the time when they were written.
 */
import type { Language } from '../../i18n/message.ts';
import type { Attempt } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Fault, localize } from '../../model/fault.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { recordedWords } from '../../model/recorded-words.ts';

/** A copy whose faults have the words of `language`; a fault without a message id keeps its recorded words. */
export function spokenIn<T extends { readonly faults: readonly Fault[] }>(recorded: T, language: Language): T {
  return { ...recorded, faults: localize(recorded.faults, language) };
}

/** A copy of an entry whose faults, hold and attempts have the words of `language`. */
export function entryIn(entry: LedgerEntry, language: Language): LedgerEntry {
  const { hold } = entry;
  return definedOnly({
    ...spokenIn(entry, language),
    hold: hold && { ...hold, says: recordedWords(hold.says, hold, language) },
    attempts: entry.attempts.map((attempt) => ({ ...attempt, ...reasonIn(attempt, language) })),
  });
}

function reasonIn(attempt: Attempt, language: Language): Pick<Attempt, 'reason'> {
  return attempt.reason === undefined ? {} : { reason: recordedWords(attempt.reason, attempt, language) };
}
