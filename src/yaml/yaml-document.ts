/**
 * YAML files that people write (settings, mappings, tables), read strictly, with the place of every key and value. Core
 * schema 1.2 only; size, depth and aliases are bounded, custom tags and merge keys refused. A number whose digits YAML
 * would change (00012, 12345678901234567890, 1e5) has to be quoted. Faults are returned; nothing throws.
 */
import { type Alias, isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import type { Message } from '../i18n/message.ts';
import { YAML_CONTENT, YAML_LIMIT, YAML_SHAPE, YAML_TYPE } from '../i18n/messages/yaml-files-messages.ts';
import { definedOnly } from '../model/defined-only.ts';
import { type Fault, type Localizable, type Mark, showFault, truncateFault, withMessage } from '../model/fault.ts';
import { problemOfIssue } from '../model/shape-issue.ts';
import { dictionary } from '../text/dictionary.ts';
import { greatestOf } from '../text/long-lists.ts';
import { escapeControls } from '../text/printable.ts';
import { suggest } from '../text/suggest.ts';
import { needsQuotes, syntaxFaults } from './yaml-syntax-errors.ts';

/** Fifty times the longest mapping in the package. */
const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
/** Brackets inside of these do not nest. A quote begins a text only where a value can begin: "d'acier" has none. */
export const COMMENTS_AND_QUOTED = /(?<=^|\s)#.*|(?<=^|[\s,:[{])(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')/gm;
const MAX_ALIASES = 100;
/** Other tags make dates, sets, bytes or objects of texts that people wrote. */
const PLAIN_TAG = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;

/** Keys and list indexes from the top of the file. */
export type YamlPath = readonly (string | number)[];

/** The content of a file as plain values, with the place of each of them. */
export type YamlFile = {
  readonly file: string;
  readonly value: unknown;
  /**
   * The place of a key or value; that of its nearest parent if the file does not have the whole path. `offset` and
   * `length` count characters inside a scalar.
   */
  readonly mark: (path: YamlPath, of?: 'key' | 'value', offset?: number, length?: number) => Mark;
};

/**
 * The file, or its faults (`yaml/...`): of syntax, or of content that is not accepted. `file` is only for the marks.
 */
export function readYaml(
  text: string,
  file: string,
): { readonly yaml: YamlFile } | { readonly faults: readonly Fault[] } {
  const lines = text.split('\n');
  const markAt = (start: number, length: number): Mark => {
    const before = text.slice(0, start);
    const line = before.split('\n').length;
    const column = start - before.lastIndexOf('\n');
    return { file, line, column, length: Math.max(length, 1), text: (lines[line - 1] ?? '').replace(/\r$/, '') };
  };
  const one = (code: string, words: Localizable, start = 0, length = 1): { faults: Fault[] } => ({
    faults: [{ code, level: 'error', ...words, mark: markAt(start, length) }],
  });
  if (Buffer.byteLength(text) > MAX_BYTES) {
    const size = String(MAX_BYTES / 1024);
    return one('yaml/too-large', withMessage(YAML_LIMIT.tooLarge({ size }), YAML_LIMIT.tooLargeHint()));
  }
  const deep = findTooDeep(text);
  const document = deep === undefined ? parseNested(text) : undefined;
  if (!document) {
    const words = withMessage(YAML_LIMIT.tooDeep({ levels: String(MAX_DEPTH) }), YAML_LIMIT.tooDeepHint());
    return one('yaml/too-deep', words, deep ?? findMostKeys(lines));
  }
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) return { faults: syntaxFaults(problems, text, markAt).map(truncateFault) };
  if (document.directives.yaml.explicit) {
    const words = withMessage(YAML_CONTENT.directive(), YAML_CONTENT.directiveHint());
    return one('yaml/directive', words, text.indexOf('%YAML'), 5);
  }
  const faults = nodeFaults(document.contents, text, markAt);
  if (faults.length > 0) return { faults };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    return one('yaml/too-many-aliases', withMessage(YAML_LIMIT.aliases(), YAML_LIMIT.writeOut()));
  }
  const mark = (path: YamlPath, of: 'key' | 'value' = 'value', offset = 0, length?: number): Mark => {
    const [start, end] = rangeOf(document.contents, path, of);
    const lead = offset > 0 || length !== undefined ? leadIn(text, start) : 0;
    const from = start + lead + offset;
    const stop = text.indexOf('\n', from);
    const lineEnd = stop < 0 ? text.length : stop;
    return markAt(from, length ?? Math.max(Math.min(end, lineEnd) - from, 1));
  };
  return { yaml: { file, value, mark } };
}

/** Characters before the text of a quoted scalar. Escapes before the place shift the underline, never the line. */
function leadIn(text: string, start: number): number {
  return text[start] === '"' || text[start] === "'" ? 1 : 0;
}

/** Faults of tags, merge keys, cyclic aliases, and scalars whose digits YAML would change. */
function nodeFaults(root: unknown, text: string, markAt: (start: number, length: number) => Mark): Fault[] {
  const faults: Fault[] = [];
  if (!isNode(root)) return faults;
  const add = (node: Node, code: string, words: Localizable) => {
    const [start, end] = node.range ?? [0, 1];
    faults.push({ code, level: 'error', ...words, mark: markAt(start, end - start) });
  };
  const anchors = new Map<string, Node>();
  const checkAlias = (node: Alias, path: readonly unknown[]) => {
    const alias = `*${node.source}`;
    const target = anchors.get(node.source);
    if (!target) add(node, 'yaml/syntax', needsQuotes(alias));
    else if (path.includes(target))
      add(node, 'yaml/cycle', withMessage(YAML_CONTENT.cycle({ alias }), YAML_LIMIT.writeOut()));
  };
  const checkNode = (node: Node, path: readonly unknown[]) => {
    if ('anchor' in node && node.anchor) anchors.set(node.anchor, node);
    if (isAlias(node)) checkAlias(node, path);
    if ('tag' in node && node.tag && !PLAIN_TAG.test(node.tag)) {
      add(node, 'yaml/tag', withMessage(YAML_CONTENT.tag({ tag: node.tag }), YAML_CONTENT.remove()));
    }
  };
  // The visitor of a scalar is called instead of that of a node, not in addition.
  visit(root, {
    Node: (_, node, path) => checkNode(node, path),
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '<<') {
        add(key, 'yaml/merge-key', withMessage(YAML_CONTENT.mergeKey(), YAML_CONTENT.mergeKeyHint()));
      }
      if (isNode(key) && !isScalar(key)) {
        add(key, 'yaml/key-not-text', withMessage(YAML_CONTENT.keyNotText(), YAML_CONTENT.keyNotTextHint()));
      }
    },
    Scalar(role, node, path) {
      checkNode(node, path);
      const source = node.source ?? text.slice(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
      if (typeof node.value !== 'number') return;
      const value = String(node.value);
      // A key is a text: 20.00 would be the key 20.
      if (isSameDecimal(source, value) && (role !== 'key' || source === value)) return;
      const says = YAML_CONTENT.numberChanges({ source, value });
      const words = withMessage(says, YAML_CONTENT.numberChangesHint({ source }));
      add(node, 'yaml/number-changes', words);
    },
  });
  return faults;
}

/** True for 7, 1.50 and 20.0, which keep their value as numbers; false for 00012, 0x1F, 1e5, 1e-7 and digits beyond a double. */
function isSameDecimal(source: string, value: string): boolean {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(source)) return false;
  return source.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') === value;
}

type Range = readonly [start: number, end: number];

/** Offsets of the key or value at the path below `node`; of the nearest parent (`around`) if the path ends early. */
function rangeOf(
  node: unknown,
  path: YamlPath,
  of: 'key' | 'value',
  around: Range = rangeOfNode(node) ?? [0, 1],
): Range {
  const [part, ...rest] = path;
  if (part === undefined) return around;
  if (isSeq(node)) {
    const item = node.items[Number(part)];
    return isPair(item) ? around : rangeOf(item, rest, of, rangeOfNode(item) ?? around);
  }
  if (!isMap(node)) return around;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  if (!pair) return around;
  const keyRange = rangeOfNode(pair.key) ?? around;
  if (rest.length === 0 && of === 'key') return keyRange;
  return rangeOf(pair.value, rest, of, rangeOfNode(pair.value) ?? keyRange);
}

function rangeOfNode(node: unknown): Range | undefined {
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
}

/** Offset of the first place nested deeper than allowed, before the parser recurses into it. */
function findTooDeep(text: string): number | undefined {
  const bare = text.replace(COMMENTS_AND_QUOTED, (found) => ' '.repeat(found.length));
  let depth = 0;
  for (let at = 0; at < bare.length; at++) {
    const char = bare.charCodeAt(at);
    if (char === 91 || char === 123) {
      if (++depth > MAX_DEPTH) return at;
    } else if (char === 93 || char === 125) depth = Math.max(0, depth - 1);
  }
  for (const line of text.matchAll(/^( *)(?:[-?] )*(?=\S)/gm)) {
    if (line[0].length > MAX_DEPTH * 8) return line.index;
  }
  return undefined;
}

/** undefined: thousands of keys on one line (`a: a: a:`), each a level in which the parser calls itself. */
function parseNested(text: string) {
  try {
    return parseDocument(text, { version: '1.2', schema: 'core', merge: false, prettyErrors: false });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Offset of the line with the most keys. */
function findMostKeys(lines: readonly string[]): number {
  let most = { at: 0, keys: 0 };
  let at = 0;
  for (const line of lines) {
    const keys = line.split(': ').length;
    if (keys > most.keys) most = { at, keys };
    at += line.length + 1;
  }
  return most.at;
}

/**
 * The parsed value, or a fault for each wrong key or value at its place: `<stage>/unknown-key`, `<stage>/missing`,
 * `<stage>/wrong-value`. A missing key that an unknown one was meant to be is not reported: one message per cause.
 */
export function checkShape<T>(
  yaml: YamlFile,
  shape: z.ZodType<T>,
  stage: string,
): { readonly value: T } | { readonly faults: readonly Fault[] } {
  const result = shape.safeParse(yaml.value, { reportInput: true });
  if (result.success) return { value: result.data };
  const found = result.error.issues.flatMap((issue) => issueFaults({ yaml, shape, stage }, issue, []));
  const meant = new Set(found.map(({ suggested }) => suggested));
  return {
    faults: found.filter(({ missing }) => missing === undefined || !meant.has(missing)).map(({ fault }) => fault),
  };
}

type Issue = z.core.$ZodIssue;

/** A fault with the key that it reports missing, or that it suggests in place of an unknown one. */
type ShapeFault = { readonly fault: Fault; readonly missing?: string; readonly suggested?: string };

type CheckedFile = { readonly yaml: YamlFile; readonly shape: z.ZodType; readonly stage: string };

/** The faults of one issue of zod; for a union, those of the branch that the person most likely meant. */
function issueFaults(checked: CheckedFile, issue: Issue, above: YamlPath): ShapeFault[] {
  const { yaml, shape, stage } = checked;
  const path = [...above, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(shape, path);
    return issue.keys.map((key) => unknownKey(key, known, `${stage}/unknown-key`, yaml.mark([...path, key], 'key')));
  }
  if (issue.code === 'invalid_union') {
    const nearest = nearestBranch(issue.errors);
    if (nearest) return nearest.flatMap((inner) => issueFaults(checked, inner, path));
  }
  const name = path.length > 0 ? path.join('.') : YAML_SHAPE.file();
  const mark = yaml.mark(path);
  if (NEEDS_VALUE.has(issue.code) && issue.input === undefined) {
    const words = withMessage(YAML_SHAPE.missing({ name }));
    return [{ fault: { code: `${stage}/missing`, level: 'error', ...words, mark }, missing: String(path.at(-1)) }];
  }
  const hint = isQuotedNumber(issue) ? YAML_SHAPE.withoutQuotes() : inBrackets(issue);
  const words = withMessage(YAML_SHAPE.wrong({ name, problem: problemOf(issue) }), hint);
  return [{ fault: { code: `${stage}/wrong-value`, level: 'error', ...words, mark } }];
}

function unknownKey(key: string, known: readonly string[], code: string, mark: Mark): ShapeFault {
  const suggested = suggest(key, known);
  const others = known.length > 0 ? YAML_SHAPE.knownKeys({ keys: known }) : YAML_SHAPE.removeKey();
  const hint = suggested === undefined ? others : YAML_SHAPE.meant({ near: suggested });
  const words = withMessage(YAML_SHAPE.unknownKey({ key }), hint);
  return definedOnly({ fault: { code, level: 'error' as const, ...words, mark }, suggested });
}

const NEEDS_VALUE: ReadonlySet<string> = new Set(['invalid_type', 'invalid_union', 'invalid_value']);

function isQuotedNumber(issue: Issue): boolean {
  const wantsNumber = issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected);
  return wantsNumber && typeof issue.input === 'string' && /^-?\d+(?:\.\d+)?$/.test(issue.input);
}

function inBrackets(issue: Issue): Message | undefined {
  if (issue.code !== 'invalid_type' || issue.expected !== 'array' || typeof issue.input !== 'string') return undefined;
  return /^[\w.@-]{1,60}$/.test(issue.input) ? YAML_SHAPE.write({ text: `[${issue.input}]` }) : undefined;
}

/** A value has the form of the branch if only these are wrong with it. */
const AFTER_FORM: ReadonlySet<string> = new Set(['unrecognized_keys', 'custom']);

/** The branch of a union whose first fault is deepest: the form that was meant. Undefined if all fail at the top. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  let best: readonly Issue[] | undefined;
  let bestDepth = 0;
  for (const issues of branches) {
    const depth = greatestOf(issues.map((issue) => issue.path.length + (AFTER_FORM.has(issue.code) ? 0.5 : 0)));
    if (depth > bestDepth) [best, bestDepth] = [issues, depth];
  }
  return best;
}

/** The keys that the shape allows at a path, for the list in the hint. */
function keysAt(shape: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = shape;
  for (const part of [...path, undefined]) {
    at = unwrapped(at);
    const object = (at as { shape?: Record<string, unknown> } | undefined)?.shape;
    if (part === undefined) return object ? Object.keys(object) : [];
    const definition = (at as { def?: { element?: unknown; valueType?: unknown } } | undefined)?.def;
    at = object ? object[String(part)] : (definition?.element ?? definition?.valueType);
  }
  return [];
}

function unwrapped(shape: unknown): unknown {
  let at = shape as { def?: { innerType?: unknown; in?: unknown } } | undefined;
  while (at?.def && (at.def.innerType !== undefined || at.def.in !== undefined)) {
    at = (at.def.innerType ?? at.def.in) as typeof at;
  }
  return at;
}

const TYPE_WORDS = dictionary<Message>({
  string: YAML_TYPE.string(),
  number: YAML_TYPE.number(),
  int: YAML_TYPE.int(),
  boolean: YAML_TYPE.boolean(),
  object: YAML_TYPE.block(),
  record: YAML_TYPE.block(),
  array: YAML_TYPE.array(),
});

/** The words for one issue: those of its shape, else of what zod found. */
function problemOf(issue: Issue): Message | string {
  const own = problemOfIssue(issue);
  if (own) return own;
  const found = describeInput(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) break;
      return YAML_SHAPE.expected({ expected: TYPE_WORDS.get(issue.expected) ?? issue.expected, found });
    case 'invalid_value':
      return YAML_SHAPE.expected({ expected: oneOf(issue.values), found });
    case 'too_big':
      return YAML_SHAPE.atMost({ ...limitOf(issue.maximum, issue.origin), found });
    case 'too_small':
      return YAML_SHAPE.atLeast({ ...limitOf(issue.minimum, issue.origin), found });
    default:
      break;
  }
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}

function oneOf(values: readonly unknown[]): Message | string {
  const quoted = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
  const [first = '', ...rest] = quoted;
  return rest.reduce<Message | string>((before, last) => YAML_SHAPE.oneOf({ before, last }), first);
}

function limitOf(limit: number | bigint, origin: string) {
  const unit = { string: 'characters', array: 'entries' }[origin] ?? 'none';
  return { limit: String(limit), count: Number(limit), unit };
}

function describeInput(input: unknown): Message | string {
  if (input === null || input === undefined) return YAML_TYPE.nothing();
  if (Array.isArray(input)) return YAML_TYPE.array();
  if (typeof input === 'object') return YAML_TYPE.block();
  if (typeof input === 'string') return `"${input.slice(0, 60)}"`;
  return YAML_SHAPE.typedValue({ type: TYPE_WORDS.get(typeof input) ?? typeof input, value: String(input) });
}

/** The most characters of a line that are shown around the mark: a line may be as long as the file. */
const SHOWN_LINE = 120;

/** The fault as compilers show it, over three lines: place with code and message, the line, an underline with the hint. */
export function showMarked(fault: Fault): string {
  const { mark } = fault;
  if (!mark) return showFault(fault);
  const gutter = String(mark.line).length + 2;
  const { text, column } = windowOf(mark);
  const shown = (from: number, to?: number) => escapeControls(text.slice(from, to).replaceAll('\t', ' '));
  const end = column - 1 + mark.length;
  const [before, marked] = [shown(0, column - 1), shown(column - 1, end)];
  return [
    `${escapeControls(mark.file)}:${mark.line}:${mark.column}  ${fault.level} ${fault.code}  ${escapeControls(fault.message)}`,
    `${String(mark.line).padStart(gutter)} | ${before}${marked}${shown(end)}`,
    `${' '.repeat(gutter)} | ${' '.repeat(before.length)}${'^'.repeat(Math.max(1, marked.length))}${fault.hint ? ` ${escapeControls(fault.hint)}` : ''}`,
  ].join('\n');
}

/** The line, or of a long one the part around the mark: a third of it before the place, the rest after. */
function windowOf({ text, column }: Mark): Pick<Mark, 'text' | 'column'> {
  if (text.length <= SHOWN_LINE) return { text, column };
  const from = Math.max(0, Math.min(column - 1 - SHOWN_LINE / 3, text.length - SHOWN_LINE));
  const lead = from > 0 ? '... ' : '';
  return {
    text: `${lead}${text.slice(from, from + SHOWN_LINE)}${from + SHOWN_LINE < text.length ? ' ...' : ''}`,
    column: column - from + lead.length,
  };
}
