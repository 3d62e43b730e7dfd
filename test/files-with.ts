/** Where bytes of a person still are in an instance, in any spelling that a file of the program or of an export has. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Scene } from './night.ts';

/** Files, below the instance, with the name. */
export function filesWith({ root }: Pick<Scene, 'root'>, name: string): readonly string[] {
  const others = (['utf16le', 'latin1'] as const).map((encoding) => Buffer.from(name, encoding));
  const spellings = [Buffer.from(name), Buffer.from(name.toLowerCase()), ...others];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => spellings.some((bytes) => readFileSync(path).includes(bytes)))
    .map((path) => relative(root, path))
    .sort();
}
