/**
 * Finds documents by what a person has in hand (a number, a name, an amount, an id, a file), and lists them under
 * filters, a page at a time. The search index answers which, the ledger what they are. Reads only.
 */

import { z } from 'zod';
import { ledgerSiteOf, type SiteOwner } from '../../instance/ledger-site-of.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { definedOnly, type Exact } from '../../model/defined-only.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { CLOSED_CHOICES, type DocumentFilter, SEARCH_MATCHES } from '../../search/search-documents.ts';
import {
  bringIndexUp,
  type OpenDocuments,
  openOpenDocuments,
  openSearchIndex,
  type SearchIndex,
} from '../../search/search-index.ts';
import { amountTermsIn } from '../../search/search-terms.ts';
import { documentShape, summarizeDocument } from './document-summary.ts';
import { type FileSummary, summarizeFiles } from './file-summary.ts';

/** `match`: which of its values has the text. */
export const foundDocumentShape = documentShape.extend({ match: z.enum(SEARCH_MATCHES) });
export type FoundDocument = Exact<z.infer<typeof foundDocumentShape>>;

/** `more`: there are others, which the limit leaves out. `files` are those with the text in their name, the latest first. */
export type FoundDocuments = {
  readonly documents: readonly FoundDocument[];
  readonly files: readonly FileSummary[];
  readonly more: boolean;
};

export const documentListShape = z.strictObject({
  documents: z.array(documentShape),
  next: z.string().nullable().describe('for after; null on the last page'),
});
export type DocumentList = Exact<z.infer<typeof documentListShape>>;

export { CLOSED_CHOICES };

/** `night`: a run: documents of the exports that its report has. */
export type DocumentListFilter = Omit<DocumentFilter, 'files'> & { readonly night?: string };

/** Where to look: the index has to be of the same instance as the ledger. */
export type SearchPlace = { readonly index: SearchIndex; readonly ledger: Pick<Ledger, 'queries'> };

/** The index with all that the ledger has now; `onProgress` follows the first filling, which takes a minute at 300,000. */
export function openSearchIndexOf(
  instance: SiteOwner,
  onProgress?: (done: number, all: number) => void,
): Promise<SearchIndex> {
  return openSearchIndex(ledgerSiteOf(instance), onProgress);
}

/** The documents that wait, or are in contingency, now. */
export function openDocumentsOf(instance: SiteOwner): Promise<OpenDocuments> {
  return openOpenDocuments(ledgerSiteOf(instance));
}

/** After a night, so that the first search of the morning need not wait for it. What keeps it from that is met by that search. */
export async function bringSearchUp(instance: SiteOwner, stop: AbortSignal): Promise<void> {
  await bringIndexUp(ledgerSiteOf(instance), stop).catch(() => undefined);
}

/** Files in one answer: their documents are the rest of it. */
const MOST_FILES = 5;

/** The best first, at most `limit`. A copy (state duplicate) comes after the documents. */
export async function findDocuments(
  { index, ledger }: SearchPlace,
  text: string,
  limit: number,
): Promise<FoundDocuments> {
  const hits = await index.search(text, limit + 1);
  const matches = new Map(hits.map(({ id, match }) => [id, match]));
  const entries = await ledger.queries.entriesById([...matches.keys()]);
  const documents = [...entries.filter(isDocument), ...entries.filter((entry) => !isDocument(entry))].map((entry) => ({
    ...summarizeDocument(entry),
    match: matches.get(entry.id) ?? 'words',
  }));
  const files = await filesNamed({ index, ledger }, text);
  return { documents: documents.slice(0, limit), files, more: documents.length > limit };
}

/** Files with this id or name, or with names that begin with it or have it inside; also refused ones. */
export async function filesNamed({ index, ledger }: SearchPlace, text: string): Promise<readonly FileSummary[]> {
  return await summarizeFiles(ledger.queries, await ledger.queries.filesById(await index.files(text, MOST_FILES)));
}

function isDocument({ state }: LedgerEntry): boolean {
  return state !== 'duplicate';
}

/** The newest first. */
export async function listDocuments(
  { index, ledger }: SearchPlace,
  { night, ...filter }: DocumentListFilter,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<DocumentList> {
  const files = night === undefined ? undefined : (await ledger.queries.filesOfNight(night)).map(({ id }) => id);
  const { ids, next } = await index.page(definedOnly({ ...filter, files }), definedOnly({ limit, after }));
  const documents = (await ledger.queries.entriesById(ids)).map(summarizeDocument);
  return { documents, next: next ?? null };
}

/** Whether a typed text is an amount: 134.50, 134,50, 1 234,50. */
export function isTypedAmount(text: string): boolean {
  return amountTermsIn(text).length > 0;
}
