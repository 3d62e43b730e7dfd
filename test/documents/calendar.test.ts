import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDay, isLocalMoment, isMoment } from '../../src/documents/content/contract-dates.ts';

test.each([
  ['2026-09-05', true],
  ['2024-02-29', true],
  ['2000-02-29', true],
  ['2026-02-29', false],
  ['1900-02-29', false],
  ['2026-04-31', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-01-00', false],
  ['2026-9-5', false],
  ['05/09/2026', false],
  ['2026-09-05T00:00:00', false],
  ['', false],
])('isDay %j is %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

test.each([
  ['2026-09-05T08:30:00', true, true],
  ['2026-09-05T23:59:59.123', true, true],
  ['2026-09-05T08:30:00Z', false, true],
  ['2026-09-05T08:30:00+02:00', false, true],
  ['2026-09-05T08:30:00-06:00', false, true],
  ['2026-09-05T24:00:00', false, false],
  ['2026-09-05T08:60:00', false, false],
  ['2026-09-05T08:30', false, false],
  ['2026-09-05 08:30:00', false, false],
  ['2026-02-30T08:30:00Z', false, false],
  ['2026-09-05', false, false],
])('%j: without zone %s, date-time %s', (text, local, any) => {
  expect(isLocalMoment(text)).toBe(local);
  expect(isMoment(text)).toBe(any);
});

test('a day is one exactly when the calendar has it', () => {
  const parts = fc.tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ min: 0, max: 32 }),
  );
  fc.assert(
    fc.property(parts, ([year, month, day]) => {
      const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      const date = new Date(`${text}T00:00:00Z`);
      const exists = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
      expect(isDay(text)).toBe(exists);
    }),
  );
});
