/** The arithmetic that invoices stand on, each case with figures reckoned by hand. */
import { describe, expect, it, test } from 'vitest';
import { runFormula } from './run-formula.ts';
import { convert, loaded } from './world.ts';

const LINES = { qty: [3, 2, 1], price: [19.99, 4.35, 33.333333], rate: [20, 5.5, 10] };
const PER_LINE = 'ROUND($qty * $price, 2)';

describe('one formula', () => {
  it.each([
    ['half away from zero', 'ROUND(1.005, 2)', '1.01'],
    ['the magnitude is rounded, not the sign', 'ROUND(-6491.34 * 25%, 2)', '-1622.84'],
    ['a negative half', 'ROUND(-2.5) & " " & ROUND(2.5) & " " & ROUND(-1622.835, 2)', '-3 3 -1622.84'],
    ['line discount', 'ROUND(7 * 12.345, 2) & " " & ROUND(ROUND(7 * 12.345, 2) * 10%, 2)', '86.42 8.64'],
    ['no floats', 'ROUND(4.35 * 100, 0) & " " & 1.15 / 0.01', '435 115'],
    ['price per thousand', 'ROUND(1440 * 630 / 1000, 2) & " " & 630 / 1000', '907.2 0.63'],
    ['price with tax', 'NET-OF(100, 20) & " " & 100 - NET-OF(100, 20)', '83.33 16.67'],
    ['thirty days', 'DUE-DATE("2026-01-31", 30, "days")', '2026-03-02'],
    ['one month, cut to the end', 'DUE-DATE("2026-01-31", 1, "months")', '2026-02-28'],
    ['forty-five days', 'DUE-DATE("2026-11-20", 45, "days")', '2027-01-04'],
    ['a trailing minus', 'NUMBER("100.00-")', '-100'],
    ['parentheses', 'NUMBER("(12.50)")', '-12.5'],
    [
      'blank, no-break, narrow no-break and apostrophe between thousands',
      'NUMBER("1 234,5", ",", " ") & " " & NUMBER("1\u00a0234,5", ",", " ") & " " & NUMBER("1\u202f234,5", ",", " ") & " " & NUMBER("1\'234.5", ".", "\'")',
      '1234.5 1234.5 1234.5 1234.5',
    ],
    ['a comma or a dot for decimals', 'NUMBER("12,5", ",") & " " & NUMBER("12.5")', '12.5 12.5'],
    [
      'days of a spreadsheet, and two ways to write a day',
      'DATE("46270", "excel-serial") & " " & DATE("05/09/2026", "dd/MM/yyyy") & " " & DATE("20260905", "yyyyMMdd")',
      '2026-09-05 2026-09-05 2026-09-05',
    ],
    ['a zero a spreadsheet has cut off', 'PAD-LEFT("6", 2)', '06'],
    ['cents from the rounded value', 'AMOUNT-IN-WORDS(0.995, "es", "{WORDS} {cc}")', 'UN 00'],
    ['words of a Salvadoran total', 'AMOUNT-IN-WORDS(27.73, "es", "{WORDS} {cc}/100")', 'VEINTISIETE 73/100'],
  ])('%s: %s', (_, formula, gives) => {
    expect(runFormula(formula)).toMatchObject({ value: gives, problems: [], reports: [] });
  });

  it.each([
    ['nets', `SUM(${PER_LINE})`, '102'],
    ['taxes, one line per rate', `SUM(ROUND(${PER_LINE} * $rate / 100, 2))`, '15.8'],
    ['final amount', `SUM(${PER_LINE}) + SUM(ROUND(${PER_LINE} * $rate / 100, 2))`, '117.8'],
  ])('%s of three lines', (_, formula, gives) => {
    expect(runFormula(formula, { columns: LINES }).value).toBe(gives);
  });

  it.each([
    ['10', [59.97, 8.7, 33.33], ['5.88', '0.85', '3.27']],
    ['50', [71.96, 9.18, 36.66], ['30.54', '3.9', '15.56']],
    ['0.10', [33.33, 33.33, 33.34], ['0.03', '0.03', '0.04']],
  ])('%s shared out over %j', (total, weights, parts) => {
    const shares = weights.map((_, n) => runFormula(`ALLOCATE(${total}, $w)`, { columns: { w: weights }, row: n + 1 }));
    expect(shares.map(({ value }) => value)).toEqual(parts);
  });

  it('a Salvadoran summary: sums of eight decimals are rounded once', () => {
    const columns = { q: [12, 2.5, 10], p: [1.25, 3.3333, 0.45], d: [0, 0.1, 0], taxed: [true, true, false] };
    const taxed = 'ROUND(SUM(IF($taxed, $q * $p - $d, 0)), 2)';
    const exempt = 'ROUND(SUM(IF($taxed, 0, $q * $p - $d)), 2)';
    const all = `${taxed} & " " & ${exempt} & " " & ${taxed} + ${exempt} & " " & ROUND(${taxed} * 13%, 2)`;
    expect(runFormula(all, { columns }).value).toBe('23.23 4.5 27.73 3.02');
  });
});

it.each(['decade', 'month', 'two-months'])('periods of a report, %s, follow one another', (regime) => {
  const next = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  let end = '2025-12-31';
  while (end < '2029-01-01') {
    const first = next(end);
    const ask = (day: string, side: string) => runFormula(`REPORT-PERIOD("${regime}", "${day}", "${side}")`).value;
    expect(ask(first, 'start')).toBe(`${first}T00:00:00`);
    const last = ask(first, 'end')!.slice(0, 10);
    expect(ask(last, 'start')).toBe(`${first}T00:00:00`);
    expect(ask(first, 'end')).toBe(`${last}T23:59:59`);
    expect(last >= first).toBe(true);
    end = last;
  }
});

it.each([
  ['KGM', 34],
  ['GRM', 39],
  ['LTR', 23],
  ['MTR', 1],
  ['MTK', 13],
  ['MTQ', 18],
  ['DZN', 58],
  ['H87', 59],
  ['EA', 59],
  ['C62', 59],
  ['KWH', 51],
])('unit %s of Rec 20 is %i in CAT-014', (code, cat014) => {
  expect(runFormula(`UNIT-REC20("${code}") & " " & UNIT-CAT014("${code}")`).value).toBe(`${code} ${cat014}`);
});

const MAPPING = `
mapping: t
version: 1
target: fr-invoice
accepts: { files: "*.csv" }
source: { format: csv, columns: { Qte: number, PU: number, Base: number, Taux: number } }
tables: { class: { FA: invoice, AV: credit-note } }
calculated-columns:
  # An ERP writes credit notes with minus signs, or without: turned once, by the sign of the whole document.
  sign: = IF(SUM($Qte * $PU) < 0, -1, 1)
  quantity: = $Qte * $sign
  price: = $PU / IFEMPTY($Base, 1)
  net: = ROUND($quantity * $price, 2)
documents: { one-per: Num, class: { from: Type, table: class }, identical-rows: allowed }
output:
  document: { identifier: $Num, currency: EUR }
  lines:
    each: row
    make: { quantity: $quantity, unit-price: $price, net-amount: $net }
  totals: { standard: { net: $net, rate: $Taux } }
`;

type Json = {
  lines: readonly { [field: string]: number }[];
  totals: { 'final-amount': number; subtotals: readonly object[] };
};

function made(rows: readonly string[]): Json {
  const [result] = convert(loaded(MAPPING), ['Num;Type;Qte;PU;Base;Taux', ...rows].join('\n'));
  if (!result || result.faults.length > 0) throw new Error(result?.faults.map(({ message }) => message).join('\n'));
  return result.json as Json;
}

test('nets, taxes and total of three lines; 20, 20.0 and 20.00 are one rate', () => {
  const { totals } = made([
    'F;FA;3;19.99;;20',
    'F;FA;2;4.35;;5.5',
    'F;FA;1;33.333333;;10',
    'F;FA;1;1;;20.0',
    'F;FA;-1;1;;20.00',
  ]);
  expect(totals).toMatchObject({
    'final-amount': 117.8,
    subtotals: [
      { amount: 102 },
      {
        amount: 15.8,
        subtotals: [
          { percent: 20, 'taxable-amount': 59.97, amount: 11.99 },
          { percent: 5.5, 'taxable-amount': 8.7, amount: 0.48 },
          { percent: 10, 'taxable-amount': 33.33, amount: 3.33 },
        ],
      },
    ],
  });
});

test('rates from the highest to the lowest, where a mapping asks for it', () => {
  const text = MAPPING.replace('rate: $Taux }', 'rate: $Taux, order: descending }');
  const csv = 'Num;Type;Qte;PU;Base;Taux\nF;FA;2;4.35;;5.5\nF;FA;3;19.99;;20.0\nF;FA;1;33.333333;;10';
  const [result] = convert(loaded(text), csv);
  expect((result!.json as Json).totals).toMatchObject({
    'final-amount': 117.8,
    subtotals: [
      { amount: 102 },
      {
        amount: 15.8,
        subtotals: [
          { percent: 20, 'taxable-amount': 59.97, amount: 11.99 },
          { percent: 10, 'taxable-amount': 33.33, amount: 3.33 },
          { percent: 5.5, 'taxable-amount': 8.7, amount: 0.48 },
        ],
      },
    ],
  });
});

test.each([
  ['three lines of 10.03 at 20 %', ['10.03', '10.03', '10.03'], '20', 6.02],
  ['ten lines of 1.02 at 5.5 %', Array.from({ length: 10 }, () => '1.02'), '5.5', 0.56],
])('VAT per rate, not per line: %s', (_, prices, rate, amount) => {
  expect(made(prices.map((price) => `F;FA;1;${price};;${rate}`)).totals.subtotals[1]).toMatchObject({ amount });
});

test('prices per hundred and per thousand', () => {
  const { lines } = made(['F;FA;1440;630.00;1000;20', 'F;FA;250;12.5;100;20', 'F;FA;2;3;;20']);
  expect(lines).toEqual([
    { quantity: 1440, 'unit-price': 0.63, 'net-amount': 907.2 },
    { quantity: 250, 'unit-price': 0.125, 'net-amount': 31.25 },
    { quantity: 2, 'unit-price': 3, 'net-amount': 6 },
  ]);
});

test('credit notes are turned once, whatever signs the export writes; prices stay positive', () => {
  const expected = { lines: [{ quantity: 2, 'unit-price': 10, 'net-amount': 20 }], totals: { 'final-amount': 24 } };
  expect(made(['A;AV;-2;10;;20'])).toMatchObject(expected);
  expect(made(['A;AV;2;10;;20'])).toMatchObject(expected);
  // A line that takes something back keeps its sign against the others.
  expect(made(['A;AV;-3;10;;20', 'A;AV;1;10;;20'])).toMatchObject({
    lines: [{ quantity: 3 }, { quantity: -1 }],
    totals: { 'final-amount': 24 },
  });
});

test('a discount of the document as a part of each line', () => {
  const text = MAPPING.replace(
    'net: = ROUND($quantity * $price, 2)',
    'gross: = ROUND($quantity * $price, 2)\n  part: = ALLOCATE(10, $gross)\n  net: = $gross - $part',
  );
  const csv = 'Num;Type;Qte;PU;Base;Taux\nF;FA;3;19.99;;20\nF;FA;2;4.35;;20\nF;FA;1;33.33;;20';
  const [result] = convert(loaded(text), csv);
  const { lines, totals } = result!.json as Json;
  expect(lines.map((line) => line['net-amount'])).toEqual([54.09, 7.85, 30.06]);
  expect(totals).toMatchObject({ 'final-amount': 110.4, subtotals: [{ amount: 92 }, { amount: 18.4 }] });
});
