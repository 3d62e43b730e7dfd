/**
 * Writes the summaries of many small files in parallel. Each has the text that `writeSummary` gives; their links follow
 * one another in the order of the batch, and each folder is flushed once. A refusal of the disk throws its
 * OperatorError.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { ensureFolder } from '../files/write-durable.ts';
import { type ChainEnd, headOf } from '../model/chain-link.ts';
import type { SourceFile } from '../model/ledger-entry.ts';
import { sha256Hex } from '../text/sha256.ts';
import {
  SUMMARY_END,
  type SummaryPlace,
  type SummarySettings,
  type SummaryToWrite,
  summaryFolder,
  summaryHead,
  summaryLine,
  summaryLink,
  summaryName,
} from './compose-summary.ts';
import { awaitAll, flushFolder, OUTPUT_FOLDERS, removeOutput } from './output-folders.ts';
import { RowAccounting } from './row-accounting.ts';
import { writeReadme } from './write-readme.ts';
import { writeTogether } from './write-small-files.ts';

type Job = { readonly file: SourceFile; readonly text: string; readonly place: SummaryPlace; readonly folder: string };

/** Removals at the same time: more would only queue at the disk. */
const AT_ONCE = 32;

/**
 * Resolves to the places in the order of the batch, once the summaries are durable. Only then are older summaries of
 * the same files removed from other folders: a crash can leave two, never none.
 */
export async function writeSummaries(
  root: string,
  batch: readonly SummaryToWrite[],
  settings: SummarySettings,
  chain: ChainEnd,
): Promise<readonly SummaryPlace[]> {
  let end = chain;
  const jobs = batch.map((one): Job => {
    const job = composeSummary(root, one, settings, end);
    end = { ...end, head: headOf(job.place.link) };
    return job;
  });
  const folders = new Map(jobs.map(({ folder, place }) => [folder, place.folder]));
  for (const folder of folders.keys()) await ensureFolder(folder);
  const files = jobs.map(({ file, folder, text }) => ({ path: join(folder, summaryName(file)), text }));
  await writeTogether(files);
  for (const [folder, of] of folders) if (of === 'error') await writeReadme(folder, 'error', settings.rules.language);
  for (const folder of folders.keys()) await flushFolder(folder);
  const old = jobs.flatMap((job) => outdated(root, job));
  const limit = pLimit(AT_ONCE);
  await awaitAll(old.map((path) => limit(() => removeOutput(path))));
  for (const folder of new Set(old.map((path) => dirname(path)))) await flushFolder(folder);
  return jobs.map(({ place }) => place);
}

/** The text must equal the stream of `writeSummary` byte by byte: its hash becomes a link of the chain. */
function composeSummary(
  root: string,
  { file, places, attachments }: SummaryToWrite,
  { environment }: SummarySettings,
  chain: ChainEnd,
): Job {
  const accounting = new RowAccounting(file);
  for (const place of places) accounting.add(place);
  const head = summaryHead(file, accounting, { environment, previous: chain.head?.hash ?? null, attachments });
  const text = `${head}${places.map((one) => `\n    ${summaryLine(one)}`).join(',')}${SUMMARY_END}`;
  const place = {
    folder: summaryFolder(file, accounting),
    day: file.day,
    link: summaryLink(file, sha256Hex(text), chain),
  };
  return { file, text, place, folder: join(root, place.folder, place.day) };
}

/** Older summaries of the file, in the folders that it has left. */
function outdated(root: string, { file, place }: Job): readonly string[] {
  return OUTPUT_FOLDERS.filter((name) => name !== place.folder)
    .map((name) => join(root, name, file.day, summaryName(file)))
    .filter((path) => existsSync(path));
}
