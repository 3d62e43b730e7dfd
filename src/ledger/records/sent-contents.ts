/**
 * The contents of an entry that were sent. A ledger that is made of receipts does not have those of before its last correction: none of
 * them is known again, so whatever takes its place waits for a person.
 */
import type { DatabaseRow } from '../../database/database-driver.ts';

/** In place of the digest of an earlier content, of which there is no receipt. */
export const UNKNOWN_CONTENT = '';

/** Digests of the contents of the submissions of `e`; a single revision has one, which the entry names. */
export const SENT_BEFORE = `CASE WHEN e.revision > 1 AND e.submits > 0 THEN (SELECT string_agg(COALESCE(o.digest, ''), ' ') FROM attempt a
  LEFT JOIN revision o ON o.entry = a.entry AND o.revision = a.revision WHERE a.entry = e.id AND a.act = 'submit') END AS sent_before`;

export function sentBefore({ sent_before: digests }: DatabaseRow): readonly string[] | undefined {
  return (digests as string | null)?.split(' ');
}

/** Whether one of the contents that were sent is not known. */
export function hasUnknown(digests: readonly string[] | undefined): boolean {
  return digests?.includes(UNKNOWN_CONTENT) ?? false;
}
