/**
 * The last decision is the one that was recorded last, also if the clock went back meanwhile; and an hour of an expected export can
 * only be waived if it exists, whoever asks.
 */
import { expect, test } from 'vitest';
import { carryOut } from '../../src/decisions/carry-out.ts';
import { FILE_SET_ASIDE, FILE_SET_ASIDE_UNDONE } from '../../src/model/ledger-entry.ts';
import { inUseFor, openScene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const WHY = ['--reason', 'checked'];
const EXPECT = [{ name: 'cash', files: 'ventes*.csv', by: '00:00', on: 'daily' }];
const AHEAD = '2099-01-01T00:00:00.000Z';
const BEFORE = '2026-01-01T00:00:00.000Z';
const settings = { expect: EXPECT, 'time-zone': 'UTC' };

const waiver = (due: string) => ({
  id: 'a',
  act: { act: 'waive', export: 'cash', due } as const,
  decision: { by: 'anna', at: new Date().toISOString(), reason: 'why' },
});

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test('undo takes back the waiver that was decided last, not the one of the latest day', async () => {
  await using scene = await openScene({ settings });
  await inUseFor(scene, 60);
  const [near, far] = [dayFromNow(2), dayFromNow(6)];
  for (const day of [far, near]) expect((await commandIn(scene, 'waive', 'cash', '--day', day, ...WHY)).code).toBe(0);
  const undo = async () => JSON.parse((await commandIn(scene, '--json', 'undo', 'cash', ...WHY)).out).due?.slice(0, 10);
  expect([await undo(), await undo(), await undo()]).toEqual([near, far, undefined]);
});

test.each([
  ['2031-01-01T05:17:00Z', 'another hour'],
  [`${dayFromNow(-3)}T00:00:00Z`, 'past'],
  [`${dayFromNow(0)}T00:00:00Z`, 'arrived'],
])('a request to waive %s (%s) is refused for every program', async (due) => {
  await using scene = await openScene({ settings });
  await inUseFor(scene, 60);
  scene.drop('ventes1.csv', sales(['F1']));
  await scene.night();
  await scene.look(async (ledger) => expect(await ledger.queries.exportsWaived()).toEqual([]));
  const asked = scene.desk((work) => carryOut(work, waiver(due)));
  await expect(asked).rejects.toMatchObject({ code: 'waive/not-due' });
});

test('a waiver counts for its hour, however a program writes it', async () => {
  await using scene = await openScene({ settings });
  await inUseFor(scene, 60);
  const due = `${dayFromNow(0)}T00:00:00Z`;
  await scene.desk((work) => carryOut(work, waiver(due)));
  const { expected } = JSON.parse((await commandIn(scene, '--json', 'status')).out);
  expect(expected[0]).toMatchObject({ name: 'cash', state: 'waived' });
});

test('decisions that were recorded under a clock that was ahead come before those after them', async () => {
  await using scene = await openScene({ settings });
  await scene.desk(async ({ ledger }) => {
    const decide = (what: string, at: string) =>
      ledger.corrections.recordEvent({ what, file: 'f', entry: 'e', at, person: 'anna', detail: { reason: 'x' } });
    await decide(FILE_SET_ASIDE, AHEAD);
    await decide(FILE_SET_ASIDE_UNDONE, BEFORE);
    expect([...(await ledger.queries.filesSetAside()).keys()]).toEqual([]);
    expect((await ledger.queries.historyOf('e')).map(({ at }) => at)).toEqual([AHEAD, BEFORE]);
  });
});

test('undo takes back a decision that was made after the clock was set back', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1-X6']));
  await scene.night();
  const state = async () => (await scene.entries()).map((entry) => [entry.state, entry.closed?.at]);
  const decide = async (at: string) => {
    const [entry] = await scene.entries();
    const decision = { by: 'anna', at, reason: 'x' };
    await scene.desk(({ ledger }) => ledger.submissions.resolve(entry!.id, { as: 'invalid', ...decision }));
  };
  await decide(AHEAD);
  expect((await commandIn(scene, 'undo', 'F1-X6', ...WHY)).code).toBe(0);
  await decide(BEFORE);
  expect((await state())[0]?.[1]).toBe(BEFORE);
  const undone = await commandIn(scene, 'undo', 'F1-X6', ...WHY);
  expect([undone.code, (await state())[0]?.[1]]).toEqual([0, undefined]);
});
