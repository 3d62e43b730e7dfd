/**
 * Archives a mapping as it was when it made documents, with its tables and blocks:
 * archive/mappings/<sha256>/files/<path>, and parts.json with the order in which the hash covers them. It proves later
 * how a document was made.
 */
import { chmod, lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { ensureFolder, writeDurable } from '../files/write-durable.ts';

/** Below the instance folder. */
export const MAPPING_ARCHIVE = 'archive/mappings';

/** `sha256` (hex) is the hash over all parts in their order. */
export type MappingToArchive = {
  readonly sha256: string;
  /** Paths are below the instance folder: the loader of mappings refuses any other. */
  readonly parts: readonly { readonly path: string; readonly text: string }[];
};

/**
 * Durable when it resolves. The list is written last, so a stop never leaves a list without its parts. A deleted part
 * is written again; a changed part stays, for `verify` to report.
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

/** The bytes of parts.json: a JSON list of paths and a line end. `verify` compares them. */
export function partsText(paths: readonly string[]): string {
  return `${JSON.stringify(paths)}\n`;
}

/** Absolute path of parts.json of a mapping. */
export function partsFile(root: string, sha256: string): string {
  return join(root, MAPPING_ARCHIVE, sha256, 'parts.json');
}

/** Absolute path of one archived part. */
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
