/**
 * Files in folders that other accounts may write to, or that a person names: opened without following a link and without waiting
 * for a pipe, and read up to a bound.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { IN_THE_WAY, within } from './guarded-place.ts';

export const OPEN_SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** For a file that grows while it is read. */
const STEP = 4096;
/** More than any receipt, payload, summary or report has. */
export const MOST_BYTES = 256 * 1024 * 1024;

/**
 * At most so many bytes of a plain file and one more, which shows that the file is longer. Throws an error with the code
 * ENOTSUP for a pipe, a device or a link, EISDIR for a folder.
 */
export function readPlain(path: string | Buffer, most: number, isOurs: (file: Stats) => boolean = () => true): Buffer {
  let file: number;
  try {
    file = openSync(path, OPEN_SAFELY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' ? notPlain(path) : error;
  }
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw Object.assign(notPlain(path), { code: 'EISDIR' });
    if (!stats.isFile() || !isOurs(stats)) throw notPlain(path);
    const pieces: Buffer[] = [];
    for (let left = most + 1; left > 0; ) {
      const piece = Buffer.allocUnsafe(Math.min(left, Math.max(STEP, stats.size + 1)));
      const count = readSync(file, piece);
      if (count === 0) break;
      pieces.push(piece.subarray(0, count));
      left -= count;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}

/** The text of a file that a person wrote, which may be a link, as in a container. Throws as `readPlain` does. */
export function plainText(path: string): string {
  return readPlain(realpathSync(path), MOST_BYTES).toString('utf8');
}

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

/** Whether there is a pipe, a device, a link or a folder, or a link to the folder of the file. */
export function isNotPlain(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTSUP' || code === 'EISDIR' || code === IN_THE_WAY;
}

function notPlain(given: string | Buffer): NodeJS.ErrnoException {
  const path = String(given);
  return Object.assign(new Error(`${path} is no plain file`), { code: 'ENOTSUP', path, syscall: 'open' });
}
