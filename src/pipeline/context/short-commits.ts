/**
 * Commits of many files or documents next to other workers: all of them wait for a long one, and so does the renewal of their
 * leases. Input: the items, in their order. Each commit has as many as fit into its part of the lease, as the last one went.
 */
import { SHORT_COMMITS } from '../../ledger/contract/worker-store.ts';
import type { RunContext } from './run-context.ts';

/** How far away the server is, the first commit shows. */
const FIRST = 1;

/** How many the next commit of a ledger has. */
const sizes = new WeakMap<RunContext['ledger'], number>();

/** A program that is alone with the ledger has one commit for all. Errors of `commit` end it. */
export async function inShortCommits<T>(
  { ledger, clock }: Pick<RunContext, 'ledger' | 'clock'>,
  items: readonly T[],
  commit: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  if (!ledger.roles) return await commit(items);
  const mostMs = ledger.roles.leaseMs / SHORT_COMMITS;
  for (let from = 0; from < items.length; ) {
    const size = sizes.get(ledger) ?? FIRST;
    const some = items.slice(from, from + size);
    const startedMs = clock.monotonic();
    await commit(some);
    const tookMs = clock.monotonic() - startedMs;
    // A short one of few items shows nothing against more of them.
    if (tookMs > mostMs) sizes.set(ledger, Math.max(1, Math.floor((some.length * mostMs) / tookMs)));
    else if (2 * tookMs <= mostMs) sizes.set(ledger, Math.max(size, 2 * some.length));
    from += some.length;
  }
}
