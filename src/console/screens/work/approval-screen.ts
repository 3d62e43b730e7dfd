/**
 * Decisions that wait for another person: GET /acts lists them, the page of an act shows what each document is and becomes, and
 * POST /acts/ID/approval says what this person thinks. What a form lacks is ScreenError 400; a refusal of the rule 409.
 */

import { documentsOf, isAsSeen, type PersonAct } from '../../../decisions/act.ts';
import { isDecision, stateAfter } from '../../../decisions/acts.ts';
import { type ActForApproval, actsForApproval, lastReasons } from '../../../decisions/requests/submitted-acts.ts';
import { APPROVALS } from '../../../i18n/messages/console/console-approval-messages.ts';
import { ACT_FORM } from '../../../i18n/messages/console/console-files-messages.ts';
import { ACT_NAME } from '../../../i18n/messages/console/console-work-messages.ts';
import { isSamePerson } from '../../../ledger/contract/approval.ts';
import { OperatorError } from '../../../model/fault.ts';
import { documentName, type LedgerEntry } from '../../../model/ledger-entry.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { localTime } from '../../../text/local-time.ts';
import { groupDigits } from '../../../views/wording/amount-texts.ts';
import { whyApproval } from '../../../views/wording/approval-words.ts';
import { type Screen, type ScreenContext, ScreenError, seeOther } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { actForm } from '../../shell/forms.ts';
import { card, cellDifference, pageHeading } from '../../shell/parts.ts';
import { statePill } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { requiredField } from '../submit-form.ts';

export const approvalsScreen: Screen = async (context) => {
  const { say, base, locale, instance } = context;
  const acts = await actsForApproval(instance, new Date());
  const table = dataTable<ActForApproval>(
    {
      caption: say(APPROVALS.title()),
      columns: [
        { title: say(APPROVALS.act()), cell: ({ act }) => say(ACT_NAME[act.act]()), isName: true },
        { title: say(APPROVALS.documents()), cell: ({ act }) => String(documentsOf(act).length), isNumber: true },
        { title: say(APPROVALS.by()), cell: ({ person }) => person },
        { title: say(APPROVALS.reason()), cell: ({ reason }) => reason },
        { title: say(APPROVALS.asked()), cell: ({ at }) => localTime(at, locale) },
        { title: say(APPROVALS.until()), cell: ({ expires }) => localTime(expires, locale) },
      ],
      rows: acts,
      empty: say(APPROVALS.none()),
      hrefOf: ({ id }) => `${base}/acts/${encodeURIComponent(id)}`,
    },
    say,
  );
  const title = say(APPROVALS.title());
  const content = markup`${pageHeading({ title, about: say(APPROVALS.about()) })}
${card({ id: 'waiting', title: say(APPROVALS.waiting()), body: table })}`;
  return await composePage(context, { place: 'work', title, content });
};

export const approveScreen: Screen = async (context) => {
  const { form, params, desk } = context;
  const { id = '' } = params;
  const reason = requiredField(context, 'reason');
  const as = form.get('as') ?? 'approved';
  if (as !== 'approved' && as !== 'refused') throw new ScreenError({ status: 400, message: ACT_FORM.incomplete() });
  const answer = await desk.approve(context, id, { as, reason }).catch((error: unknown) => {
    if (error instanceof OperatorError) return { error };
    throw error;
  });
  // The refusal of an act is its answer, which its page shows; that of the rule is not.
  if ('error' in answer && /^approval\//.test(answer.error.code)) {
    const { message, hint } = answer.error.texts;
    throw new ScreenError({ status: 409, message, ...(hint && { hint }) });
  }
  return seeOther(context, `/acts/${encodeURIComponent(id)}`);
};

/** Documents that the page of an act shows; all of them are counted. */
const MOST_SHOWN = 200;

/** What each document is and becomes, and the form of another person, or of the person who asked. */
export async function approvalCards(context: ScreenContext, waits: ActForApproval): Promise<Markup> {
  const { say, base, ledger, language, leadsTo } = context;
  const documents = documentsOf(waits.act);
  const entries = await ledger.queries.entriesById(documents.slice(0, MOST_SHOWN).map(({ id }) => id));
  const why = new Map(waits.about.map((one) => [one.id, say(whyApproval(one))]));
  const seen = new Map(documents.map((one) => [one.id, one]));
  const amountOf = ({ facts: { amount, currency } }: LedgerEntry) =>
    amount === undefined ? '' : `${groupDigits(amount, language)} ${currency ?? ''}`;
  const noteOf = (entry: LedgerEntry) => {
    const { id } = entry;
    const then = seen.get(id);
    return [then && isAsSeen(entry, then) ? '' : say(APPROVALS.changed()), why.get(id) ?? '']
      .filter((text) => text !== '')
      .join(' ');
  };
  const table = dataTable<LedgerEntry>(
    {
      caption: say(APPROVALS.documents()),
      columns: [
        { title: say(APPROVALS.document()), cell: documentName, isName: true },
        { title: say(APPROVALS.amount()), cell: amountOf, isNumber: true },
        { title: say(APPROVALS.before()), cell: ({ state }) => statePill(state, say) },
        { title: say(APPROVALS.after()), cell: (entry) => afterOf(context, waits.act, entry) },
        { title: say(APPROVALS.note()), cell: noteOf },
      ],
      rows: entries,
      empty: '',
      ...(leadsTo('/documents/:id') && { hrefOf: ({ id }) => `${base}/documents/${encodeURIComponent(id)}` }),
    },
    say,
  );
  const more = documents.length - entries.length;
  const note = more > 0 ? markup`<p class="card-body dim">${say(APPROVALS.more({ count: more }))}</p>` : undefined;
  return markup`${await formOf(context, waits)}${card({ id: 'documents', title: say(APPROVALS.documents()), body: markup`${table}${note}` })}`;
}

async function formOf(context: ScreenContext, { id, keys }: ActForApproval): Promise<Markup | undefined> {
  const { say, base, csrf, may, instance, person } = context;
  if (!may('act')) return undefined;
  const isOwn = isSamePerson(keys, { id: person.id, names: [person.name] });
  const common = {
    id: 'approval',
    action: `${base}/acts/${encodeURIComponent(id)}/approval`,
    csrf,
    reasons: await lastReasons(instance, person.name),
  };
  const form = isOwn
    ? actForm(
        { ...common, hidden: { as: 'refused' }, does: say(APPROVALS.own()), submit: say(APPROVALS.withdraw()) },
        say,
      )
    : actForm(
        {
          ...common,
          does: say(APPROVALS.does()),
          submit: say(APPROVALS.approve()),
          second: { name: 'as', value: 'refused', text: say(APPROVALS.refuse()) },
          terminal: `nightpost approve ${id} --reason "..."`,
        },
        say,
      );
  return card({ id: 'approve', title: say(APPROVALS.decide()), body: form });
}

/** The state that the act gives, the cells that it writes, or its name. */
function afterOf({ say }: ScreenContext, act: PersonAct, { id, state: before }: LedgerEntry): Markup | string {
  if (act.act === 'fix') {
    const edits = act.documents.find((one) => one.id === id)?.edits ?? [];
    return markup`${edits.map(({ column, from, to }) => markup`<div>${column}: ${cellDifference(from, to, say)}</div>`)}`;
  }
  if (act.act === 'replace-cells') {
    const { column, from = '', to } = act;
    return to === undefined
      ? say(APPROVALS.suggested({ column }))
      : markup`${column}: ${cellDifference(from, to, say)}`;
  }
  const state = isDecision(act) ? stateAfter(act, before) : undefined;
  // One that is set aside or acknowledged keeps its state, or gets that of one to correct.
  const isClosed = act.act === 'set-aside' || act.act === 'acknowledge';
  return state === undefined || isClosed ? say(ACT_NAME[act.act]()) : statePill(state, say);
}
