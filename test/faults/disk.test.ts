/**
 * A night on a disk that is full, or whose outbox is read-only: what cannot be kept is told, nothing is sent twice, and
 * once the disk gives way no more the next night finishes. Small file systems are mounted for it, which needs rights.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect } from 'vitest';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const mountable = mayMount();
const test = base.skipIf(mountable !== true);
if (mountable !== true) console.info(`skipped, no file system can be mounted: ${mountable}`);

const MiB = 1024 * 1024;
const CONCURRENCY = 4;
const DOCUMENTS = 30;
const numbers = Array.from({ length: DOCUMENTS }, (_, n) => `F${n}`);

test('the inbox cannot be copied to a full disk: the export stays, and is taken once there is room (where file systems may be mounted)', async () => {
  await using scene = await openScene();
  using processing = mounted(join(scene.root, 'processing'), MiB);
  scene.drop('ventes.csv', sales(numbers));
  const free = processing.fill();
  const { told } = await scene.night();
  expect(told).toContainEqual(expect.objectContaining({ fault: expect.objectContaining({ code: 'inbox/disk-full' }) }));
  expect(scene.files('inbox')).toEqual(['inbox/ventes.csv']);
  expect(scene.files('processing')).toEqual(['processing/filler']);
  expect(scene.sandbox.requests().fr.submit).toBe(0);
  free();
  await expectWholeNight(scene);
});

test('the disk of the reports is full: exit code, documents and receipts are those of a night with room, and the next run has its own (where file systems may be mounted)', async () => {
  await using scene = await openScene();
  using reports = mounted(join(scene.root, 'reports'), MiB);
  const free = reports.fill();
  scene.drop('ventes.csv', sales(numbers));
  const full = await commandIn(scene, 'run', '--json');
  expect([full.code, full.err]).toEqual([0, expect.stringContaining('disk-full')]);
  const { run } = JSON.parse(full.out) as { run: string };
  expect(tally(await scene.entries())).toEqual({ authorized: DOCUMENTS });
  expect(scene.files('outbox').filter((path) => path.endsWith('.receipt.json'))).toHaveLength(DOCUMENTS);
  expect((await commandIn(scene, 'report')).err).toContain('report/none');
  free();
  expect((await commandIn(scene, 'run')).code).toBe(0);
  const next = JSON.parse((await commandIn(scene, 'report', '--json')).out) as { run: string; previous: unknown };
  expect([next.run === run, next.previous]).toEqual([false, null]);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});

test('the whole disk is full in the middle of a night: it ends, and what could not be noted is in doubt (where file systems may be mounted)', async () => {
  using disk = mounted(mkdtempSync(join(tmpdir(), 'nightpost-small-')), 64 * MiB);
  await using scene = await openScene({
    within: disk.folder,
    sandbox: { latencyMs: 5 },
    services: { fr: { concurrency: CONCURRENCY } },
  });
  // More than the reserve of the ledger can hold.
  const many = Array.from({ length: 600 }, (_, n) => `F${n}`);
  scene.drop('ventes.csv', sales(many));
  let told = 0;
  let free = () => {};
  const night = scene.night({
    onEvent: ({ what }) => {
      if (what === 'document' && ++told === 3) free = disk.fill();
    },
  });
  const ended = await night.then(
    () => 'with no error',
    (error: { readonly code?: string }) => error.code,
  );
  expect(ended).toMatch(/^(ledger|receipts)\/disk-full$/);
  const sent = scene.sandbox.requests().fr.submit;
  expect(sent).toBeLessThan(many.length);
  free();
  await scene.night();
  const { authorized = 0, 'in-doubt': doubtful = 0, ...others } = tally(await scene.entries());
  expect({ all: authorized + doubtful, others }).toEqual({ all: many.length, others: {} });
  expect(doubtful).toBeLessThanOrEqual(CONCURRENCY);
  expect(scene.sandbox.acceptances().filter(({ requests }) => requests !== 1)).toEqual([]);
  const receipts = ['outbox', 'error'].flatMap((folder) => scene.files(folder));
  expect(receipts.filter((path) => path.endsWith('.receipt.json'))).toHaveLength(many.length);
});

test('outbox becomes read-only in the middle of a night: the answers are kept, the receipts follow (where file systems may be mounted)', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 5 } });
  using outbox = mounted(join(scene.root, 'outbox'), 8 * MiB);
  scene.drop('ventes.csv', sales(numbers));
  let documents = 0;
  const night = scene.night({
    // At the first document: a disk with an open file that is being written cannot be made read-only.
    onEvent: ({ what }) => {
      if (what === 'document' && ++documents === 1) outbox.readOnly(true);
    },
  });
  await expect(night).rejects.toMatchObject({ code: 'receipts/read-only' });
  const { sending = 0, 'in-doubt': doubtful = 0 } = tally(await scene.entries());
  expect({ sending, doubtful }).toEqual({ sending: 0, doubtful: 0 });
  outbox.readOnly(false);
  await expectWholeNight(scene);
});

async function expectWholeNight(scene: Scene): Promise<void> {
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: DOCUMENTS });
  expect(scene.sandbox.acceptances().filter(({ accepted, requests }) => accepted !== 1 || requests !== 1)).toEqual([]);
  expect(scene.files('outbox').filter((path) => path.endsWith('.receipt.json'))).toHaveLength(DOCUMENTS);
  expect(scene.files('inbox')).toEqual([]);
}

// ---- small file systems ----

function mayMount(): true | string {
  if (process.platform !== 'linux') return 'this system has no tmpfs';
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder], { stdio: 'pipe' });
    execFileSync('umount', [folder]);
    return true;
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 2).join(' ');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An own disk in place of an empty folder, until the end of the test. */
function mounted(folder: string, bytes: number) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'none', folder]);
  return {
    folder,
    /** Fills what is free, to the last page; the returned function frees it again. */
    fill: () => {
      const filler = join(folder, 'filler');
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(filler, Buffer.alloc(Number(bavail) * Number(bsize)));
      } catch (error) {
        // Somebody took of it meanwhile: full all the same.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
      return () => rmSync(filler, { force: true });
    },
    readOnly: (on: boolean) => execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, folder]),
    [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', folder]),
  };
}
