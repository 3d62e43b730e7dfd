/**
 * Only the worker that has a file under way changes it: one that stood still meanwhile finds that its file has another worker,
 * and writes nothing of it. Where one program works alone (SQLite), the conditions are empty.
 */
import type { LedgerContext } from './ledger-context.ts';

type Condition = { readonly sql: string; readonly values: readonly string[] };

const NONE: Condition = { sql: '', values: [] };

/** The condition that a file belongs to this worker. `column` as in the statement. */
export function isOwnFile({ worker }: Pick<LedgerContext, 'worker'>, column = 'worker'): Condition {
  return worker ? { sql: ` AND ${column} = ?`, values: [worker.id] } : NONE;
}
