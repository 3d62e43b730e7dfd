/** What every part of the ledger works with: the database behind the guard, the clock, fresh ids, and the history. */

import type { Language } from '../../i18n/message.ts';
import { OperatorError } from '../../model/fault.ts';
import type { DatabaseRow, DatabaseValue, Driver, Statements, TransactionBody } from '../database/database-driver.ts';
import type { SendGuard } from './ledger.ts';

export type LedgerContext = {
  readonly read: Driver['read'];
  /** As the driver's; refused in no-send mode, where a ledger is only looked at. */
  readonly write: Driver['write'];
  readonly guard: SendGuard;
  readonly now: () => Date;
  readonly newId: () => string;
  /** First numbers of sequences, as the settings say; raised later, they take effect. */
  readonly sequences: { readonly [name: string]: number };
  /** In which faults are written down. */
  readonly language: Language;
};

export function guardWrites(driver: Driver, guard: SendGuard): Pick<LedgerContext, 'read' | 'write' | 'guard'> {
  const write = <T>(work: TransactionBody<T>, ends?: 'ends'): Promise<T> =>
    guard.send ? driver.write(work, ends) : Promise.reject(new OperatorError(guard.code, guard.reason));
  return { read: driver.read, write, guard };
}

export type Event = {
  readonly what: string;
  readonly at?: string;
  readonly entry?: string;
  readonly file?: string;
  readonly run?: string;
  readonly person?: string;
  readonly detail?: unknown;
};

/** A line in the history, which is only ever added to. That an attempt began stands in the attempt itself. */
export async function appendEvent(
  sql: Statements,
  context: Pick<LedgerContext, 'now' | 'newId'>,
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
  const text = detail === undefined ? null : JSON.stringify(detail);
  await sql.run(
    'INSERT INTO event (id, at, what, entry, file, run, person, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ...[context.newId(), at, what, entry, file, run, person, text],
  );
}

export function text(row: DatabaseRow, column: string): string {
  return row[column] as string;
}

/** Parameters of one statement. */
const AT_ONCE = 256;

/**
 * The rows of many ids, asked for together: for each on its own the statement costs more than its row. The places stand
 * for the ids; there are as many as a power of two, so that few statements are ever prepared.
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
    found.push(...rows);
  }
  return found;
}

/** For columns that may be NULL: an object to spread, empty where there is nothing. */
export function optional<K extends string, T>(key: K, value: DatabaseValue | undefined, from: (value: string) => T) {
  return (value === null || value === undefined ? {} : { [key]: from(value as string) }) as { readonly [P in K]?: T };
}
