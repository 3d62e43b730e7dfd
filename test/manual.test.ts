/** The shape of the manual: translated pages say the same, decisions have their parts, the tree has its lines, terms are named once. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
const names = (folder: string) => readdirSync(join(root, 'docs', folder)).filter((name) => name.endsWith('.md'));

/** Commands without their quoted words, tables by rows, headings and lists by count: what a translation may not change. */
function skeleton(page: string): readonly string[] {
  const kept = page.split('\n').filter((line) => /^\s*(?:\$ |#|\d\. |\||```)/.test(line));
  return kept.map((line) =>
    /^\s*\$ /.test(line) ? line.trim().replaceAll(/"[^"]*"/g, '""') : line.trim().slice(0, 2),
  );
}

const TRANSLATED = [
  'correct-a-cell',
  'send-again',
  'hold-and-release',
  'resolve-in-doubt',
  'reject',
  'find-a-document',
];

test.each(TRANSLATED)('the operator page %s has the same steps and commands in three languages', (name) => {
  const english = skeleton(read(`how-to/operator/${name}.md`));
  expect(english.filter((line) => line.startsWith('$ nightpost ')).length).toBeGreaterThan(1);
  for (const language of ['fr', 'es'])
    expect(skeleton(read(`how-to/operator/${name}.${language}.md`))).toEqual(english);
});

test('docs/README.md links to every page', () => {
  const all = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  const pages = all.filter(
    (name) => name.endsWith('.md') && name !== 'README.md' && !/^(?:adr|diagrams)\/(?!README)/.test(name),
  );
  const index = read('README.md');
  expect(pages.length).toBeGreaterThan(60);
  expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

test('each how-to page for consultants and administrators has a question as its title', () => {
  const pages = ['consultant', 'admin'].flatMap((who) => names(`how-to/${who}`).map((name) => `how-to/${who}/${name}`));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((name) => !/^# (?:How|Why|Which|What) .*\?\n/.test(read(name)))).toEqual([]);
});

test('each decision record is numbered, dated, short, and has its four parts', () => {
  const records = names('adr').filter((name) => name !== 'README.md');
  expect(records.map((name) => Number(name.slice(0, 4)))).toEqual(records.map((_, n) => n + 1));
  const index = read('adr/README.md');
  const wrong = records.filter((name) => {
    const text = read(`adr/${name}`);
    const parts = [...text.matchAll(/^\*\*(\w+)\.\*\* \S/gm)].map((match) => match[1]);
    const isWhole = parts.join() === 'Context,Decision,Alternative,Consequence';
    return (
      !isWhole || !/^Date: \d{4}-\d\d-\d\d$/m.test(text) || text.split('\n').length > 40 || !index.includes(`(${name})`)
    );
  });
  expect(wrong).toEqual([]);
});

test('every folder of src, and every room of the pipeline and of the views, has its line in the architecture', () => {
  const page = read('explanation/architecture.md');
  const [, table = ''] = page.split('\n## The folders of src\n');
  const lines = table.split('\n## ')[0]!;
  const folders = (at: string) =>
    readdirSync(join(root, at), { withFileTypes: true }).filter((one) => one.isDirectory());
  const missing = folders('src').filter(({ name }) => !lines.includes(`| \`${name}/\` |`));
  const rooms = [...folders('src/pipeline'), ...folders('src/views')].filter(
    ({ name }) => !lines.includes(`\`${name}/\``),
  );
  expect([...missing, ...rooms].map(({ name }) => name)).toEqual([]);
});

test('the glossary names 60 terms once, in three languages', () => {
  const rows = read('glossary.md')
    .split('\n')
    .filter((line) => /^\| (?!English|---)/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
  const terms = rows.map(([term]) => term!.toLowerCase());
  expect(terms.filter((term, n) => terms.indexOf(term) !== n)).toEqual([]);
});

test('seven diagrams are drawn, and each is in the list', () => {
  const pictures = names('diagrams').filter((name) => name !== 'README.md');
  const drawn = pictures.filter((name) =>
    /^```mermaid\n(?:flowchart|stateDiagram-v2|sequenceDiagram)/m.test(read(`diagrams/${name}`)),
  );
  expect(drawn).toHaveLength(7);
  expect(drawn.filter((name) => !read('diagrams/README.md').includes(`(${name})`))).toEqual([]);
});
