/**
 * The files in outbox, pending and error, compared with the ledger: every receipt, payload and summary there must be
 * one that it knows. Reads only; differences are breaks.
 */
import { existsSync } from 'node:fs';
import { opendir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfOurs } from '../files/sha256-of-file.ts';
import { FOUND } from '../i18n/messages/pipeline-messages.ts';
import type { QueryStore } from '../ledger/contract/query-store.ts';
import type { ReceiptPlace } from '../ledger/contract/receipt-store.ts';
import { isPurged, type SourceFile } from '../model/ledger-entry.ts';
import { yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { summaryName } from '../receipts/compose-summary.ts';
import { DECISION_FOLDERS } from '../receipts/decision-folders.ts';
import { foldersOfDay } from '../receipts/output-folders.ts';
import { type Break, broken, short } from './verify-findings.ts';
import type { VerifyContext } from './verify-source.ts';

const PAGE = 200;
const OURS = /^(?<name>.+)\.(?<kind>receipt|payload)\.json$/;

/** Undefined while a newer summary is due. */
export async function verifySummary(
  { instance, ledger }: VerifyContext,
  file: SourceFile,
): Promise<readonly Break[] | undefined> {
  const { summary } = file;
  const path = pathOfSummary(file);
  if (path === undefined || summary?.link === undefined || isPurged(file, 'summary')) return undefined;
  const link = await ledger.receipts.linkAt(summary.link);
  if (!link) {
    return [broken('verify/link-missing', FOUND.summaryLinkGone({ n: summary.link, file: file.name }))];
  }
  const place = join(instance.folder, path);
  if (!existsSync(place)) return [broken('verify/summary-missing', FOUND.notThere({ path }), { path })];
  const found = await sha256OfOurs(place);
  const isSame = found === link.sha256 && link.what === 'summary' && link.id === file.id;
  if (isSame) return [];
  const says = FOUND.linkHas({ found: short(found), n: link.n, hash: short(link.sha256) });
  return [broken('verify/summary-changed', says, { path })];
}

/** Path below the instance folder; undefined if the file has no summary yet. */
export function pathOfSummary(file: SourceFile): string | undefined {
  return file.summary && `${file.summary.folder}/${file.summary.day}/${summaryName(file)}`;
}

/** `summaries`: paths that the ledger knows. Notes and other files of people are not reported. */
export async function* unknownFiles(context: VerifyContext, summaries: ReadonlySet<string>): AsyncIterable<Break> {
  const { instance } = context;
  for (const folder of ['outbox', 'pending', 'error'] as const) {
    const days = await readdir(instance.paths[folder], { withFileTypes: true }).catch(() => []);
    for (const day of days) {
      if (!day.isDirectory()) {
        if (OURS.test(day.name)) yield unknown(`${folder}/${day.name}`);
        continue;
      }
      // Put there by a person, to be released or rejected by the next run.
      if (folder === 'pending' && DECISION_FOLDERS.includes(day.name)) continue;
      for (const within of foldersOfDay(folder, day.name)) {
        const place = join(instance.paths[folder], within);
        if (!existsSync(place)) continue;
        for await (const names of yieldingBetween(pagesOf(place), context.stop, 1)) {
          yield* strangers(context, `${folder}/${within}`, names, summaries);
        }
      }
    }
  }
}

async function* strangers(
  { ledger, instance }: VerifyContext,
  folder: string,
  names: readonly string[],
  summaries: ReadonlySet<string>,
): AsyncIterable<Break> {
  const ours = names.flatMap((name) => OURS.exec(name)?.groups?.name ?? []);
  const places = await ledger.receipts.receiptPlaces([...new Set(ours)]);
  for (const name of names) {
    const path = `${folder}/${name}`;
    if (name.endsWith('.summary.json')) {
      if (!summaries.has(path) && !(await isSummaryNow(ledger.queries, path))) yield unknown(path);
      continue;
    }
    const { name: stem, kind } = OURS.exec(name)?.groups ?? {};
    if (stem === undefined || belongs(places.get(stem), folder, kind === 'payload')) continue;
    // A run in parallel may have moved it meanwhile.
    const now = (await ledger.receipts.receiptPlaces([stem])).get(stem);
    if (!belongs(now, folder, kind === 'payload') && existsSync(join(instance.folder, path))) yield unknown(path);
  }
}

function belongs(place: ReceiptPlace | undefined, folder: string, isPayload: boolean): boolean {
  if (!place) return false;
  if (place.due) return true;
  return `${place.folder}/${place.day}` === folder && (place.hasPayload || !isPayload);
}

async function isSummaryNow(ledger: QueryStore, path: string): Promise<boolean> {
  for await (const file of ledger.allFiles()) {
    if (pathOfSummary(file) === path) return true;
    // It is being written, or moves.
    if (file.summary?.link === undefined && path.endsWith(summaryName(file))) return true;
  }
  return false;
}

function unknown(path: string): Break {
  return broken('verify/file-unknown', FOUND.stranger({ path }), { path });
}

async function* pagesOf(folder: string): AsyncIterable<readonly string[]> {
  let page: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (entry.isFile()) page.push(entry.name);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}
