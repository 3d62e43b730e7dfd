/**
 * `undo`: a person takes back the last decision about a document, a file or an expected export, as long as nothing was
 * sent since. Output: what it is again; exit code 3 if it is too late or there is nothing to undo.
 */
import type { Command } from 'commander';
import { seenDocument } from '../../../decisions/act.ts';
import type { ResultOf } from '../../../decisions/act-result.ts';
import type { PersonDecision } from '../../../decisions/carry-out.ts';
import type { Message } from '../../../i18n/message.ts';
import { UNDO } from '../../../i18n/messages/cli-decisions-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { OperatorError } from '../../../model/fault.ts';
import { documentName, type LedgerEntry, type SourceFile, stateInWords } from '../../../model/ledger-entry.ts';
import { lookIntoLedgerOf } from '../../../runs/open-run.ts';
import { escapeControls } from '../../../text/printable.ts';
import { refusedFiles } from '../../../views/queries/refused-files.ts';
import { selectDocuments } from '../../../views/queries/select-documents.ts';
import type { CommandModule } from '../../session/command-module.ts';
import { openSession, type Session } from '../../session/command-session.ts';
import { fileCalled } from '../../session/document-selection.ts';
import { type DecisionOptions, decisionOf, submitDecision } from '../../session/operator-decision.ts';

export const undoCommand: CommandModule = { run: undo };

async function undo(name: string, given: DecisionOptions, command: Command): Promise<void> {
  const session = openSession(command);
  const decision = decisionOf(given);
  const print = ({ done, message, ...data }: Printed) => {
    if (session.options.json) session.terminal.out(JSON.stringify({ name, undone: done, ...data }, null, 2));
    else session.terminal.out(`  ${escapeControls(session.say(message))}`);
    process.exitCode = done ? 0 : 3;
  };
  if (await undoOther(session, name, decision, print)) return;
  const entry = await documentNamed(session, name);
  const result = await submitDecision(session, { act: 'undo', document: seenDocument(entry) }, decision);
  if (result) print(printedOf(entry, result, await documentNamed(session, entry.id)));
}

type Printed = { readonly done: boolean; readonly message: Message } & { readonly [key: string]: unknown };

/** An expected export or a file that is set aside; false if the name is of neither. */
async function undoOther(
  session: Session,
  name: string,
  decision: PersonDecision,
  print: (printed: Printed) => void,
): Promise<boolean> {
  const { instance } = session;
  if (instance.settings.expect.some((one) => one.name === name)) {
    const result = await submitDecision(session, { act: 'undo-export', export: name }, decision);
    if (!result) return true;
    const { due } = result;
    if (due === undefined) print({ done: false, message: UNDO.not({ number: name, why: UNDO.nothing() }) });
    else print({ done: true, due, message: UNDO.exportDone({ name, due: session.time(due) }) });
    return true;
  }
  const file = await fileSetAside(session, name);
  if (!file) return false;
  if (!(await submitDecision(session, { act: 'undo-file', file: file.id }, decision))) return true;
  const listed = await listedFor(session, file);
  print({ done: true, file: file.name, listed: listed?.name ?? null, message: listedText(file, listed) });
  return true;
}

/** The refused file that is listed now: this one, another one with the same content, or none if a later one replaced it. */
async function listedFor({ instance }: Session, { id, sha256 }: SourceFile): Promise<SourceFile | undefined> {
  await using ledger = await lookIntoLedgerOf(instance);
  const open = await refusedFiles(ledger.queries);
  return open.find((file) => file.id === id) ?? open.find((file) => file.sha256 === sha256);
}

function listedText({ id, name }: SourceFile, listed: SourceFile | undefined): Message {
  if (!listed) return UNDO.fileReplaced({ file: name });
  return listed.id === id ? UNDO.fileDone({ file: name }) : UNDO.fileListedAs({ file: name, other: listed.name });
}

async function fileSetAside({ instance }: Session, name: string) {
  await using ledger = await lookIntoLedgerOf(instance);
  const aside = await ledger.queries.filesSetAside();
  return await fileCalled(ledger.queries, name, ({ id }) => aside.has(id));
}

async function documentNamed({ instance }: Session, name: string): Promise<LedgerEntry> {
  await using ledger = await lookIntoLedgerOf(instance);
  const [entry] = await selectDocuments(ledger.queries, { ids: [name] }, 'undo');
  if (!entry) throw new OperatorError('select/no-such-document', UNDO.nothing());
  return entry;
}

function printedOf(was: LedgerEntry, { outcome, decision }: ResultOf<'undo'>, entry: LedgerEntry): Printed {
  const number = documentName(was);
  const data = definedOnly({ id: was.id, was: was.state, is: entry.state, outcome, decision });
  const words = { number, from: stateInWords(was), state: stateInWords(entry) };
  if (outcome === 'undone') return { done: true, ...data, message: UNDO.done(words) };
  if (outcome === 'correction-undone') return { done: true, ...data, message: UNDO.doneCorrection(words) };
  return { done: false, ...data, message: UNDO.not({ number, why: WHY[outcome]({ number }) }) };
}

const WHY = {
  nothing: UNDO.nothing,
  'undone-before': UNDO.undoneBefore,
  'too-old': UNDO.tooOld,
  'moved-on': UNDO.movedOn,
  purged: UNDO.purged,
  'correction-sent': UNDO.correctionSent,
  'correction-moved-rows': UNDO.correctionMovedRows,
  'correction-stays': UNDO.correctionStays,
};
