/**
 * The summaries of many small files, written side by side: each the very text that writeSummary gives, their links one
 * behind the other, and one flush for each folder.
 */
import { existsSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { syncFolder } from '../files/fsync-directory.ts';
import { diskTrouble, ensureFolder } from '../files/write-durable.ts';
import { type ChainEnd, headOf } from '../model/chain-link.ts';
import type { Corrected, LedgerEntry, SourceFile } from '../model/ledger-entry.ts';
import { sha256Hex } from '../text/sha256.ts';
import {
  FOLDERS,
  SUMMARY_END,
  type SummaryPlace,
  type SummarySettings,
  summaryFolder,
  summaryHead,
  summaryLine,
  summaryLink,
  summaryName,
} from './compose-summary.ts';
import { RowAccounting } from './row-accounting.ts';
import { writeReadme } from './write-readme.ts';
import { all, writeTogether } from './write-small-files.ts';

/** Entries in row order, then what a later file corrected. */
export type ToSum = { readonly file: SourceFile; readonly places: readonly (LedgerEntry | Corrected)[] };

type Job = { readonly file: SourceFile; readonly text: string; readonly place: SummaryPlace; readonly folder: string };

const AT_ONCE = 32;

/** Durable when it resolves, older summaries in other folders are gone then. In the order of the batch. */
export async function writeSummaries(
  root: string,
  batch: readonly ToSum[],
  settings: SummarySettings,
  chain: ChainEnd,
): Promise<readonly SummaryPlace[]> {
  let end = chain;
  const jobs = batch.map((one): Job => {
    const job = jobOf(root, one, settings, end);
    end = { ...end, head: headOf(job.place.link) };
    return job;
  });
  const folders = new Map(jobs.map(({ folder, place }) => [folder, place.folder]));
  for (const folder of folders.keys()) await ensureFolder(folder);
  const files = jobs.map(({ file, folder, text }) => ({ path: join(folder, summaryName(file)), text }));
  await writeTogether(files);
  for (const [folder, of] of folders) if (of === 'error') await writeReadme(folder, 'error', settings.rules.language);
  for (const folder of folders.keys()) await flush(folder);
  const old = jobs.flatMap((job) => outdated(root, job));
  const limit = pLimit(AT_ONCE);
  await all(old.map((path) => limit(() => remove(path))));
  for (const folder of new Set(old.map((path) => dirname(path)))) await flush(folder);
  return jobs.map(({ place }) => place);
}

function jobOf(root: string, { file, places }: ToSum, { environment }: SummarySettings, chain: ChainEnd): Job {
  const tally = new RowAccounting(file);
  for (const place of places) tally.add(place);
  const head = summaryHead(file, tally, { environment, previous: chain.head?.hash ?? null });
  const text = `${head}${places.map((one) => `\n    ${summaryLine(one)}`).join(',')}${SUMMARY_END}`;
  const place = { folder: summaryFolder(file, tally), day: file.day, link: summaryLink(file, sha256Hex(text), chain) };
  return { file, text, place, folder: join(root, place.folder, place.day) };
}

function outdated(root: string, { file, place }: Job): readonly string[] {
  return FOLDERS.filter((name) => name !== place.folder)
    .map((name) => join(root, name, file.day, summaryName(file)))
    .filter((path) => existsSync(path));
}

async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    throw diskTrouble(error, path);
  });
}

async function flush(folder: string): Promise<void> {
  await syncFolder(folder).catch((error: unknown) => {
    throw diskTrouble(error, folder);
  });
}
