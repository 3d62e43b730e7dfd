/** An operator without a terminal: failed rows come out as a file, are corrected in a spreadsheet and dropped again. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { PipelineEvent } from '../../../src/pipeline/context/run-context.ts';
import { openScene, SALES_MAPPING, type Scene, sales, tally } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { proofOf } from '../../samples/night.ts';

const SALES = sales(['A1', 'A2', 'A3']).replace('A2;05/09/2026;Client A2;2;2', 'A2;05/09/2026;Client A2;2;x');

function toFix(scene: Scene): readonly string[] {
  return scene.files('error').filter((path) => /\.to-fix\.(?:csv|xml)$/.test(path));
}

function sheetOf(scene: Scene): string {
  const [path] = toFix(scene);
  return scene.read(path!);
}

type Corrections = Extract<PipelineEvent, { what: 'corrections' }>;

function corrections(told: readonly PipelineEvent[]): Corrections {
  const found = told.find(({ what }) => what === 'corrections');
  expect(found).toBeDefined();
  return found as Corrections;
}

async function failedNight(
  content: string | Uint8Array = SALES,
  mapping = SALES_MAPPING,
  corrections: { readonly damage?: 'restore' | 'refuse' } = {},
): Promise<Scene> {
  const settings = { rules: { fr: 'wire', sv: 'wire' }, corrections };
  const scene = await openScene({ mappings: { 'sales.yaml': mapping }, settings });
  scene.drop('ventes.csv', content);
  await scene.night();
  return scene;
}

function summaryOf(scene: Scene, name: string) {
  const all = ['outbox', 'pending', 'error'].flatMap((folder) => scene.files(folder));
  return JSON.parse(scene.read(all.find((path) => path.includes(`${name}.`) && path.endsWith('.summary.json'))!));
}

test('corrected and dropped under any name: authorized, once, with the record of who did it', async () => {
  await using scene = await failedNight();
  scene.drop('Classeur1.csv', sheetOf(scene).replace(';2;x;', ';2;3;'));
  const { told } = await scene.night();
  expect(corrections(told)).toMatchObject({ corrected: 1, unchanged: 0, refused: 0, faults: [] });
  const entries = await scene.entries();
  expect(tally(entries)).toEqual({ authorized: 3 });
  expect(scene.sandbox.acceptances()).toHaveLength(3);
  expect(toFix(scene)).toEqual([]);
  const receipt = JSON.parse(scene.read(scene.files('outbox').find((path) => path.endsWith('A2.receipt.json'))!));
  expect(receipt.corrections).toMatchObject([
    { row: 5, column: 'Qte', from: 'x', to: '3', by: userInfo().username, reason: 'correction file Classeur1.csv' },
  ]);
  // Also for who goes through the whole trail: from the export and the corrections the same document comes again.
  expect((await commandIn(scene, 'verify')).code).toBe(0);
  const { rows, file } = summaryOf(scene, 'Classeur1.csv');
  expect(file.state).toBe('admitted');
  expect(rows).toMatchObject({ read: 2, unaccounted: { count: 0 }, twice: { count: 0 } });
  expect(rows.leftOut).toMatchObject([{ rule: 'corrected: its document is read again', count: 2, rows: '2-3' }]);
  expect((await proofOf(scene.instance())).found).toEqual([]);
});

test('dropped as it is: nothing changes, and that is said', async () => {
  await using scene = await failedNight();
  const before = sheetOf(scene);
  scene.drop('again.csv', readFileSync(join(scene.root, toFix(scene)[0]!)));
  const { told } = await scene.night();
  expect(corrections(told)).toMatchObject({ corrected: 0, unchanged: 1, refused: 0, faults: [] });
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  expect(sheetOf(scene)).toBe(before);
  expect(summaryOf(scene, 'again.csv').rows.leftOut).toMatchObject([{ rule: 'unchanged: nothing to do', count: 2 }]);
});

test('a document that was accepted meanwhile is not repeated', async () => {
  await using scene = await failedNight();
  const old = sheetOf(scene);
  scene.drop('one.csv', old.replace(';2;x;', ';2;3;'));
  await scene.night();
  // The same once more, saved anew: nothing to do. With another value: its author reads that it counts for nothing.
  scene.drop('two.csv', `${old.replace(';2;x;', ';2;3;')}\n`);
  const same = corrections((await scene.night()).told);
  expect(same).toMatchObject({ unchanged: 1, refused: 0, faults: [{ code: 'correction/not-to-correct' }] });
  scene.drop('three.csv', old.replace(';2;x;', ';2;4;'));
  const other = corrections((await scene.night()).told);
  expect(other).toMatchObject({ corrected: 0, refused: 1, faults: [{ code: 'correction/too-late' }] });
  expect(other.faults[0]).toMatchObject({
    message: expect.stringContaining('A2 is authorized in the meantime, with Qte "3"'),
  });
  expect(scene.sandbox.acceptances()).toHaveLength(3);
});

test('a document that is queued meanwhile is sent unchanged, and a second correction is refused', async () => {
  await using scene = await failedNight();
  const old = sheetOf(scene);
  scene.drop('one.csv', old.replace(';2;x;', ';2;3;'));
  await commandIn(scene, 'run', '--take-in-only');
  scene.drop('two.csv', old.replace(';2;x;', ';2;4;'));
  const ended = await commandIn(scene, 'run', '--take-in-only');
  expect(ended.code).toBe(3);
  expect(ended.err).toContain(
    'A2 is queued in the meantime, with Qte "3": Nightpost did not apply "4" - the next run sends it unchanged',
  );
  expect(ended.out).toMatch(/two\.csv +1 refused[\s\S]*1 correction refused/);
});

test('the very same correction file again is a duplicate; one that was refused in part is read again', async () => {
  await using scene = await failedNight(SALES, SALES_MAPPING, { damage: 'refuse' });
  const old = sheetOf(scene);
  const damaged = old.replace(';2;x;', ';2;3;').replaceAll('05/09/2026', '5/9/2026');
  scene.drop('damaged.csv', damaged);
  await scene.night();
  scene.drop('damaged-again.csv', damaged);
  expect(corrections((await scene.night()).told)).toMatchObject({ refused: 1 });
  const good = old.replace(';2;x;', ';2;3;');
  scene.drop('good.csv', good);
  await scene.night();
  scene.drop('good-again.csv', good);
  const { told } = await scene.night();
  expect(told.filter(({ what }) => what === 'file-duplicate')).toMatchObject([{ first: 'good.csv' }]);
  expect(summaryOf(scene, 'good-again.csv').file.state).toBe('duplicate');
});

test('a correction file that was undone is read again, and says that its document has changed since', async () => {
  await using scene = await failedNight();
  const good = sheetOf(scene).replace(';2;x;', ';2;3;');
  scene.drop('marie.csv', good);
  await scene.night({ stop: AbortSignal.abort() });
  await commandIn(scene, 'run', '--take-in-only');
  expect(tally(await scene.entries())).toEqual({ authorized: 2, ready: 1 });
  expect((await commandIn(scene, 'undo', 'A2', '--reason', 'wrong value', '--by', 'marie')).code).toBe(0);
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  scene.drop('marie.csv', good);
  expect(corrections((await scene.night()).told)).toMatchObject({
    refused: 1,
    faults: [{ code: 'correction/outdated', origin: { file: 'marie.csv', row: 2 } }],
  });
});

test('what was refused of a correction file waits in the list of errors until its document is corrected', async () => {
  await using scene = await failedNight(SALES, SALES_MAPPING, { damage: 'refuse' });
  const old = sheetOf(scene);
  scene.drop('damaged.csv', old.replace(';2;x;', ';2;3;').replaceAll('05/09/2026', '5/9/2026'));
  const ended = await commandIn(scene, 'run');
  expect(ended.out).toMatch(/damaged\.csv +1 refused/);
  expect((await commandIn(scene, 'errors')).out).toContain('damaged.csv:2:Date  correction/damaged-cell');
  scene.drop('another-name.csv', old.replace(';2;x;', ';2;3;'));
  // One export, one line: what is read again is not a second one of its name.
  expect((await commandIn(scene, 'run')).out).toMatch(/another-name\.csv +1 corrected\n +ventes\.csv +1 +1 /);
  expect((await commandIn(scene, 'errors')).out).toContain('No documents need action');
});

test('which correction file is the newer one, and what each holds', async () => {
  await using scene = await failedNight(sales(['A1', 'A2']).replace(/;(\d);2;/g, ';$1;x;'));
  const lines = sheetOf(scene).trimEnd().split('\n');
  // A1 is corrected, but not well: it waits in a file of its own.
  const one = lines.filter((line) => !line.startsWith('A2;')).join('\n');
  scene.drop('one.csv', `${one.replaceAll(';x;', ';y;')}\n`);
  await scene.night();
  expect(toFix(scene)).toHaveLength(2);
  for (const path of toFix(scene)) expect(path).toMatch(/\/ventes\.csv\.\d{4}-[0-9a-f]{8}\.to-fix\.csv$/);
  const { out } = await commandIn(scene, 'errors');
  for (const number of ['A1', 'A2']) {
    const [, path] = new RegExp(`correct in (error/.*): ${number}\\n`).exec(out)!;
    expect(scene.read(path!.replace(/xlsx$/, 'csv'))).toContain(`\n${number};`);
  }
});

test('rows that change places with those of another document are one mistake of each', async () => {
  await using scene = await failedNight(sales(['A1', 'A2']).replace(/;(\d);2;/g, ';$1;x;'));
  const lines = sheetOf(scene).replaceAll(';x;', ';3;').trimEnd().split('\n');
  const marks = lines.map((line) => /[0-9a-f-]{36}\/1/.exec(line)?.[0] ?? '');
  const other = (mark: string) => marks.find((one) => one !== '' && one !== mark)!;
  const given = lines.map((line, at) => (marks[at] === '' ? line : line.replace(marks[at]!, other(marks[at]!))));
  scene.drop('swapped.csv', `${given.join('\n')}\n`);
  const { faults } = corrections((await scene.night()).told);
  expect(faults).toMatchObject([{ code: 'correction/row-unknown', origin: { row: 2 }, moreRows: [4] }]);
  const own = '"2", "3" do not belong to document A2, which has 4, 5';
  expect(faults[0]!.message).toBe(`${own}. 1 more fault like it: A1`);
});

test('a file written before the document changed is old', async () => {
  await using scene = await failedNight();
  const old = sheetOf(scene);
  scene.drop('one.csv', old.replace(';2;x;', ';2;y;'));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1 });
  expect(sheetOf(scene)).toContain(';2;y;');
  scene.drop('two.csv', old.replace(';2;x;', ';2;4;'));
  expect(corrections((await scene.night()).told).faults).toMatchObject([{ code: 'correction/outdated' }]);
  scene.drop('three.csv', sheetOf(scene).replace(';2;y;', ';2;4;'));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1, faults: [] });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test('one of hundreds: the others are neither in the file nor touched', async () => {
  const numbers = Array.from({ length: 300 }, (_, n) => `B${n}`);
  await using scene = await failedNight(
    sales(numbers).replace('B77;05/09/2026;Client B77;1;2', 'B77;05/09/2026;Client B77;1;2O'),
  );
  expect(sheetOf(scene).trimEnd().split('\n')).toHaveLength(3);
  scene.drop('x.csv', sheetOf(scene).replace(';1;2O;', ';1;20;'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: 300 });
  expect(scene.sandbox.acceptances()).toHaveLength(300);
});

/** What a spreadsheet may make of the file when it saves it. */
function resaved(text: string, delimiter: string, encoding: string, order: readonly number[]): Buffer {
  const rows = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(';'));
  const lines = rows.map((cells) =>
    order
      .map((at) => (cells[at]!.includes(delimiter) || cells[at]!.includes('"') ? `"${cells[at]}"` : cells[at]))
      .join(delimiter),
  );
  return iconv.encode(`${lines.join('\r\n')}\r\n`, encoding, { addBOM: encoding.startsWith('utf') });
}

test.each([
  [',', 'utf-8', [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
  [';', 'windows-1252', [7, 8, 0, 1, 2, 3, 4, 5, 6, 9]],
  ['\t', 'utf-16le', [0, 1, 2, 3, 4, 5, 6, 7, 8]],
])('saved by a spreadsheet with "%s" in %s, columns moved', async (delimiter, encoding, order) => {
  const source = SALES.replaceAll('Client A2', 'Société Élan');
  await using scene = await failedNight(
    iconv.encode(source, 'cp850'),
    SALES_MAPPING.replace('format: csv', 'format: csv\n  encoding: cp850'),
  );
  const text = iconv
    .decode(readFileSync(join(scene.root, toFix(scene)[0]!)), 'cp850')
    .replace(';2;x;', ';2;3;')
    .replace(/;[^;\n]*$/gm, ';e');
  scene.drop('s.csv', resaved(text.replace(';e', ';_error'), delimiter, encoding, order));
  const { told } = await scene.night();
  expect(corrections(told)).toMatchObject({ corrected: 1, faults: [] });
  const receipt = JSON.parse(scene.read(scene.files('outbox').find((path) => path.endsWith('A2.receipt.json'))!));
  expect(receipt.corrections).toMatchObject([{ column: 'Qte', from: 'x', to: '3' }]);
  expect(receipt.document.counterparty).toBe('Société Élan');
});

test('damage is refused with both values when the settings ask for it; the same number is no change', async () => {
  const content = SALES.replaceAll('Client A2', '00123456789');
  await using scene = await failedNight(content, SALES_MAPPING, { damage: 'refuse' });
  scene.drop('d.csv', sheetOf(scene).replace(';2;x;', ';2;3;').replaceAll('00123456789', '1,23457E+08'));
  const { told } = await scene.night();
  expect(corrections(told)).toMatchObject({ corrected: 0, refused: 1 });
  expect(corrections(told).faults).toMatchObject([
    { code: 'correction/damaged-cell', origin: { file: 'd.csv', row: 2, column: 'Client' }, given: '1,23457E+08' },
  ]);
  expect(corrections(told).faults[0]!.message).toContain('"00123456789"');
  expect(tally(await scene.entries())).toEqual({ authorized: 2, invalid: 1 });
  expect(summaryOf(scene, 'd.csv').rows.leftOut).toMatchObject([{ rule: 'refused: see faults', count: 2 }]);
  expect(scene.files('error').some((path) => path.includes('d.csv.') && path.endsWith('.summary.json'))).toBe(true);
  // Numbers that are the same number are no change.
  scene.drop('e.csv', sheetOf(scene).replace(';2;x;', ';2;3;').replaceAll('10,50', '10,5'));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1, faults: [] });
});

test('a number or a date at fault that is written another way is a correction, not the same as before', async () => {
  const source = sales(['A1', 'A2', 'A3'])
    .replace('A2;05/09/2026;Client A2;2;2;10,50', 'A2;05/09/2026;Client A2;2;2;10.50')
    .replaceAll('A3;05/09/2026', 'A3;2026-09-05');
  await using scene = await failedNight(source);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 2 });
  const sheet = sheetOf(scene);
  // The cell at fault alone: a number that is right may be written in any way.
  scene.drop('same.csv', sheet.replaceAll(';20;', ';20,0;'));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 0, unchanged: 2, refused: 0 });
  scene.drop('mended.csv', sheet.replace('10.50', '10,50').replaceAll('2026-09-05', '05/09/2026'));
  const { told } = await scene.night();
  expect(corrections(told)).toMatchObject({ corrected: 2, unchanged: 0, refused: 0, faults: [] });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
  expect(toFix(scene)).toEqual([]);
});

test.each(['en', 'fr', 'es'] as const)(
  'a row whose cells cannot be separated needs a new export from the ERP (%s)',
  async (language) => {
    const again = { en: 'export again', fr: 'refaites l’export', es: 'exporte de nuevo' }[language];
    const source = sales(['A1', 'A2', 'A3', 'A4', 'A5'])
      .replace('A2;05/09/2026;Client A2;2;2;10,50;20', 'A2;05/09/2026;Client A2;2;2;10;50;20')
      .replace('A4;05/09/2026;Client A4;1;2;10,50;20', 'A4;05/09/2026;Client A4;1');
    await using scene = await openScene({
      mappings: { 'sales.yaml': SALES_MAPPING },
      settings: { rules: { fr: 'wire', sv: 'wire', language } },
    });
    scene.drop('ventes.csv', source);
    await scene.night();
    const stuck = (await scene.entries()).filter(({ state }) => state === 'invalid');
    expect(stuck.flatMap(({ faults }) => faults.map(({ code }) => code)).sort()).toEqual([
      'csv/too-few-cells',
      'csv/too-many-cells',
      'map/beside-broken-row',
      'map/beside-broken-row',
    ]);
    const sheet = sheetOf(scene);
    expect(sheet.match(new RegExp(again, 'g'))).toHaveLength(4);
    for (const args of [['errors'], ['errors', '--group', 'cause']]) {
      const { out } = await commandIn(scene, ...args);
      expect(out.match(new RegExp(again, 'g'))!.length).toBeGreaterThanOrEqual(3);
      expect(out).not.toContain('nightpost fix');
      expect(out).not.toContain('.to-fix');
    }
    const broken = stuck.find(({ faults }) => faults[0]!.code === 'csv/too-many-cells')!;
    const fix = await commandIn(scene, 'fix', broken.id, 'Qte=3', '--reason', 'why');
    expect(fix).toMatchObject({ code: 2, err: expect.stringContaining(again) });
    // Filled in, cut off or as it was: refused with what helps, and nothing is recorded.
    const mended = sheet.replace('10;50;20', '10,50;20').replace('Client A4;1;;;', 'Client A4;1;2;10,50;20');
    for (const [name, text] of [
      ['mended.csv', mended],
      ['same.csv', `${sheet}\n`],
    ] as const) {
      scene.drop(name, text);
      const told = corrections((await scene.night()).told);
      expect(told).toMatchObject({ corrected: 0, unchanged: 0, refused: stuck.length });
      for (const fault of told.faults)
        expect(fault).toMatchObject({ code: 'correction/only-in-erp', hint: expect.stringContaining(again) });
    }
    expect((await scene.entries()).map(({ revision }) => revision)).toEqual(
      stuck
        .map(() => 1)
        .concat([1, 1])
        .slice(0, 5),
    );
    // And the way that is told is one.
    scene.drop('ventes2.csv', sales(['A1', 'A2', 'A3', 'A4', 'A5']));
    await scene.night();
    expect(scene.sandbox.acceptances()).toHaveLength(5);
  },
);

test('a column of the whole document is reported once, and each of its cells is marked', async () => {
  const mapping = SALES_MAPPING.replace('columns: {', 'columns: { Client: { text: 5 digits },');
  const source = sales(['A1', 'A2', 'A3'])
    .replaceAll('Client A2', '001234')
    .replaceAll(/Client A\d/g, '01234');
  await using scene = await failedNight(source, mapping);
  const [entry] = (await scene.entries()).filter(({ state }) => state === 'invalid');
  expect(entry!.faults).toMatchObject([{ origin: { row: 4, column: 'Client' }, moreRows: [5], at: '/receiver/name' }]);
  expect(entry!.faults[0]!.message).toMatch(/the same on row 5$/);
  const sheet = sheetOf(scene);
  expect(sheet.match(/Client: .*5 digits/g)).toHaveLength(2);
  // A zero that goes is damage, unless the cell was at fault.
  scene.drop('f.csv', sheet.replaceAll(';001234;', ';01234;'));
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1, faults: [] });
  expect(tally(await scene.entries())).toEqual({ authorized: 3 });
});

test('each mistake in the file is reported with its row; the other documents continue', async () => {
  const source = sales(['A1', 'A2', 'A3', 'A4', 'A5']).replace(/;(\d);2;/g, ';$1;x;');
  await using scene = await failedNight(source);
  const lines = sheetOf(scene).trimEnd().split('\n');
  // A1 is right; of A2 a row is missing; A3 has a row twice; A4 has an altered _row; A5 an altered _doc.
  const given = lines
    .map((line) => line.replace(';x;', ';2;'))
    .map((line) => (line.startsWith('A4;') ? line.replace(/;(8|9);([^;]*)$/, ';99;$2') : line))
    .map((line) => (line.startsWith('A5;') ? line.replace(/[0-9a-f-]{36}\/1/, 'F2026-5') : line))
    .flatMap((line) =>
      line.startsWith('A2;') && line.includes(';1;2;') ? [] : line.startsWith('A3;') ? [line, line] : [line],
    );
  scene.drop('f.csv', `${given.join('\n')}\n`);
  const { told } = await scene.night();
  const found = corrections(told);
  expect(found).toMatchObject({ corrected: 1 });
  expect(new Set(found.faults.map(({ code }) => code))).toEqual(
    new Set([
      'correction/row-missing',
      'correction/row-twice',
      'correction/row-unknown',
      'correction/unknown-document',
    ]),
  );
  expect(
    found.faults.every(({ origin, hint }) => origin?.file === 'f.csv' && origin.row > 1 && hint !== undefined),
  ).toBe(true);
  expect(tally(await scene.entries())).toEqual({ authorized: 1, invalid: 4 });
  expect(summaryOf(scene, 'f.csv').rows).toMatchObject({ unaccounted: { count: 0 } });
});

test('a missing column of the export or of Nightpost is reported', async () => {
  await using scene = await failedNight();
  const cut = (at: number) =>
    `${sheetOf(scene)
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .split(';')
          .filter((_, n) => n !== at)
          .join(';'),
      )
      .join('\n')}\n`;
  scene.drop('g.csv', cut(2));
  expect(corrections((await scene.night()).told).faults).toMatchObject([{ code: 'correction/columns' }]);
  scene.drop('h.csv', cut(8));
  const { told } = await scene.night();
  expect(told.find(({ what }) => what === 'file-refused')).toMatchObject({ faults: [{ code: 'correction/columns' }] });
});

test('several exports in one sheet, and a rejected document', async () => {
  await using scene = await openScene({});
  scene.drop('ventes1.csv', sales(['C1']).replace(';1;2;', ';1;x;'));
  scene.drop('ventes2.csv', sales(['C2', 'C3-X6']).replace('Client C2;1;2', 'Client C2;1;x'));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ invalid: 2, rejected: 1 });
  const sheets = toFix(scene).map((path) =>
    scene
      .read(path)
      .replace(/^\ufeff/, '')
      .trimEnd()
      .split('\n'),
  );
  expect(sheets.flat().some((line) => line.startsWith('C3-X6') && /;6 /.test(line))).toBe(true);
  const rows = sheets
    .flatMap((lines) => lines.slice(1))
    .map((line) => line.replace(';x;', ';2;').replace('Client C3-X6', 'Autre'));
  scene.drop('all.csv', `${[sheets[0]![0], ...rows].join('\n')}\n`);
  const found = corrections((await scene.night()).told);
  expect(found).toMatchObject({ corrected: 3, faults: [] });
  expect((await scene.entries()).filter(({ state }) => state === 'authorized')).toHaveLength(2);
});

test('without the mapping, or without the archived export, nothing is taken', async () => {
  await using scene = await failedNight();
  const fixed = sheetOf(scene).replace(';2;x;', ';2;3;');
  const mapping = join(scene.root, 'mappings', 'sales.yaml');
  writeFileSync(mapping, SALES_MAPPING.replace('mapping: sales', 'mapping: other'));
  scene.drop('a.csv', fixed);
  expect(corrections((await scene.night()).told).faults).toMatchObject([{ code: 'correction/no-mapping' }]);
  writeFileSync(mapping, SALES_MAPPING);
  const archived = scene.files('archive').find((path) => path.endsWith('-ventes.csv'))!;
  renameSync(join(scene.root, archived), join(scene.root, 'elsewhere'));
  scene.drop('b.csv', fixed);
  expect(corrections((await scene.night()).told).faults).toMatchObject([{ code: 'correction/no-source' }]);
  renameSync(join(scene.root, 'elsewhere'), join(scene.root, archived));
  scene.drop('c.csv', fixed);
  expect(corrections((await scene.night()).told)).toMatchObject({ corrected: 1, faults: [] });
});

test('a rejected document whose content stays the same is not sent again', async () => {
  await using scene = await failedNight(sales(['D1-X6']).replace('Taux', 'Taux;Memo').replaceAll(/;20$/gm, ';20;a'));
  scene.drop('m.csv', sheetOf(scene).replaceAll(';20;a;', ';20;b;'));
  const { told } = await scene.night();
  expect(corrections(told)).toMatchObject({ corrected: 0, faults: [{ code: 'correction/same-content' }] });
});

test('thousands of failed documents, more than are kept in memory', async () => {
  const numbers = Array.from({ length: 2100 }, (_, n) => `E${n}`);
  await using scene = await failedNight(sales(numbers).replace(/;(\d);2;/g, ';$1;x;'));
  const lines = sheetOf(scene).trimEnd().split('\n');
  expect(lines).toHaveLength(1 + 2 * 2100);
  expect(lines.at(-1)).toMatch(/^E2099;.*;4201;/);
});

test('a mapping that can no longer read the export is reported, and no wrong file remains', async () => {
  await using scene = await failedNight(sales(['G1', 'G2-X8']).replace('Client G1;1;2', 'Client G1;1;x'));
  expect(toFix(scene)).toHaveLength(1);
  const utf16 = SALES_MAPPING.replace('format: csv', 'format: csv\n  encoding: utf-16le');
  writeFileSync(join(scene.root, 'mappings', 'sales.yaml'), utf16);
  await scene.look(async (ledger) => {
    for await (const { id } of ledger.queries.find({ ids: ['G2-X8'] })) {
      await ledger.submissions.resolve(id, { as: 'authorized', by: 'a', at: new Date().toISOString(), reason: 'r' });
    }
  });
  const { told } = await scene.night();
  expect(told.find(({ what }) => what === 'no-to-fix')).toMatchObject({ file: 'ventes.csv' });
  expect(toFix(scene)).toEqual([]);
});
