/**
 * Workers of one ledger share one instance folder. Each has a mark in `state/`, made before it registers: one that does not find
 * the mark of another worker that lives has another folder, as where a share is not mounted (`ledger/other-folder`).
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Statements } from '../../database/database-driver.ts';
import { LEDGER_WORKER } from '../../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../../model/fault.ts';

const markOf = (folder: string, worker: string) => join(folder, `worker-${worker}`);

/** Returns what removes it. One that is left is removed by a worker that joins once its worker is gone. */
export function markFolder(folder: string, worker: string): () => void {
  const mark = markOf(folder, worker);
  writeFileSync(mark, '', { mode: 0o600 });
  return () => rmSync(mark, { force: true });
}

const LOOK_MS = 250;
/** A share may show a file of another machine late. */
const LOOKS = 12;

/** Throws OperatorError `ledger/other-folder`, with the name of the first worker whose mark is not there. */
export async function expectSameFolder(
  folder: string,
  own: string,
  read: <T>(work: (sql: Statements) => Promise<T>) => Promise<T>,
): Promise<void> {
  const all = await read(async (sql) => await sql.all('SELECT id, host, pid, gone FROM worker WHERE id <> ?', own));
  for (const { id, gone } of all) if (gone !== null) rmSync(markOf(folder, id as string), { force: true });
  for (const { id, host, pid, gone } of all) {
    if (gone === null && !(await appears(markOf(folder, id as string)))) {
      const values = { host: host as string, pid: String(pid), folder };
      throw new OperatorError('ledger/other-folder', LEDGER_WORKER.otherFolder(values), {
        hint: LEDGER_WORKER.otherFolderHint(),
      });
    }
  }
}

async function appears(mark: string): Promise<boolean> {
  for (let looks = 1; !existsSync(mark); looks++) {
    if (looks === LOOKS) return false;
    await sleep(LOOK_MS);
  }
  return true;
}
