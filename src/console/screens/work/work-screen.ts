/** GET /work: what waits for people, in groups; the only group of a selection is open, with the form of an act and its documents. */

import { workActsFor } from '../../../decisions/acts.ts';
import { CONSOLE_LIST } from '../../../i18n/messages/console/console-shell-messages.ts';
import {
  WORK_ACT,
  WORK_COLUMN,
  WORK_LIST,
  WORK_LOOK,
  WORK_UNKNOWN,
} from '../../../i18n/messages/console/console-work-messages.ts';
import { isError } from '../../../model/fault.ts';
import { documentName, type LedgerEntry } from '../../../model/ledger-entry.ts';
import { signedAmount, withCents } from '../../../model/signed-sums.ts';
import { stateInfo } from '../../../model/state.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import type { ReprocessResult } from '../../../pipeline/reprocessing/reread-result.ts';
import { localTime } from '../../../text/local-time.ts';
import { GROUPINGS } from '../../../views/queries/causes.ts';
import { amountTexts, groupDigits } from '../../../views/wording/amount-texts.ts';
import { describeCause, describeGroup } from '../../../views/wording/cause-words.ts';
import { entryIn, spokenIn } from '../../../views/wording/spoken-faults.ts';
import type { Screen, ScreenContext } from '../../server/screen-context.ts';
import { dataTable, type TableOptions } from '../../shell/data-table.ts';
import { icon } from '../../shell/icons.ts';
import { cellDifference, codeCell, notice, pageHeading } from '../../shell/parts.ts';
import { pill, statePill } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { CHOSEN, type FormProblem, workForm } from './work-form.ts';
import {
  FILTERS,
  isState,
  openingGroup,
  readWorkQuery,
  type WorkFilterName,
  type WorkQuery,
  workSearch,
} from './work-query.ts';
import { type OpenGroup, readWorkView, type ShownGroup, type WorkView } from './work-view.ts';

export const workScreen: Screen = (context) => renderWork(context, undefined);

/** `problem`: why the form that was sent did nothing. */
export async function renderWork(context: ScreenContext, problem: FormProblem | undefined): Promise<Markup> {
  const { say, url } = context;
  const query = readWorkQuery(url.searchParams, context.locale.zone);
  const view = await readWorkView(context, query);
  const isFiltered = FILTERS.some((name) => url.searchParams.has(name));
  const about = say((isFiltered ? WORK_LIST.match : WORK_LIST.waiting)({ count: view.count }));
  const content = markup`<div class="stack">
${pageHeading({ title: say(WORK_LIST.title()), about, acts: groupings(context, query) })}
${chips(context)}
${view.open ? await openGroup(context, { open: view.open, shown: view.groups[0], query, problem }) : (unknownNotice(context, query, view) ?? groupList(context, view))}
</div>`;
  return await composePage(context, { place: 'work', title: say(WORK_LIST.title()), content });
}

function groupings({ say, base, url }: ScreenContext, { group }: WorkQuery): Markup {
  const links = GROUPINGS.map((by) => {
    const current = by === group ? markup` aria-current="true"` : undefined;
    const changes = {
      group: by === 'cause' ? undefined : by,
      act: undefined,
      fix: undefined,
      from: undefined,
      to: undefined,
    };
    return markup`<a class="button" href="${base}/work${workSearch(url.searchParams, changes)}"${current}>${say(WORK_LIST[by]())}</a>`;
  });
  return markup`<nav class="choices" aria-label="${say(WORK_LIST.groupBy())}"><span class="dim">${say(WORK_LIST.groupBy())}</span> ${links}</nav>`;
}

const FILTER_WORDS = {
  state: WORK_LIST.state,
  cause: WORK_LIST.cause,
  file: WORK_LIST.file,
  mapping: WORK_LIST.mapping,
  customer: WORK_LIST.customer,
  column: WORK_LIST.column,
  run: WORK_LIST.run,
  since: WORK_LIST.since,
  id: WORK_LIST.document,
} as const satisfies Record<WorkFilterName, unknown>;

/** Each filter that is set, with a link that removes it; the first leads back to all groups. */
function chips({ say, base, url }: ScreenContext): Markup | undefined {
  const set = FILTERS.filter((name) => url.searchParams.has(name));
  if (set.length === 0) return undefined;
  const form = { act: undefined, fix: undefined, from: undefined, to: undefined, suggested: undefined };
  return markup`<ul class="chips"><li><a href="${base}/work${workSearch(new URLSearchParams(), { group: url.searchParams.get('group') ?? undefined })}" data-up>${say(WORK_LIST.all())}</a></li>${set.map(
    (name) => {
      const all = url.searchParams.getAll(name);
      const value = name === 'state' ? all.map((one) => (isState(one) ? say(stateInfo(one).words) : one)) : all;
      return markup`<li><a class="chip" href="${base}/work${workSearch(url.searchParams, { ...form, [name]: undefined })}">${say(CONSOLE_LIST.chip({ name: say(FILTER_WORDS[name]()) }))} <b>${value.join(', ') || say(WORK_LIST.none())}</b>${icon('cross')}</a></li>`;
    },
  )}</ul>`;
}

/** Why the filter selects nothing; undefined where each value is that of a document that waits. */
function unknownNotice({ say }: ScreenContext, query: WorkQuery, { unmatched }: WorkView): Markup | undefined {
  const none = unmatched.map((name) =>
    WORK_UNKNOWN.none({ name: say(FILTER_WORDS[name]()), value: String(query[name as keyof WorkQuery] ?? '') }),
  );
  const texts = query.refused ? [query.refused, ...none] : none;
  return texts.length === 0 ? undefined : notice({ tone: 'fix', text: texts.map(say).join(' ') });
}

function isFiltered(url: URL): boolean {
  return FILTERS.some((name) => url.searchParams.has(name));
}

function groupList(context: ScreenContext, { groups, more }: WorkView): Markup {
  const { say, base, url, language } = context;
  if (groups.length === 0) {
    return markup`<div class="empty">${icon('check')}<p>${say(isFiltered(url) ? WORK_LIST.match({ count: 0 }) : WORK_LIST.waiting({ count: 0 }))}</p></div>`;
  }
  const lines = groups.map((shown) => {
    const { group } = shown;
    const href = `${base}/work${workSearch(url.searchParams, openingGroup(group))}`;
    return markup`<li data-row data-href="${href}"><span class="count">${groupDigits(String(group.count), language)}</span>
<div><h2 class="cause clamped"><a href="${href}">${titleOf(context, shown)}</a></h2><p>${factsOf(context, shown)}</p></div>
<a class="button" href="${href}">${buttonOf(context, shown)}</a></li>`;
  });
  const rest = more > 0 ? markup`<p class="card-body dim">${say(WORK_LIST.more({ count: more }))}</p>` : undefined;
  return markup`<section class="card" aria-label="${say(WORK_LIST.groups())}"><ul class="causes">${lines}</ul>${rest}</section>`;
}

/** A cause is a sentence about the data; other groups have their name. */
function titleOf({ language, say }: Pick<ScreenContext, 'language' | 'say'>, { group, first }: ShownGroup): string {
  if (group.by === 'cause') return describeGroup(entryIn(first, language), group, language);
  return group.key === ''
    ? `${say(CONSOLE_LIST.chip({ name: say(WORK_LIST[group.by]()) }))} ${say(WORK_LIST.none())}`
    : group.key;
}

function factsOf({ say, language }: Pick<ScreenContext, 'say' | 'language'>, { group, first }: ShownGroup): Markup {
  const { by, column, customer, amounts, cause } = group;
  const [says, title] = [say(stateInfo(first.state).says), titleOf({ say, language }, { group, first })];
  const facts = [
    ...(column !== undefined && by !== 'column' ? [`${say(WORK_LIST.column())} ${column}`] : []),
    ...(customer !== undefined && by !== 'customer' ? [customer] : []),
    ...amountTexts(amounts, language),
    ...(by === 'cause' && first.state !== 'invalid' && says !== title ? [says] : []),
  ];
  return markup`${statePill(first.state, say, first.closed?.as)} <span class="dim">${facts.join(' · ')} <code>${cause}</code></span>`;
}

function buttonOf({ say, may }: ScreenContext, { group, first }: ShownGroup): string {
  const [act] = may('act') && group.by === 'cause' ? workActsFor(first.state, first.hold?.rule) : [];
  return act ? say(WORK_ACT[act]({ count: group.count })) : say(WORK_LIST.documents({ count: group.count }));
}

type Opened = {
  readonly open: OpenGroup;
  readonly shown: ShownGroup | undefined;
  readonly query: WorkQuery;
  readonly problem: FormProblem | undefined;
};

async function openGroup(context: ScreenContext, { open, shown, query, problem }: Opened): Promise<Markup> {
  const { say, base, url, language } = context;
  const { group, acts, act } = open;
  const tabs = acts.map((one) => {
    const current = one.act === act ? markup` aria-current="true"` : undefined;
    const changes = { act: one.act, suggested: undefined, fix: undefined, from: undefined, to: undefined };
    return markup`<a class="button" href="${base}/work${workSearch(url.searchParams, changes)}"${current}>${say(WORK_ACT[one.act]({ count: one.count }))}</a>`;
  });
  return markup`<section class="card" aria-labelledby="group"><header class="group-head"><h2 id="group">${groupDigits(String(group.count), language)} · ${shown && titleOf(context, shown)}</h2>
<p>${shown && factsOf(context, shown)}</p></header>
${tabs.length > 0 ? markup`<nav class="choices card-body" aria-label="${say(WORK_LIST.acts())}">${tabs}</nav>` : undefined}
${await workForm(context, { query, open, problem })}
<div id="group-documents">${documentTable(context, open)}</div></section>`;
}

type Column = TableOptions<LedgerEntry>['columns'][number];

/** Boxes: the act on the documents that are chosen is a button next to the act on all. */
function choiceOf({ form }: ScreenContext) {
  const chosen = new Set(form.getAll(CHOSEN));
  return {
    name: CHOSEN,
    form: 'act',
    valueOf: ({ id }: LedgerEntry) => id,
    nameOf: documentName,
    isChosen: ({ id }: LedgerEntry) => chosen.has(id),
  };
}

function documentTable(context: ScreenContext, { page, look, from, next, group, act }: OpenGroup): Markup {
  const { say, base, url, language, locale, leadsTo } = context;
  const changes = new Map(look?.fix?.planned.map(({ entry, edits }) => [entry.id, edits]));
  const problemOf = (entry: LedgerEntry) => describeCause(entryIn(entry, language), language);
  // The heading of the group has said it where all documents have the same.
  const hasMany = group.by !== 'cause' || new Set(page.map(problemOf)).size > 1;
  const problem: Column = {
    title: say(WORK_COLUMN.problem()),
    cell: (entry) => markup`<span class="clamped">${problemOf(entry)}</span>`,
  };
  const problems: readonly Column[] = [
    ...(hasMany ? [problem] : []),
    { title: say(WORK_COLUMN.since()), cell: ({ since }) => localTime(since, locale) },
  ];
  const tried: readonly Column[] = [
    {
      title: say(WORK_COLUMN.change()),
      cell: ({ id }) => {
        const [edit] = changes.get(id) ?? [];
        return edit ? cellDifference(edit.from, edit.to, say) : '';
      },
    },
    { title: say(WORK_COLUMN.then()), cell: ({ id }) => thenOf(look?.becomes.get(id), context) },
  ];
  const table = dataTable<LedgerEntry>(
    {
      caption: say(WORK_LIST.documents({ count: group.count })),
      columns: [
        { title: say(WORK_COLUMN.document()), cell: documentName, isName: true },
        { title: say(WORK_COLUMN.customer()), cell: ({ facts }) => facts.counterparty ?? '' },
        { title: say(WORK_COLUMN.amount()), cell: (entry) => amountOf(entry, language), isNumber: true },
        { title: say(WORK_COLUMN.cell()), cell: (entry) => cellOf(entry, say) },
        ...(look && !look.refused ? tried : problems),
      ],
      rows: page,
      empty: say(WORK_LIST.match({ count: 0 })),
      ...(act && group.count > 1 && { choice: choiceOf(context) }),
      ...(leadsTo('/documents/:id') && {
        hrefOf: ({ id }: LedgerEntry) => `${base}/documents/${encodeURIComponent(id)}`,
      }),
      pager: {
        ...(from > 0 && { first: `${base}/work${workSearch(url.searchParams, {})}` }),
        ...(next !== undefined && { next: `${base}/work${workSearch(url.searchParams, { after: next })}` }),
      },
    },
    say,
  );
  const place = { first: from + 1, last: from + page.length, count: group.count };
  return markup`${table}${page.length < group.count ? markup`<p class="card-body dim">${say(WORK_LIST.page(place))}</p>` : undefined}`;
}

/** As in the sum of the group above it: a credit note subtracts. */
function amountOf(entry: LedgerEntry, language: ScreenContext['language']): string {
  const { amount = '', currency = '' } = entry.facts;
  const exact = signedAmount(entry);
  return exact ? `${groupDigits(withCents(exact), language)} ${currency}`.trim() : amount;
}

/** The cell of the first fault. */
function cellOf({ state, faults }: LedgerEntry, say: ScreenContext['say']): Markup | string {
  const fault = state === 'invalid' || state === 'conflict' ? faults.find(isError) : undefined;
  if (fault?.origin?.column === undefined) return '';
  const { column, row } = fault.origin;
  const where = row === undefined ? column : say(WORK_COLUMN.row({ column, row }));
  return markup`<span class="dim">${where}</span>${fault.given === undefined ? undefined : markup` ${codeCell(fault.given)}`}`;
}

/** What the document would become. */
function thenOf(one: ReprocessResult | undefined, { say, language }: ScreenContext): Markup | string {
  if (!one) return '';
  if ('fault' in one) {
    const [fault] = spokenIn({ faults: [one.fault] }, language).faults;
    return markup`<span class="clamped">${fault?.message}</span>`;
  }
  if (one.state === 'unchanged') return pill({ tone: 'queue', text: say(WORK_LOOK.unchanged()) });
  const [fault] =
    one.state === 'invalid' ? spokenIn({ faults: one.outcome.faults.filter(isError) }, language).faults : [];
  return markup`${statePill(one.state, say)}${fault && markup` <span class="dim clamped">${fault.message}</span>`}`;
}
