/**
 * One command of the program within this process: what it has open, how many writes it has made, and the write before which it is
 * stopped as a kill stops it. What an earlier command left behind runs on in this process, and reaches nothing any more.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Thrown where a program that was stopped writes. */
class Stopped extends Error {
  constructor() {
    super('the program was stopped');
  }
}

export type Running = {
  /** Writes of files and commits so far. */
  writes: number;
  /** The write that is not made any more, from 1. */
  readonly stopAt: number;
  isGone: boolean;
  /** What the system frees at the end of a process: files, databases, connections. */
  readonly frees: Set<() => void>;
  readonly stopped: PromiseWithResolvers<'stopped'>;
  out: string;
  err: string;
};

const programs = new AsyncLocalStorage<Running>();

/** Undefined outside of the program: what the simulation does itself. */
export function programNow(): Running | undefined {
  return programs.getStore();
}

export function startProgram(stopAt = Infinity): Running {
  return {
    ...{ writes: 0, stopAt, isGone: false, frees: new Set(), out: '', err: '' },
    stopped: Promise.withResolvers<'stopped'>(),
  };
}

export function within<T>(program: Running | undefined, act: () => T): T {
  return program ? programs.run(program, act) : programs.exit(act);
}

/** Before each write: counts it, and stops the program at the chosen one. Throws for a program that is gone. */
export function beforeWrite(program = programNow()): void {
  if (!program) return;
  if (!program.isGone && ++program.writes >= program.stopAt) endProgram(program);
  if (program.isGone) throw new Stopped();
}

/** Before anything else that changes or holds what others see. */
export function assertAlive(program = programNow()): void {
  if (program?.isGone) throw new Stopped();
}

/** As the system does at the end of a process. */
export function endProgram(program: Running): void {
  if (program.isGone) return;
  program.isGone = true;
  for (const free of program.frees) {
    try {
      free();
    } catch {
      // Closed already.
    }
  }
  program.frees.clear();
  program.stopped.resolve('stopped');
}

/** From here on what a program prints is its own. */
export function takeOverProcess(): void {
  for (const [stream, name] of [[process.stdout, 'out'] as const, [process.stderr, 'err'] as const]) {
    const print = stream.write.bind(stream) as (...given: readonly unknown[]) => boolean;
    const write = (chunk: unknown, ...given: readonly unknown[]): boolean => {
      const program = programNow();
      if (!program) return print(chunk, ...given);
      program[name] += String(chunk);
      return true;
    };
    Object.assign(stream, { write });
  }
}
