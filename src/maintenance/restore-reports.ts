/**
 * Morning reports in a ledger that replaces another one: those in the folder that it does not know get links of their own, so
 * that they are proven, listed and purged like all others. One without its page, or that cannot be read, is noted.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Statements } from '../database/database-driver.ts';
import type { Instance } from '../instance/instance.ts';
import { importReport } from '../ledger/records/report-records.ts';
import { DAY_FOLDER, jsonIfAny, listNames, readsOwnBytes } from '../receipts/output-folders.ts';
import { reportId, reportPaths } from '../receipts/report-files.ts';
import { compareTexts } from '../text/compare-texts.ts';
import { sha256Hex } from '../text/sha256.ts';

const instant = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
/** The part of a report that its record repeats; it has more keys. */
const reportShape = z.looseObject({ run: z.string(), outcome: z.string(), since: instant, endedAt: instant });

export async function recoverReports(
  { folder }: Pick<Instance, 'folder'>,
  sql: Statements,
  { now, unreadable }: { readonly now: Date; readonly unreadable: (path: string) => void },
): Promise<void> {
  const known = new Set((await sql.all('SELECT id FROM report')).map(({ id }) => id));
  const readOwn = readsOwnBytes(folder);
  const found = [];
  for (const id of idsIn(folder)) {
    if (known.has(id)) continue;
    const report = readFiles(id, (path) => readOwn(join(folder, path)));
    if (report) found.push(report);
    else unreadable(join(folder, reportPaths(id).json));
  }
  // The chain has them in the order in which they were written.
  for (const one of found.sort((a, b) => compareTexts(a.at, b.at))) await importReport(sql, one, now.toISOString());
}

function readFiles(id: string, read: (path: string) => Buffer | undefined) {
  const [json, page] = Object.values(reportPaths(id)).map(read);
  const { data } = reportShape.safeParse(jsonIfAny(json));
  if (!json || !page || !data) return undefined;
  const { run, outcome, since, endedAt: at } = data;
  const hashes = { sha256: sha256Hex(json), pageSha256: sha256Hex(page) };
  return { id, run, day: id.slice(0, id.indexOf('/')), at, since, outcome, ...hashes };
}

function idsIn(folder: string): ReadonlySet<string> {
  const root = join(folder, 'reports');
  if (!existsSync(root)) return new Set();
  const days = readdirSync(root, { withFileTypes: true }).filter(
    (day) => day.isDirectory() && DAY_FOLDER.test(day.name),
  );
  const ids = days.flatMap(({ name: day }) => listNames(join(root, day)).flatMap((name) => reportId(day, name) ?? []));
  return new Set(ids.sort(compareTexts));
}
