import { appendFile, link, mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { InboxMemory } from '../../src/inbox/at-rest.ts';
import { INBOX_RULES, type InboxRules } from '../../src/inbox/inbox-rules.ts';
import { postpone, scanAfterSettling, scanInbox } from '../../src/inbox/scan-inbox.ts';
import { drop, dropFifo, makeFolders, NOW } from './make.ts';

const fresh = (): InboxMemory => ({ look: 0, seen: new Map() });
const once: InboxRules = { ...INBOX_RULES, looks: 1 };
const names = (look: { ready: readonly { name: Buffer }[] }) => look.ready.map(({ name }) => name.toString());

test('watching: a file is ready when it stood still over the settle time, not before', async () => {
  const { inbox } = await makeFolders();
  await drop(inbox, 'ventes.csv');
  const memory = fresh();
  expect(names(await scanInbox(inbox, INBOX_RULES, NOW, memory))).toEqual([]);
  const early = await scanInbox(inbox, INBOX_RULES, NOW + 4_999, memory);
  expect(names(early)).toEqual([]);
  expect(early.waiting).toEqual([{ name: 'ventes.csv', why: 'young', readyAtMs: NOW + 5_000 }]);
  expect(names(await scanInbox(inbox, INBOX_RULES, NOW + 5_000, memory))).toEqual(['ventes.csv']);
});

test('watching: a file that grows with an old time waits until it is unchanged', async () => {
  const { inbox } = await makeFolders();
  const memory = fresh();
  for (const [n, content] of ['a', 'ab', 'abc'].entries()) {
    await drop(inbox, 'copy.csv', content);
    const look = await scanInbox(inbox, INBOX_RULES, NOW + n * 6_000, memory);
    expect(look.ready).toEqual([]);
    expect(look.waiting[0]?.why).toBe(n === 0 ? 'young' : 'growing');
  }
  expect(names(await scanInbox(inbox, INBOX_RULES, NOW + 18_000, memory))).toEqual(['copy.csv']);
});

test('one-shot: an old file is ready at the first look, a young one after a pause, a growing one is named', async () => {
  const { inbox } = await makeFolders();
  await drop(inbox, 'old.csv');
  await drop(inbox, 'young.csv', 'x', 2_000);
  const growing = await drop(inbox, 'growing.csv', 'x', 1_000);
  let now = NOW;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
      await appendFile(growing, 'y');
      await utimes(growing, now / 1000, now / 1000);
    },
  };
  const look = await scanAfterSettling(inbox, INBOX_RULES, clock, fresh());
  expect(names(look).sort()).toEqual(['old.csv', 'young.csv']);
  expect(look.waiting).toMatchObject([{ name: 'growing.csv', why: 'growing' }]);
});

test('one-shot: a timer that ends early misses no file, and a clock that is set back causes no wait', async () => {
  const { inbox } = await makeFolders();
  await drop(inbox, 'ahead.csv', 'x', -86_400_000);
  let now = NOW;
  const early = {
    now: () => now,
    sleep: async (ms: number) => {
      now += Math.max(1, ms - 1);
    },
  };
  expect(names(await scanAfterSettling(inbox, INBOX_RULES, early, fresh()))).toEqual(['ahead.csv']);
  let sleeps = 0;
  const back = { now: () => NOW - 3_600_000 * sleeps, sleep: async () => void sleeps++ };
  await scanAfterSettling(inbox, INBOX_RULES, back, fresh());
  expect(sleeps).toBe(3);
});

test('a time in the future does not keep a file for ever', async () => {
  const { inbox } = await makeFolders();
  await drop(inbox, 'ahead.csv', 'x', -86_400_000);
  const memory = fresh();
  const early = await scanInbox(inbox, once, NOW, memory);
  expect(early).toMatchObject({ ready: [], waiting: [{ why: 'young', readyAtMs: NOW + 5_000 }] });
  expect(names(await scanInbox(inbox, once, NOW + 5_000, memory))).toEqual(['ahead.csv']);
});

test('an empty file is left alone for a minute', async () => {
  const { inbox } = await makeFolders();
  await drop(inbox, 'empty.csv', '', 30_000);
  const early = await scanInbox(inbox, once, NOW, fresh());
  expect(early).toMatchObject({ ready: [], waiting: [{ why: 'empty' }] });
  expect(names(await scanInbox(inbox, once, NOW + 30_000, fresh()))).toEqual(['empty.csv']);
});

test('names of unfinished uploads and of the own patterns are not seen at all', async () => {
  const { inbox } = await makeFolders();
  const ignored = ['a.part', 'B.TMP', 'c.filepart', '~$d.xlsx', '~e', '.f', 'old_g.csv', 'h.log'];
  for (const name of [...ignored, 'taken.csv']) await drop(inbox, name);
  const look = await scanInbox(inbox, { ...once, ignore: ['OLD_*', '?.log'] }, NOW, fresh());
  expect(names(look)).toEqual(['taken.csv']);
  expect(look.waitingCount + look.refused.length).toBe(0);
});

test('an upload that is renamed when done is found under its final name', async () => {
  const { inbox } = await makeFolders();
  const part = await drop(inbox, 'ventes.csv.part');
  expect((await scanInbox(inbox, once, NOW, fresh())).ready).toEqual([]);
  await rename(part, join(inbox, 'ventes.csv'));
  expect(names(await scanInbox(inbox, once, NOW, fresh()))).toEqual(['ventes.csv']);
});

test('a file that just got its name by a link may still lose its first one', async () => {
  const { inbox } = await makeFolders();
  const part = await drop(inbox, '.upload.part');
  await link(part, join(inbox, 'ventes.csv'));
  const { ctimeMs } = await stat(part);
  const waiting = [{ name: 'ventes.csv', why: 'young', readyAtMs: ctimeMs + 5_000 }];
  expect(await scanInbox(inbox, once, ctimeMs + 4_999, fresh())).toMatchObject({ ready: [], refused: [], waiting });
  const late = await scanInbox(inbox, once, ctimeMs + 5_000, fresh());
  expect(late).toMatchObject({ ready: [], refused: [{ code: 'inbox/hard-link' }] });
  await rm(part);
  expect(names(await scanInbox(inbox, once, ctimeMs + 5_000, fresh()))).toEqual(['ventes.csv']);
});

test('marker mode: with its marker a file is ready whatever its age, without it never', async () => {
  const { inbox } = await makeFolders();
  const rules: InboxRules = { ...INBOX_RULES, marker: '.done' };
  await drop(inbox, 'complete.csv', 'x', 0);
  await drop(inbox, 'complete.csv.done', '', 0);
  await drop(inbox, 'open.csv');
  await drop(inbox, 'lost.csv.done', '');
  const memory = fresh();
  const look = await scanInbox(inbox, rules, NOW, memory);
  expect(look.ready).toMatchObject([{ marker: Buffer.from('complete.csv.done') }]);
  expect(names(look)).toEqual(['complete.csv']);
  expect(look.waiting).toEqual([{ name: 'open.csv', why: 'no-marker' }]);
  expect(look.refused).toMatchObject([{ code: 'inbox/marker-without-file', level: 'warning' }]);
});

test('an entry that is not a plain file is refused once, blocks no other file and stays', async () => {
  const { inbox, root } = await makeFolders();
  const outside = join(root, 'outside.csv');
  await writeFile(outside, 'secret');
  await symlink(outside, join(inbox, 'link.csv'));
  await link(outside, join(inbox, 'hard.csv'));
  dropFifo(inbox, 'pipe.csv');
  await mkdir(join(inbox, 'sub'));
  const server = createServer().listen(join(inbox, 'socket.csv'));
  onTestFinished(() => void server.close());
  await drop(inbox, 'big.csv', 'x'.repeat(101));
  await drop(inbox, 'good.csv');
  const memory = fresh();
  const rules = { ...once, maxBytes: 100 };
  const look = await scanInbox(inbox, rules, NOW, memory);
  expect(names(look)).toEqual(['good.csv']);
  expect(look.refused.map(({ code, origin }) => `${origin?.file} ${code}`).sort()).toEqual([
    'big.csv inbox/too-large',
    'hard.csv inbox/hard-link',
    'link.csv inbox/symbolic-link',
    'pipe.csv inbox/not-a-plain-file',
    'socket.csv inbox/not-a-plain-file',
    'sub inbox/subfolder',
  ]);
  expect((await scanInbox(inbox, rules, NOW + 1, memory)).refused).toEqual([]);
  await rm(join(inbox, 'link.csv'));
  await scanInbox(inbox, rules, NOW + 2, memory);
  await symlink(outside, join(inbox, 'link.csv'));
  expect((await scanInbox(inbox, rules, NOW + 3, memory)).refused).toMatchObject([{ code: 'inbox/symbolic-link' }]);
});

test('a look is bounded and the next one finds the rest', async () => {
  const { inbox } = await makeFolders();
  for (let n = 0; n < 700; n++) await drop(inbox, `f${n}.csv`, 'x');
  const memory = fresh();
  const found = new Set<string>();
  const rules = { ...once, most: 300 };
  for (let more = true; more; ) {
    const look = await scanInbox(inbox, rules, NOW, memory);
    for (const one of look.ready) {
      found.add(one.name.toString());
      await rm(join(inbox, one.name.toString()));
    }
    more = look.more;
  }
  expect(found.size).toBe(700);
});

test('a file that could not be claimed is left alone until its time, and its fault is news only once', async () => {
  const { inbox } = await makeFolders();
  await drop(inbox, 'locked.csv');
  const memory = fresh();
  const [locked] = (await scanInbox(inbox, once, NOW, memory)).ready;
  expect(postpone(memory, locked!, { code: 'inbox/cannot-read', nowMs: NOW, untilMs: NOW + 60_000 })).toBe(true);
  expect(await scanInbox(inbox, once, NOW + 59_000, memory)).toMatchObject({ ready: [], waiting: [{ why: 'held' }] });
  expect(names(await scanInbox(inbox, once, NOW + 60_000, memory))).toEqual(['locked.csv']);
  expect(postpone(memory, locked!, { code: 'inbox/cannot-read', nowMs: NOW + 60_000, untilMs: NOW + 120_000 })).toBe(
    false,
  );
});

test('memory forgets files that are gone', async () => {
  const { inbox } = await makeFolders();
  await drop(inbox, 'a.csv');
  const memory = fresh();
  await scanInbox(inbox, INBOX_RULES, NOW, memory);
  expect(memory.seen.size).toBe(1);
  await rm(join(inbox, 'a.csv'));
  await scanInbox(inbox, INBOX_RULES, NOW, memory);
  expect(memory.seen.size).toBe(0);
});

test('an inbox that is not there is a matter of setup', async () => {
  await expect(scanInbox('/nowhere/inbox', once, NOW, fresh())).rejects.toMatchObject({
    name: 'SetupError',
    code: 'inbox/folder-not-readable',
  });
});
