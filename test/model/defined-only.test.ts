import { expect, test } from 'vitest';
import { definedItems, definedOnly } from '../../src/model/defined-only.ts';

const MARK = Symbol('mark');

test('keys of value undefined are absent, others stay in their order', () => {
  const made = definedOnly({ row: 2, column: undefined, given: null, cells: [], [MARK]: 'kept' });
  expect(Object.keys(made)).toEqual(['row', 'given', 'cells']);
  expect(made[MARK]).toBe('kept');
});

test('the object that was given is not changed', () => {
  const given = { row: 2, column: undefined };
  definedOnly(given);
  expect('column' in given).toBe(true);
});

test('items that are undefined are left out, null and empty texts stay', () => {
  expect(definedItems(['a', undefined, '', null, undefined, 0])).toEqual(['a', '', null, 0]);
});
