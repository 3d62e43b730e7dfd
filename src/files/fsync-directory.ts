/** Makes the names in a folder durable: a rename or unlink survives a power cut only after its folder was flushed. */
import { closeSync, constants, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Windows cannot open a folder for this and does not need it: its names are journalled. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  // A pipe under the name of a folder would be waited for.
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes a private folder (0700) with a durable name, unless it exists. Synchronous: only for the start of the program. */
export function makeDurableFolder(path: string): void {
  if (mkdirSync(path, { recursive: true, mode: 0o700 }) === undefined || process.platform === 'win32') return;
  const above = openSync(dirname(path), 'r');
  try {
    fsyncSync(above);
  } finally {
    closeSync(above);
  }
}
