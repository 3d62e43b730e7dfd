/**
 * The statements of one transaction on a connection, for the works in it. The first error of the server is kept: all later
 * ones only report that the transaction has failed.
 */
import type { DatabaseValue, Statements, TransactionBody } from '../database-driver.ts';
import type { PostgresAnswer, PostgresSession } from './postgres-session.ts';

/** What a work resolved to, or threw. */
export type Result = { readonly value: unknown } | { readonly error: unknown };

type Deferred = Map<string, readonly [sql: string, ...values: DatabaseValue[]]>;

export type Transaction = {
  readonly session: PostgresSession;
  readonly sql: Statements;
  readonly deferred: Deferred;
  failure: { readonly error: unknown } | undefined;
  /** The works have ended: what one of them still asks would be part of the next transaction. */
  isOver: boolean;
  /** Asks what runs at the end of the commit. A failure of it turns the COMMIT into a ROLLBACK, also if that is on its way already. */
  readonly end: () => readonly Promise<PostgresAnswer>[];
  /** When the works began: no wait for other workers counts. */
  begunMs: number;
};

export function openTransaction(session: PostgresSession): Transaction {
  const deferred: Deferred = new Map();
  const ask: PostgresSession['ask'] = async (text, ...values) => {
    if (transaction.isOver) throw new Error('the transaction of this work has ended');
    try {
      return await session.ask(text, ...values);
    } catch (error) {
      transaction.failure ??= { error };
      throw error;
    }
  };
  const sql: Statements = {
    all: async (text, ...values) => (await ask(text, ...values)).rows,
    run: async (text, ...values) => (await ask(text, ...values)).changed,
    atEnd: (...statement) => void deferred.set(statement.join('\n'), statement),
  };
  const end = () => {
    transaction.isOver = true;
    const asked = [...deferred.values()].map((statement) => session.ask(...statement));
    for (const one of asked) one.catch(() => undefined);
    return asked;
  };
  const begunMs = performance.now();
  const transaction: Transaction = { session, sql, deferred, end, failure: undefined, isOver: false, begunMs };
  return transaction;
}

export async function settle(body: TransactionBody<unknown>, sql: Statements): Promise<Result> {
  try {
    return { value: await body(sql) };
  } catch (error) {
    return { error };
  }
}
