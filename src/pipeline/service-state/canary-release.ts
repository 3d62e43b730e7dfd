/**
 * Documents that are sent alone: the first ones of a night to a service, and the first one of each mapping version of
 * which no document was ever accepted. The others wait for its answer, so a broken export or mapping costs one
 * document. Only an accepted document (authorized, contingency) releases the others; after a rejection, the next one is
 * alone too.
 */
import type { IntakeStore } from '../../ledger/contract/intake-store.ts';
import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import type { Verdict } from '../../model/answer.ts';

/** One per service and run. */
export type CanaryPolicy = {
  readonly alone: (due: DueDocument) => Promise<boolean>;
  readonly judge: (due: DueDocument, verdict: Verdict) => void;
};

/** `count` documents have to be accepted on each day (`today`), which in a run is one day; 0: none is sent alone. */
export function createCanaryPolicy(count: number, hasSeen: IntakeStore['hasSeen'], today: () => string): CanaryPolicy {
  let left = count;
  let day = today();
  const leftOf = new Map<string, number>();
  return {
    alone: async ({ mapping }) => {
      if (count === 0) return false;
      if (day !== today()) {
        day = today();
        left = count;
      }
      let own = leftOf.get(mapping.sha256);
      if (own === undefined) {
        const proven = await hasSeen({ of: 'mapping', ...mapping, accepted: true });
        own = proven ? 0 : count;
        leftOf.set(mapping.sha256, own);
      }
      return left > 0 || own > 0;
    },
    judge: ({ mapping }, { state }) => {
      if (state !== 'authorized' && state !== 'contingency') return;
      left = Math.max(0, left - 1);
      leftOf.set(mapping.sha256, Math.max(0, (leftOf.get(mapping.sha256) ?? 0) - 1));
    },
  };
}
