/**
 * Reads every page of the tables and indexes of a ledger on PostgreSQL, with its extension `amcheck`: the one of the database, or one
 * that is created for the check and rolled back. Without it, or without the right to use it, nothing is looked at, and the result
 * names that. Takes the locks of a reader only. Throws the OperatorErrors of a server that does not answer.
 */
import { appendAll } from '../../text/long-lists.ts';
import type { DatabaseValue } from '../database-driver.ts';
import { askPostgres } from './ask-postgres.ts';
import { isDataDamaged, postgresCode } from './postgres-codes.ts';
import type { PostgresPlace } from './postgres-place.ts';
import type { PostgresSession } from './postgres-session.ts';

export type PageCheck = {
  readonly tables: number;
  readonly indexes: number;
  /** What the server found, in its words. */
  readonly problems: readonly string[];
  /** Why nothing was looked at, in the words of the server. */
  readonly unlooked?: string;
};

/** As many as a person reads: a damaged table may have one for each row. */
const MOST_PROBLEMS = 20;

const EXTENSION = `SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
  WHERE e.extname = 'amcheck'`;
const RELATIONS = `SELECT c.oid AS id, c.relname AS name, c.relkind AS kind FROM pg_class c
  LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_am a ON a.oid = c.relam
  WHERE c.relnamespace = CAST(quote_ident(?) AS regnamespace)
  AND (c.relkind = 'r' OR (c.relkind = 'i' AND i.indisvalid AND a.amname = 'btree')) ORDER BY c.relkind, c.relname`;

export async function checkPages(place: PostgresPlace): Promise<PageCheck> {
  return await askPostgres(place, async (session) => {
    await session.ask('BEGIN');
    const found = await checkEach(session, place.schema);
    await session.ask('ROLLBACK');
    return found;
  });
}

async function checkEach(session: PostgresSession, schema: string): Promise<PageCheck> {
  const found = { tables: 0, indexes: 0, problems: [] as string[] };
  try {
    const at = await amcheckSchema(session);
    const { rows } = await session.ask(RELATIONS, schema);
    for (const { id, name, kind } of rows) {
      const isTable = kind === 'r';
      const problems = isTable ? await checkTable(session, at, id ?? null) : await checkIndex(session, at, id ?? null);
      appendAll(
        found.problems,
        problems.map((problem) => `${name}: ${problem}`),
      );
      found[isTable ? 'tables' : 'indexes']++;
    }
    return { ...found, problems: found.problems.slice(0, MOST_PROBLEMS) };
  } catch (error) {
    // The extension is not installed, or the user has no right: the server is as sound as before.
    if (postgresCode(error) === undefined || session.isLost()) throw error;
    return { ...found, unlooked: (error as Error).message };
  }
}

/** The schema of its functions, for a statement; '' where they are in that of the session. */
async function amcheckSchema(session: PostgresSession): Promise<string> {
  const [there] = (await session.ask(EXTENSION)).rows;
  if (there) return `${there.schema}.`;
  await session.ask('CREATE EXTENSION amcheck');
  return '';
}

async function checkTable(session: PostgresSession, at: string, id: DatabaseValue): Promise<readonly string[]> {
  const verify = `SELECT blkno, msg FROM ${at}verify_heapam(CAST(CAST(? AS oid) AS regclass), on_error_stop => false, check_toast => true)`;
  return await problemsOf(session, async () => {
    const { rows } = await session.ask(`${verify} LIMIT ${MOST_PROBLEMS}`, id);
    return rows.map(({ blkno, msg }) => `page ${blkno}: ${msg}`);
  });
}

async function checkIndex(session: PostgresSession, at: string, id: DatabaseValue): Promise<readonly string[]> {
  return await problemsOf(session, async () => {
    await session.ask(`SELECT ${at}bt_index_check(CAST(CAST(? AS oid) AS regclass), true)`, id);
    return [];
  });
}

/** The server reports a damaged index, and a page that it cannot read, as an error: the other relations are still checked. */
async function problemsOf(
  session: PostgresSession,
  check: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  await session.ask('SAVEPOINT relation');
  try {
    return await check();
  } catch (error) {
    if (!isDataDamaged(error)) throw error;
    await session.ask('ROLLBACK TO relation');
    return [(error as Error).message];
  }
}
