/**
 * The program as src/cli/main.ts starts it, loaded ahead of its turn, with one difference: what it would send to the database
 * goes through the link of its rig. All workers have the same settings, as in life.
 */
import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { createProgram, runCommandLine } from '../../src/cli/command-line.ts';

export type WorkerStart = {
  readonly args: readonly string[];
  /** The port of the database, and the one that takes its place. */
  readonly link: readonly [database: number, link: number];
};

await createProgram();
// The client of PostgreSQL is loaded only with the ledger.
await import('pg');

process.once('message', ({ args, link: [database, link] }: WorkerStart) => {
  process.disconnect();
  const connect = Socket.prototype.connect as (...given: unknown[]) => Socket;
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
    return connect.apply(this, given[0] === database ? [link, ...given.slice(1)] : given);
  } as typeof Socket.prototype.connect;
  void runCommandLine(['node', 'nightpost', ...args]);
});
// A process that is killed never writes its cache.
flushCompileCache();
process.send?.(process.pid);
