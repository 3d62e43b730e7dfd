/**
 * `use: blocks/issuer.yaml`: the content of another YAML file stands in place of the block that names it.
 *
 * Comes a mapping file, goes the same with everything in place; what is found later points into the file where it is
 * written. There is no other inheritance: nothing is merged, nothing overridden, and a file never comes to itself.
 */

import { mayBeNamed } from '../files/named-file.ts';
import type { Fault } from '../model/fault.ts';
import { readYaml, type YamlFile, type YamlPath } from '../yaml/yaml-document.ts';
import type { ReadText } from './tables/tables.ts';

/** As much as one mapping file may have; a file that is used twice counts twice. */
const MAX_CHARACTERS = 1024 * 1024;
const MAX_USES = 200;
const MAX_DEPTH = 8;

type Part = { readonly path: YamlPath; readonly yaml: YamlFile };

/** A file with its own fragments in place, and what they cost together. */
type Whole = { readonly yaml: YamlFile; readonly uses: number; readonly characters: number };

type Using = {
  readonly readText: ReadText;
  readonly faults: Fault[];
  readonly known: Map<string, Whole | undefined>;
  /** Files that are being put together, from the mapping on. */
  readonly open: readonly string[];
};

export function withFragments(
  yaml: YamlFile,
  readText: ReadText,
): { readonly yaml: YamlFile } | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const whole = assemble(yaml, 0, { readText, faults, known: new Map(), open: [yaml.file] });
  return faults.length > 0 ? { faults } : { yaml: whole.yaml };
}

function assemble(yaml: YamlFile, characters: number, using: Using): Whole {
  const parts: Part[] = [];
  let uses = 0;
  let sum = characters;
  const place = (value: unknown, path: YamlPath): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const file = usedBy(value);
    if (file !== undefined && path.length > 0) {
      const whole = fragment(file, yaml, [...path, 'use'], using);
      uses += 1 + (whole?.uses ?? 0);
      sum += whole?.characters ?? 0;
      if (whole && (uses > MAX_USES || sum > MAX_CHARACTERS)) {
        const message = 'what is used here makes the mapping too large';
        refuse(using, yaml, [...path, 'use'], 'map/use-too-large', message, 'use smaller files, or fewer of them');
        return null;
      }
      if (whole) parts.push({ path, yaml: whole.yaml });
      return whole?.yaml.value ?? null;
    }
    if (using.faults.length > 0) return value;
    if (Array.isArray(value))
      return shared(
        value,
        value.map((item, n) => place(item, [...path, n])),
      );
    const entries = Object.entries(value).map(([key, inner]) => [key, place(inner, [...path, key])] as const);
    return entries.every(([key, inner]) => inner === (value as { [key: string]: unknown })[key])
      ? value
      : Object.fromEntries(entries);
  };
  const value = place(yaml.value, []);
  return { yaml: parts.length > 0 ? joined(yaml, value, parts) : yaml, uses, characters: sum };
}

/** A list without fragments stays the very list. */
function shared(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, n) => item === before[n]) ? before : after;
}

/** `{ use: file }` and nothing beside it; a field of the target that is called so holds no YAML file. */
function usedBy(value: object): string | undefined {
  const { use, ...others } = value as { use?: unknown };
  return typeof use === 'string' && Object.keys(others).length === 0 ? use : undefined;
}

function fragment(file: string, from: YamlFile, at: YamlPath, using: Using): Whole | undefined {
  const refused = (code: string, message: string, hint: string) => refuse(using, from, at, code, message, hint);
  if (!mayBeNamed(file) || !/\.ya?ml$/i.test(file)) {
    const hint = 'name a YAML file by its path from the folder of nightpost.yaml, such as blocks/issuer.yaml';
    return refused('map/use-outside', `"${file}" is no YAML file below the instance folder`, hint);
  }
  const path = file
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  if (using.open.includes(path)) {
    const circle = [...using.open.slice(using.open.indexOf(path)), path].join(' -> ');
    return refused('map/use-cycle', `the files use each other: ${circle}`, 'write one of the blocks out');
  }
  if (using.open.length > MAX_DEPTH) {
    return refused(
      'map/use-too-large',
      `more than ${MAX_DEPTH} files use each other in a row`,
      'write one of them out',
    );
  }
  if (using.known.has(path)) return using.known.get(path);
  const text = using.readText(path);
  const whole = text === undefined ? undefined : read(text, path, using);
  using.known.set(path, whole);
  if (text !== undefined) return whole;
  const hint = 'paths count from the folder of nightpost.yaml';
  return refused('map/no-such-file', `the file "${file}" is not there`, hint);
}

function read(text: string, path: string, using: Using): Whole | undefined {
  const result = readYaml(text, path);
  if ('yaml' in result) return assemble(result.yaml, text.length, { ...using, open: [...using.open, path] });
  using.faults.push(...result.faults);
  return undefined;
}

function refuse(
  { faults }: Using,
  yaml: YamlFile,
  path: YamlPath,
  code: string,
  message: string,
  hint: string,
): undefined {
  faults.push({ code, level: 'error', message, hint, mark: yaml.mark(path) });
  return undefined;
}

/** One file to read, with marks in the file each part comes from. */
function joined(yaml: YamlFile, value: unknown, parts: readonly Part[]): YamlFile {
  return {
    file: yaml.file,
    value,
    mark: (path, of, offset, length) => {
      const part = parts.find((one) => one.path.length <= path.length && one.path.every((key, n) => key === path[n]));
      const own = part && path.slice(part.path.length);
      // The block as a whole, or its name, is where it is used.
      if (!part || (own?.length === 0 && of === 'key')) return yaml.mark(path, of, offset, length);
      return part.yaml.mark(own!, of, offset, length);
    },
  };
}
