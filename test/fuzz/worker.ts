/** One target, input after input, kept going by new coverage; what it is at stands in shared memory for the watcher. */
import { parentPort, workerData } from 'node:worker_threads';
import { coverageOf } from './coverage.ts';
import { mutated } from './mutate.ts';
import { randomOf } from './random.ts';
import { TARGETS } from './targets.ts';

export type Shared = {
  /** How many inputs were tried, length of the one at work. */
  readonly counts: Int32Array;
  readonly input: Uint8Array;
};
export type Task = Shared & { readonly target: string; readonly seed: number; readonly until: number };
export type Finding = { readonly bytes: Uint8Array; readonly says: string };
export type Report = { readonly tries: number; readonly kept: number; readonly blocks: number };

const { target: name, seed, until, counts, input } = workerData as Task;
const target = TARGETS.find((one) => one.name === name)!;
const random = randomOf(seed);
const found = coverageOf();
const corpus = [...target.seeds];
let blocks = 0;
/** One message each: the same cause comes back under thousands of inputs. */
const told = new Set<string>();

for (let n = 0; Date.now() < until; n++) {
  const bytes = n < target.seeds.length ? target.seeds[n]! : mutated(corpus, target.words, random);
  input.set(bytes);
  counts[1] = bytes.length;
  Atomics.store(counts, 0, n + 1);
  const begin = performance.now();
  try {
    await target.run(bytes);
    const ms = performance.now() - begin;
    if (ms > 2_000) report(bytes, `took ${Math.round(ms)} ms`);
  } catch (error) {
    report(bytes, error instanceof Error ? `${error.message}\n${error.stack}` : String(error));
  }
  const fresh = found();
  blocks += fresh;
  if (fresh > 0 && n >= target.seeds.length) corpus.push(bytes);
}
parentPort!.postMessage({ tries: counts[0]!, kept: corpus.length - target.seeds.length, blocks } satisfies Report);

function report(bytes: Buffer, says: string): void {
  const cause = says
    .split('\n')[0]!
    .replace(/\d+|"[^"]*"/g, '#')
    .slice(0, 80);
  if (told.has(cause)) return;
  told.add(cause);
  parentPort!.postMessage({ bytes, says } satisfies Finding);
}
