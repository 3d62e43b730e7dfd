import { expect, test } from 'vitest';
import { suggest } from '../../src/text/suggest.ts';

const FIELDS = ['date', 'date-due', 'identifier', 'postal-code'];

test.each([
  ['due-date', 'date-due'],
  ['Due Date', 'date-due'],
  ['postal_code', 'postal-code'],
  ['identifer', 'identifier'],
  ['dtae', 'date'],
  ['quantity', undefined],
])('%s -> %s', (word, near) => {
  expect(suggest(word, FIELDS)).toBe(near);
});
