/**
 * Folders that a group shares: setgid, and open to their group. A new file or folder in one is open to the group too,
 * whatever the umask; the mode of the folder alone decides, so a folder that an administrator opens by hand counts. A
 * path comes in, a mode comes out, undefined if the folder is private or cannot be read. Windows has no such modes.
 */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Of a shared folder: setgid, and everything for owner and group. */
export const SHARED_FOLDER = 0o2770;
const GROUP_BITS = 0o2070;
/** A person saves a correction file in place; receipts and summaries are only read, copied or moved. */
const CORRECTED = 0o660;
const READ = 0o640;

function isShared(folder: string): boolean {
  const mode = process.platform === 'win32' ? 0 : (statSync(folder, { throwIfNoEntry: false })?.mode ?? 0);
  return (mode & GROUP_BITS) === GROUP_BITS;
}

/** The mode of a file of ours in a shared folder; payloads have the whole content of a document and stay private. */
export function sharedFileMode(path: string): number | undefined {
  if (path.endsWith('.payload.json') || !isShared(dirname(path))) return undefined;
  return /\.to-fix\.\w+$/.test(basename(path)) ? CORRECTED : READ;
}

/** The mode of a new folder in a shared one. */
export function sharedFolderMode(path: string): number | undefined {
  return isShared(dirname(path)) ? SHARED_FOLDER : undefined;
}
