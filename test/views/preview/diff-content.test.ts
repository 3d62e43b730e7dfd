/** Contents compared field by field: what is in one of them alone is a change, also where it is empty. */
import { expect, test } from 'vitest';
import { changesOf, contentLeaves } from '../../../src/views/preview/diff-content.ts';

const changes = (before: object, after: object) =>
  changesOf(contentLeaves(JSON.stringify({ payload: before })), contentLeaves(JSON.stringify({ payload: after })));

test.each([
  [{ a: 1 }, { a: 1, b: [] }, [{ at: '/b', after: '[]' }]],
  [{ a: 1, b: {} }, { a: 1 }, [{ at: '/b', before: '{}' }]],
  [
    { a: [{}] },
    { a: [] },
    [
      { at: '/a', after: '[]' },
      { at: '/a/0', before: '{}' },
    ],
  ],
  [{ a: [] }, { a: [] }, []],
  [{ a: 1 }, { a: '1' }, [{ at: '/a', before: '1', after: '"1"' }]],
])('%j and %j', (before, after, found) => {
  expect(changes(before, after)).toEqual(found);
});
