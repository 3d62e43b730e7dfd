/**
 * One test of a mapping file and the current result of its sample in, edits of the text out: a value that differs is
 * replaced in its place, a list of another length is rewritten. Everything around it stays, comments too. Throws
 * NotInPlace where an edit in place is impossible.
 */

import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { format, type Message } from '../i18n/message.ts';
import { TEST_UPDATES } from '../i18n/messages/mapping-messages.ts';
import type { MappingTest } from '../mapping/file/mapping-shape.ts';
import type { MappingTestResult } from '../mapping/mapping-tests.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { Fault } from '../model/fault.ts';
import { must } from '../model/must.ts';
import { isPlainObject } from '../yaml/plain-object.ts';
import type { Edit } from './text-edits.ts';

/** A test cannot be updated in place; `reason` is shown to the author of the mapping. */
export class NotInPlace extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(format(reason, 'en'));
    this.reason = reason;
  }
}

/** A mapping file with its text, and its n-th test (from 0). */
type TestInFile = {
  readonly document: Document;
  readonly text: string;
  readonly n: number;
  readonly test: MappingTest;
};

type Writing = { readonly text: string; readonly edits: Edit[] };

/**
 * Edits of `expect` and `expect-documents` of the n-th test (from 0). Throws NotInPlace where the sample makes no
 * document, or where YAML aliases share parts between tests.
 */
export function expectationEdits(
  { document, text, n, test }: TestInFile,
  { documents }: MappingTestResult,
): readonly Edit[] {
  const writing: Writing = { text, edits: [] };
  const count = document.getIn(['tests', n, 'expect-documents'], true);
  if (isScalar(count) && count.value !== documents.length) replace(writing, count, String(documents.length));
  const node = document.getIn(['tests', n, 'expect'], true) as Node | undefined;
  if (node === undefined) return writing.edits;
  refuseAliases(node);
  if (documents.length === 0) throw new NotInPlace(TEST_UPDATES.noDocuments());
  bring(writing, node, test.expect, shownDocuments(test.expect, documents, isScalar(count)));
  return writing.edits;
}

/** With a count of documents a list may show the first few of them; without one it shows all. */
function shownDocuments(expected: unknown, documents: readonly unknown[], isCounted: boolean): unknown {
  if (!Array.isArray(expected)) return documents[0];
  return isCounted ? documents.slice(0, expected.length) : documents;
}

/**
 * Edits that let `expect-errors` of the n-th test (from 0) list exactly the errors among the faults; without that key,
 * a line after `given` is added. Warnings are not listed.
 */
export function errorEdits(document: Document, text: string, n: number, faults: readonly Fault[]): readonly Edit[] {
  const writing: Writing = { text, edits: [] };
  const errors = faults
    .filter(({ level }) => level === 'error')
    .map(({ code, origin }) =>
      definedOnly({
        row: origin && origin.row > 0 ? origin.row : undefined,
        column: origin?.column,
        code,
      }),
    );
  const node = document.getIn(['tests', n, 'expect-errors'], true) as Node | undefined;
  if (node) {
    refuseAliases(node);
    replace(writing, node, listText(text, node, errors));
    return writing.edits;
  }
  const given = document.getIn(['tests', n, 'given'], true) as Scalar;
  const isFlow = (document.getIn(['tests', n], true) as { flow?: boolean }).flow === true;
  // A new key needs the line end and the indent of the keys around it, or a comma within { }.
  const [start, place] = rangeOf(given);
  if (isFlow) return [{ start: place, end: place, text: `, expect-errors: ${flow(errors)}` }];
  const end = endOfLine(text, place);
  const indent = ' '.repeat(columnOf(text, start) - 'given: '.length);
  return [{ start: end, end, text: `${lineEndOf(text)}${indent}expect-errors: ${flow(errors)}` }];
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** An edit of a shared node would change each test that uses it. Throws NotInPlace. */
function refuseAliases(node: Node): void {
  visit(node, (_, one) => {
    if (isAlias(one) || (isScalar(one) && one.anchor !== undefined)) {
      throw new NotInPlace(TEST_UPDATES.sharedParts());
    }
  });
}

/** Edits that turn the expected node into the found value; no edit where they agree already. */
function bring(writing: Writing, node: Node, expected: unknown, found: unknown): void {
  if (isMap(node) && isPlainObject(found) && isPlainObject(expected)) bringBlock(writing, node, expected, found);
  else if (isSeq(node) && Array.isArray(found) && Array.isArray(expected)) bringList(writing, node, expected, found);
  else if (typeof found === 'object' && found !== null) replace(writing, node, flow(found));
  else if (found !== expected) replace(writing, node, scalarText(found, isScalar(node) ? node : undefined));
}

/** A block with a field that the mapping no longer makes is rewritten without it. */
function bringBlock(writing: Writing, node: YAMLMap, expected: Block, found: Block): void {
  const gone = Object.keys(expected).some((key) => !Object.hasOwn(found, key));
  if (gone) {
    replace(writing, node, flow(pick(expected, found)));
    return;
  }
  for (const { key, value } of node.items) {
    const name = String(isScalar(key) ? key.value : key);
    bring(writing, value as Node, expected[name], found[name]);
  }
}

/** A list of the same length keeps its layout and comments; another length is written again as a whole. */
function bringList(writing: Writing, node: YAMLSeq, expected: readonly unknown[], found: readonly unknown[]): void {
  if (found.length === expected.length) {
    for (const [n, item] of node.items.entries()) bring(writing, item as Node, expected[n], found[n]);
  } else {
    const items = pick(expected, found) as readonly unknown[];
    replace(writing, node, listText(writing.text, node, items));
  }
}

type Block = { readonly [key: string]: unknown };

/** The fields of `found` that were expected; each item of a list shows the fields that any expected item had. */
function pick(expected: unknown, found: unknown): unknown {
  if (isPlainObject(expected) && isPlainObject(found)) {
    const keys = Object.keys(expected).filter((key) => Object.hasOwn(found, key));
    return Object.fromEntries(keys.map((key) => [key, pick(expected[key], found[key])]));
  }
  if (!Array.isArray(expected) || !Array.isArray(found)) return found;
  const blocks = expected.filter(isPlainObject);
  const any = blocks.length > 0 ? Object.fromEntries(blocks.toReversed().flatMap(Object.entries)) : undefined;
  return found.map((item, n) => pick(n < expected.length ? expected[n] : any, item));
}

function replace({ edits }: Writing, node: Node, becomes: string): void {
  edits.push({ start: rangeOf(node)[0], end: endOf(node), text: becomes });
}

/** Start, end of the value, and end with what comes after it; every node that the parser has made has them. */
function rangeOf(node: Node): NonNullable<Node['range']> {
  return must(node.range ?? undefined, 'the range of a node');
}

/** The range of a block includes its last comment and line end; its text ends with its last value. */
function endOf(node: Node): number {
  const inner = lastInBlock(node);
  if (inner) return endOf(inner as Node);
  const [, end] = rangeOf(node);
  return end;
}

/** The last value or key of a list or map in block style. */
function lastInBlock(node: Node): unknown {
  if (!(isMap(node) || isSeq(node)) || node.flow) return undefined;
  if (isSeq(node)) return node.items.at(-1);
  const last = node.items.at(-1);
  return last?.value ?? last?.key;
}

/** The items in the style of the list that they replace; in block style one `- ` line each, at the indent of the node. */
function listText(text: string, node: Node, items: readonly unknown[]): string {
  if (!isSeq(node) || node.flow || items.length === 0) return flow(items);
  const indent = ' '.repeat(columnOf(text, rangeOf(node)[0]));
  return items.map((item) => `- ${flow(item)}`).join(lineEndOf(text) + indent);
}

/** Characters between the start of the line and the offset. */
function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** A value in flow style ([ ] and { }), on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isPlainObject(value)) return scalarText(value, undefined);
  const parts = Object.entries(value).map(([key, inner]) => `${scalarText(key, undefined)}: ${flow(inner)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

/** Texts that every YAML reader takes for a text without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)\p{L}(?:[\p{L}\p{N} _/-]*[\p{L}\p{N}])?$/iu;

/** Keeps the style of quotes that the node had before, where the value allows it. */
function scalarText(value: unknown, before: Scalar | undefined): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (before?.type === 'QUOTE_SINGLE' && !/[\n\r\t]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return before?.type !== 'QUOTE_DOUBLE' && PLAIN.test(value) ? value : JSON.stringify(value);
}
