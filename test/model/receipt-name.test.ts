import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { receiptName, receiptNameKey } from '../../src/text/receipt-file-name.ts';
import { runs } from '../seed.ts';

const HOSTILE = [
  '../../etc/passwd',
  '..\\..\\windows',
  'C:\\x',
  'a/b',
  'a:b',
  'a*b?"<>|',
  'CON',
  'con.txt',
  'nul',
  'NUL .x',
  'COM1',
  'com¹.csv',
  'LPT9.',
  'CONIN$',
  '.hidden',
  'trailing.',
  'trailing ',
  ' leading',
  '-rf',
  'line\nbreak',
  'tab\there',
  'null\u0000byte',
  'rtl\u202Etxt.exe',
  'zero\u200Bwidth',
  'variation\uFE0F',
  'lone\uD800surrogate',
  'e\u0301',
  '\u00E9',
  '100%',
  '%2F',
  '💥',
  'ﬁ',
  'ß',
  'İ',
  'x'.repeat(255),
  'é'.repeat(200),
  '/'.repeat(90),
];

describe('receiptName', () => {
  test.each([
    ['FA-2026/0417', 'FA-2026%2F0417'],
    ['CON', '%43ON'],
    ['con.txt', '%63on.txt'],
    ['conte', 'conte'],
    ['.x', '%2Ex'],
    ['x.', 'x%2E'],
    [' x ', '%20x%20'],
    ['Señor 12', 'Señor 12'],
    ['e\u0301', '\u00E9'],
    ['a%b', 'a%25b'],
    ['a~b', 'a%7Eb'],
    ['', ''],
  ])('%j becomes %j', (identifier, stem) => {
    expect(receiptName(identifier)).toBe(stem);
  });

  test('5,000 hostile names stay in their folder and below the length, and different ones stay apart', () => {
    const names = new Map<string, string>();
    const piece = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 12 }));
    const made = fc.sample(fc.array(piece, { minLength: 1, maxLength: 4 }), {
      numRuns: runs(5000),
      seed: fc.readConfigureGlobal().seed!,
    });
    for (const identifier of [...HOSTILE, ...made.map((parts) => parts.join(''))]) {
      const stem = receiptName(identifier);
      if (identifier !== '') expect(stem).not.toBe('');
      expect(Buffer.byteLength(stem)).toBeLessThanOrEqual(104);
      expect(stem).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}]|^[. -]|[. ]$/u);
      expect(stem).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$) *(\.|$)/i);
      const same = identifier.toWellFormed().normalize('NFC');
      expect(names.get(stem) ?? same).toBe(same);
      names.set(stem, same);
    }
  });

  test('one key for what some file system takes for one name', () => {
    for (const [a, b] of [
      ['FA-1', 'fa-1'],
      ['É', 'e\u0301'],
      ['straße', 'STRASSE'],
      ['ﬁn', 'FIN'],
    ] as const) {
      expect(receiptNameKey(a)).toBe(receiptNameKey(b));
    }
    expect(receiptNameKey('FA-1')).not.toBe(receiptNameKey('FA-2'));
  });
});
