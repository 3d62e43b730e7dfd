/**
 * A night is killed at the Nth write of the ledger, the ledger is then restored from a backup, rebuilt, or an older one accepted; and
 * the ERP exports the same documents again, in other bytes. Every document is in one place, and none arrives twice.
 *
 * The short form takes every fourth write, others for each seed; TORTURE=1 takes each.
 */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Driver } from '../src/ledger/database/database-driver.ts';
import {
  acceptLedgerOf,
  backupOf,
  endQuarantineOf,
  rebuildLedgerOf,
  restoreLedgerOf,
} from '../src/pipeline/maintenance/restore-instance.ts';
import { systemClock } from '../src/pipeline/open-run.ts';
import { type Break, verify } from '../src/pipeline/verify/verify-instance.ts';
import { openScene, type Scene, sales } from './night.ts';
import { seed } from './seed.ts';

const NUMBERS = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'];

/** The driver of a program that is gone before its Nth write; `count` is the number of its writes. */
function mortal(n: number) {
  const state = { count: 0, gone: false };
  const through = (driver: Driver): Driver => {
    const alive = () => {
      if (state.gone) throw new Error('killed');
    };
    return {
      read: async (work) => {
        alive();
        return await driver.read(work);
      },
      write: async (work) => {
        alive();
        state.gone = ++state.count === n;
        alive();
        return await driver.write(work);
      },
      close: driver.close,
    };
  };
  return { state, through };
}

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

async function breaksOf(scene: Scene): Promise<readonly string[]> {
  const found: string[] = [];
  const onBreak = ({ code, document = '' }: Break) => void found.push(`${code} ${document}`);
  await scene.look((ledger) => verify({ instance: scene.instance(), ledger, clock: systemClock }, { onBreak }));
  return found;
}

/** A night that is killed at its Nth write, and then another ledger. False where it has fewer writes. */
async function killed(scene: Scene, n: number, way: keyof typeof WAYS): Promise<boolean> {
  scene.drop('ventes-0.csv', sales(['Z1']));
  await scene.night();
  await backupOf(scene.instance(), join(scene.root, 'backup.sqlite'));
  cpSync(join(scene.root, 'state'), join(scene.root, 'before'), { recursive: true });
  scene.drop('ventes-1.csv', sales(NUMBERS.slice(0, 4)));
  scene.drop('ventes-2.csv', sales(NUMBERS.slice(4)));
  const { state, through } = mortal(n);
  await scene.night({ through }).catch(() => undefined);
  if (state.gone) await WAYS[way](scene);
  return state.gone;
}

async function killedAt(n: number, way: keyof typeof WAYS): Promise<boolean> {
  await using scene = await openScene({ services: { fr: { concurrency: 2 } } });
  if (!(await killed(scene, n, way))) return false;
  const about = `${way} after write ${n}`;
  const arrived = () => scene.sandbox.acceptances().map(({ number }) => number);
  const before = arrived();
  await scene.night();
  expect(arrived(), `${about}: nothing is sent in quarantine`).toEqual(before);
  // What was never taken from the inbox comes as new, and is held like all others.
  const entries = await scene.entries();
  const known = entries.filter(({ state: now }) => now !== 'duplicate').map(({ facts }) => facts.identifier);
  expect(known.toSorted(), `${about}: each document is in one place`).toEqual([...NUMBERS, 'Z1']);
  expect(await breaksOf(scene), about).toEqual([]);
  await endQuarantineOf(scene.instance(), { by: 'Marie', reason: 'compared' });
  // Again, in other bytes.
  scene.drop('ventes-3.csv', sales([...NUMBERS].reverse()));
  await scene.night();
  const twice = arrived().filter((number, at, all) => all.indexOf(number) !== at);
  expect(twice, `${about}: sent twice`).toEqual([]);
  expect(await breaksOf(scene), `${about}, exported again`).toEqual([]);
  return true;
}

/** The quarantine is ended at once, by a person who says that nothing else was sent; what was under way is held all the same. */
async function endedAt(n: number, way: keyof typeof WAYS): Promise<boolean> {
  await using scene = await openScene({ services: { fr: { concurrency: 2 } } });
  if (!(await killed(scene, n, way))) return false;
  const about = `${way} after write ${n}, ended at once`;
  const ending = { by: 'Marie', reason: 'compared' };
  const refused = await endQuarantineOf(scene.instance(), ending).catch((error: { code: string }) => error.code);
  if (refused !== true) {
    expect(refused, about).toBe('ledger/unread-exports');
    await endQuarantineOf(scene.instance(), { ...ending, unread: true });
  }
  await scene.night();
  scene.drop('ventes-3.csv', sales([...NUMBERS].reverse()));
  await scene.night();
  const arrived = scene.sandbox.acceptances().map(({ number }) => number);
  expect(
    arrived.filter((number, at) => arrived.indexOf(number) !== at),
    about,
  ).toEqual([]);
  expect(await breaksOf(scene), about).toEqual([]);
  return true;
}

const WAY_NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[];

test.each(WAY_NAMES)(
  '%s after a kill at every write, ended at once: nothing twice',
  async (way) => {
    const step = process.env.TORTURE === undefined ? 6 : 1;
    for (let n = 1 + (seed % step); await endedAt(n, way); n += step);
  },
  600_000,
);

test('an export whose bytes are gone keeps the quarantine until a person decides', async () => {
  await using scene = await openScene({ services: { fr: { concurrency: 1 } } });
  let n = 1;
  // Until a receipt is written and the export is still in processing/.
  for (; ; n++) {
    await using tried = await openScene({ services: { fr: { concurrency: 1 } } });
    expect(await killed(tried, n, 'rebuild')).toBe(true);
    const { unread } = await tried.look(async (ledger) => ({ unread: await ledger.openFiles() }));
    if (unread.some(({ id }) => id.startsWith('00000000-'))) break;
  }
  scene.drop('ventes-0.csv', sales(['Z1']));
  await scene.night();
  await backupOf(scene.instance(), join(scene.root, 'backup.sqlite'));
  scene.drop('ventes-1.csv', sales(NUMBERS.slice(0, 4)));
  scene.drop('ventes-2.csv', sales(NUMBERS.slice(4)));
  await scene.night({ through: mortal(n).through }).catch(() => undefined);
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
    for (let n = 1 + (seed % step); await killedAt(n, way); n += step);
  },
  600_000,
);
