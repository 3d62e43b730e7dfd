/**
 * Events of workers get their numbers from the one writer of the chain: each worker counts its own, so that none waits for the
 * count of another. An event that no worker has counted gets no number, and `verify` reports it as added.
 */

import type { Statements } from '../../database/database-driver.ts';
import { readMetaValue } from '../contract/ledger-context.ts';

const count = (of: string) =>
  `COALESCE((SELECT CAST(m.value AS BIGINT) FROM meta m WHERE m.key = '${of} ' || w.id), 0)`;

/** Events of a worker that wait for their number, as a condition on `event`. */
export const WAITS_FOR_NUMBER = `event.n IS NULL AND EXISTS (SELECT 1 FROM worker w WHERE w.id = event.worker
  AND event.worker_n > ${count('numbered')} AND event.worker_n <= ${count('events')})`;

const UNNUMBERED = `SELECT w.id, ${count('events')} AS events, ${count('numbered')} AS numbered FROM worker w
  ORDER BY w.started_at, w.id`;
const NUMBER = 'UPDATE event SET n = worker_n + ? WHERE worker = ? AND worker_n > ? AND worker_n <= ? AND n IS NULL';
const SET = 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value';

/** Whether an event waits for its number. */
export async function hasUnnumbered(sql: Statements): Promise<boolean> {
  return (await sql.all(UNNUMBERED)).some(({ events, numbered }) => (events as number) > (numbered as number));
}

/** Numbers them, worker by worker, in the order of each. An event that is missing leaves its number missing. */
export async function numberEvents(sql: Statements): Promise<void> {
  let count = Number(await readMetaValue(sql, 'events'));
  const before = count;
  for (const row of await sql.all(UNNUMBERED)) {
    const [id, events, numbered] = [row.id as string, row.events as number, row.numbered as number];
    if (events <= numbered) continue;
    await sql.run(NUMBER, count - numbered, id, numbered, events);
    await sql.run(SET, `numbered ${id}`, String(events));
    count += events - numbered;
  }
  if (count > before) await sql.run(SET, 'events', String(count));
}
