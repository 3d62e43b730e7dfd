/** A night of the console is what its exports brought: a correction, or a run that only asks, changes neither its size nor its place. */
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { nightTotals } from '../../../src/views/reporting/night-totals.ts';
import type { NightReport } from '../../../src/views/reporting/report-shape.ts';
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
  const runs = (await ledger.runs.list(9)).toReversed();
  const read: number[] = [];
  for (const { id } of runs) read.push((await nightTotals(ledger.reports, id)).documents.read);
  expect(read).toEqual([3, 0]);
  // The first page shows the latest run that has exports.
  expect(runs.map(({ totals }) => totals?.files)).toEqual([1, 0]);
});

test('a correction file of an earlier export reads no document, and what it sends is settled', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['A1', 'A2', 'A3']).replace('Client A2;1;2', 'Client A2;1;2O'));
  const first = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
  expect(first.balance.documents).toMatchObject({ read: 3, sent: 2, waiting: 1 });
  const path = scene.files('error').find((one) => one.endsWith('.to-fix.csv')) ?? '';
  scene.drop(basename(path), scene.read(path).replace(';2O;', ';2;'));
  scene.drop('ventes-2.csv', sales(['B1']));
  const second = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
  expect(second.balance.documents).toMatchObject({ read: 1, sent: 1, difference: 0 });
  expect(second.settled?.documents).toMatchObject({ sent: 1, waiting: 0 });
  expect(await scene.look((ledger) => nightTotals(ledger.reports, second.run))).toMatchObject({
    documents: { read: 1 },
  });
});

test('a correction file that comes with its export corrects a document of the same night', async () => {
  await using scene = await openScene();
  scene.drop('ventes-1.csv', sales(['A1', 'A2']).replace('Client A2;1;2', 'Client A2;1;2O'));
  // The report of the first run was never written: the second one has both.
  await scene.desk(({ ledger }) => ledger.maintenance.openReportWindow('2000-01-01T00:00:00.000Z'));
  await scene.night();
  const path = scene.files('error').find((one) => one.endsWith('.to-fix.csv')) ?? '';
  scene.drop(basename(path), scene.read(path).replace(';2O;', ';2;'));
  const both = JSON.parse((await commandIn(scene, 'run', '--json')).out) as NightReport;
  expect(both.balance.documents).toMatchObject({ read: 2, sent: 2, difference: 0 });
});
