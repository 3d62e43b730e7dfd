/**
 * Receipts that a person has moved or copied into a folder where they mean a decision. Every other file there is left
 * as it is: links are not followed, pipes not opened, large files not read, and the number of files read is bounded.
 */
import { type FileHandle, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { guardFolder, withinUntil } from '../files/guarded-place.ts';
import { OPEN_SAFELY } from '../files/read-bounded.ts';

export type MovedReceipt = {
  readonly name: string;
  readonly path: string;
  readonly uid: number;
  readonly bytes: Buffer;
};

export type DecisionFolderScan = {
  /** Names of what may be one: read with readMovedReceipt, one after the other. */
  readonly receipts: readonly string[];
  /** Payloads that came along with their receipts. */
  readonly payloads: readonly string[];
  /** Notes of ours: what was wrong with a receipt. */
  readonly notes: readonly string[];
  /** What is neither, sorted. */
  readonly left: readonly string[];
};

export const NOTE_ENDING = '.note.txt';
const OWN = new Set(['README.txt', '.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** A receipt lists every row of its document: far above any, low enough to be read at once. */
const MAX_BYTES = 32 * 1024 * 1024;
/** More are read at the next look. */
const MAX_RECEIPTS = 1000;

export async function scanDecisionFolder(folder: string): Promise<DecisionFolderScan> {
  const receipts: string[] = [];
  const payloads: string[] = [];
  const notes: string[] = [];
  const left: string[] = [];
  using place = guardFolder(folder);
  for await (const entry of await opendir(place.path)) {
    const { name } = entry;
    if (isIgnoredName(name)) continue;
    if (!entry.isFile()) left.push(name);
    else if (name.endsWith(NOTE_ENDING)) notes.push(name);
    else if (name.endsWith('.payload.json')) payloads.push(name);
    else if (!/\.json$/i.test(name)) left.push(name);
    else if (receipts.length < MAX_RECEIPTS) receipts.push(name);
  }
  return { receipts, payloads, notes, left: left.sort() };
}

function isIgnoredName(name: string): boolean {
  return OWN.has(name) || /^[.~]|\.tmp-np$/.test(name);
}

/** Undefined if it is not a plain file that may be read. */
export async function readMovedReceipt(folder: string, name: string): Promise<MovedReceipt | undefined> {
  const path = join(folder, name);
  let file: FileHandle;
  try {
    file = await withinUntil(path, (place) => open(place, OPEN_SAFELY));
  } catch {
    return undefined;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return { name, path, uid: stats.uid, bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}
