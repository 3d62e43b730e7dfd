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
  stopAt: number;
  isGone: boolean;
  /** The code with which it has ended itself at once. */
  exited: number | undefined;
  /** What the system frees at the end of a process: files, databases, connections. */
  readonly frees: Set<() => void>;
  /** What it does on a signal, and when it ends itself, by the name of the event. */
  readonly listeners: Map<string | symbol, (given: unknown) => void>;
  readonly stopped: PromiseWithResolvers<'stopped'>;
  out: string;
  err: string;
};

/** Events of the process that each program has for itself. */
const OWN = /^(?:SIG|exit$)/;
const programs = new AsyncLocalStorage<Running>();

/** Undefined outside of the program: what the simulation does itself. */
export function programNow(): Running | undefined {
  return programs.getStore();
}

export function startProgram(stopAt = Infinity): Running {
  return {
    ...{ writes: 0, stopAt, isGone: false, exited: undefined, frees: new Set(), out: '', err: '' },
    listeners: new Map(),
    stopped: Promise.withResolvers<'stopped'>(),
  };
}

export function within<T>(program: Running | undefined, act: () => T): T {
  return program ? programs.run(program, act) : programs.exit(act);
}

/** Far more than any command writes. */
const MOST_WRITES = 20_000;

/** It does the same thing for ever. */
export function isEndless({ writes }: Running): boolean {
  return writes >= MOST_WRITES;
}

/** Before each write: counts it, and stops the program at the chosen one. Throws for a program that is gone. */
export function beforeWrite(program = programNow()): void {
  if (!program) return;
  if (isEndless(program)) endProgram(program);
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

/** Asks a program to end; one that does not listen ends at once. */
export function terminate(program: Running): void {
  const act = program.listeners.get('SIGTERM');
  if (act) within(program, () => act('SIGTERM'));
  else endProgram(program);
}

/** From here on what a program prints is its own, and where it ends, it alone ends. */
export function takeOverProcess(): void {
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    const program = programNow();
    if (!program) return exit(code);
    program.exited ??= Number(code ?? process.exitCode ?? 0);
    if (!program.isGone) program.listeners.get('exit')?.(program.exited);
    endProgram(program);
    throw new Stopped();
  };
  const { on, off } = process;
  const listen = (name: string | symbol, act: (...given: unknown[]) => void) => {
    const program = OWN.test(String(name)) ? programNow() : undefined;
    if (!program) return on.call(process, name, act);
    program.listeners.set(name, act);
    return process;
  };
  const ignore = (name: string | symbol, act: (...given: unknown[]) => void) => {
    if (programNow()?.listeners.get(name) !== act) return off.call(process, name, act);
    programNow()?.listeners.delete(name);
    return process;
  };
  Object.assign(process, { on: listen, off: ignore });
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
