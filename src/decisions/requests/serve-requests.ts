/**
 * Between the commits of a run or a watch, the requests of people: one after the other, in turns with the intake, so that an
 * act never waits for the end of the night and never delays a submission. A queue that cannot be read is reported once and
 * costs the night nothing; failures of disk and ledger go to `failed`.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { TakeTurn } from '../../files/turns.ts';
import { ledgerSiteOf } from '../../instance/ledger-site-of.ts';
import type { QueuedRequest, RequestQueue } from '../../ledger/contract/request-queue.ts';
import { findRequestQueue, isQueueBusy } from '../../ledger/requests/open-request-queue.ts';
import { OperatorError } from '../../model/fault.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { mayDo } from '../../pipeline/context/may-do.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import type { ActName } from '../act.ts';
import { traitsOf } from '../acts.ts';
import { completeReadings } from '../decide.ts';
import { actOf, answerRequest, MOST_TRIES } from './answer-request.ts';
import { forgetOldRequests } from './forget-requests.ts';

/** Between two looks: 0.04 ms each, so that an answer comes long before a person waits for it. */
const LOOK_MS = 100;

/** Disposed, it carries out what waits, and ends. */
type RequestServer = AsyncDisposable;

type Serving = {
  readonly turn: TakeTurn;
  /** A request was carried out: documents may be due. */
  readonly done: (act: ActName | undefined) => void;
  readonly failed: (error: unknown) => void;
  /** How often the program may have ended during a request that is begun before `end`. */
  readonly tries: number;
};

/** `work` is that of the run, which recovered what a stop left. */
export function serveRequests(context: RunContext, { turn, done, failed, tries }: Serving): RequestServer {
  const ending = new AbortController();
  const ended = AbortSignal.any([ending.signal, context.stop]);
  let queue: RequestQueue | undefined;
  // Another program was writing when something was asked for, or answered: it is looked for again.
  let isMissed = false;
  const missing = (of: Set<string>, id: string) => (error: unknown) => {
    if (!isQueueBusy(error)) throw error;
    of.delete(id);
    isMissed = true;
  };
  let expiry: string | undefined;
  // A consultation takes as long as the rate of the service allows: others do not wait for it.
  const consulting = new Set<string>();
  let consulted = Promise.resolve();
  // The others one after the other; a failure ends them and the loop.
  const begun = new Set<string>();
  let acted = Promise.resolve();
  const inOrder = (act: () => Promise<void>) => {
    acted = acted.then(async () => {
      if (!context.stop.aborted) await act();
    });
    acted.catch(() => ending.abort());
  };

  const carryOutAll = async (open: RequestQueue, most: number) => {
    while (!context.stop.aborted) {
      const request = await open.next(most, context.clock.now().toISOString(), [...consulting, ...begun]);
      if (!request) return;
      await one(open, request);
    }
  };
  const one = async (open: RequestQueue, request: QueuedRequest): Promise<void> => {
    const name = actOf(request)?.act;
    // An act that this version does not know is refused in its turn.
    const order = name ? traitsOf(name).order : 'turn';
    const act = async (within: RunContext) => {
      await answerRequest(within, open, request);
      done(name);
    };
    if (order === 'apart') {
      consulting.add(request.id);
      // At the end of the run it stays in the queue, and the program that asked for it does it.
      if (!ending.signal.aborted) {
        const asking = () => act({ ...context, stop: ended }).catch(missing(consulting, request.id));
        consulted = consulted.then(asking).catch(failed);
      }
    } else if (order === 'at-once') await act(context);
    else {
      begun.add(request.id);
      const inTurn = () => (order === 'queue' ? act(context) : turn(() => act(context)));
      inOrder(() => inTurn().catch(missing(begun, request.id)));
    }
  };
  const look = async (most: number, always: boolean) => {
    if (!mayDo(context, 'acts')) return;
    if (!queue) {
      queue = await findRequestQueue(ledgerSiteOf(context.instance), 'serves');
      if (!queue) return;
      inOrder(() => turn(() => completeReadings(context)));
      await forgetOldRequests(context, queue);
    }
    const isExpired = expiry !== undefined && expiry <= context.clock.now().toISOString();
    if (!((await queue.hasChanged()) || always || isMissed || isExpired)) return;
    isMissed = false;
    await carryOutAll(queue, most);
    expiry = await queue.nextExpiry();
  };
  const lookIfFree = async (most: number, always: boolean) => {
    try {
      await look(most, always);
    } catch (error) {
      if (!isQueueBusy(error)) throw error;
      isMissed = true;
    }
  };
  const loop = async () => {
    while (!ended.aborted) {
      await lookIfFree(tries, false);
      await pause(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
    }
    await consulted;
    await acted;
    if (!context.stop.aborted) await lookIfFree(MOST_TRIES, true);
    await acted;
  };
  const over = loop()
    .catch((error: unknown) => {
      if (error instanceof LedgerUnavailable || error instanceof OperatorError) return failed(error);
      context.emit({ what: 'requests-unreadable', problem: (error as Error).message });
    })
    .finally(() => queue?.[Symbol.asyncDispose]());
  return {
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await over;
    },
  };
}
