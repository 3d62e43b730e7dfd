/** Names of the sources: an exported name means one thing in the whole of src, so that a search or an import finds it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../src');
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type|interface|enum)\s+(\w+)/gm;

type Source = { readonly name: string; readonly text: string };

/** A type and a value of one name in one file are one name; what a file passes on keeps its meaning. */
function exportsOf({ text }: Source): readonly string[] {
  return [...new Set([...text.matchAll(DECLARED)].map((match) => match[1]!))];
}

function sharedNames(sources: readonly Source[]): readonly string[] {
  const exported = sources.flatMap((source) => exportsOf(source).map((name) => ({ name, file: source.name })));
  return [...Map.groupBy(exported, ({ name }) => name)]
    .filter(([, found]) => found.length > 1)
    .map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`);
}

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

test('an exported name is unique in the sources', () => {
  expect(sources.flatMap(exportsOf).length).toBeGreaterThan(1000);
  expect(sharedNames(sources)).toEqual([]);
});

test('the search finds a name of two files, whatever it names, and no type next to its value', () => {
  const found = sharedNames([
    { name: 'a.ts', text: 'export type Place = string;\nexport const Place = 1;\nexport async function read() {}' },
    { name: 'b.ts', text: '/** Reads. */\nexport function* read() {}\nconst Place = 2;\nexport class Place2 {}' },
  ]);
  expect(found).toEqual(['read: a.ts, b.ts']);
});
