/** Times for people: the calendar of the zone, the order of the language. */
import { expect, test } from 'vitest';
import { dayText, isoDayIn, isZone, localTime } from '../../src/text/local-time.ts';

const AT = '2026-11-22T01:33:30.560Z';

test.each([
  ['Europe/Paris', 'en', '2026-11-22 02:33'],
  ['Europe/Paris', 'fr', '22/11/2026 02:33'],
  ['America/El_Salvador', 'es', '21/11/2026 19:33'],
  ['America/El_Salvador', 'en', '2026-11-21 19:33'],
] as const)('a time in %s is written for %s as %s', (zone, language, text) => {
  expect(localTime(AT, { zone, language })).toBe(text);
});

test('midnight is 00:00 of the day that begins', () => {
  expect(localTime('2026-11-21T23:05:00Z', { zone: 'Europe/Paris', language: 'fr' })).toBe('22/11/2026 00:05');
  expect(isoDayIn('2026-11-21T23:05:00Z', 'Europe/Paris')).toBe('2026-11-22');
});

test('a text that is no instant comes back as it is', () => {
  expect(localTime('soon', { zone: 'UTC', language: 'fr' })).toBe('soon');
  expect(isoDayIn('soon', 'UTC')).toBeUndefined();
  expect(dayText('never', 'fr')).toBe('never');
});

test('a time zone is known by its name only', () => {
  expect(['Europe/Paris', 'UTC', 'Europe/Pari', '', 'now'].map(isZone)).toEqual([true, true, false, false, false]);
});
