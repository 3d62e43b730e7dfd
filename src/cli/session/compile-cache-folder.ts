/**
 * The folder for what only makes the next start quicker: compiled code. Whoever can write there runs code as this user,
 * so it is taken only where no other user can write, at any level; else there is none, and the start is slower.
 */
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

type Variables = { readonly [name: string]: string | undefined };

/** That of the service manager, else that of the user; made with mode 0700 where it is missing. */
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

/** Windows has no such bits: there the folder of the user is private by its access list. */
function isPrivate(folder: string): boolean {
  const own = process.geteuid?.();
  if (own === undefined) return true;
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === own && (found.mode & 0o077) === 0 && isGuarded(dirname(folder), own);
}

/** No one but this user and the administrator can put something else in its place. */
function isGuarded(folder: string, own: number): boolean {
  const { uid, mode } = lstatSync(folder);
  if ((uid !== own && uid !== 0) || (mode & 0o022) !== 0) return false;
  return folder === dirname(folder) || isGuarded(dirname(folder), own);
}
