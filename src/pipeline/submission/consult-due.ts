/**
 * Asks a service what became of documents whose state says so, politely: spaced out, and only where it is configured.
 */
import { randomUUID } from 'node:crypto';
import { TokenRefused, type TokenSource, withToken } from '../../delivery/token-cache.ts';
import { format } from '../../i18n/message.ts';
import { STOPPED } from '../../i18n/messages/pipeline-messages.ts';
import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import { because, type Exchange, type Verdict } from '../../model/answer.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { State } from '../../model/state.ts';
import type { RunContext, ServiceRuntime } from '../context/run-context.ts';
import { numberInContent } from './send-due.ts';

/** Documents that are looked through for one of another sender. */
const BEHIND_REFUSED = 1000;

/** What is kept of a consultation that could not be asked: nothing was sent. */
function nothingToAsk({ instance }: RunContext): Exchange {
  const message = format(STOPPED.nothingToAsk(), instance.settings.rules.language);
  return { sent: false, error: { code: 'no-tracking-id', message } };
}

export type Consulted = {
  readonly asked: number;
  /** Why the others could wait: no token was given. */
  readonly stopped?: TokenRefused;
};

/** At most `atMost` now, the others stay due. Entries that are not due yet are asked only when they are named. */
export async function consultDue(
  work: RunContext,
  line: ServiceRuntime,
  atMost: number,
  named?: readonly DueDocument[],
): Promise<Consulted> {
  const { destination } = line;
  if (!destination.consult || !work.ledger.guard.send) return { asked: 0 };
  // Those that wait for their sender may not hide the others.
  const most = line.accounts.refused() === undefined ? atMost : atMost + BEHIND_REFUSED;
  const found = named ?? (await work.ledger.consultDue(destination.name, work.clock.now().getTime(), most));
  const due = await line.accounts.withoutRefused(found);
  let asked = 0;
  let stopped: TokenRefused | undefined;
  for (const entry of due.slice(0, atMost)) {
    if (work.stop.aborted) break;
    const account = await line.accounts.of(entry);
    try {
      const tokens = line.consultTokens ?? account.tokens;
      const token = await tokens.get();
      if (!(await takeTurn(work, line))) break;
      await consultOne(work, line, entry, { tokens, token });
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      stopped = error;
      const isOfSender = line.consultTokens === undefined && error.why === 'credentials';
      if (!isOfSender || !line.accounts.refuse(account, error.message)) break;
      continue;
    }
    asked++;
  }
  return definedOnly({ asked, stopped });
}

/**
 * Asks for the one document that is due first, where its service may be asked now. Milliseconds until the next may be
 * asked for: due, and far enough from the last one; `Infinity` where none was to be had though one is due.
 */
export async function consultNext(work: RunContext, line: ServiceRuntime): Promise<number> {
  const { destination, consultPace } = line;
  if (!destination.consult) return Number.POSITIVE_INFINITY;
  const { asked } = consultPace.waitMs() === 0 ? await consultDue(work, line, 1) : { asked: 1 };
  const next = await work.ledger.nextConsult(destination.name);
  const waitMs = next === undefined ? Number.POSITIVE_INFINITY : next - work.clock.now().getTime();
  if (asked === 0 && waitMs <= 0) return Number.POSITIVE_INFINITY;
  return Math.max(waitMs, consultPace.waitMs());
}

/** Consultations of a service keep their distance, over rounds of a watch too; false where the program is to end. */
async function takeTurn({ clock, stop }: RunContext, { consultPace }: ServiceRuntime): Promise<boolean> {
  const waitMs = consultPace.takeTurn();
  if (waitMs > 0) await clock.sleep(waitMs, stop);
  return !stop.aborted;
}

type Given = { readonly tokens: TokenSource; readonly token: string };

async function consultOne(
  work: RunContext,
  line: ServiceRuntime,
  due: DueDocument,
  { tokens, token }: Given,
): Promise<void> {
  const { ledger, clock } = work;
  const { destination } = line;
  const now = clock.now();
  const requestId = randomUUID();
  const { class: documentClass, identifier } = due;
  const begun = await ledger.beginConsult(due, { requestId, at: now.toISOString(), run: work.run });
  const tracking = begun.trackingId === undefined ? {} : { trackingId: begun.trackingId };
  const request = destination.consult!({ class: documentClass, identifier, ...tracking, requestId, now });
  const startedMs = clock.monotonic();
  const exchange: Exchange = request ? await line.http(withToken(request, token)) : nothingToAsk(work);
  const before: State = begun.state;
  const ours = {
    class: documentClass,
    ...numberInContent(await ledger.contentOf(due.id), identifier),
    requestId,
    now: clock.now(),
    tokenRenewed: false,
    tries: begun.n - 1,
    onlyReturned: begun.onlyReturned,
    random: work.random,
  };
  const verdict: Verdict = request
    ? destination.judgeConsultation(exchange, ours, before)
    : { state: before, ...because(STOPPED.nothingToAsk()) };
  if ('status' in exchange && exchange.status === 401) tokens.drop(token);
  const ms = Math.round(clock.monotonic() - startedMs);
  await ledger.finishConsult({ due, n: begun.n }, { exchange, ms }, verdict, clock.now().toISOString());
  if (verdict.state !== before) {
    work.emit({ what: 'document', id: due.id, identifier, state: verdict.state, reason: verdict.reason });
  }
}
