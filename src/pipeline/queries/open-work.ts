/**
 * The work that waits for people, for lists of any size: groups by cause, column, customer or file, and pages by age. The
 * search index answers which documents, the ledger what they are. Reads only.
 */
import type { IdPage, PageRange } from '../../ledger/search/search-documents.ts';
import type { WorkFilter } from '../../ledger/search/search-work.ts';
import { must } from '../../model/must.ts';
import { type Grouping, groupWork, type WorkGroup } from './causes.ts';
import { type DocumentSummary, summarizeDocument } from './document-summary.ts';
import type { SearchPlace } from './find-documents.ts';

/** A group with its documents by id, those that have waited longest first; `first` is the first of them. */
export type OpenWorkGroup = WorkGroup & { readonly first: DocumentSummary };

/** Documents that have waited longest first; `next` is for `after` of the next page, null on the last one. */
export type OpenWorkPage = { readonly documents: readonly DocumentSummary[]; readonly next: string | null };

/** As `errors --group` has them: by count, then by key. Of each group one document is read from the ledger. */
export async function openWorkGroups(
  { index, ledger }: SearchPlace,
  by: Grouping,
  filter: WorkFilter = {},
): Promise<readonly OpenWorkGroup[]> {
  const groups = groupWork(await index.work(filter), by);
  const firstOf = ({ ids }: WorkGroup) => must(ids[0], 'a document of the group');
  const entries = await ledger.entriesById(groups.map(firstOf));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return groups.flatMap((group) => {
    const entry = byId.get(firstOf(group));
    return entry ? [{ ...group, first: summarizeDocument(entry) }] : [];
  });
}

export async function openWorkPage(
  { index, ledger }: SearchPlace,
  filter: WorkFilter,
  range: PageRange,
): Promise<OpenWorkPage> {
  const { ids, next }: IdPage = await index.waiting(filter, range);
  return { documents: (await ledger.entriesById(ids)).map(summarizeDocument), next: next ?? null };
}
