/**
 * The morning report as files: `reports/DAY/RUN.report.json` and the page next to it, durable before the ledger records them
 * with a link in the chain of receipts. A refusal of the disk throws its OperatorError; documents do not depend on it.
 */
import { join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';
import { localeOf } from '../instance/locale.ts';
import type { RecordedReport } from '../ledger/contract/report-store.ts';
import type { Link } from '../model/chain-link.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { chainEndOf } from '../pipeline/publishing/publish-summaries.ts';
import { reportPaths } from '../receipts/report-files.ts';
import { isoDayIn } from '../text/local-time.ts';
import { stripTerminalControls } from '../text/printable.ts';
import { sha256Hex } from '../text/sha256.ts';
import type { NightReport } from '../views/reporting/report-shape.ts';
import { dropLeftReports } from './left-reports.ts';

/** The text of the JSON file. */
function reportText(report: NightReport): string {
  return `${stripTerminalControls(JSON.stringify(report, null, 2))}\n`;
}

/** Resolves to the id of the report when files and link are durable. `page` is its HTML. */
export async function writeReport(context: RunContext, report: NightReport, page: string): Promise<string> {
  const { ledger, instance, clock } = context;
  await dropLeftReports(context, context.run);
  const day = isoDayIn(report.endedAt, localeOf(instance.settings).zone) ?? report.endedAt.slice(0, 10);
  const id = await freeId(ledger, day, report.run);
  const paths = reportPaths(id);
  const folder = join(instance.folder, 'reports', day);
  await ensureFolder(folder);
  const json = reportText(report);
  // Before its files: what a stop leaves of them is removed by the next report.
  await ledger.reports.beginReport({ id, run: report.run });
  await writeDurable(join(instance.folder, paths.json), json);
  await writeDurable(join(instance.folder, paths.page), page);
  await syncFolder(folder);
  const { head, run, at } = await chainEndOf(context);
  const [sha256, pageSha256] = [sha256Hex(json), sha256Hex(page)];
  const link: Link = definedOnly({
    n: (head?.n ?? 0) + 1,
    what: 'report' as const,
    id,
    revision: 1,
    state: report.outcome,
    attempts: 0,
    sha256,
    payloadSha256: pageSha256,
    run,
    at,
    previous: head?.hash,
  });
  const record = { id, run, day, at: clock.now().toISOString(), since: report.since, sha256, pageSha256 };
  const exports = report.files.flatMap((line) => (line.balance ? [line.id] : []));
  await ledger.reports.recordReport({ ...record, events: await ledger.receipts.eventCount() }, link, exports);
  return id;
}

/** DAY/RUN, with a number after it where the run has a report of that day already: a watch that ends. */
async function freeId(ledger: RunContext['ledger'], day: string, run: string): Promise<string> {
  const taken = new Set((await ledger.reports.list({ run, day })).map(({ id }: RecordedReport) => id));
  let id = `${day}/${run}`;
  for (let n = 2; taken.has(id); n++) id = `${day}/${run}-${n}`;
  return id;
}
