/**
 * No constant object is asked with a word: a plain object answers "constructor" and "toString" as well, and one cell with
 * such a word ends the reading of its file. A table of words is a `dictionary`.
 */
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { sourceFiles } from '../build/figures/source-files.ts';
import { generationOf } from '../src/documents/code-lists/sv-places.ts';
import { territoryOf } from '../src/documents/code-lists/vat-territories.ts';
import { loadMapping } from '../src/mapping/mapping.ts';
import { Decimal } from '../src/model/decimal.ts';
import { dictionary } from '../src/text/dictionary.ts';
import { worldOf } from './mapping/world.ts';

type Node = { readonly type: string; readonly [key: string]: unknown };

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';
}

function nodesOf(path: string, text: string): readonly Node[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: Node[] = [];
  const visit = (node: Node): void => {
    found.push(node);
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(program as unknown as Node);
  return found;
}

/** Constants of the file with the type `{ [word: string]: T }` or `Record<string, T>`, by whether it exports them. */
function tablesIn([program]: readonly Node[], onlyExported = false): readonly string[] {
  const statements = (program?.body ?? []) as readonly Node[];
  const own = statements.map((one) => (one.type === 'ExportNamedDeclaration' ? (one.declaration as Node | null) : one));
  return own
    .filter((one, n) => one && (!onlyExported || one !== statements[n]))
    .flatMap((one) => (one?.declarations ?? []) as readonly Node[])
    .flatMap(({ id }) => {
      const { name, typeAnnotation } = id as Node & { readonly typeAnnotation?: { readonly typeAnnotation: Node } };
      return typeAnnotation && hasAnyWord(typeAnnotation.typeAnnotation) ? [String(name)] : [];
    });
}

function hasAnyWord(given: Node): boolean {
  const text = JSON.stringify(given);
  if (given.type === 'TSTypeReference') return /"name":"Record".*"TSStringKeyword"/s.test(text);
  const members = (given.members ?? []) as readonly Node[];
  return members.some(
    ({ type, parameters }) => type === 'TSIndexSignature' && JSON.stringify(parameters).includes('TSStringKeyword'),
  );
}

/** `file: TABLE[...]` for each look-up. */
function lookUpsIn(files: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  const read = files.map(({ path, text }) => ({ path, nodes: nodesOf(path, text) }));
  const exported = read.flatMap(({ nodes }) => tablesIn(nodes, true));
  return read.flatMap(({ path, nodes }) => {
    const tables = new Set([...exported, ...tablesIn(nodes)]);
    return nodes
      .filter(({ type, computed, property }) => type === 'MemberExpression' && computed && !isLiteral(property as Node))
      .flatMap(({ object }) => ((object as Node).type === 'Identifier' ? [String((object as Node).name)] : []))
      .filter((name) => tables.has(name))
      .map((name) => `${path}: ${name}[...]`);
  });
}

function isLiteral({ type }: Node): boolean {
  return type === 'Literal';
}

test.each([
  ['const A: { readonly [word: string]: number } = { x: 1 }; f(A[word]);', 1],
  ['export const A: Record<string, number> = { x: 1 }; f(A[word] ?? A[word.trim()]);', 2],
  ['const A: { readonly [state in State]: number } = { x: 1 }; f(A[state]);', 0],
  ['const A: { readonly [code: number]: string } = { 1: "x" }; f(A[code]);', 0],
  ['function f() { const block: { [key: string]: Json } = {}; block[key] = 1; }', 0],
  ['const A: { readonly [word: string]: number } = { x: 1 }; f(Object.keys(A), A["x"]);', 0],
] as const)('counts the look-ups in %s', (text, count) => {
  expect(lookUpsIn([{ path: 'a.ts', text }])).toHaveLength(count);
});

test('a look-up in the table of another file counts', () => {
  const table = { path: 'a.ts', text: 'export const A: { readonly [word: string]: number } = { x: 1 };' };
  expect(lookUpsIn([table, { path: 'b.ts', text: 'f(A[word]);' }])).toEqual(['b.ts: A[...]']);
});

test('no file looks a word up in a plain object', () => {
  expect(lookUpsIn(sourceFiles(join(import.meta.dirname, '..')))).toEqual([]);
});

describe.each(['constructor', 'toString', '__proto__', 'valueOf'])('the word %s', (word) => {
  test('is in no dictionary', () => {
    expect(dictionary({ x: 1 }).get(word)).toBeUndefined();
  });

  test('is no country with a territory, and no department', () => {
    expect(territoryOf(word, undefined)).toBeUndefined();
    expect(generationOf(word, '01')).toBeUndefined();
  });

  test('is a thousands sign and an unexpected word of a formula', () => {
    const source = `{ format: csv, numbers: { decimal: '.', thousands: [${word}] }, columns: { n: number } }`;
    const { mapping } = loadMapping(mappingWith('$n', source), 'm.yaml', worldOf());
    expect(mapping?.convertOf('n')?.('1000')).toEqual(Decimal.from(1000));
    const { faults } = loadMapping(mappingWith(`= $n ${word}`, '{ format: csv }'), 'm.yaml', worldOf());
    expect(faults.map(({ code }) => code)).toEqual(['map/formula-syntax']);
  });

  test('replaces no cell', () => {
    const source = '{ format: csv, replace: { n: { x: y } } }';
    const { mapping } = loadMapping(mappingWith('$n', source), 'm.yaml', worldOf());
    expect([mapping?.replaces('n', 'x'), mapping?.replaces(word, 'name'), mapping?.replaces('n', word)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

function mappingWith(identifier: string, source: string): string {
  return `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source: ${source}
documents: { one-per: n, class: invoice }
output: { document: { identifier: ${identifier} } }
`;
}
