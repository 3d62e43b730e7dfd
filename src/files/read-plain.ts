/**
 * Files in folders that other accounts may write to, or that a person names: opened without following a link and without waiting
 * for a pipe, and read up to a bound.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export const OPEN_SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const STEP = 64 * 1024;
/** More than any receipt, payload, summary or report has. */
export const MOST_BYTES = 256 * 1024 * 1024;

/**
 * At most so many bytes of a plain file and one more, which shows that the file is longer. Throws an error with the code
 * ENOTSUP for a pipe, a device or a link, EISDIR for a folder.
 */
export function readPlain(path: string, most: number): Buffer {
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
    if (!stats.isFile()) throw notPlain(path);
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

/** Undefined where there is no plain file, or one that the program cannot have written. Other errors of the system are thrown. */
export function plainBytes(path: string, most = MOST_BYTES): Buffer | undefined {
  try {
    const bytes = readPlain(path, most);
    return bytes.length > most ? undefined : bytes;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || isNotPlain(error)) return undefined;
    throw error;
  }
}

/** Whether `readPlain` refused a pipe, a device, a link or a folder. */
export function isNotPlain(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTSUP' || code === 'EISDIR';
}

function notPlain(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is no plain file`), { code: 'ENOTSUP', path, syscall: 'open' });
}
