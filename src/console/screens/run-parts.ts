/** Parts that the pages of runs share: documents by group, control totals, nights as bars. Records come in, HTML comes out. */
import { HOME_NIGHTS, HOME_TOTALS } from '../../i18n/messages/console/console-home-messages.ts';
import type { LedgerCounts } from '../../ledger/contract/query-store.ts';
import { SET_ASIDE_CAUSE } from '../../model/cause.ts';
import type { Selector } from '../../model/ledger-entry.ts';
import { STATE_GROUP_NAMES, STATE_GROUPS, type State, type StateGroupName, stateGroup } from '../../model/state.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { localTime } from '../../text/local-time.ts';
import { waitsForPerson } from '../../views/queries/instance-status.ts';
import type { RecordedRun } from '../../views/queries/recorded-runs.ts';
import type { NightTotals } from '../../views/reporting/night-totals.ts';
import { groupDigits } from '../../views/wording/amount-texts.ts';
import { runOutcome } from '../../views/wording/run-lines.ts';
import { keepAnswers } from '../server/kept-answers.ts';
import type { ScreenContext } from '../server/screen-context.ts';
import { dataTable } from '../shell/data-table.ts';
import { nightChart } from '../shell/night-chart.ts';
import { card } from '../shell/parts.ts';
import { proportionalBar } from '../shell/proportional-bar.ts';
import { GROUP_TONE, type Tone } from '../shell/tones.ts';

/** `all`: of all groups, and `closed` by a person; `authorized` is a part of those done; `waiting`: for a person, as in the work list. */
export type RunCounts = {
  readonly [count in 'all' | 'closed' | 'authorized' | 'waiting']: number;
} & { readonly groups: GroupCounts };
type GroupCounts = { readonly [group in StateGroupName]: number };

/** `night`: the documents of its exports, as in its control totals. `run`: those that it took in or tried, as `list --run` has them. */
type CountedRun = Pick<Selector, 'night'> | Pick<Selector, 'run'>;

/** Documents of a run by group, and those that a person has closed. */
export function runCounts({ ledger, instance: { folder }, acts }: ScreenContext, of: CountedRun): Promise<RunCounts> {
  return keepCounts({ folder, acts }, { key: JSON.stringify(of), version: ledger }, () => countRun(ledger, of));
}

const keepCounts = keepAnswers<RunCounts>();

async function countRun(ledger: ScreenContext['ledger'], of: CountedRun): Promise<RunCounts> {
  const counts = await ledger.queries.counts(of);
  const closed = await ledger.queries.counts({ ...of, cause: SET_ASIDE_CAUSE });
  const groups = sumsByGroup(counts, closed);
  const waiting = WAITING_GROUPS.map((name) => groups[name]);
  const [all, aside] = [sum(Object.values(counts)), sum(Object.values(closed))];
  return { groups, all, closed: aside, authorized: counts.authorized ?? 0, waiting: sum(waiting) };
}

/** The same documents as in the verdict: those of the states that wait for a person. */
const WAITING_GROUPS = STATE_GROUP_NAMES.filter((name) => STATE_GROUPS[name].states.every(waitsForPerson));

function sumsByGroup(counts: LedgerCounts, closed: LedgerCounts = {}): GroupCounts {
  const sums = Object.fromEntries(STATE_GROUP_NAMES.map((name) => [name, 0])) as { [group in StateGroupName]: number };
  for (const [name, count] of Object.entries(counts)) {
    const state = name as State;
    sums[stateGroup(state)] += count - (closed[state] ?? 0);
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

/** The documents of a night as a bar; each part leads to the list of its documents. */
export function nightBar({ say, base, language, leadsTo }: ScreenContext, night: string, counts: RunCounts): Markup {
  const part = (tone: Tone, count: number, text: string, filter: [string, string][]) => ({
    ...{ tone, count, shown: groupDigits(String(count), language), text },
    ...(leadsTo('/documents') && { href: `${base}/documents?${new URLSearchParams([['night', night], ...filter])}` }),
  });
  const open: [string, string][] = counts.closed > 0 ? [['closed', 'no']] : [];
  return proportionalBar([
    ...BAR_ORDER.map((name) => {
      const states = STATE_GROUPS[name].states.map((state): [string, string] => ['state', state]);
      return part(GROUP_TONE[name], counts.groups[name], say(STATE_GROUPS[name].words), [...states, ...open]);
    }),
    part('queue', counts.closed, say(HOME_TOTALS.closed()), [['closed', 'only']]),
  ]);
}

export function totalsCard({ say, language }: ScreenContext, totals: NightTotals | 'adding'): Markup {
  if (totals === 'adding') {
    const body = markup`<div class="card-body">${say(HOME_TOTALS.adding())}</div>`;
    return card({ id: 'totals', title: say(HOME_TOTALS.title()), body });
  }
  const { currencies, withoutAmount, documents, corrected } = totals;
  const { sent, waiting, setAside, skipped, exportedAgain } = withoutAmount;
  const isZero = (amount: string | number) => /^-?0(?:\.0+)?$/.test(String(amount));
  const apart = (['setAside', 'skipped', 'exportedAgain'] as const).filter((name) =>
    [documents, withoutAmount, ...currencies].some((one) => !isZero(one[name])),
  );
  const names = ['read', 'sent', 'waiting', ...apart] as const;
  const shown = <T extends { readonly [name in (typeof names)[number]]: string | number }>(one: T) =>
    Object.fromEntries(names.map((name) => [name, groupDigits(String(one[name]), language)])) as Shown;
  const without = { ...withoutAmount, read: sent + waiting + setAside + skipped + exportedAgain };
  const rows = [
    { name: say(HOME_TOTALS.documents()), ...shown(documents) },
    ...currencies.map((one) => ({ name: one.currency, ...shown(one) })),
    ...(without.read > 0 ? [{ name: say(HOME_TOTALS.noAmount()), ...shown(without) }] : []),
  ];
  const columns = names.map((name) => ({
    title: say(HOME_TOTALS[name]()),
    cell: (row: (typeof rows)[number]) => row[name],
    isNumber: true as const,
  }));
  const table = dataTable(
    {
      caption: say(HOME_TOTALS.caption()),
      columns: [
        {
          title: say(HOME_TOTALS.currency()),
          cell: ({ name }) => markup`<span class="whole">${name}</span>`,
          isName: true,
        },
        ...columns,
      ],
      rows,
      empty: say(HOME_TOTALS.none()),
    },
    say,
  );
  const note =
    corrected === 0
      ? undefined
      : markup`<div class="card-body dim">${say(HOME_TOTALS.corrected({ count: corrected }))}</div>`;
  const title = apart.length > 0 ? HOME_TOTALS.titleWhole() : HOME_TOTALS.title();
  return card({
    id: 'totals',
    title: say(apart.includes('exportedAgain') ? HOME_TOTALS.titleAgain() : title),
    body: markup`${table}${note}`,
  });
}

type Shown = { readonly [name in 'read' | 'sent' | 'waiting' | 'setAside' | 'skipped' | 'exportedAgain']: string };

export function nightsCard({ say, locale, base, leadsTo }: ScreenContext, runs: readonly RecordedRun[]): Markup {
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

/** Of all counts. */
export function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}
