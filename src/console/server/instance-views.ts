/**
 * Looks at the instance for the requests of a server: settings and mappings are read again when they change, and the
 * ledger is opened again every few seconds, so that its guard is that of now. Errors of settings or ledger are thrown.
 */

import { join } from 'node:path';
import { plainText } from '../../files/read-bounded.ts';
import { createTurns } from '../../files/turns.ts';
import { type Instance, mappingsChangedSince, SETTINGS_FILE } from '../../instance/instance.ts';
import { ledgerSiteOf } from '../../instance/ledger-site-of.ts';
import { lookIntoLedgerOf } from '../../runs/open-run.ts';
import type { LedgerChanges } from '../../search/change-feed.ts';
import { openLedgerChanges } from '../../search/ledger-changes.ts';
import { createIndexKeeper, type IndexKeeper } from './index-keeper.ts';
import type { InstanceView } from './screen-context.ts';

/** A look that is older is not used for another request once the ledger has changed, and in no case after the longer time. */
const [FRESH_MS, LONGEST_MS] = [3_000, 10_000];

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
  const inTurn = createTurns();
  let isStale = false;
  let acts = 0;
  const keeper = createIndexKeeper(ledgerSiteOf(first));
  let changes: LedgerChanges | undefined;

  /** Errors of the ledger are those of the look that follows. */
  const hasChanged = async () => {
    try {
      changes ??= await openLedgerChanges(ledgerSiteOf(first));
      return await changes.hasChanged();
    } catch {
      return true;
    }
  };
  const isFresh = async ({ openedAt }: OpenView) => {
    const age = performance.now() - openedAt;
    return age < FRESH_MS || (age < LONGEST_MS && !(await hasChanged()));
  };
  const reread = () => {
    const text = settingsText(first.folder);
    if (text === settings && !instance.unusable && mappingsChangedSince(instance).length === 0) return;
    instance = read();
    settings = text;
  };
  const takeNow = async (): Promise<OpenView> => {
    if (!current || isStale || !(await isFresh(current))) {
      reread();
      isStale = false;
      await hasChanged();
      const next = await openView(instance, acts, keeper);
      const before = current;
      current = next;
      if (before?.users === 0) await before.close();
    }
    current.users++;
    return current;
  };
  /** One after the other, so that a look is opened once for all who wait for it. */
  const take = () => inTurn(takeNow);
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
      acts++;
    },
    [Symbol.asyncDispose]: async () => {
      await inTurn(async () => undefined);
      const last = current;
      current = undefined;
      if (last?.users === 0) await last.close();
      await changes?.[Symbol.asyncDispose]();
      await keeper[Symbol.asyncDispose]();
    },
  };
}

async function openView(instance: Instance, acts: number, keeper: IndexKeeper): Promise<OpenView> {
  const ledger = await lookIntoLedgerOf(instance);
  // The first question of a look after an act sees what the act did.
  let isFirst = acts > 0;
  const index = async () => {
    const changed = isFirst;
    isFirst = false;
    return await keeper.current(changed);
  };
  return {
    view: { instance, ledger, index, acts },
    openedAt: performance.now(),
    users: 0,
    close: async () => await ledger[Symbol.asyncDispose](),
  };
}

function settingsText(folder: string): string {
  return plainText(join(folder, SETTINGS_FILE));
}
