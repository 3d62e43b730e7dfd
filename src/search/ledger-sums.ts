/** The counts of a ledger for metrics, on any engine: sums that only rise, and what waits now. */

import { z } from 'zod';
import type { DatabaseRow } from '../database/database-driver.ts';
import { BY_PERSON, IS_OPEN } from '../ledger/records/selector.ts';

/** Upper bounds of the classes of answer times, in seconds. */
export const SUBMIT_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] as const;

/** Attempts without an outcome that are looked at again; a crash leaves one now and then. */
export const MOST_OPEN = 1000;

const count = z.int().min(0);
/** `buckets` are counts up to each bound, the next ones included; the count of all is apart. */
const distribution = z.strictObject({ buckets: z.array(count), sum: z.number(), count });

/** Counts over many values, by upper bound. */
export type Distribution = z.infer<typeof distribution>;

/**
 * What was counted up to a row of each table. `mark` is the content of that row: a ledger that was restored, or packed, has
 * another one there, and is counted from its begin.
 */
export const ledgerSumsShape = z.strictObject({
  entries: z.strictObject({ row: count, mark: z.string() }),
  /** On PostgreSQL: `place` in place of a row, and the keys of open attempts in `pending`. */
  attempts: z.strictObject({
    ...{ row: count, mark: z.string(), open: z.array(count) },
    ...{ place: z.string().optional(), pending: z.array(z.string()).optional() },
  }),
  /** By service. */
  documents: z.record(z.string(), count),
  outcomes: z.array(
    z.strictObject({ service: z.string(), act: z.enum(['submit', 'consult']), outcome: z.string(), count }),
  ),
  /** Seconds of submissions with an answer, by service. */
  seconds: z.record(z.string(), distribution),
});

export type LedgerSums = z.infer<typeof ledgerSumsShape>;

/** Documents of one service in one state. `since`: epoch milliseconds since when the oldest of them is in it. */
export type StateTally = {
  readonly service: string;
  readonly state: string;
  /** A person has closed them: they need no action. */
  readonly closed: boolean;
  readonly count: number;
  readonly since?: number;
};

/**
 * All but those that are authorized. What is queued is as old as what is due first; each of these parts has an index of its own.
 */
export const OPEN_BY_STATE = `
  SELECT e.service, e.state, CASE WHEN ${BY_PERSON} THEN 1 ELSE 0 END AS closed, COUNT(*) AS count, MIN(e.since) AS since
    FROM entry e WHERE ${IS_OPEN} GROUP BY 1, 2, 3
  UNION ALL SELECT service, 'sending', 0, COUNT(*), MIN(since) FROM entry WHERE state = 'sending' GROUP BY 1
  UNION ALL SELECT q.service, 'ready', 0, q.count, (SELECT o.since FROM entry o
    WHERE o.state = 'ready' AND o.service = q.service ORDER BY o.due_at, o.id LIMIT 1)
    FROM (SELECT service, COUNT(*) AS count FROM entry WHERE state = 'ready' GROUP BY service) q`;

export function stateTally({ service, state, closed, count: documents, since }: DatabaseRow): StateTally {
  return {
    service: String(service),
    state: String(state),
    closed: Number(closed) === 1,
    count: Number(documents),
    ...(since !== null && { since: Number(since) }),
  };
}

export type LedgerTally = { readonly sums: LedgerSums; readonly states: readonly StateTally[] };

export const NO_SUMS: LedgerSums = {
  entries: { row: 0, mark: '' },
  attempts: { row: 0, mark: '', open: [] },
  documents: {},
  outcomes: [],
  seconds: {},
};

/** `row` has counts, milliseconds and classes of submissions or consultations with one outcome. */
export function addOutcome(sums: LedgerSums, row: { readonly [column: string]: unknown }): void {
  const [service, act, outcome] = [String(row.service), row.act as 'submit' | 'consult', String(row.outcome)];
  const known = sums.outcomes.find((one) => one.service === service && one.act === act && one.outcome === outcome);
  if (known) known.count += Number(row.count);
  else sums.outcomes.push({ service, act, outcome, count: Number(row.count) });
  if (act !== 'submit') return;
  const { [service]: before = noValues(SUBMIT_BUCKETS) } = sums.seconds;
  sums.seconds[service] = {
    buckets: before.buckets.map((value, n) => value + Number(row[`b${n}`])),
    // Exact to the millisecond, in whatever steps it is added up.
    sum: Math.round(before.sum * 1000 + Number(row.ms)) / 1000,
    count: before.count + Number(row.timed),
  };
}

/** A distribution of nothing. */
export function noValues(bounds: readonly number[]): Distribution {
  return { buckets: bounds.map(() => 0), sum: 0, count: 0 };
}
