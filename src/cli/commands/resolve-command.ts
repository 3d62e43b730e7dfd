/**
 * `resolve`: a person records an outcome that no answer gave, such as one seen in the portal of the service. Output:
 * each document with its state; exit code 3 if the state of one does not allow it.
 */
import type { Command } from 'commander';
import { format, type Message } from '../../i18n/message.ts';
import { RESOLVE } from '../../i18n/messages/cli-decisions-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type State, stateInfo } from '../../model/state.ts';
import { RESOLVED_AS, seenDocument } from '../../pipeline/decisions/act.ts';
import { whyNotDecided } from '../../pipeline/decisions/judge-decision.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { selectDocuments } from '../../pipeline/queries/select-documents.ts';
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
  const entries = await selectDocuments(ledger, selectorOf(names, {}, session.locale.zone), 'resolve');
  const asked = { act: 'resolve', as: given.as, hasEvidence: given.evidence !== undefined } as const;
  const unproven = new Map(entries.map((entry) => [entry.id, whyNotDecided(instance, entry, asked)]));
  const documents = entries.flatMap((entry) => (unproven.get(entry.id) ? [] : [seenDocument(entry)]));
  const act = definedOnly({ act: 'resolve' as const, documents, as: given.as, evidence });
  const result = documents.length === 0 ? NOTHING : await submitDecision(session, act, decision);
  if (!result) return;
  const recorded = new Set(result.documents.filter(({ done }) => done).map(({ id }) => id));
  const results = entries.map(({ id, facts, name, state }) => {
    const done = recorded.has(id);
    const why = unproven.get(id);
    const about = { id, number: facts.identifier || name, was: state, is: done ? given.as : state, recorded: done };
    return definedOnly({ ...about, why: why && session.say(why) });
  });
  if (options.json) terminal.out(JSON.stringify(results, null, 2));
  else {
    const { language } = instance.settings.rules;
    for (const one of results) terminal.out(`  ${escapeControls(format(lineOf(one), language))}`);
    for (const { facts, name, notFound } of entries) {
      // A wrong "authorized" is a document with legal effect that no one issued.
      if (given.as !== 'authorized' || !notFound) continue;
      terminal.out(
        `  ${format(RESOLVE.notFound({ number: facts.identifier || name, times: notFound.times }), language)}`,
      );
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
