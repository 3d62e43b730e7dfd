/** Terms of the search index: what people type and what documents have become equal where they mean the same. */
import { expect, test } from 'vitest';
import { amountTermsIn, digitsTerm, termsIn, termsOf, wholeTerm } from '../../src/search/search-terms.ts';

test.each([
  ['F2026-30 109', 'f202630109'],
  ['Société MUÑOZ & Fils', 'societemunozfils'],
  ['Cœur', 'coeur'],
  ['" OR 1=1 *', 'or11'],
  ['…', ''],
])('%s is one term without case, accents and separators', (text, term) => {
  expect(wholeTerm(text)).toBe(term);
});

test('letters of other scripts have terms of their own, in a-z and 0-9', () => {
  const terms = ['Ёлка', 'Елка', '東京', '京東'].flatMap(termsIn);
  expect(new Set(terms).size).toBe(3);
  for (const term of terms) expect(term).toMatch(/^[a-z0-9]+$/);
});

test.each([
  ['134.50', ['134d5']],
  ['134,50', ['134d5']],
  ['134,5 EUR', ['134d5']],
  ['-134.50', ['134d5']],
  ['1 234,50', ['1234d5']],
  ['1.234,50', ['1234d5']],
  ['1,234.50', ['1234d5']],
  ['1,234', ['1d234', '1234']],
  ['0,50', ['0d5']],
  ['12,34,5', []],
  ['F1', []],
  ['', []],
])('the amount %s has the terms %j', (text, terms) => {
  expect(amountTermsIn(text)).toEqual(terms);
});

test('a number is found by its words, its last digits, and without leading zeros', () => {
  const { whole, terms } = termsOf({
    numbers: ['F2026-30109', '00050003'],
    counterparty: [],
    trackingIds: [],
    requestIds: [],
    file: '',
    amount: undefined,
    runs: [],
  });
  expect(whole.split(' ')).toEqual(['f202630109', '00050003']);
  expect(terms.split(' ')).toEqual(expect.arrayContaining(['n30109', 'n0109', 'n630109', 'n50003']));
  expect(whole.split(' ').map(digitsTerm)).toEqual(['202630109', undefined]);
});

test('the same word is another term as a name, as a file and as a number', () => {
  const { terms, words } = termsOf({
    numbers: ['Elan-1'],
    counterparty: ['Élan'],
    trackingIds: ['elan'],
    requestIds: [],
    file: 'elan.csv',
    amount: undefined,
    runs: [],
  });
  expect(terms.split(' ')).toEqual(expect.arrayContaining(['celan', 'felan', 'nelan', 'telan']));
  expect(words.split(' ')).toEqual(['celan', 'felan', 'fcsv']);
});
