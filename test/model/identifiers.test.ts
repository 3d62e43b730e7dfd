import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasDigits,
  isDui,
  isFrenchVat,
  isNit,
  isSiren,
  isSiret,
  looksLikeFrenchVat,
  repairIdentifier,
} from '../../src/model/identifiers.ts';
import { runs } from '../seed.ts';

const TABLE: readonly [string, (text: string) => boolean, readonly string[], readonly string[]][] = [
  [
    'SIREN',
    isSiren,
    ['732829320', '404833048', '100000009', '356000000'],
    ['732829321', '73282932', '7328293200', '732 829 320', '', 'ABCDEFGHI'],
  ],
  [
    'SIRET, La Poste by the sum of its digits',
    isSiret,
    ['73282932000074', '10000000900017', '35600000049837', '35600000000048'],
    ['73282932000015', '35600000049838', '35600000000046', '732829320', ''],
  ],
  [
    'French VAT number, keys with letters and foreign numbers unverified',
    isFrenchVat,
    ['FR44732829320', 'FR83404833048', 'FR88100000009', 'FR39356000000', 'FR00356000000', 'FRX1732829320', 'DE1'],
    ['FR45732829320', 'FR732829320', 'FR44732829320 ', 'FR4473282932', 'FR'],
  ],
  [
    'NIT, old and new scheme, remainder zero, DUI used as NIT',
    isNit,
    [
      '06140507071048',
      '06140512861294',
      '06142004981074',
      '06141809480014',
      '06142709760012',
      '06140711071030',
      '000162975',
    ],
    ['06140507071049', '06141809480015', '06140711071031', '0614180948001', '0614-180948-001-4', '000162976', ''],
  ],
  ['DUI', isDui, ['00016297-5', '000162975', '02495046-3'], ['12345678-1', '0001629-75', '00016297-', '']],
];

describe.each(TABLE)('%s', (_name, valid, good, bad) => {
  test.each(good)('takes %j', (text) => {
    expect(valid(text)).toBe(true);
  });
  test.each(bad)('refuses %j', (text) => {
    expect(valid(text)).toBe(false);
  });
});

test('one wrong digit is always found by Luhn', () => {
  const wrongDigit = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 9 }) });
  const samples: readonly [string, (text: string) => boolean][] = [
    ['732829320', isSiren],
    ['73282932000074', isSiret],
  ];
  fc.assert(
    fc.property(fc.constantFrom(...samples), wrongDigit, ([text, valid], { at, by }) => {
      const i = at % text.length;
      const digit = (Number(text[i]) + by) % 10;
      expect(valid(text.slice(0, i) + digit + text.slice(i + 1))).toBe(false);
    }),
  );
});

test('a number that lost one or two zeros is found again, whatever its digits', () => {
  const body = fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 9 }), fc.nat(999_999_999_999));
  fc.assert(
    fc.property(fc.constantFrom('siren', 'siret', 'nit'), body, (type, [lost, first, rest]) => {
      const length = type === 'siren' ? 9 : 14;
      const valid = { siren: isSiren, siret: isSiret, nit: isNit }[type];
      const start = `${'0'.repeat(lost)}${first}${String(rest).padStart(12, '0')}`.slice(0, length - 1);
      const whole = Array.from({ length: 10 }, (_, check) => `${start}${check}`).find(valid)!;
      expect(repairIdentifier(type, whole.slice(lost))).toBe(whole);
    }),
  );
});

test.each([
  ['siren', '5480546', '005480546'],
  ['siren', '732 829 320', '732829320'],
  ['siren', '5480547', undefined],
  ['siren', '732829320', undefined],
  ['siret', '732 829 320 00074', '73282932000074'],
  ['nit', '6140507071048', '06140507071048'],
  ['nit', '0614-050707-104-8', '06140507071048'],
  ['dui', '024950463', '02495046-3'],
  ['dui', '2495046-3', '02495046-3'],
  ['dui', '162975', undefined],
  ['siren', '1,23457E+08', undefined],
] as const)('a damaged %s %j was most likely %j', (type, text, mended) => {
  expect(repairIdentifier(type, text)).toBe(mended);
});

test('digits and the form of a VAT number are what a pattern says they are', () => {
  const near = fc.stringMatching(/^(?:FR)?[0-9A-Za-z:/@[ ]{0,3}[0-9]{7,9}[0-9:/ é]?$/);
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (text) => {
      expect(looksLikeFrenchVat(text)).toBe(/^FR[0-9A-Z]{2}[0-9]{9}$/.test(text));
      expect(hasDigits(text, 9)).toBe(/^[0-9]{9}$/.test(text));
    }),
    { numRuns: runs(2000) },
  );
});
