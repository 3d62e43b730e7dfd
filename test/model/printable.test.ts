import { expect, test } from 'vitest';
import { printable } from '../../src/model/printable.ts';

test('controls, direction marks and invisible characters are shown, not obeyed', () => {
  expect(printable('a\nb\u001b[31m')).toBe('a\\u{a}b\\u{1b}[31m');
  expect(printable('\u202egpj.csv\u200b\u2028\ud800')).toBe('\\u{202e}gpj.csv\\u{200b}\\u{2028}\\u{d800}');
  expect(printable('été 2026, 北京.csv')).toBe('été 2026, 北京.csv');
});
