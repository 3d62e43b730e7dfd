/**
 * A state folder that is put back, in each way in which administrators put files back: nothing is sent, and after the
 * way out that the message names nothing has been sent twice.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openScene, type Scene, type SceneOptions, sales, tally } from '../night.ts';
import { commandIn, startIn } from '../program.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'nightpost-restored-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const accepted = (scene: Scene) => {
  const acceptances = scene.sandbox.acceptances();
  expect(new Set(acceptances.map(({ identity }) => identity)).size, 'accepted twice').toBe(acceptances.length);
  expect(acceptances.filter(({ requests }) => requests > 1)).toEqual([]);
  return acceptances.length;
};

/** Two documents are queued when the state folder is saved; the night after it sends them and a third. */
async function lostNight(options: SceneOptions = {}) {
  const scene = await openScene(options);
  const saved = folder();
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['F2', 'F3']));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  cpSync(scene.root, join(saved, 'instance'), { recursive: true });
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const name of readdirSync(join(saved, 'instance/state'))) {
    utimesSync(join(saved, 'instance/state', name), hourAgo, hourAgo);
  }
  expect((await commandIn(scene, 'backup', join(saved, 'backup.sqlite'))).code).toBe(0);
  scene.drop('ventes-3.csv', sales(['F4']));
  await scene.night();
  expect(accepted(scene)).toBe(4);
  return { scene, state: join(scene.root, 'state'), saved, old: join(saved, 'instance/state') };
}

/** Not a byte leaves, in whatever order the commands come. */
async function expectNothingSent(scene: Scene, code = /ledger\/(older|copied)/): Promise<void> {
  const before = scene.sandbox.requests();
  const { code: exit, err } = await commandIn(scene, 'run');
  expect(err).toMatch(code);
  expect(exit).toBe(2);
  expect(err).toContain('nightpost ledger restore');
  expect((await commandIn(scene, 'doctor', '--offline')).code).toBe(2);
  expect(scene.sandbox.requests()).toEqual(before);
}

/** No one gets a document twice, also where the night after brings all exports once more under other bytes. */
async function expectNothingTwice(scene: Scene): Promise<void> {
  scene.drop('ventes-again.csv', sales(['F1', 'F2', 'F3', 'F4']).replaceAll('\n', '\r\n'));
  await commandIn(scene, 'run');
  await commandIn(scene, 'run');
  expect(accepted(scene)).toBe(4);
  expect(tally(await scene.entries())).toEqual({ authorized: 4, duplicate: 4 });
}

const WAYS_OUT = {
  'ledger restore': (scene: Scene, saved: string) =>
    commandIn(scene, 'ledger', 'restore', join(saved, 'backup.sqlite')),
  accept: (scene: Scene) => commandIn(scene, 'doctor', '--offline', '--accept-ledger', 'there is no other one'),
};

/** The old bytes in the same inodes, as where the disk below goes back to a snapshot; what is newer goes. */
function rewrite(from: string, to: string): void {
  for (const { name } of readdirSync(to, { withFileTypes: true })) {
    if (!existsSync(join(from, name))) rmSync(join(to, name), { recursive: true });
  }
  for (const { name } of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, name), join(to, name)];
    if (statSync(source).isDirectory()) {
      mkdirSync(target, { recursive: true });
      rewrite(source, target);
    } else overwrite(source, target);
  }
}

function overwrite(source: string, target: string): void {
  if (!existsSync(target)) copyFileSync(source, target);
  const bytes = readFileSync(source);
  // Exports in the archive may not be written, nor does anybody change them.
  if (readFileSync(target).equals(bytes)) return;
  const file = openSync(target, 'r+');
  ftruncateSync(file);
  writeSync(file, bytes);
  closeSync(file);
}

const sh = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' });
const tarOf = (old: string) => {
  sh('tar', '-C', join(old, '..'), '-cf', join(old, '../../state.tar'), 'state');
  return join(old, '../../state.tar');
};
const isThere = (name: string) => (process.env.PATH ?? '').split(delimiter).some((one) => existsSync(join(one, name)));

const WAYS: readonly (readonly [name: string, restore: (old: string, state: string) => void])[] = [
  ['cp -a over it', (old, state) => sh('cp', '-a', `${old}/.`, `${state}/`)],
  ['removed, then cp -a', (old, state) => sh('sh', '-c', `rm -rf '${state}' && cp -a '${old}' '${state}'`)],
  ['tar over it', (old, state) => sh('tar', '-C', join(state, '..'), '-xf', tarOf(old))],
  [
    'removed, then tar',
    (old, state) => sh('sh', '-c', `rm -rf '${state}' && tar -C '${join(state, '..')}' -xf '${tarOf(old)}'`),
  ],
  ['the same inodes', (old, state) => rewrite(old, state)],
  [
    'ledger.sqlite alone, in place',
    (old, state) => overwrite(join(old, 'ledger.sqlite'), join(state, 'ledger.sqlite')),
  ],
  ['rsync -a --delete', (old, state) => sh('rsync', '-a', '--delete', `${old}/`, `${state}/`)],
];

describe.each(WAYS.filter(([name]) => !name.startsWith('rsync') || isThere('rsync')))('%s', (_, restore) => {
  test.each(Object.keys(WAYS_OUT) as (keyof typeof WAYS_OUT)[])('noticed; then %s', async (out) => {
    const { scene, state, saved, old } = await lostNight();
    await using _scene = scene;
    restore(old, state);
    await expectNothingSent(scene);
    const ended = await WAYS_OUT[out](scene, saved);
    expect([0, 2]).toContain(ended.code);
    await expectNothingTwice(scene);
  });
});

test('an instance of before the witness outside: the receipts show what the ledger has lost', async () => {
  const { scene, state, old } = await lostNight();
  await using _scene = scene;
  rewrite(old, state);
  unlinkSync(join(scene.root, 'archive/.ledger-witness.json'));
  await expectNothingSent(scene, /ledger\/older/);
  await WAYS_OUT.accept(scene);
  await expectNothingTwice(scene);
});

test('the ledger knows each document and file, but not that it has sent them: their receipts report it', async () => {
  await using scene = await openScene();
  const [saved, state] = [folder(), join(scene.root, 'state')];
  scene.drop('ventes-1.csv', sales(['F1', 'F2']));
  expect((await commandIn(scene, 'run', '--take-in-only')).code).toBe(0);
  cpSync(state, join(saved, 'state'), { recursive: true });
  await scene.night();
  expect(accepted(scene)).toBe(2);
  rewrite(join(saved, 'state'), state);
  unlinkSync(join(scene.root, 'archive/.ledger-witness.json'));
  await expectNothingSent(scene, /ledger\/older/);
});

test.each(['summary.json', 'archive'])(
  'receipts that somebody took away: what is left in %s shows it',
  async (left) => {
    const { scene, state, old } = await lostNight();
    await using _scene = scene;
    rewrite(old, state);
    unlinkSync(join(scene.root, 'archive/.ledger-witness.json'));
    for (const path of scene.files('outbox')) if (!path.endsWith(left)) unlinkSync(join(scene.root, path));
    await expectNothingSent(scene, /ledger\/older/);
    // Nothing tells of the documents any more: a person is asked, once.
    await WAYS_OUT.accept(scene);
    expect((await commandIn(scene, 'run')).err).not.toContain('ledger/');
    expect(accepted(scene)).toBe(4);
  },
);

test('a whole machine that goes back to a snapshot is noticed by the witness elsewhere', async () => {
  const elsewhere = folder();
  const { scene, saved } = await lostNight({ settings: { ledger: { 'witness-folder': elsewhere } } });
  await using _scene = scene;
  rewrite(join(saved, 'instance'), scene.root);
  await expectNothingSent(scene, /ledger\/older/);
  await WAYS_OUT.accept(scene);
  // Nothing but the services knows of these: they wait for a person.
  scene.drop('ventes-3.csv', sales(['F4']));
  await commandIn(scene, 'run');
  expect(accepted(scene)).toBe(4);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, held: 3 });
});

test('a witness elsewhere that is gone: nothing is sent, whether its folder is there or not', async () => {
  const elsewhere = folder();
  const settings = { ledger: { 'witness-folder': elsewhere } };
  await using scene = await openScene({ settings });
  scene.drop('ventes-1.csv', sales(['F1']));
  await scene.night();
  const [name] = readdirSync(elsewhere);
  const text = readFileSync(join(elsewhere, name!));
  scene.drop('ventes-2.csv', sales(['F2']));
  rmSync(join(elsewhere, name!));
  expect(await commandIn(scene, 'run')).toMatchObject({
    code: 2,
    err: expect.stringContaining('ledger/witness-missing'),
  });
  rmSync(elsewhere, { recursive: true });
  expect(await commandIn(scene, 'run')).toMatchObject({
    code: 2,
    err: expect.stringContaining('ledger/witness-folder'),
  });
  mkdirSync(elsewhere);
  copyFileSync('/dev/null', join(elsewhere, name!));
  expect(await commandIn(scene, 'run')).toMatchObject({
    code: 2,
    err: expect.stringContaining('ledger/witness-missing'),
  });
  const file = openSync(join(elsewhere, name!), 'w');
  writeSync(file, text);
  closeSync(file);
  expect((await commandIn(scene, 'run')).code).toBe(0);
  expect(accepted(scene)).toBe(2);
});

test('after a kill, an older ledger.sqlite next to the log of the killed one', async () => {
  const { scene, state, saved, old } = await lostNight({ sandbox: { latencyMs: 500 } });
  await using _scene = scene;
  scene.drop('ventes-5.csv', sales(Array.from({ length: 20 }, (_, n) => `G${n}`)));
  const run = startIn(scene, 'run');
  while (accepted(scene) < 6) await new Promise((resolve) => setTimeout(resolve, 20));
  run.child.kill('SIGKILL');
  await run.ended;
  expect(statSync(join(state, 'ledger.sqlite-wal')).size).toBeGreaterThan(0);
  overwrite(join(old, 'ledger.sqlite'), join(state, 'ledger.sqlite'));
  await expectNothingSent(scene, /ledger\/older/);
  const before = accepted(scene);
  await WAYS_OUT['ledger restore'](scene, saved);
  scene.drop('ventes-again.csv', sales(['F1', 'F2', 'F3', 'F4', 'G0']));
  await commandIn(scene, 'run');
  expect(accepted(scene)).toBe(before);
});

describe('no false alarm', () => {
  const sends = async (scene: Scene, number: string) => {
    const before = accepted(scene);
    scene.drop(`ventes-${number}.csv`, sales([number]));
    const { code, err } = await commandIn(scene, 'run');
    expect({ code, err: err.includes('ledger/') }).toEqual({ code: 0, err: false });
    expect(accepted(scene)).toBe(before + 1);
  };

  test('several runs a day, receipts and exports deleted or moved, folders emptied, the instance moved', async () => {
    await using scene = await openScene();
    for (const number of ['F1', 'F2', 'F3']) await sends(scene, number);
    const [first, ...rest] = scene.files('outbox');
    unlinkSync(join(scene.root, first!));
    for (const path of rest) cpSync(join(scene.root, path), join(scene.root, 'reports', path.replaceAll('/', '-')));
    for (const path of rest) unlinkSync(join(scene.root, path));
    await sends(scene, 'F4');
    for (const name of ['outbox', 'archive', 'logs']) rmSync(join(scene.root, name), { recursive: true });
    await sends(scene, 'F5');
    expect(existsSync(join(scene.root, 'archive/.ledger-witness.json'))).toBe(true);
  });

  test('a backup restored with the command, then nights as ever; twice', async () => {
    await using scene = await openScene();
    const copy = join(folder(), 'copy.sqlite');
    await sends(scene, 'F1');
    await commandIn(scene, 'backup', copy);
    await sends(scene, 'F2');
    for (const number of ['F3', 'F4']) {
      expect((await commandIn(scene, 'ledger', 'restore', copy)).code).toBe(0);
      expect((await commandIn(scene, 'run')).err).not.toContain('ledger/');
      expect((await commandIn(scene, 'ledger', 'end-quarantine', 'looked it up')).code).toBe(0);
      await sends(scene, number);
    }
  });

  test('a ledger made again from receipts knows the installation of the witness in archive/', async () => {
    await using scene = await openScene();
    await sends(scene, 'F1');
    const installation = () => JSON.parse(scene.read('archive/.ledger-witness.json')).installation as string;
    const before = installation();
    rmSync(join(scene.root, 'state'), { recursive: true });
    expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
    expect((await commandIn(scene, 'ledger', 'end-quarantine', 'looked it up')).code).toBe(0);
    expect(installation()).toBe(before);
    await sends(scene, 'F2');
  });
});

test('the lock deleted under a program at work: once a second one was let in, the first sends nothing more', async () => {
  await using scene = await openScene({ sandbox: { latencyMs: 100 }, services: { fr: { concurrency: 1 } } });
  const numbers = Array.from({ length: 30 }, (_, n) => `H${n}`);
  scene.drop('ventes-1.csv', sales(numbers));
  const first = startIn(scene, 'run');
  while (accepted(scene) < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const name of ['lock.sqlite', 'lock.sqlite-journal']) rmSync(join(scene.root, 'state', name), { force: true });
  // The first one cannot be done before the second one has started, however busy the machine is.
  scene.sandbox.tune({ latencyMs: 2000 });
  const other = startIn(scene, 'run');
  const { code, err } = await first.ended;
  scene.sandbox.tune({ latencyMs: 0 });
  const second = await other.ended;
  expect({ code, wrote: err.includes('ledger/write-failed') }).toEqual({ code: 5, wrote: true });
  expect([0, 3]).toContain(second.code);
  // What the first one had on the wire is in doubt; all others went out once.
  expect(accepted(scene)).toBe(numbers.length);
  const { authorized = 0, 'in-doubt': doubtful = 0 } = tally(await scene.entries());
  expect({ all: authorized + doubtful, few: doubtful <= 1 }).toEqual({ all: numbers.length, few: true });
});
