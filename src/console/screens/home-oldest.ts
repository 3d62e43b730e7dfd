/** The documents that need a person most, a line each: entries of the ledger come in, a card of the home page comes out. */
import { ACTOR } from '../../i18n/messages/cli-views-messages.ts';
import { HOME_OLDEST } from '../../i18n/messages/console/console-home-messages.ts';
import { NIGHT_PART } from '../../i18n/messages/report/report-page-messages.ts';
import type { LedgerEntry } from '../../model/ledger-entry.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { localTime } from '../../text/local-time.ts';
import { waitingDocument } from '../../views/reporting/oldest-waiting.ts';
import type { ScreenContext } from '../server/screen-context.ts';
import { card } from '../shell/parts.ts';
import { statePill } from '../shell/tones.ts';

type CardContext = Pick<ScreenContext, 'say' | 'base' | 'locale' | 'leadsTo'>;

/** As the morning report has them; undefined where nothing waits. */
export function oldestCard(context: CardContext, oldest: readonly LedgerEntry[]): Markup | undefined {
  if (oldest.length === 0) return undefined;
  const { say } = context;
  const lines = oldest.map((entry) => documentLine(context, entry));
  return card({ id: 'oldest', title: say(NIGHT_PART.oldest()), body: markup`<ul class="oldest">${lines}</ul>` });
}

function documentLine({ say, base, locale, leadsTo }: CardContext, entry: LedgerEntry): Markup {
  const { id, number, state, since, responsible, file, nextAt } = waitingDocument(entry);
  const name = leadsTo('/documents/:id')
    ? markup`<a href="${base}/documents/${encodeURIComponent(id)}">${number}</a>`
    : number;
  const about = [
    say(HOME_OLDEST.since({ time: localTime(since, locale) })),
    ...(nextAt === undefined ? [] : [say(HOME_OLDEST.next({ time: localTime(nextAt, locale) }))]),
    ...(responsible === 'nobody' ? [] : [say(ACTOR[responsible]())]),
    file,
  ];
  return markup`<li><strong>${name}</strong>${statePill(state, say)}<span class="dim">${about.join(' · ')}</span></li>`;
}
