/** Folders of an instance that the account may not write or read, or that are no folders: what a scheduler and a person learn. */
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { surroundingsOf } from '../../src/cli/output/system-refusals.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { runAs } from '../program.ts';

const OURS = [61_001, 61_003] as const;

async function ours(): Promise<Scene> {
  const scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), ...OURS);
  return scene;
}

const ofMode = (mode: number) => (path: string) => chmodSync(path, mode);
const asFile = (path: string) => {
  rmSync(path, { recursive: true });
  writeFileSync(path, '');
};

describe.skipIf(process.getuid?.() !== 0)('as an account that is not root (only root may change to it)', () => {
  test.concurrent.each([
    ['inbox', 'is read-only', 5, 'inbox/read-only', ofMode(0o500)],
    ['inbox', 'cannot be read', 5, 'inbox/folder-not-readable', ofMode(0o000)],
    ['processing', 'is read-only', 5, 'system/no-access', ofMode(0o500)],
    ['archive', 'cannot be read', 5, 'no-access', ofMode(0o000)],
    ['state', 'is read-only', 5, 'system/read-only', ofMode(0o500)],
    ['mappings', 'cannot be read', 2, 'mapping/unreadable', ofMode(0o000)],
    ['mappings', 'is a file', 2, 'mapping/unreadable', asFile],
  ] as const)(
    '%s %s: exit code %d, the folder is named, and the next run does the rest',
    async (folder, _, code, told, spoil) => {
      await using scene = await ours();
      const path = join(scene.root, folder);
      const kept = folder === 'mappings' ? scene.read('mappings/sales.yaml') : '';
      spoil(path);
      const ended = await runAs(scene, OURS, 'run');
      expect(ended).toMatchObject({ code, err: expect.stringContaining(told) });
      expect(ended.err).toContain(folder);
      if (kept !== '') {
        rmSync(path, { recursive: true });
        mkdirSync(path);
        writeFileSync(join(path, 'sales.yaml'), kept);
      }
      chmodSync(path, 0o700);
      expect(await scene.night()).toMatchObject({ stops: [] });
      expect(tally(await scene.entries())).toEqual({ authorized: 2 });
      expect(scene.sandbox.acceptances().filter(({ requests }) => requests !== 1)).toEqual([]);
    },
  );

  test.concurrent.each([
    ['is read-only', ofMode(0o500)],
    ['is a file', asFile],
  ])('logs %s: the night is done without a log, and that is reported once', async (_, spoil) => {
    await using scene = await ours();
    spoil(join(scene.root, 'logs'));
    const { code, err } = await runAs(scene, OURS, '--quiet', 'run');
    expect(code).toBe(0);
    expect(err.split('\n').filter((line) => line.includes(join(scene.root, 'logs')))).toHaveLength(1);
    expect(tally(await scene.entries())).toEqual({ authorized: 2 });
  });
});

const errno = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

test.each([
  [errno('ENOSPC', { syscall: 'write' }), 'system/disk-full'],
  [errno('EACCES', { syscall: 'open', path: '/x' }), 'system/no-access'],
  [errno('EROFS', { syscall: 'rename', path: '/x', dest: '/y' }), 'system/read-only'],
  [errno('EMFILE', { syscall: 'open', path: '/x' }), 'system/too-many-open'],
  [errno('ENOENT', { syscall: 'lstat', path: '/x' }), 'system/missing'],
  [errno('ENOTDIR', { syscall: 'mkdir', path: '/x' }), 'system/in-the-way'],
  [errno('EIO', { syscall: 'fsync' }), 'system/device-error'],
  [errno('ERR_SQLITE_ERROR', { errcode: 8 | (6 << 8) }), 'system/read-only'],
  [errno('ERR_SQLITE_ERROR', { errcode: 13 }), 'system/disk-full'],
  [errno('ERR_SQLITE_ERROR', { errcode: 1 }), undefined],
  [errno('EACCES', { syscall: 'listen', address: '127.0.0.1', port: 80 }), undefined],
  [errno('ENOENT', { syscall: 'getaddrinfo', hostname: 'x' }), undefined],
  [new TypeError('a bug'), undefined],
])('%s: %s', (error, code) => {
  expect(surroundingsOf(error)?.code).toBe(code);
});
