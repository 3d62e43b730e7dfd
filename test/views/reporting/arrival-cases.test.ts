/** Whether an export came in time, once and whole: cases of files and hours, without a ledger. */
import { expect, test } from 'vitest';
import { expectationShape } from '../../../src/instance/expect-shape.ts';
import type { Instance } from '../../../src/instance/instance.ts';
import type { SourceFile } from '../../../src/model/ledger-entry.ts';
import { judgeExports } from '../../../src/pipeline/intake/expected-exports.ts';
import { arrivedFiles, judgeArrival } from '../../../src/views/reporting/completeness.ts';

type Rule = Instance['settings']['expect'][number];

const RULE: Rule = { name: 'Ventes', files: 'ventes*.csv', by: '02:00', on: 'daily' };

/** A file as the ledger has it: when it was claimed (UTC), and its rows. */
function came(claimedAt: string, rows = 100, changes: Partial<SourceFile> = {}): SourceFile {
  const at = `${claimedAt}:00.000Z`;
  return {
    ...{ id: claimedAt, name: 'ventes-1.csv', sha256: '', size: 1, modifiedAt: at, claimedAt: at, day: '', run: 'r' },
    ...{ path: '', state: 'admitted', rows, leftOut: [], faults: [], changes: 1 },
    ...changes,
  };
}

type Case = {
  readonly says: string;
  readonly now: string;
  readonly rule?: Partial<Rule>;
  readonly zone?: string;
  /** The oldest first. */
  readonly files: readonly SourceFile[];
  /** Rows of files of this name before. */
  readonly earlier?: readonly number[];
  /** state, minutes late, rows, unusual. */
  readonly is: readonly [state: string, late?: number | undefined, rows?: number, unusual?: string];
};

const NOW = '2026-11-20T06:00';
const LIKE = { like: 20 };
const HUNDRED = Array.from({ length: 20 }, (_, n) => 95 + (n % 10));

const CASES: readonly Case[] = [
  { says: 'in time', now: NOW, files: [came('2026-11-20T00:50')], is: ['arrived', undefined] },
  { says: 'at the very minute', now: NOW, files: [came('2026-11-20T01:00')], is: ['arrived', undefined] },
  { says: 'late by 20 minutes', now: NOW, files: [came('2026-11-20T01:20')], is: ['arrived', 20] },
  { says: 'not at all', now: NOW, files: [], is: ['missing'] },
  {
    says: 'under another name',
    now: NOW,
    files: [came('2026-11-20T00:50', 1, { name: 'vente.csv' })],
    is: ['missing'],
  },
  { says: 'before the hour of yesterday only', now: NOW, files: [came('2026-11-19T00:59')], is: ['missing'] },
  { says: 'before its hour today: that of yesterday is missing', now: '2026-11-20T00:30', files: [], is: ['missing'] },
  {
    says: 'empty: a header without rows',
    ...{
      now: NOW,
      rule: { rows: { min: 1 } },
      files: [came('2026-11-20T00:50', 0)],
      is: ['arrived', undefined, 0, 'few'],
    },
  },
  { says: 'empty, refused', now: NOW, files: [came('2026-11-20T00:50', 0, { state: 'refused' })], is: ['refused'] },
  { says: 'still being read', now: NOW, files: [came('2026-11-20T00:50', 5, { state: 'loading' })], is: ['arrived'] },
  {
    says: 'the bytes of before',
    now: NOW,
    files: [came('2026-11-20T00:50', 0, { state: 'duplicate' })],
    is: ['duplicate'],
  },
  {
    says: 'refused first, then right and late',
    ...{ now: NOW, files: [came('2026-11-20T00:50', 0, { state: 'refused' }), came('2026-11-20T02:00')] },
    is: ['arrived', 60],
  },
  {
    says: 'a reading of a part once more is no arrival',
    ...{ now: NOW, files: [came('2026-11-20T00:50', 3, { rereads: 'older' })], is: ['missing'] },
  },
  {
    says: 'doubled: two files, more rows in all than the settings say',
    ...{ now: NOW, rule: { rows: { min: 90, max: 120 } } },
    ...{ files: [came('2026-11-20T00:50'), came('2026-11-20T00:55')], is: ['arrived', undefined, 200, 'many'] },
  },
  {
    says: 'in two parts, together as many rows as the settings say',
    ...{ now: NOW, rule: { rows: { min: 90, max: 120 } } },
    ...{ files: [came('2026-11-20T00:50', 50), came('2026-11-20T01:30', 50)], is: ['arrived', undefined, 100] },
  },
  {
    says: 'doubled: one file with all rows twice, against the last 20',
    ...{ now: NOW, rule: LIKE, earlier: HUNDRED, files: [came('2026-11-20T00:50', 200)] },
    is: ['arrived', undefined, 200, 'many'],
  },
  {
    says: 'half, against the last 20',
    ...{ now: NOW, rule: LIKE, earlier: HUNDRED, files: [came('2026-11-20T00:50', 50)] },
    is: ['arrived', undefined, 50, 'few'],
  },
  {
    says: 'one half and one whole file, against the last 20',
    ...{ now: NOW, rule: LIKE, earlier: HUNDRED, files: [came('2026-11-20T00:50', 100), came('2026-11-20T00:55', 50)] },
    is: ['arrived', undefined, 150, 'few'],
  },
  {
    says: 'as usual, against the last 20',
    ...{
      now: NOW,
      rule: LIKE,
      earlier: HUNDRED,
      files: [came('2026-11-20T00:50', 100)],
      is: ['arrived', undefined, 100],
    },
  },
  {
    says: 'the smallest and the largest of the last 20 do not make a file usual',
    ...{ now: NOW, rule: LIKE, earlier: [1, ...HUNDRED.slice(2), 900], files: [came('2026-11-20T00:50', 800)] },
    is: ['arrived', undefined, 800, 'many'],
  },
  {
    says: 'with 9 earlier files nothing is usual yet',
    ...{ now: NOW, rule: LIKE, earlier: HUNDRED.slice(0, 9), files: [came('2026-11-20T00:50', 1)] },
    is: ['arrived', undefined, 1],
  },
  {
    says: 'with 10 it is',
    ...{ now: NOW, rule: { like: 10 }, earlier: HUNDRED.slice(0, 10), files: [came('2026-11-20T00:50', 1)] },
    is: ['arrived', undefined, 1, 'few'],
  },
  {
    says: 'over midnight: due at 23:30, came at 00:10',
    ...{ now: NOW, rule: { by: '23:30' }, files: [came('2026-11-19T23:10')], is: ['arrived', 40] },
  },
  {
    says: 'over midnight: before 00:00 on the day before is in time',
    ...{ now: NOW, rule: { by: '00:00' }, files: [came('2026-11-19T22:59')], is: ['arrived', undefined] },
  },
  {
    says: 'clock one hour ahead: 02:30 does not occur, 03:30 is in time',
    ...{
      now: '2027-03-28T06:00',
      rule: { by: '02:30' },
      files: [came('2027-03-28T01:30')],
      is: ['arrived', undefined],
    },
  },
  {
    says: 'clock one hour ahead: 03:40 is 10 minutes late',
    ...{ now: '2027-03-28T06:00', rule: { by: '02:30' }, files: [came('2027-03-28T01:40')], is: ['arrived', 10] },
  },
  {
    says: 'clock one hour back: the second 02:30 is an hour late',
    ...{ now: '2026-10-25T06:00', rule: { by: '02:30' }, files: [came('2026-10-25T01:30')], is: ['arrived', 60] },
  },
  {
    says: 'clock one hour back: of the 25 hours since the hour before the first quarter belongs to that hour',
    ...{ now: '2026-10-25T06:00', rule: { by: '03:30' } },
    ...{ files: [came('2026-10-24T01:00'), came('2026-10-24T07:45')], is: ['missing'] },
  },
  {
    says: 'clock one hour back: a minute after that quarter',
    ...{ now: '2026-10-25T06:00', rule: { by: '03:30' } },
    ...{ files: [came('2026-10-24T01:00'), came('2026-10-24T07:46')], is: ['arrived', undefined] },
  },
  {
    says: 'yesterday late by 7 hours, today not: the late one is not that of today too',
    ...{ now: '2026-11-21T06:00', files: [came('2026-11-20T08:00')], is: ['missing'] },
  },
  {
    says: 'yesterday in time and once more in the morning, today not',
    ...{ now: '2026-11-21T06:00', files: [came('2026-11-20T00:50'), came('2026-11-20T06:59')], is: ['missing'] },
  },
  {
    says: 'yesterday in time, today on the evening before',
    ...{ now: '2026-11-21T06:00', files: [came('2026-11-20T00:50'), came('2026-11-20T17:00')] },
    is: ['arrived', undefined],
  },
  {
    says: 'yesterday in time, and that of today before its hour: its rows are not those of yesterday',
    ...{ now: '2026-11-21T00:55', rule: { rows: { min: 90, max: 120 } } },
    ...{ files: [came('2026-11-20T00:50', 100), came('2026-11-21T00:50', 110)], is: ['arrived', undefined, 100] },
  },
  {
    says: 'yesterday late by an hour, and that of today before its hour',
    ...{ now: '2026-11-21T00:55', rule: { rows: { min: 90, max: 120 } } },
    ...{ files: [came('2026-11-20T02:00', 100), came('2026-11-21T00:50', 110)], is: ['arrived', 60, 100] },
  },
  {
    says: 'late by an hour on each day, and today not yet',
    ...{ now: '2026-11-21T01:30', files: ['19', '20'].map((day) => came(`2026-11-${day}T02:00`)), is: ['missing'] },
  },
  {
    says: 'yesterday refused, exported again in the morning, today not',
    ...{ now: '2026-11-21T06:00' },
    ...{ files: [came('2026-11-20T00:50', 0, { state: 'refused' }), came('2026-11-20T09:00')], is: ['missing'] },
  },
  {
    says: 'yesterday and today by hand in the morning: that of yesterday is not that of today',
    ...{ now: '2026-11-21T08:30', files: ['20T09:00', '21T08:00'].map((at) => came(`2026-11-${at}`)) },
    is: ['arrived', 420],
  },
  {
    says: 'two mornings by hand, and the third night not',
    ...{ now: '2026-11-22T08:30', files: ['20T09:00', '21T09:00'].map((at) => came(`2026-11-${at}`)) },
    is: ['missing'],
  },
  {
    says: 'five mornings by hand after a night as usual, and the night after them not',
    now: '2026-11-22T06:00',
    files: [came('2026-11-16T00:50'), ...[17, 18, 19, 20, 21].map((day) => came(`2026-11-${day}T09:00`))],
    is: ['missing'],
  },
  ...['19T19:30', '20T19:30'].map(
    (now): Case => ({
      says: `always long before its hour, and one of them not: not that of the 18th, on the ${now}`,
      ...{ now: `2026-11-${now}`, rule: { by: '20:00' } },
      files: [14, 15, 16, 17, 19, 20]
        .map((day) => came(`2026-11-${day}T02:00`))
        .filter(({ id }) => id <= `2026-11-${now}`),
      is: ['arrived', undefined],
    }),
  ),
  {
    says: 'always long before its hour, and today not',
    ...{ now: '2026-11-20T19:30', rule: { by: '20:00' } },
    ...{ files: [15, 16, 17, 18, 19].map((day) => came(`2026-11-${day}T02:00`)), is: ['missing'] },
  },
  {
    says: 'on weekdays long before its hour, and one of them not: not that of the day before',
    ...{ now: '2026-11-19T19:30', rule: { by: '20:00', on: 'weekdays' } },
    files: [9, 10, 11, 12, 13, 16, 17, 19].map((day) => came(`2026-11-${String(day).padStart(2, '0')}T02:00`)),
    is: ['arrived', undefined],
  },
  {
    says: 'yesterday not at all: that of today, before its hour, is not that of yesterday',
    now: '2026-11-21T00:55',
    files: [came('2026-11-21T00:50')],
    is: ['missing'],
  },
  {
    says: 'yesterday not at all, and by hand at noon',
    now: '2026-11-20T12:30',
    files: [came('2026-11-20T12:00')],
    is: ['arrived', 660],
  },
  {
    says: 'yesterday not at all, today in time',
    ...{ now: '2026-11-21T06:00', files: [came('2026-11-21T00:50')], is: ['arrived', undefined] },
  },
  {
    says: 'on the 31st, in November on the 30th',
    ...{
      now: '2026-12-01T06:00',
      rule: { on: { monthly: 31 } },
      files: [came('2026-11-30T01:05')],
      is: ['arrived', 5],
    },
  },
  {
    says: 'on the 31st: that of October does not count for November',
    ...{ now: '2026-12-01T06:00', rule: { on: { monthly: 31 } }, files: [came('2026-10-31T00:59')], is: ['missing'] },
  },
  {
    says: 'in El Salvador, six hours west',
    ...{ now: '2026-11-20T12:00', zone: 'America/El_Salvador', files: [came('2026-11-20T08:15')], is: ['arrived', 15] },
  },
];

test('the first export of a new instance is for the hour that it comes before', () => {
  const rule = { ...RULE, by: '20:00' };
  const known = { files: [came('2026-11-20T02:00')], waived: [], firstUse: '2026-11-20T01:30:00.000Z' };
  expect(judgeExports([rule], known, new Date('2026-11-20T19:30:00Z'), 'Europe/Paris')).toMatchObject([
    { state: 'arrived', file: 'ventes-1.csv' },
  ]);
});

test.each(CASES)('$says: $is', ({ now, rule = {}, zone = 'Europe/Paris', files, earlier = [], is }) => {
  const one = { ...RULE, ...rule };
  const known = { files: files.toReversed(), waived: [], firstUse: '2026-01-01T00:00:00.000Z' };
  const [expected] = judgeExports([one], known, new Date(`${now}:00Z`), zone);
  const found = judgeArrival(expected!, arrivedFiles(expected!, known.files), { rule: one, earlier });
  const late = found.lateSeconds === undefined ? undefined : found.lateSeconds / 60;
  const [state, minutes, rows, unusual] = is;
  expect([expected?.state, late, found.unusual]).toEqual([state, minutes, unusual]);
  if (rows !== undefined) expect(found.rows).toBe(rows);
});

test('a number of earlier files that never shows what is usual is refused', () => {
  const isTaken = (like: string) => expectationShape.safeParse({ ...RULE, like }).success;
  expect(['last 1', 'last 9', 'last 10', 'last 99', 'last 100'].map(isTaken)).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
});
