/** When the whole ledger is read: once a week, and whenever its file is not as a program of ours left it. A command in between reads its own part. */
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { moveClock } from '../moved-clock.ts';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const DAY_MS = 86_400_000;
/** Statements that read all pages, or all identities. */
const WHOLE = /quick_check|NOT INDEXED/;

/** Whole reads of this process since it was called. */
function countWholeReads(): () => number {
  let count = 0;
  const { prepare } = DatabaseSync.prototype;
  const counted: typeof prepare = function (this: DatabaseSync, sql, ...rest) {
    if (WHOLE.test(sql)) count++;
    return Reflect.apply(prepare, this, [sql, ...rest]);
  };
  Object.assign(DatabaseSync.prototype, { prepare: counted });
  onTestFinished(() => void Object.assign(DatabaseSync.prototype, { prepare }));
  return () => count;
}

const ledgerOf = (scene: Scene) => join(scene.root, 'state/ledger.sqlite');

async function inUse(): Promise<Scene> {
  const scene = await openScene();
  scene.drop('ventes.csv', `${sales(['F1', 'F2'])}${sales(['F3'], '2O').split('\n').slice(1).join('\n')}`);
  expect((await commandIn(scene, 'run')).code).toBe(3);
  return scene;
}

/** Commands that write, one after the other. */
async function aDay(scene: Scene): Promise<void> {
  for (const words of [['fix', 'F3', 'Qte=2'], ['run'], ['undo', 'F3'], ['run', '--take-in-only']])
    await commandIn(scene, ...words, ...(words[0] === 'run' ? [] : ['--reason', 'x']));
}

test('within a week of the last whole read, no command that writes reads the whole ledger', async () => {
  await using scene = await inUse();
  const whole = countWholeReads();
  await aDay(scene);
  expect((await commandIn(scene, 'purge', '--reason', 'retention')).code).toBe(0);
  expect((await commandIn(scene, 'doctor', '--offline')).code).toBe(0);
  expect(whole()).toBe(0);
});

test('next to a program that only reads all the time, neither', async () => {
  await using scene = await inUse();
  using reader = new DatabaseSync(ledgerOf(scene), { readOnly: true });
  const read = reader.prepare('SELECT COUNT(*) FROM event').iterate();
  read.next();
  const whole = countWholeReads();
  await aDay(scene);
  expect(whole()).toBe(0);
});

test.each([
  ['a week later', 8 * DAY_MS],
  ['once the clock went back', -DAY_MS],
])('%s it is read once', async (_, ms) => {
  await using scene = await inUse();
  using clock = moveClock();
  clock.pass(ms);
  const whole = countWholeReads();
  await commandIn(scene, 'run');
  expect(whole()).toBe(2);
  await aDay(scene);
  expect(whole()).toBe(2);
});

test.each([
  ['without the note of the last time', (scene: Scene) => rmSync(join(scene.root, 'state/ledger.checked'))],
  ['with another note', (scene: Scene) => writeFileSync(join(scene.root, 'state/ledger.checked'), '{"at":')],
  ['once another program has written it', (scene: Scene) => utimesSync(ledgerOf(scene), new Date(), new Date())],
])('%s it is read', async (_, change) => {
  await using scene = await inUse();
  change(scene);
  const whole = countWholeReads();
  await commandIn(scene, 'run');
  expect(whole()).toBe(2);
});

/** Where a file has a part of the identity of F1: in its table, and in the index by which it is found. */
function placesOf(bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf('|invoice||F1|'); at >= 0; at = bytes.indexOf('|invoice||F1|', at + 1)) places.push(at);
  return places;
}

/** A bit changes on the disk, and no program has written it. */
function flip(scene: Scene, place = -1): void {
  const path = ledgerOf(scene);
  const { mtimeNs } = statSync(path, { bigint: true });
  const bytes = readFileSync(path);
  const at = placesOf(bytes).at(place) ?? 0;
  bytes[at + 10] = (bytes[at + 10] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  // The smallest unit that can be set is not that of the system.
  const note = join(scene.root, 'state/ledger.checked');
  utimesSync(path, new Date(), new Date(0));
  writeFileSync(note, readFileSync(note, 'utf8').replace(String(mtimeNs), '0'));
}

test('a backup and a deep look find what changed meanwhile on the disk, and a run a week later', async () => {
  await using scene = await inUse();
  // Empty after a command that only reads: what follows changes the file that is read.
  expect(statSync(`${ledgerOf(scene)}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  flip(scene);
  expect((await commandIn(scene, 'doctor', '--offline', '--deep')).code).toBe(2);
  const backup = await commandIn(scene, 'backup');
  expect([backup.code, backup.err]).toEqual([2, expect.stringContaining('ledger/damaged')]);
  using clock = moveClock();
  clock.pass(8 * DAY_MS);
  expect(await commandIn(scene, 'run')).toMatchObject({ code: 2, err: expect.stringContaining('ledger/damaged') });
});

test('a backup counts as a whole read', async () => {
  await using scene = await inUse();
  using clock = moveClock();
  clock.pass(8 * DAY_MS);
  expect((await commandIn(scene, 'backup')).code).toBe(0);
  const whole = countWholeReads();
  await aDay(scene);
  expect(whole()).toBe(0);
});

test('a bit that changes between two whole reads sends no document a second time, wherever it is', async () => {
  const most = 3;
  for (let place = 0; place < most; place++) {
    await using scene = await inUse();
    const places = placesOf(readFileSync(ledgerOf(scene)));
    expect(places.length).toBeLessThanOrEqual(most);
    if (place >= places.length) continue;
    flip(scene, place);
    scene.drop('ventes-again.csv', `${sales(['F1'])}`.replace('Client F1', 'Client F1 '));
    await commandIn(scene, 'run');
    const arrived = scene.sandbox.acceptances().filter(({ number }) => number === 'F1');
    expect(arrived.map(({ requests }) => requests)).toEqual([1]);
  }
});
