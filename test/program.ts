/**
 * The program as a scheduler starts it: as a child process, where signals and streams count, or within this process,
 * which takes a tenth of the time.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../src/cli/command-line.ts';
import { describeSandbox } from '../src/sandbox/describe.ts';
import type { Scene } from './night.ts';

/** The first file of the program in its sources. */
export const SOURCE = join(import.meta.dirname, '../src/cli/main.ts');

/** That of the program that is tested: as it is published where vitest made it (built-program.ts), else its sources. */
export const MAIN = process.env.BUILT_PROGRAM ?? SOURCE;

/** Those of the first line of the program: what is tested runs as it is installed. */
function flagsOf(main: string): readonly string[] {
  const [first = ''] = readFileSync(main, 'utf8').split('\n');
  return first.split(' ').filter((word) => word.startsWith('--'));
}

export type Ended = {
  /** Exit code, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
};

export type Started = { readonly child: ChildProcess; readonly ended: Promise<Ended> };

export type Surroundings = {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The account it runs under, user and group; root alone may choose. */
  readonly user?: readonly [uid: number, gid: number];
  /** Options of Node that replace those of the program. */
  readonly flags?: readonly string[];
};

/** What comes before the arguments of the program; `flags` are options of Node that replace those of the program. */
export function commandLineOf(flags: readonly string[] = []): readonly string[] {
  // A rig makes the program after this module was loaded.
  const main = process.env.BUILT_PROGRAM ?? SOURCE;
  return [process.execPath, ...flagsOf(main), ...flags, main];
}

export function start(args: readonly string[], { env = {}, cwd, user, flags = [] }: Surroundings = {}): Started {
  const { NIGHTPOST_ENVIRONMENT: _, FORCE_COLOR: __, ...own } = process.env;
  const [program = '', ...line] = commandLineOf(flags);
  const child = spawn(program, [...line, ...args], {
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user[0], gid: user[1] }),
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

/** What other accounts have in place of a home: without compiled code each start would take three times as long. */
const compiledFor = (uid: number) => join(tmpdir(), `nightpost-compiled-${uid}`);

/** The same under another account. */
export async function runAs(
  scene: Scene,
  user: readonly [uid: number, gid: number],
  ...args: string[]
): Promise<Ended> {
  const { environment } = describeSandbox(scene.sandbox);
  const env = { ...environment, HOME: '/nonexistent', NODE_COMPILE_CACHE: compiledFor(user[0]) };
  return await start(['-C', scene.root, ...args], { env, user, cwd: '/' }).ended;
}

/** The same within this process. Only one at a time. */
export async function commandIn(scene: Scene, ...args: string[]): Promise<Ended> {
  const { environment } = describeSandbox(scene.sandbox);
  return await command(['-C', scene.root, ...args], environment);
}

export async function command(args: readonly string[], env: { readonly [name: string]: string } = {}): Promise<Ended> {
  const text = { out: '', err: '' };
  const write = (stream: 'out' | 'err') => (chunk: unknown) => {
    text[stream] += String(chunk);
    return true;
  };
  const [stdout, stderr] = [process.stdout.write, process.stderr.write];
  const before = { ...process.env };
  const listeners = listenersNow();
  Object.assign(process.env, env);
  Object.assign(process.stdout, { write: write('out') });
  Object.assign(process.stderr, { write: write('err') });
  try {
    await runCommandLine(['node', 'nightpost', ...args]);
    assert.deepEqual({ args, listeners: listenersNow() }, { args, listeners });
    return { code: Number(process.exitCode ?? 0), ...text };
  } finally {
    Object.assign(process.stdout, { write: stdout });
    Object.assign(process.stderr, { write: stderr });
    process.exitCode = undefined;
    process.env = before;
  }
}

/** How many each event of the process has: a command leaves none. */
function listenersNow(): { readonly [event: string]: number } {
  return Object.fromEntries(process.eventNames().map((name) => [String(name), process.listenerCount(name)]));
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
