/**
 * The report that a watch writes once a day: at the hour of `report: at:` on the clock of the instance, or as soon as the
 * watch works again if it was off then. The hour is over when any report was written after it.
 */
import { localeOf } from '../../instance/locale.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import { hoursOf } from '../../pipeline/intake/expected-exports.ts';

/** Calls `write` when the report of the day is due; it is asked after each look at the inbox. */
export function dailyReport(
  { instance, ledger, clock, startedAt }: RunContext,
  write: () => Promise<void>,
): () => Promise<void> {
  const { at } = instance.settings.report;
  let done: string | undefined;
  return async () => {
    if (at === undefined) return;
    const now = clock.now();
    const { due } = hoursOf({ by: at, on: 'daily' }, now, localeOf(instance.settings).zone);
    if (due === done) return;
    const [last] = await ledger.reports.list({ limit: 1 });
    // Before the first report there is nothing that an hour before the begin of the watch could report.
    // A time that is still to come was written under a clock that was ahead.
    const isOver = last ? last.at >= due && last.at <= now.toISOString() : due < startedAt.toISOString();
    if (!isOver) await write();
    done = due;
  };
}
