/**
 * Makes the program once, as it is published, for all tests that start it: such a start takes a third of the processor
 * time of one from the sources. Made again when the sources change; BUILT_PROGRAM is its address.
 */
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildName, bundle } from '../build/bundle.ts';

const ROOT = resolve(import.meta.dirname, '..');
const DAY_MS = 86_400_000;

export default async function build(): Promise<void> {
  const folder = join(ROOT, `.built-${buildName().slice(0, 16)}`);
  process.env.BUILT_PROGRAM = join(folder, 'cli/main.js');
  if (existsSync(folder)) return;
  // Other sources may be under test at this moment.
  for (const name of globSync('.built-*', { cwd: ROOT })) {
    const path = join(ROOT, name);
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path, { recursive: true, force: true });
  }
  const unfinished = join(ROOT, `.built-${process.pid}`);
  await bundle(unfinished);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process made the same at the same time.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}
