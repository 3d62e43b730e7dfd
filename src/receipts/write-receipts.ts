/**
 * Writes receipts and payloads as files: outbox, pending or error / day of the file / name of the entry. A receipt
 * moves between folders by a durable write of the new file, then the removal of the old one: a crash can leave two,
 * never none, and a second call repairs that. A refusal of the disk or an obstacle throws an OperatorError.
 */
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import pLimit from 'p-limit';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';
import type { Language } from '../i18n/message.ts';
import { type ChainEnd, headOf, type Link, type NewReceipt } from '../model/chain-link.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Correction, LedgerEntry } from '../model/ledger-entry.ts';
import { type Folder, stateInfo } from '../model/state.ts';
import { sha256Hex } from '../text/sha256.ts';
import { composeReceipt, payloadName, type ReceiptExtra, receiptFileName, receiptText } from './compose-receipt.ts';
import {
  awaitAll,
  DUPLICATES,
  flushFolder,
  OUTPUT_FOLDERS,
  RECEIPT_ENDING,
  receiptDay,
  removeOutput,
} from './output-folders.ts';
import { areManySmall, findObstacle, isForeign, type SmallFile, throwWriteFailure } from './write-errors.ts';
import { writeInWorker } from './write-in-worker.ts';
import { writeReadme } from './write-readme.ts';

/** One document of a batch. */
export type ReceiptToWrite = {
  readonly entry: LedgerEntry;
  /** The exact content; present if and only if the entry has a `contentSha256`. */
  readonly payload?: string;
  readonly corrections?: readonly Correction[];
};

type Place = { readonly folder: Folder; readonly day: string };
type Planned = ReceiptToWrite & {
  readonly place: Place;
  /** Absolute path of the folder of `place`. */
  readonly folder: string;
  readonly old: LedgerEntry['receipt'];
};
type PathOf = (place: Place) => string;
type Job = Planned & { readonly text: string; readonly link: Link };

/** Files written at the same time: more would only queue at the disk. */
const AT_ONCE = 32;

/**
 * Resolves when everything is durable: files first, then one flush per folder, then the removal of old files. Leaves
 * out entries whose state has no folder. A second call with the same batch changes nothing.
 */
export async function writeReceipts(
  root: string,
  batch: readonly ReceiptToWrite[],
  settings: Pick<ReceiptExtra, 'environment'> & { readonly rules: { readonly language: Language } },
  chain: ChainEnd,
): Promise<readonly NewReceipt[]> {
  const pathOf = pathsIn(root);
  const jobs = chainReceipts(
    batch.flatMap((one) => planReceipt(one, pathOf)),
    { environment: settings.environment },
    chain,
  );
  const folders = new Set(jobs.map(({ folder }) => folder));
  for (const folder of folders) await ensureFolder(folder);
  const files = jobs.flatMap((job) => receiptFiles(job));
  if (areManySmall(files)) await writeInWorker(files);
  else {
    throwWriteFailure(findObstacle(files));
    const limit = pLimit(AT_ONCE);
    await awaitAll(jobs.map((job) => limit(() => writeOne(job))));
  }
  const errorFolders = new Set(
    jobs
      .filter(({ place, entry }) => place.folder === 'error' && place.day === entry.file.day)
      .map(({ folder }) => folder),
  );
  for (const folder of errorFolders) await writeReadme(folder, 'error', settings.rules.language);
  await awaitAll([...folders].map((folder) => flushFolder(folder)));
  await removeOld(jobs, pathOf);
  return jobs.map(({ entry, place, link }) => ({
    id: entry.id,
    file: entry.file.id,
    revision: entry.revision,
    state: entry.state,
    since: entry.since,
    attempts: entry.attempts.length,
    ended: entry.attempts.filter(({ outcome }) => outcome !== undefined).length,
    ...place,
    link,
  }));
}

/**
 * Composes the texts one after the other, each with the hash of the link before it; the files are written in parallel.
 */
function chainReceipts(
  batch: readonly Planned[],
  settings: Pick<ReceiptExtra, 'environment'>,
  { head, run, at }: ChainEnd,
): readonly Job[] {
  let last = head;
  return batch.map((one) => {
    const { entry, corrections } = one;
    const previous = last?.hash;
    const extra = definedOnly({ ...settings, corrections, previous });
    const text = receiptText(composeReceipt(entry, extra));
    const link: Link = definedOnly({
      n: (last?.n ?? 0) + 1,
      what: 'receipt',
      id: entry.id,
      revision: entry.revision,
      state: entry.state,
      attempts: entry.attempts.length,
      sha256: sha256Hex(text),
      payloadSha256: entry.contentSha256,
      run,
      at,
      previous,
    });
    last = headOf(link);
    return { ...one, text, link };
  });
}

/** Empty for a state without a folder; throws if only one of payload and recorded hash is there. */
function planReceipt(one: ReceiptToWrite, pathOf: PathOf): Planned[] {
  const { entry } = one;
  const { folder } = stateInfo(entry.state);
  if (!folder) return [];
  if ((entry.contentSha256 === undefined) !== (one.payload === undefined)) {
    throw new Error(`receipt ${entry.id}: payload and contentSha256 belong together`);
  }
  const place = { folder, day: receiptDay(entry) };
  return [{ ...one, place, folder: pathOf(place), old: entry.receipt }];
}

async function writeOne(job: Job): Promise<void> {
  for (const { path, text } of receiptFiles(job)) await writeDurable(path, text);
}

/**
 * The payload first: a receipt never names a missing file. A receipt in the recorded place belongs to this document, so
 * only a new place is checked (`of`).
 */
function receiptFiles({ entry, payload, folder, place, old, text }: Job): readonly SmallFile[] {
  const isOwn = old !== undefined && isSamePlace(old, place);
  const receipt = definedOnly({
    path: inFolder(folder, receiptFileName(entry.name)),
    text,
    of: isOwn ? undefined : entry.id,
  });
  if (payload === undefined) return [receipt];
  const path = inFolder(folder, payloadName(entry.name));
  return [definedOnly({ path, text: payload, sha256: entry.contentSha256 }), receipt];
}

/**
 * Removes older files, once the new ones are durable, and flushes their folders, or a power cut would bring them back.
 * It looks into all folders, because a crash may have come before the ledger recorded the last place.
 */
async function removeOld(jobs: readonly Job[], pathOf: PathOf): Promise<void> {
  const folderOf = foldersThere(pathOf);
  const all = jobs.flatMap((job) => [...outdated(job, folderOf), ...underFormerName(job, folderOf)]);
  const old = all.filter((path) => existsSync(path));
  if (old.length === 0) return;
  const touched = new Set<string>();
  const limit = pLimit(AT_ONCE);
  const remove = async (path: string) => {
    await removeOutput(path);
    touched.add(dirname(path));
  };
  // A receipt says whose the payload next to it is.
  const [receipts, payloads] = [old.filter(isReceipt), old.filter((path) => !isReceipt(path))];
  for (const some of [payloads, receipts]) await awaitAll(some.map((path) => limit(() => remove(path))));
  await awaitAll([...touched].map((folder) => flushFolder(folder)));
}

function isReceipt(path: string): boolean {
  return path.endsWith(RECEIPT_ENDING);
}

/** Files of the document in places that it has left, and a payload that no longer belongs next to its receipt. */
function outdated({ entry, payload, place, old }: Job, folderOf: (place: Place) => string | undefined): string[] {
  const { day } = entry.file;
  const places: Place[] = OUTPUT_FOLDERS.map((folder) => ({ folder, day }));
  places.push({ folder: 'error', day: `${day}/${DUPLICATES}` });
  if (old && !places.some((known) => isSamePlace(known, old))) places.push(old);
  return places.flatMap((other) => {
    const isHere = isSamePlace(other, place);
    if (isHere && payload !== undefined) return [];
    const folder = folderOf(other);
    if (folder === undefined) return [];
    const content = inFolder(folder, payloadName(entry.name));
    if (isHere) return [content];
    const receipt = inFolder(folder, receiptFileName(entry.name));
    const isOwn = old !== undefined && isSamePlace(old, other);
    // What is next to the receipt of another document does not belong to this one either.
    return isOwn || !isForeign(receipt, entry.id) ? [receipt, content] : [];
  });
}

/**
 * A restored ledger has another document of that name, and gave this one a name with its id: its files are still under the former one.
 * A ledger that comes back after it knows the document by the former name, and its files are under the one with its id.
 */
function underFormerName(
  { entry: { id, name }, old }: Job,
  folderOf: (place: Place) => string | undefined,
): readonly string[] {
  if (old === undefined || old.link !== undefined) return [];
  const folder = folderOf(old);
  if (folder === undefined) return [];
  const ends = [`~${id.slice(-8)}`, `~${id}`];
  const given = ends.find((end) => name.endsWith(end));
  const stems = given === undefined ? ends.map((end) => name + end) : [name.slice(0, -given.length)];
  return stems.flatMap((stem) => {
    const receipt = inFolder(folder, receiptFileName(stem));
    return existsSync(receipt) && !isForeign(receipt, id) ? [inFolder(folder, payloadName(stem)), receipt] : [];
  });
}

/** Looks for each folder once for a batch: on most days one of the three has everything. */
function foldersThere(pathOf: PathOf): (place: Place) => string | undefined {
  const found = new Map<string, string | undefined>();
  return (place) => {
    const key = `${place.folder}/${place.day}`;
    if (!found.has(key)) found.set(key, existsSync(pathOf(place)) ? pathOf(place) : undefined);
    return found.get(key);
  };
}

/** Joins each path once for a batch: joining for every file would cost more than the look-up. */
function pathsIn(root: string): PathOf {
  const paths = new Map<string, string>();
  return ({ folder, day }) => {
    const key = `${folder}/${day}`;
    const path = paths.get(key) ?? join(root, folder, day);
    paths.set(key, path);
    return path;
  };
}

/** The name of a receipt or payload has no separator. */
function inFolder(folder: string, name: string): string {
  return `${folder}${sep}${name}`;
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.folder === b.folder && a.day === b.day;
}
