/**
 * Documents that a purge has removed with their content, each by its rows in an export: where a replaced ledger reads the export again, or
 * has the document of before the purge, nothing of it comes back. They are kept as texts next to the identities.
 */
import { format, type Language } from '../../i18n/message.ts';
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { Purged } from '../../model/ledger-entry.ts';
import { sha256Hex } from '../../text/sha256.ts';

/** `keys`: its identities, of which none may be readable. The same bytes under another name, or of another day, may be other documents. */
type PurgedRows = { readonly sha256: string; readonly rows: readonly number[]; readonly keys: readonly string[] };

/** No identity has this form: each of those begins with a service. */
export function purgedRowsTexts({ sha256, rows, keys }: PurgedRows, isOfSubject: boolean): readonly string[] {
  const place = `${isOfSubject ? 'subject' : 'age'} ${sha256} ${sha256Hex(JSON.stringify(rows))}`;
  return keys.length === 0 ? [place] : keys.map((key) => `${place} ${key}`);
}

/** What the ledger records of such a document; who purged it, and why, it does not know. Undefined if no purge has removed it. */
export function purgedBefore(
  isPurged: ((text: string) => boolean) | undefined,
  of: PurgedRows,
  { at, language }: { readonly at: Date; readonly language: Language },
): Purged | undefined {
  if (!isPurged) return undefined;
  const isOfSubject = purgedRowsTexts(of, true).some(isPurged);
  if (!isOfSubject && !purgedRowsTexts(of, false).some(isPurged)) return undefined;
  const reason = format(LEDGER_HOLD.purgedBefore(), language);
  return {
    ...{ what: ['receipts', 'content'], at: at.toISOString(), by: 'nightpost', reason },
    ...(isOfSubject && { ofSubject: true }),
  };
}
