/**
 * The folders of single runs. They stay until the last one is over: a file system that does not use freed inodes again
 * for some minutes (ext4) looks past each of them when it makes a file, and the next run would pay for the clean-up of
 * the one before it.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BENCH_FOLDER } from './exports.ts';

export function newFolder(out: string): string {
  return mkdtempSync(`${resolve(out)}-`);
}

export function removeFolders(): void {
  const names = readdirSync(BENCH_FOLDER).filter((name) => /\.out-\w{6}$/.test(name));
  for (const name of names) rmSync(join(BENCH_FOLDER, name), { recursive: true });
}
