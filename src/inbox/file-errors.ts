/** What disk and system can refuse while a file is taken, as faults for the operator. All of them pass; the file stays. */

import type { MessageMaker } from '../i18n/message.ts';
import { DO, STAYS } from '../i18n/messages/inbox-messages.ts';
import type { DataFault } from '../model/fault.ts';
import { escapeControls } from '../text/printable.ts';
import { inboxFault } from './plain-file.ts';

type Trouble = { readonly words: string; readonly says: MessageMaker<'name'>; readonly hint: MessageMaker };

const NOT_PLAIN: Trouble = {
  words: 'not-a-plain-file',
  says: STAYS.notPlainNow,
  hint: DO.remove,
};
const CANNOT_READ: Trouble = {
  words: 'cannot-read',
  says: STAYS.cannotRead,
  hint: DO.closeProgram,
};
const DISK_FULL: Trouble = {
  words: 'disk-full',
  says: STAYS.diskFull,
  hint: DO.makeRoom,
};
const TOO_MANY_OPEN: Trouble = {
  words: 'too-many-open-files',
  says: STAYS.tooManyOpen,
  hint: DO.raiseLimit,
};
const READ_ONLY: Trouble = {
  words: 'read-only',
  says: STAYS.readOnly,
  hint: DO.makeWritable,
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

export function troubleFault(error: NodeJS.ErrnoException, name: string): DataFault {
  const known = error.code === undefined ? undefined : TROUBLES[error.code];
  if (known) return inboxFault(known.words, name, known.says({ name: escapeControls(name) }), known.hint());
  const message = STAYS.cannotTake({ name: escapeControls(name), error: error.code ?? error.message });
  return inboxFault('cannot-take', name, message, DO.checkDisk());
}
