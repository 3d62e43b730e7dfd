/** A run takes files in and sends at the same time; what holds, stops and ends it counts for both. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales, tally } from '../../night.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => `F${1000 + n}`);

function dropEach(scene: Scene, all: readonly string[]): void {
  for (const number of all) scene.drop(`ventes-${number}.csv`, sales([number]));
}

test('one file for each document: the first ones are sent while the others are taken in', async () => {
  await using scene = await openScene({ services: { fr: { concurrency: 4 } } });
  dropEach(scene, numbers(150));
  const { told } = await scene.night();
  const first = told.findIndex(({ what }) => what === 'document');
  const last = told.findLastIndex(({ what }) => what === 'file-admitted');
  expect(told.slice(first, last).filter(({ what }) => what === 'file-admitted').length).toBeGreaterThan(50);
  expect(tally(await scene.entries())).toEqual({ authorized: 150 });
  expect(scene.files('processing')).toEqual([]);
  expect(scene.files('archive')).toHaveLength(150);
  const summaries = scene.files('outbox').filter((path) => path.endsWith('.summary.json'));
  expect(summaries).toHaveLength(150);
});

test('a wrong issuer costs ten rejections, in however many files its documents come', async () => {
  await using scene = await openScene();
  scene.sandbox.script([
    { match: { service: 'fr', number: 'F*' }, answer: { code: 6, http: 400, message: 'Issuer 732829320 is unknown' } },
  ]);
  dropEach(scene, numbers(150));
  const { stops, told } = await scene.night();
  expect(tally(await scene.entries())).toEqual({ rejected: 10, held: 140 });
  expect(scene.sandbox.requests().fr.submit).toBe(10);
  expect(stops.map(({ cause, mapping }) => [cause, mapping])).toEqual([['same-cause', 'sales']]);
  const held = told.flatMap((one) => (one.what === 'mapping-held' ? [one.documents] : []));
  expect(held.length).toBeLessThanOrEqual(2);
  expect(held.reduce((sum, count) => sum + count, 0)).toBe(140);
  const receipts = scene.files('pending').filter((path) => path.endsWith('.receipt.json'));
  expect(receipts).toHaveLength(140);
});

test('a stop during a burst writes receipts and summaries of queued documents; the next run sends them', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 200 }, services: { fr: { concurrency: 2 } } });
  dropEach(scene, numbers(200));
  const stop = new AbortController();
  let admitted = 0;
  await scene.night({
    stop: stop.signal,
    onEvent: ({ what }) => {
      if (what === 'file-admitted' && ++admitted === 120) stop.abort();
    },
  });
  const entries = await scene.entries();
  const { ready = 0, authorized = 0 } = tally(entries);
  // On a busy machine more are sent until 120 are taken in.
  expect(ready).toBeGreaterThan(10);
  expect(ready + authorized).toBe(entries.length);
  for (const { name, state, file } of entries) {
    const folder = state === 'ready' ? 'pending' : 'outbox';
    expect(existsSync(`${scene.root}/${folder}/${file.day}/${name}.receipt.json`), name).toBe(true);
    const summary = `${scene.root}/${folder}/${file.day}/${file.name}.${file.id.slice(-8)}.summary.json`;
    expect(existsSync(summary), file.name).toBe(true);
  }
  scene.sandbox.tune({ latencyMs: 0 });
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 200 });
  expect(scene.files('pending').filter((path) => path.endsWith('.json'))).toEqual([]);
  expect(scene.sandbox.requests().fr.submit).toBe(200);
});

test('what fails in the intake ends the sending too, and is what the run ends with', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 5 } });
  dropEach(scene, numbers(200));
  let closed = 0;
  const night = scene.night({
    through: (driver) => ({
      ...driver,
      write: async (work) => {
        if (closed > 40) throw Object.assign(new Error('no space left'), { code: 'ENOSPC', errno: -28 });
        return await driver.write(work);
      },
    }),
    onEvent: ({ what }) => {
      if (what === 'file-admitted') closed++;
    },
  });
  await expect(night).rejects.toMatchObject({ code: 'receipts/disk-full' });
  await scene.night();
  expect(tally(await scene.entries()).authorized).toBeGreaterThan(150);
  const twice = scene.sandbox.acceptances().filter(({ accepted, requests }) => accepted > 1 || requests > 1);
  expect(twice).toEqual([]);
});
