/** A value in a function over rows is the same whether it is written there or in a calculated column. */
import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../../src/mapping/functions/functions.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { isIsoDate } from '../../src/text/calendar-date.ts';
import { boundTo, FACTS, groupsOf, worldOf } from './world.ts';

type Columns = { readonly [name: string]: readonly (string | number)[] };

const columns: Columns = { n: [60, 10, 50], t: ['a', '', 'b'], d: ['2026-09-05', '2026-10-01', ''] };

/** Beyond the examples of the manual: functions that belong to the row, inside of others. */
const FORMULAS: readonly { readonly formula: string; readonly columns: Columns }[] = [
  'ROW-NUMBER()',
  'IF(ROW-NUMBER() = 1, 10, 1)',
  'COUNT()',
  'COUNT() + ROW-NUMBER()',
  'ALLOCATE(9, 1)',
  'ALLOCATE(9, $n)',
  'ROUND(ALLOCATE(9, 1) * ROW-NUMBER(), 1)',
  '-ROW-NUMBER()%',
  'MAX(ROW-NUMBER(), 2)',
  'SUM($n)',
  'MIN($d)',
].map((formula) => ({ formula, columns }));

const EXAMPLES = [...FUNCTIONS.values()].flatMap(({ examples }) =>
  examples.flatMap(({ formula, columns: given }) => (given ? [{ formula, columns: given }] : [])),
);

const OPEN = { type: 'object', additionalProperties: true } as const;

function typeOf(values: readonly (string | number)[]): string {
  if (values.every((value) => typeof value === 'number')) return 'number';
  return values.every((value) => isIsoDate(String(value))) ? '{ date: yyyy-MM-dd }' : 'text';
}

/** The value at the document and on each line, or why there is none. */
function outcome(formula: string, given: Columns, calculated: string | undefined): readonly string[] {
  const types = Object.entries(given).map(([name, values]) => `${JSON.stringify(name)}: ${typeOf(values)}`);
  const text = `mapping: m
version: 1
target: fr-report
accepts: { files: "*" }
source: { format: csv, columns: { ${types.join(', ')} } }
calculated-columns: { c: ${JSON.stringify(calculated ?? '')} }
documents: { one-per: file, identical-rows: allowed }
output: { all: ${JSON.stringify(formula)}, lines: { each: row, make: { own: ${JSON.stringify(formula)} } } }
`;
  const world = {
    ...worldOf(),
    targets: [
      {
        name: 'fr-report',
        classes: ['report'],
        acceptsFile: false,
        schema: { type: 'object', additionalProperties: true, properties: { lines: { type: 'array', items: OPEN } } },
      } as const,
    ],
  };
  const { mapping, faults } = loadMapping(text, 'm.yaml', world);
  if (!mapping) return [...new Set(faults.map(({ code }) => code))];
  const names = Object.keys(given);
  const count = Math.max(...Object.values(given).map(({ length }) => length));
  const table = { file: 'a.csv', columns: names };
  const rows = Array.from({ length: count }, (_, n) => ({
    cells: names.map((name) => String(given[name]![n] ?? '')),
    row: n + 2,
  }));
  const bound = boundTo(mapping, table);
  return groupsOf(bound, { table, rows, leftOut: [] }).map((group) => {
    const { draft, faults } = bound.compose(group, FACTS);
    return draft ? JSON.stringify(draft.payload) : faults.map(({ code }) => code).join();
  });
}

describe.each(['SUM', 'COUNT', 'MIN', 'MAX'])('%s', (name) => {
  test.each([...FORMULAS, ...EXAMPLES])('over $formula', ({ formula, columns: given }) => {
    const inline = outcome(`= ${name}(${formula})`, given, undefined);
    if (inline.includes('map/formula-too-large')) return;
    expect(inline).toEqual(outcome(`= ${name}($c)`, given, `= ${formula}`));
  });
});
