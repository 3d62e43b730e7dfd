/** The mutants still fit the program; that they are caught is shown by `npm run mutants`. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutated } from './apply.ts';
import { MUTANTS } from './mutants.ts';

test.each(MUTANTS)('$name: its places and its tests are there', ({ edits, tests }) => {
  for (const edit of edits) {
    const before = readFileSync(edit.file, 'utf8');
    expect(mutated(before, edit)).not.toBe(before);
  }
  expect(tests.filter((file) => !existsSync(file))).toEqual([]);
});

test('each has a name of its own', () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});
