/** docs/explanation/reliability.md holds every invariant once, and each row of its tables names tests that are there, or says why not. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants/mutants.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/explanation/reliability.md');

/** Cells of the rows of one heading's table. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = readFileSync(page, 'utf8').split(`\n## ${heading}\n`);
  const lines = section.split('\n## ')[0]!.split('\n');
  const cells = lines.filter((line) => line.startsWith('| ')).map((line) => line.slice(2, -2).split(' | '));
  return cells.slice(2);
}

const testsIn = (cell: string) => [...cell.matchAll(/`(test\/[^` ]+)`/g)].map(([, file]) => file!);

const named = (cell: string) => {
  const files = testsIn(cell);
  return files.length > 0 && files.every((file) => existsSync(join(root, file)));
};

test('all thirty invariants are there, once and in order, with tests, figures and mutants', () => {
  const rows = rowsBelow('The invariants');
  expect(rows.map(([number]) => number)).toEqual(Array.from({ length: 30 }, (_, n) => `I${n + 1}`));
  expect(rows.filter((cells) => cells.length !== 6 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
  const without = rows.filter(([, , tests]) => !named(tests!) && !tests!.startsWith('does not apply: '));
  expect(without.map(([number]) => number)).toEqual([]);
});

test('each fault has a test that is there', () => {
  const rows = rowsBelow('Faults, one by one');
  expect(rows.length).toBeGreaterThanOrEqual(33);
  expect(rows.filter((cells) => cells.length !== 4 || !named(cells[3]!)).map(([fault]) => fault)).toEqual([]);
});

test('each invariant has a mutant on which one of its own tests turned red', () => {
  const mutants = new Map(MUTANTS.map((one) => [one.name, one]));
  const proven = rowsBelow('The invariants').filter(([, , tests = '', , , cell = '']) => {
    const named = [...cell.matchAll(/`([a-z0-9-]+)`/g)].map(([, name = '']) => mutants.get(name));
    const own = testsIn(tests);
    return (
      named.length > 0 &&
      named.every(Boolean) &&
      named.some((one) => one?.torture !== undefined || one?.tests.some((file) => own.includes(file)))
    );
  });
  expect(proven.map(([number]) => number)).toEqual(Array.from({ length: 30 }, (_, n) => `I${n + 1}`));
});
