/**
 * The folders of receipts and summaries, their days, and how files in them are named, listed, read and removed. Readers
 * give an empty result for what cannot be read; `removeOutput` and `flushFolder` throw the OperatorError of the disk.
 */
import { readdirSync, statSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { guardFolder, within, withinUntil } from '../files/guarded-place.ts';
import { MOST_BYTES, openPlain, readPiece } from '../files/read-bounded.ts';
import { type IsOurs, plainBytes } from '../files/read-plain.ts';
import { diskTrouble, isGone } from '../files/write-durable.ts';
import type { LedgerEntry, SourceFile } from '../model/ledger-entry.ts';
import type { Folder } from '../model/state.ts';
import { safeName } from '../text/safe-file-name.ts';
import { beginSha256, sha256Hex } from '../text/sha256.ts';

/** The folders whose content follows from states: a document or summary is in one of them at a time. */
export const OUTPUT_FOLDERS: readonly Folder[] = ['outbox', 'pending', 'error'];
/** Name of the folder of a day in one of them. */
export const DAY_FOLDER = /^\d{4}-\d\d-\d\d$/;
/** End of the file name of a receipt; its stem is the name of the entry. */
export const RECEIPT_ENDING = '.receipt.json';
/** End of the file name of a summary. */
export const SUMMARY_ENDING = '.summary.json';

/** Folder in the day of error/ for receipts of duplicates, so that they do not hide those that need a person. */
export const DUPLICATES = 'duplicates';

/** The folder of a receipt within outbox, pending or error: its day, for a duplicate with its own folder in it. */
export function receiptDay({ state, file, receipt }: Pick<LedgerEntry, 'state' | 'file' | 'receipt'>): string {
  if (state !== 'duplicate') return file.day;
  // Earlier versions wrote it next to the others: it is there until it is written again.
  return receipt?.link === undefined ? `${file.day}/${DUPLICATES}` : receipt.day;
}

/** The folders that may have receipts of a day. */
export function foldersOfDay(folder: Folder, day: string): readonly string[] {
  return folder === 'error' ? [day, `${day}/${DUPLICATES}`] : [day];
}

/** Name of a file about an export. The id keeps two exports of one name apart that arrive on the same day. */
export function nameForExport({ id, name }: Pick<SourceFile, 'id' | 'name'>, ending: string, before = ''): string {
  return `${safeName(name, 150)}.${before}${id.slice(-8)}${ending}`;
}

/** Names in a folder, sorted; none where it cannot be read, or another account has put a link there. */
export function listNames(folder: string): readonly string[] {
  try {
    using place = guardFolder(folder);
    return readdirSync(place.path).sort();
  } catch {
    return [];
  }
}

/** The group or others may write; a list of access rights shows as rights of the group. */
const OF_OTHERS = 0o022;

/**
 * A function that reads what the program wrote into an output folder, undefined for all else. Where other accounts may write to the
 * folder, the file has to belong to the owner of outbox/, or to root, as after a run by hand: what members of a group put there counts
 * for nothing.
 */
export function readsOwnBytes(root: string, most = MOST_BYTES): (path: string) => Buffer | undefined {
  const owner = statSync(join(root, 'outbox'), { throwIfNoEntry: false })?.uid;
  const isOurs: IsOurs = ({ uid }, { mode }) =>
    (mode & OF_OTHERS) === 0 || owner === undefined || uid === owner || uid === 0;
  return (path) => {
    try {
      return plainBytes(path, most, isOurs);
    } catch {
      return undefined;
    }
  };
}

/** The same, of a file with JSON. */
export function readsOwn(root: string, most = MOST_BYTES): (path: string) => unknown {
  const read = readsOwnBytes(root, most);
  return (path) => jsonIfAny(read(path));
}

/** Undefined where the file cannot be read. */
export function readTextIfAny(path: string): string | undefined {
  try {
    return plainBytes(path)?.toString('utf8');
  } catch {
    return undefined;
  }
}

/**
 * The first bytes of a file that the program wrote into an output folder, at once: half a megabyte takes less than the turns of a
 * thread. `sha256` is of the whole file; absent for a longer one in a folder that no other account may write to.
 */
export type Beginning = { readonly bytes: Buffer; readonly sha256?: string };

/** Undefined where a person has moved or removed it, or put in its place what the program cannot have written. */
export function beginningOf(path: string, most: number): Beginning | undefined {
  try {
    return within(path, (place) =>
      openPlain(place, (file, { size }) => {
        const bytes = readPiece(file, Math.min(size, most));
        if (size <= most) return { bytes, sha256: sha256Hex(bytes) };
        if ((statSync(dirname(place)).mode & OF_OTHERS) === 0) return { bytes };
        const hash = beginSha256().update(bytes);
        for (let piece = readPiece(file, most); piece.length > 0; piece = readPiece(file, most)) hash.update(piece);
        return { bytes, sha256: hash.digest('hex') };
      }),
    );
  } catch {
    return undefined;
  }
}

/** Undefined for what is no JSON. */
export function jsonIfAny(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

/** Throws the OperatorError of the disk; a file that is gone is removed. */
export async function removeOutput(path: string): Promise<void> {
  await withinUntil(path, unlink).catch((error: unknown) => {
    if (!isGone(error)) throw diskTrouble(error, path);
  });
}

/** Throws the OperatorError of the disk. */
export async function flushFolder(folder: string): Promise<void> {
  await syncFolder(folder).catch((error: unknown) => {
    throw diskTrouble(error, folder);
  });
}

/** Waits for every write before it throws the first failure: none goes on after the caller has ended. */
export async function awaitAll(writes: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
