/** What every part of the ledger needs: the guarded database, the clock, new ids, and the history. */

import { randomUUID } from 'node:crypto';
import type { DatabaseRow, DatabaseValue, Driver, SqlDialect, Statements } from '../../database/database-driver.ts';
import type { Language, Message } from '../../i18n/message.ts';
import { MESSAGE, OperatorError, storedPhrases } from '../../model/fault.ts';
import { must } from '../../model/must.ts';
import { appendAll, pagesAfter } from '../../text/long-lists.ts';
import type { SendGuard } from './ledger.ts';
import type { OwnWorker } from './worker-store.ts';

export type LedgerContext = {
  readonly read: Driver['read'];
  /** As `write` of the driver; refused in no-send mode, where a ledger is only read. */
  readonly write: Driver['write'];
  readonly guard: SendGuard;
  readonly now: () => Date;
  readonly newId: () => string;
  /** First numbers of sequences, from the settings; a number that is raised later takes effect. */
  readonly sequences: { readonly [name: string]: number };
  /** The language in which faults and reasons are recorded. */
  readonly language: Language;
  /** Whether a purge has removed the document with this identity: a replaced ledger may not know it. */
  readonly isPurged?: ((key: string) => boolean) | undefined;
  readonly dialect: SqlDialect;
  /** This process, where several work on the ledger; undefined where it is alone (SQLite). */
  readonly worker?: OwnWorker | undefined;
};

/**
 * The driver as the guard allows it: writing throws the OperatorError of the guard while the ledger may not send, and a worker
 * whose lease may have ended begins nothing more.
 */
export function guardWrites(
  driver: Driver,
  guard: SendGuard,
  worker?: OwnWorker,
): Pick<LedgerContext, 'read' | 'write' | 'guard'> {
  const write: Driver['write'] = (body, order, apart) =>
    guard.send ? driver.write(body, order, apart) : Promise.reject(new OperatorError(guard.code, guard.reason));
  if (worker) return { read: driver.read, write: underLease(write, worker), guard };
  return { read: driver.read, write, guard };
}

/** What is under way is recorded to its end (`ends`): whether it still counts, its own condition decides. */
function underLease(write: Driver['write'], { expectLease }: OwnWorker): Driver['write'] {
  return async (body, order, apart) => {
    if (order !== 'ends') expectLease();
    return await write(body, order, apart);
  };
}

/**
 * For what a role allows and no condition of its own fences, such as the decision of a person: a worker that others may have marked
 * as gone writes nothing of it, however late its statements arrive.
 */
export function whileLiving(context: LedgerContext): LedgerContext {
  const { worker } = context;
  if (!worker) return context;
  const write: Driver['write'] = (body, order, apart) =>
    context.write(
      async (sql) => {
        await worker.expectLiving(sql);
        return await body(sql);
      },
      order,
      apart,
    );
  return { ...context, write };
}

export type Event = {
  readonly what: string;
  readonly at?: string;
  readonly entry?: string;
  readonly file?: string;
  readonly run?: string;
  readonly person?: string;
  readonly detail?: object;
  /** The message of the reason in the detail, which the ledger keeps with it. */
  readonly [MESSAGE]?: { readonly message: Message } | undefined;
};

/** Adds a line to the history; no line is ever removed. The attempt itself records that it began. */
export async function appendEvent(
  sql: Statements,
  context: Pick<LedgerContext, 'now' | 'newId' | 'worker'>,
  event: Event,
): Promise<void> {
  const {
    at = context.now().toISOString(),
    what,
    entry = null,
    file = null,
    run = null,
    person = null,
    detail,
  } = event;
  const phrases = storedPhrases(event[MESSAGE]);
  const text = detail === undefined ? null : JSON.stringify(phrases === undefined ? detail : { ...detail, phrases });
  if (context.worker) {
    const [own] = await sql.all(COUNT_OWN_EVENT, ownCountKey(context.worker.id));
    const nth = must(own, 'the count of this worker').n as number;
    await sql.run(
      INSERT_UNNUMBERED,
      ...[context.newId(), at, what, entry, file, run, person, text, context.worker.id, nth],
    );
    return;
  }
  const [count] = await sql.all(COUNT_EVENT);
  const n = must(count, 'the number of events').n as number;
  await sql.run(INSERT_EVENT, ...[n, context.newId(), at, what, entry, file, run, person, text]);
}

/**
 * Events in the order in which they were recorded, whatever the clock said. On PostgreSQL the newest have no number yet.
 */
export const EVENTS_IN_ORDER = 'n NULLS LAST, id';
export const LATEST_EVENT_FIRST = 'n DESC NULLS FIRST, id DESC';

/** A count of its own, not the highest number: a row that another program adds must not become one of ours. */
const COUNT_EVENT = `UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = 'events'
  RETURNING CAST(value AS BIGINT) AS n`;
const INSERT_EVENT =
  'INSERT INTO event (n, id, at, what, entry, file, run, person, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';

/**
 * The key in `meta` of how many events a worker has recorded. Not in the row of the worker: a long transaction would keep others
 * from marking it as gone.
 */
export function ownCountKey(worker: string): string {
  return `events ${worker}`;
}

/** Workers do not wait for one count: the writer of the chain gives the numbers (event-numbers.ts). */
const COUNT_OWN_EVENT = `UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = ?
  RETURNING CAST(value AS BIGINT) AS n`;
const INSERT_UNNUMBERED = `INSERT INTO event (id, at, what, entry, file, run, person, detail, worker, worker_n)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Counts the commits under a role, and meets the worker that takes it over in the meantime: a transaction that saw the role of before
 * cannot commit then, which the condition alone does not ensure. Parameters: role, worker, fence. What it returns is for the
 * witness of the role (role-witnesses.ts).
 */
export const COUNT_COMMIT = `UPDATE role SET generation = generation + 1 WHERE name = ? AND worker = ? AND fence = ?
  RETURNING name, generation`;

/** The same for a decision of a person about the ledger as a whole, within a transaction of the caller. */
export async function insertDecision(
  sql: Statements,
  {
    at,
    what,
    person,
    detail,
  }: { readonly at: Date; readonly what: string; readonly person: string; readonly detail: object },
): Promise<void> {
  await appendEvent(sql, { now: () => at, newId: randomUUID }, { what, person, detail });
}

/** One value of the table `meta`: facts about the ledger as a whole. */
export async function readMetaValue(sql: Statements, key: string): Promise<string | undefined> {
  const [row] = await sql.all('SELECT value FROM meta WHERE key = ?', key);
  return row && text(row, 'value');
}

/** Revisions of a file after the end of a page, in the order of first row and entry. Parameters: file, row, row, entry. */
export const AFTER_PAGE = 'r.file = ? AND (r.first_row > ? OR (r.first_row = ? AND r.entry > ?))';

/**
 * The rows of a file, page by page: `select` takes the file, then the parameters of AFTER_PAGE, and gives at most `size`
 * rows, with the columns `first_row` and the id of the entry.
 */
export async function* pagesByRow(
  size: number,
  select: (after: readonly DatabaseValue[]) => readonly DatabaseRow[] | Promise<readonly DatabaseRow[]>,
  idColumn: 'id' | 'entry' = 'entry',
): AsyncIterable<readonly DatabaseRow[]> {
  yield* pagesAfter(size, (last?: DatabaseRow) => {
    const row = (last?.first_row ?? -1) as number;
    return select([row, row, last ? text(last, idColumn) : '']);
  });
}

/** A column of text that is never NULL. */
export function text(row: DatabaseRow, column: string): string {
  return row[column] as string;
}

/** Undefined for NULL. */
export function optionalText(row: DatabaseRow, column: string): string | undefined {
  return (valueIn(row, column) as string | null) ?? undefined;
}

/** The most parameters of one statement. */
const AT_ONCE = 256;

/**
 * The rows of many ids, selected together: one statement for each id costs more than its row. `places` are the parameters
 * of the ids; their number is a power of two, so that few statements are prepared.
 */
export async function selectByIds(
  sql: Statements,
  ids: readonly string[],
  statement: (places: string) => string,
): Promise<readonly DatabaseRow[]> {
  const found: DatabaseRow[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const places = 2 ** Math.ceil(Math.log2(some.length));
    const none = Array.from({ length: places - some.length }, () => null);
    const rows = await sql.all(statement(Array.from({ length: places }, () => '?').join(', ')), ...some, ...none);
    appendAll(found, rows);
  }
  return found;
}

/** The most rows of one INSERT. */
const MOST_ROWS = 128;

/**
 * Inserts many rows with few statements: on a server each is a message there and back. `insert` ends before VALUES, `rest` is
 * what follows them. Rows of one statement are a power of two, so that few statements are prepared.
 */
export async function insertRows(
  sql: Statements,
  insert: string,
  rows: readonly (readonly DatabaseValue[])[],
  rest = '',
): Promise<void> {
  for (let from = 0; from < rows.length; ) {
    const count = Math.min(MOST_ROWS, 2 ** Math.floor(Math.log2(rows.length - from)));
    const some = rows.slice(from, from + count);
    const places = some.map((values) => `(${values.map(() => '?').join(', ')})`).join(', ');
    await sql.run(`${insert} VALUES ${places} ${rest}`, ...some.flat());
    from += count;
  }
}

/** A column that may be NULL. */
export function valueIn(row: DatabaseRow, column: string): DatabaseValue {
  return row[column] ?? null;
}

/** JSON of a receipt that a ledger may have learned: there each key is, with null for what is absent. Others are parsed faster. */
export function parseLearned(json: string) {
  return json.includes('null') ? JSON.parse(json, (_, value: unknown) => value ?? undefined) : JSON.parse(json);
}

/** A column that may be NULL, as an object to spread: empty where the column is. */
export function optional<K extends string, T>(key: K, value: DatabaseValue | undefined, from: (value: string) => T) {
  return (value === null || value === undefined ? {} : { [key]: from(value as string) }) as { readonly [P in K]?: T };
}
