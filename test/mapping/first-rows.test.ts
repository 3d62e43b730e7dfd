import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openFirstRows } from '../../src/mapping/compose/first-row-index.ts';
import { runs } from '../seed.ts';

test('knows what a Map knows, whatever the keys', () => {
  const key = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'a', 'x'.repeat(5000), '\u0000'),
  );
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
      const rows = openFirstRows();
      const known = new Map<string, number>();
      for (const [index, one] of keys.entries()) {
        const text = one.toWellFormed();
        expect(rows.get(text)).toBe(known.get(text));
        if (known.has(text)) continue;
        if (index % 3 === 0) rows.get('another');
        rows.add(text, index + 2);
        known.set(text, index + 2);
      }
      for (const [text, row] of known) expect(rows.get(text)).toBe(row);
    }),
    { numRuns: runs(200) },
  );
});

test('a hundred thousand keys across chunks and growing tables are all found, and no others', () => {
  const rows = openFirstRows();
  for (let n = 0; n < 100_000; n++) rows.add(`FA-2026-${n}\u0000company`, n + 2);
  for (let n = 0; n < 100_000; n += 7) expect(rows.get(`FA-2026-${n}\u0000company`)).toBe(n + 2);
  expect(rows.get('FA-2026-100000\u0000company')).toBeUndefined();
  expect(rows.get('FA-2026-1')).toBeUndefined();
});
