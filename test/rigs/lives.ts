/** The program as child processes of a rig, each loaded ahead of its turn. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import type { Scene } from '../night.ts';
import type { Dropped } from './checker.ts';

export type Life = {
  /** The program, or the command it runs under. */
  readonly child: ChildProcess;
  /** The process id of the program. */
  readonly loaded: Promise<number>;
  readonly gone: Promise<number | null>;
};

const CHILD = join(import.meta.dirname, 'program-child.ts');
/** Compiled code of the program, so that each of its lives costs half the time to load. */
export const COMPILED = join(tmpdir(), `nightpost-rig-compiled-${process.pid}`);

/** `under` goes before the command line of the program. */
export function load(scene: Scene, under: readonly string[] = []): Life {
  const { environment } = describeSandbox(scene.sandbox);
  const env = { ...process.env, ...environment, NODE_COMPILE_CACHE: COMPILED };
  const [command = '', ...args] = [...under, process.execPath, CHILD];
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // A message to a child that has just been killed.
  child.on('error', () => {});
  const loaded = once(child, 'message').then(([pid]) => pid as number);
  return { child, loaded, gone: once(child, 'exit').then(([code]) => code as number | null) };
}

/** Resolves to the process id of the program. */
export async function start({ child, loaded }: Life, scene: Scene, command: 'run' | 'watch'): Promise<number> {
  const pid = await loaded;
  child.send(['-C', scene.root, '--quiet', command]);
  return pid;
}

/** Killed twice while it was read, a file is set aside: a person drops it again, which the ledger records as another file. */
async function dropAgain(scene: Scene, dropped: Dropped[]): Promise<boolean> {
  const files = await scene.look((ledger) => ledger.queries.files({ limit: Number.MAX_SAFE_INTEGER }));
  const isTaken = (sha256: string) => files.some((one) => one.sha256 === sha256 && one.state === 'admitted');
  const refused = files.filter(({ faults, sha256 }) => faults[0]?.code === 'intake/program-died' && !isTaken(sha256));
  for (const { name, path } of refused) {
    const content = readFileSync(path, 'utf8');
    scene.drop(name, content);
    dropped.push({ name, content });
  }
  return refused.length > 0;
}

/** Runs until nothing is queued: a service that was stopped by its own faults gets its next chance with the next run. What it drops again is added to `dropped`. */
export async function finish(scene: Scene, first: Life, dropped: Dropped[]): Promise<void> {
  let life = first;
  for (let runs = 0; runs < 8; runs++) {
    await start(life, scene, 'run');
    const code = await life.gone;
    if (code === null || ![0, 3, 5].includes(code)) throw new Error(`the last run ended with ${code} (${scene.root})`);
    const { ready = 0 } = await scene.look((ledger) => ledger.queries.counts({ states: ['ready'] }));
    if (ready === 0 && !(await dropAgain(scene, dropped))) return;
    life = load(scene);
  }
  throw new Error('documents stay queued');
}
