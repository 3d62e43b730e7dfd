/** Cells that a spreadsheet changed without a person: the archived text is kept, or the document is refused, and both are reported. */
import { expect, test } from 'vitest';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

/** Documents with two rows each, all with a wrong quantity, and a customer of digits. */
const IDS = ['A1', 'A2', 'A3', 'A4'];
const SALES = sales(IDS)
  .replaceAll(/;Client A(\d);1;2;/g, ';0012$1;1;x;')
  .replaceAll(/;Client A(\d);2;/g, ';0012$1;2;');

async function failedNight(content = SALES, settings = {}): Promise<Scene> {
  const scene = await openScene({
    mappings: { 'sales.yaml': SALES_MAPPING },
    settings: { rules: { fr: 'wire', sv: 'wire' }, ...settings },
  });
  scene.drop('ventes.csv', content);
  await scene.night();
  return scene;
}

function sheetOf(scene: Scene): string {
  return scene.read(scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!);
}

async function corrected(scene: Scene, name: string, text: string) {
  scene.drop(name, text);
  const { told } = await scene.night();
  return told.find(({ what }) => what === 'corrections') as Extract<PipelineEvent, { what: 'corrections' }>;
}

test('cells that were not at fault keep the archived text when a spreadsheet damaged them, reported once a column', async () => {
  await using scene = await failedNight();
  const sheet = sheetOf(scene)
    .replaceAll(';x;', ';3;')
    .replaceAll(/;0012(\d);/g, ';12$1;')
    .replaceAll('05/09/2026', '05/09/26');
  const told = await corrected(scene, 'saved.csv', sheet);
  expect(told).toMatchObject({ corrected: 4, refused: 0 });
  expect(told.faults).toMatchObject([
    { code: 'correction/damage-restored', level: 'warning', origin: { row: 2, column: 'Date' } },
    { code: 'correction/damage-restored', level: 'warning', origin: { row: 2, column: 'Client' }, given: '121' },
  ]);
  expect(tally(await scene.entries())).toEqual({ authorized: 4 });
  const receipts = scene.files('outbox').filter((path) => path.endsWith('.receipt.json'));
  const receivers = receipts.map((path) => JSON.parse(scene.read(path)).document.counterparty);
  expect(receivers.sort()).toEqual(['00121', '00122', '00123', '00124']);
  expect((await commandIn(scene, 'verify')).code).toBe(0);
});

test('a damaged cell that was at fault refuses its documents with one fault, and the newest attempt alone is listed', async () => {
  await using scene = await failedNight(SALES.replaceAll(';x;', ';0.333;'));
  expect(tally(await scene.entries())).toEqual({ invalid: 4 });
  const before = sheetOf(scene);
  const told = await corrected(scene, 'saved.csv', before.replaceAll(';0.333;', ';333;'));
  expect(told).toMatchObject({ corrected: 0, refused: 4 });
  expect(told.faults).toMatchObject([
    { code: 'correction/damaged-cell', origin: { row: 2, column: 'Qte' }, given: '333', moreRows: [4, 6, 8] },
  ]);
  // The newest attempt alone is listed.
  await corrected(scene, 'another.csv', before.replaceAll(';0.333;', ';333;').replace('A4;', ' A4;'));
  const { out } = await commandIn(scene, 'errors');
  expect([...new Set(out.match(/\w+\.csv(?=:2:Qte)/g))]).toEqual(['another.csv']);
  expect(await corrected(scene, 'right.csv', before.replaceAll(';0.333;', ';0,333;'))).toMatchObject({ corrected: 4 });
  expect((await commandIn(scene, 'errors')).out).not.toContain('correction/');
});

test('a cell that differs while equal ones came back unchanged is refused, because a person may have meant it', async () => {
  await using scene = await failedNight();
  const sheet = sheetOf(scene).replaceAll(';x;', ';3;').replaceAll(';00121;', ';121;');
  const told = await corrected(scene, 'one.csv', sheet);
  expect(told).toMatchObject({ corrected: 3, refused: 1 });
  expect(told.faults).toMatchObject([{ code: 'correction/damaged-cell', origin: { column: 'Client' }, given: '121' }]);
  expect(tally(await scene.entries())).toEqual({ authorized: 3, invalid: 1 });
});

test('corrections.damage: refuse refuses all documents of a damaged column', async () => {
  await using scene = await failedNight(SALES, { corrections: { damage: 'refuse' } });
  const told = await corrected(
    scene,
    'saved.csv',
    sheetOf(scene)
      .replaceAll(';x;', ';3;')
      .replaceAll(/;0012(\d);/g, ';12$1;'),
  );
  expect(told).toMatchObject({ corrected: 0, refused: 4 });
  expect(told.faults).toMatchObject([{ code: 'correction/damaged-cell', moreRows: [4, 6, 8] }]);
});
