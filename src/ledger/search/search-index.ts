/**
 * The search index of an instance: a projection of the ledger in a file of its own, filled when it is asked. The sending
 * path pays nothing for it, and nothing is lost with it. It has numbers, names, amounts, ids and causes, never the content
 * of a document. Errors of the ledger are thrown as by `openLedger`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { OpenWork } from '../../model/cause.ts';
import { damagedLedger } from '../database/damaged-ledger.ts';
import { openDatabase } from '../database/open-database.ts';
import { stateFolder } from '../installation/state-folder.ts';
import { type FillProgress, fillProgress, fillStep, isBehind } from './fill-search-index.ts';
import { isDamage, openSearchDatabase, removeSearchIndex } from './search-database.ts';
import {
  type DocumentFilter,
  type IdPage,
  mappingsIn,
  type PageRange,
  pageOfDocuments,
  type SearchHit,
  searchDocuments,
  searchFiles,
} from './search-documents.ts';
import { pageOfWork, selectWork, type WorkFilter } from './search-work.ts';

export type SearchIndex = Disposable & {
  /** No file could be made: it is filled for this process alone. */
  readonly inMemory: boolean;
  /**
   * Does one step toward the ledger of now: at most `most` (200) changes in one commit, some milliseconds. Resolves to
   * false once there is nothing left. Several processes may fill the index at the same time.
   */
  catchUp(most?: number): Promise<boolean>;
  /** Documents that the text finds, at most `limit`, the best first. */
  search(text: string, limit: number): Promise<readonly SearchHit[]>;
  /** Ids of files that the text names, also of refused ones; at most `limit`, the latest first. */
  files(text: string, limit: number): Promise<readonly string[]>;
  /** Ids of all mappings that files were read with. */
  mappings(): Promise<readonly string[]>;
  /** Documents under filters, the newest first. */
  page(filter: DocumentFilter, range: PageRange): Promise<IdPage>;
  /** Documents that wait for a person, those that have waited longest first; `next` is a place, not an id. */
  waiting(filter: WorkFilter, range: PageRange): Promise<IdPage>;
  /** All of them, in the same order. */
  work(filter: WorkFilter): Promise<readonly OpenWork[]>;
};

/** Changes in one commit: while nothing else waits for the thread, and by default in `catchUp`. */
const [MANY, FEW] = [1000, 200];

/** Opens the index with all that the ledger has now. A damaged one is made again, once for each question. */
export async function openSearchIndex(instance: string, tell: FillProgress = () => {}): Promise<SearchIndex> {
  const index = openIndexOf(instance);
  try {
    await index.fill(tell);
  } catch (error) {
    index[Symbol.dispose]();
    throw error;
  }
  return index;
}

/** Opens the index as it is: `catchUp` brings it up to the ledger. */
export function openSearchIndexUnfilled(instance: string): SearchIndex {
  return openIndexOf(instance);
}

function openIndexOf(instance: string): SearchIndex & { fill(tell: FillProgress): Promise<void> } {
  const { ledger } = stateFolder(instance);
  let index = openSearchDatabase(instance);
  const reopen = () => {
    index.db.close();
    index = openSearchDatabase(instance);
  };
  const withLedger = async <T>(work: (db: DatabaseSync) => T | Promise<T>): Promise<T> => {
    const db = openDatabase(ledger, { readOnly: true, checked: true });
    try {
      return await work(db);
    } finally {
      db.close();
    }
  };
  const fill = (tell: FillProgress = () => {}) =>
    withLedger(async (db) => {
      if (!isBehind(index.db, db)) return;
      for (;;) {
        const step = fillStep(index.db, db, MANY);
        if (step === 'done') return;
        if (step === 'reading') tell(...fillProgress(index.db, db));
        await turn();
      }
    });
  const ask = async <T>(question: (db: DatabaseSync) => T | Promise<T>): Promise<T> => {
    try {
      if (!index.isCurrent()) {
        reopen();
        await fill();
      }
      return await question(index.db);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    index.db.close();
    removeSearchIndex(instance);
    index = openSearchDatabase(instance);
    try {
      await fill();
      return await question(index.db);
    } catch (error) {
      throw isDamage(error) ? damagedLedger(ledger, (error as Error).message, error) : error;
    }
  };
  return {
    get inMemory() {
      return index.inMemory;
    },
    fill: (tell) => ask(() => fill(tell)),
    catchUp: (most = FEW) => ask((db) => withLedger((of) => isBehind(db, of) && fillStep(db, of, most) !== 'done')),
    search: (text, limit) => ask((db) => searchDocuments(db, text, limit)),
    files: (text, limit) => ask((db) => searchFiles(db, text, limit)),
    mappings: () => ask(mappingsIn),
    page: (filter, range) => ask((db) => pageOfDocuments(db, filter, range)),
    waiting: (filter, range) => ask((db) => pageOfWork(db, filter, range)),
    work: (filter) => ask((db) => selectWork(db, filter)),
    [Symbol.dispose]: () => index.db.close(),
  };
}
