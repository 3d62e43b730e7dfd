/** Who dropped a file: the name of its owner on this machine, for the record of what people decided by files. */
import { readFileSync } from 'node:fs';
import { accountName } from '../../model/account-name.ts';

/** Where the system tells no owner, as on Windows and on many shares. */
export const UNKNOWN_OWNER = 'inbox';

/** The name of a user id; "uid 1234" where only another machine knows it. */
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
