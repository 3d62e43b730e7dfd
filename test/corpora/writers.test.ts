/** Programs that write their export slowly into the inbox: what is sent is whole, however they write. */
import { statSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';

const SETTINGS = { inbox: { settle: '500ms', scan: '100ms' } };
const NUMBERS = ['F1', 'F2', 'F3'];

/** Writes while the program watches; watches on until the inbox is empty and nothing comes any more. */
async function watchWhile(scene: Scene, write: (path: string) => Promise<void>, clock = systemClock): Promise<void> {
  const stop = new AbortController();
  const over = scene.night({ watch: true, stop: stop.signal, clock });
  over.catch(() => undefined);
  await write(join(scene.root, 'inbox', 'ventes.csv'));
  await expect.poll(() => scene.files('inbox').length + scene.files('processing').length).toBe(0);
  await wait(300);
  stop.abort();
  await over;
}

test('one byte at a time: taken once, whole', async () => {
  await using scene = await openScene({ settings: SETTINGS });
  const bytes = Buffer.from(sales(NUMBERS));
  let written: string | undefined;
  // However long the machine stands still between two bytes, the file does not stand still for 500 ms.
  const now = () => {
    const changed = written === undefined ? undefined : statSync(written, { throwIfNoEntry: false });
    return new Date(Math.min(Date.now(), (changed?.mtimeMs ?? Number.POSITIVE_INFINITY) + 300));
  };
  const write = async (path: string) => {
    written = path;
    for (const byte of bytes) {
      await appendFile(path, Buffer.of(byte));
      await wait(3);
    }
    written = undefined;
  };
  await watchWhile(scene, write, { ...systemClock, now });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
  expect(scene.files('archive')).toHaveLength(1);
});

test('a pause inside a row, longer than the file has to stand still: refused whole, and so is the rest', async () => {
  await using scene = await openScene({ settings: SETTINGS });
  const text = sales(NUMBERS);
  await watchWhile(scene, async (path) => {
    await writeFile(path, text.slice(0, -8));
    // Taken: it stood still for longer than it has to.
    await expect.poll(() => scene.files('inbox')).toEqual([]);
    await appendFile(path, text.slice(-8));
  });
  expect(await scene.entries()).toEqual([]);
  expect(scene.sandbox.requests().fr.submit).toBe(0);
  const states = await scene.look(async (ledger) => (await ledger.queries.files({})).map(({ state }) => state));
  expect(states).toEqual(['refused', 'refused']);
});
