/** Documents that belong to one: the one that it is a copy of, others with its number, and those that it names. Reads only. */
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import type { Field } from '../preview/preview-files.ts';
import { type DocumentSummary, summarizeDocument } from './document-summary.ts';

/** `first`: it was there before with this identity. `same-number`: a copy, a conflict or another class. `named`: in its references. */
export type RelatedDocument = {
  readonly how: 'first' | 'same-number' | 'named';
  readonly document: DocumentSummary;
};

/** Of each relation. */
const MOST = 20;

/** References of a document: the invoice of a credit note, the note of a remission. */
const REFERENCE = /\/references\/\d+\/identifier$/;

/** `fields`: of its lineage, which have the numbers that it names. */
export async function relatedDocuments(
  ledger: QueryStore,
  { id, first, facts }: LedgerEntry,
  fields: readonly Field[],
): Promise<readonly RelatedDocument[]> {
  const found = new Map<string, RelatedDocument>();
  const add = (how: RelatedDocument['how'], entries: readonly LedgerEntry[]) => {
    for (const entry of entries) {
      if (entry.id !== id && !found.has(entry.id)) found.set(entry.id, { how, document: summarizeDocument(entry) });
    }
  };
  if (first) add('first', await ledger.entriesById([first.id]));
  const named = fields.filter(({ at, value }) => REFERENCE.test(at) && value.startsWith('"'));
  const numbers = named.map(({ value }) => String(JSON.parse(value))).filter((number) => number !== '');
  if (numbers.length > 0) add('named', await entriesCalled(ledger, [...new Set(numbers)].slice(0, MOST)));
  if (facts.identifier !== '') add('same-number', await entriesCalled(ledger, [facts.identifier]));
  return [...found.values()];
}

async function entriesCalled(ledger: QueryStore, ids: readonly string[]): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const entry of ledger.find({ ids, limit: MOST })) entries.push(entry);
  return entries;
}
