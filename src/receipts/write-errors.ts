/**
 * Finds what prevents files from being written before the first one is written, and turns refusals of the disk into
 * data that can pass between threads. Input: paths with their texts. Output: the first failure, or the OperatorError of
 * it.
 */
import { existsSync } from 'node:fs';
import { inTheWay, within } from '../files/guarded-place.ts';
import { MOST_BYTES, readPlain } from '../files/read-bounded.ts';
import { plainBytes } from '../files/read-plain.ts';
import { diskTrouble, folderOfFile } from '../files/write-durable.ts';
import type { Message } from '../i18n/message.ts';
import { WRITE_FAULT } from '../i18n/messages/files-messages.ts';
import { sha256Hex } from '../text/sha256.ts';

/** One file of a batch, held in memory as a whole. */
export type SmallFile = {
  readonly path: string;
  readonly text: string;
  /** Id of the document whose receipt this is: it never replaces the receipt of another document. */
  readonly of?: string;
  /** The recorded hash of the text (SHA-256, hex). */
  readonly sha256?: string;
};

/**
 * The first file that could not be written: the code of the system, such as ENOSPC, with its message; or what has its
 * name (`foreign`). Plain data, because it passes between threads.
 */
export type WriteFailure = { readonly path: string } & (
  | { readonly code?: string | undefined; readonly message: string; readonly foreign?: undefined }
  | { readonly foreign: Message }
);

/**
 * The first file that must not be written, because its payload is not the recorded one or its place is taken. Runs in
 * the writing thread, so that the sending thread does not wait for these looks at the disk.
 */
export function findObstacle(files: readonly SmallFile[]): WriteFailure | undefined {
  for (const { path, text, of, sha256 } of files) {
    if (sha256 !== undefined && sha256Hex(text) !== sha256) {
      return { path, message: `${path}: the payload is not what was recorded` };
    }
    // A file is there only rarely, and `existsSync` costs far less than a failed read.
    if (of === undefined || !existsSync(path)) continue;
    try {
      // Names are unique per entry in the ledger: a file of another document stays, no matter who wrote it.
      const id = readId(within(path, (place) => readPlain(place, MOST_BYTES)).toString('utf8'));
      if (id === of) continue;
      return { path, foreign: typeof id === 'string' ? WRITE_FAULT.receiptThere() : WRITE_FAULT.otherFileThere() };
    } catch (error) {
      return toWriteFailure(path, error);
    }
  }
  return undefined;
}

/** Whether the place holds something other than the receipt of this document; true if it cannot be read. */
export function isForeign(path: string, id: string): boolean {
  try {
    return existsSync(path) && readId(plainBytes(path)?.toString('utf8') ?? '') !== id;
  } catch {
    return true;
  }
}

/** An exception of the file system as data; `path` is the folder if the folder is the cause. */
export function toWriteFailure(path: string, error: unknown): WriteFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return { path: folderOfFile(error, path), code, message };
}

/**
 * Throws the OperatorError of the failure (`receipts/in-the-way`, or a refusal of the disk); without a failure it does nothing.
 */
export function throwWriteFailure(failure: WriteFailure | undefined): void {
  if (!failure) return;
  if (failure.foreign) throw inTheWay(failure.path, failure.foreign);
  const { path, code, message } = failure;
  throw diskTrouble(Object.assign(new Error(message), code === undefined ? {} : { code }), path);
}

function readId(receipt: string): unknown {
  try {
    return (JSON.parse(receipt) as { id?: unknown }).id;
  } catch {
    return undefined;
  }
}

/** From this number on the worker thread is worth its start; it holds a copy of the texts. */
const MANY = 48;
/** Characters of a batch that the worker thread may hold. */
const SMALL_TOGETHER = 8 * 1024 * 1024;

/** Whether the worker thread writes the batch faster than this thread: 48 files or more, of at most 8 Mi characters. */
export function areManySmall(files: readonly SmallFile[]): boolean {
  return files.length >= MANY && files.reduce((sum, { text }) => sum + text.length, 0) <= SMALL_TOGETHER;
}
