import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameText, originalName, safeName } from '../../src/text/safe-file-name.ts';
import { runs } from '../seed.ts';

const anyName = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 255 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }).map((text) => Buffer.from(text)),
  fc.constantFrom('../../etc/passwd', 'CON', 'a:b|c', '\u202egpj.csv', 'e\u0301', '%2F', ' x ', '.hidden', 'x.'),
);

test('5,000 hostile names: one short segment each, and reversible', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const whole = safeName(name, 1_000);
      expect(originalName(whole)).toEqual(Buffer.from(name as string));
      const safe = safeName(name, 150);
      expect(safe).toMatch(/^[\p{L}\p{N}(),+=@#&!%_-][\p{L}\p{N} ._\-()+,=@#&!%]*$/u);
      expect(safe).not.toMatch(/[. ]$/);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(150);
    }),
    { numRuns: runs(5_000) },
  );
});

test('names people use stay readable', () => {
  expect(safeName('ventes_2026-11-19 (2).csv', 150)).toBe('ventes_2026-11-19 (2).csv');
  expect(safeName('Année 2026 – été.xml', 150)).toBe('Année 2026 %E2%80%93 été.xml');
});

test('names too long stay apart and keep their ending', () => {
  const [a, b] = [safeName(`${'x'.repeat(200)}1.csv`, 100), safeName(`${'x'.repeat(200)}2.csv`, 100)];
  expect(a).not.toBe(b);
  expect(a).toMatch(/^x+-[0-9a-f]{12}\.csv$/);
});

test('a name that is no UTF-8 is shown with its bytes', () => {
  expect(nameText(Buffer.from([0x66, 0xff]))).toBe('f%FF');
  expect(nameText(Buffer.from('été.csv'))).toBe('été.csv');
});
