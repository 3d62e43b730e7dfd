/**
 * The notices of one run or watch: what its end reports, and how that is sent. Every method catches its own errors: notices
 * never change an exit code, a document or a receipt.
 */
import { format } from '../i18n/message.ts';
import type { Instance } from '../instance/instance.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { ChannelReport } from '../ledger/contract/notice-store.ts';
import type { RunKind } from '../ledger/contract/run-record.ts';
import { mayDo } from '../pipeline/context/may-do.ts';
import type { PipelineEvent } from '../pipeline/context/run-context.ts';
import { localTime } from '../text/local-time.ts';
import { appendAll } from '../text/long-lists.ts';
import { channelsOf } from './channel.ts';
import { composeFailure, composeReports, type Occasion } from './compose-notices.ts';
import { deliverDue, type NoticeTry, sendAtOnce } from './deliver-notices.ts';
import { openDirectNotices } from './direct-notices.ts';
import { recordChanges } from './follow-changes.ts';
import { startHeartbeats } from './heartbeats.ts';
import type { RunEnding } from './waiting-topics.ts';

type Work = {
  readonly instance: Instance;
  readonly ledger: Ledger;
  readonly run: string;
  readonly kind: RunKind;
  readonly now: () => Date;
  readonly emit: (event: PipelineEvent) => void;
};

/** Facts of the end, as far as they are known. */
type EndFacts = Pick<Occasion, 'result' | 'report'>;

export type RunNotices = {
  /** What the channels report of the end, for the commit that records it; empty where it cannot be found out. */
  readonly compose: (ending: RunEnding, facts: EndFacts) => Promise<readonly ChannelReport[]>;
  /** The reports are recorded, or `recorded` is false and failures are sent at once. Resolves within its deadlines. */
  readonly send: (ending: RunEnding, facts: EndFacts, recorded: boolean) => Promise<void>;
};

/** Sends the signs of the start, next to the work. */
export function beginNotices({ instance, ledger, run, kind, now, emit }: Work): RunNotices {
  const tried = (one: NoticeTry) => emit({ what: 'notice', ...one });
  const works = () => mayDo({ ledger }, 'receipts');
  const failed = (channel: string, problem: string) => emit({ what: 'notice', channel, result: 'failed', problem });
  const beats = startHeartbeats(instance, kind, failed, works);
  // Of several watches one sends notices: its loop records what changed before, once it has the role.
  const begun =
    ledger.guard.send && mayDo({ ledger }, 'receipts')
      ? recordChanges({ instance, ledger }, now(), run).catch(() => undefined)
      : undefined;
  return {
    compose: async (ending, facts) => {
      if (kind === 'watch' && ending.error === undefined) return [];
      try {
        return await composeReports({ instance, ledger }, { scope: 'run', now: now(), ending, ...facts });
      } catch {
        return [];
      }
    },
    send: async (ending, { result, report }, recorded) => {
      const { language } = instance.settings.rules;
      const said = report?.verdict.sentence[language];
      const says = said ?? (result ? format(result, language) : '');
      const signs = kind === 'watch' && ending.error === undefined ? beats.close() : beats.end(ending.exit, says);
      if (recorded) {
        await begun;
        if (mayDo({ ledger }, 'receipts')) {
          await recordChanges({ instance, ledger }, now(), run).catch(() => undefined);
          await deliverDue({ instance, ledger, now, tried });
        }
      } else {
        for (const one of await sendAtOnce(instance, composeFailure(instance, ending, now()), now())) tried(one);
      }
      await signs;
    },
  };
}

/** A run that could not begin: its failure is sent at once, without a ledger. Nothing throws. */
export async function reportStartFailure(
  instance: Instance,
  ending: RunEnding,
  kind: RunKind,
): Promise<readonly NoticeTry[]> {
  try {
    const tries: NoticeTry[] = [];
    const failed = (channel: string, problem: string) => tries.push({ channel, notice: '', result: 'failed', problem });
    const signs = startHeartbeats(instance, kind, failed).end(ending.exit, ending.error ?? '');
    const now = new Date();
    appendAll(tries, await sendAtOnce(instance, composeFailure(instance, ending, now), now));
    await signs;
    return tries;
  } catch {
    return [];
  }
}

/** How long a watch looks away between two looks at what is urgent, and at documents that changed. */
const LOOK_MS = 60_000;
const CHANGES_MS = 5000;

type Following = Omit<Work, 'run' | 'kind'> & {
  readonly stop: AbortSignal;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** IANA zone of the time of day of a daily notice. */
  readonly zone: string;
};

/** Next to a watch, until `stop`: urgent topics each minute, the notice of the day, changes, and what waits in the outbox. */
export async function followNotices(work: Following): Promise<void> {
  const { instance, ledger, now, emit, stop, sleep } = work;
  if (channelsOf(instance).length === 0) return;
  const tried = (one: NoticeTry) => emit({ what: 'notice', ...one });
  if (!ledger.guard.send) return await followDirectly(work, tried);
  const asksForChanges = channelsOf(instance).some(({ settings }) =>
    settings.webhook?.types.includes('document.changed'),
  );
  const daily = dailyTurns(work);
  for (let looked = Number.NEGATIVE_INFINITY; !stop.aborted; ) {
    if (!mayDo({ ledger }, 'receipts')) {
      await sleep(CHANGES_MS, stop);
      continue;
    }
    try {
      const at = now();
      if (at.getTime() - looked >= LOOK_MS || at.getTime() < looked) {
        looked = at.getTime();
        const today = await daily.due(at);
        await addReports(work, at, new Set(today.keys()));
        daily.sent(today);
      }
      await recordChanges({ instance, ledger }, at);
      await deliverDue({ instance, ledger, now, tried, stop });
    } catch {
      // The watch itself reports a ledger that failed.
    }
    await sleep(asksForChanges ? CHANGES_MS : LOOK_MS, stop);
  }
}

/** In no-send mode, where the ledger takes no notices. */
async function followDirectly(
  { instance, ledger, now, stop, sleep }: Following,
  tried: (one: NoticeTry) => void,
): Promise<void> {
  const direct = openDirectNotices();
  while (!stop.aborted) {
    for (const one of await direct({ instance, ledger }, now()).catch(() => [])) tried(one);
    await sleep(LOOK_MS, stop);
  }
}

async function addReports(
  { instance, ledger }: Pick<Work, 'instance' | 'ledger'>,
  now: Date,
  ofDay: ReadonlySet<string>,
): Promise<void> {
  const channels = channelsOf(instance);
  const isDaily = ({ name }: { readonly name: string }) => ofDay.has(name);
  const reports = [
    ...(await composeReports(
      { instance, ledger },
      { scope: 'now', now },
      channels.filter((one) => !isDaily(one)),
    )),
    ...(await composeReports({ instance, ledger }, { scope: 'daily', now }, channels.filter(isDaily))),
  ];
  if (reports.length > 0) await ledger.notices.addNotices(reports);
}

/** Which channels get the notice of the day now, and the day: from their time of day on, until one of that day is recorded. */
function dailyTurns({ instance, ledger, zone }: Following) {
  // "2026-11-22 02:33", whatever the language of a channel.
  const dayOf = (at: Date) => {
    const [day = '', time = ''] = localTime(at, { zone, language: 'en' }).split(' ');
    return { day, time };
  };
  const done = new Map<string, string>();
  return {
    due: async (at: Date): Promise<ReadonlyMap<string, string>> => {
      const { day, time } = dayOf(at);
      const due = new Map<string, string>();
      for (const { name, settings } of channelsOf(instance)) {
        if (time < settings.at || done.get(name) === day) continue;
        const { latestAt } = await ledger.notices.channelState(name);
        const latest = latestAt === undefined ? undefined : dayOf(new Date(latestAt));
        // A watch that began again on the same day has sent it.
        if (latest?.day === day && latest.time >= settings.at) done.set(name, day);
        else due.set(name, day);
      }
      return due;
    },
    sent: (of: ReadonlyMap<string, string>) => {
      for (const [name, day] of of) done.set(name, day);
    },
  };
}
