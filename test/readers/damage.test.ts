/** Each kind of damage is told from a correction that a person meant. */

import { describe, expect, test } from 'vitest';
import { format } from '../../src/i18n/message.ts';
import { type ColumnKind, findDamage, isSameNumber, isSameText } from '../../src/readers/spreadsheet-damage.ts';

/** Stored, what a spreadsheet makes of it, and how it is called. */
const DAMAGE: [stored: string, given: string, says: RegExp, kind?: ColumnKind][] = [
  ['123456789', '1,23457E+08', /scientific/],
  ['00012345600012', '1,23456E+10', /scientific/],
  ['+33612345678', '3,36E+10', /scientific/],
  ['00012345600012', '12345600012', /leading zeros are missing/],
  ['01000', '1000', /leading zeros are missing/],
  ['12,50', '12,5', /zeros at the end/],
  ['12,50', '12.50', /decimal sign/],
  ['0,333', '0.333', /decimal sign/],
  ['1,500', '1.5', /zeros at the end/],
  ['1234567890123456789', '1234567890123450000', /15 digits/],
  ['9876543210987654', '9876543210987650', /15 digits/],
  ['05/09/2026', '09/05/2026', /day and month/, 'date'],
  ['05/09/2026', '9/5/2026', /day and month/, 'date'],
  ['05/09/2026', '2026-09-05', /in another format/, 'date'],
  ['05/09/2026', '05/09/26', /in another format/, 'date'],
  ['05/09/2026', '5-sept.-2026', /in another format/, 'date'],
  ['20260905', '05/09/2026', /in another format/, 'date'],
  ['05/09/2026', '05/09/2026 00:00', /in another format/, 'date'],
  ['05/09/2026', '46270', /a day number/, 'date'],
  ['3-4', '03-avr', /read as a date/],
  ['3-4', '04-Mar', /read as a date/],
  ['MAR1', '01-mars', /read as a date/],
  ['SEP2', '2-Sep', /read as a date/],
  ['1/2', '01/02/2026', /read as a date/],
  ['1/2', '46054', /read as a date/],
  ['1/2', '0,5', /fraction/],
  ['22E1', '220', /with an E/],
  ['22E1', '2,20E+02', /scientific|with an E/],
  ['9,99E+08', '999000000', /with an E/],
  ['TRUE', 'VRAI', /true or false/],
  ['false', 'FALSO', /true or false/],
  ['true', 'TRUE', /true or false/],
  ['+33612345678', '33612345678', /plus sign/],
  ['+503 2222-3333', '50322223333', /plus sign/],
  ['0012', "'0012", /apostrophe/],
  ["'s-Hertogenbosch", 's-Hertogenbosch', /apostrophe/],
  ["L'Étoile", 'L’Étoile', /quotation marks/],
  ['Société Élan', 'SociÃ©tÃ© Ã‰lan', /wrong encoding/],
  ['10 € net', '10 â‚¬ net', /wrong encoding/],
  ['Société', 'Soci\ufffdt\ufffd', /wrong encoding/],
  ['Société', 'Soci?t?', /encoding does not have/],
  ['=REF-12', '#NOM?', /formula that failed/],
  ['-ART', '#NAME?', /formula that failed/],
  ['12345678', '########', /formula that failed/],
  ['=1+1', '2', /run as a formula/],
  ['(12,50)', '-12,5', /in brackets/],
  ['12,50-', '-12,50', /minus sign/],
  ['20', '20%', /percentage/],
  ['20 %', '0,2', /percentage/],
  ['12,50', '12,50 €', /currency/],
  ['12,50', '1250', /decimal sign is missing/],
  ['1234567', '1 234 567', /thousands/],
  ['12,3456', '12,35', /rounded/],
  ['10:30', '10:30:00', /time/],
  ['10:30', '0,4375', /time/],
  ['x'.repeat(300), 'x'.repeat(255), /cut off/],
  ['a  b', 'a b', /spaces inside/],
];

describe('damage is named', () => {
  for (const [stored, given, says, kind = 'text'] of DAMAGE) {
    test(`${stored.slice(0, 30)} -> ${given.slice(0, 30)}`, () => {
      const damage = findDamage(stored, given, kind);
      expect(damage && format(damage.what, 'en')).toMatch(says);
    });
  }
});

/** What a person may have meant is never damage. */
const MEANT: [stored: string, given: string, kind?: ColumnKind][] = [
  ['12,5O', '12,50'],
  ['T19', 'T20'],
  ['999000123', '999000124'],
  ['9,99E+08', '999000123'],
  ['05/09/2026', '06/09/2026', 'date'],
  ['05/09/2026', '05/10/2026', 'date'],
  ['2026-09-05', '2026-09-06', 'date'],
  ['1000', '01000'],
  ['Dupont', 'Durand'],
  ['Dupont', ''],
  ['', 'Dupont'],
  ['12,50', '13,50', 'number'],
  ['12,50', '125', 'number'],
  ['10', '1', 'number'],
  ['100', '10', 'number'],
  ['1234567890123456789', '1234567890123456788'],
  ['0001234560001', '00012345600012'],
  ['a@b.fr', 'a@c.fr'],
  ['TRUE', 'FAUX'],
  ['10:30', '11:30'],
  ['12,3456', '12,3457', 'number'],
  ['20', '5,5', 'number'],
  ['3-4', '3-5'],
  ['+33612345678', '+33612345679'],
];

describe('a correction is no damage', () => {
  test.each(MEANT.map(([stored, given, kind = 'text']) => ({ stored, given, kind })))('$stored -> $given', (one) => {
    const { stored, given, kind } = one;
    expect(findDamage(stored, given, kind)).toBeUndefined();
    expect(isSameText(stored, given)).toBe(false);
    expect(kind === 'number' && isSameNumber(stored, given)).toBe(false);
  });
});

test('blanks around a cell and its line ends are no change at all', () => {
  expect(isSameText(' Dupont\u00a0', 'Dupont')).toBe(true);
  expect(isSameText('1 rue\r\nbis', '1 rue\nbis')).toBe(true);
  expect(isSameText('e\u0301', '\u00e9')).toBe(true);
});

test('numbers are compared as numbers, and never guessed', () => {
  expect(isSameNumber('12,50', '12,5')).toBe(true);
  expect(isSameNumber('12,50', '12.5')).toBe(true);
  expect(isSameNumber('1 234,00', '1234')).toBe(true);
  expect(isSameNumber('-0,50', '-,5')).toBe(false);
  expect(isSameNumber('1,234', '1234')).toBe(false);
  expect(isSameNumber('1,234', '1.234')).toBe(false);
  expect(isSameNumber('12,50', '1250')).toBe(false);
});
