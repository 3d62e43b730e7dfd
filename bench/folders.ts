/**
 * Everything that the bench makes is in .bench/. Folders of single runs stay until the last one is over: a file system
 * that does not use freed inodes again for some minutes (ext4) looks past each of them when it makes a file, and the next
 * run would pay for the clean-up of the one before it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
/** A bench in another commit uses the folder and the services of the one that started it. */
export const BENCH_FOLDER = process.env.NIGHTPOST_BENCH_FOLDER ?? join(ROOT, '.bench');
export const PROCESSES = process.env.NIGHTPOST_BENCH_PROCESSES ?? join(import.meta.dirname, 'processes');
const RUNS = join(BENCH_FOLDER, 'runs');

export function newFolder(name: string): string {
  mkdirSync(RUNS, { recursive: true });
  return mkdtempSync(join(RUNS, `${name}-`));
}

export function removeFolders(): void {
  rmSync(RUNS, { recursive: true, force: true });
}
