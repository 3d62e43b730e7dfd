/** Whether an inbox cannot be read now, as where a share is not mounted. No program makes an empty one in its place. */
import { opendirSync } from 'node:fs';
import { INBOX_ADVICE, INBOX_PROBLEM } from '../i18n/messages/inbox-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { escapeControls } from '../text/printable.ts';

const AWAY = 'inbox/folder-not-readable';

export function isInboxAway(folder: string): boolean {
  try {
    opendirSync(folder).closeSync();
    return false;
  } catch {
    return true;
  }
}

export function inboxAway(folder: string, cause?: unknown): OperatorError {
  const message = INBOX_PROBLEM.folderNotReadable({ folder: escapeControls(folder) });
  return new OperatorError(AWAY, message, { hint: INBOX_ADVICE.checkFolder(), cause });
}

export function isOfInboxAway(error: unknown): error is OperatorError {
  return error instanceof OperatorError && error.code === AWAY;
}
