/** Files opened without following a link and without waiting for a pipe, and read up to a bound. It needs nothing of the program. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';

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
  return openPlain(path, (file, stats) => {
    if (!isOurs(stats)) throw notPlain(path);
    const pieces: Buffer[] = [];
    for (let left = most + 1; left > 0; ) {
      const piece = readPiece(file, Math.min(left, Math.max(STEP, stats.size + 1)));
      if (piece.length === 0) break;
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  });
}

/** Reads from a plain file that is open while `act` works. Throws as `readPlain` does. */
export function openPlain<T>(path: string | Buffer, act: (file: number, stats: Stats) => T): T {
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
    return act(file, stats);
  } finally {
    closeSync(file);
  }
}

/** The next bytes of an open file, none at its end. */
export function readPiece(file: number, most: number): Buffer {
  const piece = Buffer.allocUnsafe(most);
  return piece.subarray(0, readSync(file, piece));
}

/** The text of a file that a person wrote, which may be a link, as in a container. Throws as `readPlain` does. */
export function plainText(path: string): string {
  return readPlain(realpathSync(path), MOST_BYTES).toString('utf8');
}

function notPlain(given: string | Buffer): NodeJS.ErrnoException {
  const path = String(given);
  return Object.assign(new Error(`${path} is no plain file`), { code: 'ENOTSUP', path, syscall: 'open' });
}
