/**
 * What commands share that record a decision of a person: reason, name, evidence, confirmation, lock. Options come in,
 * a decision comes out; a missing reason or confirmation throws OperatorError `decide/*` or `select/many-documents`.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { ActName, ActOf } from '../../decisions/act.ts';
import type { ResultOf } from '../../decisions/act-result.ts';
import type { PersonDecision } from '../../decisions/carry-out.ts';
import type { ActForApproval } from '../../decisions/requests/submitted-acts.ts';
import { format, type Language, type Message, type MessageMaker } from '../../i18n/message.ts';
import { APPROVE, DECISION } from '../../i18n/messages/cli-decisions-messages.ts';
import { LIVE } from '../../i18n/messages/cli-session-messages.ts';
import { ACTS } from '../../i18n/messages/pipeline-messages.ts';
import type { PersonKeys } from '../../ledger/contract/approval.ts';
import { accountName } from '../../model/account-name.ts';
import { OperatorError } from '../../model/fault.ts';
import type { Selector } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { RunContext } from '../../pipeline/context/run-context.ts';
import { afterActs, type OnWait, openLedgerOf, openRun, type WorkOptions } from '../../runs/open-run.ts';
import { submitAct } from '../../runs/submit-act.ts';
import { escapeControls } from '../../text/printable.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { whyApproval } from '../../views/wording/approval-words.ts';
import { type Session, stopOnSignals } from './command-session.ts';
import { isWide } from './document-selection.ts';
import { withLiveLine } from './live-work.ts';
import { openLog } from './log-file.ts';
import { refusePrintedReason } from './printed-placeholders.ts';

/** The options of a decision, as commander gives them. */
export type DecisionOptions = { readonly reason?: string; readonly by?: string; readonly dryRun?: boolean };

/**
 * Throws `decide/no-reason` for a blank reason, a blank name or a printed placeholder, except with --dry-run. The
 * default name is that of the account.
 */
export function decisionOf({ reason = '', by, dryRun }: DecisionOptions): PersonDecision {
  if (!dryRun && (reason.trim() === '' || by?.trim() === '')) {
    throw new OperatorError('decide/no-reason', DECISION.noReason(), { hint: DECISION.writeReason() });
  }
  if (!dryRun) refusePrintedReason(reason);
  return { by: by ?? accountName(), reason, at: new Date().toISOString() };
}

/**
 * Name and SHA-256 (hex) of the evidence file, which is not copied; undefined without one. Throws
 * `decide/no-such-evidence`.
 */
export function proofOf(evidence: string | undefined): { file: string; sha256: string } | undefined {
  if (evidence === undefined) return undefined;
  try {
    return { file: basename(evidence), sha256: sha256Hex(readFileSync(evidence)) };
  } catch (cause) {
    throw new OperatorError('decide/no-such-evidence', DECISION.noEvidence({ path: evidence }), {
      cause,
      hint: DECISION.checkPath(),
    });
  }
}

type Question = {
  readonly yes?: boolean;
  readonly question: MessageMaker<'count'>;
  readonly language: Language;
};

/** "Yes" of all three languages, in any language: a person who types "y" by habit means it. */
const YES = /^(?:y(?:es)?|o(?:ui)?|s(?:í|i)?)$/i;

/**
 * Resolves to false if a person declines. Asks only for a wide selection (`isWide`) and only on a terminal; elsewhere
 * it throws `select/many-documents`, unless --yes is given.
 */
export async function confirmed(
  selector: Selector,
  count: number,
  { yes, question, language }: Question,
): Promise<boolean> {
  if (yes || count === 0 || !isWide(selector, count)) return true;
  if (process.stdin.isTTY && process.stderr.isTTY) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const say = (phrase: Message) => format(phrase, language);
    const answer = await lines.question(`${say(question({ count }))} ${say(DECISION.answer())} `);
    lines.close();
    return YES.test(answer.trim());
  }
  throw new OperatorError('select/many-documents', DECISION.manyDocuments({ count }), {
    hint: DECISION.confirmWithYes(),
  });
}

type Submitting = {
  /** Gets the events if this process carries the act out; by default the log, and a live line with the documents. */
  readonly onEvent?: WorkOptions['onEvent'];
};

/**
 * The result of the act, by whichever process carried it out: this one, or the run at work. Undefined if it waits for approval
 * (exit code 3), or if a signal ended the waiting: the request stays, and the exit code is that of the signal. Throws the OperatorError of a refused act.
 */
export async function submitDecision<Name extends ActName>(
  session: Session,
  act: ActOf<Name>,
  { by, reason, at }: PersonDecision,
  { onEvent }: Submitting = {},
): Promise<ResultOf<Name> | undefined> {
  const { instance, terminal, say, language } = session;
  using stopping = stopOnSignals(terminal, language);
  const request = { id: randomUUID(), act, decision: { by, reason, at }, keys: accountKeys(by) };
  const onWait = (holder: Message) => terminal.talk(`  ${say(ACTS.waits({ holder }))}`);
  const onLease = (says: Message) => terminal.talk(`  ${say(says)}`);
  const submit = async (onEvent: OnEvent) =>
    await submitAct(instance, request, { stop: stopping.signal, onEvent, onWait, onLease });
  const answer = onEvent ? await submit(onEvent) : await withCount(session, submit);
  if ('result' in answer) return answer.result;
  if ('approval' in answer) {
    printApproval(session, answer.approval);
    return undefined;
  }
  terminal.talk(`  ${say(ACTS.stays())}`);
  process.exitCode = must(stopping.exitCode(), 'the signal that ended the waiting');
  return undefined;
}

/** The account counts next to the name that was given: another name does not make another person. */
export function accountKeys(by: string): PersonKeys {
  return { names: [accountName(), by] };
}

/** The act is accepted, and not carried out: a person has to act. */
function printApproval({ options, terminal, say, time }: Session, { id, expires, about }: ActForApproval): void {
  if (options.json) {
    terminal.out(JSON.stringify({ request: id, waits: 'approval', expires, waitsFor: about }, null, 2));
  } else {
    terminal.out(`  ${escapeControls(say(APPROVE.waits({ id, expires: time(expires) })))}`);
    for (const one of about) terminal.out(`  ${escapeControls(say(whyApproval(one)))}`);
    terminal.out(`  ${say(APPROVE.whatToDo({ id: id.slice(0, 8) }))}`);
  }
  process.exitCode = 3;
}

/** What `take` returns once no other act holds the lock that it takes, and prints who holds it; throws `ledger/locked` for a run. */
export async function afterOtherActs<T>(
  { terminal, say }: Session,
  take: (onWait: OnWait) => T | Promise<T>,
): Promise<T> {
  return await afterActs(take, (holder) => terminal.talk(`  ${say(holder)}`));
}

/**
 * Runs `act` with the lock of the instance and with signals handled, and shows on a terminal how many documents are
 * done; waits for another act, throws `ledger/locked` while a run works.
 */
export async function withInstanceLock<T>(session: Session, act: (context: RunContext) => Promise<T>): Promise<T> {
  const { instance, terminal } = session;
  await using ledger = await afterOtherActs(session, (onWait) => openLedgerOf(instance, 'act', { onWait }));
  using stopping = stopOnSignals(terminal, instance.settings.rules.language);
  return await withCount(session, async (onEvent) => {
    await using context = await openRun(instance, ledger, { stop: stopping.signal, onEvent });
    return await act(context);
  });
}

type OnEvent = NonNullable<WorkOptions['onEvent']>;

/** Work of which the events are logged and the documents counted on the live line. */
async function withCount<T>(session: Session, work: (onEvent: OnEvent) => Promise<T>): Promise<T> {
  const log = openLog(session.instance);
  let done = 0;
  return await withLiveLine(session, LIVE.recording(), async (step) => {
    return await work((event, run) => {
      log(event, run);
      if (event.what === 'document') step(++done);
    });
  });
}
