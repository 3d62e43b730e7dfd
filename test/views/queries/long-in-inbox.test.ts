/** Exports that no run takes: the check of a monitoring program shows them once they have been in the inbox for a day. */
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isThereLong } from '../../../src/pipeline/intake/inbox-names.ts';
import { moveClock } from '../../moved-clock.ts';
import { openScene, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

const inbox = (scene: Scene, name: string) => join(scene.root, 'inbox', name);

const STAYS: { readonly [what: string]: (scene: Scene) => void } = {
  'a link': (scene) => {
    writeFileSync(join(scene.root, 'elsewhere.csv'), sales(['F1']));
    symlinkSync(join(scene.root, 'elsewhere.csv'), inbox(scene, 'ventes-1.csv'));
  },
  'a file with another name elsewhere': (scene) => {
    writeFileSync(join(scene.root, 'elsewhere.csv'), sales(['F1']));
    linkSync(join(scene.root, 'elsewhere.csv'), inbox(scene, 'ventes-1.csv'));
  },
  'a file that does not come to rest': (scene) => {
    writeFileSync(inbox(scene, 'ventes-1.csv'), sales(['F1']));
  },
};

async function checked(scene: Scene): Promise<readonly [code: unknown, files: number]> {
  const { code } = await commandIn(scene, 'status', '--check');
  const { stuck } = JSON.parse((await commandIn(scene, 'status', '--json')).out);
  return [code, stuck.files];
}

test.each(Object.keys(STAYS))('%s: nothing on its first day, a warning after it', async (what) => {
  using clock = moveClock();
  await using scene = await openScene({ settings: { inbox: { settle: '2h' } } });
  STAYS[what]?.(scene);
  await commandIn(scene, 'run');
  expect(await checked(scene)).toEqual([0, 0]);
  clock.pass(DAY + HOUR);
  expect(await checked(scene)).toEqual([1, 1]);
});

test('what is no export, and what is hidden, does not stay in this sense; a name of no mapping is taken and refused', async () => {
  using clock = moveClock();
  await using scene = await openScene({ settings: { inbox: { settle: '1ms', ignore: ['*.log'] } } });
  for (const name of ['notes.log', '.hidden.csv', 'half.part']) writeFileSync(inbox(scene, name), 'x');
  mkdirSync(inbox(scene, 'folder'));
  scene.drop('unknown.xyz', 'x');
  await commandIn(scene, 'run');
  const { filesRefused } = JSON.parse((await commandIn(scene, 'status', '--json')).out);
  expect(filesRefused).toBe(1);
  clock.pass(DAY + HOUR);
  expect(await checked(scene)).toEqual([1, 0]);
});

test.each([
  ['it came a moment ago', { birthtimeMs: 0, ctimeMs: DAY, mtimeMs: 0 }, false],
  ['it was made a day ago, and is still written', { birthtimeMs: 1, ctimeMs: DAY, mtimeMs: DAY }, true],
  [
    'it is written, and the file system does not know since when',
    { birthtimeMs: 0, ctimeMs: DAY, mtimeMs: DAY },
    false,
  ],
  ['it has been there for a day', { birthtimeMs: 1, ctimeMs: 1, mtimeMs: 1 }, true],
])('%s', (_, stats, isLong) => {
  expect(isThereLong(stats, DAY + 1)).toBe(isLong);
});
