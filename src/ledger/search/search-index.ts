/**
 * The search index of an instance: a projection of the ledger in a file of its own, filled when it is asked. The sending
 * path pays nothing for it, and nothing is lost with it. It has numbers, names, amounts and ids, never the content of a
 * document. Errors of the ledger are thrown as by `openLedger`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { damagedLedger } from '../database/damaged-ledger.ts';
import { openDatabase } from '../database/open-database.ts';
import { stateFolder } from '../installation/state-folder.ts';
import { type FillProgress, fillSearchIndex } from './fill-search-index.ts';
import { isDamage, openSearchDatabase, removeSearchIndex } from './search-database.ts';
import {
  type DocumentFilter,
  type IdPage,
  pageOfDocuments,
  type SearchHit,
  searchDocuments,
} from './search-documents.ts';

export type SearchIndex = Disposable & {
  /** Documents that the text finds, at most `limit`, the best first. */
  search(text: string, limit: number): Promise<readonly SearchHit[]>;
  /** Documents under filters, the newest first. */
  page(filter: DocumentFilter, range: { readonly limit: number; readonly after?: string }): Promise<IdPage>;
};

/** Opens the index with all that the ledger has now. A damaged one is made again, once for each question. */
export async function openSearchIndex(instance: string, tell: FillProgress = () => {}): Promise<SearchIndex> {
  const { ledger } = stateFolder(instance);
  const fill = async (index: DatabaseSync) => {
    const db = openDatabase(ledger, { readOnly: true, checked: true });
    try {
      await fillSearchIndex(index, db, tell);
    } finally {
      db.close();
    }
  };
  let index = openSearchDatabase(instance);
  const ask = async <T>(question: () => T | Promise<T>): Promise<T> => {
    try {
      return await question();
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    index.close();
    removeSearchIndex(instance);
    index = openSearchDatabase(instance);
    try {
      await fill(index);
      return await question();
    } catch (error) {
      throw isDamage(error) ? damagedLedger(ledger, (error as Error).message, error) : error;
    }
  };
  try {
    await ask(() => fill(index));
  } catch (error) {
    index.close();
    throw error;
  }
  return {
    search: (text, limit) => ask(() => searchDocuments(index, text, limit)),
    page: (filter, range) => ask(() => pageOfDocuments(index, filter, range)),
    [Symbol.dispose]: () => index.close(),
  };
}
