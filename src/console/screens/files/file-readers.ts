/** Which program reads which file, on a ledger that several programs share. */
import { HEALTH_WORKER } from '../../../i18n/messages/console/console-health-messages.ts';
import type { ScreenContext } from '../../server/screen-context.ts';

/** Files that programs have under way: few, but for a night of small files. */
const MOST_READ = 5000;

/** By the id of a file, the program that has it under way, on a ledger that several share. */
export async function readersOf({ ledger, say }: ScreenContext): Promise<ReadonlyMap<string, string>> {
  const files = await ledger.workers.files(MOST_READ);
  const workers = files.length > 0 ? await ledger.workers.list() : [];
  const names = new Map(
    workers.map(({ id, host, pid }) => [id, `${host}, ${say(HEALTH_WORKER.process({ pid: String(pid) }))}`]),
  );
  return new Map(files.map(({ id, worker }) => [id, names.get(worker) ?? worker]));
}
