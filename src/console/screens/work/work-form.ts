/** The form of an act, the same for one document and for many: what is open and how it looks comes in, HTML comes out. */

import { randomUUID } from 'node:crypto';
import { RESOLVED_AS } from '../../../decisions/act.ts';
import { traitsOf, type WorkAct } from '../../../decisions/acts.ts';
import { lastReasons } from '../../../decisions/requests/submitted-acts.ts';
import type { Message } from '../../../i18n/message.ts';
import {
  WORK_DOES,
  WORK_FIELD,
  WORK_LOOK,
  WORK_REFUSED,
  WORK_SUBMIT,
} from '../../../i18n/messages/console/console-work-messages.ts';
import { definedOnly } from '../../../model/defined-only.ts';
import { documentName } from '../../../model/ledger-entry.ts';
import { stateInfo } from '../../../model/state.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { shellWord } from '../../../text/shell-word.ts';
import type { MappingProposal } from '../../../views/queries/mapping-proposals.ts';
import type { ScreenContext } from '../../server/screen-context.ts';
import { actForm } from '../../shell/forms.ts';
import { notice } from '../../shell/parts.ts';
import type { Say } from '../../shell/tones.ts';
import { scopeOf, type WorkQuery, workSearch } from './work-query.ts';
import type { ActLook, OpenGroup } from './work-view.ts';

/** What a form that was sent lacks, with what the person had typed. */
export type FormProblem = { readonly message: Message; readonly hint?: Message; readonly reason: string };

/** Parameter of the boxes, and of the button that was pressed: all documents, or those with a box that is set. */
export const [CHOSEN, EXTENT] = ['chosen', 'extent'];

type FormOptions = { readonly query: WorkQuery; readonly open: OpenGroup; readonly problem: FormProblem | undefined };

export async function workForm(context: ScreenContext, options: FormOptions): Promise<Markup | undefined> {
  const { say, base, csrf, url, instance, person, desk } = context;
  const { open, query, problem } = options;
  const { act, documents, look, proposals } = open;
  if (!act) return undefined;
  // One outcome for several would be a guess, and the proof is of one.
  if (act === 'resolve' && documents.length > 1) return eachOnItsOwn(context, open);
  const seen = desk.keep(documents);
  const scope = scopeOf(url.searchParams);
  const count = look?.fix && look.tried === documents.length ? look.fix.documents.length : documents.length;
  const lookButton = markup`<noscript><button class="button" type="submit" formaction="${base}/work" formnovalidate>${say(WORK_SUBMIT.look())}</button></noscript>`;
  const hasBoxes = open.group.count > 1;
  const onlyChosen = markup`<button class="button primary for-chosen" type="submit" name="${EXTENT}" value="chosen" aria-describedby="act-does"><span>${say(WORK_SUBMIT.chosen())}<span data-chosen></span></span><kbd class="on-keys">Ctrl ↵</kbd></button>`;
  return actForm(
    definedOnly({
      id: 'act',
      action: `${base}/acts`,
      csrf,
      hidden: { key: randomUUID(), act, scope, look: seen.sha256 },
      does: [WORK_DOES[act](), ...(traitsOf(act).sends ? [WORK_DOES.nextRun()] : [])].map(say).join(' '),
      fields: fieldsOf(context, { act, query, open }),
      reasons: await lastReasons(instance, person.name),
      reason: problem?.reason ?? '',
      submit: say(WORK_SUBMIT[act]({ count })),
      extent: hasBoxes ? { name: EXTENT, value: 'all' } : undefined,
      outcome: markup`${problem && problemNotice(problem, say)}${look && lookNotices(look, documents.length, say)}${proposals.map((one) => proposalNotice(one, say))}`,
      hasFile: traitsOf(act).decides === true,
      live: act === 'fix' ? `${base}/work?${scope}` : undefined,
      also: markup`${hasBoxes ? onlyChosen : undefined}${act === 'fix' ? lookButton : undefined}`,
      terminal: terminalCommand(act, query),
    }),
    say,
  );
}

function eachOnItsOwn({ say, base }: ScreenContext, { documents, page }: OpenGroup): Markup {
  const names = new Map(page.map((entry) => [entry.id, documentName(entry)]));
  const links = documents.flatMap(({ id }) => {
    const name = names.get(id);
    if (name === undefined) return [];
    const search = new URLSearchParams({ id, act: 'resolve' });
    return [markup`<a class="button" href="${base}/work?${search.toString()}">${name}</a>`];
  });
  return markup`<div class="act"><p class="does">${say(WORK_FIELD.each())}</p><p class="act-buttons">${links}</p></div>`;
}

function fieldsOf(
  { say, base, url }: ScreenContext,
  { act, query, open }: { readonly act: WorkAct; readonly query: WorkQuery; readonly open: OpenGroup },
): Markup | undefined {
  if (act === 'fix') return fixFields(say, `${base}/work`, { query, open, search: url.searchParams });
  const outcome =
    act === 'resolve'
      ? markup`<p class="field"><label for="act-as">${say(WORK_FIELD.as())}</label><select id="act-as" name="as" required data-edit><option value="">${say(WORK_FIELD.choose())}</option>${RESOLVED_AS.map((state) => markup`<option value="${state}">${say(stateInfo(state).name)}</option>`)}</select></p>`
      : undefined;
  const proof =
    traitsOf(act).decides === true
      ? markup`<p class="field"><label for="act-evidence">${say(WORK_FIELD.evidence())}</label><input id="act-evidence" name="evidence" type="file"></p>`
      : undefined;
  return markup`${outcome}${proof}`;
}

type FixFields = { readonly query: WorkQuery; readonly open: OpenGroup; readonly search: URLSearchParams };

/** Column and text are those of the fault, where all documents have the same. */
function fixFields(say: Say, action: string, { query, open, search }: FixFields): Markup {
  const { column = '', value = '' } = open.group;
  const { fix = column, from = value, to = '', suggested } = query;
  const columns = new Set(open.page.flatMap(({ faults }) => faults.flatMap(({ origin }) => origin?.column ?? [])));
  const hasSuggestion = open.page.some(({ faults }) =>
    faults.some((fault) => fault.suggestion !== undefined && fault.origin?.column === fix),
  );
  const inColumn = markup`<p class="field"><label for="act-fix">${say(WORK_FIELD.column())}</label><input id="act-fix" name="fix" class="code" type="text" required autocomplete="off" spellcheck="false" list="act-columns" value="${fix}"><datalist id="act-columns">${[...columns].map((one) => markup`<option value="${one}"></option>`)}</datalist></p>`;
  if (suggested) {
    const typed = `${action}${workSearch(search, { suggested: undefined, fix: undefined })}`;
    return markup`${inColumn}<input type="hidden" name="suggested" value="1"><p class="field"><span class="label">${say(WORK_FIELD.to())}</span><span>${say(WORK_FIELD.suggested())} · <a href="${typed}">${say(WORK_FIELD.typed())}</a></span></p>`;
  }
  const link = `${action}${workSearch(search, { suggested: '1', fix, act: undefined, from: undefined, to: undefined })}`;
  return markup`${inColumn}
<p class="field"><label for="act-from">${say(WORK_FIELD.from())}</label><input id="act-from" name="from" class="code" type="text" required autocomplete="off" spellcheck="false" value="${from}"></p>
<p class="field"><label for="act-to">${say(WORK_FIELD.to())}</label><input id="act-to" name="to" class="code" type="text" required autocomplete="off" spellcheck="false" value="${to}" data-edit></p>
${hasSuggestion ? markup`<p class="field"><span class="label">&nbsp;</span><a class="button" href="${link}">${say(WORK_FIELD.suggested())}</a></p>` : undefined}`;
}

function problemNotice({ message, hint }: FormProblem, say: Say): Markup {
  const text = hint ? `${say(message)} ${say(hint)}` : say(message);
  return notice({ tone: 'support', title: say(WORK_REFUSED.title()), text });
}

function lookNotices(look: ActLook, count: number, say: Say): Markup {
  const { refused, fix, passing, tried, becomes } = look;
  if (refused) {
    const text = refused.hint ? `${say(refused.message)} ${say(refused.hint)}` : say(refused.message);
    return notice({ tone: 'fix', text });
  }
  const changed = fix?.documents.length ?? becomes.size;
  const all = changed > 0 && passing === changed;
  const result = say(all ? WORK_LOOK.all({ count: changed }) : WORK_LOOK.some({ count: changed, passing }));
  const text = tried < count ? `${result} ${say(WORK_LOOK.first({ tried, count }))}` : result;
  const cells = fix?.planned.reduce((sum, { edits }) => sum + edits.length, 0);
  const title = cells === undefined ? undefined : say(WORK_LOOK.cells({ cells, count: changed }));
  const left = fix?.leftOut ?? [];
  const why = left[0] && say(left[0].why);
  return markup`${notice(definedOnly({ tone: all ? 'ok' : 'fix', title, text }))}${why === undefined ? undefined : notice({ tone: 'queue', text: say(WORK_LOOK.left({ count: left.length, why })) })}`;
}

function proposalNotice({ from, to, files, file, under, line }: MappingProposal, say: Say): Markup {
  return notice({ tone: 'queue', text: say(WORK_LOOK.proposal({ from, to, count: files, file, under, line })) });
}

/**
 * The same selection and act for `nightpost`; undefined where the command line has no such filter. Each word is quoted: the
 * address, and so the command that a person copies, may come from anyone.
 */
function terminalCommand(act: WorkAct, query: WorkQuery): string | undefined {
  const { states, cause, mapping, file, customer, column, run, since, ids, fix, from, to } = query;
  if (file !== undefined || customer !== undefined || column !== undefined) return undefined;
  if ([...ids, ...states, cause, mapping, run].some((word) => word?.startsWith('-'))) return undefined;
  const filters = [
    ...ids.map(shellWord),
    ...(states.length > 0 ? [`--state ${shellWord(states.join(','))}`] : []),
    ...(cause === undefined ? [] : [`--cause ${shellWord(cause)}`]),
    ...(mapping === undefined ? [] : [`--mapping ${shellWord(mapping)}`]),
    ...(run === undefined ? [] : [`--run ${shellWord(run)}`]),
    ...(since === undefined ? [] : [`--since ${since}`]),
  ];
  if (filters.length === 0) return undefined;
  const cell = act === 'fix' && fix && from && to ? [`${shellWord(`${fix}=${to}`)} --from ${shellWord(from)}`] : [];
  const suggested = act === 'fix' && query.suggested ? ['--suggested'] : [];
  return ['nightpost', act, ...filters, ...cell, ...suggested].join(' ');
}
