/** `retry`, `release`, `reject`: a person decides that a document goes out, or that it does not. Its bytes stay as they are. */
import type { Command } from 'commander';
import { format, type Message } from '../../i18n/message.ts';
import {
  CONFIRMATION,
  DECISION_REFUSAL,
  DECISION_RESULT,
  NOTHING_CHANGED,
} from '../../i18n/messages/cli-decisions-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { OperatorError } from '../../model/fault.ts';
import { isDismissed, type LedgerEntry } from '../../model/ledger-entry.ts';
import { type Act, type State, stateInfo } from '../../model/state.ts';
import { resolveDocuments } from '../../pipeline/decide.ts';
import { whyNotRepeated } from '../../pipeline/intake/resend-eligibility.ts';
import { lookIntoLedgerOf } from '../../pipeline/open-run.ts';
import { escapeControls } from '../../text/printable.ts';
import type { CommandModule } from '../session/command-module.ts';
import { openSession } from '../session/command-session.ts';
import { SELECTOR_VALUES, type SelectorOptions, selectDocuments, selectorOf } from '../session/document-selection.ts';
import {
  confirmed,
  type DecisionOptions,
  decisionOf,
  proofOf,
  withInstanceLock,
} from '../session/operator-decision.ts';
import { rejectFile } from '../session/reject-file.ts';

type Options = DecisionOptions & SelectorOptions & { readonly yes?: boolean; readonly evidence?: string };

type Decision = {
  readonly command: 'retry' | 'release' | 'reject';
  readonly as: State;
  /** Undefined: the state allows it. */
  readonly whyNot: (instance: Instance, entry: LedgerEntry, hasEvidence: boolean) => Message | undefined;
};

function held(act: Act) {
  return (_: Instance, entry: LedgerEntry) => {
    if (act === 'reject' && isDismissed(entry)) return DECISION_REFUSAL.alreadyDismissed();
    if ((stateInfo(entry.state).acts as readonly Act[]).includes(act)) return undefined;
    return act === 'release' ? DECISION_REFUSAL.onlyHeld() : DECISION_REFUSAL.onlyHeldOrInvalid();
  };
}

export const retryCommand = commandOf({ command: 'retry', as: 'ready', whyNot: whyNotRepeated });
export const releaseCommand = commandOf({ command: 'release', as: 'ready', whyNot: held('release') });
export const rejectCommand = commandOf({ command: 'reject', as: 'invalid', whyNot: held('reject') });

function commandOf(decision: Decision): CommandModule {
  const run = (names: string[], given: Options, command: Command) => decide(decision, names, { ...given, command });
  return { run, values: SELECTOR_VALUES };
}

async function decide(
  way: Decision,
  names: readonly string[],
  { command, ...given }: Options & { readonly command: Command },
): Promise<void> {
  const session = openSession(command);
  const { instance, options, terminal } = session;
  const { language } = instance.settings.rules;
  const say = (phrase: Message) => format(phrase, language);
  const decision = { ...decisionOf(given), ...proofOf(given.evidence), as: way.as };
  const selector = selectorOf(names, given);
  if (way.command === 'retry' && !selector.ids && selector.states?.includes('in-doubt')) throw inDoubt();
  if (way.command === 'reject' && (await rejectFile(session, names, { ...given, ...decision }))) return;
  const judged = async (): Promise<Told[]> => {
    await using ledger = await lookIntoLedgerOf(instance);
    return (await selectDocuments(ledger, selector, way.command)).map((entry) => {
      const why = way.whyNot(instance, entry, given.evidence !== undefined);
      const { id, facts, name, state } = entry;
      return definedOnly({
        id,
        number: facts.identifier || name,
        was: state,
        why: why === undefined ? undefined : say(why),
      });
    });
  };
  let told = await judged();
  const possible = told.filter(({ why }) => why === undefined);
  if (!given.dryRun && possible.length > 0) {
    const question = CONFIRMATION[way.command];
    if (!(await confirmed(selector, possible.length, { ...given, question, language })))
      return terminal.talk(say(NOTHING_CHANGED.plain()));
    const ids = possible.map(({ id }) => id);
    const { refused } = await withInstanceLock(session, (work) => resolveDocuments(work, ids, decision));
    told = told.map((one) =>
      refused.includes(one.id) ? { ...one, why: say(DECISION_REFUSAL.changedMeanwhile()) } : one,
    );
  }
  const dryRun = given.dryRun === true;
  if (options.json) terminal.out(JSON.stringify({ dryRun, documents: told }, null, 2));
  else for (const one of told) terminal.out(`  ${escapeControls(say(lineOf(one, way, dryRun)))}`);
  if (told.length === 0 && !options.quiet) terminal.talk(`  ${say(NOTHING_CHANGED.noneSelected())}`);
  if (dryRun && !options.quiet) terminal.talk(`  ${say(NOTHING_CHANGED.dryRun())}`);
  process.exitCode = told.some(({ why }) => why !== undefined) ? 3 : 0;
}

type Told = { readonly id: string; readonly number: string; readonly was: State; readonly why?: string };

function lineOf({ number, was, why }: Told, { command }: Decision, dryRun: boolean): Message {
  const says = DECISION_RESULT[command];
  const state = stateInfo(was).inSentence;
  if (why !== undefined) return says.not({ number, state, why });
  return (dryRun ? says.would : says.done)({ number, state });
}

function inDoubt(): OperatorError {
  return new OperatorError('retry/in-doubt', DECISION_REFUSAL.inDoubt(), { hint: DECISION_REFUSAL.resolveEach() });
}
