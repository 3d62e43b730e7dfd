import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InboxMemory } from '../../src/inbox/at-rest.ts';
import { claimCandidates } from '../../src/inbox/claim-candidates.ts';
import { INBOX_RULES } from '../../src/inbox/inbox-rules.ts';
import { scanInbox } from '../../src/inbox/scan-inbox.ts';
import { watchInbox } from '../../src/inbox/watch-inbox.ts';
import { claimOptions, dropFifo, filesBelow, makeFolders } from './make.ts';

const FILES = 2_000;

test('each of 2,000 files next to a FIFO is taken exactly once', async () => {
  const { inbox, processing } = await makeFolders();
  dropFifo(inbox, 'pipe.csv');
  const memory: InboxMemory = { look: 0, seen: new Map() };
  const rules = { ...INBOX_RULES, settleMs: 1 };
  const taken: string[] = [];
  const look = async () => {
    const { ready } = await scanInbox(inbox, rules, Date.now(), memory);
    for (const one of await claimCandidates(ready, claimOptions(processing))) {
      if (one.what === 'claimed') taken.push(one.file.name);
    }
  };
  await using _ = watchInbox(inbox, { polling: false, intervalMs: 300 }, look);
  for (let n = 0; n < FILES; n++) await writeFile(join(inbox, `f${n}.csv`), `a;b\n${n};2\n`);
  await expect.poll(() => taken.length).toBe(FILES);
  expect(new Set(taken).size).toBe(FILES);
  expect(await filesBelow(inbox)).toEqual(['pipe.csv']);
});

test('an event wakes long before the interval', async () => {
  const { inbox } = await makeFolders();
  let wakes = 0;
  await using _ = watchInbox(inbox, { polling: false, intervalMs: 3_600_000 }, async () => void wakes++);
  expect(wakes).toBe(1);
  // Repeated, because nothing tells when the watch of the folder has begun.
  const wakesAfterFile = async () => {
    await writeFile(join(inbox, `f${wakes}-${Math.random()}.csv`), 'x');
    return wakes;
  };
  await expect.poll(wakesAfterFile, { interval: 100 }).toBeGreaterThan(1);
});

test('polling looks at the interval, never twice at the same time, and stops when disposed', async () => {
  const { inbox } = await makeFolders();
  let now = 0;
  let most = 0;
  let wakes = 0;
  const watching = watchInbox(inbox, { polling: true, intervalMs: 2 }, async () => {
    most = Math.max(most, ++now);
    await new Promise((done) => setTimeout(done, 10));
    now--;
    wakes++;
  });
  await expect.poll(() => wakes).toBeGreaterThan(3);
  await watching[Symbol.asyncDispose]();
  const after = wakes;
  await new Promise((done) => setTimeout(done, 30));
  expect([most, wakes]).toEqual([1, after]);
});
