/** A number that differs from an earlier one in its spelling only: the later document waits for a person. */
import { expect, test } from 'vitest';
import { openScene, type Scene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

const statesOf = async (scene: Scene) =>
  (await scene.entries())
    .map(({ facts, state, hold }) => [facts.identifier, state, ...(hold ? [hold.rule] : [])])
    .toSorted();

const numbersOut = (scene: Scene) =>
  scene.sandbox
    .acceptances()
    .map(({ number }) => number)
    .toSorted();

const idOf = async (scene: Scene, identifier: string) =>
  (await scene.entries()).find(({ facts }) => facts.identifier === identifier)!.id;

async function does(scene: Scene, ...command: readonly string[]): Promise<void> {
  const ended = await commandIn(scene, ...command, '--reason', 'looked at it');
  expect([command[0], ended.code, ended.code === 2 ? ended.err : '']).toEqual([command[0], expect.any(Number), '']);
}

test.each(['fv-26-0002', 'Fv-26 -0002', 'FV-26\u20110002', 'FV-26-\u00a00002'])(
  'FV-26-0002 went out, %s in a later night waits for a person, and goes out once released',
  async (spelling) => {
    await using scene = await openScene();
    scene.drop('ventes-1.csv', sales(['FV-26-0002', 'FV-26-0003']));
    await scene.night();
    scene.drop('ventes-2.csv', sales([spelling, 'FV-26-0004']));
    await scene.night();
    expect(numbersOut(scene)).toEqual(['FV-26-0002', 'FV-26-0003', 'FV-26-0004']);
    const [held] = (await scene.entries()).filter(({ state }) => state === 'held');
    expect([held?.facts.identifier, held?.hold?.rule]).toEqual([spelling, 'number-spelling']);
    expect(held?.hold?.says).toContain('FV-26-0002');
    // The same document in another export changes nothing, nor does reading it again.
    scene.drop('ventes-3.csv', sales([spelling, 'FV-26-0005']));
    await does(scene, 'reprocess', held!.id);
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ authorized: 4, held: 1, duplicate: 1 });
    await does(scene, 'release', held!.id);
    await scene.night();
    expect(numbersOut(scene)).toContain(spelling);
    expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
  },
);

test('the small letters came first: the capitals wait', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['fa-1']));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['FA-1']));
  scene.drop('ventes-3.csv', sales(['Fa-1']));
  await scene.night();
  expect(await statesOf(scene)).toEqual([
    ['FA-1', 'held', 'number-spelling'],
    ['Fa-1', 'held', 'number-spelling'],
    ['fa-1', 'authorized'],
  ]);
});

test('two spellings in one file: both stop, and one spelling makes one document of them', async () => {
  await using scene = await openScene();
  const [header, first, second] = sales(['FA-1']).split('\n');
  scene.drop('ventes-1.csv', [header, first, second!.replace('FA-1', 'fa-1'), ''].join('\n'));
  await scene.night();
  expect(await statesOf(scene)).toEqual([
    ['FA-1', 'held', 'number-spelling'],
    ['fa-1', 'held', 'number-spelling'],
  ]);
  await does(scene, 'fix', await idOf(scene, 'fa-1'), 'Num=FA-1');
  await scene.night();
  expect(numbersOut(scene)).toEqual(['FA-1']);
});

test('two spellings in one file, the second cannot be read: the first stops as well', async () => {
  await using scene = await openScene();
  const [header, first, second] = sales(['FA-1']).split('\n');
  scene.drop('ventes-1.csv', [header, first, second!.replace('FA-1', 'fa-1').replace(';2;2;', ';2;x;'), ''].join('\n'));
  await scene.night();
  expect(await statesOf(scene)).toEqual([
    ['FA-1', 'held', 'number-spelling'],
    ['fa-1', 'invalid'],
  ]);
});

test('a document set aside or never sent leaves its number free, and is held when corrected later', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['fa-1'], 'x'));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['FA-1']));
  await scene.night();
  expect(await statesOf(scene)).toEqual([
    ['FA-1', 'authorized'],
    ['fa-1', 'invalid'],
  ]);
  scene.drop('ventes-3.csv', sales(['fa-1']));
  await scene.night();
  expect(await statesOf(scene)).toContainEqual(['fa-1', 'held', 'number-spelling']);
});

test('another year, another number: nothing waits', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['FA-1', 'FA-11']));
  await scene.night();
  scene.drop('ventes-2.csv', sales(['fa-1']).replaceAll('/2026', '/2025'));
  scene.drop('ventes-3.csv', sales(['FA-1-1', 'fa-12']));
  await scene.night();
  expect((await scene.entries()).filter(({ state }) => state !== 'authorized')).toEqual([]);
});
