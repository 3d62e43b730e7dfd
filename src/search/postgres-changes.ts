/**
 * Follows what changes in a ledger on PostgreSQL (transaction-mark.ts): no change is left out, whichever worker commits first.
 * One between two marks may come twice. Errors as of a read of the shared connection.
 */

import type { PostgresPlace } from '../database/postgres/postgres-place.ts';
import { sharePostgres } from '../database/postgres/shared-postgres.ts';
import { markText, readMark, SNAPSHOT } from '../database/postgres/transaction-mark.ts';
import { definedItems } from '../model/defined-only.ts';
import { type LedgerChanges, MOST_CHANGES } from './change-feed.ts';
import { type ChangeRow, changesSince, currentMark, lastMark } from './postgres-source.ts';

export function openPostgresChanges(place: PostgresPlace): LedgerChanges {
  const { read, close } = sharePostgres(place);
  let seen: unknown;
  const ids = (column: 'entry' | 'file', rows: readonly ChangeRow[]) => [
    ...new Set(definedItems(rows.map((row) => row[column] ?? undefined))),
  ];
  return {
    hasChanged: async () => {
      // Each transaction that writes is in it while it runs and counts it up when it ends, also one of another schema.
      const [row] = await read(async (sql) => await sql.all(`SELECT ${SNAPSHOT} AS snapshot`));
      const isNew = row?.snapshot !== seen;
      seen = row?.snapshot;
      return isNew;
    },
    since: (text = '') =>
      read(async (sql) => {
        const [from, now] = [readMark(text), await currentMark(sql)];
        const last = { place: markText(await lastMark(sql)), documents: [], files: [], more: false };
        if (!from || from.end > now.end) return last;
        const { rows, more } = await changesSince(sql, from, MOST_CHANGES);
        if (rows.length === 0) return { ...last, place: text };
        return { ...last, documents: ids('entry', rows), files: ids('file', rows), more };
      }),
    next: (text) =>
      read(async (sql) => {
        const [from, now] = [readMark(text), await currentMark(sql)];
        if (!from || from.end > now.end) return { place: markText(await lastMark(sql)), documents: [], more: false };
        const { rows, place: end, more } = await changesSince(sql, from, MOST_CHANGES);
        return { place: rows.length === 0 ? text : markText(end), documents: ids('entry', rows), more };
      }),
    [Symbol.asyncDispose]: close,
  };
}
