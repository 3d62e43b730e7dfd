/**
 * Checks that this is an ordinary file without another owner, twice: by its name (lstat), and by the open handle.
 *
 * A FIFO blocks its reader, a link leads out of the inbox, a second hard link keeps changing what was hashed.
 */
import type { Stats } from 'node:fs';
import type { Message } from '../i18n/message.ts';
import { INBOX_ADVICE, INBOX_PROBLEM } from '../i18n/messages/inbox-messages.ts';
import { type DataFault, withMessage } from '../model/fault.ts';
import { escapeControls } from '../text/printable.ts';

/** The fault that keeps the file where it is; undefined for a plain file within the limit. */
export function checkPlainFile(stats: Stats, name: string, maxBytes: number): DataFault | undefined {
  const shown = { name: escapeControls(name) };
  if (stats.isSymbolicLink()) {
    return inboxFault('symbolic-link', name, INBOX_PROBLEM.symbolicLink(shown), INBOX_ADVICE.putItself());
  }
  if (stats.isDirectory()) {
    return {
      ...inboxFault('subfolder', name, INBOX_PROBLEM.subfolder(shown), INBOX_ADVICE.moveUp()),
      level: 'warning',
    };
  }
  if (!stats.isFile()) {
    return inboxFault('not-a-plain-file', name, INBOX_PROBLEM.notPlain(shown), INBOX_ADVICE.remove());
  }
  if (stats.nlink > 1) {
    return inboxFault('hard-link', name, INBOX_PROBLEM.hardLink(shown), INBOX_ADVICE.copy());
  }
  if (stats.size > maxBytes) {
    const message = INBOX_PROBLEM.tooLarge({ ...shown, size: stats.size, limit: maxBytes });
    return inboxFault('too-large', name, message, INBOX_ADVICE.split());
  }
  return undefined;
}

/** A fault of the file as a whole. */
export function inboxFault(words: string, name: string, message: Message, hint: Message): DataFault {
  return { code: `inbox/${words}`, level: 'error', ...withMessage(message, hint), origin: { file: name, row: 0 } };
}

/** True for two looks at one file that nobody has replaced or written between them. */
export function isSameFile(before: Stats, now: Stats): boolean {
  return (
    now.isFile() &&
    before.dev === now.dev &&
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeMs === now.mtimeMs
  );
}
