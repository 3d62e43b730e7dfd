/** When each service last answered, and how: from the latest documents of it, whatever the size of the ledger. Reads only. */
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { SearchIndex } from '../../search/search-index.ts';

/** `at`: when the request began, ISO 8601. `code`: of the service, absent in an answer without one. */
export type LastAnswer = { readonly at: string; readonly http: number; readonly code?: number };

type Place = {
  readonly ledger: { readonly queries: Pick<QueryStore, 'entriesById'> };
  readonly index: Pick<SearchIndex, 'page'>;
};

/** Documents that are looked at for each service, those that were admitted last. */
const LATEST = 50;

/** By service; one that never answered is absent. */
export async function lastAnswers(
  { ledger, index }: Place,
  services: readonly string[],
): Promise<ReadonlyMap<string, LastAnswer>> {
  const found = new Map<string, LastAnswer>();
  for (const service of services) {
    const { ids } = await index.page({ service }, { limit: LATEST });
    const attempts = (await ledger.queries.entriesById(ids)).flatMap((entry) => entry.attempts);
    for (const { at, http, code } of attempts) {
      const known = found.get(service);
      if (http === undefined || (known && known.at >= at)) continue;
      found.set(service, { at, http, ...(code !== undefined && { code }) });
    }
  }
  return found;
}
