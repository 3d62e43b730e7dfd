/** Files of a report that was not recorded: they are gone with the next report, whatever ran and whatever the clock showed meanwhile. */
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import { writeReport } from '../../src/runs/write-report.ts';
import { type Break, verify } from '../../src/verify/verify-instance.ts';
import { buildNightReport } from '../../src/views/reporting/night-report.ts';
import { openScene, type Scene } from '../night.ts';
import { commandIn } from '../program.ts';

const DAY = 24 * 3_600_000;

/** The files of one report; `blocked`: the disk refuses its page. */
async function reportAfter(scene: Scene, days: number, blocked = false): Promise<readonly string[]> {
  const clock = { ...systemClock, now: () => new Date(Date.now() + days * DAY) };
  const before = scene.files('reports');
  await scene.desk(async (own) => {
    const work = { ...own, clock, run: `run-${days}` };
    const { ledger, startedAt } = work;
    const [host, pid, version] = ['here', process.pid, '0'];
    await ledger.runs.beginRun({ id: work.run, kind: 'run', startedAt: startedAt.toISOString(), version, host, pid });
    const report = await buildNightReport(work, { kind: 'run', stops: [], exitOf: () => 0 });
    const page = join(scene.root, 'reports', report.endedAt.slice(0, 10), `${work.run}.report.html`);
    if (blocked) mkdirSync(page, { recursive: true, mode: 0o700 });
    const writing = writeReport(work, report, '<p>page</p>');
    if (blocked) await expect(writing).rejects.toThrow();
    else await writing;
    if (blocked) rmdirSync(page);
    await ledger.runs.endRun(work.run, { outcome: 'completed', endedAt: report.endedAt, exit: 0 });
  });
  return scene.files('reports').filter((path) => !before.includes(path));
}

async function breaksOf(scene: Scene): Promise<readonly string[]> {
  const breaks: string[] = [];
  const onBreak = ({ code, path }: Break) => breaks.push(`${code} ${path}`);
  await scene.look((ledger) => verify({ instance: scene.instance(), ledger, clock: systemClock }, { onBreak }));
  return breaks;
}

test('the next report removes what the disk left of each one, and verify knows it until then', async () => {
  await using scene = await openScene();
  const whole = await reportAfter(scene, 0);
  expect(whole).toHaveLength(2);
  const left = [...(await reportAfter(scene, 3, true)), ...(await reportAfter(scene, 2, true))];
  expect(left.map((path) => path.slice(-11))).toEqual(['report.json', 'report.json']);
  expect(await breaksOf(scene)).toEqual([]);
  const next = await reportAfter(scene, 4);
  expect(scene.files('reports')).toEqual([...whole, ...next].sort());
  expect(await breaksOf(scene)).toEqual([]);
});

test('a purge removes what was left of a report', async () => {
  await using scene = await openScene();
  const whole = await reportAfter(scene, 0);
  await reportAfter(scene, 1, true);
  expect(await commandIn(scene, 'purge', '--reason', 'retention')).toMatchObject({ code: 0 });
  expect(scene.files('reports')).toEqual(whole);
});
