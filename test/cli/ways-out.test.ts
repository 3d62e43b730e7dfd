/** `errors --group` says what really gets documents out of a cause, and names them as the commands take them. */
import { expect, test } from 'vitest';
import type { Entry } from '../../src/model/entry.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../night.ts';
import { commandIn } from '../program.ts';

async function advice(scene: Scene): Promise<string> {
  const { out } = await commandIn(scene, 'errors', '--group', 'cause');
  return out.slice(out.indexOf('WHAT TO DO'));
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => `F${n + 1}`);

test('a number that is taken wants a new number, and the receipt name tells its documents apart', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(numbers(6)));
  await scene.night();
  scene.drop('ventes-2.csv', sales(numbers(6)).replaceAll(/(Client F[1-4]);/g, '$1 SA;'));
  await scene.night();
  const said = await advice(scene);
  expect(said).toMatch(/the number is taken, see nightpost show F1: give this document a number of its own in the ERP/);
  expect(said).not.toMatch(/fail like this|nightpost (fix|reprocess)/);
  const [, name] = /(F1~\w+) +number already used/.exec((await commandIn(scene, 'errors')).out)!;
  expect((await commandIn(scene, 'fix', name!, 'Qte=3', '--dry-run')).code).not.toBe(2);
});

test('copies of documents that went out speak for the mapping', async () => {
  await using scene = await openScene();
  scene.drop('ventes.csv', sales(numbers(3)));
  await scene.night();
  scene.drop('ventes-2.csv', sales(numbers(6)).replaceAll(/(F[456];05\/09\/2026;Client F[456];1;)2/g, '$12O'));
  await scene.night();
  expect(await advice(scene)).toMatch(/correct the cells in error\/.*one by one: nightpost fix F4 /);
});

test('rows that stand apart are a matter of the mapping, and so is a placeholder', async () => {
  const draft = SALES_MAPPING.replace(
    'name: Exemple SARL',
    "name: = IF($Qte = 3; 'FILL IN the name'; 'Exemple')".replaceAll("'", '"'),
  );
  await using scene = await openScene({ mappings: { 'sales.yaml': draft } });
  const [head, ...rows] = sales(['F1', 'F2', 'F3']).trim().split('\n');
  const apart = [rows[0], rows[2], rows[1], rows[3], ...rows.slice(4).map((row) => row.replace(';2;10', ';3;10'))];
  scene.drop('ventes.csv', `${[head, ...apart].join('\n')}\n`);
  await scene.night();
  const said = await advice(scene);
  expect(said).toMatch(
    /map\/key-came-back .*rows: anywhere in the mapping mappings\/sales\.yaml, then nightpost reprocess/,
  );
  expect(said).toMatch(/fr-invoice\/not-filled-in .*fill \/issuer\/name in in the mapping mappings\/sales\.yaml, then/);
  expect(said).not.toContain('nightpost fix');
});

test('each check is one cause; its way out compares values and never writes the control total', async () => {
  const checks = [
    'checks:',
    '  - { that: = SUM($net) = $Total, else: error, say: The net total differs }',
    '  - { that: = $Taux < 30, else: error, say: The rate is too high }',
    '',
  ].join('\n');
  const mapping = SALES_MAPPING.replace('Taux: number }', 'Taux: number, Total: number }') + checks;
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const rows = [
    ['F1', '2', '20', '21,00'],
    ['F2', '2', '20', '12,00'],
    ['F3', '2', '30', '21,00'],
    ['F4', '2', '20', '21,00'],
  ].map(([number, quantity, rate, total]) => `${number};05/09/2026;Client;1;${quantity};10,50;${rate};${total}`);
  // The last document holds its only row twice.
  scene.drop('ventes.csv', `${['Num;Date;Client;Lig;Qte;PU;Taux;Total', ...rows, rows[3]].join('\n')}\n`);
  await scene.night();
  const said = (await advice(scene)).split('\n').slice(1, 4);
  expect(said[0]).toMatch(/compare with the document itself, F2: .*Total is "12,00".*; nightpost fix F2 COLUMN=VALUE /);
  expect(said[1]).toMatch(/compare with the document itself, F3: .*Taux is "30".*; nightpost fix F3 COLUMN=VALUE /);
  expect(said[2]).toMatch(/row 6 .*row 5.*; where the line was exported twice, export the document again/);
});

test('what stands under CAUSE is what --cause takes, and it finds those documents', async () => {
  const checks = [
    'checks:',
    '  - { that: = SUM($net) = $Total, else: error, say: The net total differs }',
    '  - { that: = $Taux < 30, else: error, say: The rate is too high }',
    '',
  ].join('\n');
  const mapping = SALES_MAPPING.replace('Taux: number }', 'Taux: number, Total: number }') + checks;
  const settings = { run: { 'give-up-after': '5s', hold: { over: { EUR: 1000 } } } };
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping }, settings });
  const rows = [
    ['F1-X6', '2', '20', '21,00'],
    ['F2', '2', '20', '12,00'],
    ['F3', '2', '30', '21,00'],
    ['F4', '2', '20', '21,00'],
    ['F5', '2O', '20', '21,00'],
    ['F6-XLOST', '2', '20', '21,00'],
    ['F7-X15', '2', '20', '21,00'],
    ['F8', '200', '20', '2100,00'],
    ['F9', '2', '20', '13,00'],
  ].map(([number, quantity, rate, total]) => `${number};05/09/2026;Client;1;${quantity};10,50;${rate};${total}`);
  rows.splice(4, 0, rows[3]!);
  scene.drop('ventes.csv', `${['Num;Date;Client;Lig;Qte;PU;Taux;Total', ...rows].join('\n')}\n`);
  await scene.night();
  await commandIn(scene, 'reject', 'F8', '--reason', 'not ours');
  const { out } = await commandIn(scene, 'errors', '--group', 'cause');
  const line = mapping.split('\n').findIndex((text) => text.includes('The net total')) + 1;
  const documentsOf: { readonly [cause: string]: readonly string[] } = {
    // Found by each of its faults: F4 fails the check because of its row that is there twice.
    [`map/check-failed:mappings/sales.yaml:${line}`]: ['F2', 'F4', 'F9'],
    [`map/check-failed:mappings/sales.yaml:${line + 1}`]: ['F3'],
    'map/identical-rows': ['F4'],
    'map/not-a-number': ['F5'],
    'fr:6': ['F1-X6'],
    'fr:15': ['F7-X15'],
    'in-doubt': ['F6-XLOST'],
  };
  const causes = out.slice(0, out.indexOf('WHAT TO DO')).split('\n').slice(1);
  const printed = causes.flatMap((text) => /^ +\d+ {2}(\S+)/.exec(text)?.[1] ?? []);
  expect(printed.sort()).toEqual(Object.keys(documentsOf).sort());
  for (const cause of [...printed, 'set-aside']) {
    const shown = await commandIn(scene, '--json', 'errors', '--cause', cause);
    const numbers = (JSON.parse(shown.out) as { documents: Entry[] }).documents.map(({ facts }) => facts.identifier);
    expect({ cause, numbers }).toMatchObject({ cause, numbers: documentsOf[cause] ?? ['F8'] });
  }
  const again = await commandIn(
    scene,
    'reprocess',
    '--cause',
    `map/check-failed:mappings/sales.yaml:${line}`,
    '--dry-run',
  );
  expect(again.out).toMatch(/F2: .*\n(.*\n)*.*F9: /);
  expect(again.out).not.toContain('F3');
  expect((await commandIn(scene, 'retry', '--cause', 'in-doubt', '--reason', 'all')).err).toContain('retry/in-doubt');
});
