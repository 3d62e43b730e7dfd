/**
 * The search index of an instance: a projection of the ledger in a file of its own, filled when it is asked. The sending
 * path pays nothing for it, and nothing is lost with it. It has numbers, names, amounts, ids and causes, never the content
 * of a document. Errors of the ledger are thrown as by `openLedger`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { OpenWork } from '../../model/cause.ts';
import type { State } from '../../model/state.ts';
import type { LedgerSite } from '../contract/ledger-site.ts';
import { damagedLedger } from '../database/damaged-ledger.ts';
import { type FillProgress, fillProgress, fillStep, isFilledOnce, isReading } from './fill-search-index.ts';
import { keepWork } from './kept-work.ts';
import type { LedgerReader } from './ledger-source.ts';
import { openLedgerReader } from './open-reader.ts';
import { isDamage, openSearchDatabase, removeSearchIndex, searchIndexFile } from './search-database.ts';
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
import { longestIn, type WorkFilter } from './search-work.ts';

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
  /** Documents that wait for a person, those that have waited longest first; the same array as long as nothing changes. */
  work(filter: WorkFilter): Promise<readonly OpenWork[]>;
  /** Ids of documents in this state, which may be one that waits for no person: those that are in it longest, at most `limit`. */
  longestIn(state: State, limit: number): Promise<readonly string[]>;
};

/** Changes in one commit: while nothing else waits for the thread, and by default in `catchUp`. */
const [MANY, FEW] = [1000, 200];

/** Opens the index with all that the ledger has now. A damaged one is made again, once for each question. */
export async function openSearchIndex(site: LedgerSite, onProgress: FillProgress = () => {}): Promise<SearchIndex> {
  const index = openIndexOf(site);
  try {
    await index.fill(onProgress);
  } catch (error) {
    index[Symbol.dispose]();
    throw error;
  }
  return index;
}

/** Questions cannot be answered before everything was read once. */
export class SearchNotReadyError extends Error {
  readonly done: number;
  readonly all: number;

  constructor([done, all]: Parameters<FillProgress>) {
    super(`${done} of ${all} documents are in the search index`);
    this.name = 'SearchNotReady';
    this.done = done;
    this.all = all;
  }
}

/**
 * Opens the index as it is: `catchUp` brings it up to the ledger. Its questions throw SearchNotReadyError until everything was
 * read once, also after another process has removed the file.
 */
export function openSearchIndexUnfilled(site: LedgerSite): SearchIndex {
  return openIndexOf(site, 'unfilled');
}

function openIndexOf(
  site: LedgerSite,
  by?: 'unfilled',
): SearchIndex & { fill(onProgress: FillProgress): Promise<void> } {
  let index = openSearchDatabase(site);
  let hasRead = false;
  const kept = keepWork();
  const reopen = () => {
    index.db.close();
    hasRead = false;
    index = openSearchDatabase(site);
  };
  const withLedger = async <T>(work: (ledger: LedgerReader) => Promise<T>): Promise<T> => {
    const ledger = await openLedgerReader(site);
    try {
      return await work(ledger);
    } finally {
      await ledger.close();
    }
  };
  const fill = (onProgress: FillProgress = () => {}) =>
    withLedger(async (ledger) => {
      for (;;) {
        const step = await fillStep(index.db, ledger, MANY);
        if (step === 'done') return;
        if (step === 'reading') onProgress(...(await ledger.read((source) => fillProgress(index.db, source))));
        await turn();
      }
    });
  /** Everything, or an error until all was read once where `catchUp` does that. */
  const fillFirst = async () => {
    if (by !== 'unfilled') return await fill();
    await withLedger(({ read }) =>
      read(async (source) => {
        if (await isFilledOnce(index.db, source)) return;
        throw new SearchNotReadyError(await fillProgress(index.db, source));
      }),
    );
  };
  const step = async <T>(question: (db: DatabaseSync) => T | Promise<T>): Promise<T> => {
    try {
      if (!index.isCurrent()) reopen();
      return await question(index.db);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    index.db.close();
    removeSearchIndex(site);
    hasRead = false;
    index = openSearchDatabase(site);
    try {
      return await question(index.db);
    } catch (error) {
      throw isDamage(error) ? damagedLedger(searchIndexFile(site), (error as Error).message, error) : error;
    }
  };
  const ask = <T>(question: (db: DatabaseSync) => T): Promise<T> =>
    step(async () => {
      // It may be cleared, and read again, by this process or another one.
      if (!hasRead || isReading(index.db)) await fillFirst();
      hasRead = true;
      return question(index.db);
    });
  return {
    get inMemory() {
      return index.inMemory;
    },
    fill: (onProgress) =>
      step(async () => {
        await fill(onProgress);
        hasRead = true;
      }),
    catchUp: (most = FEW) => step((db) => withLedger(async (ledger) => (await fillStep(db, ledger, most)) !== 'done')),
    search: (text, limit) => ask((db) => searchDocuments(db, text, limit)),
    files: (text, limit) => ask((db) => searchFiles(db, text, limit)),
    mappings: () => ask(mappingsIn),
    page: (filter, range) => ask((db) => pageOfDocuments(db, filter, range)),
    work: (filter) => ask((db) => kept(db, filter)),
    longestIn: (state, limit) => ask((db) => longestIn(db, state, limit)),
    [Symbol.dispose]: () => index.db.close(),
  };
}
