/**
 * The sending half of the pipeline, per service: due entries are sent, at most N at a time, each at most once. The
 * order is the promise: token, intent durable, one request, raw answer durable, verdict. A document whose intent is
 * recorded is never sent again because of a crash, a timeout or a doubt. Errors of the ledger are thrown and end the
 * sending.
 */

import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { isFileAlone, type Ours } from '../../delivery/service.ts';
import { TokenRefused, withToken } from '../../delivery/token-cache.ts';
import { format, type Message } from '../../i18n/message.ts';
import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import type { Verdict } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { mayDo, notOurs } from '../context/may-do.ts';
import type { RunContext, ServiceHalt, ServiceRuntime } from '../context/run-context.ts';
import type { RateController } from '../service-state/rate-controller.ts';
import type { SenderAccount } from '../service-state/sender-accounts.ts';
import { holdQueuedOfMapping, holdTheRest } from './hold-queued-documents.ts';
import { haltForPerson, keepLimit, limitOf, remembered, withWayOut } from './service-pauses.ts';

/** Documents queued in memory in addition to those on the wire, per connection. */
const PAGE = 12;
/** The part of it that is left when more documents are read: those on the wire, being recorded, and next. */
const REST = 4;

/**
 * Sends until nothing is due, the service stops, or the program is asked to end; returns the reason for a stop. `more`
 * runs with the intake: true if documents may have come, false if none will come.
 */
export async function sendDue(
  context: RunContext,
  runtime: ServiceRuntime,
  giveUpAfterMs: number,
  more?: () => Promise<boolean>,
): Promise<ServiceHalt | undefined> {
  const { destination, breaker: gate, rate: pace, canary: canaries, accounts } = runtime;
  const { ledger, clock, stop } = context;
  if (!ledger.guard.send)
    return {
      service: destination.name,
      cause: 'no-send',
      says: format(ledger.guard.reason, context.instance.settings.rules.language),
    };
  const pause = await ledger.submissions.pauseOf(destination.name);
  const waiting = haltForPerson(context, destination, pause);
  if (waiting) return waiting;
  let paused = pause !== undefined;
  if (paused) gate.startPaused(limitOf(context, pause));
  accounts.forgive();
  // The last of those that wait for their sender: what is due before it waits too.
  let passed: DueDocument | undefined;
  const { concurrency } = destination.pacing;
  const queue = openQueue(pace);
  const renewed = new Set<string>();
  const most = concurrency * PAGE;
  let canary: string | undefined;
  // While documents are being held none of them may be asked for again and again.
  let holding: Promise<void> | undefined;
  const send = async (entry: DueDocument, probe: boolean) => {
    const judged = await queue.onWire(() =>
      exchangeOne(context, runtime, { entry, probe, renewed, isFull: queue.isFull }),
    );
    if (!judged) return;
    if (judged.cause !== undefined) {
      holding = holdTheRest(context, runtime, entry, { cause: judged.cause, keep: more !== undefined }).finally(() => {
        holding = undefined;
      });
      await holding;
    }
    await judged.recorded;
    const { id, identifier } = entry;
    context.emit({ what: 'document', id, identifier, state: judged.verdict.state, reason: judged.verdict.reason });
    paused = await settlePause(context, runtime, judged, paused);
  };
  try {
    while (!stop.aborted) {
      queue.throwFailure();
      if (holding) await holding;
      const stopped = stopOf(context, runtime, giveUpAfterMs);
      if (stopped) return await remembered(context, runtime, stopped);
      const waitMs = gate.waitMs();
      if (waitMs > 0) {
        await queue.empty();
        if (gate.waitMs() <= 0) continue;
        context.emit({ what: 'service-waits', service: destination.name, says: gate.closed()?.says ?? '', ms: waitMs });
        await clock.sleep(Math.min(waitMs, patienceMs(context, runtime, giveUpAfterMs)), stop);
        continue;
      }
      const room = gate.probing() || (canary !== undefined && queue.has(canary)) ? 1 : most;
      // Many at a time: asking the ledger again for each document would cost more than the document.
      if (queue.size() > room / REST) {
        await queue.oneLess();
        continue;
      }
      const nowMs = clock.now().getTime();
      const page = await dueNow(context, runtime, { nowMs, limit: room, after: passed });
      const waitingNow = page.filter(({ id }) => !queue.has(id));
      const due = await accounts.withoutRefused(waitingNow);
      if (due.length === 0 && waitingNow.length > 0) {
        passed = waitingNow.at(-1);
        continue;
      }
      const kept = due.map(runtime.commonCause.kept).find((one) => one !== undefined);
      if (kept && (await holdQueuedOfMapping(context, kept)) > 0) continue;
      if (due.length === 0) {
        if (queue.size() > 0) await queue.oneLess();
        else if (await more?.()) continue;
        else if (!(await waitForNext(context, runtime, { nowMs, giveUpAfterMs }))) break;
        continue;
      }
      for (const entry of due.slice(0, room - queue.size())) {
        const alone = await canaries.alone(entry);
        if (alone && queue.size() > 0) {
          await queue.oneLess();
          break;
        }
        queue.add(entry.id, () => send(entry, gate.probing()));
        if (!alone) continue;
        canary = entry.id;
        break;
      }
    }
  } finally {
    await queue.empty();
  }
  queue.throwFailure();
  const says = accounts.refused();
  if (says !== undefined)
    return await remembered(context, runtime, { service: destination.name, cause: 'credentials', says });
  if (!stop.aborted) return await notConfigured(context, runtime);
  await keepLimit(context, runtime);
  return undefined;
}

/** What is under way: `concurrency` of it on the wire, the rest waiting for a place or being recorded. */
function openQueue(pace: RateController) {
  const limit = pLimit(pace.atOnce());
  const underWay = new Map<string, Promise<void>>();
  // Kept and thrown by the loop: a rejection while the loop reads the ledger would be unhandled.
  let failure: { readonly error: unknown } | undefined;
  let notify = () => {};
  return {
    size: () => underWay.size,
    has: (id: string) => underWay.has(id),
    onWire: <T>(act: () => Promise<T>) =>
      limit(async () => {
        const done = failure ? undefined : await act();
        if (limit.concurrency !== pace.atOnce()) limit.concurrency = pace.atOnce();
        return done;
      }),
    isFull: () => limit.activeCount >= limit.concurrency,
    add: (id: string, act: () => Promise<void>) => {
      const done = async () => {
        try {
          await act();
        } catch (error) {
          failure ??= { error };
        }
        underWay.delete(id);
        notify();
      };
      underWay.set(id, done());
    },
    oneLess: () =>
      new Promise<void>((resolve) => {
        notify = resolve;
      }),
    empty: async () => {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
    throwFailure: () => {
      if (failure) throw failure.error;
    },
  };
}

/** Classes that the settings do not allow to send stay queued; they must not fill the page of the others. */
async function dueNow(
  context: RunContext,
  { destination }: ServiceRuntime,
  { nowMs, limit, after }: { readonly nowMs: number; readonly limit: number; readonly after: DueDocument | undefined },
): Promise<readonly DueDocument[]> {
  const exceptClasses = lackingClasses(context, destination);
  return await context.ledger.submissions.due(destination.name, nowMs, limit, { exceptClasses, after });
}

function lackingClasses({ instance }: RunContext, { name, lacks }: ServiceRuntime['destination']): readonly string[] {
  return instance.classesOf(name).filter((of) => lacks(of) !== undefined);
}

async function notConfigured(
  { ledger, instance }: RunContext,
  { destination }: ServiceRuntime,
): Promise<ServiceHalt | undefined> {
  for (const name of instance.classesOf(destination.name)) {
    const lacking = destination.lacks(name);
    if (lacking === undefined) continue;
    const exceptClasses = instance.classesOf(destination.name).filter((other) => other !== name);
    const [waiting] = await ledger.submissions.due(destination.name, Number.MAX_SAFE_INTEGER, 1, { exceptClasses });
    if (waiting) {
      const says = format(lacking, instance.settings.rules.language);
      return { service: destination.name, cause: 'not-configured', says };
    }
  }
  return undefined;
}

function stopOf(
  context: RunContext,
  { destination, breaker: gate }: ServiceRuntime,
  giveUpAfterMs: number,
): ServiceHalt | undefined {
  const closed = gate.closed();
  if (!closed) return undefined;
  const since = gate.unreachableSince();
  const service = destination.name;
  if (closed.cause === 'credentials' || closed.cause === 'paused' || closed.cause === 'errors') {
    return { service, cause: closed.cause, says: closed.says };
  }
  if (closed.cause === 'foreign-echo') {
    return { service, cause: closed.cause, says: withWayOut(context, service, closed.says) };
  }
  // A service that asks for more patience than the run has.
  if (closed.cause === 'rate-limited' && gate.waitMs() > giveUpAfterMs) {
    return { service, cause: 'unreachable', says: closed.says };
  }
  if (closed.cause === 'unreachable' && since !== undefined && context.clock.monotonic() - since >= giveUpAfterMs) {
    return { service, cause: 'unreachable', says: closed.says };
  }
  return undefined;
}

/** The time that is left for retries: none begins after its end. */
function patienceMs({ clock }: RunContext, { breaker: gate }: ServiceRuntime, giveUpAfterMs: number): number {
  const since = gate.unreachableSince();
  if (since === undefined || gate.closed()?.cause !== 'unreachable') return giveUpAfterMs;
  return Math.max(0, since + giveUpAfterMs - clock.monotonic());
}

/** Waits for entries that become due within the patience (a delay after 429); others are for the next run. */
async function waitForNext(
  context: RunContext,
  { destination }: ServiceRuntime,
  { nowMs, giveUpAfterMs }: { readonly nowMs: number; readonly giveUpAfterMs: number },
): Promise<boolean> {
  // What is due and still there waits for its sender, or for the settings.
  const next = await context.ledger.submissions.nextDue(destination.name, nowMs, {
    exceptClasses: lackingClasses(context, destination),
  });
  const waitMs = (next ?? Number.POSITIVE_INFINITY) - context.clock.now().getTime();
  if (waitMs > giveUpAfterMs) return false;
  if (waitMs > 0) await context.clock.sleep(waitMs, context.stop);
  return true;
}

type Start = {
  readonly entry: DueDocument;
  /** Chosen to go alone; others that were already queued when the gate closed stay where they are. */
  readonly probe: boolean;
  /** Ids that had their one resend with a renewed token. */
  readonly renewed: Set<string>;
  /** As many are under way as may be. */
  readonly isFull: () => boolean;
};

/** The number that an answer has to echo; none for an encoded file, whose number only the service reads. */
export function numberInContent(content: string | undefined, identifier: string): Pick<Ours, 'identifier'> {
  return isFileAlone(content) ? {} : { identifier };
}

type Judged = {
  readonly verdict: Verdict;
  readonly closed?: NonNullable<ReturnType<ServiceRuntime['breaker']['judge']>>;
  /** The others of its mapping would be rejected for it too. */
  readonly cause?: Message;
  /** The answer and the verdict are durable. */
  readonly recorded: Promise<unknown>;
};

/** One document on the wire; undefined if it was not begun. */
async function exchangeOne(
  context: RunContext,
  runtime: ServiceRuntime,
  { entry: due, probe, renewed, isFull }: Start,
): Promise<Judged | undefined> {
  const { ledger, clock, stop } = context;
  const { destination, breaker: gate, rate: pace } = runtime;
  const mayStart = () =>
    !stop.aborted && gate.waitMs() <= 0 && (probe || !gate.probing()) && !runtime.commonCause.isFound(due);
  if (!mayStart()) return undefined;
  const turnMs = pace.takeTurn();
  if (turnMs > 0) await clock.sleep(turnMs, stop);
  if (!mayStart()) return undefined;
  // Only now: a token that waits for its turn may end before it.
  const account = await runtime.accounts.of(due);
  const token = await tokenFor(runtime, account);
  if (token === undefined || !mayStart()) return undefined;
  const now = clock.now();
  const intent = { requestId: due.requestId ?? randomUUID(), at: now.toISOString(), run: context.run };
  const sending = await ledger.submissions.begin(due, intent);
  if (!sending) return undefined;
  const { class: documentClass, identifier } = sending.due;
  const { content, requestId } = sending;
  const request = destination.submit({
    class: documentClass,
    content,
    identifier,
    requestId,
    now,
    mapping: due.mapping.id,
  });
  const started = pace.start();
  // A worker that was paused since its intent sends nothing: it gives the document back, or leaves it in doubt where another one has it.
  const mine = mayDo(context, `send ${destination.name}`);
  const exchange = mine ? await runtime.http(withToken(request, token)) : notOurs();
  const timed = { exchange, ms: Math.round(clock.monotonic() - started.atMs) };
  const answeredAt = clock.now();
  const ours: Ours = {
    class: documentClass,
    ...numberInContent(content, identifier),
    requestId,
    sent: { content, mapping: due.mapping.id },
    now: answeredAt,
    tokenRenewed: renewed.has(due.id),
    tries: due.tries,
    rateLimited: due.rateLimited,
    random: context.random,
  };
  let verdict: Verdict;
  try {
    verdict = destination.judge(exchange, ours);
  } catch (error) {
    // To be judged at the next start.
    await ledger.submissions.recordExchange(sending, exchange, timed.ms);
    throw error;
  }
  if (verdict.resend?.kind === 'token-renewed') renewed.add(due.id);
  if (verdict.resend?.kind === 'token-renewed' || verdict.pause?.cause === 'credentials') account.tokens.drop(token);
  const recorded = ledger.submissions.finishWithExchange(sending, timed, verdict, answeredAt.toISOString());
  // Awaited by the caller later; until then a rejection must not be unhandled.
  recorded.catch(() => undefined);
  pace.answered(started, verdict, isFull());
  runtime.canary.judge(due, verdict);
  const cause = runtime.commonCause.judge(due, verdict);
  const closed = isRefused(runtime, account, verdict) ? undefined : gate.judge(verdict, started.atMs);
  return definedOnly({ verdict, closed, recorded, cause });
}

/** Keeps a pause for the next run; a trustworthy answer to the probe ends it. True while there is one. */
async function settlePause(
  context: RunContext,
  { destination, breaker: gate }: ServiceRuntime,
  { verdict, closed }: Judged,
  paused: boolean,
) {
  if (closed && closed.cause !== 'errors') {
    const echoes = closed.cause === 'foreign-echo' ? { echoes: destination.echoes } : {};
    await context.ledger.submissions.pause(destination.name, {
      ...closed,
      ...echoes,
      at: context.clock.now().toISOString(),
    });
    return true;
  }
  if (paused && verdict.answer !== undefined && !gate.closed()) {
    await context.ledger.submissions.pause(destination.name, undefined);
    return false;
  }
  return paused;
}

/** The service refuses the credentials of this sender: the others continue. */
function isRefused({ accounts }: ServiceRuntime, account: SenderAccount, { pause }: Verdict): boolean {
  const isOfSender = pause?.cause === 'credentials' || pause?.cause === 'forbidden';
  return isOfSender && accounts.refuse(account, pause.says);
}

async function tokenFor(
  { accounts, breaker: gate }: ServiceRuntime,
  account: SenderAccount,
): Promise<string | undefined> {
  try {
    return await account.tokens.get();
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error;
    if (error.why !== 'credentials' || !accounts.refuse(account, error.says)) gate.noToken(error.why, error.says);
    return undefined;
  }
}
