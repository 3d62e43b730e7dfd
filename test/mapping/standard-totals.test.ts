import { expect, test } from 'vitest';
import { EXAMPLE, HEADER, LIVRET, POULIE, row, THREE_ROWS } from './example.ts';
import { convert, FILES, findingsOf, loaded } from './world.ts';

const spelled = EXAMPLE.slice(EXAMPLE.indexOf('  totals:\n'), EXAMPLE.indexOf('\nchecks:'));
const withTotals = (totals: string) => EXAMPLE.replace(spelled, `  totals: ${totals}\n`);

test.each([
  ['the example', THREE_ROWS],
  ['one rate', [HEADER, row({ TotalHT: '105', TotalTTC: '126' })].join('\n')],
  [
    'negative halves',
    [
      HEADER,
      row({ Qte: '-7', PUHT: '12,345' }),
      row({ ...POULIE, Qte: '-1', PUHT: '0,125' }),
      row({ ...LIVRET, Qte: '-3' }),
    ].join('\n'),
  ],
])('give exactly the blocks spelled out: %s', (_, csv) => {
  const free = (text: string) => text.slice(0, text.indexOf('\nchecks:'));
  const [written] = convert(loaded(free(EXAMPLE), FILES), csv);
  const [standard] = convert(
    loaded(free(withTotals('{ standard: { net: $net, rate: $rate, currency: EUR } }')), FILES),
    csv,
  );
  const [implied] = convert(loaded(free(withTotals('{ standard: { net: $net, rate: $rate } }')), FILES), csv);
  expect(written?.json).toHaveProperty('totals.subtotals.1.subtotals');
  expect(JSON.stringify(standard?.json)).toBe(JSON.stringify(written?.json));
  expect(JSON.stringify(implied?.json)).toBe(JSON.stringify(written?.json));
});

test('VAT is rounded per rate, not per line (three lines of 10.03 at 20 %: 6.02, not 6.03)', () => {
  const line = (n: number) => row({ NumLig: String(n), Qte: '1', PUHT: '10,03' });
  const csv = [HEADER, line(1), line(2), line(3)].join('\n');
  const text = withTotals('{ standard: { net: $net, rate: $rate } }').replace(/\nchecks:[\s\S]*/, '\n');
  expect(convert(loaded(text, FILES), csv)[0]?.json).toMatchObject({
    totals: {
      'final-amount': 36.11,
      subtotals: [{ amount: 30.09 }, { amount: 6.02, subtotals: [{ percent: 20, amount: 6.02 }] }],
    },
  });
});

test('net may be a formula, the kind of tax another', () => {
  const text = withTotals('{ standard: { net: "= ROUND($Qte * $PUHT, 2)", rate: $rate, tax-type: igic } }');
  expect(convert(loaded(text, FILES), THREE_ROWS)[0]?.json).toMatchObject({
    totals: {
      'final-amount': 222.59,
      subtotals: [{}, { class: 'igic', subtotals: [{ class: 'igic' }, { class: 'igic' }] }],
    },
  });
});

test.each([
  ['{ standard: { net: $net } }', 'map/wrong-value rate: is a $Column'],
  ['{ standard: { rate: $rate } }', 'map/wrong-value net: is a $Column or a formula per line'],
  ['{ standard: { net: $net, rate: $rate, rates: 5 } }', 'map/unknown-key unknown key "rates"'],
  [
    '{ standard: { net: $net, rate: $rate }, currency: EUR }',
    'map/wrong-value standard: cannot have fields next to it',
  ],
])('%s is refused: %s', (totals, finding) => {
  expect(findingsOf(withTotals(totals), FILES).join('\n')).toContain(finding);
});

const simple = (totals: string, columns = 'net: number, ttc: number', more = '') => `
mapping: t
version: 1
target: fr-invoice
accepts: { files: "*.csv" }
source: { format: csv, columns: { ${columns}, rate: number, Remise: number, Frais: number, Cours: number } }
${more}
documents: { one-per: Num, class: invoice, identical-rows: allowed }
output:
  document: { identifier: $Num, currency: USD }
  totals: { standard: ${totals} }
`;
const HEAD = 'Num;net;ttc;rate;Remise;Frais;Cours';
const totalsOf = (text: string, rows: readonly string[]) =>
  convert(loaded(text), [HEAD, ...rows].join('\n')).map(({ json, faults }) => {
    if (faults.length > 0) throw new Error(faults.map(({ message }) => message).join('\n'));
    const { totals, 'alternate-totals': alternate } = json as { totals: unknown; 'alternate-totals': unknown };
    return { ...shape(totals), ...(alternate ? { alternate: (alternate as unknown[]).map(shape) } : {}) };
  });

type Sub = {
  type: string;
  amount: number;
  sign: string;
  percent: number;
  'taxable-amount': number;
  subtotals?: readonly Sub[];
};

function shape(totals: unknown) {
  const { subtotals, 'final-amount': final } = totals as { subtotals: readonly Sub[]; 'final-amount': number };
  const rates = subtotals.at(-1)!.subtotals!.map((one) => [one.percent, one['taxable-amount'], one.amount]);
  return { final, parts: subtotals.map(({ type, amount }) => [type, amount]), rates };
}

test('amounts with tax: per document 100.00 at 20 % is 83.33 and 16.67, and always adds up', () => {
  const text = simple('{ gross: $ttc, rate: $rate }');
  expect(totalsOf(text, ['F;;60.00;20;;;', 'F;;40.00;20.0;;;', 'F;;10.55;5.5;;;'])).toEqual([
    {
      final: 110.55,
      parts: [
        ['lines-net-amount', 93.33],
        ['tax', 17.22],
      ],
      rates: [
        [20, 83.33, 16.67],
        [5.5, 10, 0.55],
      ],
    },
  ]);
});

test('amounts with tax: per line, the tax is what the nets of the lines leave', () => {
  const calculated = 'calculated-columns: { ht: "= NET-OF($ttc, $rate)" }';
  const text = simple('{ net: $ht, gross: $ttc, rate: $rate }', 'ttc: number', calculated);
  // Three lines of 1.00: 0.83 each, 2.49 together; per document it would be 2.50.
  expect(totalsOf(text, ['F;;1;20;;;', 'F;;1;20;;;', 'F;;1;20;;;'])[0]).toMatchObject({
    final: 3,
    rates: [[20, 2.49, 0.51]],
  });
  expect(totalsOf(simple('{ gross: $ttc, rate: $rate }'), ['F;;1;20;;;', 'F;;1;20;;;', 'F;;1;20;;;'])[0]).toMatchObject(
    {
      final: 3,
      rates: [[20, 2.5, 0.5]],
    },
  );
});

test('a discount of the document falls to the rates by largest remainder', () => {
  const text = simple('{ net: $net, rate: $rate, discount: { amount: $Remise, type: discount } }');
  const rows = ['F;59.97;;20;10;;', 'F;8.70;;5.5;10;;', 'F;33.33;;10;10;;'];
  expect(totalsOf(text, rows)).toEqual([
    {
      // 5.88, 0.85 and 3.27 of the 10.00: taxed are 54.09, 7.85 and 30.06.
      final: 106.26,
      parts: [
        ['lines-net-amount', 102],
        ['discount', 10],
        ['tax', 14.26],
      ],
      rates: [
        [20, 54.09, 10.82],
        [5.5, 7.85, 0.43],
        [10, 30.06, 3.01],
      ],
    },
  ]);
});

test('no discount, no subtotal of it; a charge is added; both signs can be seen', () => {
  const adjustments = 'discount: { amount: $Remise, type: d, class: global }, charge: { amount: $Frais, type: c }';
  const text = simple(`{ net: $net, rate: $rate, ${adjustments} }`);
  expect(totalsOf(text, ['F;100;;20;;;'])[0]).toMatchObject({
    final: 120,
    parts: [
      ['lines-net-amount', 100],
      ['tax', 20],
    ],
  });
  const [both] = convert(loaded(text), `${HEAD}\nF;100;;20;10;5;`);
  expect(both?.json).toMatchObject({
    totals: {
      'final-amount': 114,
      subtotals: [
        { amount: 100 },
        { type: 'd', class: 'global', sign: 'negative', 'before-taxes': true, amount: 10 },
        { type: 'c', sign: 'positive', amount: 5 },
        { amount: 19, subtotals: [{ 'taxable-amount': 95, amount: 19 }] },
      ],
    },
  });
});

test('the same totals in another currency', () => {
  const text = simple('{ net: $net, rate: $rate, alternate: { currency: EUR, rate: $Cours } }');
  const [result] = convert(loaded(text), `${HEAD}\nF;100;;20;;;0.9137\nF;50.55;;10;;;0.9137`);
  expect(result?.json).toMatchObject({
    document: { currency: 'USD', 'currency-taxes': 'EUR' },
    totals: { currency: 'USD', 'final-amount': 175.61 },
    'alternate-totals': [
      {
        currency: 'EUR',
        'final-amount': 160.45,
        subtotals: [
          { amount: 137.56 },
          {
            amount: 22.89,
            subtotals: [
              { 'taxable-amount': 91.37, amount: 18.27 },
              { 'taxable-amount': 46.19, amount: 4.62 },
            ],
          },
        ],
      },
    ],
  });
  const gross = simple('{ gross: $ttc, rate: $rate, alternate: { currency: EUR, rate: $Cours } }');
  expect(totalsOf(gross, ['F;;120;20;;;2'])[0]).toMatchObject({
    final: 120,
    alternate: [{ final: 240, rates: [[20, 200, 40]] }],
  });
});

test('the document keeps the currency of its taxes where the mapping writes it next to totals in another currency', () => {
  const totals = '{ net: $net, rate: $rate, alternate: { currency: EUR, rate: $Cours } }';
  const document = { identifier: 'F', currency: 'USD', 'currency-taxes': 'CHF' };
  const written = simple(totals).replace('currency: USD', 'currency: USD, currency-taxes: CHF');
  expect(convert(loaded(written), `${HEAD}\nF;100;;20;;;0.9`)[0]?.json).toMatchObject({ document });
  const table = 'tables: { heads: { F: { identifier: F, currency: USD, currency-taxes: CHF } } }';
  const chosen = simple(totals.replace('rate,', 'rate, currency: USD,'), undefined, table).replace(
    /document: \{.*/,
    'document: { from: Num, table: heads }',
  );
  expect(convert(loaded(chosen), `${HEAD}\nF;100;;20;;;0.9`)[0]?.json).toMatchObject({ document });
});

test.each([
  ['{ rate: $rate }', 'net: is a $Column or a formula per line'],
  ['{ net: $net, gross: 5, rate: $rate }', 'gross: is a $Column or a formula per line, tax included'],
  ['{ net: $net, rate: $rate, discount: $Remise }', 'this is { amount: $Column, type: word }'],
  ['{ net: $net, rate: $rate, charge: { amount: $Frais, type: c, kind: x } }', 'unknown key "kind"'],
  [
    '{ gross: $ttc, rate: $rate, discount: { amount: $Remise, type: d } }',
    'discount: and charge: are calculated before tax',
  ],
  ['{ net: $net, rate: $rate, order: up }', 'order: is for rows by Column'],
  ['{ net: $net, rate: $rate, alternate: EUR }', 'alternate: is { currency: EUR, rate: $Column }'],
])('%s: %s', (totals, message) => {
  expect(findingsOf(simple(totals)).join('\n')).toContain(message);
});
