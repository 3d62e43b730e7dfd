/** Two rows of one document that nothing tells apart: told, and by the mapping refused or allowed. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type IdenticalRows, identicalRowsIn } from '../../src/mapping/compose/duplicate-rows.ts';
import type { Row, Table } from '../../src/model/row.ts';
import { runs } from '../seed.ts';

const TABLE: Table = { file: 'f.csv', columns: ['k', 'n', 't'] };

const rowsOf = (cells: readonly (readonly string[])[]): readonly Row[] =>
  cells.map((one, n) => ({ cells: one, row: n + 2 }));

const faultOf = (rows: readonly Row[], level: IdenticalRows = 'warning') => identicalRowsIn(TABLE, level)?.(rows);

/** Each row with the first one before it that has the same cells, looked for in the plainest way. */
function expected(rows: readonly Row[]): readonly (readonly [row: number, first: number])[] {
  return rows.flatMap(({ cells, row }, n) => {
    const first = rows.slice(0, n).find((one) => JSON.stringify(one.cells) === JSON.stringify(cells));
    return first ? [[row, first.row] as const] : [];
  });
}

test('any rows: the first that is there twice is named with its first, the others counted', () => {
  const cell = fc.constantFrom('', 'a', 'b', 'ab');
  const cells = fc.tuple(fc.constant('F1'), cell, cell).map((one): readonly string[] => one);
  const anyRows = fc.oneof(fc.array(cells, { maxLength: 8 }), fc.array(cells, { minLength: 9, maxLength: 20 }));
  fc.assert(
    fc.property(anyRows, anyRows, (all, before) => {
      const rows = rowsOf(all);
      const pairs = expected(rows);
      const look = identicalRowsIn(TABLE, 'warning')!;
      // Whatever it remembers of another document changes nothing.
      look(rowsOf(before));
      const fault = look(rows);
      const [pair] = pairs;
      if (!pair) {
        expect(fault).toBeUndefined();
        return;
      }
      const [row, first] = pair;
      const more = pairs.length === 1 ? '' : `; more rows like this: ${pairs.length - 1}`;
      expect(fault).toMatchObject({
        code: 'map/identical-rows',
        level: 'warning',
        message: `row ${row} is the same as row ${first} in every column${more}`,
        origin: { file: 'f.csv', row },
      });
    }),
    { numRuns: runs(500) },
  );
});

test.each([2, 9, 10_001])('%i rows that differ in the last column give no warning; one copy does', (count) => {
  const rows = rowsOf(Array.from({ length: count }, (_, n) => ['F1', 'same', String(n)]));
  expect(faultOf(rows)).toBeUndefined();
  const copied = [...rows, { cells: [...rows.at(-1)!.cells], row: count + 2 }];
  expect(faultOf(copied)).toMatchObject({ origin: { row: count + 2 } });
});

describe('by the mapping', () => {
  const twice = rowsOf([
    ['F1', '1', 'x'],
    ['F1', '1', 'x'],
  ]);

  test('an error, or nothing', () => {
    expect(faultOf(twice, 'error')).toMatchObject({ level: 'error' });
    expect(faultOf(twice, 'allowed')).toBeUndefined();
  });

  test('a broken row is reported for more than being like another', () => {
    const broken = { code: 'csv/too-few-cells', level: 'error' } as Row['broken'];
    expect(faultOf([twice[0]!, { ...twice[1]!, broken: broken! }])).toBeUndefined();
  });
});
