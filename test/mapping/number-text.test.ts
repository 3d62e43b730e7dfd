import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileNumberFormat, compileXsdDecimal, type NumberFormat } from '../../src/mapping/source/parse-number.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { runs } from '../seed.ts';

const french: NumberFormat = { decimal: ',', thousands: [' ', 'nbsp'] };
const german: NumberFormat = { decimal: ',', thousands: ['.'] };
const swiss: NumberFormat = { decimal: '.', thousands: ["'"] };
const plain: NumberFormat = { decimal: '.', thousands: [] };

function read(format: NumberFormat, text: string): string {
  const value = compileNumberFormat(format)(text);
  return value instanceof Decimal
    ? value.toText()
    : `${value.code}: ${value.message}${value.hint ? ` (${value.hint})` : ''}`;
}

describe('reads what exports write', () => {
  it.each([
    [french, '12,5', '12.5'],
    [french, '0', '0'],
    [french, '9007199254740993', '9007199254740993'],
    [french, '-999999999999999,9', '-999999999999999.9'],
    [french, '-0,00', '0'],
    [french, '+7', '7'],
    [french, '-3', '-3'],
    [french, ',50', '0.5'],
    [french, '-,50', '-0.5'],
    [french, '00012', '12'],
    [french, '1 234 567,89', '1234567.89'],
    [french, '1\u00a0234,5', '1234.5'],
    [french, '1\u202f234,5', '1234.5'],
    [french, '100,00-', '-100'],
    [french, '(1 234,50)', '-1234.5'],
    [german, '1.234.567,89', '1234567.89'],
    [swiss, "1'234.50", '1234.5'],
    [swiss, '1’234.50', '1234.5'],
    [plain, '100.00-', '-100'],
    [plain, '123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
  ])('%j %j is %s', (format, text, value) => {
    expect(read(format, text)).toBe(value);
  });
});

describe('the sign of a currency', () => {
  const euro: NumberFormat = { ...french, currencySign: '€' };
  const code: NumberFormat = { ...german, currencySign: 'EUR' };
  const cfa: NumberFormat = { ...french, currencySign: 'F CFA' };

  it.each([
    [euro, '5 607,04- €', '-5607.04'],
    [euro, '5 607,04 €', '5607.04'],
    [euro, '5 607,04\u00a0€', '5607.04'],
    [euro, '5607,04€', '5607.04'],
    [euro, '€ 12,50', '12.5'],
    [euro, '-€12,50', '-12.5'],
    [euro, '€-12,50', '-12.5'],
    [euro, '(12,50 €)', '-12.5'],
    [euro, '12,50€-', '-12.5'],
    [euro, '9007199254740993,10 €', '9007199254740993.1'],
    [euro, '12,50', '12.5'],
    [code, 'EUR 1.234,50', '1234.5'],
    [cfa, '1 250 F CFA', '1250'],
  ])('%j %j is %s', (format, text, value) => {
    expect(read(format, text)).toBe(value);
  });

  it.each([
    [euro, '12,50 $'],
    [euro, '€ 12,50 €'],
    [euro, '12,50 €€'],
    [euro, '12€50'],
    [euro, '€'],
    [euro, '- €'],
    [euro, '12,50 € HT'],
    [euro, '$ 12,50 €'],
    [euro, '12,50 EUR'],
    [french, '12,50 €'],
    [code, '12,50 eur'],
    [cfa, '1 250 F'],
  ])('%j %j is refused', (format, text) => {
    expect(compileNumberFormat(format)(text)).toMatchObject({ code: 'map/not-a-number', given: text });
  });

  it('is exact: a cell without its sign says what the cell with it says', () => {
    const amount = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(99));
    fc.assert(
      fc.property(
        amount,
        fc.constantFrom('', ' ', '\u00a0', '\u202f'),
        fc.boolean(),
        ([whole, cents], blank, front) => {
          const text = `${whole},${String(cents).padStart(2, '0')}`;
          expect(read(euro, front ? `€${blank}${text}` : `${text}${blank}€`)).toBe(read(french, text));
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe('refuses the rest, and says why', () => {
  it.each([
    [
      french,
      '3.335',
      'map/not-a-number: "3.335" is not a number (this file uses "," as the decimal sign) (correct the cell, or the decimal sign in the mapping if all numbers use the other one)',
    ],
    [
      french,
      '1.234,50',
      'map/not-a-number: "1.234,50" is not a number (this file uses "," as the decimal sign) (correct the cell; if "." separates thousands here, add it to numbers: thousands)',
    ],
    [
      plain,
      '3,335',
      'map/not-a-number: "3,335" is not a number (this file uses "." as the decimal sign) (correct the cell, or the decimal sign in the mapping if all numbers use the other one)',
    ],
    [
      german,
      '3.33',
      'map/not-a-number: "3.33" is not a number (this file uses "," as the decimal sign) (correct the cell, or the decimal sign in the mapping if all numbers use the other one)',
    ],
    [french, '12,5O', 'map/not-a-number: "12,5O" is not a number ("O" does not belong in a number)'],
    [
      french,
      '12,50 €',
      'map/not-a-number: "12,50 €" is not a number ("€" does not belong in a number; if the export adds it to its amounts, set numbers: currency-sign)',
    ],
    [french, '20%', 'map/not-a-number: "20%" is not a number ("%" does not belong in a number)'],
    [
      french,
      '1,23457E+08',
      'map/damaged-text: a spreadsheet changed "1,23457E+08": restore all its digits (export the file again, or take the value from the ERP)',
    ],
    [french, '12 34', 'map/not-a-number: "12 34" is not a number'],
    [french, '1234 567', 'map/not-a-number: "1234 567" is not a number'],
    [french, '1 234 5,0', 'map/not-a-number: "1 234 5,0" is not a number'],
    [french, '5,', 'map/not-a-number: "5," is not a number'],
    [french, '1,2,3', 'map/not-a-number: "1,2,3" is not a number'],
    [french, '-5-', 'map/not-a-number: "-5-" is not a number'],
    [french, '(5', 'map/not-a-number: "(5" is not a number'],
    [french, '5)', 'map/not-a-number: "5)" is not a number'],
    [french, '(-5)', 'map/not-a-number: "(-5)" is not a number'],
    [french, '-', 'map/not-a-number: "-" is not a number'],
    [french, ',', 'map/not-a-number: "," is not a number'],
    [french, '١٢', 'map/not-a-number: "١٢" is not a number ("١" does not belong in a number)'],
    [french, '9'.repeat(120), `map/not-a-number: "${'9'.repeat(120)}" is not a number`],
    [
      { decimal: '.', thousands: [',', ' '] },
      '1,234 567',
      'map/not-a-number: "1,234 567" is not a number (this file uses "." as the decimal sign) (correct the cell, or the decimal sign in the mapping if all numbers use the other one)',
    ],
  ])('%j %j', (format, text, message) => {
    expect(read(format as NumberFormat, text)).toBe(message);
  });

  it('gives the text back', () => {
    expect(compileNumberFormat(french)('abc')).toMatchObject({ given: 'abc' });
  });
});

it('reads every amount that a French spreadsheet shows', () => {
  const parse = compileNumberFormat(french);
  const amount = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 6 }));
  fc.assert(
    fc.property(amount, fc.constantFrom('', ' ', '\u00a0', '\u202f'), ([units, scale], separator) => {
      const value = Decimal.of(units, scale);
      const [whole = '', fraction] = value.toText(scale).split('.');
      const shown = whole.replace(/\B(?=(?:\d{3})+$)/g, separator) + (fraction === undefined ? '' : `,${fraction}`);
      const found = parse(shown);
      expect(found instanceof Decimal && found.equals(value)).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});

it('is linear on long cells', () => {
  const cell = `${'1 111'.repeat(200_000)}x`;
  expect(compileNumberFormat(french)(cell)).toMatchObject({ code: 'map/not-a-number' });
});

it('numbers of XML Schema may end in their point, all others may not', () => {
  const read = compileXsdDecimal();
  const told = ['64.', '-64.', '64', '.5', '64.50', '.', '6..', '1,5', ''].map((text) => {
    const value = read(text);
    return value instanceof Decimal ? value.toText() : value.code;
  });
  const no = 'map/not-a-number';
  expect(told).toEqual(['64', '-64', '64', '0.5', '64.5', no, no, no, no]);
  expect(compileNumberFormat(plain)('64.')).toMatchObject({ code: no });
});
