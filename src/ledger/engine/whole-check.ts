/**
 * When the whole file of a ledger was last read and found sound, noted in `state/ledger.checked` with the file as a program of ours
 * left it. A command reads the whole file again a week later, or if the file is another one: every other command reads its own part.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Driver } from '../../database/database-driver.ts';
import { CORRUPT, DEVICE, primaryCode } from '../../database/sqlite-result-codes.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';

const OF_THE_DISK: ReadonlySet<number> = new Set([DEVICE, CORRUPT]);
const WEEK_MS = 7 * 24 * 3_600_000;

const noteShape = z.strictObject({ at: z.int(), inode: z.string(), size: z.string(), modified: z.string() });
type Note = z.infer<typeof noteShape>;

export type WholeCheck = {
  /** False if the whole file has to be read before it is used. */
  readonly isRecent: () => boolean;
  /** The whole file was read now. */
  readonly passed: () => void;
  /** The file is closed, and this program wrote it last: it is noted as it is, if it was read. */
  readonly closed: () => void;
  /** The disk, or what is on it, failed: the next program reads the whole file. */
  readonly doubted: () => void;
  /** For a program that reads the whole file while others may write it. The result notes it, unless one did. */
  readonly reading: () => () => void;
};

/** Without a clock no check counts as recent. */
export function wholeCheck(file: string, note: string, now?: () => Date): WholeCheck {
  /** When the file that is open was read. */
  let readAt: number | undefined;
  let isDoubted = false;
  const isRecent = () => {
    if (readAt !== undefined) return true;
    if (!now) return false;
    const known = readNote(note);
    if (!known || !isDeepStrictEqual({ at: known.at, ...stateOf(file) }, known)) return false;
    const ageMs = now().getTime() - known.at;
    // A clock that went back says nothing about the time since then.
    if (ageMs < 0 || ageMs >= WEEK_MS) return false;
    readAt = known.at;
    return true;
  };
  return {
    isRecent,
    passed: () => {
      readAt = now?.().getTime();
    },
    doubted: () => {
      isDoubted = true;
      removeNote(note);
    },
    closed: () => {
      const state = stateOf(file);
      if (readAt !== undefined && state && !isDoubted) writeNote(note, { at: readAt, ...state });
      else removeNote(note);
      readAt = undefined;
    },
    reading: () => {
      const [at, before] = [now?.().getTime(), stateOf(file)];
      return () => {
        if (at !== undefined && before && isDeepStrictEqual(stateOf(file), before)) writeNote(note, { at, ...before });
      };
    },
  };
}

function writeNote(path: string, note: Note): void {
  try {
    writeFileSync(path, JSON.stringify(note), { mode: 0o600 });
  } catch {
    // A disk without room has none: the next program reads the whole file.
    removeNote(path);
  }
}

/** An account that may not remove it has no part in it. */
function removeNote(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

function readNote(note: string): Note | undefined {
  try {
    return noteShape.safeParse(JSON.parse(readFileSync(note, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function stateOf(file: string): Omit<Note, 'at'> | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && { inode: String(found.ino), size: String(found.size), modified: String(found.mtimeNs) };
}

/** The driver, after whose errors of the disk the file is read as a whole. */
export function doubting(driver: Driver, { doubted }: WholeCheck): Driver {
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const isUnwritten = error instanceof LedgerUnavailable && error.code === 'ledger/write-failed';
      if (isUnwritten || OF_THE_DISK.has(primaryCode(error))) doubted();
      throw error;
    }
  };
  return {
    ...driver,
    read: (body) => watched(driver.read(body)),
    write: (body, order, apart) => watched(driver.write(body, order, apart)),
  };
}
