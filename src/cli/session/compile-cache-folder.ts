/**
 * Finds the folder for compiled code, which makes the next start faster. A user who can write there could run code as
 * this user: so it is used only if no other user can write to it, at any level. Otherwise the result is undefined, and
 * the start is slower.
 */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

type Variables = { readonly [name: string]: string | undefined };

/** The folder of the service manager, else that of the user; made with mode 0700 if missing. Undefined on any error. */
export function cacheFolder(variables: Variables): string | undefined {
  const base = baseOf(variables);
  if (base === undefined || !isAbsolute(base)) return undefined;
  try {
    mkdirSync(base, { recursive: true, mode: 0o700 });
    const folder = join(realpathSync(base), 'nightpost');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isPrivate(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function baseOf({ CACHE_DIRECTORY, XDG_CACHE_HOME, HOME, LOCALAPPDATA }: Variables): string | undefined {
  if (process.platform === 'win32') return LOCALAPPDATA;
  // systemd names several folders with colons between them.
  return CACHE_DIRECTORY?.split(':')[0] || XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
}

/** Windows has no such bits: an access list keeps the folder of the user private there. */
function isPrivate(folder: string): boolean {
  const own = process.geteuid?.();
  if (own === undefined) return true;
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === own && (found.mode & 0o077) === 0 && isGuarded(dirname(folder), own);
}

/** Only this user and the administrator can replace the folder: checks each folder up to the root. */
function isGuarded(folder: string, own: number): boolean {
  const { uid, mode } = lstatSync(folder);
  if ((uid !== own && uid !== 0) || (mode & 0o022) !== 0) return false;
  return folder === dirname(folder) || isGuarded(dirname(folder), own);
}
