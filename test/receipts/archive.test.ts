import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveSources } from '../../src/receipts/archive-source.ts';
import { makeRoot, sha256 } from './make.ts';

async function copyIn(root: string, name: string, content: string): Promise<string> {
  const folder = join(root, 'processing', 'run-1');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

test('a source goes to the archive under its hash, read-only, once', async () => {
  const root = await makeRoot();
  const path = await copyIn(root, 'x', 'a;b');
  const one = { path, month: '2026-11', sha256: sha256('a;b'), name: '../été\n.csv' };
  const [target] = await archiveSources(root, [one]);
  expect(target).toBe(join(root, 'archive', '2026-11', `${sha256('a;b').slice(0, 16)}-%2E.%2Fété%0A.csv`));
  expect(await readFile(target!, 'utf8')).toBe('a;b');
  expect((await stat(target!)).mode & 0o777).toBe(0o400);
  expect(await readdir(join(root, 'processing', 'run-1'))).toEqual([]);
  expect(await archiveSources(root, [one])).toEqual([target]);
  await rm(join(root, 'processing'), { recursive: true });
  expect(await archiveSources(root, [one])).toEqual([target]);
});

test('the same bytes again stay one file; other bytes under the same short hash are never replaced', async () => {
  const root = await makeRoot();
  const archive = (path: string, sha: string) =>
    archiveSources(root, [{ path, month: '2026-11', sha256: sha, name: 'v.csv' }]);
  const sha = sha256('a;b');
  const [first] = await archive(await copyIn(root, 'x', 'a;b'), sha);
  expect(await archive(await copyIn(root, 'y', 'a;b'), sha)).toEqual([first]);
  await chmod(first!, 0o600);
  await writeFile(first!, 'somebody wrote into it');
  const [second] = await archive(await copyIn(root, 'z', 'a;b'), sha);
  expect(second).toContain(`${sha}-v.csv`);
  expect(await readFile(first!, 'utf8')).toBe('somebody wrote into it');
  await chmod(second!, 0o600);
  await writeFile(second!, 'into this one too');
  const third = await copyIn(root, 'w', 'a;b');
  await expect(archive(third, sha)).rejects.toMatchObject({ code: 'receipts/in-the-way' });
  expect(await readFile(third, 'utf8')).toBe('a;b');
});

test('a source that is nowhere has no path in the archive, and the others of its batch are archived', async () => {
  const root = await makeRoot();
  const one = { path: join(root, 'none'), month: '2026-11', sha256: sha256(''), name: 'v.csv' };
  const other = { ...one, path: await copyIn(root, 'x', 'a;b'), sha256: sha256('a;b') };
  expect(await archiveSources(root, [one, other])).toEqual([undefined, expect.stringContaining('/archive/2026-11/')]);
});
