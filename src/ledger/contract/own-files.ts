/**
 * Only the worker that has a file under way changes it: one that stood still meanwhile finds that its file has another worker,
 * and writes nothing of it. Where one program works alone (SQLite), the conditions are empty.
 */
import type { Statements } from '../../database/database-driver.ts';
import { leaseLost } from './lease-lost.ts';
import type { LedgerContext } from './ledger-context.ts';

type Condition = { readonly sql: string; readonly values: readonly string[] };

const NONE: Condition = { sql: '', values: [] };

/** The condition that a file belongs to this worker. `column` as in the statement. */
export function isOwnFile({ worker }: Pick<LedgerContext, 'worker'>, column = 'worker'): Condition {
  return worker ? { sql: ` AND ${column} = ?`, values: [worker.id] } : NONE;
}

/** Throws `ledger/lease-lost` within a transaction once another worker has the file. */
export async function expectOwnFile(
  sql: Statements,
  { worker }: Pick<LedgerContext, 'worker'>,
  id: string,
): Promise<void> {
  if (!worker) return;
  const [file] = await sql.all('SELECT worker FROM source_file WHERE id = ?', id);
  if (file?.worker !== worker.id) throw leaseLost();
}
