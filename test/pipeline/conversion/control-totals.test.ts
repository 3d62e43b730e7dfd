import { describe, expect, it } from 'vitest';
import { openScene } from '../../night.ts';
import { convertText, mappingOf } from './convert-text.ts';

const OUTPUT = `
calculated-columns: { rate: = 20 }
documents: { one-per: Num, class: invoice }
output:
  document: { identifier: $Num, date: "2026-09-05", currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: Client }
  lines:
    each: row
    make: { number: $Lig, quantity: 1, unit-price: $Net, net-amount: $Net }
  totals: { standard: { net: $Net, rate: $rate, currency: EUR } }
`;
const HEAD = 'mapping: controlled\nversion: 1\ntarget: fr-invoice\naccepts: { files: "C_*.*" }\n';
const csv = (controls: string, more = '') => `${HEAD}
source:
  format: csv
  numbers: { decimal: "," }
  columns: { Net: number, Total: number }
  ${more}
  controls:
${controls}
${OUTPUT}`;
const END = '{ column: 1, equals: FIN }';
const COUNTS = `    - { where: ${END}, count-of: documents, value: 2 }
    - { where: ${END}, count-of: rows, value: 3 }
    - { where: ${END}, sum-of: Net, once-per: row, value: 4 }
    - { where: ${END}, sum-of: Total, once-per: document, value: Lig }`;
const ROWS = 'Num;Total;Lig;Net\nF1;30,00;1;10,00\nF1;30,00;2;20,00\nF2;5,50;1;5,50\n';
// The documents stand in column 2, the rows in 3, the sum of Net in 4; Lig is column 3 as well, so rows = 3.
const good = csv(COUNTS.replace('value: Lig', 'value: 5'));

describe('control totals of a CSV trailer', () => {
  const file = `${ROWS}FIN;2;3;35,50;35,5\n`;

  it.each([1, 7, 1 << 20])('let a file pass that keeps them, read in steps of %i bytes', async (chunk) => {
    const { numbers, refused, leftOut, rows } = await convertText(good, file, chunk);
    expect(refused).toEqual([]);
    expect(numbers).toEqual(['F1', 'F2']);
    expect(leftOut).toEqual(['5 control total: column 1 is "FIN"']);
    expect(rows).toBe(4);
  });

  it.each(['Num', '[rate, Num]'])('count documents and their totals past an empty row (one-per: %s)', async (key) => {
    const counts = COUNTS.split('\n')
      .filter((line) => !line.includes('count-of: rows'))
      .join('\n');
    const { numbers, refused, faults } = await convertText(
      csv(counts.replace('value: Lig', 'value: 5')).replace('one-per: Num', `one-per: ${key}`),
      `${ROWS};;;\nFIN;2;3;35,50;35,5\n`,
    );
    expect(refused).toEqual([]);
    expect(numbers).toEqual(['F1', 'F2']);
    expect(faults.every(({ origin }) => origin?.row === 5)).toBe(true);
  });

  it.each([
    ['a document more', 'FIN;3;3;35,50;35,5', 2, 'row 5 has documents: 3, but the file has 2'],
    ['a row less', 'FIN;2;2;35,50;35,5', 3, 'row 5 has rows: 2, but the file has 3'],
    ['another sum', 'FIN;2;3;35,49;35,5', 4, 'row 5 has sum of Net: 35.49, but the file has 35.5'],
    ['another sum of documents', 'FIN;2;3;35,50;65,5', 5, 'row 5 has sum of Total: 65.5, but the file has 35.5'],
  ])('hold the file that has %s', async (_, trailer, column, message) => {
    const { refused } = await convertText(good, `${ROWS}${trailer}\n`);
    expect(refused).toMatchObject([{ code: 'file/control-total-differs', message, level: 'error' }]);
    expect(refused[0]?.origin).toMatchObject({ file: 'a.txt', row: 5 });
    expect(refused[0]?.given).toBe(trailer.split(';')[column - 1]);
    expect(refused[0]?.hint).toContain('Nightpost sends nothing of this file');
  });

  it('hold a file that was cut before its trailer', async () => {
    const { refused } = await convertText(good, ROWS);
    expect(refused.map(({ code }) => code)).toEqual(Array(4).fill('file/control-missing'));
  });

  it('hold two exports that were joined, and a total that is no number', async () => {
    const one = csv(`    - { where: ${END}, count-of: rows, value: 3 }`);
    const twice = await convertText(one, `${ROWS}FIN;;3;\nFIN;;3;\n`);
    expect(twice.refused).toMatchObject([{ code: 'file/control-twice', origin: { row: 6 } }]);
    const word = await convertText(one, `${ROWS}FIN;;three;\n`);
    expect(word.refused).toMatchObject([{ code: 'file/control-not-a-number', given: 'three' }]);
    const short = await convertText(one, `${ROWS}FIN\n`);
    expect(short.refused).toMatchObject([{ code: 'file/control-not-a-number' }]);
  });

  it('hold a file with a row that cannot be counted, and say what is wrong with it', async () => {
    const source = csv(`    - { where: ${END}, sum-of: Net, once-per: row, value: 4 }`);
    const word = await convertText(source, `${ROWS.replace('20,00', 'x')}FIN;;;35,50\n`);
    expect(word.refused).toMatchObject([
      { code: 'file/control-not-checked', origin: { row: 3 } },
      { code: 'map/not-a-number', origin: { row: 3, column: 'Net' } },
    ]);
    const ragged = await convertText(source, `${ROWS.replace('1;5,50', '1')}FIN;;;35,50\n`);
    expect(ragged.refused.map(({ code }) => code)).toEqual(['file/control-not-checked', 'csv/too-few-cells']);
  });

  it('count rows that keep leaves out, because the ERP counted them', async () => {
    const kept = good.replace('class: invoice', 'class: invoice, keep: $Num <> "F2"');
    const { refused, numbers, leftOut } = await convertText(kept, `${ROWS}FIN;2;3;35,50;35,5\n`);
    expect(refused).toEqual([]);
    expect(numbers).toEqual(['F1']);
    expect(leftOut).toContain('4 keep: $Num <> "F2"');
  });

  it('add exactly, where floats would not', async () => {
    const source = csv(`    - { where: ${END}, sum-of: Net, once-per: row, value: 2 }`);
    const rows = Array.from({ length: 1000 }, (_, n) => `F${n};0;1;0,1\n`).join('');
    expect((await convertText(source, `Num;Total;Lig;Net\n${rows}FIN;100,00;;\n`)).refused).toEqual([]);
  });
});

describe('control totals above the header row', () => {
  const source = csv('    - { where: { column: 1, equals: LOT }, count-of: rows, value: 2 }', 'header-row: 3');
  const file = `Export "of the night\n"LOT";"3"\n${ROWS}`;

  it.each([1, 3, 1 << 20])('are read in steps of %i bytes', async (chunk) => {
    const { refused, leftOut } = await convertText(source, file, chunk);
    expect(refused).toEqual([]);
    expect(leftOut).toEqual(['1 preamble', '2 control total: column 1 is "LOT"']);
    expect((await convertText(source, file.replace('"3"', '4'), chunk)).refused).toMatchObject([
      { code: 'file/control-total-differs', origin: { row: 2, column: 'column 2' }, given: '4' },
    ]);
  });
});

describe('control totals of other formats', () => {
  const fixed = `${HEAD}
source:
  format: fixed
  types: { Net: { number: { implied-decimals: 2 } } }
  columns: { Num: 1-2, Lig: 3, Net: 4-8 }
  controls:
    - { where: { at: 1-2, equals: ZZ }, count-of: rows, value: 3 }
    - { where: { at: 1-2, equals: ZZ }, sum-of: Net, once-per: row, value: 4-8, implied-decimals: 2 }
${OUTPUT}`;
  const xml = `${HEAD}
source:
  format: xml
  types: { Net: number }
  document: /Export/Inv
  row: Line
  columns: { Num: ../@n, Lig: "@l", Net: . }
  controls:
    - { count-of: documents, value: /Export/@count }
    - { sum-of: Net, once-per: row, value: /Export/Trailer/Sum }
${OUTPUT}`;
  const invoices = '<Inv n="F1"><Line l="1">10.00</Line></Inv><Inv n="F2"><Line l="1">5.50</Line></Inv>';

  it('are at positions of a fixed-width line, with decimals implied', async () => {
    const file = 'F1101000\nF120050-\nF2100550\nZZ301500\n';
    expect((await convertText(fixed, file)).refused).toEqual([]);
    expect((await convertText(fixed, file.replace('ZZ301500', 'ZZ301501'))).refused).toMatchObject([
      { code: 'file/control-total-differs', origin: { row: 4, column: 'positions 4-8' } },
    ]);
  });

  it('are in elements and attributes of XML, before or after the documents', async () => {
    const file = `<Export count="2">${invoices}<Trailer><Sum>15.50</Sum></Trailer></Export>`;
    for (const chunk of [5, 1 << 20]) {
      const { refused, leftOut } = await convertText(xml, file, chunk);
      expect(refused).toEqual([]);
      expect(leftOut).toEqual([]);
    }
    const { refused } = await convertText(xml, file.replace('15.50', '15.5O').replace('"2"', '"3"'));
    expect(refused).toMatchObject([
      { code: 'file/control-total-differs', origin: { row: 1, column: '/Export/@count' } },
      { code: 'file/control-not-a-number', origin: { column: '/Export/Trailer/Sum' } },
    ]);
  });

  it('hold an XML file without them, or with two', async () => {
    const none = await convertText(xml, `<Export count="2">${invoices}</Export>`);
    expect(none.refused.map(({ code }) => code)).toEqual(['file/control-missing']);
    const two = `<Export count="2">${invoices}<Trailer><Sum>15.5</Sum><Sum>1</Sum></Trailer></Export>`;
    expect((await convertText(xml, two)).refused.map(({ code }) => code)).toEqual(['file/control-twice']);
  });
});

describe('a mapping with controls', () => {
  it.each([
    ['neither count nor sum', `{ where: ${END}, value: 2 }`, 'either count-of or sum-of'],
    ['both', `{ where: ${END}, value: 2, count-of: rows, sum-of: Net, once-per: row }`, 'either count-of or sum-of'],
    ['a sum that is not said how often', `{ where: ${END}, value: 2, sum-of: Net }`, 'once-per: document, or'],
    ['a sum of texts', `{ where: ${END}, value: 2, sum-of: Lig, once-per: row }`, 'map/wrong-kind'],
    ['a rule of another format', '{ where: { at: 1-3, equals: FIN }, value: 2, count-of: rows }', 'where'],
  ])('is refused with %s', (_, control, words) => {
    expect(() => mappingOf(csv(`    - ${control}`))).toThrow(words);
  });

  it('needs the column that it adds', async () => {
    const source = csv(`    - { where: ${END}, sum-of: Nett, once-per: row, value: 4 }`, '').replace(
      'columns: { Net: number,',
      'columns: { Net: number, Nett: number,',
    );
    const { refused } = await convertText(source, ROWS);
    expect(refused).toMatchObject([{ code: 'map/no-such-column', hint: 'did you mean "Net"?' }]);
  });
});

it('no document of a file whose totals differ is sent: all are in error, and the complete file is sent later', async () => {
  await using scene = await openScene({ mappings: { 'controlled.yaml': good } });
  scene.drop('C_cut.csv', `${ROWS}FIN;9;3;35,50;35,5\n`);
  await scene.night();
  expect(await scene.entries()).toEqual([]);
  expect(scene.sandbox.acceptances()).toEqual([]);
  const [summary] = scene.files('error').filter((path) => path.endsWith('.summary.json'));
  expect(JSON.parse(scene.read(summary!))).toMatchObject({
    file: { state: 'refused' },
    faults: [{ code: 'file/control-total-differs' }],
  });
  scene.drop('C_whole.csv', `${ROWS}FIN;2;3;35,50;35,5\n`);
  await scene.night();
  expect((await scene.entries()).map(({ state }) => state)).toEqual(['authorized', 'authorized']);
});

it('a header record without lines is a document and no row: it is refused alone', async () => {
  const types = `record-types:
    levels:
      - { value: E, columns: [T, Num, Total] }
      - { value: L, columns: [T, Lig, Net] }
  `;
  const where = '{ column: 1, equals: T }';
  const yaml = csv(
    `    - { where: ${where}, count-of: rows, value: 2 }\n    - { where: ${where}, count-of: documents, value: 3 }`,
    types,
  ).replace('columns: { Net', 'header-row: none\n  columns: { Net');
  const { numbers, refused, faults } = await convertText(
    yaml,
    'E;F1;10,00\nL;1;10,00\nE;F2;5,00\nE;F3;7,00\nL;1;7,00\nT;2;3\n',
  );
  expect(refused).toEqual([]);
  expect(numbers).toEqual(['F1', 'F3']);
  expect(faults.map(({ code }) => code)).toEqual(['csv/header-without-lines']);
});
