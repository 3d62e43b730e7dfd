/** The documents that wait for the same reason as one, and its place among them. Reads the search index only. */
import { causeOf } from '../../model/cause.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { groupWork } from './causes.ts';
import type { SearchPlace } from './find-documents.ts';

/** `key` as `--cause` takes it. `at`: place of the document among `count`, from 1. `previous`, `next`: ids. */
export type CauseNeighbors = {
  readonly key: string;
  readonly count: number;
  readonly at: number;
  readonly previous?: string;
  readonly next?: string;
};

/** Undefined for a document that waits for no one. */
export async function causeNeighbors(
  { index }: Pick<SearchPlace, 'index'>,
  entry: LedgerEntry,
): Promise<CauseNeighbors | undefined> {
  const alike = await index.work({ cause: causeOf(entry) });
  const group = groupWork(alike, 'cause').find(({ ids }) => ids.includes(entry.id));
  if (!group) return undefined;
  const { key, count, ids } = group;
  const at = ids.indexOf(entry.id);
  return definedOnly({ key, count, at: at + 1, previous: ids[at - 1], next: ids[at + 1] });
}
