/** A row without a number that a person sets aside is no document: what waited for it goes out when it is read again. */
import { describe, expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

const [HEAD, ...LINES] = sales(['F1', 'F2', 'F3', 'F4', 'F5', 'F6']).trim().split('\n');
const exported = (without: RegExp) => {
  const rows = LINES.filter((_, n) => n % 2 === 0).map((row) => row.replace(without, ';'));
  return `${[HEAD, ...rows].join('\n')}\n`;
};

async function night(per: string, text: string): Promise<Scene> {
  const scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING.replace('one-per: [Num]', per) } });
  scene.drop('ventes.csv', text);
  await scene.night();
  return scene;
}

const rowName = async (scene: Scene, row: number) => (await scene.entries()).find(({ rows }) => rows[0] === row)!.name;

describe.each([
  ['one-per: [Num]', 2],
  ['one-per: [Num]\n  rows: anywhere', 5],
  ['one-per: [Num, Date]', 5],
  ['one-per: [Num, Date]\n  rows: anywhere', 5],
])('%s', (per, waiting) => {
  test.each([
    ['by their cause', ['--cause', 'map/beside-broken-row']],
    ['by the name of the file', ['ventes.csv']],
  ])('documents that waited for a row that is set aside go out when they are reprocessed %s', async (_what, which) => {
    await using scene = await night(per, exported(/^F4;/));
    expect(tally(await scene.entries())).toEqual({
      ...(waiting === 5 ? {} : { authorized: 5 - waiting }),
      invalid: waiting + 1,
    });
    // A decision about the row, not about the others: nothing is let go by it alone.
    await commandIn(scene, 'reprocess', ...which, '--reason', 'try');
    await scene.night();
    expect(scene.sandbox.acceptances()).toHaveLength(5 - waiting);
    await commandIn(scene, 'reject', await rowName(scene, 5), '--reason', 'no number: a subtotal');
    await scene.night();
    expect(scene.sandbox.acceptances()).toHaveLength(5 - waiting);
    expect((await commandIn(scene, 'reprocess', ...which, '--reason', 'the row is none')).code).toBe(0);
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ authorized: 5, invalid: 1 });
    expect(scene.sandbox.acceptances()).toHaveLength(5);
    expect((await proofOf(scene.instance())).found).toEqual([]);
    const verified = await commandIn(scene, 'verify', '--all');
    expect(verified).toMatchObject({ code: 0 });
    // And it may still be one: with a number it goes out as itself.
    const fixed = await commandIn(scene, 'fix', await rowName(scene, 5), 'Num=F4', '--reason', 'found it');
    expect(fixed).toMatchObject({ code: 0 });
    await scene.night();
    expect(tally(await scene.entries())).toEqual({ authorized: 6 });
    expect((await commandIn(scene, 'verify', '--all')).code).toBe(0);
  });
});

test('all rows without a number have to be set aside, and one that is not keeps the others waiting', async () => {
  await using scene = await night('one-per: [Num]\n  rows: anywhere', exported(/^F[25];/));
  await commandIn(scene, 'reject', await rowName(scene, 3), '--reason', 'a subtotal');
  await commandIn(scene, 'reprocess', '--cause', 'map/beside-broken-row', '--reason', 'one of two');
  await scene.night();
  expect(scene.sandbox.acceptances()).toHaveLength(0);
  await commandIn(scene, 'reject', await rowName(scene, 6), '--reason', 'another');
  await commandIn(scene, 'reprocess', '--cause', 'map/beside-broken-row', '--reason', 'both');
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 4, invalid: 2 });
});

test('a document that is set aside with its number lets nothing go: a damaged row of it may be of the next one', async () => {
  await using scene = await night('one-per: [Num]', `${exported(/^F4;/)}`.replace(/^(F3;.*)$/m, '$1\nF3;cut'));
  const waiting = async () =>
    (await scene.entries()).filter(({ state }) => state === 'invalid').map(({ rows }) => rows[0]);
  const before = await waiting();
  const named = (await scene.entries()).filter(({ facts, state }) => state === 'invalid' && facts.identifier === 'F3');
  for (const { name } of named) await commandIn(scene, 'reject', name, '--reason', 'not ours');
  await commandIn(scene, 'reprocess', '--cause', 'map/beside-broken-row', '--reason', 'try');
  await scene.night();
  expect(await waiting()).toEqual(before);
});
