/** What an operator reads: each thing once, in words that say what to do instead. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inUseFor, openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const count = (text: string, of: string) => text.split(of).length - 1;

test('a state whose word is its name is said once, and what is not possible says why and what instead', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2-X6']));
  await commandIn(scene, 'run');
  expect((await commandIn(scene, 'show', 'F1')).out).toContain('F1   invoice   authorized\n');
  expect((await commandIn(scene, 'show', 'F2-X6')).out).toContain('to correct: rejected by the service (rejected)');
  const why = ['--reason', 'test', '--dry-run'];
  expect((await commandIn(scene, 'retry', 'F1', ...why)).out).toBe(
    '  F1: not sent again, it is "authorized"; the service would issue a second document\n',
  );
  expect((await commandIn(scene, 'reject', 'F1', ...why)).out).toContain(
    'F1: not set aside, it is "authorized"; a document in this state cannot be set aside',
  );
  const asked = await commandIn(scene, 'consult', 'F1', 'F2-X6');
  expect(asked.out).toContain('F1: not consulted, it is "authorized"; its outcome is known');
  expect(asked.out).toContain('F2-X6: not consulted, it is "to correct"; its outcome is known; correct it');
  expect(asked.out).not.toContain('nothing to consult');
});

test('a missing export is reported once, on the clock of this machine', async () => {
  const expecting = { name: 'sales', files: 'ventes*.csv', by: '00:00' };
  await using scene = await openScene({ settings: { expect: [expecting] } });
  await inUseFor(scene, 2);
  const { out, err, code } = await commandIn(scene, 'run');
  expect(code).toBe(7);
  expect(count(out + err, 'file ventes*.csv')).toBe(1);
  expect(out).toMatch(/MISSING {2}sales: file ventes\*\.csv, expected by \d{4}-\d\d-\d\d 00:00, files count from/);
});

test('a changed archived export is reported once, also when it was read several times', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1']).replace(';2;10,50', ';x;10,50'));
  await commandIn(scene, 'run');
  const toFix = scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!;
  scene.drop('fixed.csv', scene.read(toFix).replace(';x;', ';3;'));
  await commandIn(scene, 'run');
  const archived = scene.files('archive').find((path) => path.endsWith('ventes.csv'))!;
  writeFileSync(join(scene.root, archived), 'other');
  const { out, code } = await commandIn(scene, 'verify');
  expect(code).toBe(3);
  expect(count(out, 'verify/source-changed')).toBe(1);
});

test('purge says how old what goes has to be, and what is kept for ever', async () => {
  await using scene = await openScene({ settings: { keep: { archive: '10y' } } });
  const { out } = await commandIn(scene, 'purge', '--dry-run');
  expect(out).toMatch(/0 exports with 0 attachments \(older than \d{4}-\d\d-\d\d\)/);
  expect(out).toContain('0 receipts with payload (kept forever: keep.receipts is not set)');
});
