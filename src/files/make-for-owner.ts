/**
 * A file that root makes in a folder of another account goes to that account, which could not open it otherwise. That account may
 * have put a link there, and what it names never changes its owner.
 */
import { closeSync, constants, fchownSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { WRITE_FAULT } from '../i18n/messages/files-messages.ts';
import { inTheWay } from './guarded-place.ts';

const MAKE = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/**
 * Makes the file of a database, for its owner alone, unless it is there; SQLite gives the files next to it to the same owner. Throws
 * `receipts/in-the-way` where root meets a link in a folder of another account; errors of the system as they are.
 */
export function makeForOwner(file: string): Stats {
  const owner = process.getuid?.() === 0 ? statSync(dirname(file)) : undefined;
  const isOfOther = owner !== undefined && owner.uid !== 0;
  const handle = openAt(file, isOfOther ? MAKE | constants.O_NOFOLLOW | constants.O_NONBLOCK : MAKE);
  try {
    const made = fstatSync(handle);
    if (isOfOther && (!made.isFile() || made.nlink !== 1)) throw inTheWay(file, WRITE_FAULT.foreignFolder());
    if (isOfOther && made.uid !== owner.uid) fchownSync(handle, owner.uid, owner.gid);
    return made;
  } finally {
    closeSync(handle);
  }
}

function openAt(file: string, flags: number): number {
  try {
    return openSync(file, flags, 0o600);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP' ? inTheWay(file, WRITE_FAULT.foreignFolder()) : error;
  }
}
