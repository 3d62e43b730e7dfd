/** Morning reports, compared with their links in the chain of receipts. Reads only; differences are breaks. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256OfOurs } from '../files/sha256-of-file.ts';
import { FOUND } from '../i18n/messages/pipeline-messages.ts';
import type { RecordedReport } from '../ledger/contract/report-store.ts';
import { listNames } from '../receipts/output-folders.ts';
import { isReportFile, reportPaths } from '../receipts/report-files.ts';
import { type Break, broken, short } from './verify-findings.ts';
import type { VerifyContext } from './verify-source.ts';

type Place = Pick<VerifyContext, 'instance' | 'ledger'>;

/** Each report is as it was written, and each report below reports/ is one of the ledger, from its first day on. */
export async function* verifyReports(place: Place): AsyncIterable<Break> {
  const { ledger, instance } = place;
  const reports = await ledger.reports.list({ limit: Number.MAX_SAFE_INTEGER });
  for (const report of reports) if (!report.purged) yield* verifyReport(place, report);
  const first = reports.at(-1)?.day;
  if (first === undefined) return;
  const strangers = strangersIn(instance.folder, first, new Set(reports.flatMap(pathsOf)));
  if (strangers.length === 0) return;
  // Of a report that is being written, or that a stop cut off; one that was written meanwhile has its record now.
  const begun = (await ledger.reports.unfinishedReports()).map((id) => ({ id }));
  const now = await ledger.reports.list({ limit: Number.MAX_SAFE_INTEGER });
  const own = new Set([...begun, ...now].flatMap(pathsOf));
  for (const path of strangers) {
    if (!own.has(path)) yield broken('verify/file-unknown', FOUND.stranger({ path }), { path });
  }
}

async function* verifyReport({ instance, ledger }: Place, report: RecordedReport): AsyncIterable<Break> {
  const link = await ledger.receipts.linkAt(report.link);
  if (link?.what !== 'report' || link.id !== report.id) {
    yield broken('verify/link-missing', FOUND.reportLinkGone({ n: report.link, id: report.id }));
    return;
  }
  const { json, page } = reportPaths(report.id);
  for (const [path, sha256] of [
    [json, link.sha256],
    [page, link.payloadSha256 ?? ''],
  ] as const) {
    const found = await differenceOf(join(instance.folder, path), { path, n: link.n, sha256 });
    if (found) yield found;
  }
}

function pathsOf({ id }: Pick<RecordedReport, 'id'>): readonly string[] {
  return Object.values(reportPaths(id));
}

async function differenceOf(
  place: string,
  { path, n, sha256 }: { readonly path: string; readonly n: number; readonly sha256: string },
): Promise<Break | undefined> {
  if (!existsSync(place)) return broken('verify/report-missing', FOUND.notThere({ path }), { path });
  const found = await sha256OfOurs(place);
  if (found === sha256) return undefined;
  return broken('verify/report-changed', FOUND.linkHas({ found: short(found), n, hash: short(sha256) }), { path });
}

/** Days before the first recorded report may be of a ledger that was made again from receipts. */
function strangersIn(folder: string, first: string, known: ReadonlySet<string>): readonly string[] {
  const root = join(folder, 'reports');
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((day) => day.isDirectory() && /^\d{4}-\d\d-\d\d$/.test(day.name) && day.name > first)
    .flatMap((day) => listNames(join(root, day.name)).map((name) => `reports/${day.name}/${name}`))
    .filter((path) => isReportFile(path) && !known.has(path));
}
