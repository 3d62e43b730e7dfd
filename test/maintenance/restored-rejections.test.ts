/** A ledger that is restored or rebuilt, in which a document was rejected and its correction was never sent. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/runs/open-run.ts';
import type { RuleInput } from '../../src/sandbox/scenario-schema.ts';
import { openScene, sales, tally } from '../night.ts';
import { commandIn } from '../program.ts';

/** What a person has made of a rejected document, which was not sent since. */
const MADE: { readonly [how: string]: readonly (readonly string[])[] } = {
  'a correction that was undone': [
    ['fix', 'L2-X6', 'Qte=7', '--reason', 'a try'],
    ['undo', 'L2-X6', '--reason', 'wrong'],
  ],
  'an invalid correction': [['fix', 'L2-X6', 'Qte=7O', '--reason', 'a try']],
  'a held correction': [['fix', 'L2-X6', 'Qte=90', '--reason', 'a try']],
};
const RESTORES = {
  'a backup from after the rejection': { isKnown: true, isRebuilt: false },
  'a backup from before the night': { isKnown: false, isRebuilt: false },
  rebuild: { isKnown: false, isRebuilt: true },
};

test.each(
  Object.entries(MADE).flatMap(([how, acts]) => Object.keys(RESTORES).map((from) => [how, from, acts] as const)),
)('what the service has rejected is not sent again, nor its number without a person: %s, %s', async (_, from, acts) => {
  await using scene = await openScene({ settings: { run: { hold: { over: { EUR: '1000' } } } } });
  const { isKnown, isRebuilt } = RESTORES[from as keyof typeof RESTORES];
  if (!isKnown) await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
  scene.drop('ventes.csv', sales(['L2-X6']));
  await scene.night();
  if (isKnown) await commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));
  for (const act of acts) await commandIn(scene, ...act);
  if (isRebuilt) rmSync(join(scene.root, 'state'), { recursive: true });
  const back = isRebuilt ? ['rebuild'] : ['restore', join(scene.root, 'copy.sqlite')];
  expect((await commandIn(scene, 'ledger', ...back)).code).toBe(0);
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  scene.drop('ventes-again.csv', sales(['L2-X6']).replaceAll('\n', '\r\n'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  expect(tally(await scene.entries())).not.toHaveProperty('ready');
  expect((await commandIn(scene, 'verify')).out).not.toContain('verify/state-differs');
  scene.drop('ventes-new.csv', sales(['L2-X6'], '7'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(isKnown ? 2 : 1);
});

/** How many contents the backup has of the two that the service has rejected. */
const BACKUPS = { 'a backup of before': 0, 'a backup from between': 1, 'a backup from after': 2, rebuild: 0 };

test.each(Object.keys(BACKUPS))(
  'what the service rejected before a correction that it rejected too is not sent again: %s',
  async (from) => {
    await using scene = await openScene();
    const copy = join(scene.root, 'copy.sqlite');
    const known = BACKUPS[from as keyof typeof BACKUPS];
    const take = async (contents: number) => {
      if (known === contents) await commandIn(scene, 'backup', copy);
    };
    await take(0);
    scene.drop('ventes.csv', sales(['L2-X6']));
    await scene.night();
    await take(1);
    await commandIn(scene, 'fix', 'L2-X6', 'Qte=7', '--reason', 'a try');
    await scene.night();
    await take(2);
    expect(scene.sandbox.requests().fr.submit).toBe(2);
    if (from === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
    const back = from === 'rebuild' ? ['rebuild'] : ['restore', copy];
    expect((await commandIn(scene, 'ledger', ...back)).code).toBe(0);
    expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
    for (const quantity of ['2', '7']) {
      scene.drop(`ventes-${quantity}.csv`, sales(['L2-X6'], quantity).replaceAll('\n', '\r\n'));
      await scene.night();
    }
    expect(tally(await scene.entries())).not.toHaveProperty('ready');
    expect(scene.sandbox.requests().fr.submit).toBe(2);
    scene.drop('ventes-new.csv', sales(['L2-X6'], '8'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(known > 0 ? 3 : 2);
  },
);

type Way = {
  /** What the service answers about the correction, before the ledger is lost; absent: the correction is not sent. */
  readonly answer?: RuleInput['answer'];
  readonly acts: readonly (readonly string[])[];
};

const REASON = ['--reason', 'checked at the service', '--by', 'anna'];
const REJECTED = ['resolve', 'L2', '--as', 'rejected', ...REASON];

/** How a document that was rejected before it was corrected is rejected once more, after its ledger was lost. */
const WAYS: { readonly [how: string]: Way } = {
  'in doubt, and a person records it': { answer: { drop: 'before' }, acts: [REJECTED] },
  'returned, and a person records it': { answer: { code: 15 }, acts: [REJECTED] },
  'under way, and a person records it': { answer: { code: 8 }, acts: [REJECTED] },
  'in doubt, and the service says it': { answer: { drop: 'after', code: 6 }, acts: [['consult', 'L2']] },
  'failed, and sent again': { answer: { code: 4 }, acts: [['retry', 'L2', ...REASON]] },
  'held, and released': { acts: [['release', 'L2', ...REASON]] },
  'rejected, and its next correction released': {
    answer: { code: 6 },
    acts: [
      ['fix', 'L2', 'Qte=8', ...REASON],
      ['release', 'L2', ...REASON],
    ],
  },
  'rejected, set aside and taken back': {
    answer: { code: 6 },
    acts: [
      ['set-aside', 'L2', ...REASON],
      ['undo', 'L2', ...REASON],
    ],
  },
};

test.each(Object.keys(WAYS))('content that a rebuilt ledger does not know waits for a person: %s', async (how) => {
  await using scene = await openScene({ settings: { run: { hold: { over: { EUR: '1000' } } } } });
  const { answer, acts } = WAYS[how]!;
  const answerWith = (given: RuleInput['answer']) =>
    scene.sandbox.script([{ answer: given, match: { act: 'submit' } }]);
  answerWith({ code: 6 });
  scene.drop('ventes.csv', sales(['L2']));
  await scene.night();
  if (answer) answerWith(answer);
  await commandIn(scene, 'fix', 'L2', `Qte=${answer ? 7 : 90}`, ...REASON);
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(answer ? 2 : 1);
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  answerWith({ code: 6 });
  for (const act of acts) {
    expect(await commandIn(scene, ...act)).toMatchObject({ err: '' });
    await scene.night();
  }
  expect(tally(await scene.entries())).toEqual({ rejected: 1 });
  const sent = scene.sandbox.requests().fr.submit;
  scene.drop('ventes-old.csv', sales(['L2']).replaceAll('\n', '\r\n'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(sent);
  expect(tally(await scene.entries())).toEqual({ held: 1 });
  expect((await commandIn(scene, 'verify')).out).not.toContain('verify/state-differs');
});

/** What a person has made of a rejected document, so that its number is no longer the one that it had. */
const RENUMBERED: { readonly [how: string]: readonly (readonly string[])[] } = {
  'another number': [['fix', 'L2', 'Num=L9', ...REASON]],
  'another number, and another one': [
    ['fix', 'L2', 'Num=L9-X6', ...REASON],
    ['fix', 'L9-X6', 'Num=L10', ...REASON],
  ],
  'the number of another document': [['fix', 'L2', 'Num=L3', ...REASON]],
  'rows of another document': [['fix', 'L4', 'Num=L2', 'Lig@4=8', 'Lig@5=9', ...REASON]],
};

test.each(Object.keys(RENUMBERED).flatMap((how) => [false, true].map((isRebuilt) => [how, isRebuilt] as const)))(
  'an earlier number of a document stays taken: %s, rebuilt: %s',
  async (how, isRebuilt) => {
    await using scene = await openScene();
    scene.sandbox.script([{ answer: { code: 6 }, match: { act: 'submit', regex: 'L[24]' } }]);
    scene.drop('ventes.csv', sales(['L2', 'L4', 'L3']));
    await scene.night();
    for (const act of RENUMBERED[how]!) {
      await commandIn(scene, ...act);
      await scene.night();
    }
    const sent = scene.sandbox.requests().fr.submit;
    const before = (await scene.entries()).map(({ id, identity }) => [id, identity]);
    if (isRebuilt) {
      rmSync(join(scene.root, 'state'), { recursive: true });
      expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
      expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
      expect((await scene.entries()).map(({ id, identity }) => [id, identity])).toEqual(before);
    }
    scene.sandbox.script([]);
    scene.drop('ventes-old.csv', sales(['L2', 'L4']).replaceAll('\n', '\r\n'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(sent);
    expect((await commandIn(scene, 'verify')).out).not.toContain('verify/receipt');
  },
);

test('a rebuilt ledger knows which content was sent, also where the export of the next one was taken before', async () => {
  await using scene = await openScene();
  scene.sandbox.script([{ answer: { code: 6 }, match: { act: 'submit' } }]);
  scene.drop('ventes.csv', sales(['L2']));
  await scene.night();
  scene.drop('ventes-b.csv', sales(['L2'], '3'));
  // As if it had waited for its turn, or on another machine.
  await scene.night({ clock: { ...systemClock, now: () => new Date(Date.now() - 3_600_000) } });
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  rmSync(join(scene.root, 'state'), { recursive: true });
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  scene.drop('ventes-old.csv', sales(['L2']).replaceAll('\n', '\r\n'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  expect(tally(await scene.entries())).toEqual({ held: 1 });
});

test('what a rebuilt ledger has sent under an id of its own is not sent again by a backup of before', async () => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  scene.sandbox.script([{ answer: { code: 6 }, match: { act: 'submit' } }]);
  scene.drop('ventes.csv', sales(['L2']));
  await scene.night();
  await commandIn(scene, 'backup', copy);
  rmSync(join(scene.root, 'state'), { recursive: true });
  for (const path of scene.files('error').filter((one) => one.includes('L2'))) rmSync(join(scene.root, path));
  expect((await commandIn(scene, 'ledger', 'rebuild')).code).toBe(0);
  await scene.night();
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  scene.sandbox.script([]);
  expect((await commandIn(scene, 'release', 'L2', ...REASON)).code).toBe(0);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
  expect((await commandIn(scene, 'ledger', 'restore', copy)).code).toBe(0);
  expect((await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).code).toBe(0);
  expect(tally(await scene.entries())).toEqual({ rejected: 1, authorized: 1 });
  scene.drop('ventes-new.csv', sales(['L2'], '3'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(2);
  expect(tally(await scene.entries())).toEqual({ held: 1, authorized: 1 });
  // Its receipt has another name than before, and is nowhere under the former one.
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});
