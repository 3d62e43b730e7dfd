/**
 * After a kill at each write of a night, each way in which another ledger takes the place: nothing is lost, nothing is sent twice.
 * The short form takes every fourth write, others for each seed; TORTURE=1 takes each.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  acceptLedgerOf,
  backupOf,
  endQuarantineOf,
  rebuildLedgerOf,
  restoreLedgerOf,
} from '../src/maintenance/restore-instance.ts';
import { openScene, type Scene, sales } from './night.ts';
import { endedAt, killed, NUMBERS, recoversAt, stopsAt } from './recovery.ts';
import { seed } from './seed.ts';

const open = async () => await openScene({ services: { fr: { concurrency: 2 } } });
const decision = () => ({ by: 'Marie', now: new Date() });

/** Each way in which another ledger takes the place of the one that was killed. */
const WAYS = {
  restore: async (scene: Scene) =>
    await restoreLedgerOf(scene.instance(), join(scene.root, 'backup.sqlite'), decision()),
  rebuild: async (scene: Scene) => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(scene.root, `state/ledger.sqlite${end}`), { force: true });
    return await rebuildLedgerOf(scene.instance(), decision());
  },
  accept: async (scene: Scene) => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(scene.root, `state/ledger.sqlite${end}`), { force: true });
    cpSync(join(scene.root, 'before'), join(scene.root, 'state'), { recursive: true });
    return await acceptLedgerOf(scene.instance(), { ...decision(), reason: 'the server is new', hold: true });
  },
} as const;

const WAY_NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[];

test.each(WAY_NAMES)(
  '%s after a kill at every write, ended at once: nothing twice',
  async (way) => {
    const step = process.env.TORTURE === undefined ? 6 : 1;
    for (let n = 1 + (seed % step); await endedAt(open, n, WAYS[way]); n += step);
  },
  600_000,
);

test('an export whose bytes are gone keeps the quarantine until a person decides', async () => {
  await using scene = await open();
  let n = 1;
  // Until a receipt is written and the export is still in processing/.
  for (; ; n++) {
    await using tried = await open();
    expect(await killed(tried, n, WAYS.rebuild)).toBe(true);
    const { unread } = await tried.look(async (ledger) => ({ unread: await ledger.intake.openFiles() }));
    if (unread.some(({ id }) => id.startsWith('00000000-'))) break;
  }
  scene.drop('ventes-0.csv', sales(['Z1']));
  await scene.night();
  await backupOf(scene.instance(), join(scene.root, 'backup.sqlite'));
  scene.drop('ventes-1.csv', sales(NUMBERS.slice(0, 4)));
  scene.drop('ventes-2.csv', sales(NUMBERS.slice(4)));
  await stopsAt(scene, n);
  rmSync(join(scene.root, 'processing'), { recursive: true });
  const { unread } = await WAYS.rebuild(scene);
  expect(unread).not.toEqual([]);
  const ending = { by: 'Marie', reason: 'compared' };
  await expect(endQuarantineOf(scene.instance(), ending)).rejects.toThrow(
    expect.objectContaining({ code: 'ledger/unread-exports' }),
  );
  await scene.night();
  await expect(endQuarantineOf(scene.instance(), ending)).rejects.toThrow();
  expect(await endQuarantineOf(scene.instance(), { ...ending, unread: true })).toBe(true);
});

test.each(WAY_NAMES)(
  '%s after a kill at every write: nothing lost, nothing twice',
  async (way) => {
    const step = process.env.TORTURE === undefined ? 4 : 1;
    for (let n = 1 + (seed % step); await recoversAt(open, n, WAYS[way]); n += step);
  },
  600_000,
);
