/**
 * Time that passes only where nothing else is left to do: `Date`, `performance.now`, timers and pauses of the whole process. The wall
 * clock can be moved under the program; the other one never goes back.
 */

import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timerPromises from 'node:timers/promises';
import { programNow, type Running, within } from './running.ts';

type Timer = {
  at: number;
  readonly order: number;
  readonly act: () => void;
  readonly owner: Running | undefined;
  readonly everyMs: number | undefined;
  isRef: boolean;
};

const machine = {
  Date: globalThis.Date,
  setImmediate: globalThis.setImmediate,
  now: performance.now.bind(performance),
};
/** A step of the program takes this long. */
const STEP_MS = 0.01;
/** Turns of the event loop without anything done, after which time passes. */
const QUIET_TURNS = 2;
/** What the event loop waits for outside of the simulation, such as the loading of a module. */
const OUTSIDE = /^(?:FSReq|ProcessWrap|WorkRequest|ZLIB)/;
const LONGEST_MS = 2 ** 31 - 1;

/** Between the clocks of two lives that one process lives: nothing that the program remembers is still fresh in the next one. */
const APART_MS = 10_000_000;

let lives = 0;
let elapsedMs = 0;
let wallMs = 0;
let order = 0;
let moves = 0;
let immediates = 0;
const waiting = new Set<Timer>();

/** Something was done: the next turn of the event loop may do more. */
export function moved(): void {
  moves++;
  elapsedMs += STEP_MS;
}

/** Milliseconds of the machine itself, to measure with. */
export const machineMs = machine.now;

export function wallNow(): number {
  return Math.floor(wallMs + elapsedMs);
}

/** Moves the wall clock, also back. */
export function passTime(ms: number): void {
  wallMs += ms;
}

/** A life begins: nothing of the one before is waited for. */
export function restartTime(atMs: number): void {
  lives++;
  elapsedMs = 0;
  wallMs = atMs;
  order = 0;
  waiting.clear();
}

class Timeout {
  readonly #timer: Timer;
  readonly #ms: number;
  constructor(timer: Timer, ms: number) {
    this.#timer = timer;
    this.#ms = ms;
  }
  ref = (): this => {
    this.#timer.isRef = true;
    return this;
  };
  unref = (): this => {
    this.#timer.isRef = false;
    return this;
  };
  hasRef = (): boolean => this.#timer.isRef;
  refresh = (): this => {
    this.#timer.at = elapsedMs + this.#ms;
    waiting.add(this.#timer);
    return this;
  };
  close = (): this => {
    waiting.delete(this.#timer);
    return this;
  };
  [Symbol.dispose] = (): void => void this.close();
}

function begin(act: () => void, ms: number | undefined, isRepeated: boolean): Timeout {
  const given = Number(ms ?? 0);
  const afterMs = given >= 1 && given <= LONGEST_MS ? given : 1;
  const timer: Timer = {
    ...{ at: elapsedMs + afterMs, order: ++order, act, owner: programNow(), isRef: true },
    everyMs: isRepeated ? afterMs : undefined,
  };
  waiting.add(timer);
  moves++;
  return new Timeout(timer, afterMs);
}

function fire(timer: Timer): void {
  if (timer.everyMs === undefined) waiting.delete(timer);
  else timer.at += timer.everyMs;
  elapsedMs = Math.max(elapsedMs, timer.at - (timer.everyMs ?? 0));
  moves++;
  if (timer.owner?.isGone) waiting.delete(timer);
  else within(timer.owner, timer.act);
}

/** The timer that is due first; undefined where only those are left that keep no process alive. */
function nextTimer(): Timer | undefined {
  let first: Timer | undefined;
  let isAwaited = false;
  for (const timer of waiting) {
    if (timer.owner?.isGone) {
      waiting.delete(timer);
      continue;
    }
    isAwaited ||= timer.isRef;
    if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer;
  }
  return isAwaited ? first : undefined;
}

/** Resolves or rejects as `work` does, and lets time pass meanwhile. Rejects where nothing is left that could end it. */
export async function inVirtualTime<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  done.catch(() => undefined);
  for (let quiet = 0, seen = moves; !isOver; ) {
    await new Promise<void>((resolve) => void machine.setImmediate(resolve));
    quiet = seen === moves && immediates === 0 ? quiet + 1 : 0;
    seen = moves;
    if (isOver || quiet < QUIET_TURNS) continue;
    if (process.getActiveResourcesInfo().some((name) => OUTSIDE.test(name))) continue;
    const timer = nextTimer();
    if (!timer) throw new Error('the program waits for what never comes');
    fire(timer);
  }
  return await done;
}

class VirtualDate extends machine.Date {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(wallNow());
    else super(...(given as [number]));
  }
  static override now(): number {
    return wallNow();
  }
}

/** As `setTimeout` of `node:timers/promises`. */
export function pause<T>(
  ms?: number,
  value?: T,
  options: { readonly signal?: AbortSignal; readonly ref?: boolean } = {},
) {
  return new Promise<T>((resolve, reject) => {
    const { signal } = options;
    const refuse = () => reject(new DOMException('The operation was aborted', 'AbortError'));
    if (signal?.aborted) return refuse();
    const timer = begin(
      () => {
        signal?.removeEventListener('abort', aborted);
        resolve(value as T);
      },
      ms,
      false,
    );
    if (options.ref === false) timer.unref();
    const aborted = () => {
      timer.close();
      refuse();
    };
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** From here on the whole process lives in virtual time; before the program is loaded. */
export function takeOverTime(): void {
  const start = (act: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    begin(() => act(...given), ms, false);
  const repeat = (act: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    begin(() => act(...given), ms, true);
  const realClear = timers.clearTimeout;
  const clear = (timer?: unknown) => {
    if (timer instanceof Timeout) timer.close();
    else realClear(timer as NodeJS.Timeout);
  };
  const soon = (act: (...given: unknown[]) => void, ...given: unknown[]) => {
    const owner = programNow();
    immediates++;
    return machine.setImmediate(() => {
      immediates--;
      moves++;
      if (!owner?.isGone) act(...given);
    });
  };
  const realClearImmediate = timers.clearImmediate;
  const clearSoon = (immediate?: NodeJS.Immediate) => {
    if (immediate && !(immediate as { _destroyed?: boolean })._destroyed) immediates--;
    realClearImmediate(immediate);
  };
  const turn = <T>(value?: T) => new Promise<T>((resolve) => void soon(() => resolve(value as T)));
  const replaced = {
    ...{ setTimeout: start, setInterval: repeat, clearTimeout: clear, clearInterval: clear },
    ...{ setImmediate: soon, clearImmediate: clearSoon },
  };
  Object.assign(globalThis, replaced);
  Object.assign(timers, replaced);
  Object.assign(timerPromises, { setTimeout: pause, setImmediate: turn });
  globalThis.Date = VirtualDate as DateConstructor;
  performance.now = () => {
    elapsedMs += STEP_MS;
    return elapsedMs + lives * APART_MS;
  };
  AbortSignal.timeout = (ms: number) => {
    const controller = new AbortController();
    const late = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    begin(late, ms, false).unref();
    return controller.signal;
  };
  syncBuiltinESMExports();
}
