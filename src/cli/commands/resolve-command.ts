/** `resolve`: a person records the outcome that no answer told. */
import type { Command } from 'commander';
import { format, type Message } from '../../i18n/message.ts';
import { RESOLVE } from '../../i18n/messages/cli-decisions-messages.ts';
import { type State, stateInfo } from '../../model/state.ts';
import { resolveDocuments } from '../../pipeline/decide.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession } from '../session/command-session.ts';
import { selectDocuments, selectorOf } from '../session/document-selection.ts';
import { type DecisionOptions, decisionOf, proofOf, withInstanceLock } from '../session/operator-decision.ts';

/** What a person may record, and in which words the help says it. */
const OUTCOMES = {
  authorized: 'the service has authorized it',
  invalidated: 'the tax entity has invalidated it',
  rejected: 'the service has rejected it: correct it, same number',
  failed: 'the service has failed on it: its support is to be asked',
  contingency: 'the service has received it for contingency',
  returned: 'the service has returned it',
} as const satisfies { readonly [state in State]?: string };

type Options = DecisionOptions & { readonly as: keyof typeof OUTCOMES; readonly evidence?: string };

export const resolveCommand: CommandModule = {
  run: recordOutcome,
  values: { as: { choices: Object.keys(OUTCOMES), isRequired: true } },
};

async function recordOutcome(names: string[], given: Options, self: Command): Promise<void> {
  const session = openSession(self);
  const { options, terminal, instance } = session;
  const decision = { ...decisionOf(given), ...proofOf(given.evidence), as: given.as };
  await using ledger = await lookIntoLedgerOf(instance);
  const entries = await selectDocuments(ledger, selectorOf(names, {}), 'resolve');
  const ids = entries.map(({ id }) => id);
  const { refused } = await withInstanceLock(session, (work) => resolveDocuments(work, ids, decision));
  const told = entries.map(({ id, facts, name, state }) => {
    const done = !refused.includes(id);
    return { id, number: facts.identifier || name, was: state, is: done ? given.as : state, recorded: done };
  });
  if (options.json) terminal.out(JSON.stringify(told, null, 2));
  else {
    const { language } = instance.settings.rules;
    for (const one of told) terminal.out(`  ${escapeControls(format(lineOf(one), language))}`);
  }
  process.exitCode = refused.length > 0 ? 3 : 0;
}

type Told = { readonly number: string; readonly was: State; readonly is: State; readonly recorded: boolean };

function lineOf({ number, was, is, recorded }: Told): Message {
  if (!recorded) return RESOLVE.not({ number, state: stateInfo(was).inSentence });
  return RESOLVE.done({ number, was: stateInfo(was).inSentence, is: stateInfo(is).inSentence });
}
