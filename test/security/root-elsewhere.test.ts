/** Root in an instance of another account: it reads all, and leaves nothing that this account cannot change in its next night. */
import { chmodSync, chownSync, linkSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { runAs, start } from '../program.ts';

const OURS = [61_001, 61_003] as const;
const ROOT = [0, 0] as const;
const asRoot = test.skipIf(process.getuid?.() !== 0);

async function openOwned(): Promise<Scene> {
  const scene = await openScene({ settings: { run: { hold: { over: { EUR: '20' } }, 'give-up-after': '1s' } } });
  for (const path of ['', ...readdirSync(scene.root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(scene.root, path), ...OURS);
  chmodSync(scene.root, 0o750);
  drop(scene, 'ventes-1.csv', sales(['F1', 'F2'], '3'));
  expect((await runAs(scene, OURS, 'run')).code).toBe(3);
  return scene;
}

function drop(scene: Scene, name: string, content: string): void {
  scene.drop(name, content);
  chownSync(join(scene.root, 'inbox', name), ...OURS);
}

const ownedByRoot = ({ root }: Scene): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(root, path)).uid === 0);

const WHY = ['--reason', 'looked at it'];

asRoot('what would write is refused with the account to use, and the next night of this account is whole', async () => {
  await using scene = await openOwned();
  drop(scene, 'ventes-2.csv', sales(['G1'], '3'));
  for (const args of [
    ['run'],
    ['watch'],
    ['release', 'F1', ...WHY],
    ['purge', ...WHY],
    ['doctor', '--offline', '--accept-ledger', 'a new disk'],
    ['backup'],
  ]) {
    const { code, err } = await runAs(scene, ROOT, ...args);
    const isNamed = err.includes('config/other-account') && err.includes('sudo -u');
    expect({ args, code, isNamed, left: ownedByRoot(scene) }).toEqual({ args, code: 2, isNamed: true, left: [] });
  }
  expect((await runAs(scene, OURS, 'run')).code).toBe(3);
  expect(tally(await scene.entries())).toEqual({ held: 3 });
});

asRoot('looking, a copy elsewhere, and access for a person leave no file of root', async () => {
  await using scene = await openOwned();
  const copy = `${scene.root}-copy.sqlite`;
  for (const args of [['status'], ['find', 'F1'], ['errors'], ['doctor', '--offline'], ['verify'], ['backup', copy]]) {
    expect([args[0], (await runAs(scene, ROOT, ...args)).code]).toEqual([args[0], expect.any(Number)]);
    expect([args[0], ownedByRoot(scene)]).toEqual([args[0], []]);
  }
  await runAs(scene, ROOT, 'people', 'add', 'anna', '--role', 'viewer');
  expect(ownedByRoot(scene)).toEqual([]);
  expect((await runAs(scene, OURS, 'people', 'list')).out).toContain('anna');
});

asRoot.each([
  ['people.sqlite', ['people', 'add', 'anna', '--role', 'viewer']],
  ['index.sqlite', ['find', 'F1']],
] as const)('a link of this account in the place of %s gives it no file of root', async (name, args) => {
  for (const make of [symlinkSync, linkSync]) {
    await using scene = await openOwned();
    const [target, place] = [`${scene.root}-of-root`, join(scene.root, 'state', name)];
    writeFileSync(target, '', { mode: 0o600 });
    rmSync(place, { force: true });
    make(target, place);
    await runAs(scene, ROOT, ...args);
    expect({ uid: statSync(target).uid, size: statSync(target).size }).toEqual({ uid: 0, size: 0 });
    rmSync(target);
  }
});

asRoot('the variable that switches the look at accounts off lets root work', async () => {
  await using scene = await openOwned();
  const { environment } = describeSandbox(scene.sandbox);
  const env = { ...environment, NIGHTPOST_PERMISSIONS__STRICT: 'false' };
  const { ended } = start(['-C', scene.root, 'release', 'F1', ...WHY], { env });
  expect((await ended).code).toBe(0);
});
