import { expect, test } from 'vitest';
import { showFault } from '../../src/model/fault.ts';

test('a fault stays one line whatever the file and the column are called', () => {
  const origin = { file: 'ev\nil\u001b[31m.csv', row: 2, line: 3, column: 'PRIX\nU' };
  expect(showFault({ code: 'map/not-a-number', level: 'error', message: '"x" is not a number', origin })).toBe(
    'ev\\u{a}il\\u{1b}[31m.csv:3:PRIX\\u{a}U  map/not-a-number  "x" is not a number',
  );
});
