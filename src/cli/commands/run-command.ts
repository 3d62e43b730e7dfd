/** `run`: one night. The live bar while it works, a table per file at the end, an exit code for the scheduler. */
import { type Command, InvalidArgumentError } from 'commander';
import { definedOnly } from '../../model/defined-only.ts';
import type { Fault } from '../../model/fault.ts';
import { openLedgerOf, openWork } from '../../pipeline/open-run.ts';
import { run } from '../../pipeline/run.ts';
import { followProgress } from '../output/progress.ts';
import { buildRunReport, filesNotTaken, missingExports, needPeople, printRunReport } from '../output/run-report.ts';
import { openSession, stopOnSignals } from '../session/command-session.ts';
import { exitCodeOf } from '../session/exit-codes.ts';
import { openLog } from '../session/log-file.ts';

type RunOptions = { readonly takeInOnly?: boolean; readonly concurrency?: number };

export function addRun(program: Command): void {
  program
    .command('run')
    .argument('[files...]', 'files to take now, whatever their age (default: everything that is at rest in the inbox)')
    .option('--take-in-only', 'convert and queue, send nothing')
    .option('-c, --concurrency <number>', 'requests at the same time, per service', readConcurrency)
    .action(async (files: string[], options: RunOptions, command: Command) => {
      const session = openSession(command, concurrencyFlags(options));
      const { terminal, instance } = session;
      await using ledger = await openLedgerOf(instance);
      const stopping = stopOnSignals(terminal, instance.settings.rules.language);
      const progress = followProgress(terminal, instance.settings.rules.language, { reported: true });
      const tell = progress.tellWith(openLog(instance));
      const left: Fault[] = [];
      await using work = await openWork(instance, ledger, {
        stop: stopping.signal,
        tell: (happening, name) => {
          if (happening.what === 'inbox-refused') left.push(happening.fault);
          tell(happening, name);
        },
      });
      const stops = await run(
        work,
        definedOnly({
          reported: true,
          files: files.length > 0 ? files : undefined,
          takeInOnly: options.takeInOnly ? true : undefined,
        }),
      );
      progress.end();
      stopping.release();
      const report = await buildRunReport(work, stops, left);
      printRunReport(session, report);
      await ledger.closeReportWindow();
      const signal = stopping.received();
      process.exitCode = exitCodeOf(
        definedOnly({
          stops,
          needPeople: needPeople(report),
          missing: missingExports(report),
          notTaken: filesNotTaken(report),
          signal: signal ? signal : undefined,
        }),
      );
    });
}

export function readConcurrency(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Write a whole number from 1.');
  return count;
}

/** For every service that the settings use. */
export function concurrencyFlags({ concurrency }: { readonly concurrency?: number }): {
  readonly [path: string]: unknown;
} {
  return concurrency === undefined ? {} : { 'services.*.concurrency': concurrency };
}
