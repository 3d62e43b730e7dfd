/**
 * Files that people write below the instance folder and a mapping names: tables, blocks, samples. Such a name never leads
 * into a folder of the program, also not through a link, and a pipe is refused without waiting.
 */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

/** Their content must not be quoted on a screen: secrets, the ledger, documents of people. */
const PRIVATE: readonly string[] = [
  'secrets',
  'state',
  'logs',
  'processing',
  'outbox',
  'pending',
  'error',
  'archive',
  'reports',
  'backups',
  'nightpost.yaml',
];

const OPEN_SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const STEP = 64 * 1024;

/** Relative, without "..", drive letter or backslash, in no folder of the program and not hidden. */
export function mayBeNamed(path: string): boolean {
  if (/^[/\\]|^[A-Za-z]:|\\|\0/.test(path)) return false;
  const parts = path.split('/').filter((part) => part !== '.' && part !== '');
  const first = parts[0]?.toLowerCase() ?? '';
  return !parts.includes('..') && !first.startsWith('.') && !PRIVATE.includes(first);
}

/** The real path of the file; undefined if a mapping may not name it, or it is missing. `secret`: real paths of secrets. */
export function namedFile(root: string, path: string, secret: ReadonlySet<string> = new Set()): string | undefined {
  if (!mayBeNamed(path)) return undefined;
  try {
    const real = realpathSync(resolve(root, path));
    const inside = relative(realpathSync(root), real).split(sep).join('/');
    return mayBeNamed(inside) && !secret.has(real) && isPlain(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(path: string): boolean {
  const file = openSync(path, OPEN_SAFELY);
  try {
    return fstatSync(file).isFile();
  } finally {
    closeSync(file);
  }
}

/**
 * At most so many bytes of a plain file and one more, which shows that the file is longer. Throws an error with the code
 * ENOTSUP for a pipe, a device, a folder or a link.
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

function notPlain(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} is no plain file`), { code: 'ENOTSUP', path, syscall: 'open' });
}
