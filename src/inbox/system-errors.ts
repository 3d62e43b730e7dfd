/** Refusals of disk and system while a file is taken, as faults for the operator. All are temporary; the file stays. */

import { errnoName } from '../files/errno-name.ts';
import type { MessageMaker } from '../i18n/message.ts';
import { INBOX_ADVICE, INBOX_PROBLEM } from '../i18n/messages/inbox-messages.ts';
import type { DataFault } from '../model/fault.ts';
import { dictionary } from '../text/dictionary.ts';
import { escapeControls } from '../text/printable.ts';
import { inboxFault } from './plain-file.ts';

type SystemError = { readonly words: string; readonly says: MessageMaker<'name'>; readonly hint: MessageMaker };

const NOT_PLAIN: SystemError = {
  words: 'not-a-plain-file',
  says: INBOX_PROBLEM.notPlainNow,
  hint: INBOX_ADVICE.remove,
};
const CANNOT_READ: SystemError = {
  words: 'cannot-read',
  says: INBOX_PROBLEM.cannotRead,
  hint: INBOX_ADVICE.closeProgram,
};
const DISK_FULL: SystemError = {
  words: 'disk-full',
  says: INBOX_PROBLEM.diskFull,
  hint: INBOX_ADVICE.makeRoom,
};
const TOO_MANY_OPEN: SystemError = {
  words: 'too-many-open-files',
  says: INBOX_PROBLEM.tooManyOpen,
  hint: INBOX_ADVICE.raiseLimit,
};
const READ_ONLY: SystemError = {
  words: 'read-only',
  says: INBOX_PROBLEM.readOnly,
  hint: INBOX_ADVICE.makeWritable,
};

const SYSTEM_ERRORS = dictionary<SystemError>({
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
});

export function systemErrorFault(error: NodeJS.ErrnoException, name: string): DataFault {
  const code = errnoName(error) ?? error.message;
  const known = SYSTEM_ERRORS.get(code);
  if (known) return inboxFault(known.words, name, known.says({ name: escapeControls(name) }), known.hint());
  const message = INBOX_PROBLEM.cannotTake({ name: escapeControls(name), error: code });
  return inboxFault('cannot-take', name, message, INBOX_ADVICE.checkDisk());
}
