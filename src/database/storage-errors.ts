/**
 * Errors of the disk or the system that are not damage to the ledger: a full disk, I/O errors, too many open files. SQLite
 * reports most of them as "disk I/O error" or "unable to open database file", so this module tests the disk itself.
 */
import { closeSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOutOfRoom } from '../files/errno-name.ts';
import { LEDGER_FILE } from '../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { LedgerUnavailable } from '../model/ledger-unavailable.ts';
import { CANNOT_OPEN, CORRUPT, DEVICE, FULL, primaryCode } from './sqlite-result-codes.ts';

/** SQLite needs a page of the ledger, one of the log and its index at once. */
const ROOM_BYTES = 64 * 1024;
const FILES_AT_ONCE = 8;

/** The error that a person can act on; the given one if its cause is the ledger itself or a bug. */
export function toStorageError(error: unknown, file: string): unknown {
  const code = primaryCode(error);
  if (code === FULL || isOutOfRoom(error)) return new LedgerUnavailable('ledger/disk-full', error);
  // A page that could not be read while the ledger was open: whether the file or the disk is damaged, the next start finds out.
  if (code !== DEVICE && code !== CORRUPT && code !== CANNOT_OPEN) return error;
  if (isDiskFull(file)) return new LedgerUnavailable('ledger/disk-full', error);
  if (areTooManyFilesOpen()) {
    return new OperatorError('ledger/too-many-open', LEDGER_FILE.tooManyOpen(), {
      hint: LEDGER_FILE.tooManyOpenHint(),
      cause: error,
    });
  }
  if (code === CANNOT_OPEN) return error;
  return new OperatorError('ledger/device-error', LEDGER_FILE.deviceError({ problem: (error as Error).message }), {
    hint: LEDGER_FILE.deviceErrorHint({ folder: dirname(file) }),
    cause: error,
  });
}

/** Whether the disk has no room for one more commit. */
export function isDiskFull(file: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(dirname(file));
    return bavail * bsize < ROOM_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

function areTooManyFilesOpen(): boolean {
  const open: number[] = [];
  try {
    // Not the ledger file: closing it would free the locks of this process on it.
    while (open.length < FILES_AT_ONCE) open.push(openSync(process.execPath, 'r'));
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EMFILE' || code === 'ENFILE';
  } finally {
    for (const one of open) closeSync(one);
  }
}
