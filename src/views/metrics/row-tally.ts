/**
 * Rows without a place, over all exports of the ledger at a small cost: each count looks at the new exports, at those that had
 * such rows, and at the next part of all others. The tally is carried from count to count. Reads only.
 */
import { z } from 'zod';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { accountFiles } from '../queries/file-accounts.ts';

export const rowTallyShape = z.strictObject({
  /** Id of the newest export that was counted. */
  newest: z.string().optional(),
  /** The next part begins before this export; absent: at the newest one. */
  before: z.string().optional(),
  /** Rows without a place, or in two, by the id of their export. */
  open: z.record(z.string(), z.int().min(1)),
});

/** What is known of the rows of all exports. */
export type RowTally = z.infer<typeof rowTallyShape>;

export const NO_ROWS: RowTally = { open: {} };

/** Exports that every count looks at, new ones at most, and others of the round. */
const [LATEST, MOST_NEW, PART] = [20, 500, 200];

/** The holder of the lock goes on with the round; a look counts the latest exports alone. */
export async function tallyRows(
  place: { readonly instance: Instance; readonly ledger: Ledger; readonly isHolder: boolean },
  { newest, before, open }: RowTally,
): Promise<RowTally> {
  const { ledger, isHolder } = place;
  const latest = await ledger.queries.files({ whole: true, limit: isHolder ? MOST_NEW : LATEST });
  const recent = latest.filter(({ id }, n) => n < LATEST || newest === undefined || id > newest);
  const part = isHolder
    ? await ledger.queries.files({ whole: true, limit: PART, ...(before && { after: before }) })
    : [];
  const known = await ledger.queries.filesById(Object.keys(open));
  const files = new Map<string, SourceFile>([...recent, ...part, ...known].map((file) => [file.id, file]));
  const counted = [...files.values()].filter(({ state }) => state === 'admitted');
  const accounts = await accountFiles(place, counted);
  const now = new Map(Object.entries(open));
  for (const [n, { id }] of counted.entries()) {
    const account = accounts[n];
    if (!account) continue;
    const rows = account.rows.unaccounted.count + account.rows.twice.count;
    if (rows > 0) now.set(id, rows);
    else now.delete(id);
  }
  const end = part.length === PART ? part.at(-1)?.id : undefined;
  const first = latest[0]?.id ?? newest;
  return { open: Object.fromEntries(now), ...(first && { newest: first }), ...(end && { before: end }) };
}
