/**
 * `retry`, `release`, `set-aside`, `acknowledge`: a person decides about documents; their bytes do not change.
 * Output: each document with the result; exit code 3 if the decision is not possible for one of them.
 */

import type { Command } from 'commander';
import type { DecidingAct } from '../../../decisions/acts.ts';
import { documentsAsked, proposeAct } from '../../../decisions/propose-act.ts';
import {
  CONFIRMATION,
  DECISION_REFUSAL,
  DECISION_RESULT,
  NOTHING_CHANGED,
} from '../../../i18n/messages/cli-decisions-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { documentName } from '../../../model/ledger-entry.ts';
import { type State, stateInfo } from '../../../model/state.ts';
import { lookIntoLedgerOf, systemClock } from '../../../runs/open-run.ts';
import { escapeControls } from '../../../text/printable.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSession, type Session } from '../../session/command-session.ts';
import { SELECTOR_VALUES, type SelectorOptions, selectorOf } from '../../session/document-selection.ts';
import { exitCodeIf } from '../../session/exit-codes.ts';
import {
  confirmed,
  type DecisionOptions,
  decisionOf,
  proofOf,
  submitDecision,
} from '../../session/operator-decision.ts';
import { rejectFile } from '../../session/reject-file.ts';

type Options = DecisionOptions & SelectorOptions & { readonly yes?: boolean; readonly evidence?: string };

/** Acts that have a command each and differ in their words alone. */
type DecisionName = Exclude<DecidingAct, 'resolve'>;

/** Sends the same content once more. */
export const retryCommand = commandOf('retry');
/** Lets held documents be sent. */
export const releaseCommand = commandOf('release');
/** Sets documents aside, or a refused file. */
export const setAsideCommand = commandOf('set-aside');
/** Takes note of an outcome that no one can change. */
export const acknowledgeCommand = commandOf('acknowledge');

function commandOf(act: DecisionName): CommandModule {
  const run = (names: string[], given: Options, command: Command) => decide(act, names, { ...given, command });
  return { run, values: SELECTOR_VALUES };
}

/** A selector never retries documents in doubt (`retry/in-doubt`): each of them needs a look at the portal first. */
async function decide(
  act: DecisionName,
  names: readonly string[],
  { command, ...given }: Options & { readonly command: Command },
): Promise<void> {
  const session = openSession(command);
  const { terminal, language, say, instance } = session;
  const recorded = decisionOf(given);
  const evidence = proofOf(given.evidence);
  const selector = selectorOf(names, given, session.locale.zone);
  if (act === 'set-aside' && (await rejectFile(session, names, { ...given, ...recorded }))) return;
  const asked = definedOnly({ act, evidence });
  await using ledger = await lookIntoLedgerOf(instance);
  const entries = await documentsAsked(ledger.queries, selector, act);
  const context = { instance, ledger, clock: systemClock };
  const proposed = await proposeAct(context, entries, asked, { foresees: false, at: recorded.at });
  const whyNot = new Map(proposed.leftOut.map(({ entry, why }) => [entry.id, say(why)]));
  const judged = entries.map((entry): Judged => {
    const { id, state: was } = entry;
    return definedOnly({ id, number: documentName(entry), was, why: whyNot.get(id) });
  });
  if (given.dryRun || !proposed.act) return show(session, act, { dryRun: given.dryRun === true, judged });
  const question = CONFIRMATION[act];
  if (!(await confirmed(selector, proposed.documents.length, { ...given, question, language }))) {
    return terminal.talk(say(NOTHING_CHANGED.plain()));
  }
  const result = await submitDecision(session, proposed.act, recorded);
  if (!result) return;
  const results = new Map(result.documents.map((one) => [one.id, one]));
  const after = (one: Judged): Judged => {
    const { done = true, is } = results.get(one.id) ?? {};
    if (!done) return { ...one, why: say(DECISION_REFUSAL.changedMeanwhile()) };
    return is === 'held' ? { ...one, was: is, why: say(DECISION_REFUSAL.heldAgain()) } : one;
  };
  show(session, act, { dryRun: false, judged: judged.map(after) });
}

/** One document with the reason for which the decision is not possible; `why` is absent if it is. */
type Judged = { readonly id: string; readonly number: string; readonly was: State; readonly why?: string };

function show(
  { options, terminal, say }: Session,
  act: DecisionName,
  { dryRun, judged }: { readonly dryRun: boolean; readonly judged: readonly Judged[] },
): void {
  const results = DECISION_RESULT[act];
  const done = dryRun ? results.would : results.done;
  if (options.json) terminal.out(JSON.stringify({ dryRun, documents: judged }, null, 2));
  else {
    for (const { number, was, why } of judged) {
      const state = stateInfo(was).inSentence;
      const result = why === undefined ? done({ number, state }) : results.not({ number, state, why });
      terminal.out(`  ${escapeControls(say(result))}`);
    }
  }
  if (judged.length === 0) terminal.talk(`  ${say(NOTHING_CHANGED.noneSelected())}`);
  if (dryRun) terminal.talk(`  ${say(NOTHING_CHANGED.dryRun())}`);
  process.exitCode = exitCodeIf(
    judged.some(({ why }) => why !== undefined),
    3,
  );
}
