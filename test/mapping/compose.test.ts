import { describe, expect, test } from 'vitest';
import { EXAMPLE, HEADER, LIVRET, POULIE, row, THREE_ROWS } from './example.ts';
import { boundTo, convert, FACTS, FILES, groupsOf, loaded, rowsOf, shown } from './world.ts';

const mapping = loaded(EXAMPLE, FILES);

test('a value of literals alone is the same in every document, and cannot be changed', () => {
  const { table, rows } = rowsOf(`${THREE_ROWS}\n${row({ NumFac: 'F2' })}`);
  const bound = boundTo(mapping, table);
  const payloads = groupsOf(bound, { table, rows, leftOut: [] }).map(
    (group) => bound.compose(group, FACTS).draft?.payload as { issuer: object; receiver: object },
  );
  expect(payloads).toHaveLength(2);
  expect(payloads[0]!.issuer).toBe(payloads[1]!.issuer);
  expect(payloads[0]!.receiver).not.toBe(payloads[1]!.receiver);
  expect(() => Object.assign(payloads[0]!.issuer, { name: 'other' })).toThrow(TypeError);
  expect(JSON.stringify(payloads[1]!.issuer)).toContain('"siren","value":"900000019"');
});

describe('the example of the manual', () => {
  test('gives exactly this invoice', () => {
    const [result, ...others] = convert(mapping, THREE_ROWS);
    expect(others).toEqual([]);
    expect(result?.faults).toEqual([]);
    expect(JSON.stringify(result?.json)).toBe(
      JSON.stringify({
        document: {
          identifier: 'F2026-00412',
          date: '2026-09-05',
          'date-due': '2026-10-05',
          currency: 'EUR',
          language: 'fr',
        },
        issuer: {
          name: 'Démo Émetteur SAS',
          identifiers: [{ type: 'siren', value: '900000019' }],
          address: { street: '1 rue du Test', city: 'Paris', 'postal-code': '75001', country: 'FR' },
        },
        receiver: {
          name: 'Société Élan & Fils',
          identifiers: [
            { type: 'siren', value: '123456782' },
            { type: 'vat', value: 'FR11123456782' },
          ],
          address: { street: '12 rue de l’Œuvre', city: 'Bourg-en-Bresse', 'postal-code': '01000', country: 'FR' },
        },
        lines: [
          line('1', 'C-10', 'Câble acier – 6 mm', 12.5, 'MTR', 8.4, 105, 20, 21),
          line('2', 'P-77', 'Poulie', 3, 'C62', 19.99, 59.97, 20, 11.99),
          line('3', 'L-02', 'Livret d’usage', 7, 'C62', 3.335, 23.35, 5.5, 1.28),
        ],
        totals: {
          'final-amount': 222.59,
          currency: 'EUR',
          subtotals: [
            { type: 'lines-net-amount', class: 'net', 'before-taxes': true, sign: 'positive', amount: 188.32 },
            {
              type: 'tax',
              class: 'vat',
              'before-taxes': false,
              sign: 'positive',
              amount: 34.27,
              subtotals: [rate(20, 164.97, 32.99), rate(5.5, 23.35, 1.28)],
            },
          ],
        },
      }),
    );
  });

  test('reports all faults of a damaged file, each cell once, at its field', () => {
    const second = { NumFac: 'F2026-00413', TotalHT: '210,00', TotalTTC: '252,00' };
    const results = convert(
      mapping,
      [
        HEADER,
        row(),
        row({ ...POULIE, CodeTVA: 'T19' }),
        row({ ...LIVRET, PUHT: '3.335' }),
        row({ ...second, NomClient: 'Autre SARL' }),
        row({ ...second, SIREN: '1,23457E+08' }),
      ].join('\n'),
    );
    expect(results.map((result) => result.json)).toEqual([undefined, undefined]);
    expect(results.flatMap((result) => result.faults.map(shown))).toEqual([
      '3:CodeTVA map/not-in-table "T19" is not in table vat (known: T20, T20S, T55) -> /lines/1/taxes/0/percent',
      '4:PUHT map/not-a-number "3.335" is not a number (this file uses "," as the decimal sign) -> /lines/2/unit-price',
      '6:NomClient map/not-the-same one document has several values ("Autre SARL" on row 5, "Société Élan & Fils" on row 6) -> /receiver/name',
      '6:SIREN map/damaged-text a spreadsheet changed "1,23457E+08": restore the 9 digits -> /receiver/identifiers/0/value',
    ]);
  });
});

test('several values in a check: the fault names the line of the mapping that reads them', () => {
  const check = EXAMPLE.replace('checks:\n', 'checks:\n  - { that: $PUHT > 0, else: error, say: price }\n');
  const line = check.split('\n').findIndex((text) => text.includes('say: price')) + 1;
  const { faults } = convert(
    loaded(check, FILES),
    [HEADER, row({ PUHT: '1' }), row({ ...POULIE, PUHT: '2' })].join('\n'),
  )[0]!;
  const [differs] = faults.filter(({ code }) => code === 'map/not-the-same');

  expect(differs?.hint).toContain(`line ${line} of ${differs?.mark?.file}`);
  expect(differs?.mark?.line).toBe(line);
});

test('the same damage in the same value is reported once, other texts and lines each on their own', () => {
  const fits = { TotalHT: '105', TotalTTC: '126' };
  const rows = ['31/02/2026', '31/02/2026', '30/02/2026', '31/02/2026'].map((DateFac, n) =>
    row({ ...fits, DateFac, Qte: 'x', NumLig: `${n}` }),
  );
  const { faults } = convert(mapping, [HEADER, ...rows].join('\n'))[0]!;
  expect(faults.map(({ at, origin, moreRows }) => [at, origin!.row, moreRows])).toEqual([
    ['/document/date', 2, [3, 5]],
    ['/lines/0/quantity', 2, undefined],
    ['/lines/1/quantity', 3, undefined],
    ['/document/date', 4, undefined],
    ['/lines/2/quantity', 4, undefined],
    ['/lines/3/quantity', 5, undefined],
  ]);
  expect(faults[0]!.message).toMatch(/; the same on 2 more rows$/);
});

test('a group that grouping refused makes no draft, and its other faults are reported as well', () => {
  const fits = { TotalHT: '105', TotalTTC: '126' };
  const back = [HEADER, row(fits), row({ ...fits, NumFac: 'B' }), row({ ...POULIE, PUHT: 'x' })];
  const results = convertRefused(back.join('\n'));
  expect(
    results.map(({ draft, known, faults }) => [draft === undefined, known?.rows, faults.map((fault) => fault.code)]),
  ).toEqual([
    [true, [2], ['map/key-came-back']],
    [false, undefined, []],
    [true, [4], ['map/key-came-back', 'map/not-a-number']],
  ]);
  expect(results[0]?.known).toMatchObject({ class: 'invoice', neverTwice: ['01', 'FA', 'F2026-00412'] });
});

test('every value knows the line of the mapping that gives it, fixed texts and items after a dropped one as well', () => {
  const { table, rows } = rowsOf([HEADER, row({ SIREN: '', TotalHT: '105', TotalTTC: '126' })].join('\n'));
  const bound = boundTo(mapping, table);
  const [group] = groupsOf(bound, { table, rows, leftOut: [] });
  const marks = bound.compose(group!, FACTS).draft!.marks!();
  const lineOf = (at: string) => marks.get(at)!.text.trim();
  expect(lineOf('/document/currency')).toBe('currency: EUR');
  expect(lineOf('/lines/0/unit-price')).toBe('unit-price: $PUHT');
  expect(lineOf('/receiver/identifiers/0/value')).toBe('- { type: vat, value: $TVAIntra }');
  expect(lineOf('/issuer')).toBe('issuer: { from: Societe, table: companies }');
});

function convertRefused(csv: string) {
  const { table, rows } = rowsOf(csv);
  const bound = boundTo(mapping, table);
  const first = bound.grouper(FACTS);
  first.push({ table, rows, leftOut: [] });
  first.end();
  const second = bound.grouper(FACTS, { again: first.again()! });
  const groups = [...second.push({ table, rows, leftOut: [] }).groups, ...second.end().groups];
  return groups.map((group) => bound.compose(group, FACTS));
}

function line(
  n: string,
  id: string,
  description: string,
  q: number,
  unit: string,
  price: number,
  net: number,
  percent: number,
  amount: number,
) {
  return {
    number: n,
    identifier: id,
    description,
    quantity: q,
    unit,
    'unit-price': price,
    'net-amount': net,
    taxes: [{ type: 'vat', subtype: 'standard', percent, amount }],
  };
}

function rate(percent: number, taxable: number, amount: number) {
  return { type: 'tax', class: 'vat', subtype: 'standard', percent, 'taxable-amount': taxable, amount };
}
