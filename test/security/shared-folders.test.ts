/** Folders that a group of finance shares: what its members can do with their own account, and what stays private. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { groupId } from '../../src/instance/share-folders.ts';
import { localDay } from '../../src/runs/open-run.ts';
import { machineZone } from '../../src/text/local-time.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn, runAs } from '../program.ts';

const GROUP = 'users';
const GID = groupId(GROUP) ?? 0;
const OURS = [61_001, GID] as const;
const FINANCE = [61_002, GID] as const;
const STRANGER = [61_004, 61_004] as const;
const asRoot = test.skipIf(process.getuid?.() !== 0 || GID === 0);

/** An instance of our account, with one document that is held and one that is to correct. */
async function sharedNight(more: object = {}): Promise<Scene> {
  const run = { 'give-up-after': '5s', hold: { over: { EUR: '1000' } } };
  const scene = await openScene({ settings: { share: { group: GROUP }, run, ...more } });
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), ...OURS);
  chmodSync(join(scene.root, 'nightpost.yaml'), 0o600);
  const faulty = sales(['F1', 'F2']).replaceAll('F2;05/09/2026;Client F2;1;2;', 'F2;05/09/2026;Client F2;1;2O;');
  scene.drop('ventes.csv', `${faulty}${sales(['F3'], '90').split('\n').slice(1).join('\n')}`);
  chownSync(join(scene.root, 'inbox/ventes.csv'), ...OURS);
  expect((await runAs(scene, OURS, 'run')).code).toBe(3);
  return scene;
}

/** A shell command of another account; its exit code. */
function shellAs([uid, gid]: readonly [number, number], cwd: string, command: string): number | null {
  return spawnSync('sh', ['-c', `umask 022; cd "${cwd}" && ${command}`], { uid, gid, cwd: '/' }).status;
}

const day = localDay(new Date(), machineZone());
const mode = (scene: Scene, path: string) => (statSync(join(scene.root, path)).mode & 0o7777).toString(8);

asRoot('members read and correct, payloads and everything else stay private (as root alone)', async () => {
  await using scene = await sharedNight();
  for (const folder of ['inbox', 'error', 'pending', 'pending/release', `error/${day}`]) {
    expect([folder, mode(scene, folder), statSync(join(scene.root, folder)).gid]).toEqual([folder, '2770', GID]);
  }
  for (const folder of ['state', 'archive', 'processing', 'logs'])
    expect([folder, mode(scene, folder)]).toEqual([folder, '700']);
  const names = readdirSync(join(scene.root, 'error', day));
  for (const name of names) {
    const wanted = name.includes('.to-fix.') ? '660' : '640';
    expect([name, mode(scene, `error/${day}/${name}`)]).toEqual([
      name,
      name.endsWith('.payload.json') ? '600' : wanted,
    ]);
  }
  expect(shellAs(FINANCE, scene.root, `cat error/${day}/F2.receipt.json && touch inbox/.x && rm inbox/.x`)).toBe(0);
  expect(shellAs(FINANCE, scene.root, `cat pending/${day}/F3.payload.json`)).not.toBe(0);
  for (const closed of ['ls state', 'ls archive', 'cat nightpost.yaml', 'ls .']) {
    expect([closed, shellAs(FINANCE, scene.root, closed) === 0]).toEqual([closed, false]);
  }
  expect(shellAs(STRANGER, scene.root, 'ls error')).not.toBe(0);
});

asRoot('a copied receipt and a dropped correction record the name of the person (as root alone)', async () => {
  await using scene = await sharedNight({ decisions: { 'require-name': true } });
  const moved = `mv pending/${day}/F3.receipt.json pending/release/`;
  expect(shellAs(FINANCE, scene.root, moved)).toBe(0);
  await runAs(scene, OURS, 'run');
  const held = (await scene.entries()).find(({ facts }) => facts.identifier === 'F3')!;
  expect(held.state).toBe('held');
  expect(readdirSync(join(scene.root, 'pending/release'))).toContain('F3.receipt.json.note.txt');
  const receipt = scene.files('pending').find((path) => path.endsWith('F3.receipt.json') && path.includes(day))!;
  expect(shellAs(FINANCE, scene.root, `cp ${receipt} pending/release/F3.receipt.json`)).toBe(0);
  const [toFix = ''] = scene.files('error').filter((path) => path.endsWith('.to-fix.csv'));
  expect(
    shellAs(FINANCE, scene.root, `sed 's/2O/20/' "${toFix}" > inbox/corrige.csv && chmod 660 inbox/corrige.csv`),
  ).toBe(0);
  await runAs(scene, OURS, 'run');
  const entries = await scene.entries();
  expect(tally(entries)).toEqual({ authorized: 3 });
  expect(entries.find(({ id }) => id === held.id)?.evidence?.by).toBe(`uid ${FINANCE[0]}`);
  const shown = await commandIn(scene, 'show', 'F2');
  expect(shown.out).toContain(`uid ${FINANCE[0]}`);
  expect(scene.sandbox.acceptances()).toHaveLength(3);
});

asRoot('doctor tries the shared folders with a second account (as root alone)', async () => {
  await using scene = await sharedNight();
  const found = async () => {
    const { out } = await commandIn(scene, '--json', 'doctor', '--offline');
    const checks = JSON.parse(out) as { what: string; result: string }[];
    return checks.filter(({ what }) => what === 'shared folders').map(({ result }) => result);
  };
  expect(await found()).toEqual(['ok']);
  chmodSync(join(scene.root, 'state'), 0o750);
  chownSync(join(scene.root, 'state'), OURS[0], GID);
  expect(await found()).toEqual(['error']);
  chmodSync(join(scene.root, 'state'), 0o700);
  chmodSync(scene.root, 0o700);
  expect(await found()).toEqual(['error']);
});

test('an unknown group stops the run before anything is imported', async () => {
  await using scene = await openScene({ settings: { share: { group: 'no-such-group' } } });
  scene.drop('ventes.csv', sales(['F1']));
  const ended = await commandIn(scene, 'run');
  expect(ended.code).toBe(2);
  expect(ended.err).toContain('config/no-such-group');
  expect(readdirSync(join(scene.root, 'inbox'))).toContain('ventes.csv');
  expect(readFileSync(join(scene.root, 'nightpost.yaml'), 'utf8')).toContain('no-such-group');
});

test.skipIf(process.getuid?.() === 0)('a group of others cannot be shared with (not as root)', async () => {
  await using scene = await openScene({ settings: { share: { group: 'root' } } });
  expect((await commandIn(scene, 'run')).err).toContain('config/cannot-share');
});
