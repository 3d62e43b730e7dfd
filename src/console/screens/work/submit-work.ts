/**
 * POST /work shows a look as an address, and POST /acts hands in an act about what the person has seen. A form that lacks
 * something comes back with what is missing, status 422, and nothing is done.
 */

import { type ActOf, type PersonAct, RESOLVED_AS, type SeenDocument } from '../../../decisions/act.ts';
import { isDecision, isWorkAct, type WorkAct } from '../../../decisions/acts.ts';
import { proposeAct } from '../../../decisions/propose-act.ts';
import { findAskedAct } from '../../../decisions/requests/submitted-acts.ts';
import { lookOf } from '../../../decisions/seen-look.ts';
import type { Message } from '../../../i18n/message.ts';
import { WORK_FIELD, WORK_REFUSED } from '../../../i18n/messages/console/console-work-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { OperatorError } from '../../../model/fault.ts';
import { systemClock } from '../../../runs/open-run.ts';
import { pageAnswer } from '../../server/console-answers.ts';
import { type Screen, type ScreenContext, seeOther } from '../../server/screen-context.ts';
import { documentsFor } from './work-acts.ts';
import { CHOSEN, EXTENT } from './work-form.ts';
import { readWorkQuery, scopeOf, workSearch } from './work-query.ts';
import { renderWork } from './work-screen.ts';
import { readWorks } from './work-view.ts';

/** Without script: the fields become an address, which shows what they would do. */
export const lookAtWork: Screen = async (context) => seeOther(context, `/work${lookSearch(context)}`);

/** The address of the look that the fields of the form ask for. */
function lookSearch({ form }: Pick<ScreenContext, 'form'>): string {
  const text = (name: string) => textOf(form, name) || undefined;
  const scope = new URLSearchParams(scopeOf(new URLSearchParams(textOf(form, 'scope'))));
  const [act, fix, from, to] = [text('act'), text('fix'), text('from'), text('to')];
  return workSearch(scope, { act, fix, from, to, suggested: text('suggested') });
}

export const submitWork: Screen = async (context) => {
  const { form, instance, desk } = context;
  const reason = textOf(form, 'reason').trim();
  const refuse = async (message: Message, hint?: Message) => {
    const url = new URL(`${context.base}/work${lookSearch(context)}`, context.url);
    const page = await renderWork({ ...context, url }, definedOnly({ message, hint, reason }));
    return pageAnswer(page, 422);
  };
  const [id, name] = [textOf(form, 'key'), form.get('act')];
  if (!isWorkAct(name) || !/^[0-9a-f-]{36}$/.test(id)) return await refuse(WORK_REFUSED.none());
  // A form that is sent twice is one act.
  if (await findAskedAct(instance, id)) return seeOther(context, `/acts/${id}`);
  if (reason === '') return await refuse(WORK_REFUSED.reason());
  const seen = await documentsSeen(context, name);
  if (!seen) return await refuse(WORK_REFUSED.changed());
  const documents = chosenOf(seen, form);
  if (documents.length === 0) return await refuse(WORK_REFUSED.chosen());
  const act = actOf(context, name, documents);
  if ('refused' in act) return await refuse(act.refused);
  const why = await whyNone(context, act);
  if (why) return await refuse(why);
  try {
    const [answer] = await desk.submit(context, [{ id, act, reason, look: lookOf(documents) }]);
    // The refusal of an act is its answer, which its page shows; without one it was not even begun.
    if (answer && 'error' in answer && !(await findAskedAct(instance, id))) throw answer.error;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const { message, hint } = error.texts;
    return await refuse(message, hint);
  }
  return seeOther(context, `/acts/${id}`);
};

/** What was shown with the form; where the console has forgotten it, the selection of now if it is the same. */
async function documentsSeen(context: ScreenContext, act: WorkAct): Promise<readonly SeenDocument[] | undefined> {
  const { form, desk } = context;
  const sha256 = textOf(form, 'look');
  const kept = desk.seen(sha256);
  if (kept) return kept.length > 0 ? kept : undefined;
  const query = readWorkQuery(new URLSearchParams(textOf(form, 'scope')), context.locale.zone);
  const now = documentsFor(act, await readWorks(context, query));
  return now.length > 0 && lookOf(now).sha256 === sha256 ? now : undefined;
}

/** All for the button that names all of them; otherwise, also for Enter in a field, those with a box where one is set. */
function chosenOf(seen: readonly SeenDocument[], form: FormData): readonly SeenDocument[] {
  const [extent, chosen] = [form.get(EXTENT), new Set(form.getAll(CHOSEN))];
  if (extent === 'all' || (extent !== 'chosen' && chosen.size === 0)) return seen;
  return seen.filter(({ id }) => chosen.has(id));
}

type Refused = { readonly refused: Message };

/** The act with what its form has in addition. */
function actOf({ form, proof }: ScreenContext, name: WorkAct, seen: readonly SeenDocument[]): PersonAct | Refused {
  const documents = [...seen];
  if (name === 'fix') return replacementOf(form, documents);
  if (name === 'reprocess' || name === 'consult') return { act: name, documents };
  if (name !== 'resolve') return definedOnly({ act: name, documents, evidence: proof }) as PersonAct;
  if (documents.length > 1) return { refused: WORK_FIELD.each() };
  const as = RESOLVED_AS.find((one) => one === form.get('as'));
  if (!as) return { refused: WORK_REFUSED.outcome() };
  return definedOnly({ act: name, documents, as, evidence: proof }) as ActOf<'resolve'>;
}

function replacementOf(form: FormData, documents: SeenDocument[]): ActOf<'replace-cells'> | Refused {
  const [column, from, to] = [textOf(form, 'fix'), textOf(form, 'from'), textOf(form, 'to')];
  if (column === '') return { refused: WORK_REFUSED.column() };
  if (textOf(form, 'suggested') === '1') return { act: 'replace-cells', documents, column };
  if (from === '') return { refused: WORK_REFUSED.from() };
  if (to === '') return { refused: WORK_REFUSED.to() };
  return { act: 'replace-cells', documents, column, from, to };
}

/** Documents that are judged before an act: the ledger judges all of them again. */
const JUDGED = 20;

/** The reason against a decision if it is possible for none of its documents. */
async function whyNone({ ledger, instance }: ScreenContext, act: PersonAct): Promise<Message | undefined> {
  if (!isDecision(act) || act.documents.length > JUDGED) return undefined;
  const entries = await ledger.queries.entriesById(act.documents.map(({ id }) => id));
  const context = { instance, ledger, clock: systemClock };
  const at = systemClock.now().toISOString();
  const { documents, leftOut } = await proposeAct(context, entries, act, { foresees: false, at });
  return documents.length === 0 ? leftOut[0]?.why : undefined;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
