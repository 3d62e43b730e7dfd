/**
 * `run`: one night: imports exports, sends documents, writes receipts. Output: a live line, then a table per file. The
 * exit code is for the scheduler (exit-codes.ts); a signal requests an orderly end.
 */
import type { Command } from 'commander';
import type { Message } from '../../i18n/message.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Fault } from '../../model/fault.ts';
import { openLedgerForRun, openRun } from '../../runs/open-run.ts';
import { run } from '../../runs/run.ts';
import { bringSearchUp } from '../../views/queries/find-documents.ts';
import {
  buildNightReport,
  filesNotTaken,
  missingExports,
  type NightEnd,
  needPeople,
  totalsOf,
} from '../../views/reporting/night-report.ts';
import { printRunReport } from '../output/print-run-report.ts';
import { followProgress } from '../output/progress.ts';
import { publishNightReport } from '../output/publish-night-report.ts';
import { type CommandModule, readWholeNumber, type TypedValue } from '../session/command-module.ts';
import { openSession, type Session, stopOnSignals } from '../session/command-session.ts';
import { exitCodeOf } from '../session/exit-codes.ts';
import { openLog } from '../session/log-file.ts';
import { exitOfPrinted } from '../session/lost-output.ts';
import { openMetricsWriter } from '../session/metrics-writer.ts';
import { recordedRun, withStartNotices } from '../session/recorded-run.ts';

type RunOptions = { readonly takeInOnly?: boolean; readonly concurrency?: number };

/** Requests at the same time per service; `watch` has the same option. */
export const CONCURRENCY: TypedValue = { read: readWholeNumber(1) };

export const runCommand: CommandModule = { run: runNight, values: { concurrency: CONCURRENCY } };

async function runNight(files: string[], options: RunOptions, command: Command): Promise<void> {
  const session = openSession(command, concurrencyFlags(options));
  let isWhole = false;
  await withStartNotices(session.instance, 'run', async () => {
    isWhole = await runWithin(session, files, options);
  });
  if (!isWhole) return;
  using stopping = stopOnSignals(session.terminal, session.instance.settings.rules.language);
  await bringSearchUp(session.instance, stopping.signal);
}

/** False if a signal ended it. */
async function runWithin(session: Session, files: string[], options: RunOptions): Promise<boolean> {
  const { terminal, instance } = session;
  const onWait = (holder: Message) => terminal.talk(`  ${session.say(holder)}`);
  const metrics = openMetricsWriter(session);
  await using ledger = await openLedgerForRun(instance, 'run', { onWait, onCommit: metrics?.meters.onCommit });
  using stopping = stopOnSignals(terminal, instance.settings.rules.language);
  const progress = followProgress(terminal, session.locale, { reported: true });
  const log = openLog(instance);
  const onEvent = progress.listenerWith(log);
  const left: Fault[] = [];
  await using context = await openRun(instance, ledger, {
    stop: stopping.signal,
    meters: metrics?.meters,
    onEvent: (event, name) => {
      if (event.what === 'inbox-refused') left.push(event.fault);
      onEvent(event, name);
    },
  });
  const isStopped = () => stopping.received() !== undefined;
  await using _ = { [Symbol.asyncDispose]: async () => await metrics?.write(ledger) };
  process.exitCode = await recordedRun(context, { kind: 'run', log, isStopped }, async () => {
    const stops = await run(
      context,
      definedOnly({
        reported: true,
        files: files.length > 0 ? files : undefined,
        ingestOnly: options.takeInOnly,
      }),
    );
    progress.end();
    stopping.release();
    const signal = stopping.received();
    let exit = 0;
    const exitOf: NightEnd['exitOf'] = (facts) => {
      const needs = { needPeople: needPeople(facts), missing: missingExports(facts), notTaken: filesNotTaken(facts) };
      exit = exitCodeOf(definedOnly({ stops, ...needs, signal }));
      return exit;
    };
    const report = await buildNightReport(context, { kind: 'run', stops, inbox: left, isStopped: isStopped(), exitOf });
    printRunReport(session, report);
    exit = await exitOfPrinted(exit);
    const refused = await publishNightReport(context, { ...report, exit });
    if (refused) terminal.talk(`  ${session.say(refused)}`);
    await ledger.maintenance.closeReportWindow();
    return definedOnly({ exit, totals: totalsOf(report), failure: stops[0]?.cause, report: { ...report, exit } });
  });
  return !isStopped();
}

/** For every service that the settings use. */
export function concurrencyFlags({ concurrency }: { readonly concurrency?: number }) {
  return definedOnly({ 'services.*.concurrency': concurrency });
}
