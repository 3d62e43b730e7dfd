/** docs/explanation/security.md names the test of each threat: the files are tests, and one in them, not skipped, has that title. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/explanation/security.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter(([first]) => first !== 'Threat' && !/^-+$/.test(first!));

const TEXT = String.raw`(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|\x60((?:[^\x60\\]|\\.)*)\x60)`;
/** A call whose first argument is a text and whose second is a function: how each test and group begins. */
const TITLED = new RegExp(String.raw`(\S*)\(\s*${TEXT},\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>`, 'g');
/** The first value of a row of `each`, which stands in the title where the group has a %s. */
const ROW = new RegExp(String.raw`\[\s*${TEXT},`, 'g');

/** Titles of the tests in a file, as they are written, and of the rows they are given for; none of what is skipped. */
function titlesIn(text: string): readonly string[] {
  const titled = [...text.matchAll(TITLED)].filter(([, callee = '']) => !/\.(?:skip|todo)$/.test(callee));
  const given = titled.some((found) => wordsOf(found.slice(2)).includes('%s')) ? [...text.matchAll(ROW)] : [];
  return [...titled.map((found) => wordsOf(found.slice(2))), ...given.map((found) => wordsOf(found.slice(1)))];
}

function wordsOf(found: readonly (string | undefined)[]): string {
  return (found.find((text) => text !== undefined) ?? '').replace(/\\(.)/g, '$1');
}

/** Titles as the manual may shorten them: it may stop at any word. */
function isTestedBy(title: string, file: string): boolean {
  const path = join(root, file);
  if (!file.endsWith('.test.ts') || !existsSync(path)) return false;
  return titlesIn(readFileSync(path, 'utf8')).some((one) => one.includes(title));
}

function missing([threat = '', , shownBy = '']: readonly string[]): readonly string[] {
  const named = [...shownBy.matchAll(/"(.+?)" in `([^`]+)`/g)];
  if (named.length === 0) return [`${threat}: no test`];
  return named.filter(([, title, file]) => !isTestedBy(title!, file!)).map(([link]) => `${threat}: ${link}`);
}

test('each threat has its answer and names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
  expect(rows.flatMap(missing)).toEqual([]);
});

test('a row without a test, or with one that is not there, is seen', () => {
  expect(missing(['a threat', 'an answer', 'somewhere'])).toEqual(['a threat: no test']);
  expect(missing(['a threat', 'an answer', '"no such title" in `test/secrets.test.ts`'])).toHaveLength(1);
  expect(missing(['a threat', 'an answer', '"a title" in `test/none.test.ts`'])).toHaveLength(1);
  expect(missing(['a threat', 'an answer', '"an oversized answer" in `test/delivery/fates.ts`'])).toHaveLength(1);
});

test('a title is one of a test that runs: no comment, no other text, nothing that is skipped', () => {
  const text = `// the comment of it
    const other = 'another text';
    test('a test', () => {});
    test.skip('a skipped one', async () => {});
    it.todo('one to do');
    test.skipIf(process.platform === 'win32')(
      'one of this system',
      async () => {},
    );
    test.each([['a row', 1]])('%s: %i', (a, b) => {});`;
  expect(titlesIn(text)).toEqual(['a test', 'one of this system', '%s: %i', 'a row']);
});
