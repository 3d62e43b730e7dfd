/**
 * Carries out one queued request and records its answer, in the ledger and then in the queue. Wherever the program is cut
 * off, the next holder of the lock completes it: steps that are made are not made again, an answer that is recorded is
 * copied. A refused act is an answer; failures of disk and ledger are thrown, and the request stays.
 */
import { isOfDevice, isOutOfRoom } from '../../files/errno-name.ts';
import { ACTS } from '../../i18n/messages/pipeline-messages.ts';
import type { WaitingDocument } from '../../ledger/contract/approval.ts';
import type { QueuedRequest, RequestQueue } from '../../ledger/contract/request-queue.ts';
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import { ACT, type PersonAct } from '../act.ts';
import { type ActAnswer, writeAnswer } from '../act-result.ts';
import { traitsOf } from '../acts.ts';
import { carryOut } from '../carry-out.ts';
import { lookOf, type SelectionLook } from '../seen-look.ts';
import { judgeApproval } from './judge-approval.ts';

/** A request during which the program ended this often is not begun again: it must not end every night. */
export const MOST_TRIES = 3;

/** False if the request stays in the queue: the program was asked to end, or the act waits for another person. */
export async function answerRequest(
  context: RunContext,
  queue: RequestQueue,
  request: QueuedRequest,
): Promise<boolean> {
  const { ledger, clock } = context;
  const { id } = request;
  const known = await ledger.steps.resultOf(id);
  const text = known ?? (await answerNow(context, queue, request));
  if (text === undefined) return false;
  if (known === undefined) await ledger.steps.finishRequest(id, text);
  await queue.answer(id, text, clock.now().toISOString());
  return true;
}

/** The act in the words of its shape; undefined if another version of the program wrote it. */
export function actOf({ act }: Pick<QueuedRequest, 'act'>): PersonAct | undefined {
  try {
    return ACT.safeParse(JSON.parse(act)).data;
  } catch {
    return undefined;
  }
}

async function answerNow(
  context: RunContext,
  queue: RequestQueue,
  request: QueuedRequest,
): Promise<string | undefined> {
  const act = actOf(request);
  if (!act)
    return writeAnswer({
      error: new OperatorError('act/not-understood', ACTS.notUnderstood(), { hint: ACTS.askAgain() }),
    });
  const { act: name } = act;
  if (request.tries >= MOST_TRIES) {
    const error = new OperatorError('act/program-died', ACTS.died({ times: request.tries }), {
      hint: ACTS.lookFirst(),
    });
    return writeAnswer({ error });
  }
  await queue.begin(request.id);
  const startedMs = context.clock.monotonic();
  const answer = await tried(context, request, act);
  if ('waitsFor' in answer) {
    const { expires } = context.instance.settings.decisions['two-people'];
    const until = new Date(context.clock.now().getTime() + expires).toISOString();
    await queue.hold(request.id, { about: JSON.stringify(answer.waitsFor), expires: until });
    context.emit({ what: 'act-waits', act: name, request: request.id, person: request.person, expires: until });
    return undefined;
  }
  if (context.stop.aborted && traitsOf(name).inParts) {
    await queue.putBack(request.id);
    return undefined;
  }
  const ms = Math.round(context.clock.monotonic() - startedMs);
  const code = 'error' in answer ? { code: answer.error.code } : {};
  context.emit({ what: 'act', act: name, request: request.id, person: request.person, ms, ...code });
  return writeAnswer(answer);
}

type Waits = { readonly waitsFor: readonly WaitingDocument[] };

async function tried(context: RunContext, request: QueuedRequest, act: PersonAct): Promise<ActAnswer | Waits> {
  const { id, at, person: by, reason } = request;
  try {
    refuseOtherLook(request, act);
    const judged = await judgeApproval(context, request, act);
    if ('waitsFor' in judged) return judged;
    return { result: await carryOut(context, { id, act, decision: { by, reason, at, ...judged.approved } }) };
  } catch (error) {
    if (isOfStorage(error)) throw error;
    if (error instanceof OperatorError) return { error };
    // A defect of the program ends the act, never the night.
    const problem = error instanceof Error ? error.message : String(error);
    return { error: new OperatorError('act/failed', ACTS.failed({ problem }), { hint: ACTS.report() }) };
  }
}

/** An act is about exactly the versions that were shown with it; what changed since is left out, document by document. */
function refuseOtherLook({ look }: QueuedRequest, act: PersonAct): void {
  if (look === undefined || !('documents' in act) || !act.documents) return;
  const seen = JSON.parse(look) as SelectionLook;
  const { count, sha256 } = lookOf(act.documents);
  // The hash of an earlier version does not have what was set aside.
  const earlier = lookOf(act.documents.map(({ aside: _, ...document }) => document));
  if (seen.count === count && [sha256, earlier.sha256].includes(seen.sha256)) return;
  throw new OperatorError('act/other-look', ACTS.otherLook({ before: seen.count, now: count }), {
    hint: ACTS.lookAgain(),
  });
}

/** Disk and ledger: the holder of the lock cannot go on either. */
function isOfStorage(error: unknown): boolean {
  if (error instanceof LedgerUnavailable) return true;
  if (error instanceof OperatorError) return /^(?:ledger|receipts|system)\//.test(error.code);
  return isOutOfRoom(error) || isOfDevice(error);
}
