import { expect, test } from 'vitest';
import { escapeControls, stripTerminalControls } from '../../src/text/printable.ts';

test('controls, direction marks and invisible characters are shown, not obeyed', () => {
  expect(escapeControls('a\nb\u001b[31m')).toBe('a\\u{a}b\\u{1b}[31m');
  expect(escapeControls('\u202egpj.csv\u200b\u2028\ud800')).toBe('\\u{202e}gpj.csv\\u{200b}\\u{2028}\\u{d800}');
  expect(escapeControls('été 2026, 北京.csv')).toBe('été 2026, 北京.csv');
});

test('whole output: no character that would be shown otherwise escapes the quick look', () => {
  const wrong = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter((character) => {
    const isShownAsIs = escapeControls(character) === character || character === '\n' || character === '\t';
    return (stripTerminalControls(character) === character) !== isShownAsIs;
  });
  expect(wrong).toEqual([]);
  expect(stripTerminalControls('été – l’usage, 5 €\n')).toBe('été – l’usage, 5 €\n');
  expect(stripTerminalControls('a\u001b[31mb\u001b[8mc\u{e0001}')).toBe('a\u001b[31mb\\u001b[8mc\\udb40\\udc01');
});
