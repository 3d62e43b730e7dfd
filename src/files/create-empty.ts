/** An empty file that replaces none: a marker, or a name that is kept. Errors of the system are thrown. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** False if there is a file of this name. */
export async function createEmpty(path: string | Buffer): Promise<boolean> {
  try {
    const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
