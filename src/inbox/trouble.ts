/** What disk and system can refuse while a file is taken, as faults for the operator. All of them pass; the file stays. */
import type { Fault } from '../model/fault.ts';
import { inboxFault } from './plain.ts';

type Trouble = { readonly words: string; readonly says: string; readonly hint: string };

const AGAIN = 'It is tried again by itself.';
const NOT_PLAIN: Trouble = {
  words: 'not-a-plain-file',
  says: 'is a link, pipe, socket or device',
  hint: 'Remove it from the inbox.',
};
const CANNOT_READ: Trouble = {
  words: 'cannot-read',
  says: 'cannot be taken: another program has it open, or this user may not read or move it',
  hint: `Close the program, or correct the permissions of the file and the inbox. ${AGAIN}`,
};
const DISK_FULL: Trouble = {
  words: 'disk-full',
  says: 'cannot be copied, the disk is full',
  hint: `Make room on the disk. ${AGAIN}`,
};
const TOO_MANY_OPEN: Trouble = {
  words: 'too-many-open-files',
  says: 'waits, the system allows no more open files',
  hint: `Raise the limit of open files for this service. ${AGAIN}`,
};
const READ_ONLY: Trouble = {
  words: 'read-only',
  says: 'cannot be moved, a folder is read-only',
  hint: `Make inbox and processing writable; often the disk reported errors before. ${AGAIN}`,
};

const TROUBLES: { readonly [errno: string]: Trouble } = {
  ELOOP: NOT_PLAIN,
  EMLINK: NOT_PLAIN,
  ENXIO: NOT_PLAIN,
  EACCES: CANNOT_READ,
  EPERM: CANNOT_READ,
  EBUSY: CANNOT_READ,
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EMFILE: TOO_MANY_OPEN,
  ENFILE: TOO_MANY_OPEN,
  EROFS: READ_ONLY,
};

export function troubleFault(error: NodeJS.ErrnoException, name: string): Fault {
  const known = error.code === undefined ? undefined : TROUBLES[error.code];
  if (known) return inboxFault(known.words, name, known.says, known.hint);
  const says = `cannot be taken (${error.code ?? error.message})`;
  return inboxFault('cannot-take', name, says, `Check the disk or the share. ${AGAIN}`);
}
