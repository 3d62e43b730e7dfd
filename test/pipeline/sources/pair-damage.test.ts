/** Pairs whose header file or line file is damaged: no document goes out with less than it has. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openScene, type Scene, stopAtWrite } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { inlineCell, textRow, workbookOf } from '../../readers/xlsx/make-workbook.ts';
import { PAIR_MAPPING } from './pair-mapping.ts';

const WORKBOOKS = PAIR_MAPPING.replace('ENT_*.csv', 'ENT_*.xlsx')
  .replace('LIG_*.csv', 'LIG_*.xlsx')
  .replace(/format: csv\n {2}numbers: .*\n/, 'format: xlsx\n');

/** `undefined`: a cell with an error. */
function book(...rows: readonly (readonly (string | undefined)[])[]): Buffer {
  const cell = (text: string | undefined, at: string) =>
    text === undefined ? `<c r="${at}" t="e"><v>#N/A</v></c>` : inlineCell(at, text);
  const lines = rows.map((cells, n) => {
    const all = cells.map((text, at) => cell(text, `${'ABC'[at]}${n + 1}`));
    return n === 0 ? textRow(1, ...(cells as readonly string[])) : `<row r="${n + 1}">${all.join('')}</row>`;
  });
  return workbookOf({ rows: lines.join('') });
}

async function results(scene: Scene) {
  const entries = await scene.entries();
  return entries
    .map(({ facts, state, file, rows, faults }) =>
      [facts.identifier, state, file.name, rows.join(), ...faults.map(({ code }) => code)].join(' '),
    )
    .sort();
}

async function correct(scene: Scene, from: RegExp, to: string): Promise<void> {
  const [path] = scene.files('error').filter((one) => /LIG_1.*\.to-fix\.csv$/.test(one));
  const text = scene.read(path!);
  expect(text).toMatch(from);
  scene.drop('corrected.csv', text.replace(from, to));
  await scene.night();
}

const HEADER = ['Num', 'Client'];
const LINE = ['Num', 'Lig', 'Net'];

test('a header with a bad cell counts as a second one of its key, before and after it', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': WORKBOOKS } });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A'], ['F1', undefined], ['F2', undefined], ['F2', 'B'], ['F3', 'C']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], ['F2', '1', '10'], ['F3', '1', '10']));
  await scene.night();
  expect(scene.sandbox.acceptances().map(({ number }) => number)).toEqual(['F3']);
  expect((await results(scene)).filter((one) => one.includes('LIG'))).toEqual([
    'F1 invalid LIG_1.xlsx 2 join/header-twice',
    'F2 invalid LIG_1.xlsx 3 join/header-twice',
    'F3 authorized LIG_1.xlsx 4',
  ]);
});

test('a corrected cell gives a line no header', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': WORKBOOKS.replace('$Client', 'Client') } });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], ['F9', '1', undefined]));
  await scene.night();
  expect(await results(scene)).toContain('F9 invalid LIG_1.xlsx 3 join/line-without-header xlsx/error-value');
  await correct(scene, /F9;1;#N\/A/, 'F9;1;20');
  expect(await results(scene)).toContain('F9 invalid LIG_1.xlsx 3 join/line-without-header');
  expect(scene.sandbox.acceptances().map(({ number }) => number)).toEqual(['F1']);
});

test('a corrected key gives a line no header either', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': WORKBOOKS.replace('$Client', 'Client') } });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], [undefined, '1', '20']));
  await scene.night();
  await correct(scene, /#N\/A;1;20/, 'F8;1;20');
  expect(scene.sandbox.acceptances()).toEqual([]);
});

test('a corrected key puts a line under its header, once the header has it', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': WORKBOOKS } });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A'], ['F2', 'B']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], ['F2', '1', '20'], [undefined, '2', '30']));
  await scene.night();
  expect(scene.sandbox.acceptances()).toEqual([]);
  await correct(scene, /#N\/A;2;30/, 'F7;2;30');
  expect(scene.sandbox.acceptances()).toEqual([]);
  await correct(scene, /F7;2;30/, 'F2-X6;2;30');
  expect(scene.sandbox.acceptances()).toEqual([]);
  await correct(scene, /F2-X6;2;30/, 'F2;2;30');
  expect(scene.sandbox.acceptances().map(({ number }) => number)).toEqual(['F1', 'F2']);
  expect(await results(scene)).toEqual([
    'F1 authorized LIG_1.xlsx 2',
    'F2 authorized LIG_1.xlsx 3,4',
    'F2-X6 duplicate LIG_1.xlsx ',
  ]);
});

test('a line with a corrected key keeps its header under another number of the document', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': WORKBOOKS } });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F2-X6', 'B']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F2-X6', '1', '20'], [undefined, '2', '30']));
  await scene.night();
  await correct(scene, /#N\/A;2;30/, 'F2-X6;2;30');
  expect((await results(scene))[1]).toMatch(/^F2-X6 rejected LIG_1.xlsx 2,3/);
  await correct(scene, /F2-X6(?=;\d;)/g, 'F2');
  expect(await results(scene)).toContain('F2 authorized LIG_1.xlsx 2,3');
});

test('a line with a bad cell has its header under a calculated key, and its document waits for it', async () => {
  const mapping = WORKBOOKS.replace('rate: = 20', 'rate: = 20, doc: = $Num & "-x"').replace(
    'one-per: Num',
    'one-per: doc',
  );
  await using scene = await openScene({ mappings: { 'pairs.yaml': mapping } });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], ['F1', '2', undefined]));
  await scene.night();
  expect(scene.sandbox.acceptances()).toEqual([]);
  await correct(scene, /F1;2;#N\/A/, 'F1;2;20');
  expect(await results(scene)).toEqual(['F1 authorized LIG_1.xlsx 2,3']);
});

test('the answer about a line with a corrected key has the header that its document was made of', async () => {
  const answers = `
answers:
  - file: "RET_{n:4}.csv"
    format: { csv: { delimiter: ";" } }
    each: row
    row: { NUM: $Num, CLIENT: $Client, LIG: $Lig, DOC: "@document.identifier", ETAT: "@answer.state" }
`;
  await using scene = await openScene({ mappings: { 'pairs.yaml': WORKBOOKS + answers } });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A'], ['F2', 'B']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], ['F2', '1', '20'], [undefined, '2', '30']));
  await scene.night();
  await correct(scene, /#N\/A;2;30/, 'F2;2;30');
  expect(
    scene
      .files('answers')
      .map((path) => scene.read(path))
      .at(-1),
  ).toContain('F2;B;2;F2');
});

test.each([
  ['empty', ''],
  ['an error', undefined],
])(
  'a header whose key is %s stays in its place with its lines, and a correction says where it can be made',
  async (_, key) => {
    await using scene = await openScene({ mappings: { 'pairs.yaml': WORKBOOKS } });
    scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A'], [key, 'B']));
    scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], ['F2', '1', '20']));
    await scene.night();
    const before = await results(scene);
    expect(before.filter((one) => one.includes('invalid'))).toHaveLength(2);
    const [path] = scene.files('error').filter((one) => /ENT_1.*\.to-fix\.csv$/.test(one));
    scene.drop('corrected.csv', scene.read(path!).replace(/\n(?:#N\/A)?;B/, '\nF2;B'));
    const { told } = await scene.night();
    expect(JSON.stringify(told)).toContain('correct the header in the ERP and export both files again, together');
    expect(await results(scene)).toEqual(before);
    expect(scene.sandbox.acceptances().map(({ number }) => number)).toEqual(['F1']);
    scene.drop('ENT_2.xlsx', book(HEADER, ['F2', 'B']));
    scene.drop('LIG_2.xlsx', book(LINE, ['F2', '1', '20']));
    await scene.night();
    expect(scene.sandbox.acceptances().map(({ number }) => number)).toEqual(['F1', 'F2']);
  },
);

const ALONE = [' invalid LIG_1.xlsx 3 xlsx/error-value', 'F2 invalid ENT_1.xlsx 3 join/header-without-lines'];
const TAKEN = [' duplicate LIG_1.xlsx ', 'F1 authorized LIG_1.xlsx 2', 'F2 authorized LIG_1.xlsx 3'];

async function withHeaderAlone() {
  const scene = await openScene({ mappings: { 'pairs.yaml': WORKBOOKS } });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A'], ['F2', 'B']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], [undefined, '1', '20']));
  await scene.night();
  expect((await results(scene)).filter((one) => !one.startsWith('F1'))).toEqual(ALONE);
  return scene;
}

/** The rows of the first reading of each half, and what the last correction file says of its rows. */
function accounts(scene: Scene) {
  const all = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  const summaries = all.filter((path) => path.endsWith('.summary.json')).map((path) => JSON.parse(scene.read(path)));
  const rowsOf = (name: string) => summaries.find(({ file }) => file.name === name && !file.rereads).rows;
  const sound = { unaccounted: { count: 0 }, twice: { count: 0 } };
  expect(rowsOf('ENT_1.xlsx')).toMatchObject({ ...sound, corrected: { count: 1, rows: '3' } });
  expect(rowsOf('LIG_1.xlsx')).toMatchObject({ ...sound, corrected: { count: 2, rows: '2-3' } });
}

test('a line with a corrected key takes its header out of the document that had it alone', async () => {
  await using scene = await withHeaderAlone();
  await correct(scene, /#N\/A;1;20/, 'F2;1;20');
  expect(await results(scene)).toEqual(TAKEN);
  accounts(scene);
  const [path] = scene.files('outbox').filter((one) => /corrected.*summary/.test(one));
  expect(JSON.parse(scene.read(path!)).rows.leftOut).toHaveLength(1);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
  scene.drop('ENT_2.xlsx', book(HEADER, ['F2', 'B']));
  scene.drop('LIG_2.xlsx', book(LINE, ['F2', '1', '20']));
  await scene.night();
  expect(scene.sandbox.acceptances().map(({ number, accepted }) => [number, accepted])).toEqual([
    ['F1', 1],
    ['F2', 1],
  ]);
});

test('a stop at any write of that leaves one document, sent once', async () => {
  for (let at = 1, cut = true; cut; at++) {
    await using scene = await withHeaderAlone();
    const [path] = scene.files('error').filter((one) => /LIG_1.*\.to-fix\.csv$/.test(one));
    scene.drop('corrected.csv', scene.read(path!).replace(/#N\/A;1;20/, 'F2;1;20'));
    cut = await scene.night({ through: stopAtWrite(at) }).then(
      () => false,
      () => true,
    );
    if (cut) await scene.night();
    expect(
      scene.sandbox.acceptances().filter(({ accepted }) => accepted > 1),
      `cut at ${at}`,
    ).toEqual([]);
    expect(
      (await results(scene)).map((one) => one.replace('in-doubt', 'authorized')),
      `cut at ${at}`,
    ).toEqual(TAKEN);
    expect(await commandIn(scene, 'verify'), `cut at ${at}`).toMatchObject({ code: 0 });
  }
});

test('a correction that gave a line its header is not taken back for one of the two documents', async () => {
  await using scene = await openScene({
    mappings: { 'pairs.yaml': WORKBOOKS },
    settings: { run: { hold: { over: { EUR: 15 } } } },
  });
  scene.drop('ENT_1.xlsx', book(HEADER, ['F1', 'A'], ['F2', 'B']));
  scene.drop('LIG_1.xlsx', book(LINE, ['F1', '1', '10'], [undefined, '1', '20']));
  await scene.night();
  await correct(scene, /#N\/A;1;20/, 'F2;1;20');
  expect((await results(scene)).at(-1)).toBe('F2 held LIG_1.xlsx 3');
  const undone = await commandIn(scene, '--json', 'undo', 'F2', '--reason', 'x');
  expect([undone.code, JSON.parse(undone.out).outcome]).toEqual([3, 'correction-moved-rows']);
  expect((await results(scene)).at(-1)).toBe('F2 held LIG_1.xlsx 3');
});

test('headers and lines that another mapping joins are one document each', async () => {
  await using scene = await openScene({ mappings: { 'pairs.yaml': PAIR_MAPPING } });
  scene.drop('ENT_1.csv', 'Num;Id;Client\nF1;1;A\nF02;2;B\n');
  scene.drop('LIG_1.csv', 'Num;Id;Lig;Net\nF1;1;1;10\nF2;2;1;20\n');
  await scene.night();
  expect((await results(scene)).slice(0, 2)).toEqual([
    'F02 invalid ENT_1.csv 3 join/header-without-lines',
    'F1 authorized LIG_1.csv 2',
  ]);
  writeFileSync(join(scene.root, 'mappings/pairs.yaml'), PAIR_MAPPING.replace('key: Num', 'key: Id'));
  expect(await commandIn(scene, 'reprocess', 'LIG_1.csv', '--reason', 'x')).toMatchObject({ code: 0, err: '' });
  await scene.night();
  expect(await results(scene)).toEqual([
    'F02 authorized LIG_1.csv 3',
    'F1 authorized LIG_1.csv 2',
    'F2 duplicate LIG_1.csv ',
  ]);
  expect(await commandIn(scene, 'verify')).toMatchObject({ code: 0 });
});
