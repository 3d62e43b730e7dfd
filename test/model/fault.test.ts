import { expect, test } from 'vitest';
import { brief, showFault } from '../../src/model/fault.ts';

test('a fault stays one line whatever the file and the column are called', () => {
  const origin = { file: 'ev\nil\u001b[31m.csv', row: 2, line: 3, column: 'PRIX\nU' };
  expect(showFault({ code: 'map/not-a-number', level: 'error', message: '"x" is not a number', origin })).toBe(
    'ev\\u{a}il\\u{1b}[31m.csv:3:PRIX\\u{a}U  map/not-a-number  "x" is not a number',
  );
});

test('a message with a cell of a megabyte shows its beginning and its end, and stays a text', () => {
  const long = `"${'😀'.repeat(500_000)}" is not a number`;
  const { message, hint, given } = brief({ code: 'map/x', level: 'error', message: long, hint: long, given: long });
  for (const text of [message, hint!]) {
    expect(text.length).toBeLessThan(700);
    expect(text).toMatch(/^"😀.*is not a number$/u);
    expect(text.isWellFormed()).toBe(true);
  }
  expect(given).toBe(long);
  const short = { code: 'map/x', level: 'error', message: 'short' } as const;
  expect(brief(short)).toBe(short);
});
