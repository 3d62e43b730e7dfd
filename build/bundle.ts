/**
 * src/ and the packages it uses, in; the program in JavaScript, out: a chunk for what each command needs, loaded when it
 * is called, and source maps.
 *
 * All chunks are in <folder>/cli, two levels below the package like each file of src/, so `../../docs/` and the like mean
 * the same in both.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RolldownOutput, rolldown } from 'rolldown';
import { builtins } from './builtins.ts';

const ROOT = join(import.meta.dirname, '..');

/** What these do when they are loaded is meant; all other files of src/ only define. */
const ACTS_WHEN_LOADED =
  /\/src\/(cli\/(main|v8-flags)|receipts\/write-batch-worker|pipeline\/preview\/studio-thread)\.ts$/;

/** Another one for every other text of the program, its packages and this build. */
export function buildName(): string {
  const hash = createHash('sha256');
  for (const file of globSync(['src/**/*.{ts,json}', 'build/*.ts', 'package-lock.json'], { cwd: ROOT }).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

/** The program in `folder`/cli; `folder` is in the root of the package. A warning of the bundler is an error. */
export async function bundle(folder: string): Promise<RolldownOutput> {
  await using bundle = await rolldown({
    cwd: ROOT,
    input: {
      main: 'src/cli/main.ts',
      'write-batch-worker': 'src/receipts/write-batch-worker.ts',
      'studio-thread': 'src/views/preview/studio-thread.ts',
    },
    platform: 'node',
    plugins: [builtins()],
    transform: { define: { NIGHTPOST_BUILD: JSON.stringify(buildName()) } },
    treeshake: {
      moduleSideEffects: (id) => !id.startsWith(join(ROOT, 'src')) || ACTS_WHEN_LOADED.test(id),
      propertyReadSideEffects: false,
    },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  return await bundle.write({
    dir: join(folder, 'cli'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // What every start loads, in two files: before compiled code is looked for, and after.
    codeSplitting: {
      groups: [
        { name: 'engine', test: /\/src\/cli\/v8-flags\.ts$/, priority: 2 },
        { name: 'program', test: /\/src\/cli\/command-line\.ts$/, priority: 1 },
      ],
    },
    // Read when a bug is reported, and not before: no chunk points to its map.
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
  });
}
