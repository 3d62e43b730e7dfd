/** `watch`: stays, takes in what arrives, sends it, until it is asked to end. */
import type { Command } from 'commander';
import { openLedgerOf, openWork, watch } from '../pipeline.ts';
import { exitCodeOf } from './exit-codes.ts';
import { followProgress } from './progress.ts';
import { concurrencyFlags, readConcurrency } from './run.ts';
import { openLog, openSession, stopOnSignals } from './session.ts';

export function addWatch(program: Command): void {
  program
    .command('watch')
    .description('stay and do the same whenever a file arrives; ends in order on SIGTERM or Ctrl+C')
    .option('-c, --concurrency <number>', 'requests at the same time, per service', readConcurrency)
    .action(async (options: { readonly concurrency?: number }, command: Command) => {
      const { terminal, instance } = openSession(command, concurrencyFlags(options));
      await using ledger = await openLedgerOf(instance);
      const stopping = stopOnSignals(terminal);
      const progress = followProgress(terminal);
      await using work = await openWork(instance, ledger, {
        stop: stopping.signal,
        tell: progress.tellWith(openLog(instance)),
      });
      terminal.talk(`Watching ${instance.paths.inbox} (Ctrl+C ends)`);
      await watch(work);
      progress.end();
      stopping.release();
      const signal = stopping.received();
      process.exitCode = exitCodeOf({ stops: [], needPeople: 0, ...(signal ? { signal } : {}) });
    });
}
