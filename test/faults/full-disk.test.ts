/**
 * A disk that is full, or that refuses writes, before a command begins: exit code 5 and the words for it, never "damaged",
 * which would lead people to restore a ledger that is whole.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../night.ts';
import { commandIn, MAIN } from '../program.ts';

const MiB = 1024 * 1024;

function mountable(): boolean {
  if (process.platform !== 'linux') return false;
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder], { stdio: 'pipe' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One document sent, one queued; then the state folder is on a disk of its own, with so much room left. */
async function onSmallDisk(leftBytes: number) {
  const scene = await openScene();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  const state = join(scene.root, 'state');
  const saved = mkdtempSync(join(tmpdir(), 'nightpost-saved-'));
  cpSync(state, saved, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${8 * MiB},mode=700`, 'none', state]);
  cpSync(saved, state, { recursive: true });
  rmSync(saved, { recursive: true });
  // Moved to another disk, which a person confirms.
  await commandIn(scene, 'doctor', '--offline', '--accept-ledger', 'moved to a disk of its own');
  await commandIn(scene, 'ledger', 'end-quarantine', 'it is the same ledger');
  rmSync(join(state, 'ballast'), { force: true });
  const { bavail, bsize } = statfsSync(state);
  writeFileSync(join(state, 'filler'), Buffer.alloc(Number(bavail) * Number(bsize) - leftBytes));
  return {
    scene,
    free: () => rmSync(join(state, 'filler')),
    [Symbol.asyncDispose]: async () => {
      execFileSync('umount', ['--lazy', state]);
      await scene[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(!mountable())('a full disk (where file systems may be mounted)', () => {
  test('a disk that becomes full under the search index: the list is whole', async () => {
    await using disk = await onSmallDisk(MiB);
    const { scene } = disk;
    disk.free();
    const numbers = Array.from({ length: 150 }, (_, n) => `N${n}`);
    scene.drop('ventes-2.csv', sales(numbers));
    expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
    const state = join(scene.root, 'state');
    for (const name of readdirSync(state)) if (name.startsWith('index.sqlite')) rmSync(join(state, name));
    const { bavail, bsize } = statfsSync(state);
    writeFileSync(join(state, 'filler'), Buffer.alloc(Number(bavail) * Number(bsize) - 250_000));
    const { code, out, err } = await commandIn(scene, 'list', '--json', '--limit', '1000');
    expect(code, err).toBe(0);
    expect((JSON.parse(out) as { documents: unknown[] }).documents).toHaveLength(151);
    // The room is for the ledger.
    expect(readdirSync(state).filter((name) => name.startsWith('index.sqlite'))).toEqual([]);
  });

  test.each([0, 4096, 16_384, 32_768])('%i bytes left: each command ends with 5 or does its work', async (left) => {
    await using disk = await onSmallDisk(left);
    const { scene } = disk;
    scene.drop('ventes-2.csv', sales(['F2']));
    for (const args of [['run'], ['status'], ['errors'], ['run', '--take-in-only']]) {
      const { code, err } = await commandIn(scene, ...args);
      expect([args[0], code === 5 ? /disk-full/.exec(err)?.[0] : code], err).toBeOneOf([
        [args[0], 'disk-full'],
        [args[0], 0],
      ]);
      expect(err).not.toContain('ledger/damaged');
    }
    disk.free();
    expect((await commandIn(scene, 'run')).code).toBe(0);
    expect(tally(await scene.entries())).toEqual({ authorized: 2 });
    expect(scene.sandbox.acceptances().filter(({ requests }) => requests !== 1)).toEqual([]);
  });

  test('doctor finds it under a folder of answers, where an empty file still has room', async () => {
    const answers = "answers:\n  - { file: 'RET_{n}.csv', to: erp, format: { csv: {} }, row: { NUM: $Num } }\n";
    const erp = mkdtempSync(join(tmpdir(), 'nightpost-erp-'));
    await using scene = await openScene({
      settings: { answers: { folders: { erp } } },
      mappings: { 'sales.yaml': `${SALES_MAPPING}${answers}` },
    });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k,mode=700', 'none', erp]);
    try {
      const answersLine = async () =>
        (await commandIn(scene, 'doctor', '--offline')).out.split('\n').find((line) => line.includes(erp));
      expect(await answersLine()).toContain('takes answers');
      writeFileSync(join(erp, 'other'), Buffer.alloc(16 * 1024 - 100));
      expect(await answersLine()).toMatch(/ENOSPC.* - make room on its disk/);
      expect(readdirSync(erp)).toEqual(['other']);
    } finally {
      execFileSync('umount', ['--lazy', erp]);
      rmSync(erp, { recursive: true });
    }
  });
});

/** A whole instance on a small disk, many documents queued, and so much room left when the sending begins. */
async function queuedOnSmallDisk(leftBytes: number) {
  const scene = await openScene({ sandbox: { latencyMs: 40 }, services: { fr: { concurrency: 8 } } });
  const disk = scene.root;
  const saved = mkdtempSync(join(tmpdir(), 'nightpost-saved-'));
  cpSync(disk, saved, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${40 * MiB},mode=700`, 'none', disk]);
  cpSync(saved, disk, { recursive: true });
  rmSync(saved, { recursive: true });
  await commandIn(scene, 'doctor', '--offline', '--accept-ledger', 'moved to a disk of its own');
  await commandIn(scene, 'ledger', 'end-quarantine', 'it is the same ledger');
  scene.drop('ventes-1.csv', sales(Array.from({ length: 250 }, (_, n) => `G${n}`)));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  const { bavail, bsize } = statfsSync(disk);
  const filler = join(disk, 'filler');
  writeFileSync(filler, Buffer.alloc(Number(bavail) * Number(bsize) - leftBytes));
  return {
    scene,
    free: () => rmSync(filler),
    [Symbol.asyncDispose]: async () => {
      execFileSync('umount', ['--lazy', disk]);
      await scene[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(!mountable())(
  'a disk that gets full while documents are sent (where file systems may be mounted)',
  () => {
    test.each([100_000, 300_000, 500_000])(
      '%i bytes left: answers of requests under way are stored, none is in doubt',
      async (left) => {
        await using disk = await queuedOnSmallDisk(left);
        const { scene } = disk;
        const { code, err } = await commandIn(scene, 'run');
        expect({ code, full: err.includes('disk-full') }, err).toEqual({ code: 5, full: true });
        const sent = scene.sandbox.acceptances().length;
        disk.free();
        const { 'in-doubt': doubtful = 0, authorized = 0 } = tally(await scene.entries());
        expect({ doubtful, authorized }).toEqual({ doubtful: 0, authorized: sent });
        expect(await commandIn(scene, 'run')).toMatchObject({ code: 0 });
        expect(tally(await scene.entries())).toEqual({ authorized: 250 });
        expect(scene.sandbox.acceptances().filter(({ requests }) => requests !== 1)).toEqual([]);
      },
    );
  },
);

/** A command of the program under limits of the shell. */
function limited(scene: Scene, limit: string, ...args: string[]) {
  const env = { ...process.env, ...describeSandbox(scene.sandbox).environment };
  const line = ['-c', `${limit} && exec "$0" "$@"`, process.execPath, MAIN, '-C', scene.root, ...args];
  try {
    execFileSync('sh', line, { env, stdio: 'pipe' });
    return { code: 0, err: '' };
  } catch (error) {
    const { status, stderr } = error as { readonly status: number; readonly stderr: Buffer };
    return { code: status, err: String(stderr) };
  }
}

describe.runIf(process.platform === 'linux')('limits of the system (on Linux)', () => {
  test('files may not grow, as under a quota: 5, the ledger is not called damaged, and the next night does it', async () => {
    await using scene = await openScene();
    scene.drop('ventes-1.csv', sales(['F1']));
    const { code, err } = limited(scene, 'ulimit -f 8', 'run');
    expect({ code, damaged: /damaged|internal error/.test(err) }, err).toEqual({ code: 5, damaged: false });
    expect(err).toContain('ledger/device-error');
    expect((await commandIn(scene, 'run')).code).toBe(0);
    expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  });

  test('few open files: from none that suffices to enough, 5 or the work done, and never a word of damage', async () => {
    await using scene = await openScene();
    const seen = new Set<string>();
    for (const files of [20, 22, 24, 26, 28]) {
      const { code, err } = limited(scene, `ulimit -n ${files}`, 'status');
      expect(err).not.toMatch(/ledger\/damaged/);
      // With fewer than the engine itself needs, Node ends by its own means.
      if (code !== 5) continue;
      seen.add(/[a-z]+\/too-many-open/.exec(err)?.[0] ?? err);
    }
    const known = ['ledger/too-many-open', 'receipts/too-many-open', 'system/too-many-open'];
    expect([...seen].filter((one) => !known.includes(one))).toEqual([]);
    expect(readdirSync(join(scene.root, 'state'))).toContain('ledger.sqlite');
    expect(readFileSync(join(scene.root, 'state/ledger.sqlite')).length).toBeGreaterThan(0);
  });
});
