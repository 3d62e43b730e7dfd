/**
 * Consults a service about documents whose state asks for it, spaced out, and only if the settings configure it. Raw
 * answer and verdict are durable before the next question; a failed exchange is recorded as one. Nothing is submitted.
 */
import { randomUUID } from 'node:crypto';
import { askedToWait } from '../../delivery/response-policy.ts';
import { TokenRefused, type TokenSource, withToken } from '../../delivery/token-cache.ts';
import { format, type Message, verbatimText } from '../../i18n/message.ts';
import { STOPPED } from '../../i18n/messages/pipeline-messages.ts';
import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import { because, type Exchange, type Verdict } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { MESSAGE } from '../../model/fault.ts';
import type { State } from '../../model/state.ts';
import type { RunContext, ServiceRuntime } from '../context/run-context.ts';
import { numberInContent } from './send-due.ts';
import { keepLimit, limitOf } from './service-pauses.ts';

/** The most documents that are skipped, because their sender is refused, to find one of another sender. */
const BEHIND_REFUSED = 1000;

/** The exchange that is recorded if a consultation has nothing to ask for: nothing was sent. */
function nothingToAsk({ instance }: RunContext): Exchange {
  const message = format(STOPPED.nothingToAsk(), instance.settings.rules.language);
  return { sent: false, error: { code: 'no-tracking-id', message } };
}

/**
 * One gate for all requests to a service: closed because it asked for a wait, or because it is not reached, it lets no question
 * through. A pause for what its answers say lets them pass, as they may settle documents.
 */
function closedNow({ breaker: gate }: ServiceRuntime): Stopped | undefined {
  const closed = gate.closed();
  const isShut = closed?.cause === 'rate-limited' || closed?.cause === 'unreachable';
  return isShut && gate.waitMs() > 0 ? { why: 'unreachable', says: verbatimText(closed.says) } : undefined;
}

type Stopped = Pick<TokenRefused, 'why' | 'says'>;

/** The result of one round. */
export type Consulted = {
  readonly asked: number;
  /** The reason why the others still wait: the service gave no token, no answer, or asked for a wait. */
  readonly stopped?: Stopped;
};

/** At most `atMost` now, the others stay due. Documents that are not due yet are consulted only if they are named. */
export async function consultDue(
  context: RunContext,
  runtime: ServiceRuntime,
  atMost: number,
  named?: readonly DueDocument[],
): Promise<Consulted> {
  const { destination } = runtime;
  if (!destination.consult || !context.ledger.guard.send) return { asked: 0 };
  // Those that wait for their sender may not hide the others.
  const most = runtime.accounts.refused() === undefined ? atMost : atMost + BEHIND_REFUSED;
  const found =
    named ?? (await context.ledger.submissions.consultDue(destination.name, context.clock.now().getTime(), most));
  const due = await runtime.accounts.withoutRefused(found);
  const limit = runtime.breaker.closed()
    ? undefined
    : limitOf(context, await context.ledger.submissions.pauseOf(destination.name));
  if (limit) runtime.breaker.startPaused(limit);
  let asked = 0;
  let stopped: Stopped | undefined;
  for (const entry of due.slice(0, atMost)) {
    stopped = closedNow(runtime);
    if (stopped || !(await takeTurn(context, runtime, due.length - asked))) break;
    const account = await runtime.accounts.of(entry);
    try {
      const tokens = runtime.consultTokens ?? account.tokens;
      const token = await tokens.get();
      stopped = closedNow(runtime);
      if (stopped || context.stop.aborted) break;
      const unanswered = await consultOne(context, runtime, entry, { tokens, token });
      asked++;
      if (unanswered && asked < due.length) stopped = { why: 'unreachable', says: unanswered };
      if (unanswered) break;
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      stopped = error;
      const isOfSender = runtime.consultTokens === undefined && error.why === 'credentials';
      if (!isOfSender || !runtime.accounts.refuse(account, error.says)) break;
    }
  }
  await keepLimit(context, runtime);
  return definedOnly({ asked, stopped });
}

/**
 * Consults about the document that is due first, if its service may be asked now. Milliseconds until the next one: due,
 * and far enough from the last one; Infinity if one is due but cannot be asked.
 */
export async function consultNext(context: RunContext, runtime: ServiceRuntime): Promise<number> {
  const { destination, consultRate: consultPace } = runtime;
  if (!destination.consult) return Number.POSITIVE_INFINITY;
  const { asked } = consultPace.waitMs() === 0 ? await consultDue(context, runtime, 1) : { asked: 1 };
  const next = await context.ledger.submissions.nextConsult(destination.name);
  const waitMs = (next ?? Number.POSITIVE_INFINITY) - context.clock.now().getTime();
  if (asked === 0 && waitMs <= 0) return Number.POSITIVE_INFINITY;
  return Math.max(waitMs, consultPace.waitMs());
}

/**
 * Keeps the distance between consultations of a service, over rounds of a watch too; false if the program has to end.
 * `count`: documents that wait for their consultation.
 */
async function takeTurn(context: RunContext, runtime: ServiceRuntime, count: number): Promise<boolean> {
  const { clock, stop } = context;
  const { consultRate: consultPace, destination } = runtime;
  const waitMs = consultPace.takeTurn();
  if (waitMs > 0) context.emit({ what: 'consultation-waits', service: destination.name, count, ms: waitMs });
  if (waitMs > 0) await clock.sleep(waitMs, stop);
  return !stop.aborted;
}

type Given = { readonly tokens: TokenSource; readonly token: string };

/** Why no answer came, if none did. */
async function consultOne(
  context: RunContext,
  runtime: ServiceRuntime,
  due: DueDocument,
  { tokens, token }: Given,
): Promise<Message | undefined> {
  const { ledger, clock } = context;
  const { destination } = runtime;
  const now = clock.now();
  const requestId = randomUUID();
  const { class: documentClass, identifier } = due;
  const begun = await ledger.submissions.beginConsult(due, { requestId, at: now.toISOString(), run: context.run });
  if (!begun) return undefined;
  const { trackingId } = begun;
  const request = destination.consult?.(definedOnly({ class: documentClass, identifier, trackingId, requestId, now }));
  const startedMs = clock.monotonic();
  const exchange: Exchange = request ? await runtime.http(withToken(request, token)) : nothingToAsk(context);
  const before: State = begun.state;
  const ours = {
    class: documentClass,
    ...numberInContent(await ledger.queries.contentOf(due.id), identifier),
    requestId,
    now: clock.now(),
    tokenRenewed: false,
    tries: begun.asked,
    onlyReturned: begun.onlyReturned,
    random: context.random,
  };
  const verdict: Verdict = request
    ? destination.judgeConsultation(exchange, ours, before)
    : { state: before, ...because(STOPPED.nothingToAsk()) };
  if ('status' in exchange && exchange.status === 401) tokens.drop(token);
  const ms = Math.round(clock.monotonic() - startedMs);
  const effect = await ledger.submissions.finishConsult(begun, { exchange, ms }, verdict, clock.now().toISOString());
  if (request) closeGate(runtime, exchange, verdict, { startedMs, now: ours.now });
  if (verdict.state !== before && effect !== 'late' && effect !== 'marks') {
    const state = effect === 'holds' ? 'held' : verdict.state;
    context.emit({ what: 'document', id: due.id, identifier, state, reason: verdict.reason });
  }
  return request && 'error' in exchange ? verdict[MESSAGE]?.message : undefined;
}

/** What stops submissions too: the service asks for a wait, or no request leaves. */
function closeGate(
  { breaker: gate }: ServiceRuntime,
  exchange: Exchange,
  verdict: Verdict,
  { startedMs, now }: { readonly startedMs: number; readonly now: Date },
): void {
  if (!exchange.sent) gate.judge({ ...verdict, resend: { kind: 'not-sent', afterMs: 0 } }, startedMs);
  else if ('status' in exchange && exchange.status === 429)
    gate.judge({ ...verdict, resend: { kind: 'rate-limited', afterMs: askedToWait(exchange, 0, now) } }, startedMs);
}
