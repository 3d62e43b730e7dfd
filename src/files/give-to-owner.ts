/** A file that root makes in a folder of another account goes to that account, which could not open it otherwise. Errors of the system are thrown. */
import { chownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** `file`: a database; SQLite gives the files next to it to the same owner. */
export function giveToOwnerOfFolder(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (statSync(file).uid !== uid) chownSync(file, uid, gid);
}
