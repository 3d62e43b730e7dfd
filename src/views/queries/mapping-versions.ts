/**
 * The versions of a mapping that made documents, from archive/mappings: texts as they were. A folder that is damaged is
 * left out here; `verify` reports it.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instance } from '../../instance/instance.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { MAPPING_ARCHIVE, partFile, partsFile } from '../../receipts/archive-mapping.ts';

/** `usedAt`: when it made its first document, ISO 8601. `sha256` is that of the text with its tables and blocks. */
export type ArchivedVersion = {
  readonly sha256: string;
  readonly version: string;
  readonly usedAt: string;
  readonly text: string;
};

/** The latest first. */
export async function archivedVersions(
  { folder }: Pick<Instance, 'folder'>,
  { id }: Pick<Mapping, 'id'>,
): Promise<readonly ArchivedVersion[]> {
  const names = await readdir(join(folder, MAPPING_ARCHIVE)).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^[0-9a-f]{64}$/.test(name)).map((name) => read(folder, name)),
  );
  return found
    .flatMap((one) => (one?.id === id ? [one.version] : []))
    .sort((a, b) => b.usedAt.localeCompare(a.usedAt, 'en'));
}

async function read(folder: string, sha256: string) {
  try {
    const list = partsFile(folder, sha256);
    const [path = ''] = JSON.parse(await readFile(list, 'utf8')) as readonly string[];
    const text = await readFile(partFile(folder, sha256, path), 'utf8');
    const usedAt = (await stat(list)).mtime.toISOString();
    return { id: topValue(text, 'mapping'), version: { sha256, version: topValue(text, 'version'), usedAt, text } };
  } catch {
    return undefined;
  }
}

/** A plain value at the top of a mapping, as its text has it. */
export function topValue(text: string, key: 'mapping' | 'version'): string {
  const [, quoted = ''] =
    new RegExp(`^(?:${key}|"${key}"|'${key}')[ \\t]*:[ \\t]+("[^"\\n]*"|'[^'\\n]*'|[^#\\s]+)`, 'm').exec(text) ?? [];
  return quoted.replace(/^["']|["']$/g, '');
}
