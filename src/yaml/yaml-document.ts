/**
 * YAML files that people write (settings, mappings, tables), read strictly, with the place of every key and value.
 *
 * Core schema 1.2 only. Size, depth and aliases are bounded, custom tags and merge keys refused, and a number whose
 * digits YAML would change (00012, 12345678901234567890, 1e5) has to be quoted.
 */
import { isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { definedOnly } from '../model/defined-only.ts';
import { type Fault, type Mark, showFault, truncateFault } from '../model/fault.ts';
import { suggest } from '../text/suggest.ts';
import { startsWith, syntaxFaults } from './yaml-syntax-errors.ts';

/** Fifty times the longest mapping that is shipped. */
const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
/** Brackets inside them nest nothing. A quote opens a text only where a value can begin: "d'acier" has none. */
const COMMENTS_AND_QUOTED = /(?<=^|\s)#.*|(?<=^|[\s,:[{])(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')/gm;
const MAX_ALIASES = 100;
/** Others make dates, sets, bytes or objects of what people wrote as text. */
const PLAIN_TAG = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;

export type YamlPath = readonly (string | number)[];

export type YamlFile = {
  readonly file: string;
  readonly value: unknown;
  /** The place of a key or value; of its nearest parent where the path ends early. `offset` counts inside a scalar. */
  readonly mark: (path: YamlPath, of?: 'key' | 'value', offset?: number, length?: number) => Mark;
};

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
  const one = (code: string, message: string, hint: string, start = 0, length = 1): { faults: Fault[] } => ({
    faults: [{ code, level: 'error', message, hint, mark: markAt(start, length) }],
  });
  if (Buffer.byteLength(text) > MAX_BYTES) {
    return one('yaml/too-large', `the file has more than ${MAX_BYTES / 1024} KiB`, 'move long tables into CSV files');
  }
  const deep = tooDeep(text);
  if (deep !== undefined)
    return one('yaml/too-deep', `more than ${MAX_DEPTH} levels of nesting`, 'simplify the file', deep);
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    prettyErrors: false,
  });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) return { faults: syntaxFaults(problems, text, markAt).map(truncateFault) };
  if (document.directives.yaml.explicit) {
    const hint = 'remove the line: files are read as YAML 1.2, where NO is a text';
    return one('yaml/directive', 'a %YAML line changes how the file is read', hint, text.indexOf('%YAML'), 5);
  }
  const faults = nodeFaults(document.contents, text, markAt);
  if (faults.length > 0) return { faults };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    return one('yaml/too-many-aliases', 'aliases (*name) repeat too much', 'write the values out');
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

/** Where a quoted scalar's text begins behind its quote. Escapes before the place shift the underline, never the line. */
function leadIn(text: string, start: number): number {
  return text[start] === '"' || text[start] === "'" ? 1 : 0;
}

/** Tags, merge keys, cyclic aliases, and scalars whose digits would not survive. */
function nodeFaults(root: unknown, text: string, markAt: (start: number, length: number) => Mark): Fault[] {
  const faults: Fault[] = [];
  const add = (node: Node, code: string, message: string, hint: string) => {
    const [start, end] = node.range ?? [0, 1];
    faults.push({ code, level: 'error', message, hint, mark: markAt(start, end - start) });
  };
  if (!isNode(root)) return faults;
  const anchors = new Map<string, Node>();
  const see = (node: Node, path: readonly unknown[]) => {
    if ('anchor' in node && node.anchor) anchors.set(node.anchor, node);
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      const { message, hint } = startsWith(`*${node.source}`);
      if (!target) add(node, 'yaml/syntax', message, hint);
      if (target && path.includes(target))
        add(node, 'yaml/cycle', `*${node.source} contains itself`, 'write the values out');
    }
    if ('tag' in node && node.tag && !PLAIN_TAG.test(node.tag)) {
      add(node, 'yaml/tag', `the tag ${node.tag} is not known here`, 'remove it');
    }
  };
  // The visitor of a scalar is called instead of that of a node, not beside it.
  visit(root, {
    Node: (_, node, path) => see(node, path),
    Pair(_, pair) {
      if (isScalar(pair.key) && pair.key.value === '<<')
        add(pair.key, 'yaml/merge-key', '"<<" is not supported', 'write the keys out');
      if (isNode(pair.key) && !isScalar(pair.key)) {
        add(pair.key, 'yaml/key-not-text', 'a key cannot be a list or a block', 'write it in quotes if it is a text');
      }
    },
    Scalar(_, node, path) {
      see(node, path);
      const source = node.source ?? text.slice(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
      if (typeof node.value === 'number' && String(node.value) !== source && !sameDecimal(source, node.value)) {
        add(
          node,
          'yaml/number-changes',
          `${source} is read as the number ${node.value} when it has no quotes`,
          `write it in quotes: '${source}'`,
        );
      }
    },
  });
  return faults;
}

/** 1.50 and 20.0 keep their value as numbers; 00012, 0x1F, 1e5 and digits beyond a double do not. */
function sameDecimal(source: string, value: number): boolean {
  return /^-?(?:0|[1-9]\d*)\.\d+$/.test(source) && source.replace(/\.?0+$/, '') === String(value);
}

function rangeOf(root: unknown, path: YamlPath, of: 'key' | 'value'): [number, number] {
  let node: unknown = root;
  let range: [number, number] = rangeOfNode(node) ?? [0, 1];
  for (const [depth, part] of path.entries()) {
    const last = depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
      if (!pair) return range;
      const keyRange = rangeOfNode(pair.key) ?? range;
      node = pair.value;
      range = (last && of === 'key' ? keyRange : rangeOfNode(node)) ?? keyRange;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      if (isPair(node)) return range;
      range = rangeOfNode(node) ?? range;
    } else return range;
  }
  return range;
}

function rangeOfNode(node: unknown): [number, number] | undefined {
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
}

/** Offset of the first place nested deeper than allowed, before the parser recurses into it. */
function tooDeep(text: string): number | undefined {
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

/** The value in its shape, or a fault per wrong key or value, at its place in the file. Codes start with `stage`. */
export function checkShape<T>(
  yaml: YamlFile,
  shape: z.ZodType<T>,
  stage: string,
): { readonly value: T } | { readonly faults: readonly Fault[] } {
  const result = shape.safeParse(yaml.value, { reportInput: true });
  if (result.success) return { value: result.data };
  const faults = result.error.issues.flatMap((issue) => issueFaults(yaml, shape, issue, stage, []));
  return { faults: faults.filter((fault) => !isMisspelt(fault, faults)) };
}

/** A key reported missing that an unknown key beside it was meant to be: one message per cause. */
function isMisspelt(fault: Fault, all: readonly Fault[]): boolean {
  const key = /^"(?:.*\.)?([^".]+)" is missing$/.exec(fault.message)?.[1];
  return key !== undefined && all.some((other) => other.hint === `did you mean "${key}"?`);
}

type Issue = z.core.$ZodIssue;

function issueFaults(yaml: YamlFile, shape: z.ZodType, issue: Issue, stage: string, above: YamlPath): Fault[] {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  const name = path.length > 0 ? path.join('.') : 'the file';
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(shape, path);
    return issue.keys.map((key) => {
      const near = suggest(key, known);
      return {
        code: `${stage}/unknown-key`,
        level: 'error',
        message: `unknown key "${key}"`,
        hint: near ? `did you mean "${near}"?` : known.length > 0 ? `known here: ${known.join(', ')}` : 'remove it',
        mark: yaml.mark([...path, key], 'key'),
      };
    });
  }
  if (issue.code === 'invalid_union') {
    const nearest = nearestBranch(issue.errors);
    if (nearest) return nearest.flatMap((inner) => issueFaults(yaml, shape, inner, stage, path));
  }
  const missing = NEEDS_VALUE.has(issue.code) && issue.input === undefined;
  return [
    definedOnly({
      code: missing ? `${stage}/missing` : `${stage}/wrong-value`,
      level: 'error',
      message: missing ? `"${name}" is missing` : `"${name}": ${inWords(issue)}`,
      hint: isQuotedNumber(issue) ? 'write it without quotes' : undefined,
      mark: yaml.mark(path),
    }),
  ];
}

const NEEDS_VALUE: ReadonlySet<string> = new Set(['invalid_type', 'invalid_union', 'invalid_value']);

function isQuotedNumber(issue: Issue): boolean {
  const wantsNumber = issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected);
  return wantsNumber && typeof issue.input === 'string' && /^-?\d+(?:\.\d+)?$/.test(issue.input);
}

/** Of a union's branches the one whose complaint is deepest: the form that was meant. None where all fail at once. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  let best: readonly Issue[] | undefined;
  let bestDepth = 0;
  for (const issues of branches) {
    const depth = Math.max(
      ...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 0.5 : 0)),
    );
    if (depth > bestDepth) {
      best = issues;
      bestDepth = depth;
    }
  }
  return best;
}

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

const TYPE_WORDS: { readonly [type: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a block of keys',
  record: 'a block of keys',
  array: 'a list',
};

function inWords(issue: Issue): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `expected ${TYPE_WORDS[issue.expected] ?? issue.expected}, found ${foundWord(issue.input)}`;
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))).join(' or ')}, found ${foundWord(issue.input)}`;
  if (issue.code === 'too_big')
    return `at most ${issue.maximum}${counted(issue.origin)}, found ${foundWord(issue.input)}`;
  if (issue.code === 'too_small')
    return `at least ${issue.minimum}${counted(issue.origin)}, found ${foundWord(issue.input)}`;
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}

function counted(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

function foundWord(input: unknown): string {
  if (input === null || input === undefined) return 'nothing';
  if (typeof input === 'object') return Array.isArray(input) ? 'a list' : 'a block of keys';
  return typeof input === 'string'
    ? `"${input.slice(0, 60)}"`
    : `${TYPE_WORDS[typeof input] ?? typeof input} (${String(input)})`;
}

/** How much of a line is shown around the marked place: a line may be as long as the file. */
const SHOWN_LINE = 120;

/** The fault as compilers show it: place, code, message, the line, an underline with the hint. */
export function showMarked(fault: Fault): string {
  const { mark } = fault;
  if (!mark) return showFault(fault);
  const gutter = String(mark.line).length + 2;
  const { text, column } = windowOf(mark);
  const room = Math.max(1, Math.min(mark.length, text.length - column + 1));
  return [
    `${mark.file}:${mark.line}:${mark.column}  ${fault.level} ${fault.code}  ${fault.message}`,
    `${String(mark.line).padStart(gutter)} | ${text.replaceAll('\t', ' ')}`,
    `${' '.repeat(gutter)} | ${' '.repeat(column - 1)}${'^'.repeat(room)}${fault.hint ? ` ${fault.hint}` : ''}`,
  ].join('\n');
}

/** The line, or of a long one the part around the mark: a third of it before the place, the rest behind. */
function windowOf({ text, column }: Mark): Pick<Mark, 'text' | 'column'> {
  if (text.length <= SHOWN_LINE) return { text, column };
  const from = Math.max(0, Math.min(column - 1 - SHOWN_LINE / 3, text.length - SHOWN_LINE));
  const part = text.slice(from, from + SHOWN_LINE);
  const lead = from > 0 ? '... ' : '';
  return {
    text: `${lead}${part}${from + SHOWN_LINE < text.length ? ' ...' : ''}`,
    column: column - from + lead.length,
  };
}
