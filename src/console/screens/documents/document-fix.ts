/**
 * Corrections of cells on the page of a document: checked as a person types, or by a button, and then handed in as one act.
 * What changed since the person looked is refused. An act that is refused keeps what was typed.
 */

import { type ActAnswer, type DecidedDocument, type ReadAgain, readAnswer } from '../../../decisions/act-result.ts';
import type { CellEdit } from '../../../decisions/cell-edits.ts';
import { fixOf } from '../../../decisions/propose-act.ts';
import { DOCUMENT_FIX } from '../../../i18n/messages/console/console-document-messages.ts';
import { isError, localize, OperatorError } from '../../../model/fault.ts';
import type { LedgerEntry } from '../../../model/ledger-entry.ts';
import { allows } from '../../../model/state.ts';
import type { Cells } from '../../../pipeline/reprocessing/reconvert-source.ts';
import { systemClock } from '../../../runs/open-run.ts';
import { type DocumentLineage, documentLineage } from '../../../views/queries/document-lineage.ts';
import { type Screen, type ScreenContext, seeOther } from '../../server/screen-context.ts';
import type { NoticeOptions } from '../../shell/parts.ts';
import { documentPage } from './document-screen.ts';
import { documentOfPath } from './find-document.ts';
import { cellsShown, editsOf, hashOfCells, shownVersion } from './lineage-cells.ts';

const LONGEST_REASON = 500;
/** Made when the form is shown: what is sent twice is one act. */
const REQUEST_ID = /^[0-9a-f-]{36}$/;

/** Answers a script: `tone`, `title` and `text` of the notice. */
export async function checkFix(context: ScreenContext): Promise<Response> {
  const entry = await documentOfPath(context);
  const { outcome } = await tryFix(context, entry, cellsShown(entry.id, context.form.get('cells')));
  return Response.json(outcome ?? {});
}

export const fixDocument: Screen = async (context) => {
  const { form, say, language } = context;
  const entry = await documentOfPath(context);
  const request = String(form.get('key'));
  const earlier = await context.ledger.steps.resultOf(request);
  // A reload, or a second click: the act is done.
  if (earlier !== undefined) return seeDone(context, entry, { request, answer: readAnswer(earlier) });
  const tried = await tryFix(context, entry);
  const reason = String(form.get('reason') ?? '')
    .trim()
    .slice(0, LONGEST_REASON);
  const again = (outcome: NoticeOptions | undefined) =>
    documentPage(context, entry, { typed: typedCells(form), reason, ...(outcome && { outcome }) });
  if (form.has('check') || tried.edits.length === 0 || tried.refused) return await again(tried.outcome);
  if (!REQUEST_ID.test(request)) return await again({ tone: 'support', text: say(DOCUMENT_FIX.changed()) });
  if (reason === '') return await again({ tone: 'fix', text: say(DOCUMENT_FIX.needsReason()) });
  const act = fixOf([{ entry, edits: tried.edits }]);
  const [answer] = await context.desk.submit(context, [{ id: request, act, reason }]).catch((error: unknown) => {
    if (error instanceof OperatorError) return [{ error }];
    throw error;
  });
  if (answer && 'error' in answer) {
    const { message, hint } = answer.error.localized(language);
    return await again({ tone: 'support', title: message, text: hint ?? '' });
  }
  if (answer && 'waits' in answer && answer.waits === 'approval') return seeOther(context, `/acts/${request}`);
  return seeDone(context, entry, { request, answer: answer && 'result' in answer ? answer : undefined });
};

function seeDone(
  context: ScreenContext,
  { id }: LedgerEntry,
  { request, answer }: { readonly request: string; readonly answer: ActAnswer | undefined },
): Response {
  const documents = answer && 'result' in answer && 'documents' in answer.result ? answer.result.documents : [];
  // The run at work carries it out.
  const done = answer ? doneOf(documents[0]) : 'waits';
  return seeOther(context, `/documents/${encodeURIComponent(id)}?done=${done}&act=${request}`);
}

/** What the page says after the act. */
type FixDone = 'corrected' | 'still-wrong' | 'unchanged' | 'waits';

function doneOf(result: ReadAgain | DecidedDocument | undefined): FixDone {
  if (!result || 'fault' in result) return 'unchanged';
  if ('done' in result) return 'corrected';
  if (result.state === 'unchanged') return 'unchanged';
  return result.state === 'invalid' ? 'still-wrong' : 'corrected';
}

function typedCells(form: FormData): ReadonlyMap<string, string> {
  return new Map(
    [...form].flatMap(([name, value]) => (name.startsWith('cell.') ? [[name, String(value)] as const] : [])),
  );
}

type Tried = {
  readonly edits: readonly CellEdit[];
  /** What a correction would do; undefined if nothing is typed. */
  readonly outcome?: NoticeOptions;
  readonly refused?: true;
};

/** `known`: cells that need not be read; what is recorded is always about those of now. */
async function tryFix(context: ScreenContext, entry: LedgerEntry, known?: readonly Cells[]): Promise<Tried> {
  const { form, ledger, instance, say, language, person } = context;
  const refuse = (text: string): Tried => ({ edits: [], outcome: { tone: 'support', text }, refused: true });
  if (!allows(entry.state, 'fix') || shownVersion(entry) !== form.get('version')) {
    return refuse(say(DOCUMENT_FIX.changed()));
  }
  const lineage = (tried: Parameters<typeof documentLineage>[2]['tried']) =>
    documentLineage({ instance, ledger, clock: systemClock }, entry, { mapping: 'now', ...(tried && { tried }) });
  try {
    const rows = known ?? (await lineage(undefined))?.rows;
    if (!rows || hashOfCells(rows) !== form.get('cells')) return refuse(say(DOCUMENT_FIX.changed()));
    const edits = editsOf(form, rows);
    if (edits.length === 0) return { edits };
    const at = systemClock.now().toISOString();
    const after = await lineage(edits.map((edit) => ({ ...edit, by: person.name, at, reason: '' })));
    return { edits, outcome: outcomeOf(context, edits.length, after) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return refuse(error.localized(language).message);
  }
}

function outcomeOf(
  { say, language }: ScreenContext,
  cells: number,
  lineage: DocumentLineage | undefined,
): NoticeOptions {
  const title = say(DOCUMENT_FIX.cells({ count: cells }));
  if (!lineage) return { tone: 'fix', title, text: say(DOCUMENT_FIX.noDocument()) };
  const { valid, faults } = lineage.document;
  if (valid) return { tone: 'ok', title, text: say(DOCUMENT_FIX.passes()) };
  const [first, ...others] = localize(faults, language).filter(isError);
  const text = say(DOCUMENT_FIX.fails({ message: first?.message ?? '', count: others.length }));
  return { tone: 'fix', title, text };
}
