/** A separator too many or too few in a correction file: the row is refused, and no cell is read under another column. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/runs/open-run.ts';
import { type CorrectionPreview, previewCorrections } from '../../../src/views/preview/preview-corrections.ts';
import { openScene, SALES_MAPPING, type Scene, tally } from '../../night.ts';

const ROWS = 'Num;Date;Client;Lig;Qte;PU;Taux;Note\nF1;05/09/2026;A;1;1;10;20;x\n';
const FAILED = 'F2;05/09/2026;"B; C";1;x;10,50;20;1\nF2;05/09/2026;"B; C";2;2;3;20;\n';

async function failedNight(delimiter = ';', mapping = SALES_MAPPING): Promise<Scene> {
  const scene = await openScene({
    mappings: { 'm.yaml': mapping.replace('delimiter: ";"', `delimiter: "${delimiter}"`) },
  });
  scene.drop('ventes.csv', delimiter === ';' ? ROWS + FAILED : swapped(ROWS + FAILED));
  await scene.night();
  return scene;
}

/** The table with commas between the cells. */
function swapped(table: string): string {
  const cells = (line: string) => line.match(/"[^"]*"|[^;]+|(?<=^|;)(?=;|$)/g)!;
  const quoted = (cell: string) =>
    cell.includes(',') && !cell.startsWith('"') ? `"${cell}"` : cell.replace('; ', ', ');
  return table.replace(/.+/g, (line) => cells(line).map(quoted).join(','));
}

function toFix(scene: Scene): string {
  const [path] = scene.files('error').filter((one) => /\.to-fix\.csv$/.test(one));
  return readFileSync(join(scene.root, path!), 'utf8').replace('\ufeff', '');
}

/** Previews each of many versions of a correction file, over one open ledger. */
async function previewing(
  scene: Scene,
  does: (previewed: (text: string) => Promise<CorrectionPreview>) => Promise<void>,
): Promise<void> {
  const path = join(scene.root, 'edited.csv');
  const instance = scene.instance();
  await scene.look(async (ledger) => {
    await does(async (text) => {
      writeFileSync(path, text);
      return await previewCorrections({ instance, ledger, clock: systemClock }, path, new Date());
    });
  });
}

const ORDERS = {
  'as written': (cells: readonly string[]) => cells,
  'helper columns first': (cells: readonly string[]) => [...cells.slice(-3), ...cells.slice(0, -3)],
  'helper columns in the middle': (cells: readonly string[]) => [
    ...cells.slice(0, 3),
    ...cells.slice(-3),
    ...cells.slice(3, -3),
  ],
};

/** The cells of a line, as they are written. */
function cellsOf(line: string, delimiter: string): readonly string[] {
  const cells = [''];
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    if (sign === delimiter && !isQuoted) cells.push('');
    else cells.push(cells.pop()! + sign);
  }
  return cells;
}

/** A place between two letters of a cell does what all others between letters do: some of them stand for all. */
const OF_LETTERS = 7;

/** The texts that one separator more or less makes, with the line and the columns of the cells next to it. */
function* editsOf(text: string, delimiter: string) {
  const lines = text.split('\n');
  for (let at = 0; at <= text.length; at++) {
    if (/^[\w-]{2}$/.test(text.slice(at - 1, at + 1)) && at % OF_LETTERS > 0) continue;
    const before = text.slice(0, at).split('\n');
    const line = before.length - 1;
    const cell = cellsOf(before.at(-1)!, delimiter).length - 1;
    const names = cellsOf(lines[0]!, delimiter).map((name) => name.trim());
    const own = [names[cell], names[cell + 1]];
    yield { text: text.slice(0, at) + delimiter + text.slice(at), line, own };
    if (text[at] === delimiter) yield { text: text.slice(0, at) + text.slice(at + 1), line, own };
  }
}

test.each([
  ['as written', ';'],
  ['as written', ','],
  ['helper columns first', ';'],
  ['helper columns in the middle', ','],
] as const)(
  'one separator more or less changes no cell but its own: %s, with %s',
  { timeout: 300_000 },
  async (order, delimiter) => {
    await using scene = await failedNight(delimiter);
    const inOrder = (line: string) => ORDERS[order](cellsOf(line, delimiter)).join(delimiter);
    const text = toFix(scene).replace(/.+/g, inOrder);
    await previewing(scene, async (previewed) => {
      const right = await previewed(text.replace(`${delimiter}x${delimiter}`, `${delimiter}3${delimiter}`));
      expect(right.documents).toMatchObject([{ result: 'corrected', changes: [{ row: 3, column: 'Qte', to: '3' }] }]);
      const wrong: unknown[] = [];
      for (const edit of editsOf(text, delimiter)) {
        const { documents } = await previewed(edit.text);
        const changes = documents.flatMap((one) => one.changes);
        if (changes.some(({ row, column }) => row !== edit.line + 2 || !edit.own.includes(column)))
          wrong.push({ text: edit.text.split('\n')[edit.line], changes });
      }
      expect(wrong).toEqual([]);
    });
  },
);

const MOVED = 'row 3 of F2 has more or fewer cells than the header, so its cells may be under other columns';

test.each([
  ['a value with the separator in it', (row: string) => row.replace('"B; C"', 'Dupont; SA')],
  ['the last column of the export and its separator taken out', (row: string) => row.replace(';1;01', ';01')],
  ['a separator at the beginning', (row: string) => `;${row}`],
])('%s refuses the document, and says so', async (_, edited) => {
  await using scene = await failedNight();
  const [header, first = '', ...others] = toFix(scene).split('\n');
  expect(first).toContain('20;1;01');
  const row = edited(first.replace(';x;', ';3;'));
  expect(row).not.toBe(first);
  scene.drop('fixed.csv', [header, row, ...others].join('\n'));
  const { told } = await scene.night();
  expect(told.find(({ what }) => what === 'corrections')).toMatchObject({
    ...{ corrected: 0, refused: 1 },
    faults: [
      {
        code: 'correction/cells',
        message: `${MOVED}: Nightpost applied no correction of the document`,
        hint: expect.stringContaining('put quotes around a value that contains the separator'),
        origin: { file: 'fixed.csv', row: 2 },
      },
    ],
  });
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
  // With quotes it is taken.
  scene.drop(
    'again.csv',
    toFix(scene).replace(';x;', ';3;').replace('"B; C"', '"Dupont; SA"').replace('"B; C"', '"Dupont; SA"'),
  );
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

test('a column that a person adds at the end moves no cell, also where a spreadsheet leaves out the separators of its empty cells', async () => {
  await using scene = await failedNight();
  const [header, first, ...rows] = toFix(scene).replace(';x;', ';3;').trimEnd().split('\n');
  scene.drop('fixed.csv', [`${header};Remarks`, `${first};typing error`, ...rows, ''].join('\n'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

test('a row without its last cell, which the export does not have, is complete', async () => {
  await using scene = await failedNight();
  const [header, ...rows] = toFix(scene).replace(';x;', ';3;').trimEnd().split('\n');
  const shorter = rows.map((row) => cellsOf(row, ';').slice(0, -1).join(';'));
  scene.drop('fixed.csv', [header, ...shorter, ''].join('\n'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});

test.each([
  ['with a mark for thousands', (row: string) => row.replace(/(?=\d{3}$)/, ',')],
  ['with a blank for thousands', (row: string) => row.replace(/(?=\d{3}$)/, '\u00a0')],
  ['with a point and two decimals', (row: string) => row.replace(/(?=\d{3}$)/, '.').concat(',00')],
])('rows above 999 are found where a spreadsheet shows their numbers %s', async (_, shown) => {
  await using scene = await openScene();
  const lines = Array.from({ length: 2_100 }, (_, n) => `F2;05/09/2026;B;${n + 1};${n === 0 ? 'x' : '2'};10,50;20\n`);
  scene.drop('ventes.csv', `Num;Date;Client;Lig;Qte;PU;Taux\n${lines.join('')}`);
  await scene.night();
  const text = toFix(scene);
  const fixed = text.replace(';x;', ';3;').replace(/\/1;(\d{4});/g, (_, row: string) => `/1;${shown(row)};`);
  expect(fixed).not.toContain('/1;2000;');
  scene.drop('fixed.csv', fixed);
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 1 });
});

test('columns whose names are exchanged refuse the documents, and the file says so', async () => {
  await using scene = await failedNight();
  scene.drop('fixed.csv', toFix(scene).replace(';x;', ';3;').replace('Lig;Qte;PU;Taux', 'Lig;Qte;Taux;PU'));
  const { told } = await scene.night();
  const [given] = told.flatMap((one) => (one.what === 'corrections' ? [one] : []));
  expect(given).toMatchObject({ corrected: 0, faults: [{ code: 'correction/columns' }] });
  expect(given!.faults[0]!.message).toContain('the columns PU and Taux have the cells of each other');
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 1 });
});

test('cells that change places in one row are a correction', async () => {
  await using scene = await failedNight();
  scene.drop('fixed.csv', toFix(scene).replace(';x;', ';3;').replace(';2;2;3;20;', ';2;2;20;3;'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 2 });
});
