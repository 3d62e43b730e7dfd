/**
 * Names below folders that other accounts may write to: inbox, pending, error and reports with `share`, folders of answers. A member may
 * put a link in the place of a folder of ours at any moment. So such a folder is opened without following a link, its owner is looked
 * at, and what happens in it goes through this handle, whatever has its name by then. Systems without /proc are looked at by name.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Message } from '../i18n/message.ts';
import { WRITE_FAULT } from '../i18n/messages/files-messages.ts';
import { OperatorError } from '../model/fault.ts';

/** Valid until it is disposed of; `named` gives an error of the system the name that a person knows. */
export type GuardedPlace = Disposable & { readonly path: string; readonly named: (error: unknown) => unknown };

const HANDLES = '/proc/self/fd';
const byHandle = process.platform === 'linux' && existsSync(HANDLES);
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
const NO_LINK = constants.O_NOFOLLOW ?? 0;
/** Folders of an instance that its settings may share, and outbox/, which an administrator may open by hand. */
const TOPS: ReadonlySet<string> = new Set(['inbox', 'pending', 'error', 'reports', 'outbox']);
const OF_OTHERS = 0o022;

/** A file of another program has the name of a file or folder of ours: it is kept. */
export const IN_THE_WAY = 'receipts/in-the-way';

/** The error for a name that another program uses; `reason` is what has the name. */
export function inTheWay(path: string, reason: Message): OperatorError {
  const hint = WRITE_FAULT.moveAway();
  return new OperatorError(IN_THE_WAY, WRITE_FAULT.cannotWrite({ path, reason }), { hint });
}

/** One act on the file or folder `path`, by a name that no other account can turn to another place. */
export function within<T>(path: string, act: (place: string) => T): T {
  using folder = guardFolder(dirname(path));
  try {
    return act(join(folder.path, basename(path)));
  } catch (error) {
    throw folder.named(error);
  }
}

/** The same for acts that take their time. */
export async function withinUntil<T>(path: string, act: (place: string) => Promise<T>): Promise<T> {
  using folder = guardFolder(dirname(path));
  try {
    return await act(join(folder.path, basename(path)));
  } catch (error) {
    throw folder.named(error);
  }
}

/** The folder itself, for many acts; by its own name where no other account can change that. Throws `receipts/in-the-way`. */
export function guardFolder(folder: string): GuardedPlace {
  const top = topOf(folder);
  if (top === undefined || top === folder || !isOpenToOthers(top, folder)) return byName(folder);
  if (byHandle) return heldAt(openBelow(top, folder), folder);
  lookBelow(top, folder);
  return byName(folder);
}

/** A folder that the settings name, such as one of answers: it stays the one that was opened, whatever gets its name. */
export function holdFolder(folder: string): GuardedPlace {
  return byHandle ? heldAt(openSync(folder, FOLDER), folder) : byName(folder);
}

function topOf(folder: string): string | undefined {
  for (let one = folder; ; one = dirname(one)) {
    if (TOPS.has(basename(one))) return one;
    if (one === dirname(one)) return undefined;
  }
}

/** A link is open to others: its target does not count. */
function isOpenToOthers(top: string, folder: string): boolean {
  if (process.platform === 'win32') return false;
  for (let one = folder; ; one = dirname(one)) {
    const stats = one === top ? statSync(one, { throwIfNoEntry: false }) : lstatSync(one, { throwIfNoEntry: false });
    if (stats && !(stats.isDirectory() && isPrivate(stats))) return true;
    if (one === top) return false;
  }
}

function isPrivate({ mode, uid }: Stats): boolean {
  return (mode & OF_OTHERS) === 0 && (uid === 0 || uid === process.geteuid?.());
}

function openBelow(top: string, folder: string): number {
  let at = top;
  let handle = openSync(top, FOLDER);
  try {
    for (const name of relative(top, folder).split(sep)) {
      at = join(at, name);
      const next = openFolder(`${HANDLES}/${handle}/${name}`, at);
      const { uid: above } = fstatSync(handle);
      closeSync(handle);
      handle = next;
      if (!isOwn(fstatSync(handle), above)) throw inTheWay(at, WRITE_FAULT.foreignFolder());
    }
  } catch (error) {
    closeSync(handle);
    throw error;
  }
  return handle;
}

function openFolder(place: string, at: string): number {
  try {
    return openSync(place, FOLDER | NO_LINK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isLink =
      code === 'ELOOP' || (code === 'ENOTDIR' && lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink());
    if (isLink) throw inTheWay(at, WRITE_FAULT.foreignFolder());
    throw Object.assign(error as Error, { path: at });
  }
}

function lookBelow(top: string, folder: string): void {
  for (let at = folder; at !== top; at = dirname(at)) {
    const stats = lstatSync(at);
    if (!stats.isDirectory() && !stats.isSymbolicLink()) continue;
    if (!stats.isDirectory() || !isOwn(stats, statSync(dirname(at)).uid))
      throw inTheWay(at, WRITE_FAULT.foreignFolder());
  }
}

/** Root may have made it in a run by hand, and root may look at the instance of another account. */
function isOwn({ uid }: Stats, above: number): boolean {
  return uid === 0 || uid === process.geteuid?.() || uid === above;
}

function byName(folder: string): GuardedPlace {
  return { path: folder, named: (error) => error, [Symbol.dispose]: () => {} };
}

function heldAt(handle: number, folder: string): GuardedPlace {
  const place = `${HANDLES}/${handle}`;
  const named = (error: unknown) => {
    if (!(error instanceof Error)) return error;
    const failure = error as NodeJS.ErrnoException & { dest?: string };
    for (const key of ['message', 'path', 'dest'] as const) {
      const text = failure[key];
      if (typeof text === 'string' && text.includes(place)) failure[key] = text.replaceAll(place, folder);
    }
    return error;
  };
  return { path: place, named, [Symbol.dispose]: () => closeSync(handle) };
}
