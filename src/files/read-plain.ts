/** Plain files in folders that other accounts may write to, or that a person names. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { IN_THE_WAY, within } from './guarded-place.ts';
import { MOST_BYTES, readPlain } from './read-bounded.ts';

/** Looks at the file that is open, and at its folder. */
export type IsOurs = (file: Stats, folder: Stats) => boolean;

/**
 * Undefined where there is no plain file, one that the program cannot have written, or one that is not `isOurs`. Other errors of the
 * system are thrown.
 */
export function plainBytes(path: string, most = MOST_BYTES, isOurs: IsOurs = () => true): Buffer | undefined {
  try {
    const bytes = within(path, (place) => readPlain(place, most, (file) => isOurs(file, statSync(dirname(place)))));
    return bytes.length > most ? undefined : bytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || isNotPlain(error)) return undefined;
    throw error;
  }
}

/**
 * Where nothing else than an absent file says that there is nothing to know: no bytes where another thing has its name, or more than the
 * program can have written.
 */
export function bytesUnlessAbsent(path: string, most: number): Buffer | undefined {
  const bytes = plainBytes(path, most);
  return bytes ?? (lstatSync(path, { throwIfNoEntry: false }) && Buffer.alloc(0));
}

/** Whether there is a pipe, a device, a link or a folder, or a link to the folder of the file. */
export function isNotPlain(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTSUP' || code === 'EISDIR' || code === IN_THE_WAY;
}
