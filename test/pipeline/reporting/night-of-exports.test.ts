/** A night of the console is what its exports brought: a correction, or a run that only asks, changes neither its size nor its place. */
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { ledgerPlaceOf } from '../../../src/pipeline/open-run.ts';
import { nightTotals } from '../../../src/pipeline/reporting/night-totals.ts';
import { openScene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

test('a night that read three documents has three after one of them was corrected', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(['F1', 'F2', 'F3']).replaceAll(/(?<=F2;.*;\d;)2(?=;)/g, '2O'));
  expect((await commandIn(scene, 'run')).code).toBe(3);
  const corrected = await commandIn(scene, 'fix', 'F2', 'Qte=2', '--yes', '--reason', 'typing error');
  expect(corrected).toMatchObject({ code: 0 });
  expect((await commandIn(scene, 'run')).code).toBe(0);
  await using ledger = await openLedger({ ...ledgerPlaceOf(scene.instance()), readOnly: true });
  const runs = (await ledger.runs(9)).toReversed();
  const read: number[] = [];
  for (const { id } of runs) read.push((await nightTotals(ledger, id)).documents.read);
  expect(read).toEqual([3, 0]);
  // The first page shows the latest run that has exports.
  expect(runs.map(({ totals }) => totals?.files)).toEqual([1, 0]);
});
