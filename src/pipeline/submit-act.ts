/**
 * Hands in an act of a person: it is queued durably, carried out by the holder of the lock or, where no one holds it, by this
 * process, and its answer comes back. Throws what keeps the ledger from opening, and then nothing was done or stays queued.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '../i18n/message.ts';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { LockedError, lockedBy } from '../ledger/installation/instance-lock.ts';
import { openRequestQueue, type RequestQueue } from '../ledger/requests/request-queue.ts';
import { betweenRuns } from './between-runs.ts';
import type { RunContext } from './context/run-context.ts';
import type { ActName, ActOf } from './decisions/act.ts';
import { type ActAnswer, type ActResult, type ResultOf, readAnswer } from './decisions/act-result.ts';
import type { ActRequest } from './decisions/carry-out.ts';
import { openLedgerOf, openWork, type WorkOptions } from './open-run.ts';
import { actOf, answerRequest, MOST_TRIES } from './requests/answer-request.ts';
import { forgetOldRequests } from './requests/forget-requests.ts';
import { refuseRequests } from './requests/refuse-requests.ts';

const LOOK_MS = 40;
/** From then on the command reports that the act waits. */
const SOON_MS = 2000;
/** A process that works off the queue lets go after this time, so that a run does not wait for all of it. */
const HOLD_MS = 20_000;

/** A request as a command or the console makes it. `id`: a key that makes a second submission of it the same request. */
export type SubmittedAct<Name extends ActName = ActName> = Omit<ActRequest, 'act'> & {
  readonly act: ActOf<Name>;
  readonly session?: string;
  /** What the person has seen of a selection: how many documents, and the hash of their ids and revisions. */
  readonly look?: { readonly count: number; readonly sha256: string };
};

export type SubmitOptions = WorkOptions & {
  /** How long to wait for the answer, in milliseconds; for ever if absent. */
  readonly waitMs?: number;
  /** Called once if the answer does not come soon, with who is at work. */
  readonly onWait?: (says: Message) => void;
};

/** `accepted`: it is queued, and the holder of the lock carries it out; asked again with its id, the answer comes. */
export type SubmittedAnswer<Name extends ActName> =
  | { readonly result: ResultOf<Name> }
  | { readonly accepted: Message };

/** Throws the OperatorError of an act that is refused. */
export async function submitAct<Name extends ActName>(
  instance: Instance,
  { id, act, decision, session, look }: SubmittedAct<Name>,
  options: SubmitOptions,
): Promise<SubmittedAnswer<Name>> {
  using queue = openRequestQueue(instance.folder, 'asks');
  const { by: person, at, reason } = decision;
  queue.add({ id, at, person, session, reason, act: JSON.stringify(act), look: look && JSON.stringify(look) });
  const answer = await answerTo(instance, queue, id, options);
  if ('accepted' in answer) return answer;
  if ('error' in answer) throw answer.error;
  const result: ActResult = answer.result;
  return { result: result as ResultOf<Name> };
}

async function answerTo(
  instance: Instance,
  queue: RequestQueue,
  id: string,
  options: SubmitOptions,
): Promise<ActAnswer | { readonly accepted: Message }> {
  const startedMs = performance.now();
  let isTold = false;
  for (;;) {
    const text = queue.answerOf(id);
    if (text !== undefined) return readAnswer(text);
    const holder = await workOff(instance, queue, id, options);
    if (holder === undefined && queue.answerOf(id) !== undefined) continue;
    const waitedMs = performance.now() - startedMs;
    const says = lockedBy(holder?.holder);
    if (options.stop.aborted || waitedMs > (options.waitMs ?? Number.POSITIVE_INFINITY)) return { accepted: says };
    if (!isTold && waitedMs > SOON_MS) {
      options.onWait?.(says);
      isTold = true;
    }
    // Also after a turn of one's own: a run that waits for the lock gets it.
    await pause(LOOK_MS);
  }
}

/** Resolves to the LockedError where another process holds the lock. */
async function workOff(
  instance: Instance,
  queue: RequestQueue,
  id: string,
  options: SubmitOptions,
): Promise<LockedError | undefined> {
  let ledger: Ledger;
  try {
    ledger = await openLedgerOf(instance);
  } catch (error) {
    if (error instanceof LockedError) return error;
    queue.withdraw(id);
    throw error;
  }
  await using _ = ledger;
  try {
    await using work = await openWork(instance, ledger, options);
    await refuseRequests(work);
    await betweenRuns(work, (within) => answerAll(within, queue));
  } catch (error) {
    queue.withdraw(id);
    throw error;
  }
  return undefined;
}

async function answerAll(work: RunContext, queue: RequestQueue): Promise<void> {
  const untilMs = performance.now() + HOLD_MS;
  await forgetOldRequests(work, queue);
  while (!work.stop.aborted && performance.now() < untilMs) {
    const request = queue.next(MOST_TRIES);
    if (!request) return;
    // A consultation goes on where it was, as soon as the program that waits for the lock has let go of it.
    const leftMs = Math.max(1, Math.ceil(untilMs - performance.now()));
    const isLong = actOf(request)?.act === 'consult';
    const stop = isLong ? AbortSignal.any([work.stop, AbortSignal.timeout(leftMs)]) : work.stop;
    await answerRequest({ ...work, stop }, queue, request);
  }
}
