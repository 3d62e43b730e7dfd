/** How long a service has no sender after kill -9 of the one it had: by the ledger, and by the service. */
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresSession } from '../../src/database/postgres/postgres-session.ts';

/** Milliseconds from the kill. */
export type TakeOver = {
  /** What was left of the lease: nothing may happen before. */
  readonly leftMs: number;
  /** Until another worker had the role. */
  readonly roleMs: number;
  /** Until the service got the next document. */
  readonly sentMs: number;
};

const SENDER = `SELECT w.pid, w.until - CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS left_ms
  FROM role r JOIN worker w ON w.id = r.worker WHERE r.name = 'send fr'`;

export async function senderOf(
  session: PostgresSession,
): Promise<{ readonly pid: unknown; readonly leftMs: number } | undefined> {
  const [row] = (await session.ask(SENDER)).rows;
  return row && { pid: row.pid, leftMs: row.left_ms as number };
}

type Watched = {
  readonly session: PostgresSession;
  /** Of the service: when it got a document last (performance.now()). */
  readonly lastSentAt: () => number;
  readonly kill: () => void;
  readonly mostMs: number;
};

const LOOK_MS = 10;

/** Kills the sender, whose process id is `pid`. Undefined if nothing is sent within `mostMs`. */
export async function timeTakeOver(
  pid: number,
  { session, lastSentAt, kill, mostMs }: Watched,
): Promise<TakeOver | undefined> {
  const before = await senderOf(session);
  if (before?.pid !== pid) return undefined;
  kill();
  const startedMs = performance.now();
  let roleMs: number | undefined;
  for (;;) {
    const sinceMs = Math.round(performance.now() - startedMs);
    if (sinceMs > mostMs) return undefined;
    if (roleMs === undefined) {
      const now = await senderOf(session);
      if (now && now.pid !== pid) roleMs = Math.round(performance.now() - startedMs);
    } else if (lastSentAt() > startedMs + before.leftMs) {
      return { leftMs: before.leftMs, roleMs, sentMs: Math.round(lastSentAt() - startedMs) };
    }
    await wait(LOOK_MS);
  }
}

/** Their distribution, in milliseconds: `above` is what was above the rest of the lease until something was sent. */
export function shownTakeOvers(all: readonly TakeOver[]) {
  const of = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return { half: at(0.5), nine: at(0.9), most: at(1) };
  };
  return {
    times: all.length,
    role: of(all.map(({ roleMs }) => roleMs)),
    sent: of(all.map(({ sentMs }) => sentMs)),
    above: of(all.map(({ sentMs, leftMs }) => sentMs - leftMs)),
  };
}
