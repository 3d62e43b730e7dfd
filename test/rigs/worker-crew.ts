/**
 * `nightpost watch` as it is published, in several processes that are started again whenever they end, each with a link of its
 * own to the database. What they print is in one log.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresPlace } from '../../src/database/postgres/postgres-place.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import type { Scene } from '../night.ts';
import { type LinkState, openLink } from './tcp-link.ts';

export type Worker = {
  readonly pid: () => number | undefined;
  /** kill -9; the next one is started at once. */
  readonly kill: () => void;
  /** SIGSTOP for so long. */
  readonly pause: (ms: number) => Promise<void>;
  /** Its link to the database is not whole for so long. */
  readonly breakLink: (how: LinkState, ms: number) => Promise<void>;
  /** Whether it neither stands still nor is cut off. */
  readonly isWell: () => boolean;
  /** Asks it to end, and waits for that. */
  readonly dismiss: () => Promise<void>;
};

export type Employer = {
  readonly scene: Scene;
  readonly place: PostgresPlace;
  /** The way to the database and back, in milliseconds. */
  readonly awayMs: number;
  /** Node, its options and the program, before the arguments of the program; gets more options of Node. */
  readonly commandLineOf: (flags: readonly string[]) => readonly string[];
  readonly log: string;
  /** Gets the code of each that ended by itself. */
  readonly onEnd: (code: string) => void;
};

/** A service manager waits before it starts one again that has failed. */
const RESTART_MS = 1000;
const LAST_MS = 30_000;

/** All workers have the same settings, as in life: what one would send to the database goes through its link. */
const REDIRECT = `data:text/javascript,${encodeURIComponent(`
import { Socket } from 'node:net';
const [database, link] = process.env.RIG_LINK.split(':').map(Number);
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...given) {
  return connect.apply(this, given[0] === database ? [link, ...given.slice(1)] : given);
};`)}`;

export async function hire({ scene, place, awayMs, commandLineOf, log, onEnd }: Employer): Promise<Worker> {
  const link = await openLink(place.port, awayMs / 2);
  const { environment } = describeSandbox(scene.sandbox);
  const [program = '', ...line] = commandLineOf(['--import', REDIRECT]);
  const env = { ...process.env, ...environment, RIG_LINK: `${place.port}:${link.port}` };
  let isDismissed = false;
  let breaks = 0;
  let child: ChildProcess;
  const live = async () => {
    const out = openSync(log, 'a');
    child = spawn(program, [...line, '-C', scene.root, '--quiet', 'watch'], { env, stdio: ['ignore', out, out] });
    closeSync(out);
    const { pid } = child;
    const [code, signal] = await once(child, 'exit');
    appendFileSync(log, `${JSON.stringify({ at: new Date().toISOString(), pid, code, signal })}\n`);
    if (signal !== null || code === 0 || isDismissed) return;
    onEnd(String(code));
    await wait(RESTART_MS);
  };
  const keep = async () => {
    while (!isDismissed) await live();
  };
  const kept = keep();
  const during = async (ms: number, begin: () => void, end: () => void) => {
    breaks++;
    begin();
    await wait(ms);
    end();
    breaks--;
  };
  return {
    pid: () => child.pid,
    kill: () => void child.kill('SIGKILL'),
    pause: async (ms) => {
      const paused = child;
      await during(
        ms,
        () => paused.kill('SIGSTOP'),
        () => paused.kill('SIGCONT'),
      );
    },
    breakLink: async (how, ms) =>
      await during(
        ms,
        () => link.set(how),
        () => link.set('whole'),
      ),
    isWell: () => breaks === 0,
    dismiss: async () => {
      isDismissed = true;
      link.set('whole');
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), LAST_MS);
      await kept;
      clearTimeout(late);
      await link[Symbol.asyncDispose]();
    },
  };
}
