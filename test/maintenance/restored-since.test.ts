/** A document that waited for its correction when the backup was made, and was sent since: its receipt of then is lost. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

const BY: Readonly<Record<string, (scene: Scene) => unknown>> = {
  'an export': (scene) => scene.drop('ventes-2.csv', sales(['C1'], '3')),
  'a person': (scene) => commandIn(scene, 'fix', 'C1', 'Qte=3', '--reason', 'typo', '--by', 'anna'),
};
const LOST: Readonly<Record<string, RegExp>> = {
  'its receipt': /C1\.(receipt|payload)\.json$/,
  'all receipts and summaries': /\.json$/,
};

test.each(
  Object.keys(BY).flatMap((by) =>
    Object.keys(LOST).flatMap((lost) => ['invalid', 'rejected'].map((state) => [state, by, lost] as const)),
  ),
)('%s, corrected by %s, lost: %s', async (state, by, lost) => {
  await using scene = await openScene();
  const copy = join(scene.root, 'copy.sqlite');
  const isRejected = state === 'rejected';
  if (isRejected) scene.sandbox.script([{ answer: { code: 6 }, match: { act: 'submit' } }]);
  scene.drop('ventes.csv', sales(['C1'], isRejected ? '2' : '2O'));
  await scene.night();
  scene.sandbox.script([]);
  expect(await scene.entries()).toMatchObject([{ state }]);
  await commandIn(scene, 'backup', copy);
  await BY[by]!(scene);
  await scene.night();
  expect(await scene.entries()).toMatchObject([{ state: 'authorized' }]);
  const sent = scene.sandbox.requests().fr.submit;
  const written = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  for (const path of written.filter((one) => LOST[lost]!.test(one))) rmSync(join(scene.root, path));
  expect(await commandIn(scene, 'ledger', 'restore', copy)).toMatchObject({ code: 0 });
  await scene.night();
  expect(await commandIn(scene, 'ledger', 'end-quarantine', 'compared')).toMatchObject({ code: 0 });
  scene.drop('ventes-3.csv', sales(['C1'], '5'));
  await scene.night();
  expect(scene.sandbox.requests().fr.submit).toBe(sent);
  expect((await scene.entries()).map((one) => one.state)).toContain('held');
});
