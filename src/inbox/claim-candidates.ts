/**
 * Takes files out of the inbox: a batch of candidates goes in, private copies with their SHA-256 come out.
 *
 * The rename makes the file ours alone (of several claimers one wins); the copy protects against a writer that keeps
 * its handle open. The dropped file is removed only when the copy is durable and the file still is what was hashed.
 * Until the rename nothing has changed; after it `recoverClaims` repairs a crash at any step.
 */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  open as openWithCallback,
  type Stats,
} from 'node:fs';
import { lstat, mkdir, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { makeDurableFolder, syncFolder } from '../files/fsync-directory.ts';
import { OPEN_SAFELY } from '../files/read-bounded.ts';
import { INBOX_ADVICE, INBOX_PROBLEM } from '../i18n/messages/inbox-messages.ts';
import type { Fault } from '../model/fault.ts';
import { escapeControls } from '../text/printable.ts';
import { nameText } from '../text/safe-file-name.ts';
import { type ClaimNames, claimNames, joinBytes } from './claim-names.ts';
import { checkPlainFile, inboxFault, isSameFile } from './plain-file.ts';
import { copyHashed } from './private-copy.ts';
import { returnToInbox } from './return-to-inbox.ts';
import type { InboxCandidate } from './scan-inbox.ts';
import { systemErrorFault } from './system-errors.ts';

export type ClaimStep = 'opened' | 'reserved' | 'marker' | 'taken' | 'copied' | 'named' | 'synced' | 'removed' | 'done';

export type ClaimOptions = {
  /** The folder processing/; the files go into the run's own folder below. */
  readonly processing: string;
  readonly run: string;
  readonly uuid: () => string;
  readonly maxBytes: number;
  /** Files in work at the same time, 16 by default. */
  readonly concurrency?: number;
  /** Called after each step; what it throws leaves everything as it is, like a crash. */
  readonly at?: (step: ClaimStep, name: string) => void;
};

export type ClaimedFile = {
  readonly name: string;
  readonly run: string;
  /** The private copy. */
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly modifiedAt: string;
  /** When it was claimed, of a copy that a crash left (ISO 8601, UTC): no file is changed after that. */
  readonly claimedAt?: string;
  /** A file next to the copy that has its name; to be removed once the ledger has it. */
  readonly nameFile?: string;
  /** User id of the owner; unknown for a file that a crash left. */
  readonly uid?: number;
  /** Not empty: the file cannot be read; record it as refused with these. */
  readonly faults: readonly Fault[];
};

export type ClaimOutcome =
  | { readonly what: 'claimed'; readonly candidate: InboxCandidate; readonly file: ClaimedFile }
  /** Changed while it was taken; it is back in the inbox. */
  | { readonly what: 'growing'; readonly candidate: InboxCandidate }
  /** Stays in the inbox; try again later. */
  | { readonly what: 'held'; readonly candidate: InboxCandidate; readonly fault: Fault }
  /** Another claimer took it. */
  | { readonly what: 'gone'; readonly candidate: InboxCandidate };

type TakenFile = {
  readonly what: 'taken';
  readonly candidate: InboxCandidate;
  readonly names: ClaimNames;
  readonly uuid: string;
  readonly takenAs: string;
  readonly stats: Stats;
  readonly sha256: string;
  readonly bytes: number;
};

type ClaimJob = ClaimOptions & { readonly folder: string; readonly step: (step: ClaimStep, name: string) => void };

const TRIES = 6;

/**
 * Numbers instead of FileHandles: looking at an open file and closing one that was read or flushed touch memory only,
 * while every call through the thread pool costs more than a small file itself.
 */
const open = promisify(openWithCallback);

/** One outcome per candidate, in their order; two flushes of a folder for the whole batch. */
export async function claimCandidates(
  candidates: readonly InboxCandidate[],
  options: ClaimOptions,
): Promise<readonly ClaimOutcome[]> {
  if (candidates.length === 0) return [];
  const folder = join(options.processing, options.run);
  // Durable before a dropped file goes there: after a power cut it would be in neither folder.
  if (await createRunFolder(folder)) await syncFolder(options.processing);
  const work: ClaimJob = { ...options, folder, step: options.at ?? (() => undefined) };
  const limit = pLimit(options.concurrency ?? 16);
  const settled = await Promise.allSettled(candidates.map((one) => limit(() => takeWithRetries(one, work))));
  const taken = settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  // Names first: only then may a dropped file be removed, and only then may the ledger name the copy.
  await syncFolder(folder);
  const kept = await Promise.all(
    taken.map((one) => (one.what === 'taken' ? limit(() => finishClaim(one, work)) : one)),
  );
  // Removed for good before a copy can move to the archive: a file without its copy would return to the inbox.
  const places = new Set(taken.flatMap((one) => (one.what === 'taken' ? [dirname(one.takenAs)] : [])));
  for (const place of places) await syncFolder(place);
  return kept;
}

/** Without `recursive`, which calls a folder that may not be written ENOENT. */
async function createRunFolder(folder: string): Promise<boolean> {
  makeDurableFolder(dirname(folder));
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (!isErrno(error) || error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Too many open files is a limit of this process, never a property of the file: wait and try again. */
async function takeWithRetries(candidate: InboxCandidate, work: ClaimJob): Promise<TakenFile | ClaimOutcome> {
  for (let n = 1; ; n++) {
    try {
      return await take(candidate, work);
    } catch (error) {
      if (!isErrno(error)) throw error;
      const scarce = error.code === 'EMFILE' || error.code === 'ENFILE';
      if (!scarce || n >= TRIES) return refusedClaim(candidate, error, work);
      await wait(25 * 2 ** n);
    }
  }
}

async function take(candidate: InboxCandidate, work: ClaimJob): Promise<TakenFile | ClaimOutcome> {
  const uuid = work.uuid();
  const names = claimNames(candidate, work.folder, work.run, uuid);
  const source = await open(names.source, OPEN_SAFELY);
  try {
    const stats = fstatSync(source);
    work.step('opened', names.copy);
    const fault = checkPlainFile(stats, nameText(candidate.name), work.maxBytes);
    if (fault) return { what: 'held', candidate, fault };
    if (stats.size !== candidate.size || stats.mtimeMs !== candidate.mtimeMs) return { what: 'growing', candidate };
    const copy = await reserve(names);
    try {
      return await takeInto(copy, source, { candidate, uuid, names, stats }, work);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(source);
  }
}

/** The new file of the copy: never one that exists, whatever the random source gave. */
async function reserve(names: ClaimNames): Promise<number> {
  const copy = await open(names.copying, 'wx', 0o600);
  if (existsSync(names.copy)) {
    closeSync(copy);
    await unlink(names.copying);
    throw new Error(`${names.copy} exists: two claims got the same UUID`);
  }
  return copy;
}

async function takeInto(
  copy: number,
  source: number,
  one: Pick<TakenFile, 'candidate' | 'uuid' | 'names' | 'stats'>,
  work: ClaimJob,
): Promise<TakenFile | ClaimOutcome> {
  const { candidate, names, stats } = one;
  let takenAs: string | undefined;
  try {
    const { whole } = names;
    if (whole) await writeFile(whole.path, whole.content, { flag: 'wx', mode: 0o600, flush: true });
    work.step('reserved', names.copy);
    if (!(await takeMarker(candidate, names))) return await releaseClaim(one, takenAs);
    work.step('marker', names.copy);
    takenAs = await takeSource(names);
    if (takenAs === undefined) return await releaseClaim(one, takenAs);
    work.step('taken', names.copy);
    const { sha256, bytes } = await copyHashed(source, copy, stats);
    work.step('copied', names.copy);
    await rename(names.copying, names.copy);
    work.step('named', names.copy);
    return { what: 'taken', ...one, takenAs, sha256, bytes };
  } catch (error) {
    if (isErrno(error)) await releaseClaim(one, takenAs);
    throw error;
  }
}

/** The first of several claimers gets the marker; undefined marker: nothing to take. */
async function takeMarker({ folder, marker }: InboxCandidate, names: ClaimNames): Promise<boolean> {
  return marker === undefined || (await renameIfThere(joinBytes(folder, marker), names.marker));
}

/** Where the dropped file is now; undefined when another claimer took it. */
async function takeSource(names: ClaimNames): Promise<string | undefined> {
  try {
    return (await renameIfThere(names.source, names.taken)) ? names.taken : undefined;
  } catch (error) {
    if (!isErrno(error) || error.code !== 'EXDEV') throw error;
    return (await renameIfThere(names.source, names.takenInPlace)) ? names.takenInPlace : undefined;
  }
}

async function renameIfThere(from: Buffer, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (!isErrno(error) || error.code !== 'ENOENT') throw error;
    // NFS: a rename whose answer was lost is sent again and then finds nothing; our own name shows it.
    return isThere(to);
  }
}

/** The last check: the dropped file is removed only if it still is what was hashed. */
async function finishClaim(taken: TakenFile, work: ClaimJob): Promise<ClaimOutcome> {
  const { candidate, names, stats, takenAs } = taken;
  work.step('synced', names.copy);
  const now = await statByOpening(takenAs, takenAs === names.taken);
  if (taken.bytes !== stats.size || !isSameFile(stats, now) || now.nlink > 1) {
    await unlink(names.copy);
    return releaseClaim(taken, takenAs);
  }
  await unlink(takenAs);
  work.step('removed', names.copy);
  if (candidate.marker) await unlink(names.marker);
  work.step('done', names.copy);
  return { what: 'claimed', candidate, file: claimedFile(taken, work.run) };
}

/**
 * A share shows a name, and a handle that is open, as they were seconds ago; only what is opened now shows what a writer on
 * another machine has added. In our own folder that touches memory only, unless it is on a share.
 */
async function statByOpening(path: string, isOurs: boolean): Promise<Stats> {
  const file = isOurs ? openSync(path, OPEN_SAFELY) : await open(path, OPEN_SAFELY);
  try {
    return fstatSync(file);
  } finally {
    closeSync(file);
  }
}

function claimedFile({ candidate, names, sha256, bytes, stats }: TakenFile, run: string): ClaimedFile {
  const name = nameText(candidate.name);
  const modifiedAt = new Date(stats.mtimeMs).toISOString();
  const { uid } = stats;
  const faults = emptyFileFaults(name, bytes);
  const claimed = { name, run, path: names.copy, sha256, size: bytes, modifiedAt, uid, faults };
  return names.whole ? { ...claimed, nameFile: names.whole.path } : claimed;
}

export function emptyFileFaults(name: string, size: number): readonly Fault[] {
  if (size > 0) return [];
  return [inboxFault('empty-file', name, INBOX_PROBLEM.empty({ name: escapeControls(name) }), INBOX_ADVICE.askAgain())];
}

/** Back to how it was: the data first, so that a marker is never there without its file. */
async function releaseClaim(
  { candidate, names, uuid }: Pick<TakenFile, 'candidate' | 'names' | 'uuid'>,
  takenAs: string | undefined,
): Promise<ClaimOutcome> {
  await removeIfThere(names.copying);
  const name =
    takenAs === undefined ? candidate.name : await returnToInbox(takenAs, candidate.folder, candidate.name, uuid);
  if (candidate.marker && (await isThere(names.marker))) {
    const suffix = candidate.marker.subarray(candidate.name.length);
    await returnToInbox(names.marker, candidate.folder, Buffer.concat([name, suffix]), uuid);
  }
  if (names.whole) await removeIfThere(names.whole.path);
  return takenAs === undefined ? { what: 'gone', candidate } : { what: 'growing', candidate };
}

function refusedClaim(candidate: InboxCandidate, error: NodeJS.ErrnoException, { folder }: ClaimJob): ClaimOutcome {
  if (error.code === 'ENOENT') return { what: 'gone', candidate };
  const isRight = error.code === 'EACCES' || error.code === 'EPERM';
  const isOfFolder = isRight && ![candidate.folder, folder].every(isWritable);
  const cause = isOfFolder ? Object.assign(new Error('a folder is read-only'), { code: 'EROFS' }) : error;
  return { what: 'held', candidate, fault: systemErrorFault(cause, nameText(candidate.name)) };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isErrno(error) && error.code === 'ENOENT') return false;
    throw error;
  }
}

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error;
}
