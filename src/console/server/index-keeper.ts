/**
 * The search index of a console: opened once, brought up to the ledger when a page asks for it, in steps between which other
 * requests have their turn. A page waits a moment for it, never for the first reading of a large ledger. Errors of the
 * ledger are thrown to the page that asks.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { LedgerSite } from '../../ledger/contract/ledger-site.ts';
import { isSmallLedger } from '../../search/open-reader.ts';
import { openSearchIndexUnfilled, type SearchIndex } from '../../search/search-index.ts';

/** Changes of one step: about 20 ms. */
const STEP = 100;
/** What is newer than this is not looked for. */
const FRESH_MS = 2_000;
/** How long a page waits: after an act longer than otherwise. A small ledger is waited for. */
const [SOON_MS, AFTER_ACT_MS, SMALL_MS] = [250, 1_000, 60_000];

export type IndexKeeper = AsyncDisposable & {
  /** `changed`: a person changed something a moment ago, so the index is brought up to the ledger as of now. */
  readonly current: (changed: boolean) => Promise<SearchIndex>;
};

export function createIndexKeeper(site: LedgerSite): IndexKeeper {
  const ending = new AbortController();
  let index: SearchIndex | undefined;
  let working: Promise<void> | undefined;
  let isWanted = false;
  let endedAt = Number.NEGATIVE_INFINITY;

  const bringUp = async (open: SearchIndex) => {
    do {
      isWanted = false;
      while (!ending.signal.aborted && (await open.catchUp(STEP))) await turn();
    } while (isWanted && !ending.signal.aborted);
  };
  const begin = (open: SearchIndex) => {
    working ??= bringUp(open).finally(() => {
      working = undefined;
      endedAt = performance.now();
    });
    return working;
  };
  return {
    current: async (changed) => {
      index ??= openSearchIndexUnfilled(site);
      if (working) isWanted ||= changed;
      else if (!changed && performance.now() - endedAt < FRESH_MS) return index;
      const waited = new AbortController();
      const { signal } = waited;
      const largeMs = changed ? AFTER_ACT_MS : SOON_MS;
      const mostMs = (await isSmallLedger(site)) ? SMALL_MS : largeMs;
      const enough = pause(mostMs, undefined, { signal, ref: false }).catch(() => undefined);
      try {
        await Promise.race([begin(index), enough]);
      } finally {
        waited.abort();
      }
      return index;
    },
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await working?.catch(() => undefined);
      index?.[Symbol.dispose]();
    },
  };
}
