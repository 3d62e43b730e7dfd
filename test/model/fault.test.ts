import { expect, test } from 'vitest';
import { locate, showFault, truncateFault } from '../../src/model/fault.ts';

test('a fault stays one line whatever the file and the column are called', () => {
  const origin = { file: 'ev\nil\u001b[31m.csv', row: 2, line: 3, column: 'PRIX\nU' };
  expect(showFault({ code: 'map/not-a-number', level: 'error', message: '"x" is not a number', origin })).toBe(
    'ev\\u{a}il\\u{1b}[31m.csv:3:PRIX\\u{a}U  map/not-a-number  "x" is not a number',
  );
});

test('a message with a cell of a megabyte shows its beginning and its end, and stays a text', () => {
  const long = `"${'😀'.repeat(500_000)}" is not a number`;
  const { message, hint, given } = truncateFault({
    code: 'map/x',
    level: 'error',
    message: long,
    hint: long,
    given: long,
  });
  for (const text of [message, hint!]) {
    expect(text.length).toBeLessThan(700);
    expect(text).toMatch(/^"😀.*is not a number$/u);
    expect(text.isWellFormed()).toBe(true);
  }
  expect(given).toBe(long);
  const short = { code: 'map/x', level: 'error', message: 'short' } as const;
  expect(truncateFault(short)).toBe(short);
});

test('of the cells that a value came from, the one with the wrong text is named', () => {
  const type = { file: 'f.csv', row: 2, column: 'Type' };
  const number = { file: 'f.csv', row: 2, column: 'Number' };
  const texts = new Map([
    [type, '13'],
    [number, ' 01234567 '],
  ]);
  const trace = new Map([['/id', [type, number]]]);
  const fault = { code: 'doc/rule', level: 'error', message: 'no DUI', at: '/id/inner' } as const;
  const at = (given: string | undefined) =>
    locate(given === undefined ? fault : { ...fault, given }, trace, { textOf: (origin) => texts.get(origin as never) })
      .origin;
  expect(at('01234567')).toBe(number);
  expect(at('13')).toBe(type);
  // A formula took the hyphen out.
  texts.set(number, '0123-4567');
  expect(at('01234567')).toBe(number);
  expect(at('--')).toBe(type);
  // Made by a formula, or not said: the first of them.
  expect(at('1301234567')).toBe(type);
  expect(at(undefined)).toBe(type);
});
