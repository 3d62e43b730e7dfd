/** Profiles of rules that end: told before the day and after it, for the documents that are made. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkInstance } from '../../src/authoring/check-instance.ts';
import { profileEnds } from '../../src/instance/profile-expiry.ts';
import { PROFILE_ENDS } from '../../src/model/rule.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { NOTES_MAPPING } from '../cli/notes.ts';
import { openScene } from '../night.ts';
import { command, commandIn } from '../program.ts';
import { openShipped } from '../samples/instance.ts';

const NOTES = [{ target: 'sv-remission-note' }, { target: 'fr-invoice' }];
const rules = (sv: 'sv-by-day' | 'sv-nr-v3' | 'sv-nr-v4' | 'wire') =>
  ({ rules: { fr: 'fr-2026', sv, language: 'en', severity: {}, 'further-fields': {} } }) as const;

function told(day: string, sv: Parameters<typeof rules>[0] = 'sv-nr-v3', mappings = NOTES): readonly string[] {
  return profileEnds(rules(sv), mappings, new Date(day)).map(({ message }) => message);
}

// Midnight in El Salvador is 6:00 UTC.
test.each([
  ['2026-10-16T05:59:59Z', undefined],
  ['2026-10-16T06:00:00Z', 'is valid until 2026-11-30, 45 more days'],
  ['2026-11-29T12:00:00Z', 'is valid until 2026-11-30, one more day'],
  ['2026-12-01T05:59:59Z', 'is valid until 2026-11-30, today'],
  ['2026-12-01T06:00:00Z', 'was valid until 2026-11-30'],
  ['2027-03-01T06:00:00Z', 'was valid until 2026-11-30'],
])('at %s version 3 %s', (now, says) => {
  const all = says === undefined ? [] : [`rules.sv: sv-nr-v3 ${says}; sv-nr-v4 is compulsory from the day after`];
  expect(told(now)).toEqual(all);
});

test('a profile that goes by the day reports the change until it comes', () => {
  expect(told('2026-10-16T06:00:00Z', 'sv-by-day')).toEqual(told('2026-10-16T06:00:00Z'));
  expect(told('2026-12-01T05:59:59Z', 'sv-by-day')).toEqual(told('2026-12-01T05:59:59Z'));
  expect(told('2026-12-01T06:00:00Z', 'sv-by-day')).toEqual([]);
});

test('no date is printed for the next version, for the contract alone, or without such documents', () => {
  expect(told('2026-12-24T12:00:00Z', 'sv-nr-v4')).toEqual([]);
  expect(told('2026-12-24T12:00:00Z', 'wire')).toEqual([]);
  expect(told('2026-12-24T12:00:00Z', 'sv-nr-v3', [{ target: 'fr-invoice' }])).toEqual([]);
});

const shipped = await openShipped();
afterAll(() => shipped[Symbol.asyncDispose]());
const { folder } = shipped.instance;
const { environment } = describeSandbox(shipped.sandbox);

test('check, doctor and preview report it when the last day is near', async () => {
  const { endsOn } = checkInstance(folder, {});
  expect(endsOn(new Date('2026-11-21T12:00:00Z')).map(({ code, level }) => [code, level])).toEqual([
    ['config/profile-ends', 'warning'],
  ]);
  expect(endsOn(new Date('2026-09-01T12:00:00Z'))).toEqual([]);
  const isNear = endsOn(new Date()).length > 0;
  const sample = new URL('../../samples/sv-remission-notes/input/NR_20260911.csv', import.meta.url);
  writeFileSync(join(folder, 'NR_20260911.csv'), readFileSync(sample));
  const french = new URL('../../samples/sage-invoices/input/FAC_0905.csv', import.meta.url);
  writeFileSync(join(folder, 'FAC_0905.csv'), readFileSync(french));
  const says = `sv-nr-v3 ${new Date() > new Date('2026-12-01T06:00:00Z') ? 'was' : 'is'} valid until ${PROFILE_ENDS['sv-nr-v3']!.until}`;
  const tells = async (...args: string[]) => {
    const { out, err } = await command(['-C', folder, ...args], environment);
    return `${out}${err}`.includes(says);
  };
  expect([
    await tells('check'),
    await tells('doctor', '--offline'),
    await tells('preview', join(folder, 'NR_20260911.csv')),
    await tells('preview', join(folder, 'FAC_0905.csv')),
  ]).toEqual([isNear, isNear, isNear, false]);
});

test.each([
  ['fr', /rules\.sv : sv-nr-v3 (?:est|était) valable jusqu’au/],
  ['es', /rules\.sv: sv-nr-v3 (?:es|era) válido hasta el/],
])('run, status and report name it in %s, the language of the settings', async (language, says) => {
  const rules = { fr: 'wire', sv: 'sv-nr-v3', language };
  await using scene = await openScene({ settings: { rules }, mappings: { 'notes.yaml': NOTES_MAPPING } });
  for (const name of ['run', 'status', 'report']) {
    const { out, err } = await commandIn(scene, name);
    expect(`${out}${err}`, name).toMatch(says);
  }
});
