/**
 * Files that people write below the instance folder and a mapping names: tables, blocks, samples. Such a name never leads
 * into a folder of the program, also not through a link, and a pipe is refused without waiting.
 */
import { closeSync, fstatSync, openSync, realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { OPEN_SAFELY } from './read-bounded.ts';

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
