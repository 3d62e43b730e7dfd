/** The home page: whether the last night went well, what waits and since when, what did not come, whether the sums agree, the last runs. */
import { HOME_VERDICT } from '../../i18n/messages/console/console-home-messages.ts';
import { isExport } from '../../model/ledger-entry.ts';
import { type Markup, markup } from '../../pages/markup.ts';
import { durationBetween } from '../../text/duration-text.ts';
import { localTime } from '../../text/local-time.ts';
import type { InstanceStatus } from '../../views/queries/instance-status.ts';
import { isAhead, type RecordedRun, recordedRuns } from '../../views/queries/recorded-runs.ts';
import { refusedFiles } from '../../views/queries/refused-files.ts';
import type { StatusCheck } from '../../views/queries/status-check.ts';
import { type InstanceVerdict, verdictOf } from '../../views/queries/verdict.ts';
import { exportReasons } from '../../views/reporting/night-verdict.ts';
import type { NightReport } from '../../views/reporting/report-shape.ts';
import { groupDigits } from '../../views/wording/amount-texts.ts';
import { completenessNow, sumsOf } from '../server/night-sums.ts';
import type { Screen, ScreenContext } from '../server/screen-context.ts';
import { notice } from '../shell/parts.ts';
import { toneMark } from '../shell/tones.ts';
import { completeCard } from './complete-card.ts';
import { composePage, readVerdict, TONE_OF_VERDICT } from './compose-page.ts';
import { causesCard, hrefOfCause, type OpenCauses, openCauses } from './home-causes.ts';
import { oldestCard } from './home-oldest.ts';
import { nightBar, nightsCard, type RunCounts, runCounts, totalsCard } from './run-parts.ts';

/** Runs with exports that the page shows, and how many records it looks through for them. */
const NIGHTS = 14;
const RECORDS = 200;

export const homeScreen: Screen = async (context) => {
  const { ledger, say } = context;
  const { status, check, waiting } = await readVerdict(context);
  const records = await recordedRuns(context, RECORDS);
  const runs = records.filter(({ totals, outcome }) => totals?.files || outcome === 'running');
  const night = await lastNight(context, records);
  const causes = await openCauses(context);
  const files = await refusedFiles(ledger.queries);
  const [counts, totals, expected] = await Promise.all([
    night && runCounts(context, { night: night.id }),
    night && sumsOf(context, night),
    completenessNow(context, status.expected),
  ]);
  const verdict = verdictWith(check, expected);
  const content = markup`<div class="stack" data-live>
${verdictCard(context, { verdict, status, night, counts, waiting, first: causes.shown[0] })}
<div class="columns"><div class="stack">${causesCard(context, causes)}${oldestCard(context, causes.oldest)}</div>
<div class="stack">${completeCard(context, expected, files)}${totals && totalsCard(context, totals)}${nightsCard(context, runs.slice(0, NIGHTS))}</div></div>
</div>`;
  return await composePage(context, { place: 'home', title: say(HOME_VERDICT.title()), content, verdict });
};

/** The latest run by the clock of now that has exports in its night: also one that was stopped, until a report has them. */
async function lastNight({ ledger }: ScreenContext, runs: readonly RecordedRun[]): Promise<RecordedRun | undefined> {
  const now = new Date();
  const inTime = runs.filter((run) => !isAhead(run, now));
  for (const run of inTime.length > 0 ? inTime : runs) {
    if (run.outcome === 'running') continue;
    if ((await ledger.queries.filesOfNight(run.id)).some(isExport)) return run;
  }
  return undefined;
}

/** With what the report says about exports that came and are not as they should be. */
function verdictWith({ level, says }: Pick<StatusCheck, 'level' | 'says'>, expected: NightReport['expected']) {
  const odd = exportReasons(expected);
  if (odd.length === 0) return verdictOf({ level, says });
  return verdictOf(level === 0 ? { level: 1, says: odd } : { level, says: [...says, ...odd] });
}

type VerdictFacts = {
  readonly verdict: InstanceVerdict;
  readonly status: InstanceStatus;
  readonly night: RecordedRun | undefined;
  readonly counts: RunCounts | undefined;
  readonly waiting: number;
  readonly first: OpenCauses['shown'][number] | undefined;
};

function verdictCard(context: ScreenContext, { verdict, status, night, counts, waiting, first }: VerdictFacts): Markup {
  const { say, language, base } = context;
  const digits = (count: number) => groupDigits(String(count), language);
  const start =
    first &&
    context.leadsTo('/work') &&
    markup`<a class="button primary" href="${hrefOfCause(base, first)}" data-edit>${say(HOME_VERDICT.start({ count: first.count }))}</a>`;
  const about = [
    ...nightSentences(context, night, status),
    ...(counts
      ? [
          HOME_VERDICT.authorized({
            authorized: digits(counts.authorized),
            all: digits(counts.all),
          }),
        ]
      : []),
    HOME_VERDICT.queued({ count: status.documents.ready ?? 0 }),
    ...(counts && waiting > counts.waiting ? [HOME_VERDICT.earlier({ count: waiting - counts.waiting })] : []),
  ];
  const { guard } = status;
  const halt = guard.send ? undefined : notice({ tone: 'support', title: guard.code, text: say(guard.reason) });
  return markup`<section class="card verdict" aria-labelledby="title"><div class="verdict-head">${toneMark(TONE_OF_VERDICT[verdict.weight])}
<div><h1 id="title" tabindex="-1">${say(verdict.sentence)}</h1><p class="about">${about.map(say).join(' ')}</p></div>${start || undefined}</div>${halt}
${counts && night && nightBar(context, night.id, counts)}</section>`;
}

function nightSentences({ locale }: ScreenContext, night: RecordedRun | undefined, { lastRun }: InstanceStatus) {
  const running =
    lastRun?.outcome === 'running' ? [HOME_VERDICT.running({ time: localTime(lastRun.startedAt, locale) })] : [];
  if (!night) return running.length > 0 ? running : [HOME_VERDICT.none()];
  const { startedAt, endedAt } = night;
  const time = localTime(startedAt, locale);
  if (endedAt === undefined) return [...running, HOME_VERDICT.runOpen({ time })];
  return [...running, HOME_VERDICT.run({ time, duration: durationBetween(startedAt, endedAt) })];
}
