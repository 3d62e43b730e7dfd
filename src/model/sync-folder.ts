/** Makes the names in a folder durable: a rename or unlink survives a power cut only after its folder was flushed. */
import { open } from 'node:fs/promises';

/** Windows cannot open a folder for this and does not need it: its names are journalled. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
