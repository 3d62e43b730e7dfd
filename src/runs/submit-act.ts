/**
 * Hands in an act of a person: it is queued durably, carried out by the holder of the lock or, where no one holds it, by this
 * process, and its answer comes back. Throws what keeps the ledger from opening, and then nothing was done or stays queued.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { type ActName, type ActOf, documentsOf, type PersonAct } from '../decisions/act.ts';
import { type ActAnswer, type ActResult, type ResultOf, readAnswer } from '../decisions/act-result.ts';
import type { ActRequest } from '../decisions/carry-out.ts';
import { actOf, answerRequest, MOST_TRIES } from '../decisions/requests/answer-request.ts';
import { forgetOldRequests } from '../decisions/requests/forget-requests.ts';
import { documentsThatWait, keysOf, refuseOnePerson } from '../decisions/requests/judge-approval.ts';
import { refuseRequests } from '../decisions/requests/refuse-requests.ts';
import { type ActForApproval, actForApproval } from '../decisions/requests/submitted-acts.ts';
import { hasTwoPeopleRule } from '../decisions/two-people.ts';
import type { Message } from '../i18n/message.ts';
import { APPROVAL } from '../i18n/messages/pipeline-messages.ts';
import { refuseRootElsewhere } from '../instance/foreign-writers.ts';
import type { Instance } from '../instance/instance.ts';
import { ledgerSiteOf } from '../instance/ledger-site-of.ts';
import { type ApprovalVerdict, isSamePerson, type PersonKeys } from '../ledger/contract/approval.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { NeededApproval, RequestQueue } from '../ledger/contract/request-queue.ts';
import { LockedError, lockedBy } from '../ledger/installation/instance-lock.ts';
import { openRequestQueue } from '../ledger/requests/open-request-queue.ts';
import { OperatorError } from '../model/fault.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { betweenRuns } from './between-runs.ts';
import { lookIntoLedgerOf, type OnWait, openLedgerOf, openRun, systemClock, type WorkOptions } from './open-run.ts';

const LOOK_MS = 40;
/** From then on the command reports that the act waits. */
const SOON_MS = 2000;
/** A process that works off the queue lets go after this time, so that a run does not wait for all of it. */
const HOLD_MS = 20_000;

/** A request as a command or the console makes it. `id`: a key that makes a second submission of it the same request. */
export type SubmittedAct<Name extends ActName = ActName> = Omit<ActRequest, 'act'> & {
  readonly act: ActOf<Name>;
  readonly session?: string;
  /** Everything that may be the same person as an approver; the name of the decision by default. */
  readonly keys?: PersonKeys;
  /** What the person has seen of a selection: how many documents, and the hash of their ids and revisions. */
  readonly look?: { readonly count: number; readonly sha256: string };
};

export type SubmitOptions = WorkOptions & {
  /** How long to wait for the answer, in milliseconds; for ever if absent. */
  readonly waitMs?: number;
  /** Called once if the answer does not come soon, with who is at work. */
  readonly onWait?: (says: Message) => void;
  /** Called once if a worker may be dead: its lease, and at most how long this process waits for the end of it. */
  readonly onLease?: OnWait;
};

/**
 * `accepted`: it is queued, and the holder of the lock carries it out; asked again with its id, the answer comes. `approval`: it
 * is queued, and waits for another person.
 */
export type SubmittedAnswer<Name extends ActName> =
  | { readonly result: ResultOf<Name> }
  | { readonly accepted: Message }
  | { readonly approval: ActForApproval };

/** Throws the OperatorError of an act that is refused. */
export async function submitAct<Name extends ActName>(
  instance: Instance,
  { id, act, decision, session, look, keys }: SubmittedAct<Name>,
  options: SubmitOptions,
): Promise<SubmittedAnswer<Name>> {
  refuseRootElsewhere(instance);
  await using queue = await openRequestQueue(ledgerSiteOf(instance), 'asks');
  const { by: person, at, reason } = decision;
  await queue.add({
    ...{ id, at, person, session, reason, act: JSON.stringify(act), look: look && JSON.stringify(look) },
    keys: JSON.stringify(keys ?? { names: [person] }),
    approval: await neededNow(instance, act),
  });
  const answer = await answerTo(instance, queue, id, options);
  if ('accepted' in answer || 'approval' in answer) return answer;
  if ('error' in answer) throw answer.error;
  const result: ActResult = answer.result;
  return { result: result as ResultOf<Name> };
}

/**
 * By the settings of who asks: a watch that began with others does not see what they added. Where the ledger cannot be looked at,
 * the holder of the lock decides alone.
 */
async function neededNow(instance: Instance, act: PersonAct): Promise<NeededApproval | undefined> {
  const rule = instance.settings.decisions['two-people'];
  if (!hasTwoPeopleRule(rule) || documentsOf(act).length === 0) return undefined;
  try {
    await using ledger = await lookIntoLedgerOf(instance);
    const about = await documentsThatWait({ instance, ledger, clock: systemClock }, act);
    if (about.length === 0 || !ledger.guard.send) return undefined;
    return { about: JSON.stringify(about), expires: new Date(Date.now() + rule.expires).toISOString() };
  } catch {
    return undefined;
  }
}

/** What another person says to an act that waits. */
export type GivenVerdict = Omit<ApprovalVerdict, 'as'> & { readonly as: 'approved' | 'refused' };

/** `ended`: the act is refused or withdrawn, in the words of its answer. */
export type ApprovalAnswer =
  | Exclude<Awaited<ReturnType<typeof answerTo>>, { readonly error: unknown }>
  | { readonly ended: OperatorError };

/**
 * Answers an act that waits, and has it carried out if it is approved. Who asked for it may only refuse it, which withdraws it.
 * Throws `approval/not-waiting` or `approval/same-person`, and the OperatorError of the act.
 */
export async function answerApproval(
  instance: Instance,
  id: string,
  verdict: GivenVerdict,
  options: SubmitOptions,
): Promise<ApprovalAnswer> {
  refuseRootElsewhere(instance);
  await using queue = await openRequestQueue(ledgerSiteOf(instance), 'asks');
  const asked = await queue.find(id);
  const now = new Date();
  if (!asked || !actForApproval(asked, now)) throw notWaiting();
  const isOwn = isSamePerson(keysOf(asked), verdict.keys);
  if (verdict.as === 'approved') refuseOnePerson(asked, verdict);
  const as = isOwn ? 'withdrawn' : verdict.as;
  if (!(await queue.judge(id, JSON.stringify({ ...verdict, as }), now.toISOString()))) throw notWaiting();
  const answer = await answerTo(instance, queue, id, options);
  if (!('error' in answer)) return answer;
  // What the person asked for is done: the act is not.
  if (as !== 'approved') return { ended: answer.error };
  throw answer.error;
}

function notWaiting(): OperatorError {
  return new OperatorError('approval/not-waiting', APPROVAL.notWaiting(), { hint: APPROVAL.list() });
}

async function answerTo(
  instance: Instance,
  queue: RequestQueue,
  id: string,
  options: SubmitOptions,
): Promise<ActAnswer | { readonly accepted: Message } | { readonly approval: ActForApproval }> {
  const startedMs = performance.now();
  let isReported = false;
  let onLease = options.onLease;
  const onLeaseOnce = (says: Message) => {
    onLease?.(says);
    onLease = undefined;
  };
  for (;;) {
    const text = await queue.answerOf(id);
    if (text !== undefined) return readAnswer(text);
    const approval = actForApproval(await queue.find(id), new Date());
    if (approval) return { approval };
    const holder = await workOff(instance, queue, id, { ...options, onLease: onLeaseOnce });
    if (holder === undefined && (await queue.answerOf(id)) !== undefined) continue;
    const waitedMs = performance.now() - startedMs;
    const says = lockedBy(holder?.holder);
    if (options.stop.aborted || waitedMs > (options.waitMs ?? Number.POSITIVE_INFINITY)) return { accepted: says };
    // Without a holder this process itself works off the queue, in turns.
    if (!isReported && holder && waitedMs > SOON_MS) {
      options.onWait?.(says);
      isReported = true;
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
    ledger = await openLedgerOf(instance, 'act', { onWait: options.onLease });
  } catch (error) {
    if (error instanceof LockedError) return error;
    await queue.withdraw(id);
    throw error;
  }
  await using _ = ledger;
  try {
    await using context = await openRun(instance, ledger, options);
    await refuseRequests(context);
    await betweenRuns(context, (within) => answerAll(within, queue));
  } catch (error) {
    await queue.withdraw(id);
    throw error;
  }
  return undefined;
}

async function answerAll(context: RunContext, queue: RequestQueue): Promise<void> {
  const untilMs = performance.now() + HOLD_MS;
  await forgetOldRequests(context, queue);
  while (!context.stop.aborted && performance.now() < untilMs) {
    const request = await queue.next(MOST_TRIES, context.clock.now().toISOString());
    if (!request) return;
    // A consultation goes on where it was, as soon as the program that waits for the lock has let go of it.
    const leftMs = Math.max(1, Math.ceil(untilMs - performance.now()));
    const isLong = actOf(request)?.act === 'consult';
    const stop = isLong ? AbortSignal.any([context.stop, AbortSignal.timeout(leftMs)]) : context.stop;
    await answerRequest({ ...context, stop }, queue, request);
  }
}
