import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountInWords } from '../../../src/documents/rules/sv/parse-amount-words.ts';
import { numberInWords } from '../../../src/mapping/functions/number-words.ts';

test.each([
  ['VEINTISIETE 73/100 DÓLARES DE LOS ESTADOS UNIDOS DE AMÉRICA', '27.73'],
  ['CIENTO TRECE 00/100 USD', '113'],
  ['UN MIL DOLARES CON 00/100 CENTAVOS', '1000'],
  ['son: cien dólares con cincuenta centavos', '100.5'],
  ['DIEZ 50/100 DÓLARES DE LOS ESTADOS UNIDOS DE AMÉRICA', '10.5'],
  ['(Treinta y un dólares y 05 / 100)', '31.05'],
  ['TREINTA Y UNO CON 86/100', '31.86'],
  ['CERO 00/100', '0'],
  ['UN MILLÓN UN 01/100', '1000001.01'],
  ['MIL MILLONES 00/100', '1000000000'],
  ['DIEZ MILLONES SETECIENTOS OCHENTA Y TRES MIL CIENTO CINCUENTA Y SIETE', '10783157'],
  ['VEINTE DÓLARES', '20'],
  ['27.73 USD', undefined],
  ['', undefined],
])('%s: %s', (text, amount) => {
  expect(amountInWords(text)?.toText()).toBe(amount);
});

test('reads what the mapping writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
      const digits = String(cents).padStart(2, '0');
      const text = `${numberInWords(whole, 'es')!.toUpperCase()} ${digits}/100 DÓLARES`;
      expect(amountInWords(text)?.toText(2)).toBe(`${whole}.${digits}`);
    }),
  );
});
