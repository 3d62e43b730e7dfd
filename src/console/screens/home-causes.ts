/** What waits, by cause, with the way to the act: documents of the ledger come in, a card of the home page comes out. */

import { workActsFor } from '../../decisions/acts.ts';
import { HOME_ACT, HOME_CAUSE } from '../../i18n/messages/console/console-home-messages.ts';
import { CONSOLE_ERROR } from '../../i18n/messages/console/console-server-messages.ts';
import { definedItems } from '../../model/defined-only.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { SearchNotReadyError } from '../../search/search-index.ts';
import { groupWork, type WorkGroup } from '../../views/queries/causes.ts';
import { oldestWaiting } from '../../views/reporting/oldest-waiting.ts';
import { amountTexts, groupDigits } from '../../views/wording/amount-texts.ts';
import { describeGroup } from '../../views/wording/cause-words.ts';
import { entryIn } from '../../views/wording/spoken-faults.ts';
import type { ScreenContext } from '../server/screen-context.ts';
import { card } from '../shell/parts.ts';
import { statePill } from '../shell/tones.ts';

/** Causes that the card shows; the work list has all. Documents of the card below it. */
const [SHOWN, OLDEST] = [4, 4];

/** A group with its oldest document. */
type ShownCause = WorkGroup & { readonly first: LedgerEntry };

/** All open causes are counted; of the first ones the oldest document is read. The cause with the most is first. */
export type OpenCauses = {
  readonly count: number;
  readonly shown: readonly ShownCause[];
  /** Documents that need a person most, as in the morning report, with those that wait for the service. */
  readonly oldest: readonly LedgerEntry[];
  /** The ledger is being read for the first time: documents so far, and all. */
  readonly preparing?: Pick<SearchNotReadyError, 'done' | 'all'>;
};

export async function openCauses(context: Pick<ScreenContext, 'ledger' | 'index'>): Promise<OpenCauses> {
  try {
    return await readCauses(context);
  } catch (error) {
    if (!(error instanceof SearchNotReadyError)) throw error;
    return { count: 0, shown: [], oldest: [], preparing: error };
  }
}

async function readCauses({ ledger, index }: Pick<ScreenContext, 'ledger' | 'index'>): Promise<OpenCauses> {
  const search = await index();
  const work = await search.work({});
  const groups = groupWork(work, 'cause');
  const first = groups.slice(0, SHOWN);
  const entries = await ledger.queries.entriesById(first.flatMap((group) => group.ids.slice(0, 1)));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const shown = first.flatMap((group) => {
    const entry = byId.get(group.ids[0] ?? '');
    return entry ? [{ ...group, first: entry }] : [];
  });
  return { count: groups.length, shown, oldest: await oldestWaiting({ ledger, index: search }, work, OLDEST) };
}

/** The work list with the documents of one cause. */
export function hrefOfCause(base: string, { key, first }: ShownCause): string {
  return `${base}/work?${new URLSearchParams(key === first.state ? { state: key } : { cause: key })}`;
}

type CardContext = Pick<ScreenContext, 'say' | 'base' | 'language' | 'may' | 'leadsTo'>;

export function causesCard({ say, base, language, may, leadsTo }: CardContext, causes: OpenCauses): Markup {
  const { preparing } = causes;
  const count = preparing ? '' : say(HOME_CAUSE.count({ count: causes.count }));
  const hasWork = leadsTo('/work');
  const all = hasWork && !preparing ? markup`${count} · <a href="${base}/work">${say(HOME_CAUSE.all())}</a>` : count;
  const lines = causes.shown.map((cause) => {
    const href = hrefOfCause(base, cause);
    const act = may('act') ? actOf(cause) : 'look';
    const words = describeGroup(entryIn(cause.first, language), cause, language);
    return markup`<li data-row data-href="${href}"><span class="count">${groupDigits(String(cause.count), language)}</span>
<div><p class="cause clamped">${hasWork ? markup`<a href="${href}">${words}</a>` : words}</p><p class="dim">${statePill(cause.first.state, say)} ${detailsOf(cause, { say, language })}</p></div>${hasWork ? markup`<a class="button" href="${href}">${say(HOME_ACT[act]({ count: cause.count }))}</a>` : undefined}</li>`;
  });
  return card({
    id: 'causes',
    title: say(HOME_CAUSE.title()),
    note: all,
    body:
      lines.length > 0
        ? markup`<ul class="causes">${lines}</ul>`
        : markup`<div class="card-body">${say(preparing ? CONSOLE_ERROR.preparing({ done: groupDigits(String(preparing.done), language), all: groupDigits(String(preparing.all), language) }) : HOME_CAUSE.nothing())}</div>`,
  });
}

/** The first act that is offered for a state. */
function actOf({ first }: ShownCause): keyof typeof HOME_ACT {
  const [act] = workActsFor(first.state, first.hold?.rule);
  return act !== undefined && act in HOME_ACT ? (act as keyof typeof HOME_ACT) : 'look';
}

/** Column, the customer if all have the same, and amounts. */
function detailsOf(
  { column, customer, amounts }: ShownCause,
  { say, language }: Pick<ScreenContext, 'say' | 'language'>,
): string {
  const about = column === undefined ? [] : [say(HOME_CAUSE.column({ column }))];
  return [...about, ...definedItems([customer]), ...amountTexts(amounts, language)].join(' · ');
}
