/** The program as a child process, as a scheduler starts it: what it prints, how it ends, and signals to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describeSandbox } from '../src/sandbox/describe.ts';
import type { Scene } from './night.ts';

const MAIN = join(import.meta.dirname, '../src/cli/main.ts');

export type Ended = {
  /** Exit code, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
};

export type Started = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

export type Surroundings = { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string };

export function start(args: readonly string[], { env = {}, cwd }: Surroundings = {}): Started {
  const { NIGHTPOST_ENVIRONMENT: _, FORCE_COLOR: __, ...own } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const [out, err] = [child.stdout!, child.stderr!].map(textOf);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? signal!, out: out!(), err: err!() }));
  });
  return { child, ended };
}

/** One command on the instance of a scene, with the secrets of its sandbox. */
export function startIn(scene: Scene, ...args: string[]): Started {
  const { environment } = describeSandbox(scene.sandbox);
  return start(['-C', scene.root, ...args], { env: environment });
}

export async function runIn(scene: Scene, ...args: string[]): Promise<Ended> {
  return await startIn(scene, ...args).ended;
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
