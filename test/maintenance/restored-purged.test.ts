/** A ledger of before a purge does not know what was sent and removed since: nothing of it is sent again, in any form. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const WHY = ['--reason', 'as agreed', '--by', 'anna'];
const backup = (scene: Scene) => commandIn(scene, 'backup', join(scene.root, 'copy.sqlite'));

/** Everything of that client goes; then the ledger is that of before. */
async function purgedAndRestored(scene: Scene, client: string): Promise<void> {
  expect(await commandIn(scene, 'purge', '--subject', client, ...WHY)).toMatchObject({ code: 0 });
  expect(await commandIn(scene, 'ledger', 'restore', join(scene.root, 'copy.sqlite'))).toMatchObject({ code: 0 });
  await scene.night();
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
}

test.each(['FV-0001', 'fv-0001', 'FV/1'])('its number in any spelling is held: %s', async (number) => {
  await using scene = await openScene();
  await backup(scene);
  scene.drop('ventes.csv', sales(['FV-0001']));
  await scene.night();
  await purgedAndRestored(scene, 'Client FV-0001');
  scene.drop('ventes-2.csv', sales([number]));
  await scene.night();
  expect(await scene.entries()).toMatchObject([{ state: 'held', hold: { rule: 'restored' } }]);
  expect(scene.sandbox.requests().fr.submit).toBe(1);
});

const WAITING = {
  held: { quantity: '90', code: undefined, act: 'release' },
  failed: { quantity: '2', code: 4, act: 'retry' },
} as const;

test.each(Object.keys(WAITING) as (keyof typeof WAITING)[])(
  'a document that was %s when the backup was made is purged once more, and is not sent',
  async (state) => {
    const { quantity, code, act } = WAITING[state];
    await using scene = await openScene({ settings: { run: { hold: { over: { EUR: '1000' } } } } });
    if (code) scene.sandbox.script([{ answer: { code }, match: { act: 'submit' } }]);
    scene.drop('ventes.csv', sales(['C1'], quantity));
    await scene.night();
    expect(await scene.entries()).toMatchObject([{ state }]);
    scene.sandbox.script([]);
    await backup(scene);
    await commandIn(scene, act, 'C1', ...WHY);
    await scene.night();
    await purgedAndRestored(scene, 'Client C1');
    const [entry] = await scene.entries();
    expect(entry).toMatchObject({ state: 'duplicate', purged: { what: ['receipts', 'content'], ofSubject: true } });
    expect(entry?.hold).toBeUndefined();
    expect(await commandIn(scene, act, 'C1', ...WHY)).toMatchObject({ code: 3 });
    await scene.night();
    scene.drop('ventes-2.csv', sales(['C1', 'C2-X6'], quantity));
    await scene.night();
    const again = (await scene.entries()).find(({ facts, purged }) => facts.identifier === 'C1' && !purged);
    expect(again).toMatchObject({ state: 'held', hold: { rule: 'restored' } });
    expect(scene.sandbox.acceptances()).toContainEqual(expect.objectContaining({ number: 'C1', accepted: 1 }));
  },
);

test('a document that was set aside unsent is no reason to take a new export of it for a duplicate', async () => {
  await using scene = await openScene({ settings: { run: { hold: { over: { EUR: '1000' } } } } });
  scene.drop('ventes.csv', sales(['C1', 'C2'], '90'));
  await scene.night();
  await backup(scene);
  expect(await commandIn(scene, 'set-aside', 'C1', ...WHY)).toMatchObject({ code: 0 });
  await purgedAndRestored(scene, 'Client C1');
  scene.drop('ventes-2.csv', sales(['C1'], '90'));
  await scene.night();
  expect((await scene.entries()).map(({ facts, state, hold }) => [facts.identifier, state, hold?.rule]).sort()).toEqual(
    [
      ['C1', 'duplicate', undefined],
      ['C1', 'held', 'restored'],
      ['C2', 'held', 'amount-over'],
    ],
  );
  expect(await commandIn(scene, 'release', 'C1', ...WHY)).toMatchObject({ code: 0 });
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(1);
  expect(await commandIn(scene, 'ledger', 'restore', join(scene.root, 'copy.sqlite'))).toMatchObject({ code: 0 });
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('ventes-3.csv', sales(['C1', 'C3'], '91'));
  await scene.night();
  const [again] = (await scene.entries()).filter(
    ({ facts, file }) => facts.identifier === 'C1' && file.name === 'ventes-3.csv',
  );
  expect(again).toMatchObject({ state: 'conflict' });
});

const written = (scene: Scene) => ['outbox', 'pending', 'error', 'reports'].flatMap((folder) => scene.files(folder));

test.each(['rebuild', 'restore of before', 'restore of between', 'restore of after'])(
  'nothing of a purged person comes back where an export stays for others: %s',
  async (way) => {
    await using scene = await openScene();
    if (way === 'restore of before') await backup(scene);
    scene.drop('ventes-1.csv', sales(['C1', 'C2'], '2O'));
    await scene.night();
    if (way === 'restore of between') await backup(scene);
    scene.drop('ventes-2.csv', sales(['C1', 'C2']));
    await scene.night();
    // Of the same person: a duplicate.
    scene.drop('ventes-3.csv', sales(['C1', 'C3']));
    await scene.night();
    expect(await commandIn(scene, 'purge', '--subject', 'Client C1', ...WHY)).toMatchObject({ code: 0 });
    if (way === 'restore of after') await backup(scene);
    const how = way === 'rebuild' ? ['rebuild'] : ['restore', join(scene.root, 'copy.sqlite')];
    for (let recovery = 1; recovery <= 2; recovery++) {
      if (way === 'rebuild') rmSync(join(scene.root, 'state'), { recursive: true });
      expect(await commandIn(scene, 'ledger', ...how)).toMatchObject({ code: 0 });
      await scene.night();
      expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
      expect(written(scene).filter((path) => scene.read(path).includes('Client C1'))).toEqual([]);
      expect(readFileSync(join(scene.root, 'state/ledger.sqlite'), 'latin1')).not.toContain('Client C1');
      const others = (await scene.entries()).filter(({ facts }) => facts.identifier !== 'C1');
      expect(others.map(({ facts, state }) => `${facts.identifier} ${state}`).sort()).toEqual([
        'C2 authorized',
        'C3 authorized',
      ]);
      expect((await commandIn(scene, 'verify')).out).not.toMatch(/verify\/(?!response)/);
    }
    scene.drop('ventes-4.csv', sales(['C1'], '3'));
    await scene.night();
    expect(scene.sandbox.requests().fr.submit).toBe(3);
  },
);
