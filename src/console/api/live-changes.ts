/**
 * Tells open pages that something changed: one connection of the process looks at the ledger each second, however many pages
 * listen, and only while one does. A ledger that cannot be read now is looked at again a second later.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { LedgerSite } from '../../ledger/contract/ledger-site.ts';
import type { ChangesSince, LedgerChanges } from '../../search/change-feed.ts';
import { openLedgerChanges } from '../../search/ledger-changes.ts';

const LOOK_MS = 1000;
/** At most two events a second. */
const STEP_MS = 500;
/** After this time without an event, a comment keeps proxies from ending the connection. */
const QUIET_MS = 15_000;
/** Then the browser connects again, and its session is looked at again. */
const LONGEST_MS = 30 * 60_000;

type Watch = {
  readonly changes: Promise<LedgerChanges>;
  readonly timer: NodeJS.Timeout;
  /** A look is under way. */
  isLooking: boolean;
  readonly wake: Set<() => void>;
  /** Raised by every change, so that none is missed between two waits. */
  turns: number;
};

const watches = new Map<string, Watch>();

/** Pages that listen now, for all instances of the process. */
export function followers(): number {
  return [...watches.values()].reduce((sum, { wake }) => sum + wake.size, 0);
}

/** What changed since `from`, then each change as it comes; undefined after a quiet time. Ends when `signal` aborts. */
export async function* followChanges(
  site: LedgerSite,
  from: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ChangesSince | undefined> {
  const watch = watchOf(site);
  let wake: () => void = () => undefined;
  const woken = () => wake();
  watch.wake.add(woken);
  const endMs = performance.now() + LONGEST_MS;
  try {
    let { turns } = watch;
    const changes = await watch.changes;
    let found = await changes.since(from);
    yield found;
    while (!signal.aborted && performance.now() < endMs) {
      if (turns === watch.turns) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const ended = new AbortController();
        const quiet = pause(QUIET_MS, undefined, { signal: AbortSignal.any([signal, ended.signal]), ref: false });
        await Promise.race([promise, quiet.catch(() => undefined)]);
        ended.abort();
      }
      if (turns === watch.turns) {
        if (!signal.aborted) yield undefined;
        continue;
      }
      turns = watch.turns;
      const next = await changes.since(found.place);
      const isNew = next.place !== found.place;
      found = next;
      if (!isNew) continue;
      yield found;
      await pause(STEP_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  } finally {
    watch.wake.delete(woken);
    if (watch.wake.size === 0) await end(site, watch);
  }
}

function watchOf(site: LedgerSite): Watch {
  const { folder } = site;
  const known = watches.get(folder);
  if (known) return known;
  const watch: Watch = {
    changes: openLedgerChanges(site),
    wake: new Set(),
    turns: 0,
    isLooking: false,
    timer: setInterval(() => void look(watch), LOOK_MS).unref(),
  };
  watches.set(folder, watch);
  return watch;
}

async function look(watch: Watch): Promise<void> {
  if (watch.isLooking) return;
  watch.isLooking = true;
  try {
    if (!(await (await watch.changes).hasChanged())) return;
  } catch {
    return;
  } finally {
    watch.isLooking = false;
  }
  watch.turns++;
  for (const wake of watch.wake) wake();
}

async function end({ folder }: LedgerSite, { timer, changes }: Watch): Promise<void> {
  clearInterval(timer);
  watches.delete(folder);
  const open = await changes.catch(() => undefined);
  await open?.[Symbol.asyncDispose]();
}
