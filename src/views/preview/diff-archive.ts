/**
 * Changes that another version of a mapping would make: both versions over archived files, reported document by
 * document. Nothing of a file is kept after it is reported. Throws OperatorError (diff/no-such-mapping,
 * diff/no-such-file, mapping/invalid); a file that cannot be read is a result.
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

/** The two mappings to compare. */
export type Versions = { readonly old: Mapping; readonly new: Mapping };

/** A document, or a file of which one or both versions make nothing. */
export type ArchiveDiff = { readonly file: string; readonly path: string } & (
  | { readonly document: ComparedDocument }
  | { readonly unreadable: { readonly old: readonly Fault[]; readonly new: readonly Fault[] } }
);

/** `name`: the id of a mapping of the instance, or a path anywhere. Its tables are those of the instance. */
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
  const { mapping, faults } = loadMapping(readFileSync(path, 'utf8'), shown, mappingWorld(instance));
  if (mapping) return mapping;
  throw new OperatorError('mapping/invalid', DIFF_REFUSED.faulty({ name }), { faults: faults.filter(isError) });
}

/** Compares the files of these paths (folders with everything in them) that one of the versions accepts by name. */
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
  // TODAY() is the same day for both versions; the file does not contain the day of its admission.
  const compared = compareMappings(instance, { name, path, claimedAt: mtime.toISOString() }, versions);
  for await (const document of compared.documents) yield { file: name, path, document };
  const unreadable = compared.unreadable();
  if (unreadable.old.length > 0 || unreadable.new.length > 0) yield { file: name, path, unreadable };
}
