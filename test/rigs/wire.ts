/** The submissions that a service has on the wire, as its sandbox sees them. */
import type { SandboxEvent } from '../../src/sandbox/sandbox-settings.ts';

export type Wire = ReturnType<typeof watchWire>;

/** Of a service that always has the next document, shorter gaps are the time of an answer or of a busy machine. */
const STALL_MS = 1000;

/** Submissions at the service. One whose worker was killed is never answered: it is forgotten soon after its time. */
export function watchWire(latencyMs: number, leaseMs: number) {
  const since = new Map<string, number>();
  let [most, lastSentAt, count] = [0, 0, 0];
  const stalls: number[] = [];
  let onSent = () => {};
  const forget = (now: number) => {
    for (const [id, at] of since) if (now - at > latencyMs + leaseMs / 4) since.delete(id);
  };
  return {
    most: () => most,
    count: () => count,
    /** The times in which nothing was sent, in milliseconds, each between two submissions; the longest first. */
    stalls: () => stalls.toSorted((a, b) => b - a),
    lastSentAt: () => lastSentAt,
    isBusy: () => {
      forget(performance.now());
      return since.size > 0;
    },
    nextSent: () => new Promise<void>((resolve) => (onSent = resolve)),
    log: ({ event, act, requestId }: SandboxEvent) => {
      if (act !== 'submit') return;
      const now = performance.now();
      forget(now);
      if (event === 'answered') return void since.delete(requestId);
      since.set(requestId, now);
      if (count++ > 0 && now - lastSentAt > STALL_MS) stalls.push(Math.round(now - lastSentAt));
      most = Math.max(most, since.size);
      lastSentAt = now;
      onSent();
    },
  };
}
