/**
 * Where a source is while it moves. It is in the archive before its record says so, and a person may read it from another
 * process meanwhile.
 */
import { existsSync } from 'node:fs';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { archivedSource, contentOfSource } from '../../receipts/archive-source.ts';
import type { MovedTo } from './open-file-stream.ts';

/** The source with the path that it has now; with the recorded one where it is at neither place. `folder`: of the instance. */
export async function sourceNow(folder: string, source: SourceFile): Promise<SourceFile> {
  if (existsSync(source.path)) return source;
  const moved = await archivedPathOf(folder, source);
  return moved === undefined ? source : { ...source, path: moved };
}

/** Where it is in the archive, undefined where it is not. */
export function archivedPathOf(folder: string, { day, sha256, name }: SourceFile): Promise<string | undefined> {
  return archivedSource(folder, { month: day.slice(0, 7), sha256, name });
}

/** The source with both its places, for who reads it later than now. `folder`: of the instance. */
export function readableSource(
  folder: string,
  file: SourceFile,
): Pick<SourceFile, 'name' | 'path'> & { readonly moved: MovedTo; readonly content: () => Buffer } {
  const { name, path, day, sha256 } = file;
  const content = () => contentOfSource(folder, { path, month: day.slice(0, 7), sha256, name });
  return { name, path, moved: () => archivedPathOf(folder, file), content };
}
