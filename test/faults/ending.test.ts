/**
 * Asked to end while one large file is read: the program ends without going through all that it has put aside of it, the
 * next start takes that back in steps, and the log of the ledger stays small.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openScene, type Scene, tally } from '../night.ts';
import { type Ended, runIn, startIn } from '../program.ts';

const MEBI = 1024 * 1024;
/** Checkpoints begin at 32 MiB; what is written until one is through comes on top. */
const LOG = 48 * MEBI;

const documents = (count: number) =>
  [
    'Num;Date;Client;Lig;Qte;PU;Taux',
    ...Array.from({ length: count }, (_, n) => `F${n};05/09/2026;Client;1;2;10,50;20`),
    '',
  ].join('\n');

function stagedIn(scene: Scene): number {
  using db = new DatabaseSync(join(scene.root, 'state/ledger.sqlite'), { readOnly: true });
  return db.prepare('SELECT COUNT(*) AS count FROM staged').get()!.count as number;
}

/** Sends the signal once so many documents are put aside. */
async function endedBy(
  scene: Scene,
  signal: NodeJS.Signals,
  staged: number,
): Promise<Ended & { readonly log: number }> {
  const { child, ended } = startIn(scene, 'run', '--take-in-only');
  const log = join(scene.root, 'state/ledger.sqlite-wal');
  const isOver = () => child.exitCode !== null;
  let largest = 0;
  const watching = (async () => {
    for (; !isOver(); await wait(10)) largest = Math.max(largest, statSync(log, { throwIfNoEntry: false })?.size ?? 0);
  })();
  while (stagedIn(scene) < staged && !isOver()) await wait(20);
  child.kill(signal);
  const end = await ended;
  await watching;
  return { ...end, log: largest };
}

test.skipIf(process.platform === 'win32').each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s while a large file is read ends the program with %i; the next run begins the file again (not on Windows)',
  async (signal, code) => {
    await using scene = await openScene();
    scene.drop('ventes.csv', documents(4000));
    const end = await endedBy(scene, signal, 1000);
    expect(end.code).toBe(code);
    // Left to the next start, which has the time.
    expect(stagedIn(scene)).toBeGreaterThanOrEqual(1000);
    expect(end.log).toBeLessThan(LOG);
    expect(readFileSync(join(scene.root, 'state/reading.json'), 'utf8')).toContain('"reading":[]');
    await scene.look(async (ledger) => expect(await ledger.queries.counts()).toEqual({}));
    expect(stagedIn(scene)).toBe(0);
    expect((await runIn(scene, 'run', '--take-in-only')).code).toBe(0);
    expect(tally(await scene.entries())).toEqual({ ready: 4000 });
  },
);
