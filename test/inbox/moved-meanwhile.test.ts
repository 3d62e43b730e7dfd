/** Copies of exports that another part of the program, or another worker, moves to the archive between two steps of this one. */
import { existsSync, type PathLike, renameSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { claimCandidates } from '../../src/inbox/claim-candidates.ts';
import { recoverClaims } from '../../src/inbox/recover-claims.ts';
import { archiveSources } from '../../src/receipts/archive-source.ts';
import { sha256Hex } from '../../src/text/sha256.ts';
import { candidate, claimOptions, drop, makeFolders } from './make.ts';

/** What another one does right before this call of the file system, once. */
const before = vi.hoisted(() => ({ lstat: () => {}, open: () => {}, rename: () => {} }));

vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const after =
    <Name extends 'lstat' | 'open' | 'rename'>(name: Name): (typeof real)[Name] =>
    // @ts-expect-error The same arguments, whatever they are.
    async (...given) => {
      before[name]();
      return await (real[name] as (...all: unknown[]) => Promise<unknown>)(...given);
    };
  return { ...real, lstat: after('lstat'), open: after('open'), rename: after('rename') };
});

beforeEach(() => {
  const nothing = () => {};
  Object.assign(before, { lstat: nothing, open: nothing, rename: nothing });
});

test.each(['lstat', 'open'] as const)('a claim of a worker that is gone, moved before the %s', async (call) => {
  const { root, inbox, processing } = await makeFolders();
  const paths: string[] = [];
  for (const name of ['ventes-1.csv', 'ventes-2.csv']) {
    await drop(inbox, name, name);
    const [claimed] = await claimCandidates([await candidate(inbox, name)], claimOptions(processing));
    if (claimed?.what === 'claimed') paths.push(claimed.file.path);
  }
  before[call] = () => {
    if (existsSync(paths[0]!)) renameSync(paths[0]!, join(root, 'archived'));
  };
  const { copies, putBack } = await recoverClaims(processing, inbox);
  expect([copies.map(({ name }) => name), putBack]).toEqual([['ventes-2.csv'], []]);
});

test('a source that another worker moves is in the archive all the same', async () => {
  const { root } = await makeFolders();
  const path = join(root, 'processing', 'copy');
  await writeFile(path, 'a;b');
  const month = '2026-11';
  const target = join(root, 'archive', month, `${sha256Hex('a;b').slice(0, 16)}-v.csv`);
  await mkdir(join(root, 'archive', month), { recursive: true });
  before.rename = () => {
    if (existsSync(path)) renameSync(path as PathLike, target);
  };
  expect(await archiveSources(root, [{ path, month, sha256: sha256Hex('a;b'), name: 'v.csv' }])).toEqual([target]);
  expect(await readFile(target, 'utf8')).toBe('a;b');
});
