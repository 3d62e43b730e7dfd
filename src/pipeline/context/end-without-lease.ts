/**
 * A watch that has lost its lease begins nothing more, records the answers that are under way, and ends. If its server does not
 * answer, it would wait: then `end` gets `ledger/lease-lost`, after the longest time that an answer of a service takes.
 */
import { millisecondsOf } from '../../delivery/service-settings.ts';
import type { Instance } from '../../instance/instance.ts';
import type { WorkerStore } from '../../ledger/contract/worker-store.ts';
import { greatestOf } from '../../text/long-lists.ts';

/** `end` ends the program, as a kill would: what the ledger has not recorded by then is in doubt. */
export function endWithoutLease(
  { lost, leaseMs }: Pick<WorkerStore, 'lost' | 'leaseMs'>,
  { destinations }: Instance,
  end: (error: unknown) => void,
): void {
  const longestMs = Math.max(
    0,
    greatestOf(destinations.map(({ connection }) => millisecondsOf(connection['total-timeout']))),
  );
  lost.addEventListener('abort', () => void setTimeout(end, leaseMs + longestMs, lost.reason).unref(), { once: true });
}
