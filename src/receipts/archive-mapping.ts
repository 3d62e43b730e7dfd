/**
 * A mapping as it was when it made documents, with its tables and blocks: archive/mappings/<sha256>/files/<path>, and
 * parts.json, which says in which order its hash goes over them. Without it nobody could show later how a document came
 * to be.
 */
import { chmod, lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';

/** Below the instance folder. */
export const MAPPING_ARCHIVE = 'archive/mappings';

export type MappingToArchive = {
  readonly sha256: string;
  /** Paths below the instance folder, which never lead out of it. */
  readonly parts: readonly { readonly path: string; readonly text: string }[];
};

/**
 * Durable when it resolves. The list comes last: a stop leaves none without its parts. What somebody has deleted since is
 * written again; what somebody has changed stays, for `verify` to report.
 */
export async function archiveMapping(root: string, { sha256, parts }: MappingToArchive): Promise<void> {
  const folder = join(root, MAPPING_ARCHIVE, sha256);
  const list = partsFile(root, sha256);
  const texts = new Map(parts.map(({ path, text }) => [partFile(root, sha256, path), text]));
  const missing: string[] = [];
  for (const path of [...texts.keys(), list]) if (!(await isThere(path))) missing.push(path);
  if (missing.length === 0) return;
  const folders = new Set([folder, ...[...texts.keys()].map((path) => dirname(path))]);
  for (const one of folders) await ensureFolder(one);
  for (const [path, text] of texts) if (missing.includes(path)) await writeReadOnly(path, text);
  for (const one of folders) await syncFolder(one);
  if (missing.includes(list)) await writeReadOnly(list, partsText(parts.map(({ path }) => path)));
  await syncFolder(folder);
}

export function partsText(paths: readonly string[]): string {
  return `${JSON.stringify(paths)}\n`;
}

export function partsFile(root: string, sha256: string): string {
  return join(root, MAPPING_ARCHIVE, sha256, 'parts.json');
}

export function partFile(root: string, sha256: string, path: string): string {
  return join(root, MAPPING_ARCHIVE, sha256, 'files', path);
}

async function writeReadOnly(path: string, text: string): Promise<void> {
  await writeDurable(path, text);
  await chmod(path, 0o400);
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
