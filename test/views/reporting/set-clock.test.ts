/** Reports of nights between which, or in which, the clock was set: each document is in one of them. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lookIntoLedgerOf, systemClock } from '../../../src/runs/open-run.ts';
import { writeReport } from '../../../src/runs/write-report.ts';
import { dailyReport } from '../../../src/views/reporting/daily-report.ts';
import { buildNightReport, type NightEnd } from '../../../src/views/reporting/night-report.ts';
import type { NightReport } from '../../../src/views/reporting/report-shape.ts';
import { moveClock } from '../../moved-clock.ts';
import { openScene, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

const DAY = 24 * 3_600_000;
const clockAt = (ms: () => number) => ({ ...systemClock, now: () => new Date(Date.now() + ms()) });
const WELL: NightEnd = { kind: 'run', stops: [], exitOf: () => 0 };

/** A run by this clock, and its report, as `nightpost run` makes it. */
async function nightAt(scene: Scene, ms: () => number): Promise<NightReport> {
  const clock = clockAt(ms);
  const { work } = await scene.night({ clock });
  return await scene.desk(async (own) => {
    const { run, startedAt, startedMonotonic } = work;
    const report = await buildNightReport({ ...own, run, startedAt, startedMonotonic, clock }, WELL);
    await writeReport({ ...own, clock }, report, '<p>page</p>');
    return report;
  });
}

const seenIn = ({ files, balance }: NightReport) => [files.map(({ file }) => file), balance.documents.read];

test('a clock that was ahead once: what it reported is not reported again, and decisions count once', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['A1', 'A2', 'A3-X6']));
  expect(seenIn(await nightAt(scene, () => 3 * DAY))).toEqual([['ventes-1.csv'], 3]);
  await commandIn(scene, 'set-aside', 'A3-X6', '--reason', 'why');
  scene.drop('ventes-2.csv', sales(['B1']));
  const second = await nightAt(scene, () => 0);
  // Of the first export the document alone about which a person has decided since.
  expect(seenIn(second)).toEqual([['ventes-1.csv', 'ventes-2.csv'], 1]);
  expect(second.files.map(({ counts }) => counts)).toEqual([{}, { authorized: 1 }]);
  expect(second.decisions.map(({ count }) => count)).toEqual([1]);
  expect(second.verdict).toMatchObject({ weight: 'alarm', sentence: { en: expect.stringContaining('clock') } });
  const third = await nightAt(scene, () => 3_600_000);
  expect(seenIn(third)).toEqual([[], 0]);
  expect(third.decisions).toEqual([]);
  expect(third.verdict.weight).toBe('good');
});

test('a clock that is set back in a run: what it does afterwards is in its report, and nothing of before', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['A1', 'A2']));
  expect(seenIn(await nightAt(scene, () => 7_200_000))).toEqual([['ventes-1.csv'], 2]);
  scene.drop('ventes-2.csv', sales(['B1', 'B2', 'B3']));
  let looks = 0;
  expect(seenIn(await nightAt(scene, () => (looks++ === 0 ? 10_800_000 : 3_600_000)))).toEqual([['ventes-2.csv'], 3]);
});

test('a report of a clock that was ahead does not end the daily reports of a watch', async () => {
  await using scene = await openScene({ settings: { report: { at: '00:00' } } });
  await nightAt(scene, () => 3 * DAY);
  let written = 0;
  await scene.desk(async (own) => {
    const write = async () => void (await writeReport(own, await buildNightReport(own, WELL), String(written++)));
    const look = dailyReport(own, write);
    await look();
    await look();
    await dailyReport(own, write)();
  });
  expect(written).toBe(1);
});

test('a watch whose clock is set back behind its last report: the next report has what came since, once', async () => {
  await using scene = await openScene();
  const watchedAt = async (ms: () => number, authorized: number) => {
    const stop = new AbortController();
    const clock = clockAt(ms);
    const watching = scene.night({ watch: true, stop: stop.signal, clock });
    const counted = async () => {
      await using ledger = await lookIntoLedgerOf(scene.instance());
      return (await ledger.queries.counts()).authorized;
    };
    await expect.poll(counted).toBe(authorized);
    stop.abort();
    const { work } = await watching;
    return await scene.desk(async (own) => {
      const { run, startedAt, startedMonotonic } = work;
      const of = { ...own, run, startedAt, startedMonotonic, clock };
      const report = await buildNightReport(of, { ...WELL, kind: 'watch' });
      await writeReport({ ...own, clock }, report, '<p>page</p>');
      return report;
    });
  };
  scene.drop('ventes-1.csv', sales(['A1', 'A2']));
  expect(seenIn(await watchedAt(() => 3 * DAY, 2))).toEqual([['ventes-1.csv'], 2]);
  scene.drop('ventes-2.csv', sales(['B1']));
  expect(seenIn(await watchedAt(() => 0, 3))).toEqual([['ventes-2.csv'], 1]);
});

const PROVEN = ['--by', 'anna', '--evidence', fileURLToPath(import.meta.url)];
const ACTS: { readonly [what: string]: (scene: Scene) => Promise<unknown> } = {
  nothing: async () => {},
  'an outcome that a person found out': (scene) =>
    commandIn(scene, 'resolve', 'A1-XLOST', '--as', 'authorized', '--reason', 'seen there', ...PROVEN),
  'a document set aside': (scene) => commandIn(scene, 'set-aside', 'A3-X6', '--reason', 'why', '--by', 'anna'),
  'a correction': (scene) => commandIn(scene, 'fix', 'A2', 'Qte=2', '--reason', 'typo', '--by', 'anna'),
};

/** What the second of two runs counts, with this act between them. */
async function countedAfter(act: string, ms: number): Promise<object> {
  using clock = moveClock();
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['A1-XLOST', 'A2', 'A3-X6']).replaceAll(/(?<=A2;.*;\d;)2(?=;)/g, '2O'));
  await commandIn(scene, 'run');
  await ACTS[act]?.(scene);
  clock.pass(ms);
  scene.drop('ventes-2.csv', sales(['B1']));
  const { files, balance, settled, earlier } = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
  const lines = files.map(({ file, counts, setAside }) => ({ file, counts, setAside }));
  return { lines, read: balance.documents.read, settled: settled?.documents.sent ?? 0, earlier };
}

const SECOND = { file: 'ventes-2.csv', counts: { authorized: 1 }, setAside: 0 };
const FIRST = { ...SECOND, file: 'ventes-1.csv' };

test.each(Object.keys(ACTS).flatMap((act) => [0, -DAY].map((ms) => [act, ms] as const)))(
  'a run reports what it did itself, wherever the clock goes between two runs: %s, %i ms',
  async (act, ms) => {
    const isSent = act === 'a correction';
    const lines = isSent ? [FIRST, SECOND] : [SECOND];
    expect(await countedAfter(act, ms)).toEqual({ lines, read: 1, settled: Number(isSent), earlier: {} });
  },
);
