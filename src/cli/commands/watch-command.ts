/**
 * `watch`: runs until a signal: imports exports as they arrive and sends their documents. Output: one line per imported
 * file and per event; the exit code is that of the signal.
 */
import type { Command } from 'commander';
import { format, type Language, type Message } from '../../i18n/message.ts';
import { PROGRESS } from '../../i18n/messages/cli-report-messages.ts';
import { COUNT } from '../../i18n/messages/cli-session-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type State, stateInfo } from '../../model/state.ts';
import { followNotices } from '../../notices/run-notices.ts';
import { endWithoutLease } from '../../pipeline/context/end-without-lease.ts';
import { mayDo } from '../../pipeline/context/may-do.ts';
import type { PipelineEvent, RunContext } from '../../pipeline/context/run-context.ts';
import { openLedgerForRun, openRun } from '../../runs/open-run.ts';
import { watch } from '../../runs/watch.ts';
import { escapeControls } from '../../text/printable.ts';
import { dailyReport } from '../../views/reporting/daily-report.ts';
import { buildNightReport, totalsOfWatch } from '../../views/reporting/night-report.ts';
import { stateCount } from '../output/counted-words.ts';
import { followProgress } from '../output/progress.ts';
import { publishNightReport } from '../output/publish-night-report.ts';
import { report } from '../output/report-error.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session, stopOnSignals } from '../session/command-session.ts';
import { exitCodeOf } from '../session/exit-codes.ts';
import { openLog } from '../session/log-file.ts';
import { openMetricsWriter } from '../session/metrics-writer.ts';
import { recordedRun, withStartNotices } from '../session/recorded-run.ts';
import { serveNextTo } from '../session/serve-next-to.ts';
import { openServiceNotify } from '../session/service-notify.ts';
import type { Terminal } from '../session/terminal.ts';
import { monitorWatch } from '../session/watch-monitor.ts';
import { CONCURRENCY, concurrencyFlags } from './run-command.ts';

export const watchCommand: CommandModule = { run: watchInbox, values: { concurrency: CONCURRENCY } };

type WatchOptions = { readonly concurrency?: number; readonly serve?: boolean };

async function watchInbox(options: WatchOptions, command: Command): Promise<void> {
  const session = openSession(command, concurrencyFlags(options));
  const exit = (error: unknown) => process.exit(report(error, command));
  await withStartNotices(session.instance, 'watch', () => watchWithin(session, options, exit));
}

async function watchWithin(session: Session, options: WatchOptions, exit: (error: unknown) => void): Promise<void> {
  const { terminal, instance } = session;
  const onWait = (holder: Message) => terminal.talk(`  ${session.say(holder)}`);
  const metrics = openMetricsWriter(session);
  await using notify = openServiceNotify(process.env, { longestStepMs: instance.settings.inbox.scan });
  const onCommit = (ms: number) => {
    metrics?.meters.onCommit(ms);
    notify.progressed();
  };
  await using ledger = await openLedgerForRun(instance, 'watch', { onWait, onCommit });
  if (ledger.roles) endWithoutLease(ledger.roles, instance, exit);
  using stopping = stopOnSignals(terminal, instance.settings.rules.language);
  const progress = followProgress(terminal, session.locale, { endless: true });
  const log = openLog(instance);
  const onEvent = progress.listenerWith(log);
  const imports = printImports(terminal, ledger, instance.settings.rules.language);
  await using context = await openRun(instance, ledger, {
    stop: stopping.signal,
    meters: metrics?.meters,
    onEvent: (event, run) => {
      onEvent(event, run);
      imports.onEvent(event);
    },
  });
  const { language } = instance.settings.rules;
  terminal.talk(format(PROGRESS.watching({ folder: instance.paths.inbox }), language));
  await using _console = options.serve ? serveNextTo({ ...session, language }) : undefined;
  await using _last = { [Symbol.asyncDispose]: async () => await metrics?.write(ledger) };
  await using _monitor = await monitorWatch(session, { ledger, writer: metrics, notify });
  stopping.signal.addEventListener('abort', notify.stopping, { once: true });
  const isStopped = () => stopping.received() !== undefined;
  process.exitCode = await recordedRun(context, { kind: 'watch', log, isStopped }, async () => {
    const write = async (isAtEnd = false) => {
      const signal = isAtEnd ? stopping.received() : undefined;
      const end = { kind: 'watch' as const, stops: [], isStopped: signal !== undefined };
      const exitOf = isAtEnd ? () => exitCodeOf(definedOnly({ stops: [], needPeople: 0, signal })) : undefined;
      const refused = await publishNightReport(
        context,
        await buildNightReport(context, definedOnly({ ...end, exitOf })),
      );
      if (refused) terminal.talk(format(refused, language));
    };
    await withNotices(context, session.locale.zone, () =>
      watch(context, { onLook: notify.progressed, between: dailyReport(context, write) }),
    );
    if (instance.settings.report.at !== undefined && mayDo(context, 'receipts')) await write(true);
    await imports.printed();
    progress.end();
    stopping.release();
    const exit = exitCodeOf(definedOnly({ stops: [], needPeople: 0, signal: stopping.received() }));
    return { exit, totals: await totalsOfWatch(context) };
  });
}

/** Notices follow the watch, and end with it, however it ends. */
async function withNotices(context: RunContext, zone: string, body: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const stop = AbortSignal.any([context.stop, ended.signal]);
  const { now, sleep } = context.clock;
  const notices = followNotices({ ...context, stop, now, sleep, zone });
  try {
    await body();
  } finally {
    ended.abort();
    await notices;
  }
}

/** Prints a line per imported file with the documents that are not on their way: `watch` has no table at its end. */
function printImports(terminal: Terminal, ledger: Pick<RunContext['ledger'], 'queries'>, language: Language) {
  const say = (phrase: Message) => format(phrase, language);
  let last = Promise.resolve();
  const print = async ({ id, file, documents }: Admitted) => {
    const counts = Object.entries(await ledger.queries.counts({ file: id })) as [State, number][];
    const apart = counts.filter(([state]) => !ON_ITS_WAY.has(state));
    const counted = apart.map(([state, count]) => say(stateCount(count, state))).join(', ');
    const isWaiting = apart.some(([state]) => !['nobody', 'machine'].includes(stateInfo(state).actor));
    const parts = [
      say(PROGRESS.imported({ documents: COUNT.document({ count: documents }) })),
      counted,
      isWaiting && say(PROGRESS.list()),
    ];
    terminal.talk(say(PROGRESS.ofFile({ file: escapeControls(file), notes: parts.filter(Boolean).join('; ') })));
  };
  return {
    onEvent: (event: PipelineEvent) => {
      if (event.what !== 'file-admitted') return;
      // A failed read of the ledger only prints its message here: the next real use of the ledger ends the watch.
      last = last.then(() => print(event)).catch(({ message }: Error) => terminal.talk(message));
    },
    printed: () => last,
  };
}

type Admitted = Extract<PipelineEvent, { what: 'file-admitted' }>;

/** States in which a document needs no line. */
const ON_ITS_WAY: ReadonlySet<State> = new Set(['ready', 'sending', 'authorized']);
