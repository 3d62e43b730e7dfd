/**
 * Looks at the instance for the requests of a server: settings and mappings are read again when they change, and the
 * ledger is opened again every few seconds, so that its guard is that of now. Errors of settings or ledger are thrown.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Instance, mappingsChangedSince, SETTINGS_FILE } from '../../instance/instance.ts';
import type { SearchIndex } from '../../ledger/search/search-index.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { openSearchIndexOf } from '../../pipeline/queries/find-documents.ts';
import type { InstanceView } from './screen-context.ts';

/** A look that is older is not used for another request. */
const FRESH_MS = 3_000;

type OpenView = {
  readonly view: InstanceView;
  readonly openedAt: number;
  users: number;
  readonly close: () => Promise<void>;
};

export type InstanceViews = AsyncDisposable & {
  readonly use: <T>(see: (view: InstanceView) => Promise<T>) => Promise<T>;
  /** The next request gets a look of its own: something was changed. */
  readonly renew: () => void;
};

/** `read` gives the instance as it is now; `first` is what the caller has read already. */
export function createInstanceViews(first: Instance, read: () => Instance): InstanceViews {
  let instance = first;
  let settings = settingsText(first.folder);
  let current: OpenView | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let isStale = false;

  const reread = () => {
    const text = settingsText(first.folder);
    if (text === settings && !instance.unusable && mappingsChangedSince(instance).length === 0) return;
    instance = read();
    settings = text;
  };
  const takeNow = async (): Promise<OpenView> => {
    if (!current || isStale || performance.now() - current.openedAt >= FRESH_MS) {
      reread();
      isStale = false;
      const next = await openView(instance);
      const before = current;
      current = next;
      if (before?.users === 0) await before.close();
    }
    current.users++;
    return current;
  };
  /** One after the other, so that a look is opened once for all who wait for it. */
  const take = (): Promise<OpenView> => {
    const taken = turn.then(takeNow);
    turn = taken.catch(() => undefined);
    return taken;
  };
  return {
    use: async (see) => {
      const taken = await take();
      try {
        return await see(taken.view);
      } finally {
        taken.users--;
        if (taken !== current && taken.users === 0) await taken.close();
      }
    },
    renew: () => {
      isStale = true;
    },
    [Symbol.asyncDispose]: async () => {
      await turn;
      const last = current;
      current = undefined;
      if (last?.users === 0) await last.close();
    },
  };
}

async function openView(instance: Instance): Promise<OpenView> {
  const ledger = await lookIntoLedgerOf(instance);
  let index: Promise<SearchIndex> | undefined;
  return {
    view: {
      instance,
      ledger,
      index: () => {
        index ??= openSearchIndexOf(instance);
        return index;
      },
    },
    openedAt: performance.now(),
    users: 0,
    close: async () => {
      const opened = await index?.catch(() => undefined);
      opened?.[Symbol.dispose]();
      await ledger[Symbol.asyncDispose]();
    },
  };
}

function settingsText(folder: string): string {
  return readFileSync(join(folder, SETTINGS_FILE), 'utf8');
}
