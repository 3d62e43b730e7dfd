/**
 * `resolve`: a person records an outcome that no answer gave, such as one seen in the portal of the service. Output:
 * each document with its state; exit code 3 if the state of one does not allow it.
 */

import type { Command } from 'commander';
import { RESOLVED_AS } from '../../decisions/act.ts';
import { documentsAsked, proposeAct } from '../../decisions/propose-act.ts';
import { format, type Message } from '../../i18n/message.ts';
import { RESOLVE } from '../../i18n/messages/cli-decisions-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { documentName } from '../../model/ledger-entry.ts';
import { type State, stateInfo } from '../../model/state.ts';
import { lookIntoLedgerOf, systemClock } from '../../runs/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession } from '../session/command-session.ts';
import { selectorOf } from '../session/document-selection.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import { type DecisionOptions, decisionOf, proofOf, submitDecision } from '../session/operator-decision.ts';

type Options = DecisionOptions & { readonly as: (typeof RESOLVED_AS)[number]; readonly evidence?: string };

export const resolveCommand: CommandModule = {
  run: recordOutcome,
  values: { as: { choices: RESOLVED_AS, isRequired: true } },
};

/** The result for no document. */
const NOTHING = { documents: [] };

/** The hash of the evidence file is recorded, the file itself is not copied. */
async function recordOutcome(names: string[], given: Options, self: Command): Promise<void> {
  const session = openSession(self);
  const { options, terminal, instance } = session;
  const decision = decisionOf(given);
  const evidence = proofOf(given.evidence);
  await using ledger = await lookIntoLedgerOf(instance);
  const entries = await documentsAsked(ledger.queries, selectorOf(names, {}, session.locale.zone), 'resolve');
  const asked = definedOnly({ act: 'resolve' as const, as: given.as, evidence });
  const context = { instance, ledger, clock: systemClock };
  const { act, leftOut } = await proposeAct(context, entries, asked, { foresees: false, at: decision.at });
  const result = act ? await submitDecision(session, act, decision) : NOTHING;
  if (!result) return;
  const recorded = new Set(result.documents.filter(({ done }) => done).map(({ id }) => id));
  const unproven = new Map(leftOut.map(({ entry, why }) => [entry.id, why]));
  const results = entries.map((entry) => {
    const { id, state } = entry;
    const done = recorded.has(id);
    const why = unproven.get(id);
    const about = { id, number: documentName(entry), was: state, is: done ? given.as : state, recorded: done };
    return definedOnly({ ...about, why: why && session.say(why) });
  });
  if (options.json) terminal.out(JSON.stringify(results, null, 2));
  else {
    const { language } = instance.settings.rules;
    for (const one of results) terminal.out(`  ${escapeControls(format(lineOf(one), language))}`);
    for (const entry of entries) {
      const { notFound } = entry;
      // A wrong "authorized" is a document with legal effect that no one issued.
      if (given.as !== 'authorized' || !notFound) continue;
      const number = documentName(entry);
      terminal.out(`  ${format(RESOLVE.notFound({ number, times: notFound.times }), language)}`);
    }
  }
  process.exitCode = exitCodeIf(
    results.some(({ recorded }) => !recorded),
    3,
  );
}

/** The result for one document: `is` equals `was` if nothing was recorded. */
type Recorded = {
  readonly number: string;
  readonly was: State;
  readonly is: State;
  readonly recorded: boolean;
  readonly why?: string;
};

function lineOf({ number, was, is, recorded, why }: Recorded): Message {
  if (why !== undefined) return RESOLVE.notProven({ number, why });
  if (!recorded) return RESOLVE.not({ number, state: stateInfo(was).inSentence });
  return RESOLVE.done({ number, was: stateInfo(was).inSentence, is: stateInfo(is).inSentence });
}
