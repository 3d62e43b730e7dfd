/** Commands that go through the whole ledger, asked to end by a signal: soon, in order, and nothing is half done. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { type Ended, runIn, startIn } from '../program.ts';

const COUNT = 400;
const NUMBERS = Array.from({ length: COUNT }, (_, n) => `D${n}`);

async function filled(): Promise<Scene> {
  const scene = await openScene();
  for (let n = 0; n < 4; n++) scene.drop(`ventes-${n}.csv`, sales(NUMBERS.slice(100 * n, 100 * n + 100)));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: COUNT });
  return scene;
}

/** Once the program catches signals: Node itself catches SIGINT and SIGTERM, but not SIGHUP, the last that the program asks for. */
async function listens(pid: number): Promise<void> {
  for (;;) {
    const [, mask = '0'] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    if ((BigInt(`0x${mask}`) & 1n) === 1n) return;
    await wait(1);
  }
}

async function stoppedBy(signal: NodeJS.Signals, scene: Scene, ...args: string[]): Promise<Ended> {
  const { child, ended } = startIn(scene, ...args);
  await listens(child.pid!);
  child.kill(signal);
  return await ended;
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const jsonOf = ({ out }: Ended) => JSON.parse(out);

/** It lasts: `.ci/run` sets TORTURE. */
test.skipIf(!existsSync('/proc/self/status') || !process.env.TORTURE)(
  'verify, purge and restore end by a signal with its exit code, and can be done again (on Linux)',
  async () => {
    await using scene = await filled();
    const ledger = join(scene.root, 'state/ledger.sqlite');

    const proof = await stoppedBy('SIGTERM', scene, 'verify', '--json');
    expect(proof.code).toBe(143);
    expect(jsonOf(proof)).toMatchObject({ stopped: true, breaks: 0 });
    expect(jsonOf(proof).documents).toBeLessThan(COUNT);
    const whole = await runIn(scene, 'verify', '--json');
    expect(whole.code).toBe(0);
    expect(jsonOf(whole)).toMatchObject({ documents: COUNT, breaks: 0 });
    expect(jsonOf(whole).stopped).toBeUndefined();

    // Of as many receipts as years leave there; that they are copies is no matter.
    const backup = join(scene.root, 'copy.sqlite');
    expect((await runIn(scene, 'backup', backup)).code).toBe(0);
    const folder = join(scene.root, 'outbox', readdirSync(join(scene.root, 'outbox'))[0]!);
    const receipts = readdirSync(folder).filter((name) => name.endsWith('.receipt.json'));
    const copies = receipts.flatMap((name) =>
      Array.from({ length: 10 }, (_, n) => [name, `copy${n}-${name}`] as const),
    );
    for (const [from, to] of copies) copyFileSync(join(folder, from), join(folder, to));
    const before = hashOf(ledger);
    const restored = await stoppedBy('SIGHUP', scene, 'ledger', 'restore', backup);
    expect(restored.code).toBe(129);
    expect(hashOf(ledger)).toBe(before);
    expect(readdirSync(join(scene.root, 'state')).filter((name) => /^(?:ledger\.new|before-)/.test(name))).toEqual([]);
    expect(jsonOf(await runIn(scene, 'status', '--json')).quarantine ?? null).toBeNull();
    expect((await runIn(scene, 'ledger', 'restore', backup)).code).toBe(0);
    expect(jsonOf(await runIn(scene, 'status', '--json')).quarantine).not.toBeNull();
  },
);

test.skipIf(!existsSync('/proc/self/status'))('a purge that was ended goes on (on Linux)', async () => {
  await using scene = await filled();
  const purge = ['purge', '--subject', 'Client', '--reason', 'asked for', '--json'];
  const half = await stoppedBy('SIGINT', scene, ...purge);
  expect(half.code).toBe(130);
  const done = jsonOf(half).documents;
  expect(jsonOf(half)).toMatchObject({ stopped: true });
  expect(done).toBeLessThan(COUNT);
  const isPurged = async () => (await scene.entries()).filter(({ purged }) => purged).length;
  expect(await isPurged()).toBe(done);
  // What the summaries said of them is written again by the next run, wherever the purge ended.
  const rest = await runIn(scene, ...purge);
  expect(rest.code).toBe(0);
  expect(jsonOf(rest).documents).toHaveLength(COUNT - done);
  expect(await isPurged()).toBe(COUNT);
});
