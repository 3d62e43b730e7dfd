/** `nightpost watch` as a process of its own on the clock of the machine: its morning report at `report: at:`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { publishNightReport } from '../../src/cli/output/publish-night-report.ts';
import { buildNightReport } from '../../src/views/reporting/night-report.ts';
import type { NightReport } from '../../src/views/reporting/report-shape.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { startIn } from '../program.ts';

const MINUTE_MS = 60_000;

const openWatched = () =>
  openScene({ settings: { 'time-zone': 'UTC', report: { at: '00:00' }, inbox: { settle: '1ms', scan: '200ms' } } });

function setHour({ root }: Scene, at: Date): void {
  const path = join(root, 'nightpost.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('00:00', at.toISOString().slice(11, 16)));
}

/** In the order of their runs. */
function reportsOf(scene: Scene): readonly NightReport[] {
  const paths = scene.files('reports').filter((path) => path.endsWith('.report.json'));
  const reports = paths.map((path) => JSON.parse(scene.read(path)) as NightReport);
  return reports.sort((a, b) => a.endedAt.localeCompare(b.endedAt));
}

/** Resolves once there are as many reports. */
async function reports(scene: Scene, count: number): Promise<readonly NightReport[]> {
  for (;;) {
    const found = reportsOf(scene);
    if (found.length >= count) return found;
    await pause(50);
  }
}

/** A report as of this moment, as a watch before this one wrote it. */
async function reportedAt(scene: Scene, now: Date): Promise<void> {
  await scene.desk(async (work) => {
    const then = { ...work, clock: { ...work.clock, now: () => now }, startedAt: now, run: 'earlier' };
    const report = await buildNightReport(then, { kind: 'watch', stops: [] });
    expect(await publishNightReport(then, report)).toBeUndefined();
  });
}

test('a watch that was off at the hour writes the report when it begins, and its last one when it is stopped', async () => {
  await using scene = await openWatched();
  await reportedAt(scene, new Date(Date.now() - 2 * 24 * 60 * MINUTE_MS));
  setHour(scene, new Date(Date.now() - MINUTE_MS));
  scene.drop('ventes-1.csv', sales(['A1', 'B1'], 'x'));
  await scene.night();
  const { child, ended } = startIn(scene, 'watch');
  const [, due] = await reports(scene, 2);
  expect(due).toMatchObject({ kind: 'watch', waiting: 2, previous: { id: expect.any(String) } });
  expect(due).not.toHaveProperty('exit');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
  const all = reportsOf(scene);
  expect(all).toHaveLength(3);
  expect(all[2]).toMatchObject({ kind: 'watch', outcome: 'stopped', exit: 143, run: due?.run });
});

/** It lasts up to a minute: `.ci/run` sets TORTURE. */
test.skipIf(!process.env.TORTURE)(
  'a watch at work writes the report once the hour of the machine is there',
  { timeout: 240_000 },
  async () => {
    await using scene = await openWatched();
    await reportedAt(scene, new Date(Date.now() - 12 * 60 * MINUTE_MS));
    const hour = new Date(Math.ceil((Date.now() + 5000) / MINUTE_MS) * MINUTE_MS);
    setHour(scene, hour);
    const { child, ended } = startIn(scene, 'watch');
    await reports(scene, 2);
    child.kill('SIGTERM');
    await ended;
    const [, due, last] = reportsOf(scene);
    expect(Date.parse(due?.endedAt ?? '') - hour.getTime()).toBeGreaterThanOrEqual(0);
    expect([due?.exit, last?.exit]).toEqual([undefined, 143]);
  },
);
