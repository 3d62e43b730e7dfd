/** The example inbox makes the demo night: every state that the demo promises to show has its document. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openShipped, REPOSITORY } from './instance.ts';
import { proofOf, spendNight } from './night.ts';

it('spends the demo night as scripted', async () => {
  await using shipped = await openShipped({ scripted: true });
  const folder = join(REPOSITORY, 'inbox.example');
  const night = await spendNight(
    shipped,
    readdirSync(folder)
      .sort()
      .map((name) => join(folder, name)),
    '2026-11-20',
  );
  const files = Object.groupBy(night, ({ file }) => file.state);
  expect(files.refused?.map(({ file }) => [file.name, file.faults.map(({ code }) => code)])).toEqual([
    ['RECT_20261118.csv', ['csv/text-after-quote']],
  ]);
  expect(files.duplicate?.map(({ file }) => file.name)).toHaveLength(1);

  const entries = night.flatMap((one) => one.entries.map(({ entry }) => entry));
  const states = Object.groupBy(entries, ({ state }) => state);
  expect(Object.fromEntries(Object.entries(states).map(([state, some]) => [state, some.length]))).toEqual({
    authorized: 37,
    contingency: 2,
    failed: 2,
    'in-doubt': 1,
    invalid: 3,
    rejected: 2,
    returned: 1,
  });
  expect(
    states.invalid?.map(({ facts, faults }) => [facts.identifier, ...new Set(faults.map(({ code }) => code))]),
  ).toEqual([
    ['F2026-00509', 'map/damaged-text'],
    ['F2026-00513', 'map/not-a-number'],
    ['F2026-00518', 'map/not-in-table'],
  ]);
  const { found, ...counted } = await proofOf(shipped.instance);
  expect(found).toEqual([]);
  expect(counted).toMatchObject({ documents: entries.length, files: night.length });
});

it('archives a mapping in each instance that uses it, also where they share it compiled', async () => {
  const folder = join(REPOSITORY, 'inbox.example');
  const files = readdirSync(folder)
    .filter((name) => /^FAC_.*\.csv$/.test(name))
    .map((name) => join(folder, name));
  for (let instances = 0; instances < 2; instances++) {
    await using shipped = await openShipped();
    expect((await spendNight(shipped, files, '2026-11-20')).length).toBeGreaterThan(0);
    expect((await proofOf(shipped.instance)).found).toEqual([]);
  }
});
