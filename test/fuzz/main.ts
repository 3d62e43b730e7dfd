/**
 * Fuzzing, as long as you like: npm run fuzz -- [TARGET ...] --minutes 60 --seed 7, or TARGET --replay FILE.
 *
 * Each target runs in a worker of its own, one after the other. An input that takes longer than ten seconds, or more
 * than 512 MB, ends its worker and is kept like one that throws; another worker goes on behind it.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { TARGETS } from './targets.ts';
import type { Finding, Report, Task } from './worker.ts';

const HANG_MS = 10_000;
const FOLDER = 'fuzz-findings';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    replay: { type: 'string' },
  },
});
const names = positionals.length > 0 ? positionals : TARGETS.map(({ name }) => name);
const unknown = names.find((name) => !TARGETS.some((target) => target.name === name));
if (unknown !== undefined) {
  console.error(`no target ${unknown}: ${TARGETS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
if (values.replay !== undefined) {
  await TARGETS.find(({ name }) => name === names[0])!.run(readFileSync(values.replay));
  console.log('holds');
} else {
  const seed = Number(values.seed);
  const each = (Number(values.minutes) * 60_000) / names.length;
  console.log(`seed ${seed}, ${names.length} targets, ${Math.round(each / 1000)} s each`);
  let findings = 0;
  for (const name of names) findings += await fuzz(name, seed, Date.now() + each);
  console.log(findings === 0 ? 'nothing found' : `${findings} found, kept in ${FOLDER}/`);
  process.exitCode = findings === 0 ? 0 : 1;
}

/** How many findings. */
async function fuzz(target: string, seed: number, until: number): Promise<number> {
  let findings = 0;
  for (let turn = 0; Date.now() < until; turn++) {
    const task: Task = {
      target,
      seed: seed + turn,
      until,
      counts: new Int32Array(new SharedArrayBuffer(8)),
      input: new Uint8Array(new SharedArrayBuffer(1 << 20)),
    };
    findings += await watched(task);
  }
  return findings;
}

async function watched(task: Task): Promise<number> {
  const { target, seed, counts, input } = task;
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  let findings = 0;
  const keep = ({ bytes, says }: Finding) => {
    findings++;
    mkdirSync(FOLDER, { recursive: true });
    const path = join(FOLDER, `${target}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`);
    writeFileSync(path, bytes);
    console.log(`${target}: ${says.slice(0, 1500)}\n  npm run fuzz -- ${target} --replay ${path}`);
  };
  const atWork = () => Buffer.from(input.slice(0, counts[1]));
  worker.on('message', (message: Finding | Report) => {
    if ('bytes' in message) keep(message);
    else
      console.log(`${target}: ${message.tries} inputs, ${message.kept} kept, ${message.blocks} blocks, seed ${seed}`);
  });
  worker.on('error', (error) => keep({ bytes: atWork(), says: String(error) }));
  const over = new Promise<void>((resolve) => worker.on('exit', () => resolve()));
  let ended = false;
  void over.then(() => {
    ended = true;
  });
  for (let last = -1, since = Date.now(); !ended; await Promise.race([over, wait(250)])) {
    const at = Atomics.load(counts, 0);
    if (at !== last) [last, since] = [at, Date.now()];
    // The first input waits for all modules.
    if (Date.now() - since < (at === 0 ? 60_000 : HANG_MS)) continue;
    keep({ bytes: atWork(), says: `no end after ${HANG_MS / 1000} s` });
    await Promise.race([worker.terminate(), wait(5_000)]);
    if (ended) continue;
    console.log(`${target}: it cannot be stopped either (native code), so this run ends here`);
    process.exit(1);
  }
  return findings;
}
