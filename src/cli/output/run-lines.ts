/** How a recorded run is worded: its start on the clock of this machine, and its result with the exit code. */
import type { Message } from '../../i18n/message.ts';
import { RUNS } from '../../i18n/messages/cli-views-messages.ts';
import type { RecordedRun } from '../../pipeline/queries/recorded-runs.ts';
import { localTime } from './expected-export-lines.ts';

/** 2026-11-21 01:30. */
export function startText({ startedAt }: Pick<RecordedRun, 'startedAt'>): string {
  return localTime(startedAt);
}

/** "completed (3)", "failed: ledger/disk-full (5)", "running". */
export function runOutcome({ outcome, kind, exit, error = '' }: RecordedRun): Message {
  if (outcome === 'died') return RUNS.died();
  if (outcome === 'running') return kind === 'watch' ? RUNS.runningWatch() : RUNS.running();
  return RUNS[outcome]({ exit: String(exit ?? ''), error });
}
