/**
 * The last step of a source file: its private copy moves to archive/<month>/, read-only, named by its hash. A second
 * call, also after a crash in between, changes nothing. A refusal of the disk throws its OperatorError, and so does an
 * archived file that was changed (`receipts/in-the-way`).
 */
import { lstatSync, readFileSync } from 'node:fs';
import { chmod, copyFile, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { syncFolder } from '../files/fsync-directory.ts';
import { inTheWay } from '../files/guarded-place.ts';
import { sha256OfFile } from '../files/sha256-of-file.ts';
import { diskTrouble, ensureFolder, isGone, temporaryName } from '../files/write-durable.ts';
import { WRITE_FAULT } from '../i18n/messages/files-messages.ts';
import { safeName } from '../text/safe-file-name.ts';
import { sha256Hex } from '../text/sha256.ts';

/** Files moved at the same time. */
const AT_ONCE = 16;

/** One claimed file: `sha256` (hex) is the hash of its bytes, `name` its name in the inbox. */
export type SourceToArchive = {
  /** The private copy in processing/. */
  readonly path: string;
  /** YYYY-MM. */
  readonly month: string;
  readonly sha256: string;
  readonly name: string;
};

/** The path of these bytes in the archive of the month, undefined where they are not there. */
export async function archivedSource(root: string, source: Omit<SourceToArchive, 'path'>): Promise<string | undefined> {
  for (const target of targetsOf(root, source)) {
    if (isFile(target) && (await sha256OfFile(target)) === source.sha256) return target;
  }
  return undefined;
}

/** The bytes themselves where they are now, at `path` or in the archive, in one step. Throws where `path` has no file. */
export function contentOfSource(root: string, { path, ...source }: SourceToArchive): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    for (const target of isGone(error) ? targetsOf(root, source) : []) {
      const content = isFile(target) ? readFileSync(target) : undefined;
      if (content && sha256Hex(content) === source.sha256) return content;
    }
    throw error;
  }
}

function targetsOf(root: string, { month, ...file }: Omit<SourceToArchive, 'path'>): readonly [string, string] {
  const folder = join(root, 'archive', month);
  const [short, long] = archivedNames(file);
  return [join(folder, short), join(folder, long)];
}

/** The names that a file has in the archive. The second one is for bytes whose first half of a hash is that of another file. */
export function archivedNames({ sha256, name }: Pick<SourceToArchive, 'sha256' | 'name'>): readonly [string, string] {
  const safe = safeName(name, 150);
  return [`${sha256.slice(0, 16)}-${safe}`, `${sha256}-${safe}`];
}

/**
 * Resolves to the paths in the archive, in order, undefined where the copy is neither in processing/ nor in the
 * archive; one flush per folder for the whole batch.
 */
export async function archiveSources(
  root: string,
  batch: readonly SourceToArchive[],
): Promise<readonly (string | undefined)[]> {
  const folders = new Set(batch.map(({ month }) => join(root, 'archive', month)));
  for (const folder of folders) await ensureFolder(folder);
  const limit = pLimit(AT_ONCE);
  // Files with the same bytes move one after the other, because they have one target.
  const turns = new Map<string, Promise<unknown>>();
  const moved = batch.map((one) => {
    const before = turns.get(one.sha256);
    const done = limit(async () => {
      await before?.catch(() => undefined);
      return await archiveOne(root, one);
    });
    turns.set(one.sha256, done);
    return done;
  });
  const targets = (await Promise.allSettled(moved)).map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  for (const { path } of batch) folders.add(dirname(path));
  for (const folder of folders) await syncFolder(folder).catch(ignoreGone);
  return targets;
}

async function archiveOne(root: string, source: SourceToArchive): Promise<string | undefined> {
  const { path, sha256 } = source;
  const [short, long] = targetsOf(root, source);
  try {
    const isOther = isFile(short) && (await sha256OfFile(short)) !== sha256;
    const target = isOther ? long : short;
    const isThere = isFile(target);
    const isHere = isFile(path);
    if (isThere && isOther && (await sha256OfFile(target)) !== sha256)
      throw inTheWay(target, WRITE_FAULT.archiveChanged());
    if (!isThere && !isHere) return undefined;
    // Replaces a file with the same bytes too: then the archived file belongs to this account.
    if (isHere) await move(path, target);
    await chmod(target, 0o400);
    return target;
  } catch (error) {
    // Between the check and the move a person removed the copy, or a worker that had stood still moved it.
    if (isGone(error) && !isFile(path)) return await archivedSource(root, source);
    throw diskTrouble(error, short);
  }
}

async function move(path: string, target: string): Promise<void> {
  try {
    await rename(path, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyAcross(path, target);
  }
}

/** The archive is on another volume: the file is durable there before it is removed here. */
async function copyAcross(path: string, target: string): Promise<void> {
  const temporary = temporaryName(target);
  try {
    await copyFile(path, temporary);
    const file = await open(temporary, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(target));
  await unlink(path);
}

/** A call that touches memory only: through the thread pool it would cost ten times as much. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function ignoreGone(error: unknown): void {
  if (!isGone(error)) throw error;
}
