/** Looks up one document by its id alone: `find` also matches numbers and names, which a person may have chosen. */
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';

/** The entry with this id; undefined where the ledger has none. */
export async function findEntry(ledger: Pick<QueryStore, 'find'>, id: string): Promise<LedgerEntry | undefined> {
  for await (const entry of ledger.find({ ids: [id] })) if (entry.id === id) return entry;
  return undefined;
}

/** The entries with these ids, in their order; an id that the ledger does not have is left out. */
export async function findEntries(
  ledger: Pick<QueryStore, 'find'>,
  ids: readonly string[],
): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (const id of ids) {
    const entry = await findEntry(ledger, id);
    if (entry) entries.push(entry);
  }
  return entries;
}
