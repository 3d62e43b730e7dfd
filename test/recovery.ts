/**
 * A night is killed at the Nth write of the ledger, another ledger takes the place of its own, and the ERP exports the same documents
 * again, in other bytes. Every document is in one place, and none arrives twice.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { backupOf, endQuarantineOf } from '../src/maintenance/restore-instance.ts';
import { systemClock } from '../src/runs/open-run.ts';
import { type Break, verify } from '../src/verify/verify-instance.ts';
import { type Scene, sales, stopAtWrite } from './night.ts';

export const NUMBERS = ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'];

/** How another ledger takes the place of the one that was killed; `backup.sqlite` is from before the night. */
export type Way = (scene: Scene) => Promise<unknown>;
export type Open = () => Promise<Scene>;

/** Whether a night ends before its Nth write. */
export async function stopsAt(scene: Scene, n: number): Promise<boolean> {
  return await scene.night({ through: stopAtWrite(n) }).then(
    () => false,
    () => true,
  );
}

/** Each document is in one place after the next run, and the same export in other bytes sends none of them again. */
export async function recoversAt(open: Open, n: number, way: Way): Promise<boolean> {
  await using scene = await open();
  if (!(await killed(scene, n, way))) return false;
  const about = `after write ${n}`;
  const before = scene.sandbox.acceptances();
  await scene.night();
  expect(scene.sandbox.acceptances(), `${about}: nothing is sent in quarantine`).toEqual(before);
  // What was never taken from the inbox comes as new, and is held like all others.
  const entries = await scene.entries();
  const known = entries.filter(({ state: now }) => now !== 'duplicate').map(({ facts }) => facts.identifier);
  expect(known.toSorted(), `${about}: each document is in one place`).toEqual([...NUMBERS, 'Z1']);
  expect(await breaksOf(scene), about).toEqual([]);
  await endQuarantineOf(scene.instance(), { by: 'Marie', reason: 'compared' });
  // Again, in other bytes.
  scene.drop('ventes-3.csv', sales([...NUMBERS].reverse()));
  await scene.night();
  expect(twice(scene), `${about}: sent twice`).toEqual([]);
  expect(await breaksOf(scene), `${about}, exported again`).toEqual([]);
  return true;
}

/** The quarantine is ended at once, by a person who says that nothing else was sent; what was under way is held all the same. */
export async function endedAt(open: Open, n: number, way: Way): Promise<boolean> {
  await using scene = await open();
  if (!(await killed(scene, n, way))) return false;
  const about = `after write ${n}, ended at once`;
  const ending = { by: 'Marie', reason: 'compared' };
  const refused = await endQuarantineOf(scene.instance(), ending).catch((error: { code: string }) => error.code);
  if (refused !== true) {
    expect(refused, about).toBe('ledger/unread-exports');
    await endQuarantineOf(scene.instance(), { ...ending, unread: true });
  }
  await scene.night();
  scene.drop('ventes-3.csv', sales([...NUMBERS].reverse()));
  await scene.night();
  expect(twice(scene), about).toEqual([]);
  expect(await breaksOf(scene), about).toEqual([]);
  return true;
}

function twice(scene: Scene): readonly string[] {
  return scene.sandbox.acceptances().flatMap(({ number, requests }) => (requests > 1 ? [number] : []));
}

async function breaksOf(scene: Scene): Promise<readonly string[]> {
  const found: string[] = [];
  const onBreak = ({ code, document = '' }: Break) => void found.push(`${code} ${document}`);
  await scene.look((ledger) => verify({ instance: scene.instance(), ledger, clock: systemClock }, { onBreak }));
  return found;
}

/** A night that is killed at its Nth write, and then another ledger. False where it has fewer writes. */
export async function killed(scene: Scene, n: number, way: Way): Promise<boolean> {
  scene.drop('ventes-0.csv', sales(['Z1']));
  await scene.night();
  await backupOf(scene.instance(), join(scene.root, 'backup.sqlite'));
  cpSync(join(scene.root, 'state'), join(scene.root, 'before'), { recursive: true });
  scene.drop('ventes-1.csv', sales(NUMBERS.slice(0, 4)));
  scene.drop('ventes-2.csv', sales(NUMBERS.slice(4)));
  const isStopped = await stopsAt(scene, n);
  if (isStopped) await way(scene);
  return isStopped;
}
