/**
 * The owner of a dropped file on this machine, for the record of decisions that people make by files. User id in, name
 * out; an unreadable user list gives the number.
 */
import { readFileSync } from 'node:fs';
import { accountName } from '../../model/account-name.ts';

/** The name if the system has no owner of a file, as on Windows and on many shares. */
export const UNKNOWN_OWNER = 'inbox';

/** The name of a user id; "uid 1234" if this machine does not know it. */
export function ownerName(uid: number | undefined): string {
  if (uid === undefined || process.platform === 'win32') return UNKNOWN_OWNER;
  if (uid === process.getuid?.()) return accountName();
  return nameIn(passwords(), uid) ?? `uid ${uid}`;
}

function passwords(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

/** A line reads `name:x:uid:gid:...`. */
function nameIn(text: string, uid: number): string | undefined {
  for (const line of text.split('\n')) {
    const [name, , id] = line.split(':');
    if (name && id === String(uid)) return name;
  }
  return undefined;
}
