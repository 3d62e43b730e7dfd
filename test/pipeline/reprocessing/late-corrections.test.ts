/**
 * One mistake in many documents of a correction file is one fault, which ends with its documents. Two people who correct
 * one document with different values: the second one is never applied and never lost, in whatever order they come.
 */
import { utimesSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/model/fault.ts';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { openScene, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';

const NUMBERS = ['A1', 'A2', 'A3', 'A4'];
/** Each document fails by the quantity of its first row. */
const WRONG = sales(NUMBERS).replaceAll(/;(Client A\d);1;2;/g, ';$1;1;x;');

async function failedNight(content = WRONG, settings = {}): Promise<Scene> {
  const scene = await openScene({ settings });
  scene.drop('ventes.csv', content);
  await scene.night();
  return scene;
}

function sheetOf(scene: Scene): string {
  return scene.read(scene.files('error').find((path) => path.endsWith('.to-fix.csv'))!);
}

async function dropped(scene: Scene, sheets: { readonly [name: string]: string }) {
  for (const [name, text] of Object.entries(sheets)) scene.drop(name, text);
  // Of one age, so that their names decide which is first.
  const at = new Date(Date.now() - 60_000);
  for (const name of Object.keys(sheets)) utimesSync(join(scene.root, 'inbox', name), at, at);
  const { told } = await scene.night();
  const found = told.filter(({ what }) => what === 'corrections') as Extract<PipelineEvent, { what: 'corrections' }>[];
  return Object.fromEntries(found.map((one) => [one.file, one]));
}

/** The faults of a file in its summary. */
function faultsInSummary(scene: Scene, name: string): readonly Fault[] {
  const path = scene.files('error').find((one) => one.includes(`/${name}.`) && one.endsWith('.summary.json'));
  return JSON.parse(scene.read(path!)).faults;
}

/** Without the first row of each document. */
const withoutFirstRows = (sheet: string) => sheet.replaceAll(/^A\d;.*;x;.*\n/gm, '');

test('one mistake in many documents is one fault in the run, the summary, errors and the preview', async () => {
  await using scene = await failedNight();
  const sheet = sheetOf(scene);
  const cut = withoutFirstRows(sheet).replace('A1;', 'A1 ;');
  const expected = [{ code: 'correction/row-missing', origin: { row: 2, column: '_row' }, moreRows: [3, 4, 5] }];
  scene.drop('../cut.csv', cut);
  const { out } = await commandIn(scene, '--json', 'preview', join(scene.root, 'cut.csv'));
  expect(JSON.parse(out).faults).toMatchObject(expected);
  const { 'cut.csv': told } = await dropped(scene, { 'cut.csv': cut });
  expect(told).toMatchObject({ refused: 4, faults: expected });
  expect(told!.faults[0]!.message).toBe('row 2 of document A1 is missing. 3 more faults like it: A2, A3, A4');
  expect(faultsInSummary(scene, 'cut.csv')).toMatchObject(expected);
  // Two of the four are corrected: the fault concerns the other two.
  const half = sheet.replaceAll(';x;', ';3;').replaceAll(/^A[34];.*\n/gm, '');
  expect(await dropped(scene, { 'half.csv': half })).toMatchObject({ 'half.csv': { corrected: 2, refused: 0 } });
  const open = JSON.parse((await commandIn(scene, '--json', 'errors')).out).files;
  expect(open).toMatchObject([{ name: 'cut.csv', faults: [{ origin: { row: 4 }, moreRows: [5] }] }]);
  expect(open[0].faults[0].message).toMatch(/ \(2 of 4 still open\)$/);
});

test('marks that are not documents are one fault, and each of them counts as refused', async () => {
  await using scene = await failedNight();
  const sheet = sheetOf(scene).replaceAll(/[0-9a-f-]{36}\/1/g, (mark) => mark.replace(/^........-/, '00000000-'));
  const { 'moved.csv': told } = await dropped(scene, { 'moved.csv': sheet });
  expect(told).toMatchObject({ corrected: 0, refused: 4 });
  expect(told!.faults).toMatchObject([{ code: 'correction/unknown-document', moreRows: [4, 6, 8] }]);
});

test('a correction file that was refused in part is set aside, and listed again when that is undone', async () => {
  await using scene = await failedNight();
  await dropped(scene, { 'cut.csv': withoutFirstRows(sheetOf(scene)) });
  const listed = async () => JSON.parse((await commandIn(scene, '--json', 'errors')).out).files.length;
  expect(await listed()).toBe(1);
  const why = ['--reason', 'saved by mistake'];
  expect(await commandIn(scene, 'set-aside', 'cut.csv', ...why)).toMatchObject({ code: 0 });
  expect(await listed()).toBe(0);
  expect(await commandIn(scene, 'undo', 'cut.csv', ...why)).toMatchObject({ code: 0 });
  expect(await listed()).toBe(1);
});

/** What the history of a document says of corrections that were not applied. */
async function ignoredOf(scene: Scene, number: string): Promise<readonly string[]> {
  const { id } = (await scene.entries()).find(({ facts }) => facts.identifier === number)!;
  const history = await scene.look((ledger) => ledger.queries.historyOf(id));
  return history
    .filter(({ what }) => what === 'correction-not-applied')
    .map(({ detail }) => (detail as { readonly reason: string }).reason);
}

test.each([
  ['a.csv', 'b.csv', '3', '4'],
  ['b.csv', 'a.csv', '4', '3'],
])(
  'two sheets in one drop, %s first: the value of the second is in the summary and in the history',
  async (mine, other, kept, lost) => {
    await using scene = await failedNight();
    const sheet = sheetOf(scene);
    const told = await dropped(scene, { [mine]: sheet.replace(';x;', ';3;'), [other]: sheet.replace(';x;', ';4;') });
    expect(told['a.csv']).toMatchObject({ corrected: 1, unchanged: 3, refused: 0, faults: [] });
    expect(told['b.csv']).toMatchObject({ corrected: 0, unchanged: 3, refused: 1 });
    expect(faultsInSummary(scene, 'b.csv')).toMatchObject([
      {
        code: 'correction/too-late',
        message: expect.stringContaining(`Qte "${kept}": Nightpost did not apply "${lost}"`),
      },
    ]);
    const line = `correction file b.csv, row 2: Qte stays "${kept}", Nightpost did not apply "${lost}"`;
    expect(await ignoredOf(scene, 'A1')).toEqual([line]);
    expect(await ignoredOf(scene, 'A2')).toEqual([]);
    expect((await commandIn(scene, 'show', 'A1')).out).toContain(line);
    expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 3 });
    expect((await commandIn(scene, 'verify')).code).toBe(0);
  },
);

test('the first one leaves the document invalid: the second one hears its values, or that they are there already', async () => {
  await using scene = await failedNight(WRONG.replaceAll('10,50', 'y'));
  const sheet = sheetOf(scene);
  const told = await dropped(scene, {
    'a.csv': sheet.replace(';x;', ';3;'),
    'b.csv': sheet.replace(';x;', ';3;').replace('Client A2;1;x;', 'Client A2;1;5;'),
    'c.csv': sheet.replace(';x;y;', ';4;9,50;'),
  });
  expect(told['b.csv']).toMatchObject({ corrected: 1, unchanged: 3, refused: 0 });
  expect(told['b.csv']!.faults).toMatchObject([{ code: 'correction/not-to-correct', level: 'warning' }]);
  // A cell that only the first one changed is none of the second one's.
  expect(told['c.csv']).toMatchObject({ corrected: 0, refused: 1 });
  const [fault] = told['c.csv']!.faults.filter(({ level }) => level === 'error');
  expect(fault).toMatchObject({ code: 'correction/outdated', message: expect.stringContaining('"3"') });
  expect(await ignoredOf(scene, 'A1')).toEqual([
    'correction file c.csv, row 2: Qte stays "3", Nightpost did not apply "4" nor 1 other cell',
  ]);
  expect(await ignoredOf(scene, 'A2')).toEqual([]);
});

test('a sheet and `fix`: whichever is second finds the value of the first', async () => {
  await using scene = await failedNight();
  const sheet = sheetOf(scene);
  const why = ['--yes', '--reason', 'a call'];
  expect((await commandIn(scene, 'fix', 'A1', 'Qte@2=7', ...why)).code).toBe(0);
  expect(await dropped(scene, { 'late.csv': sheet.replace(';x;', ';3;') })).toMatchObject({
    'late.csv': { corrected: 0, refused: 1, faults: [{ code: 'correction/too-late' }] },
  });
  expect(await ignoredOf(scene, 'A1')).toHaveLength(1);
  await dropped(scene, { 'first.csv': sheet.replaceAll('Client A2;1;x;', 'Client A2;1;3;') });
  expect(await commandIn(scene, 'fix', 'A2', 'Qte@4=7', ...why)).toMatchObject({ code: 3 });
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 2 });
});

test('a correction that is not applied does not stand in the way of undo', async () => {
  await using scene = await failedNight();
  const sheet = sheetOf(scene);
  scene.drop('a.csv', sheet.replace(';x;', ';3;'));
  scene.drop('b.csv', sheet.replace(';x;', ';4;'));
  await commandIn(scene, 'run', '--take-in-only');
  expect(await ignoredOf(scene, 'A1')).toHaveLength(1);
  expect(await commandIn(scene, 'undo', 'A1', '--reason', 'neither is right')).toMatchObject({ code: 0 });
  expect(tally(await scene.entries())).toEqual({ invalid: 4 });
});

test('corrections.files: xlsx never has a CSV in the folder, not even for a moment', async () => {
  await using scene = await failedNight(WRONG, { corrections: { files: ['xlsx'] } });
  const folder = dirname(join(scene.root, scene.files('error').find((path) => path.endsWith('.to-fix.xlsx'))!));
  const names = new Set<string>();
  const watcher = watch(folder, (_, name) => void names.add(String(name)));
  scene.drop('ventes-2.csv', WRONG.replaceAll(/^A/gm, 'B'));
  await scene.night();
  watcher.close();
  const sheets = [...names].filter((name) => name.includes('.to-fix.'));
  expect(sheets.some((name) => name.endsWith('.to-fix.xlsx'))).toBe(true);
  expect(sheets.filter((name) => name.includes('.to-fix.csv'))).toEqual([]);
});
