/** How a recorded run is worded: its result with the exit code. */
import { type Message, type MessageMaker, verbatimText } from '../../i18n/message.ts';
import { EXIT_WORD, RUNS } from '../../i18n/messages/cli-views-messages.ts';
import type { RecordedRun } from '../queries/recorded-runs.ts';

/** "documents need people (3)", "failed: ledger/disk-full (5)", "running". */
export function runOutcome({ outcome, kind, exit, error = '' }: RecordedRun): Message {
  if (outcome === 'died') return RUNS.died();
  if (outcome === 'running') return kind === 'watch' ? RUNS.runningWatch() : RUNS.running();
  if (outcome === 'completed') return RUNS.completed({ words: exitWords(exit ?? 0), exit: String(exit ?? '') });
  return RUNS[outcome]({ exit: String(exit ?? ''), error });
}

/** The result for a table, in words alone: the number of the exit code is in --json and in `status`. */
export function runResult(run: RecordedRun): Message {
  return run.outcome === 'completed' ? exitWords(run.exit ?? 0) : runOutcome(run);
}

/** What an exit code means; a number that is none of ours is printed as it is. */
export function exitWords(code: number): Message {
  const words = EXIT_WORD as { readonly [code: string]: MessageMaker };
  return words[`code${code}`]?.() ?? verbatimText(String(code));
}
