/** Many receipts at once go through a thread of its own: whole or not there, whatever the disk or the power does. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkLine } from '../../src/model/chain-link.ts';
import { writeInWorker } from '../../src/receipts/write-in-worker.ts';
import { writeReceipts } from '../../src/receipts/write-receipts.ts';
import { Disk } from '../rigs/disk.ts';
import { randomFrom } from '../rigs/random.ts';
import { mayTrace, replay, straceInto } from '../rigs/strace.ts';
import { runs } from '../seed.ts';
import { CHAIN, DAY, makeEntry, makeRoot, payloadOf, sha256 } from './make.ts';

const settings = { environment: 'prod', rules: { language: 'en' } } as const;
const COUNT = 100;
const BATCH = Array.from({ length: COUNT }, (_, n) => ({ entry: makeEntry(n), payload: payloadOf(n) }));

const filesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    path: join(folder, `${n}.json`),
    text: `{"n":${n},"é":"${'x'.repeat(n)}"}`,
  }));

test('each receipt and payload is written, private and chained, and no other file', async () => {
  const root = await makeRoot();
  const written = await writeReceipts(root, BATCH, settings, CHAIN);
  const folder = join(root, 'outbox', DAY);
  expect(await readdir(folder)).toHaveLength(2 * COUNT);
  let previous: string | null = null;
  for (const [n, { link }] of written.entries()) {
    const stem = join(folder, `FA-2026-${String(n).padStart(4, '0')}`);
    const text = await readFile(`${stem}.receipt.json`, 'utf8');
    expect(sha256(text)).toBe(link.sha256);
    expect((JSON.parse(text) as { previous: unknown }).previous).toBe(previous);
    expect(await readFile(`${stem}.payload.json`, 'utf8')).toBe(payloadOf(n));
    expect((await stat(`${stem}.receipt.json`)).mode & 0o777).toBe(0o600);
    previous = sha256(linkLine(link));
  }
});

test('where one must not be written none is: the receipt of another document, a payload that is not what was recorded', async () => {
  const root = await makeRoot();
  const folder = join(root, 'outbox', DAY);
  await writeReceipts(root, [{ entry: makeEntry(70), payload: payloadOf(70) }], settings, CHAIN);
  const own = await readFile(join(folder, 'FA-2026-0070.receipt.json'), 'utf8');
  const impostor = { ...BATCH[71]!, entry: { ...BATCH[71]!.entry, name: 'FA-2026-0070' } };
  const others = BATCH.filter((_, n) => n !== 70 && n !== 71);
  const writing = (...more: typeof BATCH) => writeReceipts(root, [...others, ...more], settings, CHAIN);
  await expect(writing(impostor)).rejects.toThrow('FA-2026-0070.receipt.json: the receipt of another document');
  await expect(writing({ ...BATCH[71]!, payload: 'other' })).rejects.toThrow('0071.payload.json: the payload is not');
  await writeFile(join(folder, 'FA-2026-0071.receipt.json'), 'no receipt at all');
  await expect(writing(BATCH[71]!)).rejects.toThrow('0071.receipt.json: a file that is not a receipt has this name');
  expect((await readdir(folder)).toSorted()).toEqual([
    'FA-2026-0070.payload.json',
    'FA-2026-0070.receipt.json',
    'FA-2026-0071.receipt.json',
  ]);
  expect(await readFile(join(folder, 'FA-2026-0070.receipt.json'), 'utf8')).toBe(own);
  const replaced = writeReceipts(root, [...others, BATCH[70]!], settings, CHAIN);
  expect(await replaced).toHaveLength(COUNT - 1);
});

test('a refusal is reported with its path and leaves nothing half, and the next batch is written', async () => {
  const folder = await makeRoot();
  const files = filesOf(folder, COUNT);
  await mkdir(join(folder, '70.json'));
  await expect(writeInWorker(files)).rejects.toThrow('70.json');
  const left = (await readdir(folder)).filter((name) => name !== '70.json');
  expect(left.filter((name) => name.endsWith('.tmp-np'))).toEqual([]);
  expect(left).toContain('63.json');
  for (const name of left.filter((one) => one.endsWith('.json'))) {
    expect(await readFile(join(folder, name), 'utf8')).toBe(files[Number.parseInt(name, 10)]!.text);
  }
  await rmdir(join(folder, '70.json'));
  await writeInWorker(files);
  expect((await readdir(folder)).toSorted()).toEqual(files.map((_, n) => `${n}.json`).toSorted());
});

test('when a file cannot be named, those before it exist and none after it, also of those already written', async () => {
  const folder = await makeRoot();
  await mkdir(join(folder, '70.json'));
  await expect(writeInWorker(filesOf(folder, 200))).rejects.toThrow('70.json');
  const left = await readdir(folder);
  expect(left.toSorted()).toEqual(Array.from({ length: 71 }, (_, n) => `${n}.json`).toSorted());
  expect((await stat(join(folder, '70.json'))).isDirectory()).toBe(true);
});

test('a batch that ends the thread does not keep the next one waiting', async () => {
  const folder = await makeRoot();
  const broken = writeInWorker(undefined as never);
  const next = writeInWorker(filesOf(folder, 3));
  await expect(broken).rejects.toThrow();
  await next;
  expect(await readdir(folder)).toHaveLength(3);
});

test.runIf(process.platform === 'linux')('what the disk refuses has its code (on Linux)', async () => {
  // /sys takes no new files from anybody, root included.
  await expect(writeInWorker(filesOf('/sys', 2))).rejects.toMatchObject({
    name: 'SetupError',
    code: expect.stringMatching(/^receipts\/(no-access|read-only)$/),
    message: expect.stringContaining('/sys/0.json'),
  });
  await expect(writeInWorker(filesOf('/no/such/folder', 2))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.runIf(mayTrace())(
  'power that goes at any moment leaves each file whole or not there (where strace may trace)',
  async () => {
    const root = realpathSync(await makeRoot());
    const [folder, log, child] = [join(root, 'outbox'), join(root, 'strace'), join(root, 'child.mjs')];
    mkdirSync(folder);
    const source = (name: string) => JSON.stringify(new URL(`../../src/${name}`, import.meta.url).href);
    const script = `
    const { writeInWorker } = await import(${source('receipts/write-in-worker.ts')});
    const { syncFolder } = await import(${source('files/fsync-directory.ts')});
    await writeInWorker(${JSON.stringify(filesOf(folder, COUNT))});
    await syncFolder(${JSON.stringify(folder)});
  `;
    writeFileSync(child, script);
    const [strace = '', ...given] = straceInto(log);
    const ran = spawnSync(strace, [...given, process.execPath, child], { encoding: 'utf8' });
    expect(ran).toMatchObject({ status: 0 });
    const lines = readFileSync(log, 'latin1').split('\n');
    const random = randomFrom(20261121);
    const lost = (upTo: number) => {
      const disk = new Disk(folder, { files: new Map(), folders: [] });
      replay(lines.slice(0, upTo).join('\n'), folder, disk);
      return disk;
    };
    const texts = new Map(filesOf(folder, COUNT).map(({ path, text }) => [path, text]));
    for (let n = 0; n < runs(60); n++) {
      for (const [path, { bytes }] of lost(random.below(lines.length)).afterPowerLoss(random).files) {
        if (!path.endsWith('.tmp-np')) expect(bytes.toString()).toBe(texts.get(path));
      }
    }
    const end = lost(lines.length);
    expect(end.unflushed()).toBe(0);
    expect([...end.afterPowerLoss(random).files.keys()].toSorted()).toEqual([...texts.keys()].toSorted());
  },
);
