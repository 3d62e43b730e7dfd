/** The document that an address names, by its id, its number, that of the ERP or its receipt name. Throws ScreenError 404. */
import { DOCUMENT_PAGE } from '../../../i18n/messages/console/console-document-messages.ts';
import type { QueryStore } from '../../../ledger/contract/query-store.ts';
import type { LedgerEntry } from '../../../model/ledger-entry.ts';
import { type ScreenContext, ScreenError } from '../../server/screen-context.ts';

/** Several may have one number: copies, another class, another year. At least one. */
export async function documentsCalled(ledger: QueryStore, name: string): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  const ids = [name, ...(await ledger.idsOfSourceNumber(name))];
  for await (const entry of ledger.find({ ids, limit: 100 })) entries.push(entry);
  if (entries.length === 0) throw new ScreenError({ status: 404, message: DOCUMENT_PAGE.noSuch({ name }) });
  return entries;
}

/** The document with the id in the path, for what belongs to one document alone. */
export async function documentOfPath({ ledger, params }: ScreenContext): Promise<LedgerEntry> {
  const id = (params.id ?? '').replace(/\.zip$/, '');
  const [entry] = await ledger.queries.entriesById([id]);
  if (!entry) throw new ScreenError({ status: 404, message: DOCUMENT_PAGE.noSuch({ name: id }) });
  return entry;
}
