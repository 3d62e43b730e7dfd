/** Columns by position or path, and columns without their "$": what check and preview say of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING } from '../night.ts';
import { commandIn } from '../program.ts';

const PLACES = 'Num: 1-6, Date: 7-16, Client: 17-30, Lig: 31-33, Qte: 34-44, PU: 45-53, Taux: 54-56';
const fixed = (places: string, types: string) =>
  SALES_MAPPING.replace('delimiter: ";"', `columns: { ${places} }`)
    .replace('format: csv', 'format: fixed')
    .replace('columns: { Date: date, Qte: number, PU: number, Taux: number }', `types: { ${types} }`);

async function checked(mapping: string): Promise<string> {
  await using scene = await openScene();
  writeFileSync(join(scene.root, 'mappings', 'sales.yaml'), mapping);
  const { out, err } = await commandIn(scene, 'check');
  return out + err;
}

test('columns that share positions are one finding, at the line that gives them', async () => {
  const says = await checked(
    fixed(PLACES.replace('PU: 45', 'PU: 44'), 'Date: date, Qte: number, PU: number, Taux: number'),
  );
  expect(says.match(/ error /g)).toHaveLength(1);
  expect(says).toMatch(/sales\.yaml:\d+:\d+ +error .*"PU" \(positions 44-53\) overlaps "Qte" \(positions 34-44\)/);
  expect(says).toContain('columns: { Num: 1-6');
});

test('where columns are positions, their kinds are declared under types', async () => {
  const says = await checked(fixed(PLACES, 'Date: date, Qte: number, Taux: number'));
  expect(says).toContain('source: types: { PU: number }');
  expect(says).not.toContain('source: columns: {');
});

test.each([
  ['of accepts', (text: string) => text.replace('"ventes*.csv"', '"ventes*.csv", columns: [Vencimiento]')],
  ['with a type', (text: string) => text.replace('Date: date,', 'Date: date, Vencimiento: date,')],
  ['used elsewhere', (text: string) => text.replace('receiver: {', 'receiver: { trade-name: $Vencimiento,')],
])('a text that is the name of a column %s is told', async (_, change) => {
  const says = await checked(change(SALES_MAPPING.replace('name: $Client', 'name: Vencimiento')));
  expect(says).toMatch(/warning map\/column-as-text/);
  expect(says).toContain('write $Vencimiento for the column');
});

test('a text that is no column anywhere is a text', async () => {
  expect(await checked(SALES_MAPPING.replace('name: $Client', 'name: Vencimiento'))).not.toContain('column-as-text');
});

test('a preview of an XML file shows the last two steps of a path', async () => {
  const columns = 'Num: ../@n, Date: ../Date, Client: ../Client, Lig: "@n", Qte: Q, PU: PU, Taux: Taux';
  const mapping = SALES_MAPPING.replace('delimiter: ";"', `row: /Ventes/F/L\n  columns: { ${columns} }`)
    .replace('format: csv', 'format: xml')
    .replace('columns: { Date: date', 'types: { Date: date')
    .replace('ventes*.csv', 'ventes*.xml');
  await using scene = await openScene({ mappings: { 'sales.yaml': mapping } });
  const path = join(scene.root, 'ventes.xml');
  const line = '<L n="1"><Q>2</Q><PU>10,50</PU><Taux>20</Taux></L>';
  writeFileSync(path, `<Ventes><F n="F1"><Date>05/09/2026</Date><Client>C</Client>${line}</F></Ventes>`);
  const { out } = await commandIn(scene, 'preview', path);
  expect(out).toMatch(/unit-price +10\.5 +1:…\/L\/PU /);
  expect(out).not.toContain('/Ventes');
});
