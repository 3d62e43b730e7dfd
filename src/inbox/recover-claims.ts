/**
 * Repairs claims after a crash. Whichever step it stopped at, every dropped file is then in exactly one place: back in the
 * inbox, or as a complete private copy that is returned here.
 *
 * Only for runs that are over: the caller holds the instance's lock. Done twice it changes nothing.
 */
import { lstat, readdir, readFile, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { syncFolder } from '../files/fsync-directory.ts';
import { sha256OfFile } from '../files/sha256-of-file.ts';
import { isGone } from '../files/write-durable.ts';
import { nameText, originalName } from '../text/safe-file-name.ts';
import { type ClaimedFile, emptyFileFaults } from './claim-candidates.ts';
import { type ClaimRole, inPlacePrefix, readClaimName, readWholeNames } from './claim-names.ts';
import { returnToInbox } from './return-to-inbox.ts';

export type Recovery = {
  /** Complete copies with a new hash: those that the ledger does not know are opened now, as if just claimed. */
  readonly copies: readonly ClaimedFile[];
  /** Names that are back in the inbox. */
  readonly putBack: readonly string[];
};

/** One claim's files by role. */
type ClaimParts = {
  readonly uuid: string;
  readonly found: Map<ClaimRole, { readonly path: string; readonly name: Buffer }>;
};

type RecoverOptions = {
  /** Folders that are left alone. */
  readonly isInUse?: (run: string) => boolean;
  /** Copies that were found before: they are not read again. */
  readonly isKnown?: (path: string) => boolean;
};

/** `inbox` is the folder that dropped files go back to. A copy that moves to the archive meanwhile is left out. */
export async function recoverClaims(
  processing: string,
  inbox: string,
  { isInUse = () => false, isKnown = () => false }: RecoverOptions = {},
): Promise<Recovery> {
  const copies: ClaimedFile[] = [];
  const back: string[] = [];
  const limit = pLimit(16);
  for (const run of await listFolders(processing)) {
    if (isInUse(run)) continue;
    const folder = join(processing, run);
    const claims = await readClaims(folder, inbox, run);
    const restored = await Promise.all(
      claims.map((parts) => limit(() => restoreClaim(parts, { inbox, run, isKnown }))),
    );
    for (const one of restored) {
      if (one?.copy) copies.push(one.copy);
      if (one?.back !== undefined) back.push(one.back);
    }
    if (claims.length > 0) await syncFolder(folder);
    await removeIfEmpty(folder);
  }
  // On another volume a file is claimed in the inbox, and removed there.
  if (back.length > 0 || copies.length > 0) await syncFolder(inbox);
  return { copies, putBack: back };
}

async function readClaims(folder: string, inbox: string, run: string): Promise<readonly ClaimParts[]> {
  const claims = new Map<string, ClaimParts>();
  const add = (path: string, uuid: string, role: ClaimRole, safe: string) => {
    const parts = claims.get(uuid) ?? { uuid, found: new Map() };
    claims.set(uuid, parts);
    parts.found.set(role, { path, name: originalName(safe) });
  };
  for (const name of await listPlainFiles(folder)) {
    const read = readClaimName(name);
    if (read) add(join(folder, name), read.uuid, read.role, read.safe);
  }
  const prefix = inPlacePrefix(run);
  for (const name of await listPlainFiles(inbox)) {
    const read = name.startsWith(prefix) ? readClaimName(name.slice(prefix.length)) : undefined;
    if (read) add(join(inbox, name), read.uuid, 'taken', read.safe);
  }
  for (const { found } of claims.values()) await takeWholeNames(found);
  return [...claims.values()];
}

/** Where the names of the claim are cut, a file has the whole ones. */
async function takeWholeNames(found: ClaimParts['found']): Promise<void> {
  const kept = found.get('name');
  if (!kept) return;
  const whole = readWholeNames(await readFile(kept.path));
  for (const [role, part] of found) found.set(role, { ...part, name: role === 'marker' ? whole.marker : whole.name });
}

/** A folder or link that someone else has put under one of our names is not touched. */
async function listPlainFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);
}

type Place = { readonly inbox: string; readonly run: string; readonly isKnown: (path: string) => boolean };

async function restoreClaim(
  { uuid, found }: ClaimParts,
  place: Place,
): Promise<{ readonly copy?: ClaimedFile | undefined; readonly back?: string }> {
  const { inbox } = place;
  const [copy, taken, marker] = [found.get('copy'), found.get('taken'), found.get('marker')];
  const [copying, whole] = [found.get('copying'), found.get('name')];
  if (copying) await unlink(copying.path);
  if (copy && (!taken || (await isCopyOf(copy.path, taken.path)))) {
    // The crash may have come before the folder was flushed: the copy's name is durable before the dropped file goes.
    if (taken) await syncFolder(dirname(copy.path));
    if (taken) await unlink(taken.path);
    if (marker) await unlink(marker.path);
    return { copy: await findCopy(copy, place) };
  }
  if (copy) await unlink(copy.path);
  const back = taken && (await returnToInbox(taken.path, inbox, taken.name, uuid));
  if (marker) await returnToInbox(marker.path, inbox, markerName(marker.name, taken?.name, back), uuid);
  if (whole) await unlink(whole.path);
  return back ? { back: nameText(back) } : {};
}

/** The marker follows its file, which may have come back under another name. */
function markerName(marker: Buffer, name: Buffer | undefined, back: Buffer | undefined): Buffer {
  if (!name || !back || back.equals(name)) return marker;
  const isWhole = marker.subarray(0, name.length).equals(name);
  return Buffer.concat([back, marker.subarray(isWhole ? name.length : marker.lastIndexOf(0x2e))]);
}

async function isCopyOf(copy: string, taken: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([lstat(copy), lstat(taken)]);
  // Times are set through a float of seconds, which keeps less than the last digits.
  return ours.size === theirs.size && Math.abs(ours.mtimeMs - theirs.mtimeMs) < 0.01;
}

/** Undefined for one that an earlier look has found, or that has moved on since this one. */
async function findCopy(
  { path, name }: { readonly path: string; readonly name: Buffer },
  { run, isKnown }: Place,
): Promise<ClaimedFile | undefined> {
  return isKnown(path) ? undefined : await toClaimedFile(path, name, run).catch(unlessGone);
}

async function toClaimedFile(path: string, original: Buffer, run: string): Promise<ClaimedFile> {
  const stats = await lstat(path);
  const name = nameText(original);
  return {
    name,
    run,
    path,
    sha256: await sha256OfFile(path),
    size: stats.size,
    modifiedAt: new Date(stats.mtimeMs).toISOString(),
    claimedAt: new Date(stats.ctimeMs).toISOString(),
    faults: emptyFileFaults(name, stats.size),
  };
}

function unlessGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

async function listFolders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
}
