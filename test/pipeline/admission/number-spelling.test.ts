/** A number that differs from an earlier one in its spelling only: the later document waits for a person. */
import { expect, test } from 'vitest';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

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

/** What a spreadsheet, or a person who types, makes of a number. */
const DAMAGED = [
  ['FV-0001', 'FV-1'],
  ['000123', '123'],
  ["'FV-1", 'FV-1'],
  ['12', '12,00'],
  ['FV-1', 'FV/1'],
  ['2026-001', '2026-01'],
  ['000', '0'],
] as const;

test.each(DAMAGED)('%s went out, %s in a later night waits, whichever comes first', async (one, other) => {
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    await using scene = await openScene();
    scene.drop('ventes-1.csv', sales([first, 'X-5']));
    await scene.night();
    scene.drop('ventes-2.csv', sales([second, 'X-6']));
    await scene.night();
    const held = [second, 'held', 'number-spelling'];
    expect(await statesOf(scene)).toEqual(
      [held, [first, 'authorized'], ['X-5', 'authorized'], ['X-6', 'authorized']].toSorted(),
    );
    expect((await scene.entries()).find(({ state }) => state === 'held')?.hold?.says).toContain(first);
  }
});

test.each(DAMAGED)('%s and %s in one night: the later one waits; in one file both stop', async (one, other) => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales([one]));
  scene.drop('ventes-2.csv', sales([other]));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, held: 1 });
  await using together = await openScene();
  together.drop('ventes-1.csv', sales([one, other]));
  await together.night();
  expect(tally(await together.entries())).toEqual({ held: 2 });
  expect(numbersOut(together)).toEqual([]);
});

test('numbers whose digits differ go out: no run of digits joins another', async () => {
  await using scene = await openScene();
  const numbers = [
    '1-01',
    '10-1',
    '1-10',
    '101',
    '1-23',
    '12-3',
    '123',
    '12,50',
    '12,05',
    '12,5',
    '1250',
    '0',
    '10',
    '100',
    'F-10',
    'F-1',
    'F-100',
  ];
  scene.drop('ventes-1.csv', sales(numbers));
  await scene.night();
  expect(numbersOut(scene)).toEqual(numbers.toSorted());
});

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
