/** Warnings of a file as a whole: a run tells and keeps them, a preview shows them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING } from '../../night.ts';
import { commandIn } from '../../program.ts';

/** The columns of the sales mapping, 12 characters each; the quantity ends one too early. */
const FIXED = SALES_MAPPING.replace(
  /delimiter: ";"/,
  `columns: { Num: 1-12, Date: 13-24, Client: 25-36, Lig: 37-48, Qte: 49-59, PU: 61-72, Taux: 73-84 }`,
)
  .replace('format: csv', 'format: fixed')
  .replace('columns: { Date: date', 'types: { Date: date');
const LINE = ['F1', '05/09/2026', 'Client', '1', '          21', '10,50', '20'].map((cell) => cell.padEnd(12)).join('');

test('text between the columns of a fixed-width file', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': FIXED } });
  scene.drop('ventes.dat.csv', `${LINE}\n`);
  const warning = {
    code: 'fixed/text-between-columns',
    level: 'warning',
    message: 'The line has text outside of the columns: "1" at position 60 in line 1 (between "Qte" and "PU")',
  };
  const { told } = await scene.night();
  expect(told.find(({ what }) => what === 'file-admitted')).toMatchObject({ documents: 1, faults: [warning] });
  const [summary] = scene.files('outbox').filter((path) => path.endsWith('.summary.json'));
  expect(JSON.parse(scene.read(summary!))).toMatchObject({ file: { state: 'admitted' }, faults: [warning] });
  const path = join(scene.root, 'ventes.csv');
  writeFileSync(path, `${LINE}\n`);
  const { out, err } = await commandIn(scene, 'preview', path);
  expect(out).toContain('F1');
  expect(err).toContain('ventes.csv:1  fixed/text-between-columns (warning)');
});

const XML = SALES_MAPPING.replace(
  /delimiter: ";"/,
  'row: /Ventes/F/L\n  columns: { Num: ../@n, Date: ../Date, Client: ../Client, Lig: "@n", Qte: Quantites, PU: PU, Taux: Taux }',
)
  .replace('format: csv', 'format: xml')
  .replace('columns: { Date: date', 'types: { Date: date')
  .replaceAll('ventes*.csv', 'ventes*.xml');
const SALES_XML = `<Ventes><F n="F1"><Date>05/09/2026</Date><Client>C</Client>
<L n="1"><Quantite>2</Quantite><PU>10,50</PU><Taux>20</Taux></L></F></Ventes>`;

test('the path of a column that is nowhere in an XML file: the fault of an empty cell points to it', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': XML } });
  scene.drop('ventes.xml', SALES_XML);
  const warning = {
    code: 'xml/path-not-found',
    level: 'warning',
    message: 'The path of column Qte (Quantites) does not occur in this file',
    hint: expect.stringContaining('did you mean "Quantite"?'),
  };
  const { told } = await scene.night();
  expect(told.find(({ what }) => what === 'file-admitted')).toMatchObject({ faults: [warning] });
  const [summary] = scene.files('error').filter((path) => path.endsWith('.summary.json'));
  expect(JSON.parse(scene.read(summary!))).toMatchObject({ faults: [warning] });
  const path = join(scene.root, 'ventes-2.xml');
  writeFileSync(path, SALES_XML);
  const { out, err } = await commandIn(scene, 'preview', path);
  expect(err).toContain('xml/path-not-found (warning)');
  expect(out).toContain('map/empty-in-formula');
  expect(out).not.toContain('IFEMPTY');
  expect(out).toMatch(/path of Qte.*\/Ventes\/F\/L\/Quantites/);
});
