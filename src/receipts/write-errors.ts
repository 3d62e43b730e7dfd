/** What prevents files from being written: found before the first of them is written, or reported by the disk. */
import { existsSync, readFileSync } from 'node:fs';
import { diskTrouble, folderOfFile, IN_THE_WAY, inTheWay } from '../files/write-durable.ts';
import { sha256Hex } from '../text/sha256.ts';

export type SmallFile = {
  readonly path: string;
  readonly text: string;
  /** Id of the document whose receipt it is; that of another one is never replaced by it. */
  readonly of?: string;
  /** What the text has to be (SHA-256, hex). */
  readonly sha256?: string;
};

/**
 * The first file that could not be written: the code of the system, such as ENOSPC, with its message; or IN_THE_WAY, with
 * what is there. Plain data, because it passes between threads.
 */
export type WriteFailure = { readonly path: string; readonly code?: string | undefined; readonly message: string };

/** The first file that must not be written. Called in the writing thread, so that the sending one does not look at places. */
export function findObstacle(files: readonly SmallFile[]): WriteFailure | undefined {
  for (const { path, text, of, sha256 } of files) {
    if (sha256 !== undefined && sha256Hex(text) !== sha256) {
      return { path, message: `${path}: the payload is not what was recorded` };
    }
    // There is seldom one, and a look costs far less than a reading that fails.
    if (of === undefined || !existsSync(path)) continue;
    try {
      // Names are unique per entry in the ledger; a file of another document is kept, whoever wrote it.
      const id = readId(readFileSync(path, 'utf8'));
      if (id === of) continue;
      const other = typeof id === 'string' ? 'the receipt of another document' : 'a file that is no receipt';
      return { path, code: IN_THE_WAY, message: `${other} lies there` };
    } catch (error) {
      return toWriteFailure(path, error);
    }
  }
  return undefined;
}

/** Whether something is there that is not the receipt of this document. */
export function isForeign(path: string, id: string): boolean {
  try {
    return existsSync(path) && readId(readFileSync(path, 'utf8')) !== id;
  } catch {
    return true;
  }
}

export function toWriteFailure(path: string, error: unknown): WriteFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return { path: folderOfFile(error, path), code, message };
}

export function throwWriteFailure(failure: WriteFailure | undefined): void {
  if (!failure) return;
  const { path, code, message } = failure;
  if (code === IN_THE_WAY) throw inTheWay(path, message);
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
const SMALL_TOGETHER = 8 * 1024 * 1024;

export function areManySmall(files: readonly SmallFile[]): boolean {
  return files.length >= MANY && files.reduce((sum, { text }) => sum + text.length, 0) <= SMALL_TOGETHER;
}
