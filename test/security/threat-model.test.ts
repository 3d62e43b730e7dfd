/** docs/security.md names the test of each threat: the files are there, and a test in them has that title. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const docs = join(import.meta.dirname, '../../docs');
const page = readFileSync(join(docs, 'security.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter(([first]) => first !== 'Threat' && !/^-+$/.test(first!));

/** Titles as the manual may shorten them: it may stop at any word. */
function isTestedBy(title: string, file: string): boolean {
  const path = join(docs, file);
  return existsSync(path) && readFileSync(path, 'utf8').includes(title);
}

function missing([threat = '', , shownBy = '']: readonly string[]): readonly string[] {
  const named = [...shownBy.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
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
  expect(missing(['a threat', 'an answer', '[no such title](../test/secrets.test.ts)'])).toHaveLength(1);
  expect(missing(['a threat', 'an answer', '[a title](../test/none.test.ts)'])).toHaveLength(1);
});
