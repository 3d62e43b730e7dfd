import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '../../src/documents/json-text.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { type Json, Numbering } from '../../src/model/draft.ts';

const decimal = fc.oneof(
  fc.tuple(fc.maxSafeInteger(), fc.nat(20)).map(([units, scale]) => Decimal.of(units, scale)),
  fc.tuple(fc.integer({ min: -9999, max: 9999 }), fc.nat(4)).map(([units, scale]) => Decimal.of(units, scale)),
  fc.tuple(fc.bigInt(), fc.nat(40)).map(([units, scale]) => Decimal.of(units, scale)),
);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\u0000', 'é’œ', '\u2028', '"\\\n'),
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text,
    decimal,
    fc.boolean(),
    fc.constant(null),
    fc.constant(new Numbering('till', ['1'], 'text')),
    fc.constant(new Numbering('till', ['1'], 'number')),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(text, tie('json'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
  ),
}));

test('writes what JSON.stringify writes, to the letter', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(jsonText(value)).toBe(JSON.stringify(value));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['0', Decimal.of(0, 5)],
  ['0.0000001', Decimal.of(1, 7)],
  ['-12.5', Decimal.of(-1250, 2)],
  ['123456789012345678', Decimal.of(123456789012345678n, 0)],
])('writes the amount %s as its digits', (digits, amount) => {
  expect(jsonText(amount)).toBe(digits);
  expect(JSON.stringify(amount)).toBe(digits);
});
