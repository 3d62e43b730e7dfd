/**
 * What another version of a mapping would change in what was issued: both versions over archived files, told document
 * by document, and counted. Nothing of a file is kept once it is told.
 */

import { existsSync, readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { DIFF_REFUSED } from '../../i18n/messages/pipeline-messages.ts';
import { type Instance, mappingWorld } from '../../instance/instance.ts';
import { loadMapping, type Mapping } from '../../mapping/mapping.ts';
import { type Fault, isError, OperatorError } from '../../model/fault.ts';
import { MAPPING_ARCHIVE } from '../../receipts/archive-mapping.ts';
import { type ComparedDocument, compareMappings } from './diff-mappings.ts';

export type Versions = { readonly old: Mapping; readonly new: Mapping };

/** A document, or a file that one or both of the versions make nothing of. */
export type ArchiveDiff = { readonly file: string; readonly path: string } & (
  | { readonly document: ComparedDocument }
  | { readonly unreadable: { readonly old: readonly Fault[]; readonly new: readonly Fault[] } }
);

/** A mapping file anywhere, or the id of a mapping of the instance. Its tables are those of the instance. */
export function versionOf(instance: Instance, name: string): Mapping {
  const known = instance.mappings.find(({ id }) => id === name);
  if (known) return known;
  const path = [resolve(name), resolve(instance.folder, name)].find(existsSync);
  if (path === undefined) {
    throw new OperatorError('diff/no-such-mapping', DIFF_REFUSED.noMapping({ name }), {
      hint: DIFF_REFUSED.mappings({ mappings: instance.mappings.map(({ id }) => id).join(', ') }),
    });
  }
  const shown = relative(instance.folder, path).replaceAll(sep, '/');
  const { mapping, faults } = loadMapping(readFileSync(path, 'utf8'), shown, mappingWorld(instance.folder));
  if (mapping) return mapping;
  throw new OperatorError('mapping/invalid', DIFF_REFUSED.faulty({ name }), { faults: faults.filter(isError) });
}

/** Files of these paths, folders with all that is in them, that one of the versions accepts by name. */
export async function* diffArchive(
  instance: Instance,
  versions: Versions,
  paths: readonly string[],
): AsyncIterable<ArchiveDiff> {
  for (const path of paths) {
    const found = await stat(path).catch((cause: unknown) => {
      throw new OperatorError('diff/no-such-file', DIFF_REFUSED.notThere({ path }), { cause });
    });
    if (found.isFile()) yield* diffFile(instance, versions, path);
    else
      for (const inner of await filesBelow(path))
        if (accepts(versions, inner)) yield* diffFile(instance, versions, inner);
  }
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return (
    entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name))
      // Tables of archived mappings are no exports.
      .filter((path) => !path.replaceAll(sep, '/').includes(`/${MAPPING_ARCHIVE}/`))
      .sort()
  );
}

function accepts(versions: Versions, path: string): boolean {
  const name = droppedName(path);
  return versions.old.acceptsName(name) || versions.new.acceptsName(name);
}

/** The archive puts the hash of a file before the name under which it was dropped. */
function droppedName(path: string): string {
  return basename(path).replace(/^(?:[0-9a-f]{64}|[0-9a-f]{16})-/, '');
}

async function* diffFile(instance: Instance, versions: Versions, path: string): AsyncIterable<ArchiveDiff> {
  const { mtime } = await stat(path);
  const name = droppedName(path);
  // TODAY() is the same day for both versions; which day it was the file does not say.
  const compared = compareMappings(instance, { name, path, claimedAt: mtime.toISOString() }, versions);
  for await (const document of compared.documents) yield { file: name, path, document };
  const unreadable = compared.unreadable();
  if (unreadable.old.length > 0 || unreadable.new.length > 0) yield { file: name, path, unreadable };
}
