/** Exports that should arrive: hours on the calendar, what counts as arrived, who is told and how often. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { expectedExports, hoursOf } from '../../../src/pipeline/intake/expected-exports.ts';
import { systemClock } from '../../../src/runs/open-run.ts';
import { hourJustPassed, inUseFor, openScene, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

const at = (iso: string) => new Date(iso);
const hours = (on: Parameters<typeof hoursOf>[0]['on'], now: string, by = '02:00', zone = 'Europe/Paris') => {
  const { due, former } = hoursOf({ by, on }, at(now), zone);
  return [due, former].map((iso) => iso.slice(0, 16));
};

test.each<[string, string[], string[]]>([
  ['just before the hour', hours('daily', '2026-11-21T00:59:59Z'), ['2026-11-20T01:00', '2026-11-19T01:00']],
  ['at the hour', hours('daily', '2026-11-21T01:00:00Z'), ['2026-11-21T01:00', '2026-11-20T01:00']],
  ['on a Monday, of weekdays', hours('weekdays', '2026-11-23T00:00:00Z'), ['2026-11-20T01:00', '2026-11-19T01:00']],
  ['on named days', hours(['mon', 'thu'], '2026-11-24T12:00:00Z'), ['2026-11-23T01:00', '2026-11-19T01:00']],
  ['once a month', hours({ monthly: 5 }, '2026-11-21T00:00:00Z'), ['2026-11-05T01:00', '2026-10-05T00:00']],
  [
    'on the 31st of shorter months',
    hours({ monthly: 31 }, '2026-03-01T00:00:00Z'),
    ['2026-02-28T01:00', '2026-01-31T01:00'],
  ],
  [
    'an hour that the clock leaps over comes an hour later',
    hours('daily', '2027-03-28T01:30:00Z', '02:30'),
    ['2027-03-28T01:30', '2027-03-27T01:30'],
  ],
  ['and not before', hours('daily', '2027-03-28T01:29:59Z', '02:30'), ['2027-03-27T01:30', '2027-03-26T01:30']],
  [
    'of an hour that comes twice, the first',
    hours('daily', '2026-10-25T00:30:00Z', '02:30'),
    ['2026-10-25T00:30', '2026-10-24T00:30'],
  ],
  [
    'on the other side of the world',
    hours('daily', '2026-11-21T08:00:00Z', '02:00', 'America/El_Salvador'),
    ['2026-11-21T08:00', '2026-11-20T08:00'],
  ],
])('%s', (_, found, wanted) => {
  expect(found).toEqual(wanted);
});

const expectation = { name: 'sales of the day', files: 'ventes*.csv', by: hourJustPassed(), on: 'daily' };
const scene = () => openScene({ settings: { expect: [expectation] } });
const stateIn = async (there: Scene, now: Date) =>
  await there.look(async (ledger) => (await expectedExports({ instance: there.instance(), ledger }, now))[0]);

test('an export that did not arrive ends a run with 7, in words, and status says so too', async () => {
  await using there = await scene();
  await inUseFor(there, 2);
  there.drop('other.csv', 'a;b\n');
  const missed = await commandIn(there, 'run');
  expect(missed.code).toBe(7);
  expect(missed.out).toMatch(
    /MISSING {2}sales of the day: file ventes\*\.csv, expected by \d{4}-\d\d-\d\d \d\d:\d\d, files count from/,
  );
  expect(missed.out).toContain('1 export missing');
  expect((await commandIn(there, 'status')).out).toContain('MISSING  sales of the day');
  there.drop('ventes-1.csv', sales(['F1']));
  const came = await commandIn(there, 'run');
  expect(came.code).toBe(0);
  expect(came.out).not.toContain('MISSING');
  expect((await stateIn(there, new Date()))?.state).toBe('arrived');
  // The day after tomorrow nothing has come since tomorrow's hour.
  expect((await stateIn(there, new Date(Date.now() + 2 * 86_400_000)))?.state).toBe('missing');
});

test.each([
  ['refused', 'Num;Date\n"F1', 3, 'arrived, but was refused'],
  ['duplicate', sales(['F1']), 0, 'arrived, but it is identical to an earlier file'],
])('a file that is %s has arrived, and it says what is wrong', async (state, content, code, says) => {
  await using there = await scene();
  if (state === 'duplicate') {
    there.drop('ventes-0.csv', content);
    const before = { ...systemClock, now: () => new Date(Date.now() - 3 * 86_400_000) };
    await there.night({ clock: before, files: [join(there.root, 'inbox/ventes-0.csv')] });
  }
  there.drop('ventes-1.csv', content);
  const ended = await commandIn(there, 'run');
  expect(ended.code).toBe(code);
  expect(ended.out).toContain(says);
  expect((await stateIn(there, new Date()))?.state).toBe(state);
});

test.each(['.csv', '.xlsx'])('a correction file (%s) with the name of an export is no export', async (ending) => {
  await using there = await openScene({
    settings: { expect: [{ ...expectation, files: 'ventes*' }], rules: { fr: 'wire', sv: 'wire' } },
  });
  there.drop('ventes-0.csv', sales(['A1', 'A2']).replace('A2;05/09/2026;Client A2;2;2', 'A2;05/09/2026;Client A2;2;x'));
  const before = { ...systemClock, now: () => new Date(Date.now() - 3 * 86_400_000) };
  await there.night({ clock: before, files: [join(there.root, 'inbox/ventes-0.csv')] });
  const toFix = there.files('error').find((path) => path.endsWith(`.to-fix${ending}`))!;
  const written = readFileSync(join(there.root, toFix));
  const bytes = ending === '.csv' ? written.toString('latin1').replace(';x;', ';3;') : written;
  // Taken, taken once more as a copy, and refused as a whole.
  there.drop(`ventes-1${ending}`, bytes);
  expect(await commandIn(there, 'run')).toMatchObject({ code: 7, out: expect.stringContaining('MISSING') });
  there.drop(`ventes-2${ending}`, bytes);
  expect(await commandIn(there, 'run')).toMatchObject({ code: 7 });
  there.drop('ventes-3.csv', 'Num;Date;Client;_doc;_row\nA2;05/09/2026;Autre;x;99\n');
  await commandIn(there, 'run');
  expect((await stateIn(there, new Date()))?.state).toBe('missing');
  const taken = await there.look(async (ledger) => await ledger.queries.files({ since: '2000', limit: 20 }));
  expect(taken.filter(({ name }) => /ventes-[123]/.test(name)).map(({ corrects }) => corrects)).toEqual([
    true,
    true,
    true,
  ]);
  there.drop('ventes-4.csv', sales(['B1']));
  expect((await commandIn(there, 'run')).out).not.toContain('MISSING');
  expect(await stateIn(there, new Date())).toMatchObject({ state: 'arrived', file: 'ventes-4.csv' });
});

test('watch reports each hour once', async () => {
  await using there = await openScene({ settings: { expect: [expectation], inbox: { settle: '1ms', scan: '20ms' } } });
  await inUseFor(there, 2);
  const stop = new AbortController();
  const told: PipelineEvent[] = [];
  const count = (what: PipelineEvent['what']) => told.filter((one) => one.what === what).length;
  const over = there.night({ watch: true, stop: stop.signal, onEvent: (one) => told.push(one) });
  await expect.poll(() => count('export-missing')).toBeGreaterThan(0);
  // Each in a look of its own, so that one is over in between.
  for (const n of [1, 2, 3]) {
    there.drop(`other-${n}.csv`, `a;b\n${n};2\n`);
    await expect.poll(() => count('file-refused')).toBe(n);
  }
  stop.abort();
  await over;
  const missing = told.filter(({ what }) => what === 'export-missing');
  expect(missing).toMatchObject([{ name: 'sales of the day', files: 'ventes*.csv' }]);
  // The hour of the settings is not who decided.
  expect(missing[0]).not.toHaveProperty('by');
});

test('a new instance expects no export of a time before its first run', async () => {
  await using there = await scene();
  expect((await stateIn(there, new Date()))?.state).toBe('not-due');
  const first = await commandIn(there, 'run');
  expect(first).toMatchObject({ code: 0, out: expect.not.stringContaining('MISSING') });
  expect(await commandIn(there, 'status', '--check')).toMatchObject({ code: 0 });
  expect((await stateIn(there, new Date()))?.state).toBe('not-due');
  const waived = await commandIn(there, 'waive', 'sales of the day', '--reason', 'holiday');
  expect(waived).toMatchObject({ code: 3, out: expect.stringContaining('before the first run') });
  expect((await stateIn(there, new Date(Date.now() + 86_400_000)))?.state).toBe('missing');
});

test('an export of a time before the first run counts if it comes', async () => {
  await using there = await scene();
  there.drop('ventes-1.csv', sales(['F1']));
  expect((await commandIn(there, 'run')).code).toBe(0);
  expect((await stateIn(there, new Date()))?.state).toBe('arrived');
});

test('schedule names each export whose hour is after the run, unless a watch looks all day', async () => {
  const exports = ['03:30', '01:15', '00:30'].map((by) => ({ ...expectation, name: `until ${by}`, by }));
  await using there = await openScene({ settings: { expect: exports } });
  const named = async (...more: string[]) => {
    const { code, err } = await commandIn(there, 'schedule', ...more, '--at', '01:15');
    return [code, ...err.matchAll(/until \d\d:\d\d/g)].flat();
  };
  expect(await named('cron')).toEqual([0, 'until 03:30']);
  expect(await named('systemd', '--watch')).toEqual([0]);
});
