/**
 * Whether the mappings of an instance have faults, for `status`, which asks often and needs no more: they are compiled only
 * after a change. What was found last is remembered in a file: of mappings without errors alone, and only
 * for the same program and the same bytes of each mapping, table and block.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definedOnly } from '../model/defined-only.ts';
import { type Fault, isError } from '../model/fault.ts';
import { matchesName } from '../text/glob.ts';
import { sha256Hex } from '../text/sha256.ts';
import { loadMappings, mappingTexts, mappingWorld } from './instance.ts';

/** `folder`: private to this user. `build`: another one for every other text of the program. */
export type MappingsCache = { readonly folder: string; readonly build: string };

/** As much of a mapping as says which files are its own. */
type Names = {
  readonly id: string;
  readonly accepts: { readonly files: readonly string[] };
  readonly join?: { readonly with: string };
};

export type MappingFiles = Names & { readonly acceptsName: (name: string) => boolean };

type CachedMappings = {
  readonly build: string;
  /** SHA-256 of each file that the mappings were made of, by its path below the instance folder. */
  readonly parts: { readonly [path: string]: string };
  readonly mappings: readonly Names[];
};

/** Without a memory they are compiled. */
export function readMappingFiles(
  root: string,
  cache?: MappingsCache,
): { readonly mappings: readonly MappingFiles[]; readonly faults: readonly Fault[] } {
  const file = cache && join(cache.folder, `mappings-${sha256Hex(root)}.json`);
  const known = file && readCache(file);
  if (cache && known && known.build === cache.build && isUnchanged(root, known)) {
    return { mappings: known.mappings.map(toMappingFiles), faults: [] };
  }
  const { mappings, faults } = loadMappings(root);
  const names = mappings.map(({ id, accepts: { files }, join: pair }): Names => {
    return definedOnly({ id, accepts: { files }, join: pair ? { with: pair.with } : undefined });
  });
  if (cache && file && !faults.some(isError)) {
    const parts = mappings.flatMap((mapping) => mapping.parts).map(({ path, text }) => [path, sha256Hex(text)]);
    writeCache(file, { build: cache.build, parts: Object.fromEntries(parts), mappings: names });
  }
  return { mappings: names.map(toMappingFiles), faults };
}

function toMappingFiles(names: Names): MappingFiles {
  return { ...names, acceptsName: (name) => names.accepts.files.some((pattern) => matchesName(pattern, name)) };
}

function isUnchanged(root: string, { parts }: CachedMappings): boolean {
  const texts = mappingTexts(root);
  const { readText } = mappingWorld(root);
  return (
    [...texts.keys()].every((path) => path in parts) &&
    Object.entries(parts).every(([path, hash]) => {
      const text = texts.get(path) ?? readText(path);
      return text !== undefined && sha256Hex(text) === hash;
    })
  );
}

function readCache(file: string): CachedMappings | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as CachedMappings;
  } catch {
    return undefined;
  }
}

/** Where it cannot be written the next one compiles again. */
function writeCache(file: string, what: CachedMappings): void {
  try {
    const half = `${file}.${process.pid}`;
    writeFileSync(half, JSON.stringify(what), { mode: 0o600 });
    renameSync(half, file);
  } catch {
    // Nothing depends on it.
  }
}
