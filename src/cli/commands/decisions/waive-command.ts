/**
 * `waive`: a person decides that an expected export does not come on one day, such as a holiday. Output: the hour for
 * which it is no longer expected; exit code 3 if there is nothing to
 * waive: it arrived, is waived already, or the hour is before the latest one or the first run.
 */
import type { Command } from 'commander';
import { dueOnDay, unknownExport } from '../../../decisions/waive-export.ts';
import type { Message } from '../../../i18n/message.ts';
import { WAIVE } from '../../../i18n/messages/cli-decisions-messages.ts';
import { OperatorError } from '../../../model/fault.ts';
import { expectedExports } from '../../../pipeline/intake/expected-exports.ts';
import { lookIntoLedgerOf } from '../../../runs/open-run.ts';
import { escapeControls } from '../../../text/printable.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSession, type Session } from '../../session/command-session.ts';
import { readDay } from '../../session/document-selection.ts';
import { type DecisionOptions, decisionOf, submitDecision } from '../../session/operator-decision.ts';

export const waiveCommand: CommandModule = { run: waive, values: { day: { read: readDay } } };

type Options = DecisionOptions & { readonly day?: string };

async function waive(name: string, given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  const decision = decisionOf(given);
  const rule = session.instance.settings.expect.find((one) => one.name === name);
  if (!rule) throw unknownExport(session, name);
  const now = await stateOf(session, name);
  const due = given.day === undefined ? now.due : dueOnDay(rule, given.day, session.locale.zone);
  if (due === undefined) {
    throw new OperatorError('waive/not-due', WAIVE.noDay({ name, day: given.day ?? '' }), { hint: WAIVE.nextDays() });
  }
  const past = due < now.due ? WAIVE.past : undefined;
  const why = due === now.due ? NOT_MISSING[now.state] : past;
  const shown = session.time(due);
  const print = (message: Message, waived: boolean) => {
    const data = { export: name, due, waived, dryRun: given.dryRun === true };
    if (session.options.json) session.terminal.out(JSON.stringify(data, null, 2));
    else session.terminal.out(`  ${escapeControls(session.say(message))}`);
    process.exitCode = why ? 3 : 0;
  };
  if (why) return print(why({ name, due: shown, latest: session.time(now.due) }), false);
  if (given.dryRun) return print(WAIVE.would({ name, due: shown }), false);
  if (await submitDecision(session, { act: 'waive', export: name, due }, decision))
    print(WAIVE.done({ name, due: shown }), true);
}

/** States in which nothing is left to waive. */
const NOT_MISSING = {
  arrived: WAIVE.arrived,
  waived: WAIVE.already,
  missing: undefined,
  refused: undefined,
  duplicate: undefined,
  'not-due': WAIVE.notDue,
};

async function stateOf({ instance }: Session, name: string) {
  await using ledger = await lookIntoLedgerOf(instance);
  const found = (await expectedExports({ instance, ledger }, new Date())).find((one) => one.name === name);
  if (!found) throw new Error(`the settings expect ${name}, but nothing was calculated for it`);
  return found;
}
