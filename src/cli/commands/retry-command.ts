/**
 * `retry`, `release`, `reject`: a person decides that a document is sent, or that it is not; its bytes do not change.
 * Output: each document with the result; exit code 3 if the decision is not possible for one of them.
 */
import type { Command } from 'commander';
import type { Message } from '../../i18n/message.ts';
import {
  CONFIRMATION,
  DECISION_REFUSAL,
  DECISION_RESULT,
  NOTHING_CHANGED,
} from '../../i18n/messages/cli-decisions-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { isSetAside, type LedgerEntry, type Selector } from '../../model/ledger-entry.ts';
import { allows, type State, stateInfo } from '../../model/state.ts';
import { resolveDocuments } from '../../pipeline/decisions/decide.ts';
import { whyNotRepeated } from '../../pipeline/intake/resend-eligibility.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import { documentName } from '../output/reprocess-result.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession, type Session } from '../session/command-session.ts';
import { SELECTOR_VALUES, type SelectorOptions, selectDocuments, selectorOf } from '../session/document-selection.ts';
import { exitCodeIf } from '../session/exit-codes.ts';
import {
  confirmed,
  type DecisionOptions,
  decisionOf,
  proofOf,
  withInstanceLock,
} from '../session/operator-decision.ts';
import { rejectFile } from '../session/reject-file.ts';

type Options = DecisionOptions & SelectorOptions & { readonly yes?: boolean; readonly evidence?: string };

/** What differs between the three commands: `as` is the state that a document gets. */
type Decision = {
  readonly command: 'retry' | 'release' | 'reject';
  readonly as: State;
  /** The reason for which the decision is not possible; undefined if it is. */
  readonly whyNot: (instance: Instance, entry: LedgerEntry, hasEvidence: boolean) => Message | undefined;
};

const NOT_ALLOWED = { release: DECISION_REFUSAL.onlyHeld, reject: DECISION_REFUSAL.onlyHeldOrInvalid };

/** The check of release and reject: the state must allow the act. */
function held(act: keyof typeof NOT_ALLOWED) {
  return (_: Instance, entry: LedgerEntry) => {
    if (act === 'reject' && isSetAside(entry)) return DECISION_REFUSAL.alreadySetAside();
    return allows(entry.state, act) ? undefined : NOT_ALLOWED[act]();
  };
}

/** Sends the same content once more. */
export const retryCommand = commandOf({ command: 'retry', as: 'ready', whyNot: whyNotRepeated });
/** Lets held documents be sent. */
export const releaseCommand = commandOf({ command: 'release', as: 'ready', whyNot: held('release') });
/** Sets documents aside, or a refused file. */
export const rejectCommand = commandOf({ command: 'reject', as: 'invalid', whyNot: held('reject') });

function commandOf(decision: Decision): CommandModule {
  const run = (names: string[], given: Options, command: Command) => decide(decision, names, { ...given, command });
  return { run, values: SELECTOR_VALUES };
}

/** A selector never retries documents in doubt (`retry/in-doubt`): each of them needs a look at the portal first. */
async function decide(
  decision: Decision,
  names: readonly string[],
  { command, ...given }: Options & { readonly command: Command },
): Promise<void> {
  const session = openSession(command);
  const { terminal, language, say } = session;
  const recorded = { ...decisionOf(given), ...proofOf(given.evidence), as: decision.as };
  const selector = selectorOf(names, given);
  if (decision.command === 'retry' && !selector.ids && selector.states?.includes('in-doubt')) throw inDoubt();
  if (decision.command === 'reject' && (await rejectFile(session, names, { ...given, ...recorded }))) return;
  const judged = await judge(session, { decision, selector, hasEvidence: given.evidence !== undefined });
  const ids = judged.filter(({ why }) => why === undefined).map(({ id }) => id);
  if (given.dryRun || ids.length === 0) return show(session, decision, { dryRun: given.dryRun === true, judged });
  const question = CONFIRMATION[decision.command];
  if (!(await confirmed(selector, ids.length, { ...given, question, language }))) {
    return terminal.talk(say(NOTHING_CHANGED.plain()));
  }
  const { refused } = await withInstanceLock(session, (work) => resolveDocuments(work, ids, recorded));
  const why = say(DECISION_REFUSAL.changedMeanwhile());
  show(session, decision, {
    dryRun: false,
    judged: judged.map((one) => (refused.includes(one.id) ? { ...one, why } : one)),
  });
}

/** One document with the reason for which the decision is not possible; `why` is absent if it is. */
type Judged = { readonly id: string; readonly number: string; readonly was: State; readonly why?: string };

/** Checks without the lock; a document that changes until the decision is recorded is refused then. */
async function judge(
  { instance, say }: Session,
  asked: { readonly decision: Decision; readonly selector: Selector; readonly hasEvidence: boolean },
): Promise<readonly Judged[]> {
  const { decision, selector, hasEvidence } = asked;
  await using ledger = await lookIntoLedgerOf(instance);
  return (await selectDocuments(ledger, selector, decision.command)).map((entry) => {
    const { id, state: was } = entry;
    const why = decision.whyNot(instance, entry, hasEvidence);
    return definedOnly({ id, number: documentName(entry), was, why: why && say(why) });
  });
}

function show(
  { options, terminal, say }: Session,
  { command }: Decision,
  { dryRun, judged }: { readonly dryRun: boolean; readonly judged: readonly Judged[] },
): void {
  const results = DECISION_RESULT[command];
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

/** Sending such a document again without evidence could issue it twice. */
function inDoubt(): OperatorError {
  return new OperatorError('retry/in-doubt', DECISION_REFUSAL.inDoubt(), { hint: DECISION_REFUSAL.resolveEach() });
}
