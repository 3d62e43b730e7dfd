import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Decimal } from '../../src/model/decimal.ts';
import { parseJson } from '../../src/sandbox/wire-format.ts';

const exact = (text: string) => parseJson(Buffer.from(text), true)?.value;

test.each([
  ['12.50', '12.5'],
  ['1.1e2', '110'],
  ['110E-2', '1.1'],
  ['-0.00000000000000000001', '-0.00000000000000000001'],
  ['123456789012345678901234567890.5', '123456789012345678901234567890.5'],
])('%s is the decimal %s', (text, expected) => {
  expect((exact(text) as Decimal).toText()).toBe(expected);
});

test('every finite number is read as the value it shows', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e40, max: 1e40 }), (value) => {
      const read = exact(JSON.stringify(value));
      expect(Number(String(read))).toBe(value === 0 ? 0 : value);
    }),
  );
});

test('an absurd exponent stays a float, which no shape takes', () => {
  expect(exact('1e999')).toBe(Infinity);
  expect(exact('[1e-300]')).toEqual([1e-300]);
});

test('what is not JSON in UTF-8 is undefined, not an error', () => {
  expect(parseJson(Buffer.from('{"a":'), false)).toBeUndefined();
  expect(parseJson(Buffer.from('"caf\u00e9"', 'latin1'), false)).toBeUndefined();
  expect(parseJson(Buffer.from('null'), false)).toEqual({ value: null });
});
