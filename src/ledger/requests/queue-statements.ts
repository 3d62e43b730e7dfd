/**
 * The statements of the queue of requests, in the SQL that SQLite and PostgreSQL both speak, over the table `request`. Each
 * method is one commit of the database that it gets. Errors are those of that database.
 */

import type { DatabaseRow, Driver } from '../../database/database-driver.ts';
import type { KnownRequest, QueuedRequest, RequestQueue } from '../contract/request-queue.ts';

/** What the queue needs of an engine; `hasChanged` as in the contract. */
export type QueueDatabase = Pick<Driver, 'read' | 'write' | 'close'> & { readonly hasChanged: () => Promise<boolean> };

const COLUMNS = 'id, at, person, reason, act, look, keys, about, expires, verdict';
const ADD = `INSERT INTO request (id, at, person, session, reason, act, look, keys, about, expires, tries)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (id) DO NOTHING`;
const OPEN = `SELECT ${COLUMNS}, tries FROM request WHERE done IS NULL AND tries <= ?
  AND (expires IS NULL OR verdict IS NOT NULL OR expires <= ?)`;
const WAITS = 'done IS NULL AND verdict IS NULL AND expires > ?';
const HOLD = `UPDATE request SET about = ?, expires = ?, tries = 0
  WHERE id = ? AND done IS NULL AND expires IS NULL AND verdict IS NULL`;
const REASONS = `SELECT reason FROM request WHERE person = ? AND reason <> ''
  GROUP BY reason ORDER BY MAX(n) DESC LIMIT ?`;
const WITHDRAW = 'DELETE FROM request WHERE id = ? AND done IS NULL AND tries = 0 AND expires IS NULL';
const WAITING = `SELECT COUNT(*) AS waiting FROM request
  WHERE done IS NULL AND (expires IS NULL OR verdict IS NOT NULL)`;

export function requestsIn({ read, write, close, hasChanged }: QueueDatabase): RequestQueue {
  const change = (sql: string, ...values: readonly (string | number | null)[]) =>
    write(async (statements) => await statements.run(sql, ...values));
  const select = (sql: string, ...values: readonly (string | number | null)[]) =>
    read(async (statements) => await statements.all(sql, ...values));
  return {
    add: async ({ id, at, person, session = null, reason, act, look = null, keys = null, approval }) => {
      const { about = null, expires = null } = approval ?? {};
      await change(ADD, id, at, person, session, reason, act, look, keys, about, expires);
    },
    next: async (tries, now, except = []) => {
      const others = except.length === 0 ? '' : `AND id NOT IN (${except.map(() => '?').join(', ')})`;
      const [row] = await select(`${OPEN} ${others} ORDER BY n LIMIT 1`, tries, now, ...except);
      return row && (withoutNulls(row) as QueuedRequest);
    },
    hold: async (id, { about, expires }) => void (await change(HOLD, about, expires, id)),
    judge: async (id, verdict, now) =>
      (await change(`UPDATE request SET verdict = ? WHERE id = ? AND ${WAITS}`, verdict, id, now)) > 0,
    nextExpiry: async () => {
      const first = 'SELECT MIN(expires) AS expires FROM request WHERE done IS NULL AND verdict IS NULL';
      return ((await select(first))[0]?.expires ?? undefined) as string | undefined;
    },
    waitingForPeople: async (now) => {
      const rows = await select(`SELECT ${COLUMNS} FROM request WHERE ${WAITS} ORDER BY n`, now);
      return rows.map((row) => withoutNulls(row) as KnownRequest);
    },
    begin: async (id) => void (await change('UPDATE request SET tries = tries + 1 WHERE id = ?', id)),
    putBack: async (id) => void (await change('UPDATE request SET tries = tries - 1 WHERE id = ? AND tries > 0', id)),
    withdraw: async (id) => void (await change(WITHDRAW, id)),
    answer: async (id, answer, at) =>
      void (await change(
        `UPDATE request SET done = ?, answer = ?, act = '' WHERE id = ? AND done IS NULL`,
        at,
        answer,
        id,
      )),
    answerOf: async (id) => {
      const [row] = await select('SELECT answer FROM request WHERE id = ?', id);
      return (row?.answer ?? undefined) as string | undefined;
    },
    beginning: async (prefix) => {
      const first = 'SELECT id, answer FROM request WHERE id >= ? AND id < ? ORDER BY id LIMIT 1';
      const [row] = await select(first, prefix, `${prefix}\u{10ffff}`);
      return row && { id: String(row.id), ...(row.answer !== null && { answer: String(row.answer) }) };
    },
    waiting: async () => Number((await select(WAITING))[0]?.waiting),
    find: async (id) => {
      const [row] = await select(`SELECT ${COLUMNS}, done, answer FROM request WHERE id = ?`, id);
      return row && (withoutNulls(row) as KnownRequest);
    },
    reasonsOf: async (person, most) => (await select(REASONS, person, most)).map(({ reason }) => String(reason)),
    hasChanged,
    forget: async (at) => void (await change('DELETE FROM request WHERE done < ?', at)),
    forgetAnswers: async (isMeant) => {
      const rows = await select('SELECT id, answer FROM request WHERE done IS NOT NULL');
      const ids = rows.flatMap(({ id, answer }) => (isMeant(String(answer)) ? [String(id)] : []));
      for (const id of ids) await change('DELETE FROM request WHERE id = ?', id);
    },
    [Symbol.asyncDispose]: close,
  };
}

function withoutNulls(row: DatabaseRow): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
