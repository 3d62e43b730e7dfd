/**
 * The search index of an instance: a projection of the ledger in a file of its own, filled when it is asked and when a run has
 * ended, and the one read model of what waits. The sending path pays nothing for it, and nothing is lost with it. It has
 * numbers, names, amounts, ids and causes, never the content of a document. Errors of the ledger are thrown as by `openLedger`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { damagedLedger } from '../database/damaged-ledger.ts';
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import type { OpenWork } from '../model/cause.ts';
import type { State } from '../model/state.ts';
import { isOpenRead, openStep } from './fill-open.ts';
import { type FillProgress, fillProgress, fillStep, isFilledOnce, isReading } from './fill-search-index.ts';
import { readMarks } from './index-marks.ts';
import { keepWork, longestIn, type WorkFilter } from './kept-work.ts';
import type { LedgerReader } from './ledger-source.ts';
import { openLedgerReader } from './open-reader.ts';
import {
  cannotBeWritten,
  hasNoRoom,
  isDamage,
  openSearchDatabase,
  removeSearchIndex,
  type SearchDatabase,
  searchDatabaseInMemory,
  searchIndexFile,
} from './search-database.ts';
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
  /** Ids of documents in this state, which waits for a person or is contingency: those that are in it longest, at most `limit`. */
  longestIn(state: State, limit: number): Promise<readonly string[]>;
};

/** Changes in one commit: while nothing else waits for the thread, and by default in `catchUp`. */
const [MANY, FEW] = [500, 200];

/** Opens the index with all that the ledger has now. A damaged one is made again, once for each question. */
export async function openSearchIndex(site: LedgerSite, onProgress: FillProgress = () => {}): Promise<SearchIndex> {
  return await opened(openIndexOf(site), (index) => index.fill(onProgress));
}

/**
 * Writes what is missing in the file of the index, if it can be written; the ledger is not held. With a server only where all was
 * read once: the folder for temporary files may be one that ends with the process (`PrivateTmp`), and each night would read all again.
 */
export async function bringIndexUp(site: LedgerSite, stop: AbortSignal): Promise<void> {
  using index = openIndexOf(site, 'unfilled');
  if (site.postgres && !(await index.isFilled())) return;
  await index.bringUp(stop);
}

/** What the index has of open documents. */
export type OpenDocuments = Pick<SearchIndex, 'work' | 'longestIn'> & Disposable;

/** With the documents that are open now. A night never fails for its index: without a file it is in memory. */
export async function openOpenDocuments(site: LedgerSite): Promise<OpenDocuments> {
  const fill = (index: OwnIndex) => index.fillOpen();
  try {
    return await opened(openIndexOf(site), fill);
  } catch {
    // What cannot be read of the ledger is thrown again.
    return await opened(openIndexOf(site, 'filled', searchDatabaseInMemory), fill);
  }
}

async function opened(index: OwnIndex, fill: (index: OwnIndex) => Promise<void>): Promise<SearchIndex> {
  try {
    await fill(index);
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

type OwnIndex = SearchIndex & {
  isFilled(): Promise<boolean>;
  fill(onProgress: FillProgress): Promise<void>;
  /** The same in the file alone, until it is stopped. */
  bringUp(stop: AbortSignal): Promise<void>;
  fillOpen(): Promise<void>;
};

function openIndexOf(site: LedgerSite, by: 'filled' | 'unfilled' = 'filled', open = openSearchDatabase): OwnIndex {
  let index = open(site);
  let hasRead = false;
  let hasOpen = false;
  const kept = keepWork();
  const change = (next: () => SearchDatabase) => {
    index.db.close();
    hasRead = false;
    hasOpen = false;
    index = next();
  };
  const withLedger = async <T>(work: (ledger: LedgerReader) => Promise<T>): Promise<T> => {
    const ledger = await openLedgerReader(site);
    try {
      return await work(ledger);
    } finally {
      await ledger.close();
    }
  };
  const fillOpen = () =>
    withLedger(async (ledger) => {
      while (await openStep(index.db, ledger)) await turn();
    });
  const nextStep = async (ledger: LedgerReader, most: number) =>
    (await openStep(index.db, ledger)) ? 'open' : await fillStep(index.db, ledger, most);
  const fill = (onProgress: FillProgress = () => {}, isOver = () => false) =>
    withLedger(async (ledger) => {
      while (!isOver()) {
        const step = await nextStep(ledger, MANY);
        if (step === 'done') return;
        if (step === 'reading') onProgress(...(await ledger.read((source) => fillProgress(index.db, source))));
        await turn();
      }
    });
  const notReady = async () =>
    new SearchNotReadyError(await withLedger(({ read }) => read((source) => fillProgress(index.db, source))));
  const isFilled = () => withLedger(({ read }) => read((source) => isFilledOnce(index.db, source)));
  /** Everything, or an error until all was read once where `catchUp` does that. */
  const fillFirst = async () => {
    if (by !== 'unfilled') return await fill();
    if (!(await isFilled())) throw await notReady();
  };
  const fillOpenFirst = async () => {
    if (by !== 'unfilled') return await fillOpen();
    if (!(await withLedger(({ read }) => read((source) => isOpenRead(index.db, source))))) throw await notReady();
  };
  const step = async <T>(question: (db: DatabaseSync) => T | Promise<T>): Promise<T> => {
    try {
      if (!index.isCurrent()) change(() => open(site));
      return await question(index.db);
    } catch (error) {
      const isUnwritable = !index.inMemory && cannotBeWritten(error);
      if (!isDamage(error) && !isUnwritable) throw error;
      change(() => {
        // The room that it has taken belongs to the ledger.
        if (!isUnwritable || hasNoRoom(error)) removeSearchIndex(site);
        return isUnwritable ? searchDatabaseInMemory() : open(site);
      });
    }
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
  const askOpen = <T>(question: (db: DatabaseSync) => T): Promise<T> =>
    step(async () => {
      if (!hasOpen || readMarks(index.db, 'opening').opening) await fillOpenFirst();
      hasOpen = true;
      return question(index.db);
    });
  return {
    get inMemory() {
      return index.inMemory;
    },
    isFilled: () => step(isFilled),
    fill: (onProgress) =>
      step(async () => {
        await fill(onProgress);
        hasRead = true;
        hasOpen = true;
      }),
    bringUp: (stop) => step(() => fill(undefined, () => index.inMemory || stop.aborted)),
    fillOpen: () =>
      step(async () => {
        await fillOpen();
        hasOpen = true;
      }),
    catchUp: (most = FEW) => step(() => withLedger(async (ledger) => (await nextStep(ledger, most)) !== 'done')),
    search: (text, limit) => ask((db) => searchDocuments(db, text, limit)),
    files: (text, limit) => ask((db) => searchFiles(db, text, limit)),
    mappings: () => ask(mappingsIn),
    page: async (filter, range) => {
      if (filter.closed !== undefined) await askOpen(() => undefined);
      return await ask((db) => pageOfDocuments(db, filter, range));
    },
    work: async (filter) => {
      // The runs of a document are in its terms.
      if (filter.run !== undefined) await ask(() => undefined);
      return await askOpen((db) => kept(db, filter));
    },
    longestIn: (state, limit) => askOpen((db) => longestIn(db, state, limit)),
    [Symbol.dispose]: () => index.db.close(),
  };
}
