/** What pages and messages tell people to copy is enough: a machine that is restored from it has nothing that verify misses. */
import { cpSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSandbox } from '../src/sandbox/describe.ts';
import { openScene, sales } from './night.ts';
import { command, commandIn } from './program.ts';

const PAGE = 'docs/how-to/admin/backup-and-restore.md';
const copied = /^\$ rsync -a (.*) backup-host/m.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';

test('a whole machine that is restored as the page says has a sound ledger, with its morning reports', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2-X6']));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  expect((await commandIn(scene, 'backup')).code).toBe(0);
  const root = mkdtempSync(join(tmpdir(), 'nightpost-test-'));
  const folders = copied.split(' ').map((path) => path.replace('/srv/nightpost/', ''));
  for (const name of [...folders, 'nightpost.yaml', 'mappings']) {
    cpSync(join(scene.root, name), join(root, name), { recursive: true });
  }
  const [backup = ''] = globSync('backups/*.sqlite', { cwd: root });
  const { environment } = describeSandbox(scene.sandbox);
  const there = async (...words: string[]) => (await command(['-C', root, ...words], environment)).code;
  expect(await there('ledger', 'restore', join(root, backup))).toBe(0);
  expect(await there('verify', '--all')).toBe(0);
});

test('each list of what to copy has reports/', () => {
  const lists = [
    ...globSync('docs/how-to/**/*.md'),
    'docs/explanation/audit.md',
    ...globSync('locales/{en,fr,es}/*.yaml'),
  ];
  const lines = lists.flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  const complete = lines.filter((line) =>
    ['archive', 'outbox', 'pending', 'error'].every((name) => line.includes(name)),
  );
  const toCopy = complete.filter((line) => /cop[iy]|rsync|back up|keep/i.test(line));
  expect(toCopy.length).toBeGreaterThan(6);
  expect(toCopy.filter((line) => !line.includes('reports'))).toEqual([]);
});
