/**
 * Runs until it is asked to end: looks at the inbox again and again, and sends in parallel. Events of the inbox wake
 * it; a scan at fixed intervals finds files without an event. The first failure of a loop ends all of them and is
 * thrown.
 */

import type { ActName } from '../decisions/act.ts';
import { MOST_TRIES } from '../decisions/requests/answer-request.ts';
import { refuseRequests } from '../decisions/requests/refuse-requests.ts';
import { serveRequests } from '../decisions/requests/serve-requests.ts';
import { createTurns } from '../files/turns.ts';
import { isOfInboxAway } from '../inbox/inbox-away.ts';
import { watchInbox } from '../inbox/watch-inbox.ts';
import { localeOf } from '../instance/locale.ts';
import { type Fault, withMessage } from '../model/fault.ts';
import { reportAnswers, reportLastAnswers } from '../pipeline/answers/report-answers.ts';
import { endingTogether } from '../pipeline/context/end-together.ts';
import { openIntake } from '../pipeline/context/intake-signal.ts';
import { mayDo } from '../pipeline/context/may-do.ts';
import { mayConvertNow } from '../pipeline/context/other-setup.ts';
import type { RunContext, ServiceRuntime } from '../pipeline/context/run-context.ts';
import { untilAborted } from '../pipeline/context/until-aborted.ts';
import { reportMissingExports } from '../pipeline/intake/expected-exports.ts';
import { ingestAll, ingestSuspects } from '../pipeline/intake/ingest-all.ts';
import { mappingsNow } from '../pipeline/intake/mapping-changes.ts';
import { takeControlFiles } from '../pipeline/intake/take-control-files.ts';
import { keepReceipts } from '../pipeline/publishing/overwritten-receipts.ts';
import { type ReceiptWriter, startReceiptWriter } from '../pipeline/publishing/publish-results.ts';
import { withPublishing, withWakeUps } from '../pipeline/publishing/with-publishing.ts';
import { takeDecisions } from '../pipeline/reprocessing/folder-decisions.ts';
import { consultNext } from '../pipeline/submission/consult-due.ts';
import { sendDue } from '../pipeline/submission/send-due.ts';
import { localDay } from './open-run.ts';
import { assertMaySend } from './recover-run.ts';
import { keepRoles, settleLeftovers } from './take-over.ts';

/** `onLook`: a look into the inbox has ended. `between`: called then, while no receipt is written; it may add to the chain. */
type WatchOptions = { readonly onLook?: () => void; readonly between?: () => Promise<void> };

/** Resolves after the program is asked to end and everything under way is finished and published. */
export async function watch(outer: RunContext, { onLook, between }: WatchOptions = {}): Promise<void> {
  const { own: context, failed, throwFailure } = endingTogether(outer);
  const { settings, paths } = context.instance;
  await refuseRequests(context);
  const beginning = await settleLeftovers(assertMaySend(context));
  const wakeUp = createWakeSignal(context);
  const receipts = startReceiptWriter(context, failed);
  const intake = openIntake();
  const hearing = withWakeUps(context, receipts.wake, wakeUp.ring);
  const turn = createTurns();
  const resumed = createWakeSignal(context);
  const seen = new Set<string>();
  const mappings = mappingsNow(context);
  const mayConvert = mayConvertNow(context);
  const unlessAway = whileInboxIsThere(context);
  const look = async () => {
    const today = { ...hearing, day: localDay(context.clock.now(), localeOf(context.instance.settings).zone) };
    // What one worker at a time does; the files of the inbox are for all of them.
    if (mayDo(context, 'receipts')) await takeDecisions(today);
    await unlessAway(async () => {
      if (await mayConvert()) {
        await ingestAll(today, 'watch', { between: intake.letSend, turn });
        await ingestSuspects(today, turn);
      }
      if (mayDo(context, 'expected')) await takeControlFiles(today, 'watch');
    });
    if (mayDo(context, 'expected')) await reportMissingExports(context, seen);
    mappings.tellChanges();
    receipts.wake('files');
    wakeUp.ring();
    if (between && mayDo(context, 'receipts')) await receipts.between(between);
    onLook?.();
  };
  const rules = { polling: settings.inbox.polling, intervalMs: settings.inbox.scan };
  await using watcher = watchInbox(paths.inbox, rules, () => look().catch(failed));
  await withPublishing(context, receipts, async () => {
    const done = (act: ActName | undefined) => {
      wakeUp.ring();
      if (act === 'resume') resumed.ring();
    };
    await using _ = serveRequests(hearing, { turn, done, failed, tries: MOST_TRIES });
    const sending = [...context.services.values()].map((runtime) =>
      keepSending(context, runtime, { receipts, wakeUp, resumed, sent: intake.sent }).catch(failed),
    );
    const reporting = keepReporting(context).catch(failed);
    const taken = () => {
      receipts.wake('files');
      wakeUp.ring();
      // Files that it has adopted are none of the inbox, which may stay as it is.
      watcher.lookSoon();
    };
    const roles = keepRoles(context, { ...beginning, turn, taken, failed }).catch(failed);
    const receiptsKept = keepReceipts(context, receipts.between).catch(failed);
    await Promise.all([...sending, reporting, roles, receiptsKept, untilAborted(context.stop)]);
    await watcher[Symbol.asyncDispose]();
    throwFailure();
  });
  if (mayDo(context, 'receipts')) await reportLastAnswers(context);
}

/** An inbox that is away, as a share that reconnects, is reported once and looked for again: the watch goes on. */
function whileInboxIsThere({ emit }: Pick<RunContext, 'emit'>): (act: () => Promise<void>) => Promise<void> {
  let isAway = false;
  return async (act) => {
    try {
      await act();
      isAway = false;
    } catch (error) {
      if (!isOfInboxAway(error)) throw error;
      const { message, hint } = error.texts;
      const fault: Fault = { code: error.code, level: 'error', ...withMessage(message, hint) };
      if (!isAway) emit({ what: 'inbox-refused', file: '', fault });
      isAway = true;
    }
  };
}

/** Answers to the ERP, at the interval of the settings or once many are due; composing takes a small part of the time. */
async function keepReporting(context: RunContext): Promise<void> {
  const { instance, clock, ledger, stop } = context;
  if (instance.mappings.every(({ answers }) => answers.length === 0)) return;
  const { every } = instance.settings.answers;
  // What a stop, or a watch that is gone, left waits no longer than for the first look.
  let reportedMs = clock.monotonic() - every;
  let tookMs = 0;
  while (!stop.aborted) {
    await clock.sleep(Math.min(every, MANY_LOOK_MS), stop);
    const waitedMs = clock.monotonic() - reportedMs;
    if (stop.aborted || waitedMs < PAUSE_PER_ANSWERS * tookMs || !mayDo(context, 'receipts')) continue;
    if (waitedMs < every && (await ledger.answers.answersWaiting()).documents < MANY_ANSWERS) continue;
    const startedMs = clock.monotonic();
    await reportAnswers(context);
    reportedMs = clock.monotonic();
    tookMs = reportedMs - startedMs;
  }
}

const MANY_ANSWERS = 1000;
const MANY_LOOK_MS = 10_000;
const PAUSE_PER_ANSWERS = 20;

/** Documents that other workers read ring no bell here: the sender looks for them this often. */
const OTHERS_MS = 1000;

type SendingSignals = {
  readonly receipts: ReceiptWriter;
  readonly wakeUp: WakeSignal;
  /** A person resumed a service. */
  readonly resumed: WakeSignal;
  readonly sent: () => void;
};

async function keepSending(
  context: RunContext,
  runtime: ServiceRuntime,
  { receipts, wakeUp, resumed, sent }: SendingSignals,
): Promise<void> {
  const { run: settings, inbox } = context.instance.settings;
  const following = withWakeUps(context, receipts.wake, undefined, sent);
  let reported: string | undefined;
  const role = `send ${runtime.destination.name}` as const;
  while (!context.stop.aborted) {
    if (!mayDo(context, role)) {
      await wakeUp.wait(inbox.scan);
      continue;
    }
    const stop = await sendDue(following, runtime, settings['give-up-after']);
    if (stop && reported !== stop.says) context.emit({ what: 'service-stopped', ...stop });
    reported = stop?.says;
    // One at a time: documents that arrive meanwhile go first.
    const consultMs = await consultNext(following, runtime);
    if (stop) receipts.wake('waiting');
    // A class that is not configured keeps only its own documents waiting.
    const waitMs = context.ledger.roles ? Math.min(inbox.scan, OTHERS_MS) : inbox.scan;
    if (!stop || stop.cause === 'not-configured') await wakeUp.wait(Math.min(waitMs, consultMs));
    else await waitWhilePaused(runtime, resumed);
  }
}

/** As long as the back-off of the service; a quarter of an hour if a person has to act. Then one document tries. */
async function waitWhilePaused({ breaker: gate }: ServiceRuntime, resumed: WakeSignal): Promise<void> {
  const waitMs = gate.waitMs();
  await resumed.wait(Number.isFinite(waitMs) ? waitMs : PAUSED_MS);
  gate.startPaused();
}

const PAUSED_MS = 15 * 60_000;

type WakeSignal = ReturnType<typeof createWakeSignal>;

/** Lets several loops sleep until their interval is over, another loop wakes them, or the program is asked to end. */
function createWakeSignal({ clock, stop }: Pick<RunContext, 'clock' | 'stop'>) {
  let ringing = new AbortController();
  const ring = () => {
    ringing.abort();
    ringing = new AbortController();
  };
  return {
    ring,
    wait: (ms: number) => clock.sleep(ms, AbortSignal.any([ringing.signal, stop])),
  };
}
