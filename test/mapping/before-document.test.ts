/**
 * What is evaluated for each row, before its document exists: `keep`, the key, the control totals. A value over the rows of
 * the document is refused there; every other value is the one that the output has.
 */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FUNCTIONS } from '../../src/mapping/functions/functions.ts';
import { loadMapping, type Mapping } from '../../src/mapping/mapping.ts';
import type { Batch } from '../../src/model/row.ts';
import { boundTo, FACTS, groupsOf, rowsOf, worldOf } from './world.ts';

/** Formulas with each function that goes over rows, and some that only look so; all of them give a number. */
const FORMULAS = [
  'SUM($n)',
  'SUM($n) + 1',
  'SUM(2)',
  'SUM($L.a)',
  'COUNT()',
  'COUNT($t)',
  'COUNT($L.a)',
  'IF(COUNT() > 1, 1, 2)',
  '$n / SUM($n) * 300',
  '-SUM($n)%',
  'MIN($n)',
  'MIN($n, 50)',
  'MAX($n)',
  'MAX(0, $n)',
  'MAX(SUM($n), 0)',
  'ROW-NUMBER()',
  'ALLOCATE(9, $n)',
  'ALLOCATE(9, 1)',
  'IFEMPTY($n, SUM($n))',
  'LEN(TEXT(SUM($n), "0"))',
  '$n * 2',
];

/** How the formula reaches its place: through calculated columns, or through a look-up. */
const WAYS: { readonly [way: string]: (formula: string) => string } = {
  column: (formula) => `{ c: '= ${formula}' }`,
  'column of a column': (formula) => `{ d: '= ${formula}', c: '= $d' }`,
  'look-up': (formula) => `{ d: '= ${formula}', c: { from: d, table: none, default: '= $d' } }`,
  default: (formula) => `{ c: { from: k, table: none, default: '= ${formula}' } }`,
};

const ROWS = 'k;n;t;L\nA;60;a;[{"a":"1"},{"a":"2"}]\nA;10;;[{"a":"3"}]\nA;50;a;[]\nB;5;b;[{"a":"4"}]\n';

type Given = { readonly columns: string; readonly documents?: string; readonly controls?: string };

function load({ columns, documents = 'one-per: k', controls = '' }: Given) {
  const text = `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source: { format: csv, columns: { n: number, L.a: number }, lists: { L: { columns: [a] } }, controls: [${controls}] }
tables: { none: { "9999": 1 } }
calculated-columns: ${columns}
documents: { class: invoice, ${documents} }
output:
  document: { identifier: $k }
  lines: { each: row, make: { description: $t, net-amount: $c } }
`;
  const formats = new Map<string, z.ZodType>([['csv', z.looseObject({})]]);
  return loadMapping(text, 'm.yaml', { ...worldOf(), formats });
}

const { table, rows } = rowsOf(ROWS);
const batch: Batch = { table, rows, leftOut: [] };

/** The value of the column on each row of the file, as the lines of the documents have it. */
function valuesInOutput(mapping: Mapping): readonly number[] {
  const bound = boundTo(mapping, table);
  return groupsOf(bound, batch).flatMap((group) => {
    const { draft } = bound.compose(group, FACTS);
    const { lines } = JSON.parse(JSON.stringify(draft?.payload)) as { lines: { 'net-amount': number }[] };
    return lines.map((line) => line['net-amount']);
  });
}

/** `[what the place sees, what it should see]`, or undefined where the mapping is refused with a finding. */
type Place = (given: {
  readonly formula: string;
  readonly columns: string;
  /** Of the formula on each row, as the output has them. */
  readonly values: readonly number[];
}) => readonly [unknown, unknown] | undefined;

function accepted(given: Given): Mapping | undefined {
  const { mapping, faults } = load(given);
  if (mapping) return mapping;
  expect(faults.map(({ code }) => code)).toEqual(faults.map(() => 'map/needs-document'));
  expect(faults).not.toEqual([]);
  return undefined;
}

/** Keeps the rows where the formula has the value of the first row. */
function keeping(formula: string): Place {
  return ({ columns, values }) => {
    const keep = `'= ROUND(${formula}, 6) = ROUND(${values[0]}, 6)'`;
    const mapping = accepted({ columns, documents: `one-per: k, keep: ${keep}` });
    if (!mapping) return undefined;
    const leftOut = boundTo(mapping, table)
      .grouper(FACTS)
      .push(batch)
      .leftOut.map(({ row }) => row);
    return [leftOut, rows.filter((_, n) => values[n] !== values[0]).map(({ row }) => row)];
  };
}

const PLACES: { readonly [place: string]: Place } = {
  keep: keeping('$c'),
  'keep, where it is written': (given) => keeping(given.formula)(given),
  'one-per': ({ columns, values }) => {
    const mapping = accepted({ columns, documents: 'one-per: [k, c], rows: anywhere' });
    if (!mapping) return undefined;
    const keys = rows.map(({ cells }, n) => `${cells[0]} ${values[n]}`);
    return [
      groupsOf(boundTo(mapping, table), batch).map((group) => group.rows.map(({ row }) => row)),
      [...new Set(keys)].map((key) => rows.filter((_, n) => keys[n] === key).map(({ row }) => row)),
    ];
  },
  controls: ({ columns, values }) => {
    const mapping = accepted({ columns, controls: '{ sum-of: c, once-per: row }' });
    const tally = mapping && boundTo(mapping, table).controls(FACTS);
    if (!tally) return undefined;
    const text = String(values.reduce((sum, value) => sum + value, 0));
    tally.see({ rows, controls: [{ control: 0, row: 9, text }] });
    return [tally.faults(), []];
  },
};

describe.each(Object.keys(PLACES))('a formula in %s', (place) => {
  describe.each(Object.keys(WAYS))('through a %s', (way) => {
    test.each(FORMULAS)('%s is refused, or has the value of the output', (formula) => {
      const columns = WAYS[way]!(formula);
      const { mapping, faults } = load({ columns });
      if (!mapping) throw new Error(faults.map(({ message }) => message).join('\n'));
      const [seen, right] = PLACES[place]!({ formula, columns, values: valuesInOutput(mapping) }) ?? [];
      expect(seen).toEqual(right);
    });
  });
});

test('the formulas name every function over rows', () => {
  const names = [...FUNCTIONS.values()].filter(({ aggregate }) => aggregate).map(({ name }) => name);
  expect(names.filter((name) => !FORMULAS.some((formula) => formula.includes(`${name}(`)))).toEqual([]);
});

test('the finding names the part of the formula and its place', () => {
  const { faults } = load({
    columns: `{ c: "= 0 + $total", total: "= SUM($n)" }`,
    documents: 'one-per: [k, c], keep: "= COUNT() > 1"',
  });
  expect(faults.map(({ code, message, hint, mark }) => [code, message, hint, mark?.text.trim()])).toEqual([
    [
      'map/needs-document',
      'one-per is read row by row, before there is a document, and SUM($n) goes over all rows of the document',
      'name a column that has the value on each row; a condition about the whole document belongs under checks',
      'documents: { class: invoice, one-per: [k, c], keep: "= COUNT() > 1" }',
    ],
    [
      'map/needs-document',
      'keep is read row by row, before there is a document, and COUNT() goes over all rows of the document',
      expect.any(String),
      'documents: { class: invoice, one-per: [k, c], keep: "= COUNT() > 1" }',
    ],
  ]);
});

test('a document of one row may use them: its rows are that row', () => {
  const { mapping, faults } = load({ columns: "{ c: '= SUM($n)' }", documents: 'one-per: row, keep: $c > 10' });
  expect(faults.map(({ code }) => code)).toEqual(['map/unused-table']);
  expect(
    boundTo(mapping!, table)
      .grouper(FACTS)
      .push(batch)
      .leftOut.map(({ row }) => row),
  ).toEqual([3, 5]);
});
