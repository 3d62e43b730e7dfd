import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberInWords } from '../../src/mapping/functions/number-words.ts';
import { runs } from '../seed.ts';
import { spanishNumber } from './read-spanish.ts';
import { problemOf, runFormula } from './run-formula.ts';

describe('Spanish', () => {
  it.each([
    [0, 'CERO'],
    [1, 'UN'],
    [9, 'NUEVE'],
    [16, 'DIECISÉIS'],
    [21, 'VEINTIÚN'],
    [22, 'VEINTIDÓS'],
    [30, 'TREINTA'],
    [31, 'TREINTA Y UN'],
    [99, 'NOVENTA Y NUEVE'],
    [100, 'CIEN'],
    [101, 'CIENTO UN'],
    [500, 'QUINIENTOS'],
    [777, 'SETECIENTOS SETENTA Y SIETE'],
    [1000, 'MIL'],
    [1001, 'MIL UN'],
    [2100, 'DOS MIL CIEN'],
    [21000, 'VEINTIÚN MIL'],
    [100000, 'CIEN MIL'],
    [101000, 'CIENTO UN MIL'],
    [1000000, 'UN MILLÓN'],
    [1000001, 'UN MILLÓN UN'],
    [10783157, 'DIEZ MILLONES SETECIENTOS OCHENTA Y TRES MIL CIENTO CINCUENTA Y SIETE'],
    [1000000000, 'MIL MILLONES'],
    [21001000001, 'VEINTIÚN MIL UN MILLONES UN'],
  ])('%i is %s', (value, words) => {
    expect(numberInWords(value, 'es')?.toUpperCase()).toBe(words);
  });
});

describe('French', () => {
  it.each([
    [0, 'zéro'],
    [17, 'dix-sept'],
    [21, 'vingt et un'],
    [22, 'vingt-deux'],
    [60, 'soixante'],
    [61, 'soixante et un'],
    [70, 'soixante-dix'],
    [71, 'soixante et onze'],
    [77, 'soixante-dix-sept'],
    [80, 'quatre-vingts'],
    [81, 'quatre-vingt-un'],
    [90, 'quatre-vingt-dix'],
    [91, 'quatre-vingt-onze'],
    [99, 'quatre-vingt-dix-neuf'],
    [100, 'cent'],
    [101, 'cent un'],
    [180, 'cent quatre-vingts'],
    [200, 'deux cents'],
    [203, 'deux cent trois'],
    [1000, 'mille'],
    [1999, 'mille neuf cent quatre-vingt-dix-neuf'],
    [80000, 'quatre-vingt mille'],
    [200000, 'deux cent mille'],
    [1000000, 'un million'],
    [80000000, 'quatre-vingts millions'],
    [200000200, 'deux cents millions deux cents'],
    [2000000001, 'deux milliards un'],
  ])('%i is %s', (value, words) => {
    expect(numberInWords(value, 'fr')).toBe(words);
  });
});

it('has words of its own for every number, without blanks too many', () => {
  for (const language of ['es', 'fr'] as const) {
    const seen = new Set<string>();
    for (let value = 0; value < 12_000; value++) seen.add(numberInWords(value, language)!);
    expect(seen.size).toBe(12_000);
    expect([...seen].filter((words) => /^\s|\s$|\s\s|undefined|- /.test(words))).toEqual([]);
  }
});

it('refuses what it cannot spell', () => {
  for (const value of [-1, 0.5, 1e12, Number.NaN]) expect(numberInWords(value, 'es')).toBeUndefined();
  expect(problemOf('AMOUNT-IN-WORDS(1000000000000, "es")')).toBe(
    'map/wrong-argument: 1000000000000 is too large to write in words',
  );
});

describe('AMOUNT-IN-WORDS', () => {
  it('says what a reader of Spanish reads back, from 0.00 to 999,999,999.99', () => {
    const edges = [0, 1, 99, 100, 101, 99_99, 100_000, 1_000_00, 1_000_01, 999_999_99, 1_000_000_00, 1_001_000_00];
    const cents = fc.oneof(fc.constantFrom(...edges, 99_999_999_999), fc.nat(200_000), fc.nat(99_999_999_999));
    fc.assert(
      fc.property(cents, (amount) => {
        const { value = '' } = runFormula('AMOUNT-IN-WORDS($a, "es")', { columns: { a: [amount / 100] }, row: 1 });
        const [, words = '', rest] = /^(.*) (\d\d)\/100 DÓLARES DE LOS ESTADOS UNIDOS DE AMÉRICA$/.exec(value) ?? [];
        expect({ whole: spanishNumber(words), rest }).toEqual({
          whole: Math.floor(amount / 100),
          rest: String(amount % 100).padStart(2, '0'),
        });
      }),
      { numRuns: runs(2000) },
    );
  });

  it('is read by a reader that knows bad Spanish', () => {
    expect(
      ['UNO', 'VEINTIUNO MIL', 'UN MIL', 'CIEN UN', 'DIECISEIS', 'UN MILLONES', 'TREINTA UN'].map(spanishNumber),
    ).toEqual(Array.from({ length: 7 }, () => undefined));
  });

  it.each([
    ['AMOUNT-IN-WORDS(0.995, "es", "{WORDS} {cc}/100")', 'UN 00/100'],
    ['AMOUNT-IN-WORDS(0.994, "es", "{WORDS} {cc}/100")', 'CERO 99/100'],
    ['AMOUNT-IN-WORDS(-27.73, "es", "{words} {cc}/100")', 'menos veintisiete 73/100'],
    ['AMOUNT-IN-WORDS(-0.001, "es", "{words} {cc}/100")', 'cero 00/100'],
    ['AMOUNT-IN-WORDS(10, "es"; "{WORDS} {cc}/100 $1 $&")', 'DIEZ 00/100 $1 $&'],
    ['AMOUNT-IN-WORDS(-1, "fr", "{Words}")', 'Moins un'],
  ])('%s', (formula, words) => {
    expect(runFormula(formula)).toMatchObject({ value: words, reports: [] });
  });

  it('wants words in its template', () => {
    expect(problemOf('AMOUNT-IN-WORDS(1, "es", "{cc}/100")')).toBe(
      '"{cc}/100" | map/wrong-argument: the template must be a "text" with {WORDS}, {Words} or {words}',
    );
  });
});
