/** What to do when there is no usable ledger: names the newest backup that the command `backup` left next to it, if any. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Message } from '../i18n/message.ts';
import { LEDGER_FILE } from '../i18n/messages/ledger-messages.ts';

/** `ledger`: path of `state/ledger.sqlite`, if it is known. */
export function restoreHint(ledger: string | undefined): Message {
  if (ledger === undefined) return LEDGER_FILE.restore();
  const folder = join(dirname(dirname(ledger)), 'backups');
  const restore = LEDGER_FILE.restore();
  const newest = listFiles(folder)
    .filter((name) => /^ledger-\d{8}T\d{6}Z\.sqlite$/.test(name))
    .sort()
    .at(-1);
  return newest === undefined ? restore : LEDGER_FILE.restoreNewest({ restore, file: join(folder, newest) });
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
