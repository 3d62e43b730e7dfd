/**
 * The YAML of a mapping in; faults of forms that YAML reads in another way than the author means out. They are reported
 * before all else, because they cause misleading messages everywhere.
 */
import { YAML_PITFALLS } from '../../i18n/messages/mapping-messages.ts';
import type { Fault } from '../../model/fault.ts';
import type { YamlFile, YamlPath } from '../../yaml/yaml-document.ts';
import { faultAt } from '../runtime/diagnostics.ts';

/** `map/formula-cut` for formulas that YAML cuts, `map/wrong-field-name` for `__proto__`. */
export function yamlPitfalls(yaml: YamlFile): readonly Fault[] {
  return pitfallsIn(yaml, yaml.value, []);
}

function pitfallsIn(yaml: YamlFile, value: unknown, path: YamlPath): readonly Fault[] {
  if (typeof value === 'string') return isCutByComment(yaml, value, path) ? [commentedOut(yaml, path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const cut = cutAt(value, value, (n) => isPlain(yaml, [...path, n]));
    const own = cut === undefined ? [] : [cutFormula(yaml, [...path, cut])];
    return [...own, ...value.flatMap((part, n) => pitfallsIn(yaml, part, [...path, n]))];
  }
  const keys = Object.keys(value);
  if (keys.includes('__proto__')) return [protoKey(yaml, [...path, '__proto__'])];
  const entries = Object.entries(value) as [string, unknown][];
  const place = (n: number) => [...path, ...keys.slice(n, n + 1)];
  const cut = cutAt(Object.values(value), keys, (n) => isPlain(yaml, place(n)));
  // The pieces of a cut formula are keys without meaning: no other fault in them is real.
  if (cut !== undefined) return [cutFormula(yaml, place(cut))];
  return entries.flatMap(([key, part]) => pitfallsIn(yaml, part, [...path, key]));
}

/** = CONCAT("No #", $Num): YAML takes " #" and all after it for a comment. */
function isCutByComment(yaml: YamlFile, value: string, path: YamlPath): boolean {
  if (!value.startsWith('=') || value.split('"').length % 2 === 1) return false;
  const { text, column } = yaml.mark(path);
  return /^=[^#]* #/.test(text.slice(column - 1));
}

function commentedOut(yaml: YamlFile, path: YamlPath): Fault {
  const message = YAML_PITFALLS.comment();
  return faultAt(yaml.mark(path), { code: 'map/formula-cut', message, hint: YAML_PITFALLS.quoteFormula() });
}

/**
 * Index of a formula with an open bracket before a piece that closes one: { amount: = ROUND($net, 2) }. `plain`: is the
 * n-th part without quotes.
 */
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

/** Opening minus closing brackets, without those in texts. */
function openBrackets(text: string): number {
  const plain = text.replace(/"[^"]*"/g, '');
  return plain.split('(').length - plain.split(')').length;
}

function cutFormula(yaml: YamlFile, path: YamlPath): Fault {
  const message = YAML_PITFALLS.comma();
  return faultAt(yaml.mark(path), { code: 'map/formula-cut', message, hint: YAML_PITFALLS.quoteOrSemicolon() });
}

/** Some ways of copying an object would drop this key without a message. */
function protoKey(yaml: YamlFile, path: YamlPath): Fault {
  const message = YAML_PITFALLS.reservedName();
  return faultAt(yaml.mark(path, 'key'), { code: 'map/wrong-field-name', message, hint: YAML_PITFALLS.remove() });
}
