import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startGrouping } from '../../src/mapping/group.ts';
import { ROWS } from '../../src/mapping/row-sentences.ts';
import { type DataFault, says } from '../../src/model/fault.ts';
import type { Row } from '../../src/model/row.ts';
import { boundTo, FACTS, groupsOf, loaded, rowsOf } from './world.ts';

const mappingOf = (documents: string, more = '') => `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source: { format: csv, columns: { n: number } }
${more}documents: { class: invoice, ${documents} }
output: { document: { identifier: "= CONCAT(COUNT($k))" } }
`;

const BROKEN: DataFault = { code: 'csv/too-few-cells', level: 'error', ...says(ROWS.blank({ row: 2 })) };

function grouped(
  documents: string,
  csv: string,
  options: { broken?: number[]; readable?: boolean; cameBack?: string[]; more?: string } = {},
) {
  const { table, rows } = rowsOf(csv);
  const grouper = boundTo(loaded(mappingOf(documents, options.more)), table).grouper(FACTS, options.cameBack);
  const damage = { broken: BROKEN, ...(options.readable ? { readable: true } : {}) };
  const marked = rows.map((row) => (options.broken?.includes(row.row) ? { ...row, ...damage } : row));
  const { groups, leftOut } = grouper.push({ table, rows: marked, leftOut: [] });
  return { groups: [...groups, ...grouper.end().groups], leftOut, cameBack: grouper.cameBack() };
}

const shown = (groups: ReturnType<typeof grouped>['groups']) =>
  groups.map(({ key, rows, faults }) =>
    [key.join('/'), rows.map((row) => row.row).join(), ...faults.map((fault) => fault.code)].join(' '),
  );

describe('adjacent rows', () => {
  test('rows with the same key cells, trimmed, make one group', () => {
    const { groups } = grouped('one-per: [k, n]', 'k;n\na;1\n a;1 \na;2\nb;2');
    expect(shown(groups)).toEqual(['a/1 2,3', 'a/2 4', 'b/2 5']);
  });

  test('the end of a cell never joins with the start of the next', () => {
    expect(grouped('one-per: [k, n]', 'k;n\n1;11\n11;1').groups).toHaveLength(2);
  });

  test('a key that comes back refuses the later rows, and in a second reading the first ones too', () => {
    const csv = 'k;n\na;1\nb;1\na;2';
    const first = grouped('one-per: k', csv);
    expect(shown(first.groups)).toEqual(['a 2', 'b 3', 'a 4 map/key-came-back']);
    expect(first.cameBack).toEqual(['a']);
    const second = grouped('one-per: k', csv, { cameBack: [...first.cameBack] });
    expect(shown(second.groups)).toEqual(['a 2 map/key-came-back', 'b 3', 'a 4 map/key-came-back']);
    expect(second.groups[0]?.faults[0]?.message).toContain('more of them come later');
    expect(second.groups[2]?.faults[0]?.message).toContain('began on row 2');
  });

  test('a broken row refuses the documents before and after it, and its own', () => {
    const { groups } = grouped('one-per: k', 'k;n\na;1\nx;1\nb;1\nc;1', { broken: [3] });
    expect(shown(groups)).toEqual([
      'a 2 map/beside-broken-row',
      'x 3 csv/too-few-cells',
      'b 4 map/beside-broken-row',
      'c 5',
    ]);
  });

  test.each(['adjacent', 'anywhere'])(
    'a broken row whose cells can be read refuses its own document alone (%s)',
    (mode) => {
      const csv = 'k;n\na;1\nx;1\nb;1';
      const { groups } = grouped(`one-per: k, rows: ${mode}`, csv, { broken: [3], readable: true });
      expect(shown(groups)).toEqual(['a 2', 'x 3 csv/too-few-cells', 'b 4']);
    },
  );

  test('an empty row is no line of any document', () => {
    const { groups } = grouped('one-per: k', 'k;n\na;1\n ; \nb;1');
    expect(shown(groups)).toEqual(['a 2', ' 3 map/no-key', 'b 4']);
    expect(groups[1]?.faults[0]?.hint).toBe('leave such rows out: source: leave-out: [{ blank: true }]');
  });

  test.each(['adjacent', 'anywhere'])('broken rows beside each other say nothing of each other (%s)', (mode) => {
    const { groups } = grouped(`one-per: k, rows: ${mode}`, 'k;n\na;1\nx;1\ny;1\nb;1', { broken: [3, 4] });
    expect(shown(groups)).toEqual([
      'a 2 map/beside-broken-row',
      'x 3 csv/too-few-cells',
      'y 4 csv/too-few-cells',
      'b 5 map/beside-broken-row',
    ]);
  });

  test('without a key it refuses what stands beside it all the same', () => {
    const { groups } = grouped('one-per: k', 'k;n\na;1\n;1\nb;1', { broken: [3], readable: true });
    expect(shown(groups)).toEqual(['a 2 map/beside-broken-row', ' 3 csv/too-few-cells', 'b 4 map/beside-broken-row']);
  });

  test('a broken row inside its document refuses that one alone', () => {
    const { groups } = grouped('one-per: k', 'k;n\na;1\nb;1\nb;2\nb;3\nc;1', { broken: [4] });
    expect(shown(groups)).toEqual(['a 2', 'b 3,4,5 csv/too-few-cells', 'c 6']);
  });

  test('a broken row that carries the key of an earlier document refuses that one in the second reading', () => {
    const { cameBack } = grouped('one-per: k', 'k;n\na;1\nb;1\na;2', { broken: [4] });
    expect(cameBack).toEqual(['a']);
  });

  test('rows without a key refuse what stands beside them, each by itself', () => {
    const { groups, cameBack } = grouped('one-per: k', 'k;n\na;1\n;2\nb;1\n;2');
    expect(shown(groups)).toEqual([
      'a 2 map/beside-broken-row',
      ' 3 map/no-key',
      'b 4 map/beside-broken-row map/beside-broken-row',
      ' 5 map/no-key',
    ]);
    expect(cameBack).toEqual([]);
  });
});

describe('rows anywhere', () => {
  test('groups the whole file in order of first appearance', () => {
    const { groups } = grouped('one-per: k, rows: anywhere', 'k;n\na;1\nb;1\na;2');
    expect(shown(groups)).toEqual(['a 2,4', 'b 3']);
  });

  test('a broken row refuses the documents of the rows beside it', () => {
    const { groups } = grouped('one-per: k, rows: anywhere', 'k;n\na;1\nx;9\nb;1\nc;1', { broken: [3] });
    expect(shown(groups)).toEqual([
      'a 2 map/beside-broken-row',
      'x 3 csv/too-few-cells',
      'b 4 map/beside-broken-row',
      'c 5',
    ]);
  });

  test.each([
    ['anywhere', 'k;n\na;1\nb;1\na;2', []],
    ['adjacent', 'k;n\nb;1\na;1\na;2\na;3\nc;1', ['b']],
  ] as const)('a file beyond the limit is refused as a whole (%s)', (mode, csv, given) => {
    const { table, rows } = rowsOf(csv);
    const keyOf = (row: Row) => ({ key: [row.cells[0] ?? ''], faults: [] });
    const common = {
      table,
      one: 'key',
      column: 0,
      identical: 'warning',
      leaves: undefined,
      cameBack: new Set<string>(),
    } as const;
    const grouper = startGrouping({ ...common, rows: mode, keyOf, maxRows: 2 });
    expect(grouper.faults()).toEqual([]);
    const groups = [...grouper.push({ table, rows, leftOut: [] }).groups, ...grouper.end().groups];
    expect(groups.map((group) => group.key[0])).toEqual(given);
    expect(grouper.faults().map((fault) => fault.code)).toEqual(['map/too-many-rows']);
  });
});

test('one-per: row and one-per: file need no key', () => {
  expect(shown(grouped('one-per: row', 'k;n\na;1\na;1', { broken: [2] }).groups)).toEqual([
    '2 2 csv/too-few-cells',
    '3 3',
  ]);
  expect(shown(grouped('one-per: file', 'k;n\na;1\nb;1').groups)).toEqual([' 2,3']);
});

test('a calculated column can be the key; a key that cannot be computed refuses its row', () => {
  const more = 'calculated-columns: { twice: "= $n * 2" }\n';
  const { groups } = grouped('one-per: twice', 'k;n\na;1\nb;1\nc;x', { more });
  expect(shown(groups)).toEqual(['2 2,3 map/beside-broken-row', ' 4 map/not-a-number map/no-key']);
});

describe('keep', () => {
  test('leaves rows out, counted with the rule', () => {
    const { groups, leftOut } = grouped('one-per: k, keep: "= $k <> \\"TOTAL\\""', 'k;n\na;1\nTOTAL;9\na;2');
    expect(shown(groups)).toEqual(['a 2,4']);
    expect(leftOut).toEqual([{ row: 3, rule: 'keep: = $k <> "TOTAL"' }]);
  });

  test('a rule that cannot be decided refuses the row, it never drops it', () => {
    const { groups, leftOut } = grouped('one-per: k, keep: "= $n > 0"', 'k;n\na;1\nb;x');
    expect(shown(groups)).toEqual(['a 2 map/beside-broken-row', 'b 3 map/not-a-number']);
    expect(leftOut).toEqual([]);
  });
});

test('no row is lost and none is doubled, whatever the order, the batches and the damage', () => {
  const cell = fc.constantFrom('a', 'b', 'c', '', ' a', 'T');
  const files = fc.array(fc.record({ k: cell, broken: fc.boolean() }), { maxLength: 40 });
  const modes = fc.constantFrom('one-per: k', 'one-per: k, rows: anywhere', 'one-per: row', 'one-per: file');
  const bounds = new Map<string, ReturnType<typeof boundTo>>();
  const table = { file: 'f.csv', columns: ['k', 'n'] };
  fc.assert(
    fc.property(files, modes, fc.integer({ min: 1, max: 7 }), (cells, mode, size) => {
      const bound = bounds.get(mode) ?? boundTo(loaded(mappingOf(`${mode}, keep: "= $k <> \\"T\\""`)), table);
      bounds.set(mode, bound);
      const rows = cells.map(({ k, broken }, n) => ({
        cells: [k, '1'],
        row: n + 2,
        ...(broken ? { broken: BROKEN } : {}),
      }));
      const grouper = bound.grouper(FACTS);
      const placed: number[] = [];
      const take = ({ groups, leftOut }: ReturnType<typeof grouper.end>) =>
        placed.push(...groups.flatMap((group) => group.rows.map((row) => row.row)), ...leftOut.map((row) => row.row));
      for (let from = 0; from < rows.length; from += size) {
        take(grouper.push({ table, rows: rows.slice(from, from + size), leftOut: [] }));
      }
      take(grouper.end());
      expect(placed.toSorted((a, b) => a - b)).toEqual(rows.map((row) => row.row));
    }),
  );
});

test('groups are given out as soon as they are complete', () => {
  const { table, rows } = rowsOf('k;n\na;1\nb;1\nc;1');
  const grouper = boundTo(loaded(mappingOf('one-per: k')), table).grouper(FACTS);
  const counts = rows.map((row) => grouper.push({ table, rows: [row], leftOut: [] }).groups.length);
  expect(counts).toEqual([0, 1, 1]);
  expect(groupsOf(boundTo(loaded(mappingOf('one-per: k')), table), { table, rows, leftOut: [] })).toHaveLength(3);
});
