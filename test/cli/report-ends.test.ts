/** The morning report of nights that end early or late: a service stops, the disk of the reports is full, a watch at its hour. */
import { expect, test } from 'vitest';
import { format } from '../../src/i18n/message.ts';
import { localeOf } from '../../src/instance/locale.ts';
import { haltWords } from '../../src/model/recorded-words.ts';
import { reportPage } from '../../src/pages/report-page.ts';
import { dailyReport } from '../../src/views/reporting/daily-report.ts';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const newest = async (scene: Scene) => JSON.parse((await commandIn(scene, 'report', '--json')).out) as NightReport;

test.each([
  [4, 'credentials', 'F1-X401', {}],
  [5, 'unreachable', 'F1', { 'base-url': 'http://127.0.0.1:1' }],
])('a run that ends with %i, because of %s, has its report', async (exit, cause, number, fr) => {
  await using scene = await openScene({ services: { fr }, settings: { run: { 'give-up-after': '1s' } } });
  scene.drop('ventes-1.csv', sales([number, 'F2']));
  const ended = await commandIn(scene, 'run');
  expect(ended.code, ended.out + ended.err).toBe(exit);
  const report = await newest(scene);
  expect(report).toMatchObject({ exit, outcome: 'completed', stops: [{ service: 'fr', cause }] });
  expect(report.balance.documents).toMatchObject({ read: 2, difference: 0 });
  expect([report.verdict.weight, report.verdict.sentence.en]).toEqual([
    'alarm',
    expect.stringContaining(format(haltWords(cause), 'en')),
  ]);
  const written = scene.files('reports').filter((path) => path.includes(report.run));
  expect(written.map((path) => path.replace(/.*\.report/, '')).sort()).toEqual(['.html', '.json']);
});

test('a watch writes its report at report.at, once a day, also where it was off at that hour', async () => {
  await using scene = await openScene({ settings: { report: { at: '07:00' }, 'time-zone': 'Europe/Paris' } });
  const written: string[] = [];
  let now = '';
  const open = (startedAt: string) =>
    scene.desk(async (work) => {
      const clock = { ...work.clock, now: () => new Date(now) };
      const own = { ...work, clock, startedAt: new Date(startedAt) };
      const between = dailyReport(own, async () => void written.push(now));
      for (const at of LOOKS.filter((one) => one >= startedAt)) {
        now = at;
        await between();
      }
    });
  await open('2027-03-26T12:00:00.000Z');
  // The clock goes ahead on the 28th: 07:00 is 05:00 UTC from then on.
  expect(written).toEqual(['2027-03-27T06:00:00.000Z', '2027-03-28T05:00:00.000Z', '2027-03-30T09:00:00.000Z']);
});

const LOOKS = [
  '2027-03-26T12:00:00.000Z',
  '2027-03-27T05:59:59.000Z',
  '2027-03-27T06:00:00.000Z',
  '2027-03-27T06:01:00.000Z',
  '2027-03-28T04:59:59.000Z',
  '2027-03-28T05:00:00.000Z',
  '2027-03-28T23:00:00.000Z',
  // Off from here to the 30th.
  '2027-03-30T09:00:00.000Z',
  '2027-03-30T09:01:00.000Z',
];

test('the page of a night of 1,000 files, a third of which need a person, is smaller than 100 KB', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['A1', 'A2-X6', 'A3']));
  scene.drop('ventes-2.csv', 'no;such;columns\n1;2;3\n');
  await commandIn(scene, 'run');
  const report = await newest(scene);
  const [first, second] = report.files;
  const { causes, oldest, decisions } = report;
  const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
  const large: NightReport = {
    ...report,
    files: many(1000, (n) => ({ ...(n % 3 === 0 ? second! : first!), id: String(n), file: `ventes-magasin-${n}.csv` })),
    causes: many(300, (n) => ({ ...causes[0]!, cause: `map/not-in-table:ventes@Taux=${n}` })),
    oldest: many(10, () => oldest[0]!),
    decisions: many(200, (n) => ({ ...(decisions[0] ?? { what: 'correct', count: 1 }), person: `Person ${n}` })),
  };
  const bytes = Buffer.byteLength(reportPage(large, localeOf(scene.instance().settings)));
  expect(bytes).toBeLessThan(100_000);
  // What people have to look at is named: 60 files, then a count.
  expect(bytes).toBeGreaterThan(30_000);
});
