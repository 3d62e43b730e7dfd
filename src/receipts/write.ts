/**
 * Receipts and payloads become files: outbox, pending or error / day of the file / name of the entry.
 *
 * A receipt moves between folders only by writing the new one durably and then removing the old one, so a crash can
 * leave two of them for a moment but never none; writing the batch again puts it right.
 */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { Correction, Entry } from '../model/entry.ts';
import { type ChainEnd, headOf, type Link } from '../model/link.ts';
import { type Folder, type State, stateInfo } from '../model/state.ts';
import { syncFolder } from '../model/sync-folder.ts';
import { writeBeside } from './beside.ts';
import { diskTrouble, ensureFolder, writeDurable } from './durable.ts';
import type { SmallFile } from './many.ts';
import { payloadName, type ReceiptExtra, receiptName, receiptOf, receiptText } from './receipt.ts';
import { writeReadme } from './write-readme.ts';

export type ToWrite = {
  readonly entry: Entry;
  /** The exact content; needed where the entry has a `contentSha256`. */
  readonly payload?: string;
  readonly corrections?: readonly Correction[];
};

/** What the ledger is told afterwards. */
export type Written = {
  readonly id: string;
  readonly revision: number;
  readonly state: State;
  readonly attempts: number;
  readonly folder: Folder;
  readonly day: string;
  /** Each follows the one before it in the batch. */
  readonly link: Link;
};

type Place = { readonly folder: Folder; readonly day: string };
type Planned = ToWrite & { readonly place: Place; readonly old: Place | undefined };
type Job = Planned & { readonly text: string; readonly link: Link };

/** Files written at the same time: beyond it the disk only queues. */
const AT_ONCE = 32;
/** From here on a thread of its own is worth its start; it holds a copy of their texts. */
const MANY = 48;
const SMALL_TOGETHER = 8 * 1024 * 1024;
const FOLDERS: readonly Folder[] = ['outbox', 'pending', 'error'];

/**
 * Durable when it resolves: files first, then one flush per folder, then old files go. Entries whose state has no
 * folder are left out. Done twice it changes nothing.
 */
export async function writeReceipts(
  root: string,
  batch: readonly ToWrite[],
  settings: Pick<ReceiptExtra, 'environment'>,
  chain: ChainEnd,
): Promise<readonly Written[]> {
  const jobs = chained(
    batch.flatMap((one) => planned(one)),
    settings,
    chain,
  );
  const limit = pLimit(AT_ONCE);
  const folders = new Set(jobs.map(({ place }) => pathOf(root, place)));
  for (const folder of folders) await ensureFolder(folder);
  await all(jobs.map((job) => limit(() => refuseForeign(root, job))));
  const files = jobs.flatMap((job) => filesOf(root, job));
  if (areManySmall(files)) await writeBeside(files);
  else await all(jobs.map((job) => limit(() => writeOne(root, job))));
  const errorFolders = new Set(
    jobs.filter(({ place }) => place.folder === 'error').map((job) => pathOf(root, job.place)),
  );
  for (const folder of errorFolders) await writeReadme(folder);
  await all([...folders].map((folder) => flush(folder)));
  await removeOld(root, jobs);
  return jobs.map(({ entry, place, link }) => ({
    id: entry.id,
    revision: entry.revision,
    state: entry.state,
    attempts: entry.attempts.length,
    ...place,
    link,
  }));
}

/** The texts, each with the hash of the link before it: they are written side by side, but made one after the other. */
function chained(
  batch: readonly Planned[],
  settings: Pick<ReceiptExtra, 'environment'>,
  { head, run, at }: ChainEnd,
): readonly Job[] {
  let last = head;
  return batch.map((one) => {
    const { entry, corrections } = one;
    const previous = last?.hash;
    const extra = { ...settings, ...(corrections ? { corrections } : {}), ...(previous ? { previous } : {}) };
    const text = receiptText(receiptOf(entry, extra));
    const link: Link = {
      n: (last?.n ?? 0) + 1,
      what: 'receipt',
      id: entry.id,
      revision: entry.revision,
      state: entry.state,
      attempts: entry.attempts.length,
      sha256: sha256(text),
      ...(entry.contentSha256 === undefined ? {} : { payloadSha256: entry.contentSha256 }),
      run,
      at,
      ...(previous === undefined ? {} : { previous }),
    };
    last = headOf(link);
    return { ...one, text, link };
  });
}

function planned(one: ToWrite): Planned[] {
  const { entry } = one;
  const { folder } = stateInfo(entry.state);
  if (!folder) return [];
  if ((entry.contentSha256 === undefined) !== (one.payload === undefined)) {
    throw new Error(`receipt ${entry.id}: payload and contentSha256 belong together`);
  }
  if (one.payload !== undefined && sha256(one.payload) !== entry.contentSha256) {
    throw new Error(`receipt ${entry.id}: the payload is not what was recorded`);
  }
  return [{ ...one, place: { folder, day: entry.file.day }, old: entry.receipt }];
}

function areManySmall(files: readonly SmallFile[]): boolean {
  return files.length >= MANY && files.reduce((sum, { text }) => sum + text.length, 0) <= SMALL_TOGETHER;
}

async function writeOne(root: string, job: Job): Promise<void> {
  for (const { path, text } of filesOf(root, job)) await writeDurable(path, text);
}

/** The payload first: a receipt never names a file that is not there. */
function filesOf(root: string, { entry, payload, place, text }: Job): readonly SmallFile[] {
  const folder = pathOf(root, place);
  const receipt = { path: join(folder, receiptName(entry.name)), text };
  return payload === undefined ? [receipt] : [{ path: join(folder, payloadName(entry.name)), text: payload }, receipt];
}

/** Names are unique per entry in the ledger; a file that says otherwise is kept, whoever wrote it. */
async function refuseForeign(root: string, { entry, place, old }: Job): Promise<void> {
  if (old && isSamePlace(old, place)) return;
  const path = join(pathOf(root, place), receiptName(entry.name));
  // Hardly ever; a look costs far less than a reading that fails.
  if (!existsSync(path)) return;
  const found = await readFile(path, 'utf8').catch((error: unknown) => {
    throw diskTrouble(error, path);
  });
  if (idIn(found) !== entry.id) throw new Error(`${path} is the receipt of another document; move it away`);
}

function idIn(receipt: string): unknown {
  try {
    return (JSON.parse(receipt) as { id?: unknown }).id;
  } catch {
    return undefined;
  }
}

/**
 * Only now that the new files are durable; their folders are flushed too, or a power cut would bring them back. All
 * other folders are looked at, because a crash may have come before the ledger learnt of the last place.
 */
async function removeOld(root: string, jobs: readonly Job[]): Promise<void> {
  const touched = new Set<string>();
  const limit = pLimit(AT_ONCE);
  const remove = async (path: string) => {
    await unlink(path).catch((error: unknown) => {
      throw diskTrouble(error, path);
    });
    touched.add(dirname(path));
  };
  const folderOf = foldersThere(root);
  const old = jobs.flatMap((job) => outdated(job, folderOf)).filter((path) => existsSync(path));
  await all(old.map((path) => limit(() => remove(path))));
  await all([...touched].map((folder) => flush(folder)));
}

function outdated({ entry, payload, place, old }: Job, folderOf: (place: Place) => string | undefined): string[] {
  const places = FOLDERS.map((folder) => ({ folder, day: place.day }));
  if (old && old.day !== place.day) places.push(old);
  return places.flatMap((other) => {
    const isHere = isSamePlace(other, place);
    if (isHere && payload !== undefined) return [];
    const folder = folderOf(other);
    if (folder === undefined) return [];
    const content = join(folder, payloadName(entry.name));
    return isHere ? [content] : [join(folder, receiptName(entry.name)), content];
  });
}

/** Looked at once for a batch: on most days one of the three holds everything. */
function foldersThere(root: string): (place: Place) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (place) => {
    const key = `${place.folder}/${place.day}`;
    if (!known.has(key)) known.set(key, existsSync(pathOf(root, place)) ? pathOf(root, place) : undefined);
    return known.get(key);
  };
}

async function flush(folder: string): Promise<void> {
  await syncFolder(folder).catch((error: unknown) => {
    throw diskTrouble(error, folder);
  });
}

/** Waits for every one before it throws the first failure: nothing is still being written behind the caller's back. */
async function all(writes: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function pathOf(root: string, { folder, day }: Place): string {
  return join(root, folder, day);
}

function isSamePlace(a: Place, b: Place): boolean {
  return a.folder === b.folder && a.day === b.day;
}

function sha256(text: string): string {
  return hash('sha256', text);
}
