/**
 * Ways YAML misunderstands a mapping, told before anything else because they make every other message noise.
 */
import type { Fault } from '../../model/fault.ts';
import type { YamlFile, YamlPath } from '../../yaml/yaml-document.ts';

export function yamlTraps(yaml: YamlFile): readonly Fault[] {
  return trapsIn(yaml, yaml.value, []);
}

function trapsIn(yaml: YamlFile, value: unknown, path: YamlPath): readonly Fault[] {
  if (typeof value === 'string') return isCutByComment(yaml, value, path) ? [commentedOut(yaml, path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const cut = cutAt(value, value, (n) => isPlain(yaml, [...path, n]));
    const own = cut === undefined ? [] : [cutFormula(yaml, [...path, cut])];
    return [...own, ...value.flatMap((part, n) => trapsIn(yaml, part, [...path, n]))];
  }
  const keys = Object.keys(value);
  if (keys.includes('__proto__')) return [protoKey(yaml, [...path, '__proto__'])];
  const parts: readonly unknown[] = Object.values(value);
  const cut = cutAt(parts, keys, (n) => isPlain(yaml, [...path, keys[n]!]));
  // The pieces of a cut formula are keys without meaning: nothing is to be learnt from them.
  if (cut !== undefined) return [cutFormula(yaml, [...path, keys[cut]!])];
  return keys.flatMap((key, n) => trapsIn(yaml, parts[n], [...path, key]));
}

/** = CONCAT("No #", $Num): YAML takes " #" and all behind it for a comment. */
function isCutByComment(yaml: YamlFile, value: string, path: YamlPath): boolean {
  if (!value.startsWith('=') || value.split('"').length % 2 === 1) return false;
  const { text, column } = yaml.mark(path);
  return /^=[^#]* #/.test(text.slice(column - 1));
}

function commentedOut(yaml: YamlFile, path: YamlPath): Fault {
  return {
    code: 'map/formula-cut',
    level: 'error',
    message: 'behind " #" YAML takes the rest of the line for a comment, so this formula is cut',
    hint: "put the whole formula in quotes: '= ...'",
    mark: yaml.mark(path),
  };
}

/** Index of a formula with an open bracket before a piece that closes one: { amount: = ROUND($net, 2) }. */
function cutAt(
  parts: readonly unknown[],
  pieces: readonly unknown[],
  plain: (n: number) => boolean,
): number | undefined {
  const isOpen = (part: unknown) => typeof part === 'string' && part.startsWith('=') && openBrackets(part) > 0;
  const at = parts.findIndex((part, n) => isOpen(part) && n + 1 < parts.length && plain(n));
  const rest = pieces.slice(at + 1);
  return at >= 0 && rest.some((piece) => typeof piece === 'string' && piece.includes(')')) ? at : undefined;
}

/** A text in quotes ends at its quote: no comma cuts it. */
function isPlain(yaml: YamlFile, path: YamlPath): boolean {
  const { text, column } = yaml.mark(path);
  return !/^["']/.test(text.slice(column - 1));
}

function openBrackets(text: string): number {
  const plain = text.replace(/"[^"]*"/g, '');
  return plain.split('(').length - plain.split(')').length;
}

function cutFormula(yaml: YamlFile, path: YamlPath): Fault {
  return {
    code: 'map/formula-cut',
    level: 'error',
    message: 'inside { } and [ ] a comma ends the value, so this formula is cut in two',
    hint: 'put the whole formula in quotes, or write ; between its arguments',
    mark: yaml.mark(path),
  };
}

/** A name of nothing here, and some of the ways an object can be copied would drop it in silence. */
function protoKey(yaml: YamlFile, path: YamlPath): Fault {
  const message = '"__proto__" cannot be a name';
  return { code: 'map/wrong-field-name', level: 'error', message, hint: 'remove it', mark: yaml.mark(path, 'key') };
}
