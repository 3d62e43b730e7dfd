/**
 * GET /acts/ID: what became of an act, by document, and how to take it back. POST /acts/ID/undo takes it back for each of
 * its documents that nothing has happened to since.
 */

import { seenDocument } from '../../../decisions/act.ts';
import type { ActResult, DecidedDocument, ReadAgain } from '../../../decisions/act-result.ts';
import { traitsOf } from '../../../decisions/acts.ts';
import { type AskedAct, findAskedAct } from '../../../decisions/requests/submitted-acts.ts';
import type { Message } from '../../../i18n/message.ts';
import { APPROVALS } from '../../../i18n/messages/console/console-approval-messages.ts';
import { ACT_DONE, ACT_NAME } from '../../../i18n/messages/console/console-work-messages.ts';
import { APPROVAL_EVENTS } from '../../../ledger/contract/approval.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { type Fault, isError, OperatorError } from '../../../model/fault.ts';
import { documentName, type LedgerEntry } from '../../../model/ledger-entry.ts';
import type { State } from '../../../model/state.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { localTime } from '../../../text/local-time.ts';
import { spokenIn } from '../../../views/wording/spoken-faults.ts';
import { type Screen, type ScreenContext, ScreenError, seeOther } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { card, definitionList, type NoticeOptions, pageHeading } from '../../shell/parts.ts';
import { statePill } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { approvalCards } from './approval-screen.ts';

export const actScreen: Screen = async (context) => {
  const { say, base, locale } = context;
  const asked = await askedOf(context);
  const { person, at, reason, answer, approval } = asked;
  const result = answer && 'result' in answer ? answer.result : undefined;
  const rows = result ? rowsOf(result, context) : [];
  const name = result?.act ?? approval?.act.act;
  const title = name ? say(ACT_NAME[name]()) : say(ACT_DONE.title());
  const facts = definitionList([
    [say(ACT_DONE.by()), person],
    [say(ACT_DONE.at()), localTime(at, locale)],
    [say(ACT_DONE.reason()), reason],
  ]);
  const content = markup`<div class="stack">
${pageHeading({ title, acts: markup`<a class="button" href="${base}/work" data-up>${say(ACT_DONE.list())}</a>` })}
<section class="card"><div class="card-body">${facts}</div>${await undoForm(context, asked, rows)}</section>
${approval && (await approvalCards(context, approval))}
${rows.length > 0 ? card({ id: 'results', title: say(ACT_DONE.results()), body: resultTable(context, rows) }) : undefined}
</div>`;
  return await composePage(context, { place: 'work', title, content, done: outcomeOf(context, asked, rows) });
};

async function askedOf({ params, instance }: Pick<ScreenContext, 'params' | 'instance'>): Promise<AskedAct> {
  const asked = await findAskedAct(instance, params.id ?? '');
  if (asked) return asked;
  throw new ScreenError({ status: 404, message: ACT_DONE.unknown() });
}

/** One document of a result. */
type Row = {
  readonly id: string;
  readonly number: string;
  readonly was?: State;
  readonly is?: State;
  readonly done: boolean;
  readonly why?: string;
};

/** By document, those that stay as they were first. */
function rowsOf(result: ActResult, context: ScreenContext): readonly Row[] {
  if (!('documents' in result)) return [];
  const rows = result.documents.map((one) => ('entry' in one ? rereadRow(one, context) : decidedRow(one, context)));
  return rows.toSorted((a, b) => Number(a.done) - Number(b.done));
}

function decidedRow({ id, number, was, is, done, why }: DecidedDocument, { say }: ScreenContext): Row {
  const words = { 'not-allowed': ACT_DONE.notAllowed, 'changed-meanwhile': ACT_DONE.changedMeanwhile };
  return definedOnly({ id, number, was, is, done, why: why && say(words[why]()) });
}

function rereadRow(one: ReadAgain, { say, language }: ScreenContext): Row {
  const { id, state: was } = one.entry;
  const about = { id, number: documentName(one.entry) };
  const words = (faults: readonly Fault[]) => spokenIn({ faults }, language).faults[0]?.message;
  if ('done' in one) return { ...about, is: was, done: true, why: say(ACT_DONE.before()) };
  if ('fault' in one) return definedOnly({ ...about, was, done: false, why: words([one.fault]) });
  const is = one.state === 'unchanged' ? undefined : one.state;
  return definedOnly({ ...about, was, is, done: is !== undefined, why: words(one.outcome.faults.filter(isError)) });
}

function resultTable({ base, say, leadsTo }: ScreenContext, rows: readonly Row[]): Markup {
  return dataTable<Row>(
    {
      caption: say(ACT_DONE.results()),
      columns: [
        { title: say(ACT_DONE.document()), cell: ({ number }) => number, isName: true },
        { title: say(ACT_DONE.was()), cell: ({ was }) => (was ? statePill(was, say) : '') },
        {
          title: say(ACT_DONE.became()),
          cell: ({ is, done }) => (is && done ? statePill(is, say) : say(ACT_DONE.stays())),
        },
        { title: say(ACT_DONE.why()), cell: ({ why = '' }) => why },
      ],
      rows,
      empty: '',
      ...(leadsTo('/documents/:id') && { hrefOf: ({ id }: Row) => `${base}/documents/${encodeURIComponent(id)}` }),
    },
    say,
  );
}

/** What the status region reports. */
function outcomeOf(context: ScreenContext, { id, answer, approval }: AskedAct, rows: readonly Row[]): NoticeOptions {
  const { say, base, locale } = context;
  if (approval) {
    const until = localTime(approval.expires, locale);
    return { tone: 'verify', title: say(APPROVALS.waits()), text: say(APPROVALS.waitsText({ until })) };
  }
  if (!answer) {
    const again = markup`<a href="${base}/acts/${id}" data-again>${say(ACT_DONE.refresh())}</a>`;
    return {
      tone: 'queue',
      title: say(ACT_DONE.waits()),
      text: markup`<span data-pending>${say(ACT_DONE.waitsText())}</span> ${again}`,
    };
  }
  if ('error' in answer) {
    const { message, hint } = answer.error.texts;
    return {
      tone: 'support',
      title: say(ACT_DONE.nothing()),
      text: [message, ...(hint ? [hint] : [])].map(say).join(' '),
    };
  }
  const { result } = answer;
  if (result.act === 'consult') {
    const parts = result.services.flatMap(({ service, asked, stopped }): readonly Message[] => [
      ...(asked.length > 0 ? [ACT_DONE.asked({ service, count: asked.length })] : []),
      ...(stopped ? [stopped.says] : []),
    ]);
    return { tone: 'ok', title: say(ACT_DONE.done()), text: parts.map(say).join(' ') };
  }
  const done = rows.filter((row) => row.done).length;
  const left = rows.length - done;
  const some = done === 0 ? ACT_DONE.nothing() : ACT_DONE.partly();
  const title = left === 0 ? ACT_DONE.done() : some;
  const counts = [ACT_DONE.changed({ count: done }), ...(left > 0 ? [ACT_DONE.stayed({ count: left })] : [])];
  const text = rows.length > 0 ? counts.map(say).join(' ') : '';
  return { tone: left === 0 ? 'ok' : 'fix', title: say(title), text };
}

/** One request each: so many are taken back at once. */
const MOST_UNDONE = 200;
const NO_DECISION: ReadonlySet<string> = new Set(APPROVAL_EVENTS);

/** Documents in the state that the act gave them, about which no one has decided since. */
async function undoable(
  { ledger }: ScreenContext,
  { answer, at }: AskedAct,
  rows: readonly Row[],
): Promise<readonly LedgerEntry[]> {
  const act = answer && 'result' in answer ? answer.result.act : undefined;
  const done = rows.filter((row) => row.done);
  if (act === undefined || !traitsOf(act).undoable || done.length > MOST_UNDONE) return [];
  const is = new Map(done.map((row) => [row.id, row.is]));
  const entries = await ledger.queries.entriesById([...is.keys()]);
  const open: LedgerEntry[] = [];
  for (const entry of entries) {
    const last = (await ledger.queries.historyOf(entry.id)).findLast(
      ({ person, what }) => person !== undefined && !NO_DECISION.has(what),
    );
    // A later decision is another one to take back.
    if (entry.state === is.get(entry.id) && last?.at === at && last.what !== 'undone') open.push(entry);
  }
  return open;
}

async function undoForm(context: ScreenContext, asked: AskedAct, rows: readonly Row[]): Promise<Markup | undefined> {
  const { say, base, csrf, may } = context;
  if (!may('act')) return undefined;
  const { length: count } = await undoable(context, asked, rows);
  if (count === 0) return undefined;
  // Not by Ctrl+Enter, which a hand still holds from the act.
  return markup`<form class="act" method="post" action="${base}/acts/${asked.id}/undo"><input type="hidden" name="csrf" value="${csrf}">
<p class="act-buttons"><button class="button" type="submit">${say(ACT_DONE.undo({ count }))}</button><span class="dim">${say(ACT_DONE.undoDoes())}</span></p></form>`;
}

export const undoActScreen: Screen = async (context) => {
  const { desk, say } = context;
  const asked = await askedOf(context);
  const { answer } = asked;
  const rows = answer && 'result' in answer ? rowsOf(answer.result, context) : [];
  const open = await undoable(context, asked, rows);
  const reason = say(ACT_DONE.undoReason({ reason: asked.reason }));
  const acts = open.map((entry) => ({
    // One undo for each document of the act, however often the form is sent.
    id: `${asked.id}/${entry.id}`,
    act: { act: 'undo' as const, document: seenDocument(entry) },
    reason,
  }));
  await desk.submit(context, acts).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
    const { message, hint } = error.texts;
    throw new ScreenError({ status: 409, message, ...(hint && { hint }) });
  });
  return seeOther(context, `/acts/${asked.id}`);
};
