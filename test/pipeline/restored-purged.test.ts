/** A ledger of before a purge does not know what was sent and removed since: nothing of it is sent again, in any form. */
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
  'a document that was %s when the backup was made may have been sent',
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
    expect(await scene.entries()).toMatchObject([{ state: 'held', hold: { rule: 'restored' } }]);
  },
);
