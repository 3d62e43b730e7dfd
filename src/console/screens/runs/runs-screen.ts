/** The runs: one line each with its verdict in words, counts, amounts, and what changed since the one before; the last nights as bars. */
import { RUNS_PAGE } from '../../../i18n/messages/console/console-runs-messages.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { durationBetween } from '../../../text/duration-text.ts';
import { localTime } from '../../../text/local-time.ts';
import { type RecordedRun, recordedRuns } from '../../../views/queries/recorded-runs.ts';
import { RUNS_BEFORE, type RunChanges, runChanges } from '../../../views/queries/run-changes.ts';
import { amountTexts, groupDigits } from '../../../views/wording/amount-texts.ts';
import { runChangeWords } from '../../../views/wording/run-change-words.ts';
import { runResult } from '../../../views/wording/run-lines.ts';
import type { Screen, ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { terminalLine } from '../../shell/forms.ts';
import { card, pageHeading } from '../../shell/parts.ts';
import { pill, type Tone } from '../../shell/tones.ts';
import { composePage } from '../compose-page.ts';
import { nightsCard, sum } from '../run-parts.ts';

const PAGE = 25;
const NIGHTS = 14;

export const runsScreen: Screen = async (context) => {
  const { say, ledger, url, base } = context;
  const from = url.searchParams.get('from') ?? '';
  const records = await recordedRuns(context, PAGE + RUNS_BEFORE, from === '' ? undefined : from);
  const runs = records.slice(0, PAGE);
  const changes = await runChanges(ledger.runs, records);
  const nights = from === '' ? records.filter(({ totals }) => totals?.files).slice(0, NIGHTS) : [];
  const next = records[PAGE]?.id;
  const table = dataTable<RecordedRun>(
    {
      caption: say(RUNS_PAGE.caption()),
      rows: runs,
      empty: say(RUNS_PAGE.none()),
      hrefOf: ({ id }) => `${base}/runs/${encodeURIComponent(id)}`,
      columns: [
        { title: say(RUNS_PAGE.begin()), cell: (run) => beginOf(run, context), isName: true },
        { title: say(RUNS_PAGE.result()), cell: (run) => runPill(run, context) },
        { title: say(RUNS_PAGE.duration()), cell: durationOf, isNumber: true },
        { title: say(RUNS_PAGE.files()), cell: ({ totals }) => countText(totals?.files, context), isNumber: true },
        { title: say(RUNS_PAGE.documents()), cell: ({ totals }) => documentsOf(totals, context), isNumber: true },
        { title: say(RUNS_PAGE.authorized()), cell: ({ totals }) => amountsOf(totals, context), isNumber: true },
        { title: say(RUNS_PAGE.waiting()), cell: ({ totals }) => countText(totals?.waiting, context), isNumber: true },
        { title: say(RUNS_PAGE.changed()), cell: ({ id }) => changeLines(changes.get(id), context) },
      ],
      pager: {
        ...(from !== '' && { first: `${base}/runs` }),
        ...(next !== undefined && { next: `${base}/runs?${new URLSearchParams({ from: next })}` }),
      },
    },
    say,
  );
  const list = markup`${table}<div class="card-body">${terminalLine(`nightpost runs --last ${PAGE}`, say)}</div>`;
  const content = markup`${pageHeading({ title: say(RUNS_PAGE.title()), about: say(RUNS_PAGE.about()) })}
${nights.length > 0 ? nightsCard({ ...context, leadsTo: (path) => path !== '/runs' && context.leadsTo(path) }, nights) : undefined}
${card({ id: 'runs', title: say(RUNS_PAGE.all()), body: list })}`;
  return await composePage(context, { place: 'runs', title: say(RUNS_PAGE.title()), content });
};

const OUTCOME_TONE = { running: 'wait', stopped: 'queue', failed: 'support', died: 'support' } as const;

/** Green only for a run after which nothing waits. */
function toneOf({ outcome, exit }: RecordedRun): Tone {
  if (outcome !== 'completed') return OUTCOME_TONE[outcome];
  if (exit === 0) return 'ok';
  return exit === 3 ? 'fix' : 'support';
}

/** The result in words, never the number of the exit code alone. */
export function runPill(run: RecordedRun, { say }: Pick<ScreenContext, 'say'>): Markup {
  const text = say(runResult(run));
  return pill({ tone: toneOf(run), text: text.charAt(0).toUpperCase() + text.slice(1) });
}

function beginOf({ startedAt, kind }: RecordedRun, { locale, say }: ScreenContext): Markup {
  const watch = kind === 'watch' ? markup` <span class="dim">${say(RUNS_PAGE.watch())}</span>` : undefined;
  return markup`<span class="whole">${localTime(startedAt, locale)}</span>${watch}`;
}

/** Empty without an end. */
export function durationOf({ startedAt, endedAt }: Pick<RecordedRun, 'startedAt' | 'endedAt'>): string {
  return durationBetween(startedAt, endedAt);
}

function countText(count: number | undefined, { language }: ScreenContext): string {
  return count === undefined ? '' : groupDigits(String(count), language);
}

function documentsOf(totals: RecordedRun['totals'], context: ScreenContext): string {
  return totals ? countText(sum(Object.values(totals.documents)), context) : '';
}

function amountsOf(totals: RecordedRun['totals'], { language }: ScreenContext): Markup | string {
  const texts = totals ? amountTexts(totals.authorized, language) : [];
  return texts.length === 0 ? '' : markup`${texts.map((text) => markup`<span class="line">${text}</span>`)}`;
}

/** What is not as before; empty if nothing is known to have changed. */
export function changeLines(changes: RunChanges | undefined, { say }: Pick<ScreenContext, 'say'>): Markup | string {
  const lines = changes ? runChangeWords(changes).map(say) : [];
  return lines.length === 0 ? '' : markup`${lines.map((text) => markup`<span class="line">${text}</span>`)}`;
}
