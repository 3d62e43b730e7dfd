/** Rows of one document that spell its number in two ways: none of them goes out without the others. */
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

const HEADER = 'Num;Date;Client;Lig;Qte;PU;Taux';
const line = (number: string, n: number, quantity = '2') => `${number};05/09/2026;Client;${n};${quantity};10,50;20`;
const file = (...lines: readonly string[]) => `${[HEADER, ...lines].join('\n')}\n`;

/** The number goes out in capitals, so `fa-1` and `FA-1` are the same; the key of the groups is the cell. */
const MAPPING = SALES_MAPPING.replace('identifier: $Num', 'identifier: = UPPER($Num)');

const openCapitals = () => openScene({ mappings: { 'sales.yaml': MAPPING } });

const statesOf = async (scene: Scene) =>
  (await scene.entries()).map(({ rows, state, hold }) => [rows[0], state, ...(hold ? [hold.rule] : [])]);

const numbersOut = (scene: Scene) => scene.sandbox.acceptances().map(({ number }) => number);

async function does(scene: Scene, ...command: readonly string[]): Promise<void> {
  const ended = await commandIn(scene, ...command, '--reason', 'looked at it');
  expect([command[0], ended.code, ended.code === 2 ? ended.err : '']).toEqual([command[0], expect.any(Number), '']);
}

const idAt = async (scene: Scene, row: number) => (await scene.entries()).find(({ rows }) => rows[0] === row)!.id;

test('one number in two spellings holds both documents, the others are sent, and the same export changes nothing', async () => {
  await using scene = await openCapitals();
  scene.drop('ventes-1.csv', file(line('fa-1', 1), line('FA-1', 2), line('G1', 1)));
  await scene.night();
  expect(numbersOut(scene)).toEqual(['G1']);
  const stopped = [
    [2, 'held', 'number-twice'],
    [3, 'conflict'],
  ];
  expect(await statesOf(scene)).toEqual([...stopped, [4, 'authorized']]);
  const [receipt] = scene.files('pending').filter((path) => path.endsWith('FA-1.receipt.json'));
  expect(JSON.parse(scene.read(receipt!))).toMatchObject({ state: 'held', hold: { rule: 'number-twice' } });
  // Nothing that was held goes out by the way of a correction, in whatever order its rows come.
  scene.drop('ventes-2.csv', file(line('fa-1', 1), line('FA-1', 2), line('H1', 1)));
  scene.drop('ventes-3.csv', file(line('FA-1', 2), line('fa-1', 1), line('I1', 1)));
  await scene.night();
  expect(numbersOut(scene).toSorted()).toEqual(['G1', 'H1', 'I1']);
  // The ERP has corrected it: one document with both lines.
  scene.drop('ventes-4.csv', file(line('FA-1', 1), line('FA-1', 2)));
  await scene.night();
  expect(numbersOut(scene).toSorted()).toEqual(['FA-1', 'G1', 'H1', 'I1']);
  expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
});

test('the second one cannot be read: the first one stops as well', async () => {
  await using scene = await openCapitals();
  scene.drop('ventes-1.csv', file(line('fa-1', 1), line('FA-1', 2, 'x'), line('G1', 1)));
  await scene.night();
  expect(numbersOut(scene)).toEqual(['G1']);
  expect(await statesOf(scene)).toEqual([
    [2, 'held', 'number-twice'],
    [3, 'invalid'],
    [4, 'authorized'],
  ]);
  // Read again it still stops; the correction of the other one does not let it go either.
  await does(scene, 'reprocess', await idAt(scene, 2));
  await does(scene, 'fix', await idAt(scene, 3), 'Qte=2');
  await scene.night();
  expect(numbersOut(scene)).toEqual(['G1']);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, held: 1, conflict: 1 });
});

test('a person says which of them it is: released, given another number, or set aside', async () => {
  await using scene = await openCapitals();
  const pairs = [1, 2, 3].flatMap((n) => [line(`fa-${n}`, 1), line(`FA-${n}`, 2)]);
  scene.drop('ventes-1.csv', file(...pairs));
  await scene.night();
  expect(numbersOut(scene)).toEqual([]);
  expect(tally(await scene.entries())).toEqual({ held: 3, conflict: 3 });
  // All of them read again, by somebody who has not looked: nothing goes out.
  for (const state of ['held', 'conflict']) await does(scene, 'reprocess', '--state', state, '--yes');
  expect(tally(await scene.entries())).toEqual({ held: 3, conflict: 3 });
  await does(scene, 'release', await idAt(scene, 2));
  await does(scene, 'fix', await idAt(scene, 5), 'Num=FA-9');
  await does(scene, 'reject', await idAt(scene, 6));
  await scene.night();
  expect(numbersOut(scene).toSorted()).toEqual(['FA-1', 'FA-9']);
  expect(await statesOf(scene)).toEqual([
    [2, 'authorized'],
    [3, 'conflict'],
    [4, 'held', 'number-twice'],
    [5, 'authorized'],
    [6, 'invalid'],
    [7, 'conflict'],
  ]);
});

test('two documents become one and are sent whole after a correction spells their number alike', async () => {
  await using scene = await openCapitals();
  scene.drop('ventes-1.csv', file(line('fa-1', 1), line('FA-1', 2)));
  await scene.night();
  await does(scene, 'fix', await idAt(scene, 2), 'Num=FA-1');
  await scene.night();
  expect((await scene.entries()).map(({ rows, state }) => [rows, state])).toEqual([
    [[2, 3], 'authorized'],
    [[], 'duplicate'],
  ]);
  expect(numbersOut(scene)).toEqual(['FA-1']);
});

test('the first of two files of one night stays sent, the second is a conflict', async () => {
  await using scene = await openCapitals();
  scene.drop('ventes-1.csv', sales(['fa-1']));
  scene.drop('ventes-2.csv', sales(['FA-1'], '3'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1, conflict: 1 });
});
