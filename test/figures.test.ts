/** `npm run figures`: what is counted, on sources with known counts, and the figures that stay at zero. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countCode } from '../build/figures/count-code.ts';
import { cyclesIn, importGraphs } from '../build/figures/import-cycles.ts';
import { linesOf, sourceFiles } from '../build/figures/source-files.ts';

const files = sourceFiles(join(import.meta.dirname, '..'));

function file(path: string, text: string) {
  return { path, folder: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.', text };
}

test.each([
  ['nonNull', 'list[0]!.name!;', 2],
  ['conditionals', 'a ? b : f(c ? d : e);', 2],
  ['nestedConditionals', 'a ? b : f(c ? d : e);', 0],
  ['nestedConditionals', 'a ? b : c ? d : e; a ? (b ? 1 : 2) : 3;', 2],
  ['conditionalSpreads', 'x = { ...(a ? { b } : {}), ...(a ? c : d), ...c };', 1],
  ['conditionalSpreads', 'x = [...(a ? [] : [b])];', 1],
  ['manyParameters', 'function f(a, b, c, d, e) {} const g = (a, b, c, d) => a;', 1],
  ['manyParameters', 'class K { m(a, b, c, d, ...e) {} }', 1],
  ['booleanParameters', 'function f(a: boolean, b = false, c: string) { return (d?: boolean) => d; }', 3],
  ['commentLines', '/** one\n * two */\nf(); // three\ng(); /* four */ /* four again */\n', 4],
] as const)('counts %s in %s', (name, text, count) => {
  expect(countCode([file('a.ts', text)])[name]).toBe(count);
});

test('an export of the same name in two files is a homonym, passing one on is none', () => {
  const one = file('one.ts', 'export type Row = string; export const a = 1;');
  const other = file('other.ts', "export { a } from './one.ts'; export function Row() {}");
  expect(countCode([one, other]).homonyms).toEqual(['Row']);
});

test('a source that does not parse stops the count', () => {
  expect(() => countCode([file('a.ts', 'const = 1;')])).toThrow('a.ts');
});

test('lines are counted by their line ends', () => {
  expect(linesOf([file('a.ts', 'one\ntwo\n'), file('b.ts', '')])).toBe(2);
});

test('finds cycles of files and of folders, imports of types included', () => {
  const graphs = importGraphs([
    file('a/one.ts', "import { x } from '../b/two.ts';"),
    file('b/two.ts', "import type { Y } from './three.ts';"),
    file('b/three.ts', "const one = await import('../a/other.ts');"),
    file('a/other.ts', ''),
  ]);
  expect(cyclesIn(graphs.files)).toEqual([]);
  expect(cyclesIn(graphs.folders)).toEqual([['a', 'b']]);
});

test('finds cycles of two and of three', () => {
  const graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['a', 'c'])],
    ['c', new Set(['d'])],
    ['d', new Set(['e'])],
    ['e', new Set(['c'])],
  ]);
  expect(cyclesIn(graph)).toEqual([
    ['c', 'd', 'e'],
    ['a', 'b'],
  ]);
});

test('an exported name is unique in src', () => {
  expect(countCode(files).homonyms).toEqual([]);
});
