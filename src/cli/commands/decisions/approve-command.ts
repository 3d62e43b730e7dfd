/**
 * `approve`: another person approves a decision that waits, and it is carried out at once, or by the run at work. With --refuse it is
 * not done; who asked for it withdraws it so. Exit code 3 if a document of it stays as it is.
 */

import type { Command } from 'commander';
import type { ActResult } from '../../../decisions/act-result.ts';
import { actsForApproval } from '../../../decisions/requests/submitted-acts.ts';
import { APPROVE } from '../../../i18n/messages/cli-decisions-messages.ts';
import { ACTS, APPROVAL } from '../../../i18n/messages/pipeline-messages.ts';
import { OperatorError } from '../../../model/fault.ts';
import { documentName } from '../../../model/ledger-entry.ts';
import { must } from '../../../model/must.ts';
import { stateInfo } from '../../../model/state.ts';
import { answerApproval } from '../../../runs/submit-act.ts';
import { escapeControls } from '../../../text/printable.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSession, type Session, stopOnSignals } from '../../session/command-session.ts';
import { openLog } from '../../session/log-file.ts';
import { accountKeys, type DecisionOptions, decisionOf } from '../../session/operator-decision.ts';

export const approveCommand: CommandModule = { run: approve };

type Options = DecisionOptions & { readonly refuse?: boolean };

async function approve(request: string, given: Options, command: Command): Promise<void> {
  const session = openSession(command);
  const { terminal, instance, language, say, options } = session;
  const { by, reason, at } = decisionOf(given);
  const { id } = await requestCalled(session, request);
  const as = given.refuse ? 'refused' : 'approved';
  using stopping = stopOnSignals(terminal, language);
  const answer = await answerApproval(
    instance,
    id,
    { as, by, keys: accountKeys(by), at, reason },
    { stop: stopping.signal, onEvent: openLog(instance), onLease: (says) => terminal.talk(`  ${say(says)}`) },
  );
  if ('result' in answer) return printResult(session, id, answer.result);
  if ('ended' in answer) {
    const { message } = answer.ended.localized(language);
    if (options.json) terminal.out(JSON.stringify({ request: id, code: answer.ended.code, says: message }, null, 2));
    else terminal.out(`  ${escapeControls(message)}`);
    return;
  }
  terminal.talk(`  ${say(ACTS.stays())}`);
  process.exitCode = must(stopping.exitCode(), 'the signal that ended the waiting');
}

/** By its id, or the begin of it. Throws `approval/not-waiting`, also where several begin so. */
async function requestCalled({ instance }: Session, name: string) {
  const acts = await actsForApproval(instance, new Date());
  const found = acts.filter(({ id }) => id === name || id.startsWith(name));
  const [first] = found;
  if (first && (found.length === 1 || first.id === name)) return first;
  throw new OperatorError('approval/not-waiting', APPROVAL.notWaiting(), { hint: APPROVAL.list() });
}

function printResult({ options, terminal, say }: Session, id: string, result: ActResult): void {
  const documents = 'documents' in result ? result.documents.map(documentLine) : [];
  if (options.json) terminal.out(JSON.stringify({ request: id, act: result.act, documents }, null, 2));
  else {
    terminal.out(`  ${say(APPROVE.done({ id: id.slice(0, 8) }))}`);
    for (const { number, was, is, done } of documents) {
      const words = { number, was: stateInfo(was).inSentence, is: stateInfo(is).inSentence };
      terminal.out(`    ${escapeControls(say(done ? APPROVE.became(words) : APPROVE.stays(words)))}`);
    }
  }
  process.exitCode = documents.every(({ done }) => done) ? 0 : 3;
}

type Results = Extract<ActResult, { readonly documents: unknown }>['documents'][number];

function documentLine(one: Results) {
  if (!('entry' in one)) {
    const { id, number, was, is, done } = one;
    return { id, number, was, is, done };
  }
  const { id, state: was } = one.entry;
  const becomes = 'state' in one && one.state !== 'unchanged' ? one.state : undefined;
  const done = becomes !== undefined || 'done' in one;
  return { id, number: documentName(one.entry), was, is: becomes ?? was, done };
}
