/** The cell that `errors` names is the one to mend, and the command it prints does so. */
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING } from '../night.ts';
import { commandIn } from '../program.ts';

const HEADER = 'Type;Num;Date;Client;Lig;Qte;PU;Taux';
const SIGNED = SALES_MAPPING.replace('ROUND($Qte * $PU, 2)', 'IF($Type = "AV", -$Qte, $Qte) * $PU');

test('an empty quantity after a condition: the empty cell, its row, and a fix that works as printed', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': SIGNED } });
  const rows = ['FA;F1;05/09/2026;C;1;2;10,50;20', 'FA;F1;05/09/2026;C;2;;10,50;20'];
  scene.drop('ventes.csv', [HEADER, ...rows, ''].join('\n'));
  await scene.night();
  const [entry] = await scene.entries();
  expect(entry!.faults).toMatchObject([{ code: 'map/empty-in-formula', origin: { row: 3, column: 'Qte' } }]);
  expect((await commandIn(scene, 'errors')).out).toContain('  ventes.csv:3 Qte  ');
  const [, cell] = /nightpost fix F1 (\S+) --reason/.exec((await commandIn(scene, 'errors', '--group', 'cause')).out)!;
  expect(cell).toBe('Qte@3=VALUE');
  await commandIn(scene, 'fix', 'F1', cell!.replace('VALUE', '4'), '--reason', 'as delivered');
  await scene.night();
  expect((await scene.entries()).map(({ state }) => state)).toEqual(['authorized']);
});

test('an empty type is an answer to the condition: the quantity is to blame; the same in all rows, without a row', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': SIGNED } });
  const rows = [';F1;05/09/2026;C;1;;10,50;20', ';F1;05/09/2026;C;2;;10,50;20'];
  scene.drop('ventes.csv', [HEADER, ...rows, ''].join('\n'));
  await scene.night();
  const [entry] = await scene.entries();
  expect(entry!.faults.map(({ origin }) => origin?.column)).toEqual(['Qte', 'Qte']);
  expect((await commandIn(scene, 'errors', '--group', 'cause')).out).toContain(' nightpost fix F1 Qte=VALUE --reason');
});

test('an empty number after a condition: the empty cell is named', async () => {
  const mapping = SALES_MAPPING.replace('identifier: $Num,', `identifier: '= IF($Type = "AV", $Avoir, $Num)',`).replace(
    'one-per: [Num]',
    'one-per: [Client]',
  );
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  scene.drop('ventes.csv', `${HEADER};Avoir\n;;05/09/2026;C;1;2;10,50;20;A1\n`);
  await scene.night();
  const [entry] = await scene.entries();
  expect(entry!.faults).toMatchObject([{ code: 'fr-invoice/no-number', origin: { row: 2, column: 'Num' } }]);
});
