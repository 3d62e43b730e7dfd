/** A mapping, block or table that a person saved in another encoding: nothing of it is sent with signs for damaged characters. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInstanceForViewing } from '../../../src/instance/instance.ts';
import { openScene, SALES_MAPPING, type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';

/** As an editor or a spreadsheet of Windows saves it. */
function saveAsAnsi(scene: Scene, path: string, text: string): void {
  writeFileSync(join(scene.root, path), Buffer.from(text, 'latin1'));
}

const NAMED = SALES_MAPPING.replace('name: $Client', 'name: Société');
const FROM_TABLE = `${SALES_MAPPING.replace('name: $Client', 'name: { from: Client, table: clients }')}
tables: { clients: { file: mappings/clients.csv, key: code, value: name } }
`;

test('a text of a mapping', async () => {
  await using scene = await openScene();
  saveAsAnsi(scene, 'mappings/sales.yaml', NAMED);
  scene.drop('ventes.csv', sales(['F1']));
  const { code, err } = await commandIn(scene, 'run');
  expect({ code, isNamed: err.includes('yaml/not-utf-8') }).toEqual({ code: 2, isNamed: true });
  expect(await scene.entries()).toEqual([]);
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), NAMED);
  expect((await commandIn(scene, 'run')).code).toBe(0);
});

test('a table in a CSV file', async () => {
  await using scene = await openScene();
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), FROM_TABLE);
  saveAsAnsi(scene, 'mappings/clients.csv', 'code;name\nClient F1;Société F1\n');
  scene.drop('ventes.csv', sales(['F1']));
  const { code, err } = await commandIn(scene, 'run');
  expect({ code, isNamed: err.includes('mappings/clients.csv:2:15') }).toEqual({ code: 2, isNamed: true });
  expect(await scene.entries()).toEqual([]);
});

test('a table of two mappings has its fault once', async () => {
  await using scene = await openScene();
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), FROM_TABLE);
  writeFileSync(join(scene.root, 'mappings/more.yaml'), FROM_TABLE.replace('mapping: sales', 'mapping: more'));
  saveAsAnsi(scene, 'mappings/clients.csv', 'code;name\nClient F1;Société F1\n');
  const { unusable } = readInstanceForViewing(scene.root, {});
  expect(unusable?.faults.map(({ code }) => code)).toEqual(['yaml/not-utf-8']);
});

test('a comment changes nothing, and does not hide the place', async () => {
  await using scene = await openScene();
  saveAsAnsi(scene, 'mappings/sales.yaml', `# réservé\n${SALES_MAPPING}`);
  expect(readInstanceForViewing(scene.root, {}).unusable).toBeUndefined();
  saveAsAnsi(scene, 'mappings/sales.yaml', `# réservé\n${NAMED}`);
  const { unusable } = readInstanceForViewing(scene.root, {});
  const lines = NAMED.split('\n');
  expect(unusable?.faults.map(({ code, mark }) => [code, mark?.line])).toEqual([
    ['yaml/not-utf-8', lines.findIndex((line) => line.includes('Société')) + 2],
  ]);
});

test('a name in the settings', async () => {
  await using scene = await openScene();
  saveAsAnsi(scene, 'nightpost.yaml', `${scene.read('nightpost.yaml')}\ncompany: Société\n`);
  expect((await commandIn(scene, 'status')).err).toContain('yaml/not-utf-8');
});
