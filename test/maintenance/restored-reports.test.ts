/** Morning reports of the time after a backup: a ledger that is restored or rebuilt knows them, so that each command works on them. */
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moveClock } from '../moved-clock.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const DAY_MS = 86_400_000;

const reports = (scene: Scene) => scene.look((ledger) => ledger.reports.list({}));
const files = (scene: Scene) => scene.files('reports').filter((path) => path.includes('.report.'));

/** A backup after the first of three nights. */
async function threeNights(scene: Scene): Promise<string> {
  using clock = moveClock();
  clock.pass(-9 * DAY_MS);
  const backup = join(scene.root, 'backup.sqlite');
  for (const number of ['F1', 'F2', 'F3']) {
    scene.drop(`ventes-${number}.csv`, sales([number]));
    expect((await commandIn(scene, 'run')).code).toBe(0);
    if (number === 'F1') expect((await commandIn(scene, 'backup', backup)).code).toBe(0);
    clock.pass(DAY_MS);
  }
  return backup;
}

/** The ledger is lost; of its folder the witness stays. */
function loseLedger(scene: Scene): void {
  const state = join(scene.root, 'state');
  for (const name of readdirSync(state))
    if (name.startsWith('ledger.')) renameSync(join(state, name), join(scene.root, name));
}

test.each([
  ['restore', (scene: Scene, backup: string) => commandIn(scene, 'ledger', 'restore', backup)],
  [
    'rebuild',
    async (scene: Scene) => {
      loseLedger(scene);
      return await commandIn(scene, 'ledger', 'rebuild');
    },
  ],
])('%s: reports since the backup are proven, listed and purged like all others', async (_, recover) => {
  await using scene = await openScene({ settings: { keep: { reports: '5d' } } });
  const backup = await threeNights(scene);
  const before = (await reports(scene)).map(({ id, sha256, pageSha256, since }) => ({ id, sha256, pageSha256, since }));
  expect(before).toHaveLength(3);
  expect(await recover(scene, backup)).toMatchObject({ code: 0 });
  expect(await reports(scene)).toMatchObject(before);
  expect((await commandIn(scene, 'verify', '--all')).out).not.toContain('.report.');
  const listed = JSON.parse((await commandIn(scene, 'report', '--since', '2000-01-01', '--json')).out);
  expect(listed.reports).toHaveLength(3);
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).code).toBe(0);
  expect(files(scene)).toEqual([]);
});

test('a page without its report, and a report without its page, are listed as unreadable and stay', async () => {
  await using scene = await openScene();
  const backup = await threeNights(scene);
  const [, , page = '', second = '', , third = ''] = files(scene);
  renameSync(join(scene.root, page), join(scene.root, 'page'));
  writeFileSync(join(scene.root, third), '{');
  const { out, code } = await commandIn(scene, '--json', 'ledger', 'restore', backup);
  expect(code).toBe(3);
  expect(JSON.parse(out).unreadable).toEqual([second, third]);
  expect(await reports(scene)).toHaveLength(1);
});
