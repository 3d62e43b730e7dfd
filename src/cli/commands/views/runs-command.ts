/** `runs`: the runs of the instance, the latest first: when, how each ended, what it did. Reads only; exit code 0. */
import type { Command } from 'commander';
import { RUNS, RUNS_TABLE } from '../../../i18n/messages/cli-views-messages.ts';
import { lookIntoLedgerOf } from '../../../runs/open-run.ts';
import { durationBetween } from '../../../text/duration-text.ts';
import { recordedRuns } from '../../../views/queries/recorded-runs.ts';
import { amountTexts } from '../../../views/wording/amount-texts.ts';
import { runResult } from '../../../views/wording/run-lines.ts';
import { type Column, table } from '../../layout/layout.ts';
import { type CommandModule, readWholeNumber } from '../../session/command-module.ts';
import { openSessionToLook } from '../../session/command-session.ts';

const DEFAULT_LAST = 20;
const NO_BREAK = '\u00a0';
/** Columns of a screen with room for the start, which the id of a run begins with too. */
const WITH_START = 100;

export const runsCommand: CommandModule = {
  run: showRuns,
  values: { last: { read: readWholeNumber(1), default: DEFAULT_LAST } },
};

async function showRuns({ last }: { readonly last: number }, command: Command): Promise<void> {
  const { instance, options, terminal, say, language, time } = openSessionToLook(command);
  await using ledger = await lookIntoLedgerOf(instance);
  const runs = await recordedRuns({ instance, ledger }, last);
  if (options.json) return terminal.out(JSON.stringify(runs, null, 2));
  if (runs.length === 0) return terminal.out(`  ${say(RUNS.none())}`);
  const hasStart = terminal.width >= WITH_START;
  const start: Column = { title: say(RUNS_TABLE.start()), fit: 'whole' };
  const columns: readonly Column[] = [
    { title: say(RUNS_TABLE.run()), fit: 'whole' },
    ...(hasStart ? [start] : []),
    { title: say(RUNS_TABLE.duration()), align: 'right', fit: 'whole' },
    { title: say(RUNS_TABLE.outcome()), fit: 'wrap' },
    { title: say(RUNS_TABLE.files()), align: 'right', fit: 'whole' },
    { title: say(RUNS_TABLE.documents()), align: 'right', fit: 'whole' },
    { title: say(RUNS_TABLE.authorized()), align: 'right', fit: 'wrap' },
  ];
  const rows = runs.map((run) => {
    const { totals } = run;
    const documents = totals && Object.values(totals.documents).reduce((sum, count) => sum + count, 0);
    return [
      run.id,
      ...(hasStart ? [time(run.startedAt)] : []),
      durationBetween(run.startedAt, run.endedAt),
      say(runResult(run)),
      String(totals?.files ?? ''),
      String(documents ?? ''),
      // An amount keeps its currency where the cell is wrapped.
      totals
        ? amountTexts(totals.authorized, language)
            .join(', ')
            .replaceAll(/ (?=[A-Z]{3}\b)/g, NO_BREAK)
        : '',
    ];
  });
  terminal.out(table(columns, rows, terminal.width));
}
