/** Lists of an XML source, from the element to the document: `each: item of name`. */
import { describe, expect, test } from 'vitest';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { showFault } from '../../src/model/fault.ts';
import { convertText } from '../pipeline/conversion/convert-text.ts';

const SOURCE = `
source:
  format: xml
  document: /I
  row: L
  columns: { number: /I/@n, line: "@no", seller: /I/S }
  lists:
    taxes: { each: /I/T, columns: { rate: R, amount: A, basis: "B[@c='EUR']" } }
    less: { each: "D[K='less']", columns: { amount: A, why: W/@t } }
    ids: { each: ../Id, columns: { scheme: "@s", value: . } }
  types: { taxes.rate: number, taxes.amount: number, less.amount: number }
`;

function mappingOf(output: string, more = ''): string {
  const indented = output
    .trim()
    .split('\n')
    .map((line) => `  ${line}`);
  return `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*.xml" }
${SOURCE.trim()}
${more}
documents: { one-per: file, class: invoice, never-twice: number }
output:
${indented.join('\n')}
`;
}

const FILE = `<I n="F1"><T><R>20</R><A>2.00</A><B c="EUR">10</B><B c="USD">12</B></T><T><A>0.55</A><R>5.5</R></T>
<Id s="0002">732829320</Id><Id>X-1</Id>
<L no="1"><D><A>1.50</A><K>less</K><W t="loyal"/></D><D><K>more</K><A>9</A></D><D><K>less</K><A>0.25</A></D></L>
<L no="2"/><S>Ex</S></I>`;

async function made(output: string, file = FILE, more = ''): Promise<unknown> {
  const { outcomes, refused } = await convertText(mappingOf(output, more), file);
  expect(refused).toEqual([]);
  const [outcome] = outcomes;
  if (!outcome || !('document' in outcome)) throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.document.content.toString()).payload;
}

async function faultsOf(output: string, file: string): Promise<readonly string[]> {
  const { faults } = await convertText(mappingOf(output), file);
  return faults.map((fault) => showFault(fault));
}

function findingsOf(output: string, more = ''): readonly string[] {
  const { faults } = loadMapping(mappingOf(output, more), 'm.yaml', mappingWorld('/nowhere'));
  return faults.map(({ code, message }) => `${code} ${message}`);
}

const HEAD = 'document: { identifier: $number }\n';

describe('outside of the rows', () => {
  const LESS = '<D><A>1.50</A><K>less</K></D><D><K>less</K><A>0.25</A></D>';
  const TWICE = `<I n="F1"><T><R>20</R><A>2.00</A></T><L no="1">${LESS}</L><L no="2">${LESS}</L></I>`;

  test('a list inside of the rows has the items of all of them, also where these are alike', async () => {
    const output = `${HEAD}totals:
  final-amount: = SUM($less.amount)
  currency: = COUNT($less.amount) & "/" & COUNT($taxes.amount)
  subtotals: { each: item of less, make: { amount: $less.amount, tag: $line } }
`;
    expect(await made(output, TWICE)).toMatchObject({
      totals: {
        'final-amount': 3.5,
        currency: '4/1',
        subtotals: [
          { amount: 1.5, tag: '1' },
          { amount: 0.25, tag: '1' },
          { amount: 1.5, tag: '2' },
          { amount: 0.25, tag: '2' },
        ],
      },
    });
    expect(await made(`${HEAD}totals: { final-amount: = SUM($less.amount) }`)).toMatchObject({
      totals: { 'final-amount': 1.75 },
    });
  });

  test('so it has around an item of another list', async () => {
    const output = `${HEAD}totals: { subtotals: { each: item of taxes, make: { amount: = SUM($less.amount) } } }`;
    expect(await made(output, TWICE)).toMatchObject({ totals: { subtotals: [{ amount: 3.5 }] } });
    expect(await made(output)).toMatchObject({ totals: { subtotals: [{ amount: 1.75 }, { amount: 1.75 }] } });
  });

  test('a group of rows has the items of its own', async () => {
    const output = `${HEAD}totals: { subtotals: { each: rows by line, make: { tag: $line, amount: = SUM($less.amount) } } }`;
    expect(await made(output, TWICE)).toMatchObject({
      totals: {
        subtotals: [
          { tag: '1', amount: 1.75 },
          { tag: '2', amount: 1.75 },
        ],
      },
    });
  });

  test('records under two headers of one document are the items of both', async () => {
    const mapping = `
mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source:
  format: csv
  record-types:
    levels: [{ value: E, columns: ["", Num, Delivery] }, { value: L, columns: ["", Line] }]
    lists: { tax: { value: V, columns: ["", amount] } }
  columns: { tax.amount: number }
documents: { one-per: Num, class: invoice, never-twice: Num }
output:
  document: { identifier: $Num }
  totals: { final-amount: = SUM($tax.amount), subtotals: { each: item of tax, make: { amount: $tax.amount, tag: $Num } } }
`;
    const { outcomes } = await convertText(mapping, 'E;A;1\nV;4\nL;x\nL;y\nE;A;2\nL;z\nV;4\n');
    expect(outcomes.map((one) => 'document' in one && JSON.parse(one.document.content.toString()).payload)).toEqual([
      {
        document: { identifier: 'A' },
        totals: {
          'final-amount': 8,
          subtotals: [
            { amount: 4, tag: 'A' },
            { amount: 4, tag: 'A' },
          ],
        },
      },
    ]);
  });
});

describe('MIN and MAX among several values', () => {
  test('choose for each item of the list that a sum goes over', async () => {
    const output = `${HEAD}totals: { final-amount: = SUM(MAX($taxes.amount; 1)), currency: = COUNT(MIN($taxes.rate; 10)) & "" }`;
    expect(await made(output)).toEqual({
      document: { identifier: 'F1' },
      totals: { 'final-amount': 3, currency: '2' },
    });
  });

  test('are refused outside of the list, where no item is meant', () => {
    const output = `${HEAD}totals: { final-amount: "= MAX($taxes.amount, 1)" }`;
    expect(findingsOf(output).map((one) => one.split(' ')[0])).toEqual(['map/outside-its-list']);
  });
});

describe('each: item of', () => {
  test('brings up the items of the document and of each line, in the order of the file', async () => {
    const output = `${HEAD}
lines:
  each: row
  make:
    number: $line
    discounts: { each: item of less, make: { amount: $less.amount, reason: { identifier: $less.why, description: "= $line & $seller" } } }
totals:
  subtotals:
    each: item of taxes
    make: { percent: $taxes.rate, amount: $taxes.amount, taxable-amount: = NUMBER($taxes.basis), tag: = $seller & $number }
`;
    expect(await made(output)).toEqual({
      document: { identifier: 'F1' },
      lines: [
        {
          number: '1',
          discounts: [
            { amount: 1.5, reason: { identifier: 'loyal', description: '1Ex' } },
            { amount: 0.25, reason: { description: '1Ex' } },
          ],
        },
        { number: '2' },
      ],
      totals: {
        subtotals: [
          { percent: 20, amount: 2, 'taxable-amount': 10, tag: 'ExF1' },
          { percent: 5.5, amount: 0.55, tag: 'ExF1' },
        ],
      },
    });
  });

  test('is among other entries of a list, and sums include both', async () => {
    const output = `${HEAD}
issuer:
  identifiers:
    - { type: vat, value: $seller }
    - each: item of ids
      make: { when: $ids.scheme <> "", type: $ids.scheme, value: $ids.value }
    - { type: own, value: $number }
totals:
  final-amount: = SUM(@subtotals.amount)
  subtotals:
    - { type: a, amount: 1 }
    - each: item of taxes
      make: { amount: $taxes.amount }
`;
    expect(await made(output)).toMatchObject({
      issuer: {
        identifiers: [
          { type: 'vat', value: 'Ex' },
          { type: '0002', value: '732829320' },
          { type: 'own', value: 'F1' },
        ],
      },
      totals: { 'final-amount': 3.55, subtotals: [{ amount: 1 }, { amount: 2 }, { amount: 0.55 }] },
    });
  });

  test('is not needed for SUM and its like, which go over the items of the document or the line', async () => {
    const output = `${HEAD}
lines: { each: row, make: { number: $line, net-amount: = SUM($less.amount), quantity: = COUNT($less.why) } }
totals: { final-amount: "= SUM($taxes.amount * $taxes.rate)", currency: = MIN($ids.value), additional-info: [{ key: half, value: "= $half" }] }
`;
    expect(await made(output, FILE, 'calculated-columns: { half: = MAX($taxes.amount) / 2 }')).toEqual({
      document: { identifier: 'F1' },
      lines: [
        { number: '1', 'net-amount': 1.75, quantity: 1 },
        { number: '2', 'net-amount': 0, quantity: 0 },
      ],
      totals: { 'final-amount': 43.025, currency: '732829320', 'additional-info': [{ key: 'half', value: '1' }] },
    });
    expect(findingsOf(`${HEAD}totals: { final-amount: = SUM($taxes.amount * $less.amount) }`)).toEqual([
      'map/wrong-argument several lists are mixed here',
    ]);
  });

  test('gives nothing where there is no item', async () => {
    const output = `${HEAD}totals: { subtotals: { each: item of taxes, make: { amount: $taxes.amount } } }`;
    expect(await made(output, '<I n="F1"><L no="1"/></I>')).toEqual({ document: { identifier: 'F1' } });
  });

  test('names the item and the field of a damaged value', async () => {
    const output = `${HEAD}totals:
  subtotals:
    - { type: a, amount: 1 }
    - each: item of taxes
      make: { amount: $taxes.amount }`;
    expect(await faultsOf(output, FILE.replace('0.55', '0,55'))).toEqual([
      'a.txt:1:/I/T[2]/A  map/not-a-number  "0,55" is not a number (this file uses "." as the decimal sign) - correct the cell, or the decimal sign in the mapping if all numbers use the other one  (/totals/subtotals/2/amount)',
    ]);
  });

  test('an item with a value twice breaks the row it belongs to', async () => {
    const output = `${HEAD}totals: { subtotals: { each: item of taxes, make: { amount: $taxes.amount } } }`;
    const { faults } = await convertText(mappingOf(output), FILE.replace('<A>0.55</A>', '<A>0.55</A><A>1</A>'));
    expect(faults.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'xml/several-values Column "taxes.amount" has more than one value, the second on line 1',
      'xml/several-values Column "taxes.amount" has more than one value, the second on line 1',
    ]);
  });
});

test('a cell that was corrected to no list of items is a fault of its document', () => {
  const { mapping } = loadMapping(
    mappingOf(`${HEAD}notes: { each: item of ids, make: { content: $ids.value } }`),
    'm.yaml',
    mappingWorld('/nowhere'),
  );
  const table = { file: 'a.xml', columns: ['number', 'line', 'seller', 'taxes', 'less', 'ids'] };
  const bound = mapping!.bind(table);
  if ('faults' in bound) throw new Error('the header does not fit');
  const facts = { today: '2026-11-20', file: { name: 'a.xml', base64: () => '' } };
  const noted = (ids: string) => {
    const row = { cells: ['F1', '1', 'Ex', '', '', ids], row: 1 };
    const { draft, faults } = bound.compose({ table, key: [], rows: [row], faults: [] }, facts);
    return draft?.payload?.notes ?? faults.map(showFault);
  };
  expect(noted('[{"value":"a"},{}, {"value":" b ","scheme":"x"}]')).toEqual([{ content: 'a' }, { content: 'b' }]);
  for (const wrong of ['a', '{"value":"a"}', '["a"]', '[{"value":1}]']) {
    expect(noted(wrong)).toEqual([expect.stringContaining(`a.xml:1:ids  map/damaged-list`)]);
  }
});

describe('check refuses', () => {
  test.each([
    ['a value of an item outside of it', 'document: { identifier: $taxes.basis }', 'map/outside-its-list'],
    ['a list in place of a value', 'document: { identifier: $taxes }', 'map/outside-its-list'],
    [
      'a value of another list',
      `${HEAD}notes: { each: item of ids, make: { content: $taxes.basis } }`,
      'map/outside-its-list',
    ],
    [
      'a list that is not declared',
      `${HEAD}notes: { each: item of tax, make: { content: $number } }`,
      'map/no-such-list',
    ],
    [
      'a value that the items do not have',
      `${HEAD}notes: { each: item of ids, make: { content: $ids.valeu } }`,
      'map/no-such-column',
    ],
    [
      'items inside an item',
      `${HEAD}totals: { subtotals: { each: item of ids, make: { subtotals: { each: item of ids, make: $ids.value } } } }`,
      'map/each-in-row',
    ],
  ])('%s', (_, output, code) => {
    expect(findingsOf(output).map((finding) => finding.split(' ')[0])).toContain(code);
  });

  test.each([
    'SUM(IF($taxes.amount > 0, ROW-NUMBER(), 0))',
    'MAX(-ROW-NUMBER() + $taxes.amount)',
    'COUNT(COALESCE($taxes.basis, ROW-NUMBER()))',
    'SUM($taxes.amount * ALLOCATE(1, 1))',
    'SUM(ALLOCATE(1, $taxes.amount))',
  ])('a value of a row among items of a list: %s', (formula) => {
    expect(findingsOf(`${HEAD}totals: { final-amount: "= ${formula}" }`)).toEqual([
      expect.stringMatching(/^map\/wrong-argument (?:ROW-NUMBER|ALLOCATE)\(.*\) is a value of a row/),
    ]);
  });

  test('no value of a row next to a sum over items', () => {
    const output = `${HEAD}totals: { final-amount: = SUM($taxes.amount) + SUM(ROW-NUMBER()) }`;
    expect(findingsOf(output)).toEqual([]);
  });

  test('a value of an item in a calculated column', () => {
    const more = 'calculated-columns: { half: = $taxes.amount / 2 }';
    expect(findingsOf(`${HEAD}totals: { final-amount: $half }`, more)).toEqual([
      'map/outside-its-list taxes.amount is a value of each item of taxes',
    ]);
  });
});

describe('records next to the lines of a CSV', () => {
  const MAPPING = `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*.txt" }
source:
  format: csv
  record-types:
    levels:
      - { value: H, columns: [Type, Numero, Ttc] }
      - { value: L, columns: [Type, Article, Net, Taux] }
    lists:
      tva: { value: V, columns: ["", taux, base, montant] }
  columns: { Ttc: number, Net: number, Taux: number, tva.taux: number, tva.base: number, tva.montant: number }
documents: { one-per: Numero, class: invoice, never-twice: Numero }
output:
  document: { identifier: $Numero }
  totals:
    subtotals:
      each: item of tva
      make: { percent: $tva.taux, amount: $tva.montant, taxable-amount: $tva.base }
checks:
  - { that: "= SUM($tva.montant) = $Ttc - SUM($Net)", else: error, say: VAT differs }
  - { that: "= SUM($tva.base * $tva.taux) = SUM($Net * $Taux)", else: error, say: VAT of a rate differs }
`;
  const FILE = 'H;F1;23.10\nL;a;10.00;20\nL;b;10.00;5.5\nV;20;10.00;2.00\nV;5.5;10.00;0.55\n';

  test('bring up their values, in the order of the file', async () => {
    const { outcomes, refused } = await convertText(MAPPING, FILE.replace('23.10', '22.55'));
    expect(refused).toEqual([]);
    const [outcome] = outcomes;
    if (!outcome || !('document' in outcome)) throw new Error(JSON.stringify(outcome));
    expect(JSON.parse(outcome.document.content.toString()).payload.totals.subtotals).toEqual([
      { percent: 20, amount: 2, 'taxable-amount': 10 },
      { percent: 5.5, amount: 0.55, 'taxable-amount': 10 },
    ]);
  });

  test.each([
    ['more VAT than the header', 'V;20;10.00;2.00', 'V;20;10.00;3.00', ['VAT differs']],
    ['the VAT of another rate', 'V;5.5;10.00;0.55', 'V;10;10.00;0.55', ['VAT of a rate differs']],
    ['one of them is missing', 'V;5.5;10.00;0.55\n', '', ['VAT differs', 'VAT of a rate differs']],
    ['the header has other VAT', '22.55', '23.55', ['VAT differs']],
  ])('that disagree hold the document: %s', async (_, found, changed, says) => {
    const file = FILE.replace('23.10', '22.55');
    const { faults } = await convertText(MAPPING, file.replace(found, changed));
    expect(faults.map(({ message }) => message.split(' (')[0])).toEqual(says);
    expect(faults.every(({ code }) => code === 'map/check-failed')).toBe(true);
  });

  test('with a damaged amount name the record and its field', async () => {
    const { faults } = await convertText(MAPPING, FILE.replace('V;5.5;10.00;0.55', 'V;5.5;10.00;O.55'));
    expect(faults.map(({ code, origin, given }) => [code, origin?.row, origin?.column, given])).toEqual([
      ['map/not-a-number', 2, 'tva[2]', 'O.55'],
    ]);
  });
});
