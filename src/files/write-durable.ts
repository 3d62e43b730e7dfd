/**
 * Files that are whole or missing: temporary name, flush, rename. The caller flushes the folder, once per batch of files.
 *
 * A refusal of the disk, or a foreign file under a name of ours, is an OperatorError with the path: a person has to fix it.
 */
import { randomUUID } from 'node:crypto';
import { constants, existsSync, statSync } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Message } from '../i18n/message.ts';
import { WRITE_FAULT } from '../i18n/messages/files-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { dictionary } from '../text/dictionary.ts';
import { errnoName } from './errno-name.ts';
import { syncFolder } from './fsync-directory.ts';
import { guardFolder, IN_THE_WAY, inTheWay, withinUntil } from './guarded-place.ts';
import { sharedFileMode, sharedFolderMode } from './shared-folder.ts';

/** The ending of every temporary file of ours; one that is found at start was left by a crash. */
export const TEMPORARY = '.tmp-np';

/**
 * A temporary name of its own for each write: two programs may write one file at the same time, and a leftover that one of them
 * removes never has the name of a file that another one still renames.
 */
export function temporaryName(path: string): string {
  return `${path}.${randomUUID().slice(0, 8)}${TEMPORARY}`;
}

/**
 * Private (0600), or open to the group of a shared folder, and durable once the folder is flushed; replaces an older version of
 * itself.
 */
export async function writeDurable(path: string, content: string | AsyncIterable<string | Uint8Array>): Promise<void> {
  try {
    await withinUntil(path, (place) => writeAndName(place, sharedFileMode(path), content));
  } catch (error) {
    throw diskTrouble(error, path);
  }
}

async function writeAndName(
  path: string,
  mode: number | undefined,
  content: string | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const temporary = temporaryName(path);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      if (mode !== undefined) await file.chmod(mode);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** The folder, private (0700) or shared like the one above it, and durable with every folder that had to be made above it. */
export async function ensureFolder(path: string): Promise<void> {
  await makeFolder(path).catch((error: unknown) => {
    throw diskTrouble(error, path);
  });
}

/** One after the other: with `recursive` Node calls a read-only disk ENOENT. */
async function makeFolder(path: string): Promise<void> {
  const above = dirname(path);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && !there.isDirectory()) throw inTheWay(path, WRITE_FAULT.fileThere());
  // Refuses a link or a folder of another account in its place.
  if (there) guardFolder(path)[Symbol.dispose]();
  if (there || above === path) return;
  await makeFolder(above);
  await withinUntil(path, (place) => makeOne(place, sharedFolderMode(path))).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    if (!existsSync(path)) throw inTheWay(path, WRITE_FAULT.brokenLink());
  });
  await syncFolder(above);
}

/** The umask takes the bits of the group away, so they are set afterwards: of the folder that is open, not of what has its name by then. */
async function makeOne(path: string, mode: number | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  if (mode === undefined) return;
  await using folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  if ((await folder.stat()).uid !== process.geteuid?.()) throw Object.assign(new Error(path), { code: 'ENOTSUP' });
  await folder.chmod(mode);
}

/**
 * Writes once more, from the start, where a file or folder of it vanished meanwhile (`isGone`), as when a person removes the folder
 * of a day. A second time it throws, and at once where `may` is false by then.
 */
export async function onceMoreIfGone<T>(write: () => Promise<T>, may: () => boolean): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isGone(error) || !may()) throw error;
    return await write();
  }
}

/** Whether a path was not there; a file in the place of the folder above leaves nothing there either. */
export function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

type Trouble = { readonly code: string; readonly reason: Message; readonly hint: Message };

const NO_ACCESS: Trouble = {
  code: 'receipts/no-access',
  reason: WRITE_FAULT.noAccess(),
  hint: WRITE_FAULT.noAccessHint(),
};
const MANY_OPEN: Trouble = {
  code: 'receipts/too-many-open',
  reason: WRITE_FAULT.tooManyOpen(),
  hint: WRITE_FAULT.tooManyOpenHint(),
};
const TROUBLE = dictionary<Trouble>({
  ENOSPC: { code: 'receipts/disk-full', reason: WRITE_FAULT.diskFull(), hint: WRITE_FAULT.diskFullHint() },
  EDQUOT: { code: 'receipts/disk-full', reason: WRITE_FAULT.quota(), hint: WRITE_FAULT.diskFullHint() },
  EROFS: { code: 'receipts/read-only', reason: WRITE_FAULT.readOnly(), hint: WRITE_FAULT.readOnlyHint() },
  EACCES: NO_ACCESS,
  EPERM: NO_ACCESS,
  EMFILE: MANY_OPEN,
  ENFILE: MANY_OPEN,
  EISDIR: { code: IN_THE_WAY, reason: WRITE_FAULT.folderThere(), hint: WRITE_FAULT.moveAway() },
  ENOTSUP: { code: IN_THE_WAY, reason: WRITE_FAULT.fileThere(), hint: WRITE_FAULT.moveAway() },
  ENOTDIR: { code: IN_THE_WAY, reason: WRITE_FAULT.fileThere(), hint: WRITE_FAULT.moveAway() },
});

/** An OperatorError with a code that the pipeline can wait on for a known error of a disk; any other error as it is. */
export function diskTrouble(error: unknown, path: string): unknown {
  const known = TROUBLE.get(errnoName(error) ?? '');
  if (!known) return error;
  const { code, reason, hint } = known;
  const message = WRITE_FAULT.cannotWrite({ path: folderOfFile(error, path), reason });
  return new OperatorError(code, message, { hint, cause: error });
}

/** The path that a folder blocks: the name of the file, or its temporary name. */
export function folderOfFile(error: unknown, path: string): string {
  const { code, path: at, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  return code === 'EISDIR' ? (dest ?? at ?? path) : path;
}
