/**
 * Finds out whether the mappings of an instance have faults, for `status`, which runs often: it compiles them only
 * after a change. A file remembers the last result, of mappings without errors only, for the same build and the same
 * bytes of each mapping, table and block. A cache that cannot be read or written costs time, nothing else.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definedOnly } from '../model/defined-only.ts';
import { type Fault, isError } from '../model/fault.ts';
import { matchesName } from '../text/glob.ts';
import { sha256Hex } from '../text/sha256.ts';
import { type ConversionInstance, loadMappings, mappingTexts, mappingWorld } from './instance.ts';

/** `folder`: private to this user. `build`: a hash of the program, so that a new version compiles again. */
export type MappingsCache = { readonly folder: string; readonly build: string };

/** The part of a mapping that decides which exports belong to it, and what they become. */
type Names = {
  readonly id: string;
  readonly target: string;
  readonly accepts: { readonly files: readonly string[]; readonly companions: readonly string[] };
  readonly join?: { readonly with: string };
};

/** `acceptsName` takes the name of an export without its folder. */
export type MappingFiles = Names & { readonly acceptsName: (name: string) => boolean };

type CachedMappings = {
  readonly build: string;
  /** SHA-256 of each file that the mappings were made of, by its path below the instance folder. */
  readonly parts: { readonly [path: string]: string };
  readonly mappings: readonly Names[];
};

/**
 * Compiles the mappings if there is no cache or anything changed; a hit has no faults, not even warnings. Throws
 * OperatorError `mapping/unreadable`.
 */
export function readMappingFiles(
  place: string | ConversionInstance,
  memory?: MappingsCache,
): { readonly mappings: readonly MappingFiles[]; readonly faults: readonly Fault[] } {
  const root = typeof place === 'string' ? place : place.folder;
  // The same mapping may be valid with one further field and not without it.
  const further = typeof place === 'string' ? '' : JSON.stringify(place.settings.rules['further-fields']);
  const cache = memory && { ...memory, build: `${memory.build} ${further}` };
  const file = cache && join(cache.folder, `mappings-${sha256Hex(root)}.json`);
  const cached = file && readCache(file);
  if (cache && cached && cached.build === cache.build && isUnchanged(root, cached)) {
    return { mappings: cached.mappings.map(toMappingFiles), faults: [] };
  }
  const { mappings, faults } = loadMappings(place);
  const names = mappings.map(({ id, target, accepts: { files, companions }, join: pair }): Names => {
    return definedOnly({ id, target, accepts: { files, companions }, join: pair ? { with: pair.with } : undefined });
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

/**
 * Written to a temporary name and renamed: a reader never sees half a file. On failure the next command compiles again.
 */
function writeCache(file: string, what: CachedMappings): void {
  try {
    const half = `${file}.${process.pid}`;
    writeFileSync(half, JSON.stringify(what), { mode: 0o600 });
    renameSync(half, file);
  } catch {
    // Nothing depends on it.
  }
}
