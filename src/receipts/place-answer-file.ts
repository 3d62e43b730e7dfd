/**
 * An answer file comes into its folder: hidden name, flush, record, rename, flush, marker. The bytes come from a copy of
 * ours, so that each try writes the same. A name that other bytes have is never overwritten: `answers/foreign-file`. A
 * folder that is away, read-only or full throws its OperatorError; nothing is lost, and the next try goes on.
 */
import { createReadStream } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoName } from '../files/errno-name.ts';
import { syncFolder } from '../files/fsync-directory.ts';
import { holdFolder } from '../files/guarded-place.ts';
import { plainBytes } from '../files/read-plain.ts';
import { sha256OfOurs } from '../files/sha256-of-file.ts';
import { ANSWERS_FAULT } from '../i18n/messages/receipts-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { dictionary } from '../text/dictionary.ts';

/** Its presence proves that the folder is the one that answers went to before, and not the place of a missing disk. */
const FOLDER_MARK = '.nightpost-answers';

export type AnswerToPlace = {
  readonly name: string;
  readonly sha256: string;
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly marker?: string | undefined;
  /** The bytes were in the folder under the hidden name before: if they are gone, they have their name, or the ERP has them. */
  readonly isPlaced: boolean;
  /** Path of our copy. */
  readonly copy: string;
};

/**
 * Resolves to `written`, or to `taken` where the file had its name before and is gone. `placed` records that the bytes are
 * durable under the hidden name, before the rename.
 */
export async function placeAnswerFile(file: AnswerToPlace, placed: () => Promise<void>): Promise<'written' | 'taken'> {
  const { name, folder, marker } = file;
  try {
    using held = holdFolder(folder);
    const [path, hidden] = [join(held.path, name), join(held.path, `.${name}.part`)];
    // A folder that went away since it was looked at has nothing either, and no ERP took the file.
    if (!(await isThere(join(held.path, FOLDER_MARK)))) throw markIsGone(folder);
    if (file.isPlaced && !(await isThere(hidden))) {
      if (!(await isThere(path))) return 'taken';
    } else if (await isThere(path)) {
      if (!(await isSame(path, file.sha256))) throw foreignFile(join(folder, name));
      await unlink(hidden).catch(unlessMissing);
    } else {
      await writeHidden(file, held.path, hidden);
      if (!file.isPlaced) await placed();
      // The commit before takes time, and a rename would replace what another program wrote meanwhile.
      if (await isThere(path)) throw foreignFile(join(folder, name));
      await rename(hidden, path);
    }
    await syncFolder(held.path);
    if (marker !== undefined) await writeMarker(path + marker, held.path);
    return 'written';
  } catch (error) {
    throw answerFolderFault(error, folder);
  }
}

async function writeHidden({ isPlaced, sha256, copy }: AnswerToPlace, held: string, hidden: string): Promise<void> {
  if (isPlaced && (await isSame(hidden, sha256))) return;
  await copyDurable(copy, hidden);
  await syncFolder(held);
}

/** Throws the OperatorError of a folder that answers cannot go to now. `known`: answers went to it before. */
export async function checkAnswerFolder(
  folder: string,
  { known, own }: { known: boolean; own: boolean },
): Promise<void> {
  try {
    if (own && (await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o750);
    const names = await readdir(folder);
    if (names.includes(FOLDER_MARK)) return;
    if (known) throw markIsGone(folder);
    const file = await open(join(folder, FOLDER_MARK), 'wx', 0o600);
    await openToGroup(file);
    await file.sync();
    await file.close();
    await syncFolder(folder);
  } catch (error) {
    throw answerFolderFault(error, folder);
  }
}

/** The last number of each block of answers, in the mark: a restored ledger goes on after them, also if the ERP took all files. */
export async function keepAnswerNumbers(folder: string, numbers: ReadonlyMap<string, number>): Promise<void> {
  const known = await readAnswerNumbers(folder);
  for (const [answers, n] of numbers) known.set(answers, Math.max(n, known.get(answers) ?? 0));
  using held = holdFolder(folder);
  const path = join(held.path, FOLDER_MARK);
  // Only a new file: whoever may write to the folder could put a link there, which would be followed.
  const temporary = `${path}.new`;
  await unlink(temporary).catch(unlessMissing);
  const file = await open(temporary, 'wx', 0o600);
  try {
    await openToGroup(file);
    await file.writeFile(`${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/** A number for each block of answers. */
const MOST_MARK = 1024 * 1024;

/** Empty where the mark has none. */
export async function readAnswerNumbers(folder: string): Promise<Map<string, number>> {
  try {
    const given = JSON.parse(plainBytes(join(folder, FOLDER_MARK), MOST_MARK)?.toString('utf8') ?? '{}') as object;
    return new Map(Object.entries(given).filter((one): one is [string, number] => Number.isSafeInteger(one[1])));
  } catch {
    return new Map();
  }
}

/** A leftover is replaced; a link under the hidden name is never followed. */
async function copyDurable(from: string, to: string): Promise<void> {
  await unlink(to).catch(unlessMissing);
  // Not `copyFile`: it gives the copy the group of the original, and the ERP reads by that of the folder.
  const file = await open(to, 'wx', 0o600);
  try {
    await file.writeFile(createReadStream(from));
    await openToGroup(file);
    await file.sync();
  } catch (error) {
    await unlink(to).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/** The ERP reads as a member of the group. A mode given to `open` would lose this to the umask; some shares have no modes. */
async function openToGroup(file: FileHandle): Promise<void> {
  await file.chmod(0o640).catch(() => undefined);
}

async function writeMarker(path: string, folder: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!file) return;
  await openToGroup(file);
  await file.sync();
  await file.close();
  await syncFolder(folder);
}

async function isThere(path: string): Promise<boolean> {
  const found = await lstat(path).catch(unlessMissing);
  return found !== undefined;
}

async function isSame(path: string, sha256: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() && (await sha256OfOurs(path)) === sha256;
}

function markIsGone(folder: string): OperatorError {
  const hint = ANSWERS_FAULT.bringFolderBack({ mark: FOLDER_MARK });
  return new OperatorError('answers/folder-away', ANSWERS_FAULT.otherFolder({ folder }), { hint });
}

function foreignFile(path: string): OperatorError {
  const hint = ANSWERS_FAULT.moveForeign();
  return new OperatorError('answers/foreign-file', ANSWERS_FAULT.foreignFile({ path }), { hint });
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

const CODES = dictionary<string>({
  ENOSPC: 'answers/folder-full',
  EDQUOT: 'answers/folder-full',
  EROFS: 'answers/folder-read-only',
  EACCES: 'answers/folder-read-only',
  EPERM: 'answers/folder-read-only',
});

/** Anything else that a file system refuses means that the folder cannot be reached. */
export function answerFolderFault(error: unknown, folder: string): unknown {
  const errno = errnoName(error);
  if (error instanceof OperatorError || errno === undefined) return error;
  const code = CODES.get(errno) ?? 'answers/folder-away';
  const message = ANSWERS_FAULT[code === 'answers/folder-full' ? 'noRoom' : 'cannotWrite']({ folder, errno });
  return new OperatorError(code, message, { cause: error });
}
