/** One run: its result in words, its documents as they are now, control totals, its exports, and what changed before it. */

import { RUN_PAGE, RUNS_PAGE } from '../../../i18n/messages/console/console-runs-messages.ts';
import { type Markup, markup } from '../../../pages/markup.ts';
import { localTime } from '../../../text/local-time.ts';
import type { FileSummary } from '../../../views/queries/file-summary.ts';
import { summarizeFiles } from '../../../views/queries/file-summary.ts';
import { type RecordedRun, recordedRuns } from '../../../views/queries/recorded-runs.ts';
import { changesOfRun } from '../../../views/queries/run-changes.ts';
import { nightTotals } from '../../../views/reporting/night-totals.ts';
import { groupDigits } from '../../../views/wording/amount-texts.ts';
import { runOutcome } from '../../../views/wording/run-lines.ts';
import { notFound, type Screen, type ScreenContext } from '../../server/screen-context.ts';
import { dataTable } from '../../shell/data-table.ts';
import { terminalLine } from '../../shell/forms.ts';
import { card, definitionList, pageHeading } from '../../shell/parts.ts';
import { composePage } from '../compose-page.ts';
import { filePill } from '../files/file-parts.ts';
import { nightBar, type RunCounts, runCounts, sum, totalsCard } from '../run-parts.ts';
import { changeLines, durationOf, runPill } from './runs-screen.ts';

const FILES = 100;
/** Documents whose amounts are added up for a page. */
const MOST_DOCUMENTS = 5000;

export const runScreen: Screen = async (context) => {
  const { say, ledger, params, locale } = context;
  const id = params.id ?? '';
  const [run] = await recordedRuns(context, 1, id);
  if (run?.id !== id) throw notFound();
  const changes = await changesOfRun(ledger.runs, id);
  const [counts, tried] = [await runCounts(context, { night: id }), await runCounts(context, { run: id })];
  const { all } = counts;
  const totals = all > 0 && all <= MOST_DOCUMENTS ? await nightTotals(ledger.reports, id) : undefined;
  const title = say(RUN_PAGE.title({ time: localTime(run.startedAt, locale) }));
  const content = markup`${pageHeading({ title, marks: runPill(run, context), about: id })}
<div class="columns"><div class="stack">${documentsCard(context, id, { counts, tried })}${await filesCard(context, id)}</div>
<div class="stack">${totals && totalsCard(context, totals)}${factsCard(context, run, changeLines(changes, context))}</div></div>`;
  return await composePage(context, { place: 'runs', title, content });
};

type OfRun = { readonly counts: RunCounts; readonly tried: RunCounts };

function documentsCard(context: ScreenContext, run: string, { counts, tried }: OfRun): Markup {
  const { say, base, leadsTo } = context;
  const { all } = counts;
  const bar = nightBar(context, run, counts);
  const others = tried.all;
  const words = say(RUN_PAGE.tried({ count: others }));
  const list = leadsTo('/documents')
    ? markup`<a href="${base}/documents?${new URLSearchParams({ run }).toString()}">${words}</a>`
    : words;
  const terminal = terminalLine(`nightpost list --night ${run}`, say);
  return card({
    id: 'documents',
    title: say(RUN_PAGE.documents()),
    note: say(RUN_PAGE.count({ count: all })),
    body: markup`<div class="card-body stack">${all > 0 ? bar : say(RUN_PAGE.noDocuments())}${others > 0 && others !== all ? markup`<p>${list}</p>` : undefined}${terminal}</div>`,
  });
}

async function filesCard(context: ScreenContext, run: string): Promise<Markup> {
  const { say, ledger, base, locale, language, leadsTo } = context;
  const { found = [], again = [] } = Object.groupBy(await ledger.queries.filesOfNight(run), ({ rereads }) =>
    rereads === undefined ? 'found' : 'again',
  );
  const isReportedLater = found.length === 0 && (await ledger.queries.files({ run, whole: true, limit: 1 })).length > 0;
  const files = await summarizeFiles(ledger.queries, found.slice(0, FILES));
  const countOf = new Map(files.map(({ id, documents }) => [id, sum(Object.values(documents))]));
  // A document that was corrected since is of its export, as in the bar.
  for (const { id, rereads = '' } of again) {
    const before = countOf.get(rereads);
    if (before !== undefined)
      countOf.set(rereads, before + sum(Object.values(await ledger.queries.counts({ file: id }))));
  }
  const documents = ({ id }: FileSummary) => groupDigits(String(countOf.get(id) ?? 0), language);
  const table = dataTable<FileSummary>(
    {
      caption: say(RUN_PAGE.files()),
      rows: files,
      empty: say(isReportedLater ? RUN_PAGE.reportedLater() : RUN_PAGE.noFiles()),
      ...(leadsTo('/files') && { hrefOf: ({ id }: FileSummary) => `${base}/files/${encodeURIComponent(id)}` }),
      columns: [
        { title: say(RUN_PAGE.file()), cell: ({ name }) => name, isName: true },
        { title: say(RUN_PAGE.taken()), cell: ({ claimedAt }) => localTime(claimedAt, locale) },
        { title: say(RUN_PAGE.state()), cell: (file) => filePill(file, context) },
        { title: say(RUN_PAGE.rows()), cell: ({ rows }) => groupDigits(String(rows), language), isNumber: true },
        { title: say(RUNS_PAGE.documents()), cell: documents, isNumber: true },
      ],
      ...(found.length > FILES && {
        pager: { next: `${base}/files?${new URLSearchParams({ night: run, after: files.at(-1)?.id ?? '' })}` },
      }),
    },
    say,
  );
  return card({ id: 'files', title: say(RUN_PAGE.files()), body: table });
}

function factsCard({ say, locale }: ScreenContext, run: RecordedRun, changes: Markup | string): Markup {
  const { startedAt, endedAt, totals } = run;
  const facts = definitionList([
    [say(RUN_PAGE.result()), say(runOutcome(run))],
    [say(RUNS_PAGE.begin()), localTime(startedAt, locale)],
    [say(RUN_PAGE.end()), endedAt && localTime(endedAt, locale)],
    [say(RUNS_PAGE.duration()), durationOf(run)],
    [say(RUN_PAGE.atEnd()), totals && say(RUN_PAGE.left({ queued: totals.queued, waiting: totals.waiting }))],
    [say(RUN_PAGE.refused()), totals && totals.filesRefused > 0 ? String(totals.filesRefused) : undefined],
    [say(RUN_PAGE.missing()), totals && totals.exportsMissing > 0 ? String(totals.exportsMissing) : undefined],
    [say(RUNS_PAGE.changed()), changes === '' ? say(RUN_PAGE.unchanged()) : changes],
    [say(RUN_PAGE.program()), run.version],
    [say(RUN_PAGE.machine()), say(RUN_PAGE.process({ host: run.host, pid: String(run.pid) }))],
  ]);
  return card({ id: 'facts', title: say(RUN_PAGE.facts()), body: markup`<div class="card-body">${facts}</div>` });
}
