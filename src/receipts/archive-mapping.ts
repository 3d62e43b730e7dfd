/**
 * A mapping as it was when it made documents, with its tables and blocks: archive/mappings/<sha256>/files/<path>, and
 * parts.json, which says in which order its hash goes over them. Without it nobody could show later how a document came
 * to be.
 */
import { chmod, lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../model/sync-folder.ts';
import { ensureFolder, writeDurable } from './durable.ts';

/** Below the instance folder. */
export const MAPPING_ARCHIVE = 'archive/mappings';

export type ToKeep = {
  readonly sha256: string;
  /** Paths below the instance folder, which never lead out of it. */
  readonly parts: readonly { readonly path: string; readonly text: string }[];
};

/** Written once and durable when it resolves. The list comes last: where it is, everything is. */
export async function archiveMapping(root: string, { sha256, parts }: ToKeep): Promise<void> {
  const folder = join(root, MAPPING_ARCHIVE, sha256);
  const list = partsFile(root, sha256);
  if (await isThere(list)) return;
  const texts = new Map(parts.map(({ path, text }) => [partFile(root, sha256, path), text]));
  const folders = new Set([folder, ...[...texts.keys()].map((path) => dirname(path))]);
  for (const one of folders) await ensureFolder(one);
  for (const [path, text] of texts) await writeReadOnly(path, text);
  for (const one of folders) await syncFolder(one);
  await writeReadOnly(list, partsText(parts.map(({ path }) => path)));
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
