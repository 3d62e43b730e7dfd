/** Exports whose times are those of a clock that was ahead, or of an ERP that is: they were taken before the ledger was replaced. */
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const HOUR = 3_600_000;
const ahead = { ...systemClock, now: () => new Date(Date.now() + HOUR) };

const written = (scene: Scene) => ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));

const LOST: Readonly<Record<string, (path: string) => boolean>> = {
  'a receipt': (path) => path.includes('/C1.'),
  'a receipt and the summary': (path) => path.includes('/C1.') || path.endsWith('.summary.json'),
  'receipts and summary': () => true,
};
const TIMES: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'the clock was ahead': (scene) => scene.night({ clock: ahead }),
  'the export is of tomorrow': (scene) => {
    const tomorrow = new Date(Date.now() + 24 * HOUR);
    utimesSync(join(scene.root, 'inbox/ventes.csv'), tomorrow, tomorrow);
    return scene.night();
  },
};

test.each(
  Object.keys(LOST).flatMap((lost) =>
    Object.keys(TIMES).flatMap((time) => ['restore', 'rebuild'].map((way) => [lost, time, way] as const)),
  ),
)('lost: %s; %s: %s', async (lost, time, way) => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  await commandIn(scene, 'backup', copy);
  scene.drop('ventes.csv', sales(['C1', 'C2']));
  await TIMES[time]!(scene);
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  for (const path of written(scene).filter(LOST[lost]!)) rmSync(join(scene.root, path));
  if (way === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
  const back = way === 'rebuild' ? ['rebuild'] : ['restore', copy];
  expect(await commandIn(scene, 'ledger', ...back)).toMatchObject({
    code: 0,
    out: expect.stringContaining('ventes.csv'),
  });
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 2 });
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared', '--unread')).toMatchObject({ code: 0 });
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  const states = (await scene.entries()).map(({ facts, state }) => `${facts.identifier} ${state}`).sort();
  expect(states).toEqual(['C1 held', lost === 'receipts and summary' ? 'C2 held' : 'C2 authorized']);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});
