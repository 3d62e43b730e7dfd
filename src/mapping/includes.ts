/**
 * `use: blocks/issuer.yaml`: a mapping file in; the same with the content of each included file in place out, or
 * faults. Later faults point into the file with the text. There is no other inheritance: nothing is merged or
 * overridden, and no file includes itself.
 */

import { mayBeNamed } from '../files/named-file.ts';
import type { Message } from '../i18n/message.ts';
import { MAPPING_INCLUDES } from '../i18n/messages/mapping-messages.ts';
import type { Fault } from '../model/fault.ts';
import { appendAll } from '../text/long-lists.ts';
import { readYaml, type YamlFile, type YamlPath } from '../yaml/yaml-document.ts';
import { faultAt, type Problem } from './runtime/diagnostics.ts';
import type { ReadText } from './tables/tables.ts';

/** Characters of a mapping with all included files; a file that is used twice counts twice. */
const MAX_CHARACTERS = 1024 * 1024;
const MAX_USES = 200;
const MAX_DEPTH = 8;

/** An included file, and its path in the whole. */
type Part = { readonly path: YamlPath; readonly yaml: YamlFile };

/** A file with its own included files in place, and the sums of both. */
type Assembled = { readonly yaml: YamlFile; readonly uses: number; readonly characters: number };

type Including = {
  readonly readText: ReadText;
  readonly faults: Fault[];
  readonly known: Map<string, Assembled | undefined>;
  /** Files that are being assembled, from the mapping on. */
  readonly open: readonly string[];
};

/** The place of a `use:`. */
type Use = { readonly yaml: YamlFile; readonly path: YamlPath };

/**
 * The file with each included file in place, or the faults of any of them: `map/use-outside`, `map/use-cycle`,
 * `map/use-too-large`, `map/no-such-file`, or those of its YAML.
 */
export function resolveIncludes(
  yaml: YamlFile,
  readText: ReadText,
): { readonly yaml: YamlFile } | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const whole = assemble(yaml, 0, { readText, faults, known: new Map(), open: [yaml.file] });
  return faults.length > 0 ? { faults } : { yaml: whole.yaml };
}

/** Depth first; a subtree without included files is returned as the same object. */
function assemble(yaml: YamlFile, characters: number, including: Including): Assembled {
  const parts: Part[] = [];
  let uses = 0;
  let sum = characters;
  const include = (file: string, path: YamlPath): unknown => {
    const use = { yaml, path: [...path, 'use'] };
    const whole = includedFile(file, use, including);
    uses += 1 + (whole?.uses ?? 0);
    sum += whole?.characters ?? 0;
    if (!whole) return null;
    if (uses > MAX_USES || sum > MAX_CHARACTERS) {
      const hint = MAPPING_INCLUDES.useSmaller();
      refuse(including, use, { code: 'map/use-too-large', message: MAPPING_INCLUDES.tooLarge(), hint });
      return null;
    }
    parts.push({ path, yaml: whole.yaml });
    return whole.yaml.value;
  };
  const resolve = (value: unknown, path: YamlPath): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const file = usedFile(value);
    if (file !== undefined && path.length > 0) return include(file, path);
    // After a fault the result is not used: nothing more is read.
    if (including.faults.length > 0) return value;
    const before = Object.entries(value);
    const after = before.map(
      ([key, inner], n) => [key, resolve(inner, [...path, Array.isArray(value) ? n : key])] as const,
    );
    // A block or list without included files is the same object as before.
    if (after.every(([, inner], n) => inner === before[n]?.[1])) return value;
    return Array.isArray(value) ? after.map(([, inner]) => inner) : Object.fromEntries(after);
  };
  const value = resolve(yaml.value, []);
  return { yaml: parts.length > 0 ? joinParts(yaml, value, parts) : yaml, uses, characters: sum };
}

/** `{ use: file }` alone; a field of the target with this name never contains a YAML file. */
function usedFile(value: object): string | undefined {
  const { use, ...others } = value as { use?: unknown };
  return typeof use === 'string' && Object.keys(others).length === 0 ? use : undefined;
}

/** A file is read once, however often it is used. Undefined after a fault. */
function includedFile(file: string, use: Use, including: Including): Assembled | undefined {
  const { open, known, readText } = including;
  const refused = (code: string, message: Message, hint: Message) => refuse(including, use, { code, message, hint });
  if (!mayBeNamed(file) || !/\.ya?ml$/i.test(file)) {
    return refused('map/use-outside', MAPPING_INCLUDES.outside({ file }), MAPPING_INCLUDES.namePath());
  }
  // One spelling for each file, so that circles and repeated files are found.
  const path = file
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  if (open.includes(path)) {
    const files = [...open.slice(open.indexOf(path)), path].join(' -> ');
    return refused('map/use-cycle', MAPPING_INCLUDES.cycle({ files }), MAPPING_INCLUDES.writeOut());
  }
  if (open.length > MAX_DEPTH) {
    return refused('map/use-too-large', MAPPING_INCLUDES.tooDeep({ most: MAX_DEPTH }), MAPPING_INCLUDES.writeOut());
  }
  if (known.has(path)) return known.get(path);
  const text = readText(path);
  const whole = text === undefined ? undefined : read(text, path, including);
  known.set(path, whole);
  if (text !== undefined) return whole;
  return refused('map/no-such-file', MAPPING_INCLUDES.noFile({ file }), MAPPING_INCLUDES.pathsFromFolder());
}

function read(text: string, path: string, including: Including): Assembled | undefined {
  const result = readYaml(text, path);
  if ('yaml' in result) return assemble(result.yaml, text.length, { ...including, open: [...including.open, path] });
  appendAll(including.faults, result.faults);
  return undefined;
}

function refuse({ faults }: Including, { yaml, path }: Use, problem: Problem): undefined {
  faults.push(faultAt(yaml.mark(path), problem));
  return undefined;
}

/** One file to the reader, with marks in the file that each part comes from. */
function joinParts(yaml: YamlFile, value: unknown, parts: readonly Part[]): YamlFile {
  return {
    file: yaml.file,
    value,
    mark: (path, of, offset, length) => {
      const part = parts.find((one) => one.path.length <= path.length && one.path.every((key, n) => key === path[n]));
      const inner = path.slice(part?.path.length);
      // The block as a whole, or its name, is where it is used.
      if (!part || (inner.length === 0 && of === 'key')) return yaml.mark(path, of, offset, length);
      return part.yaml.mark(inner, of, offset, length);
    },
  };
}
