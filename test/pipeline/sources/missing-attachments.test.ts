/** A document without its attachment: each way that the fault names makes it good, and none of them touches another one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, SALES_MAPPING, type Scene } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

const MAPPING = SALES_MAPPING.replace('files: "ventes*.csv"', 'files: "ventes*.csv", companions: "*.pdf"').replace(
  'totals:',
  'attachments:\n    - { filename: $Pdf, mime-type: application/pdf, content: { base64: $Pdf } }\n  totals:',
);
const row = (number: string) => `${number};05/09/2026;Client;1;2;10,50;20;${number}.pdf`;
const EXPORT = ['Num;Date;Client;Lig;Qte;PU;Taux;Pdf', row('F1'), row('F2'), row('F3'), ''].join('\n');

async function states(scene: Scene): Promise<Readonly<Record<string, string>>> {
  // A repeated row of an export that is dropped again is recorded as a duplicate.
  const all = (await scene.entries()).filter(({ state }) => state !== 'duplicate');
  return Object.fromEntries(all.map(({ facts, state }) => [facts.identifier, state]));
}

const sheetOf = (scene: Scene, kind: string) => scene.files('error').find((path) => path.endsWith(`.to-fix.${kind}`))!;

const WAYS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'its correction file as it is': async (scene) => scene.drop('back.csv', scene.read(sheetOf(scene, 'csv'))),
  'its export again': async (scene) => scene.drop('ventes.csv', EXPORT),
  'reading it again': async (scene) => {
    const done = await commandIn(scene, 'reprocess', 'F2', '--reason', 'the file came', '--by', 'anna', '--yes');
    expect(done).toMatchObject({ code: 0, err: '' });
  },
};

test.each(Object.keys(WAYS))('%s makes a document good whose attachment came later', async (way) => {
  await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  scene.drop('F1.pdf', 'PDF of F1');
  scene.drop('ventes.csv', EXPORT);
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized', F2: 'invalid', F3: 'invalid' });
  scene.drop('F2.pdf', 'PDF of F2');
  await WAYS[way]!(scene);
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized', F2: 'authorized', F3: 'invalid' });
  expect(scene.files('inbox')).toEqual([]);
  expect(scene.sandbox.acceptances().map(({ identity }) => identity)).toHaveLength(2);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('the same correction file again, after the attachment came', async () => {
  await using scene = await openScene({ mappings: { 'sales.yaml': MAPPING } });
  scene.drop('F1.pdf', 'PDF of F1');
  scene.drop('ventes.csv', EXPORT);
  await scene.night();
  const sheet = scene.read(sheetOf(scene, 'csv'));
  scene.drop('back.csv', sheet);
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized', F2: 'invalid', F3: 'invalid' });
  scene.drop('F2.pdf', 'PDF of F2');
  scene.drop('F3.pdf', 'PDF of F3');
  scene.drop('back.csv', sheet);
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized', F2: 'authorized', F3: 'authorized' });
});

test('the same correction file again, after its mapping was corrected', async () => {
  await using scene = await openScene({
    mappings: {
      'sales.yaml': SALES_MAPPING.replace('rate: $Taux', 'rate: $Tauxx').replace('Taux: number', 'Tauxx: number'),
    },
  });
  scene.drop('ventes.csv', 'Num;Date;Client;Lig;Qte;PU;Taux;Tauxx\nF1;05/09/2026;Client;1;2;10,50;20;vingt\n');
  await scene.night();
  const sheet = scene.read(sheetOf(scene, 'csv'));
  scene.drop('back.csv', sheet);
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'invalid' });
  writeFileSync(join(scene.root, 'mappings/sales.yaml'), SALES_MAPPING);
  scene.drop('back.csv', sheet);
  await scene.night();
  expect(await states(scene)).toEqual({ F1: 'authorized' });
});
