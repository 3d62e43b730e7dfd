import { describe, expect, test } from 'vitest';
import { ROW_ROWS } from '../../src/i18n/messages/mapping-messages.ts';
import { Numbering } from '../../src/model/draft.ts';
import { localize, withMessage } from '../../src/model/fault.ts';
import { boundTo, convert, FACTS, groupsOf, INVOICE, loaded, NOTE, rowsOf, shown } from './world.ts';

/** A mapping with this output and further top-level blocks, over columns k, a, n, m, x (n, m numbers; x yes/no text). */
function mappingOf(output: string, more = '', documents = 'one-per: k, class: invoice') {
  return loaded(`mapping: m
version: 1
target: ${INVOICE.name}
accepts: { files: "*" }
source: { format: csv, columns: { n: number, m: number } }
${more}
documents: { ${documents}, identical-rows: allowed }
output:
${output
  .trim()
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
`);
}

const CSV = 'k;a;n;m;x\n1;one;2;10;yes\n1;two;3;20;yes\n1;three;4;10;yes';

function made(output: string, csv = CSV, more?: string, documents?: string): unknown {
  const [result] = convert(mappingOf(output, more, documents), csv);
  expect(result?.faults.map(shown)).toEqual([]);
  return result?.json;
}

function faultsOf(output: string, csv = CSV, more?: string, documents?: string): readonly string[] {
  return convert(mappingOf(output, more, documents), csv).flatMap((result) => result.faults.map(shown));
}

describe('@path', () => {
  test('is looked up in the block being built, then outward, whatever the order of the keys', () => {
    const output = `
totals: { final-amount: = SUM(@lines.net-amount) + @document.copies, currency: = @document.currency }
lines: { each: row, make: { description: "= @identifier & @document.currency", identifier: $a, net-amount: = $n * @quantity, quantity: $m } }
document: { copies: 1, currency: EUR }
`;
    expect(made(output)).toEqual({
      totals: { 'final-amount': 121, currency: 'EUR' },
      lines: [
        { description: 'oneEUR', identifier: 'one', 'net-amount': 20, quantity: 10 },
        { description: 'twoEUR', identifier: 'two', 'net-amount': 60, quantity: 20 },
        { description: 'threeEUR', identifier: 'three', 'net-amount': 40, quantity: 10 },
      ],
      document: { copies: 1, currency: 'EUR' },
    });
  });

  test('an item can use a total over its own list', () => {
    const output = 'lines: { each: row, make: { net-amount: $n, quantity: = $n / SUM(@lines.net-amount) } }';
    expect(made(output, 'k;n\n1;1\n1;3')).toEqual({
      lines: [
        { 'net-amount': 1, quantity: 0.25 },
        { 'net-amount': 3, quantity: 0.75 },
      ],
    });
  });

  test('skips items that `when` leaves out, and sees a missing value as empty', () => {
    const output = `
lines: { each: row, make: { when: = $n > 2, identifier: $a, net-amount: $n } }
totals: { final-amount: = SUM(@lines.net-amount), currency: "= @document.currency" }
document: { identifier: $k, currency: $zero }
`;
    expect(made(output, `${CSV.replace(';x', ';x;zero')}`.replaceAll('yes', 'yes;'))).toEqual({
      lines: [
        { identifier: 'two', 'net-amount': 3 },
        { identifier: 'three', 'net-amount': 4 },
      ],
      totals: { 'final-amount': 7 },
      document: { identifier: '1' },
    });
  });

  test('several different values where one is wanted are a fault', () => {
    const output = 'lines: { each: row, make: { net-amount: $n } }\ntotals: { final-amount: = @lines.net-amount }';
    expect(() => mappingOf(output)).toThrow('map/several-values');
  });
});

describe('each', () => {
  test('rows by a list of columns, in order of first appearance, with lines inside', () => {
    const output = `
lines:
  each: rows by m, x
  make:
    identifier: "= TEXT($m, \\"0\\") & $x"
    quantity: = SUM($n)
    taxes: { each: row, make: { subtype: $a, amount: $n } }
`;
    expect(made(output, CSV.replace('three;4;10;yes', 'three;4;10;no').replace('two;3;20', 'two;3;10.0'))).toEqual({
      lines: [
        {
          identifier: '10yes',
          quantity: 5,
          taxes: [
            { subtype: 'one', amount: 2 },
            { subtype: 'two', amount: 3 },
          ],
        },
        { identifier: '10no', quantity: 4, taxes: [{ subtype: 'three', amount: 4 }] },
      ],
    });
  });

  test('rows by a column in order of its values, numbers by their size', () => {
    const csv = 'k;a;n\n1;a;9\n1;b;100\n1;c;20';
    const ordered = (order: string, by = 'n') =>
      made(
        `lines: [{ description: x, identifier: $k, tags: { each: 'rows by ${by}', order: ${order}, make: $a } }]`,
        csv,
      );
    expect(ordered('ascending')).toMatchObject({ lines: [{ tags: ['a', 'c', 'b'] }] });
    expect(ordered('descending')).toMatchObject({ lines: [{ tags: ['b', 'c', 'a'] }] });
    expect(ordered('descending', 'k, a')).toMatchObject({ lines: [{ tags: ['c', 'b', 'a'] }] });
  });

  test.each([
    ['$%', '$[$%]'],
    ['a, b', '$[a, b]'],
    ['a]', '$[a]]]'],
    ['a]', 'a]'],
    ['a b', '$a b'],
    ['[a]', '$[[a]]]'],
  ])('groups by the column %s, written %s', (name, written) => {
    const output = `lines: [{ description: x, identifier: $k, tags: { each: 'rows by m, ${written}', make: "$[${name.replaceAll(']', ']]')}]" } }]`;
    const csv = CSV.replace(';a;', `;${name};`);
    expect(made(output, csv)).toMatchObject({ lines: [{ tags: ['one', 'two', 'three'] }] });
  });

  test('makes plain values too', () => {
    const output = 'lines: [{ description: x, identifier: $k, tags: { each: rows by a, make: $a } }]';
    expect(made(output)).toEqual({ lines: [{ description: 'x', identifier: '1', tags: ['one', 'two', 'three'] }] });
  });
});

describe('what is empty', () => {
  test('drops its key, then its block, then its list; what is only literal stays', () => {
    const output = `
document: { identifier: $k, currency: EUR }
issuer: { name: $e, address: { country: FR, city: $e } }
receiver: { name: $k, identifiers: [{ type: siren, value: $e }, { type: vat, value: $k }] }
references: [{ type: buyer, identifier: $e }]
notes: [{ content: fixed text }]
`;
    expect(made(output, 'k;e\n1;\n1;  ')).toEqual({
      document: { identifier: '1', currency: 'EUR' },
      receiver: { name: '1', identifiers: [{ type: 'vat', value: '1' }] },
      notes: [{ content: 'fixed text' }],
    });
  });

  test('zero and false are not empty; [] and {} that were written stay', () => {
    const output =
      'totals: { final-amount: $n, subtotals: [{ amount: 0, before-taxes: = $n > 5 }] }\nnotes: []\nissuer: {}';
    expect(made(output, 'k;n\n1;0')).toEqual({
      totals: { 'final-amount': 0, subtotals: [{ amount: 0, 'before-taxes': false }] },
      notes: [],
      issuer: {},
    });
  });

  test('a document without any value is a fault, and so is one whose identity is empty', () => {
    const documents = 'one-per: k, class: invoice, never-twice: [e]';
    expect(faultsOf('document: { identifier: $e }', 'k;e\n1;', '', documents)).toEqual([
      '2:e map/no-identity every value of never-twice is empty, so Nightpost cannot distinguish the document from others -> ',
      '2: map/empty-document every value of this document is empty -> ',
    ]);
  });
});

describe('values and fields', () => {
  test('numbers become plain digits in text fields, whole numbers go into integer fields', () => {
    const output = 'document: { identifier: $n, copies: $m, series: 5 }';
    expect(made(output, 'k;n;m\n1;12.50;3.0')).toEqual({ document: { identifier: '12.5', copies: 3, series: '5' } });
  });

  test('nothing is rounded', () => {
    expect(faultsOf('document: { copies: $n }', 'k;n\n1;2.5')).toEqual([
      '2:n map/not-whole "document.copies" takes whole numbers, found 2.5 -> /document/copies',
    ]);
  });

  test('digits beyond a double reach the JSON text', () => {
    const mapping = mappingOf('totals: { final-amount: $n }');
    const { table, rows } = rowsOf('k;n\n1;12345678901234567.89');
    const bound = boundTo(mapping, table);
    const { draft } = bound.compose(groupsOf(bound, { table, rows, leftOut: [] })[0]!, FACTS);
    expect(JSON.stringify(draft?.payload)).toBe('{"totals":{"final-amount":12345678901234567.89}}');
  });

  test('a cell that is not a number is reported once, though three values need it', () => {
    const output =
      'totals: { final-amount: = SUM($n), subtotals: [{ amount: = SUM($n) * 2 }] }\nlines: { each: row, make: { quantity: $n } }';
    expect(faultsOf(output, 'k;n\n1;1\n1;x')).toEqual([
      '3:n map/not-a-number "x" is not a number -> /lines/1/quantity',
    ]);
  });

  test('a column that fails on thousands of rows is listed as far as it helps', () => {
    const csv = `k;n\n${Array.from({ length: 3000 }, () => '1;x').join('\n')}`;
    const told = faultsOf('lines: { each: row, make: { quantity: $n } }', csv);
    expect(told).toHaveLength(201);
    expect(told[200]).toBe('202:n map/more-faults 2800 more faults in this document are not listed -> ');
  });

  test('division by zero names the field and a cell it came from', () => {
    expect(faultsOf('document: { identifier: $k }\ntotals: { final-amount: = $n / $m }', 'k;n;m\n1;1;0')[0]).toMatch(
      /^2:n map\/[a-z-]*zero[a-z-]* .* -> \/totals\/final-amount$/,
    );
  });
});

describe('tables', () => {
  const tables = 'tables: { t: { A: x, "1": y, "20": z } }';

  test('the default serves unknown and empty codes; without it an empty code is empty', () => {
    const output = `
lines: { each: row, make: { identifier: $k, description: { from: a, table: t, default: $a }, unit: { from: b, table: t, default: none } } }
`;
    expect(made(output, 'k;a;b\n1;A;1\n1;Q;\n1;;A', tables)).toEqual({
      lines: [
        { identifier: '1', description: 'x', unit: 'y' },
        { identifier: '1', description: 'Q', unit: 'none' },
        { identifier: '1', unit: 'x' },
      ],
    });
  });

  test('names like properties of objects are only codes', () => {
    const output = 'document: { identifier: { from: a, table: t } }';
    expect(faultsOf(output, 'k;a\n1;constructor', tables)[0]).toContain('"constructor" is not in table t');
  });

  test('a number column looks its digits up', () => {
    expect(made('document: { identifier: { from: n, table: t } }', 'k;n\n1;20.0', tables)).toEqual({
      document: { identifier: 'z' },
    });
  });
});

describe('classes, checks, identity', () => {
  test('a class the target does not know is a fault of the document', () => {
    const documents = 'one-per: k, class: $a';
    expect(faultsOf('document: { identifier: $k }', 'k;a\n1;bill', '', documents)).toEqual([
      '2:a map/unknown-class "bill" is not a valid class of fr-invoice -> ',
    ]);
  });

  test('a check is worded in each language that the mapping gives, else in English, else in its first one', () => {
    const checked = (say: string) => {
      const more = `checks: [{ that: $n > 5, else: error, say: ${say} }]`;
      const [result] = convert(mappingOf('document: { copies: 1, identifier: $k }', more), 'k;n\n1;5');
      return (['en', 'fr', 'es'] as const).map((one) => localize(result?.faults ?? [], one)[0]?.message.split(' (')[0]);
    };
    expect(checked('{ en: Small, fr: Petit, es: Chico }')).toEqual(['Small', 'Petit', 'Chico']);
    expect(checked('{ en: Small, fr: Petit }')).toEqual(['Small', 'Petit', 'Small']);
    expect(checked('{ es: Chico }')).toEqual(['Chico', 'Chico', 'Chico']);
    expect(checked('Small')).toEqual(['Small', 'Small', 'Small']);
  });

  test('a check without words, or with those of an unknown language, is refused', () => {
    const load = (say: string) => () =>
      mappingOf('document: { identifier: $k }', `checks: [{ that: $n > 5, else: error, say: ${say} }]`);
    expect(load('{}')).toThrow();
    expect(load('{ de: Klein }')).toThrow();
    expect(load('{ fr: Petit }')).not.toThrow();
  });

  test('a warning leaves the document', () => {
    const more =
      'checks: [{ that: $n > 5, else: warning, say: Small }, { that: = @document.copies = 1, else: error, say: Copies }]';
    const [result] = convert(mappingOf('document: { copies: 1, identifier: $k }', more), 'k;n\n1;5');
    expect(result?.json).toEqual({ document: { copies: 1, identifier: '1' } });
    expect(result?.faults).toMatchObject([
      {
        level: 'warning',
        code: 'map/check-failed',
        message: 'Small (n is "5")',
        origin: { row: 2, column: 'n' },
        mark: { line: 6 },
      },
    ]);
  });

  test('two checks that fail on one cell are both reported', () => {
    const more = 'checks: [{ that: $n > 5, else: error, say: Small }, { that: $n > 6, else: error, say: Smaller }]';
    expect(faultsOf('document: { identifier: $k }', 'k;n\n1;5', more)).toHaveLength(2);
  });

  test('never-twice takes columns and formulas', () => {
    const mapping = mappingOf(
      'document: { identifier: $k }',
      '',
      'one-per: k, class: invoice, never-twice: [a, $k, = FILE-STEM()]',
    );
    const { table, rows } = rowsOf('k;a\n1;x');
    const bound = boundTo(mapping, table);
    const { draft } = bound.compose(groupsOf(bound, { table, rows, leftOut: [] })[0]!, FACTS);
    expect(draft?.neverTwice).toEqual(['x', '1', 'FAC_0905']);
    expect(draft).toMatchObject({ kind: 'fr-invoice', class: 'invoice', rows: [2] });
  });

  test('what is known of a refused document goes with its faults', () => {
    const mapping = mappingOf(
      'document: { identifier: $k, copies: $n }',
      '',
      'one-per: k, class: invoice, never-twice: [k]',
    );
    const { table, rows } = rowsOf('k;n\n1;x');
    const broken = {
      ...rows[0]!,
      row: 3,
      broken: { code: 'csv/x', level: 'error', ...withMessage(ROW_ROWS.blank({ row: 3 })) },
    } as const;
    const bound = boundTo(mapping, table);
    const composed = (group: readonly (typeof rows)[number][]) =>
      bound.compose({ table, key: ['1'], rows: group, faults: [] }, FACTS);
    expect(composed(rows)).toMatchObject({
      known: { class: 'invoice', rows: [2], neverTwice: ['1'], payload: { document: { identifier: '1' } } },
    });
    expect(composed([broken])).toMatchObject({ known: { class: '', rows: [3] }, faults: [] });
  });
});

test('a number of a sequence waits in the body, scoped by its columns', () => {
  const mapping = loaded(`mapping: n
version: 1
target: ${NOTE.name}
accepts: { files: "*" }
source: { format: csv }
documents: { one-per: k, never-twice: [k] }
output: { NumeroSecuencial: { sequence: notes, per: [s] }, tipoMoneda: USD, Adjuntos: [], extension: {} }
`);
  const { table, rows } = rowsOf('k;s\n1;M001');
  const bound = boundTo(mapping, table);
  const { draft } = bound.compose(groupsOf(bound, { table, rows, leftOut: [] })[0]!, FACTS);
  expect(draft?.class).toBe('remission-note');
  expect(draft?.payload?.NumeroSecuencial).toEqual(new Numbering('notes', ['M001'], 'number'));
  expect(draft?.payload).toMatchObject({ Adjuntos: [], extension: {} });
});

test('a document that is a file', () => {
  const mapping = loaded(`mapping: p
version: 1
target: fr-invoice
accepts: { files: "*" }
source: { format: csv }
documents: { one-per: file, class: invoice, never-twice: [= FILE-STEM()] }
file: { format: pdf, filename: = FILE-NAME(), transport: base64, data: = FILE-CONTENT() }
`);
  const bound = boundTo(mapping, { file: 'F1.pdf', columns: [] });
  const facts = { today: '2026-11-20', file: { name: 'F1.pdf', base64: () => 'UERG' } };
  const batch = { table: bound.table, rows: [{ cells: [], row: 1 }], leftOut: [] };
  const { draft } = bound.compose(groupsOf(bound, batch, facts)[0]!, facts);
  expect(draft).toMatchObject({
    file: { format: 'pdf', filename: 'F1.pdf', transport: 'base64', data: 'UERG' },
    neverTwice: ['F1'],
  });
  expect(draft?.payload).toBeUndefined();
});

test('the trace names the cells of every value, at its place in the document', () => {
  const mapping = mappingOf(
    `
document: { identifier: $k, currency: EUR }
receiver: { identifiers: [{ type: siren, value: $e }, { type: vat, value: $a }] }
lines: { each: row, make: { net-amount: $net } }
totals: { final-amount: = SUM(@lines.net-amount) }
`,
    'calculated-columns: { net: = $n * $m }',
  );
  const { table, rows } = rowsOf('k;e;a;n;m\n1;;FR;2;3\n1;;FR;4;5');
  const bound = boundTo(mapping, table);
  const { draft } = bound.compose(groupsOf(bound, { table, rows, leftOut: [] })[0]!, FACTS);
  const cells = [...draft!.trace()].map(([at, origins]) => [
    at,
    origins.map(({ row, column }) => `${row}:${column}`).join(' '),
  ]);
  expect(cells).toEqual(
    expect.arrayContaining([
      ['/document/identifier', '2:k 3:k'],
      ['/receiver/identifiers/0/value', '2:a 3:a'],
      ['/lines/0/net-amount', '2:n 2:m'],
      ['/lines/1/net-amount', '3:n 3:m'],
      ['/totals/final-amount', '2:n 2:m 3:n 3:m'],
    ]),
  );
});

test('the order in which groups are composed does not matter', () => {
  const mapping = mappingOf('document: { identifier: $k }\nlines: { each: rows by m, make: { quantity: = SUM($n) } }');
  const csv = `${CSV}\n2;one;9;1;no\n3;one;x;1;no`;
  const { table, rows } = rowsOf(csv);
  const bound = boundTo(mapping, table);
  const groups = groupsOf(bound, { table, rows, leftOut: [] });
  const text = (group: (typeof groups)[number]) => JSON.stringify(bound.compose(group, FACTS));
  expect(groups.toReversed().map(text).toReversed()).toEqual(groups.map(text));
});
