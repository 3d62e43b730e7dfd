/** Work under way in a walk: it stands still before a write of the ledger, or while it waits for the service, until the walk goes on with it. */
import type { WireRequest } from '../../../src/delivery/service.ts';
import type { Exchange } from '../../../src/model/answer.ts';
import type { Question } from '../sent-again.ts';
import type { Arrival, Seen } from './judge.ts';

export type TaskKind = 'send' | 'ask' | 'decide' | 'take';

/** What the walk knows of a task. */
export type Notes = {
  /** Id of the entry that it sends. */
  readonly id?: string;
  readonly act?: string;
  /** What the person saw who decides. */
  readonly seen?: Seen;
  /** What it has sent; `isTakenOver`: another program has put that in doubt. */
  arrival?: Arrival;
  isTakenOver?: true;
  /** The question on the wire, and what the service knew when it came. */
  question?: Question;
  askedMs?: number;
  truth?: number;
};

export type Task = {
  readonly kind: TaskKind;
  readonly doc: number | undefined;
  readonly notes: Notes;
  /** What it waits for; undefined once it is over. */
  readonly waits: () => 'walk' | 'service' | undefined;
  readonly request: () => WireRequest | undefined;
  /** Resolves once it waits or is over; throws what it threw. */
  readonly start: (act: () => Promise<unknown>) => Promise<void>;
  readonly goOn: (exchange?: Exchange) => Promise<void>;
  /** Its program has ended: nothing of it ever goes on. */
  readonly end: () => void;
  readonly stop: AbortSignal;
  /** Ends the loops of the program that would wait for time. */
  readonly noMoreTime: () => void;
  /** Called before each write of the ledger. */
  readonly beforeWrite: () => Promise<void>;
  readonly http: (request: WireRequest) => Promise<Exchange>;
};

/** Much longer than any step takes, on a busy machine too. */
const HANGS_MS = 60_000;

/** Throws if it does not end. */
export async function inTime<T>(what: string, act: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${what} hangs`)), HANGS_MS);
  try {
    return await Promise.race([act, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** `pauses`: stands still before the write with this number, from 1. */
export function openTask(kind: TaskKind, doc: number | undefined, notes: Notes, pauses = 0): Task {
  const stopping = new AbortController();
  let blocked = Promise.withResolvers<void>();
  let done: Promise<void> = Promise.resolve();
  let goes: ((exchange?: Exchange) => void) | undefined;
  let waits: 'walk' | 'service' | undefined;
  let request: WireRequest | undefined;
  let hasEnded = false;
  let writes = 0;
  const never = new Promise<never>(() => {});
  const stand = async (what: 'walk' | 'service') => {
    if (hasEnded) return await never;
    const gate = Promise.withResolvers<Exchange | undefined>();
    waits = what;
    goes = gate.resolve;
    blocked.resolve();
    const exchange = await gate.promise;
    return hasEnded ? await never : exchange;
  };
  const settled = () => inTime(kind, Promise.race([done, blocked.promise]));
  return {
    kind,
    doc,
    notes,
    waits: () => waits,
    request: () => request,
    start: async (act) => {
      done = act().then(() => undefined);
      // Once its program has ended, what it throws concerns no one.
      done.catch(() => undefined);
      await settled();
    },
    goOn: async (exchange) => {
      waits = undefined;
      blocked = Promise.withResolvers<void>();
      goes?.(exchange);
      await settled();
    },
    end: () => {
      hasEnded = true;
      waits = undefined;
    },
    stop: stopping.signal,
    noMoreTime: () => stopping.abort(),
    beforeWrite: async () => {
      if (hasEnded) return await never;
      writes++;
      if (writes === pauses) await stand('walk');
    },
    http: async (asked) => {
      request = asked;
      const exchange = await stand('service');
      if (!exchange) throw new Error('a walk goes on without an answer');
      return exchange;
    },
  };
}
