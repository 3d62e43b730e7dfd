/** The home page: whether the last night went well, what waits, what did not come, whether the sums agree, the last runs. */
import {
  HOME_COMPLETE,
  HOME_DURATION,
  HOME_NIGHTS,
  HOME_TOTALS,
  HOME_VERDICT,
} from '../../i18n/messages/console/console-home-messages.ts';
import type { LedgerCounts } from '../../ledger/contract/query-store.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { STATE_GROUP_NAMES, STATE_GROUPS, type State, type StateGroupName, stateGroup } from '../../model/state.ts';
import type { Expected } from '../../pipeline/intake/expected-exports.ts';
import type { InstanceStatus } from '../../pipeline/queries/instance-status.ts';
import { type NightTotals, nightTotals } from '../../pipeline/queries/night-totals.ts';
import { type RecordedRun, recordedRuns } from '../../pipeline/queries/recorded-runs.ts';
import { refusedFiles } from '../../pipeline/queries/refused-files.ts';
import type { InstanceVerdict } from '../../pipeline/queries/verdict.ts';
import { groupDigits } from '../../pipeline/wording/amount-texts.ts';
import { runOutcome } from '../../pipeline/wording/run-lines.ts';
import { spokenIn } from '../../pipeline/wording/spoken-faults.ts';
import { localTime } from '../../text/local-time.ts';
import type { Screen, ScreenContext } from '../server/screen-context.ts';
import { dataTable } from '../shell/data-table.ts';
import { type Markup, markup } from '../shell/markup.ts';
import { nightChart } from '../shell/night-chart.ts';
import { card, notice } from '../shell/parts.ts';
import { proportionalBar } from '../shell/proportional-bar.ts';
import { GROUP_TONE, pill, type Tone, toneIcon, toneMark } from '../shell/tones.ts';
import { composePage, readVerdict, TONE_OF_VERDICT } from './compose-page.ts';
import { causesCard, hrefOfCause, openCauses } from './home-causes.ts';

/** Runs with exports that the page shows, and how many records it looks through for them. */
const NIGHTS = 14;
const RECORDS = 200;

export const homeScreen: Screen = async (context) => {
  const { ledger, say } = context;
  const { status, verdict, waiting } = await readVerdict(context);
  const runs = (await recordedRuns(context, RECORDS)).filter(
    ({ totals, outcome }) => totals?.files || outcome === 'running',
  );
  const night = runs.find(({ totals }) => totals?.files);
  const causes = await openCauses(context);
  const files = await refusedFiles(ledger);
  const [counts, totals] = night
    ? await Promise.all([runCounts(context, night.id), nightTotals(ledger, night.id)])
    : [undefined, undefined];
  const content = markup`<div class="stack" data-live>
${verdictCard(context, { verdict, status, night, counts, waiting, first: causes[0] })}
<div class="columns"><div class="stack">${causesCard(context, causes)}</div>
<div class="stack">${completeCard(context, status.expected, files)}${totals && totalsCard(context, totals)}${nightsCard(context, runs.slice(0, NIGHTS))}</div></div>
</div>`;
  return await composePage(context, { place: 'home', title: say(HOME_VERDICT.title()), content });
};

/** `authorized` is a part of those done. */
type RunCounts = { readonly groups: GroupCounts; readonly authorized: number };
type GroupCounts = { readonly [group in StateGroupName]: number };

/** Documents of a run by group; those that a person has closed are done. */
async function runCounts({ ledger }: ScreenContext, run: string): Promise<RunCounts> {
  const counts = await ledger.counts({ run });
  const closed = await ledger.counts({ run, closed: true });
  return { groups: sumsByGroup(counts, closed), authorized: counts.authorized ?? 0 };
}

function sumsByGroup(counts: LedgerCounts, closed: LedgerCounts = {}): GroupCounts {
  const sums = Object.fromEntries(STATE_GROUP_NAMES.map((name) => [name, 0])) as { [group in StateGroupName]: number };
  for (const [name, count] of Object.entries(counts)) {
    const state = name as State;
    const aside = closed[state] ?? 0;
    sums[stateGroup(state)] += count - aside;
    sums.done += aside;
  }
  return sums;
}

/** The good part first, then what waits, the most urgent first. */
const BAR_ORDER: readonly StateGroupName[] = [
  'done',
  'to-correct',
  'to-approve',
  'to-verify',
  'with-support',
  'under-way',
];

type VerdictFacts = {
  readonly verdict: InstanceVerdict;
  readonly status: InstanceStatus;
  readonly night: RecordedRun | undefined;
  readonly counts: RunCounts | undefined;
  readonly waiting: number;
  readonly first: Awaited<ReturnType<typeof openCauses>>[number] | undefined;
};

function verdictCard(context: ScreenContext, { verdict, status, night, counts, waiting, first }: VerdictFacts): Markup {
  const { say, language, base } = context;
  const digits = (count: number) => groupDigits(String(count), language);
  const start =
    first &&
    context.leadsTo('/work') &&
    markup`<a class="button primary" href="${hrefOfCause(base, first)}" data-edit>${say(HOME_VERDICT.start({ count: first.count }))}</a>`;
  const ofNight =
    counts &&
    sum([
      counts.groups['to-correct'],
      counts.groups['to-verify'],
      counts.groups['to-approve'],
      counts.groups['with-support'],
    ]);
  const about = [
    ...nightSentences(context, night, status),
    ...(counts
      ? [
          HOME_VERDICT.authorized({
            authorized: digits(counts.authorized),
            all: digits(sum(Object.values(counts.groups))),
          }),
        ]
      : []),
    HOME_VERDICT.queued({ count: status.documents.ready ?? 0 }),
    ...(ofNight !== undefined && waiting > ofNight ? [HOME_VERDICT.earlier({ count: waiting - ofNight })] : []),
  ];
  const { guard } = status;
  const halt = guard.send ? undefined : notice({ tone: 'support', title: guard.code, text: say(guard.reason) });
  return markup`<section class="card verdict" aria-labelledby="title"><div class="verdict-head">${toneMark(TONE_OF_VERDICT[verdict.weight])}
<div><h1 id="title" tabindex="-1">${say(verdict.sentence)}</h1><p class="about">${about.map(say).join(' ')}</p></div>${start || undefined}</div>${halt}
${counts && proportionalBar(BAR_ORDER.map((name) => ({ tone: GROUP_TONE[name], count: counts.groups[name], shown: digits(counts.groups[name]), text: say(STATE_GROUPS[name].words), ...(context.leadsTo('/documents') && { href: groupHref(base, name, night?.id) }) })))}</section>`;
}

function groupHref(base: string, group: StateGroupName, run = ''): string {
  const search = new URLSearchParams({ run });
  for (const state of STATE_GROUPS[group].states) search.append('state', state);
  return `${base}/documents?${search}`;
}

function nightSentences({ say, locale }: ScreenContext, night: RecordedRun | undefined, { lastRun }: InstanceStatus) {
  const running =
    lastRun?.outcome === 'running' ? [HOME_VERDICT.running({ time: localTime(lastRun.startedAt, locale) })] : [];
  if (!night) return running.length > 0 ? running : [HOME_VERDICT.none()];
  const { startedAt, endedAt = startedAt } = night;
  const seconds = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  const duration =
    seconds < 120
      ? HOME_DURATION.seconds({ count: seconds })
      : HOME_DURATION.minutes({ count: Math.round(seconds / 60) });
  return [...running, HOME_VERDICT.run({ time: localTime(startedAt, locale), duration: say(duration) })];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}

const EXPORT_TONE = {
  arrived: 'ok',
  missing: 'support',
  refused: 'support',
  duplicate: 'fix',
  waived: 'queue',
  'not-due': 'queue',
} as const satisfies Record<Expected['state'], Tone>;

/** Refused files that the card names; the page of the exports has all. */
const REFUSED_SHOWN = 2;

function completeCard(context: ScreenContext, expected: readonly Expected[], files: readonly SourceFile[]): Markup {
  const { say, locale, base, language } = context;
  // What did not come first; the order of the settings otherwise.
  const sorted = [...expected].sort((a, b) => Number(a.state === 'arrived') - Number(b.state === 'arrived'));
  const lines = sorted.map(({ name, files: pattern, due, state, file }) => {
    const text =
      file !== undefined && state === 'arrived'
        ? file
        : HOME_COMPLETE.due({ files: pattern, time: localTime(due, locale) });
    const tone = EXPORT_TONE[state];
    return markup`<li>${toneIcon(tone)}<div><strong>${name}</strong><p class="dim">${typeof text === 'string' ? text : say(text)}</p></div>${pill({ tone, text: say(HOME_COMPLETE[state]()) })}</li>`;
  });
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
    body: markup`<ul class="complete">${none}${lines}${refused}${rest}</ul>`,
  });
}

function totalsCard({ say, language }: ScreenContext, { currencies, withoutAmount }: NightTotals): Markup {
  const { sent, waiting, left } = withoutAmount;
  const documents = (count: number) => (count === 0 ? '' : say(HOME_TOTALS.documents({ count: String(count) })));
  const hasLeft = left > 0 || currencies.some((one) => !/^-?0\.0+$/.test(one.left));
  const rows = currencies.map((one) => ({
    name: one.currency,
    read: groupDigits(one.read, language),
    sent: groupDigits(one.sent, language),
    waiting: groupDigits(one.waiting, language),
    left: groupDigits(one.left, language),
  }));
  const without = { read: sent + waiting + left, sent, waiting, left };
  const last = {
    name: say(HOME_TOTALS.noAmount()),
    read: documents(without.read),
    sent: documents(sent),
    waiting: documents(waiting),
    left: documents(left),
  };
  const columns = (['read', 'sent', 'waiting', ...(hasLeft ? (['left'] as const) : [])] as const).map((name) => ({
    title: say(HOME_TOTALS[name]()),
    cell: (row: typeof last) => row[name],
    isNumber: true as const,
  }));
  const table = dataTable(
    {
      caption: say(HOME_TOTALS.caption()),
      columns: [{ title: say(HOME_TOTALS.currency()), cell: ({ name }) => name, isName: true }, ...columns],
      rows: without.read > 0 ? [...rows, last] : rows,
      empty: say(HOME_TOTALS.none()),
    },
    say,
  );
  return card({ id: 'totals', title: say(hasLeft ? HOME_TOTALS.titleWithLeft() : HOME_TOTALS.title()), body: table });
}

function nightsCard({ say, locale, base, leadsTo }: ScreenContext, runs: readonly RecordedRun[]): Markup {
  const nights = runs.toReversed().map((run) => {
    const counts = sumsByGroup(run.totals?.documents ?? {});
    const time = localTime(run.startedAt, locale);
    const text = say(
      HOME_NIGHTS.night({
        time,
        outcome: runOutcome(run),
        count: sum(Object.values(counts)),
        waiting: String(run.totals?.waiting ?? 0),
      }),
    );
    const parts = BAR_ORDER.map((name) => ({ tone: GROUP_TONE[name], count: counts[name] }));
    return {
      ...(leadsTo('/runs') && { href: `${base}/runs/${encodeURIComponent(run.id)}` }),
      label: dayOfMonth(time, locale.language),
      text,
      parts,
    };
  });
  const title = say(HOME_NIGHTS.title({ count: nights.length }));
  return card({
    id: 'nights',
    title,
    ...(leadsTo('/runs') && { note: markup`<a href="${base}/runs">${say(HOME_NIGHTS.all())}</a>` }),
    body: markup`<div class="card-body">${nights.length > 0 ? nightChart(nights, title) : say(HOME_NIGHTS.none())}</div>`,
  });
}

/** 22 of 2026-11-22 02:33 and of 22/11/2026 02:33. */
function dayOfMonth(time: string, language: ScreenContext['language']): string {
  return language === 'en' ? time.slice(8, 10) : time.slice(0, 2);
}
