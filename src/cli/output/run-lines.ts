/** How a recorded run is worded: its result with the exit code. */
import type { Message } from '../../i18n/message.ts';
import { RUNS } from '../../i18n/messages/cli-views-messages.ts';
import type { RecordedRun } from '../../pipeline/queries/recorded-runs.ts';

/** "completed (3)", "failed: ledger/disk-full (5)", "running". */
export function runOutcome({ outcome, kind, exit, error = '' }: RecordedRun): Message {
  if (outcome === 'died') return RUNS.died();
  if (outcome === 'running') return kind === 'watch' ? RUNS.runningWatch() : RUNS.running();
  return RUNS[outcome]({ exit: String(exit ?? ''), error });
}
