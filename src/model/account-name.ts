/** The name of the account that the program runs under, for the record of who decided. */
import { userInfo } from 'node:os';

/** "uid 1234" if the system has no name for it, as in containers and under a DynamicUser of systemd. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
