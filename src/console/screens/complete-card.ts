/** Is the night complete: each expected export with what the report has about it, then refused files. Facts come in, a card comes out. */
import { HOME_COMPLETE } from '../../i18n/messages/console/console-home-messages.ts';
import { NIGHT_TEXT } from '../../i18n/messages/report/report-page-messages.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { durationText } from '../../text/duration-text.ts';
import { localTime } from '../../text/local-time.ts';
import { controlWords } from '../../views/reporting/control-words.ts';
import type { NightReport } from '../../views/reporting/report-shape.ts';
import { groupDigits } from '../../views/wording/amount-texts.ts';
import { spokenIn } from '../../views/wording/spoken-faults.ts';
import type { ScreenContext } from '../server/screen-context.ts';
import { card } from '../shell/parts.ts';
import { pill, type Tone, toneIcon } from '../shell/tones.ts';

type Expected = NightReport['expected'][number];

export const EXPORT_TONE = {
  arrived: 'ok',
  missing: 'support',
  refused: 'support',
  duplicate: 'fix',
  waived: 'queue',
  'not-due': 'queue',
} as const satisfies Record<Expected['state'], Tone>;

/** Refused files that the card names; the page of the exports has all. */
const REFUSED_SHOWN = 2;

export function completeCard(
  context: ScreenContext,
  expected: NightReport['expected'],
  files: readonly SourceFile[],
): Markup {
  const { say, base, language } = context;
  // What did not come first; the order of the settings otherwise.
  const sorted = [...expected].sort((a, b) => Number(a.state === 'arrived') - Number(b.state === 'arrived'));
  const refused = files.slice(0, REFUSED_SHOWN).map((file) => {
    const [fault] = spokenIn(file, language).faults;
    return markup`<li>${toneIcon('support')}<div><strong>${context.leadsTo('/files') ? markup`<a href="${base}/files/${encodeURIComponent(file.id)}">${file.name}</a>` : file.name}</strong><p class="dim clamped">${fault?.message}</p></div>${pill({ tone: 'support', text: say(HOME_COMPLETE.refused()) })}</li>`;
  });
  const more = files.length - REFUSED_SHOWN;
  const rest =
    more > 0
      ? markup`<li><span></span>${context.leadsTo('/files') ? markup`<a href="${base}/files?state=refused">${say(HOME_COMPLETE.more({ count: more }))}</a>` : say(HOME_COMPLETE.more({ count: more }))}</li>`
      : undefined;
  const none =
    expected.length === 0
      ? markup`<li>${toneIcon('queue')}<p class="dim">${say(HOME_COMPLETE.noneExpected())}</p></li>`
      : undefined;
  return card({
    id: 'complete',
    title: say(HOME_COMPLETE.title()),
    body: markup`<ul class="complete">${none}${sorted.map((one) => exportLine(context, one))}${refused}${rest}</ul>`,
  });
}

/** The names of an export with its hour, unless that has passed before the first run. */
export function hourOfExport(
  { say, locale, language }: Pick<ScreenContext, 'say' | 'locale' | 'language'>,
  { files, due, state }: Pick<Expected, 'files' | 'due' | 'state'>,
): string {
  return state === 'not-due' ? files : say(HOME_COMPLETE.due({ files, time: localTime(due, { ...locale, language }) }));
}

function exportLine(context: ScreenContext, one: Expected): Markup {
  const { say, locale, language } = context;
  const { name, state, file, arrivedAt, lateSeconds, rows, unusual } = one;
  const count = (n: number) => groupDigits(String(n), language);
  const about =
    file !== undefined && state === 'arrived'
      ? [file, ...(arrivedAt === undefined || lateSeconds !== undefined ? [] : [localTime(arrivedAt, locale)])]
      : [hourOfExport(context, one)];
  const late = lateSeconds === undefined ? [] : [say(NIGHT_TEXT.late({ duration: durationText(lateSeconds) }))];
  const amount = rows === undefined ? [] : [say(HOME_COMPLETE.rows({ count: rows, shown: count(rows) }))];
  const odd = [
    ...(unusual === undefined ? [] : [NIGHT_TEXT[unusual]()]),
    ...controlWords(one.controls, { count, amount: (text) => groupDigits(text, language) }),
  ];
  const tone = state === 'arrived' && odd.length > 0 ? 'fix' : EXPORT_TONE[state];
  const words = odd.map((message) => markup`<p class="tone-fix"><strong>${say(message)}</strong></p>`);
  return markup`<li>${toneIcon(tone)}<div><strong>${name}</strong><p class="dim">${[...about, ...late, ...amount].join(' · ')}</p>${words}</div>${pill({ tone, text: say(HOME_COMPLETE[state]()) })}</li>`;
}
