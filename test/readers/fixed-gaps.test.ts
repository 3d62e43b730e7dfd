/** Columns of a fixed-width file that are one off: they share characters, or leave some to no column. */
import { expect, test } from 'vitest';
import { fixedReader } from '../../src/readers/fixed-width/fixed-width-reader.ts';
import { readAll } from './make.ts';

const messages = (options: unknown) => {
  const { error } = fixedReader.options.safeParse(options);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test('columns that share characters are reported once, at the later one', () => {
  expect(messages({ columns: { Prix: '44-53', Num: '1-6', Qte: '37-44' } })).toEqual([
    'columns.Prix: "Prix" (positions 44-53) overlaps "Qte" (positions 37-44)',
  ]);
  expect(messages({ columns: { All: '1-20', A: '2-3', B: 4, C: '21-30' } })).toHaveLength(2);
  expect(messages({ columns: { A: '1-2', B: '3-4', C: 5 } })).toEqual([]);
  const levels = [
    { value: 'H', columns: { A: '2-5', B: '5-6' } },
    { value: 'L', columns: { C: '2-6' } },
  ];
  expect(messages({ 'record-types': { at: 1, levels } })).toEqual([
    'record-types.levels.0.columns.B: "B" (positions 5-6) overlaps "A" (positions 2-5)',
  ]);
});

test('text that no column covers is one warning of the file, with a sample', async () => {
  const options = { columns: { Num: '2-4', Qte: '6-8', Prix: '10-12' } };
  const { warnings, rows } = await readAll(fixedReader, ' A01 001 010\n A02 0015010\n A03 0016010\n', options);
  expect(rows).toHaveLength(3);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({
    code: 'fixed/text-between-columns',
    level: 'warning',
    message: 'The line has text outside of the columns: "5" at position 9 in line 2 (between "Qte" and "Prix")',
    origin: { row: 2 },
  });
  expect((await readAll(fixedReader, ' A01 001 010\n', options)).warnings).toEqual([]);
  const whole = { ...options, 'line-length': 14 };
  expect((await readAll(fixedReader, 'XA01 001 010 Z\n', whole)).warnings[0]!.message).toBe(
    'The line has text outside of the columns: "X" at position 1 in line 1 (before "Num"), "Z" at position 14 in line 1 (after "Prix")',
  );
});

test('the marker of a record needs no column, and lines left out or broken are not looked at', async () => {
  const levels = [
    { value: 'H', columns: { Num: '2-4' } },
    { value: 'L', columns: { Line: '2-3', Qte: '5-6' } },
  ];
  const options = { 'record-types': { at: 1, levels }, 'leave-out': [{ at: 1, equals: 'T' }] };
  expect((await readAll(fixedReader, 'HA01\nL01 22\nTotal!\nL0\n', options)).warnings).toEqual([]);
  expect((await readAll(fixedReader, 'HA01\nL01 22\nL02922\n', options)).warnings).toHaveLength(1);
});
