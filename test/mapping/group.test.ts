import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ROW_ROWS } from '../../src/i18n/messages/mapping-messages.ts';
import { startGrouping } from '../../src/mapping/compose/group-rows.ts';
import { type DataFault, withMessage } from '../../src/model/fault.ts';
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

/** A part of a key that each row has, an empty one too. */
const TYPED = `calculated-columns: { t: '= IF($n < 0, "credit", "invoice")' }\n`;
const BROKEN: DataFault = { code: 'csv/too-few-cells', level: 'error', ...withMessage(ROW_ROWS.blank({ row: 2 })) };

function grouped(
  documents: string,
  csv: string,
  options: { broken?: number[]; readable?: boolean; cameBack?: string[]; more?: string } = {},
) {
  const { table, rows } = rowsOf(csv);
  const again = options.cameBack ? { again: { keys: options.cameBack, unplaced: [] } } : {};
  const grouper = boundTo(loaded(mappingOf(documents, options.more)), table).grouper(FACTS, again);
  const damage = { broken: BROKEN, ...(options.readable ? { readable: true } : {}) };
  const marked = rows.map((row) => (options.broken?.includes(row.row) ? { ...row, ...damage } : row));
  const { groups, leftOut } = grouper.push({ table, rows: marked, leftOut: [] });
  return { groups: [...groups, ...grouper.end().groups], leftOut, cameBack: grouper.again()?.keys ?? [] };
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
    expect(shown(groups)).toEqual([' 3 map/no-key', 'a 2', 'b 4']);
    expect(groups[0]?.faults[0]?.hint).toBe('leave such rows out: source: leave-out: [{ blank: true }]');
  });

  test.each(['k', '[t, k]'])('an empty row takes no document from the broken row next to it (one-per: %s)', (key) => {
    const documents = `one-per: ${key}`;
    const rows = (csv: string, broken: number) => {
      const { groups } = grouped(documents, csv, { broken: [broken], more: TYPED });
      return Object.fromEntries(groups.map((group) => [group.rows[0]?.row, group.faults.map(({ code }) => code)]));
    };
    const beside = ['map/beside-broken-row'];
    expect(rows('k;n\na;1\n ; \nx;1\nb;1', 4)).toMatchObject({ 2: beside, 5: beside });
    expect(rows('k;n\na;1\nx;1\n ; \nb;1', 3)).toMatchObject({ 2: beside, 5: beside });
  });

  test.each(['adjacent', 'anywhere'])(
    'a row without a part of its key and with a wrong cell leaves its document in doubt (%s)',
    (mode) => {
      const csv = 's;k;n\nb;a;1\n;a;x';
      const doubtful = (documents: string, options = {}) =>
        grouped(`one-per: [s, k], rows: ${mode}${documents}`, csv, options).groups.map(
          ({ isDoubtful = false }) => isDoubtful,
        );
      expect(doubtful('')).toEqual([false, true]);
      expect(doubtful(', keep: = $n > 0')).toEqual([false, true]);
      expect(doubtful('', { broken: [3], readable: true })).toEqual([false, true]);
      expect(doubtful('', { broken: [3] })).toEqual([false, false]);
    },
  );

  test('an empty row does not end its document', () => {
    const { groups, cameBack } = grouped('one-per: k', 'k;n\na;1\n ; \na;2');
    expect(shown(groups)).toEqual([' 3 map/no-key', 'a 2,4']);
    expect(cameBack).toEqual([]);
  });

  test.each(['adjacent', 'anywhere'])('an empty row with a calculated part of its key holds nothing (%s)', (mode) => {
    const { groups } = grouped(`one-per: [t, k], rows: ${mode}`, 'k;n\na;1\n ; \nb;1', { more: TYPED });
    expect(groups.filter(({ isDoubtful }) => isDoubtful)).toEqual([]);
  });

  test.each(['adjacent', 'anywhere'])('adjacent broken rows do not affect each other (%s)', (mode) => {
    const { groups } = grouped(`one-per: k, rows: ${mode}`, 'k;n\na;1\nx;1\ny;1\nb;1', { broken: [3, 4] });
    expect(shown(groups)).toEqual([
      'a 2 map/beside-broken-row',
      'x 3 csv/too-few-cells',
      'y 4 csv/too-few-cells',
      'b 5 map/beside-broken-row',
    ]);
  });

  test('without a key it still refuses the documents next to it', () => {
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

  test('each row without a key refuses the documents next to it', () => {
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

  test('a row of which nothing is known refuses every document of the file', () => {
    const { groups } = grouped('one-per: k, rows: anywhere', 'k;n\na;1\nx;9\nb;1\nc;1', { broken: [3] });
    expect(shown(groups)).toEqual([
      'a 2 map/beside-broken-row',
      'x 3 csv/too-few-cells',
      'b 4 map/beside-broken-row',
      'c 5 map/beside-broken-row',
    ]);
    expect([0, 2, 3].map((n) => groups[n]?.faults[0]?.origin?.row)).toEqual([3, 3, 3]);
  });

  test('a row without a part of its key refuses the documents that agree with the other parts, and no other', () => {
    const more = 'calculated-columns: { twice: "= $n * 2" }\n';
    const csv = 'k;n\na;1\nb;1\na;x\nb;2\na;2\na;y';
    const { groups } = grouped('one-per: [k, twice], rows: anywhere', csv, { more });
    expect(shown(groups)).toEqual([
      'a/2 2 map/beside-broken-row',
      'b/2 3',
      'a/ 4 map/not-a-number',
      'b/4 5',
      'a/4 6 map/beside-broken-row',
      'a/ 7 map/not-a-number',
    ]);
    expect(groups[0]?.faults[0]?.origin?.row).toBe(4);
  });

  test('a cell that has to be a number is a key by its value, and none where it is no number', () => {
    const { groups } = grouped('one-per: n, rows: anywhere', 'k;n\na;1\nb;1.0\nc;2');
    expect(shown(groups)).toEqual(['1 2,3', '2 4']);
    const damaged = grouped('one-per: n, rows: anywhere', 'k;n\na;1\nb;l\nc;2').groups;
    expect(shown(damaged)).toEqual([
      '1 2 map/beside-broken-row',
      ' 3 map/not-a-number map/no-key',
      '2 4 map/beside-broken-row',
    ]);
  });

  test('an empty row refuses nothing else', () => {
    const { groups } = grouped('one-per: k, rows: anywhere', 'k;n\na;1\n ; \nb;1');
    expect(shown(groups)).toEqual(['a 2', ' 3 map/no-key', 'b 4']);
  });
});

describe('keys of several parts', () => {
  test.each([
    ['a 2 map/beside-broken-row', 'a;1\na;x\nb;1'],
    ['a 2', 'a;1\nb;x\nb;1'],
  ])('under adjacent a neighbor is refused that the row may belong to (%s)', (first, rows) => {
    const more = 'calculated-columns: { twice: "= $n * 2" }\n';
    const { groups } = grouped('one-per: [k, twice]', `k;n\n${rows}`, { more });
    expect(shown(groups)[0]).toBe(first.replace(' ', '/2 '));
    expect(shown(groups)[2]).toBe(first.includes('map/') ? 'b/2 4' : 'b/2 4 map/beside-broken-row');
  });

  test('in a file that is not sorted, neighbors are not all that a row may belong to', () => {
    const csv = 'k;n\na;1\nb;1\na;2\nc;1\n;2\nd;1';
    const { table, rows } = rowsOf(csv);
    const bound = boundTo(loaded(mappingOf('one-per: k')), table);
    const first = bound.grouper(FACTS);
    first.push({ table, rows, leftOut: [] });
    first.end();
    const second = bound.grouper(FACTS, { again: first.again()! });
    const groups = [...second.push({ table, rows, leftOut: [] }).groups, ...second.end().groups];
    expect(shown(groups).filter((text) => !text.includes('map/'))).toEqual([]);
    expect(shown(groups)[1]).toBe('b 3 map/beside-broken-row');
  });

  test('rows that were refused, with a part of their key empty, refuse what they may belong to in a second reading', () => {
    for (const mode of ['adjacent', 'anywhere']) {
      const { table, rows } = rowsOf('k;n;m\na;1;1\n;1;1\nb;2;1\n;3;1');
      const bound = boundTo(loaded(mappingOf(`one-per: [k, m], rows: ${mode}`)), {
        ...table,
        columns: ['k', 'm', 'n'],
      });
      const first = bound.grouper(FACTS);
      const groups = [...first.push({ table, rows, leftOut: [] }).groups, ...first.end().groups];
      expect(groups.filter(({ isDoubtful }) => isDoubtful).map(({ key }) => key.join('/'))).toEqual(['/1', '/3']);
      expect(first.again()).toBeUndefined();
      first.refused(groups[1]!);
      const second = bound.grouper(FACTS, { again: first.again()! });
      const again = [...second.push({ table, rows, leftOut: [] }).groups, ...second.end().groups];
      expect(shown(again)).toEqual(['a/1 2 map/beside-broken-row', '/1 3', 'b/2 4', '/3 5']);
    }
  });
});

describe('limits', () => {
  const keyOf = (row: Row) => ({ key: [row.cells[0] ?? ''], faults: [] });
  const common = { one: 'key', column: 0, identical: 'warning', leaves: undefined, keyOf } as const;

  test.each([
    ['adjacent', 'k;n\nb;1\na;1\na;2\na;3\nc;1', { rows: 2, characters: 100 }],
    ['anywhere', 'k;n\nb;1\na;1\na;2\na;3\nc;1', { rows: 2, characters: 100 }],
    ['adjacent', 'k;n\nb;1\na;1\na;222\na;3\nc;1', { rows: 9, characters: 5 }],
    ['anywhere', 'k;n\nb;1\na;1\na;222\na;3\nc;1', { rows: 9, characters: 5 }],
  ] as const)(
    'a document beyond them is refused with the numbers of all its rows, and no other (%s %s %j)',
    (mode, csv, limits) => {
      const { table, rows } = rowsOf(csv);
      const grouper = startGrouping({ ...common, table, rows: mode, limits });
      const groups = [...grouper.push({ table, rows, leftOut: [] }).groups, ...grouper.end().groups];
      expect(shown(groups)).toEqual(['b 2', 'a 3 map/document-too-large', 'c 6']);
      expect(groups[1]).toMatchObject({ numbers: [3, 4, 5], faults: [{ given: '3', origin: { row: 3 } }] });
      expect(grouper.faults()).toEqual([]);
    },
  );

  test.each(['adjacent', 'anywhere'] as const)('of a record that was only counted each row is refused (%s)', (mode) => {
    const { table, rows } = rowsOf('k;n\nb;1\na;\na;\na;\nc;1');
    const cut = { first: 3, rows: 3, elements: 7, mostElements: 6 };
    const given = rows.map((row) => (row.cells[0] === 'a' ? { ...row, cut } : row));
    const leaves = (row: Row) => (row.cells[1] === '' ? 'keep: $n' : undefined);
    const make = (all: readonly Row[]) => {
      const grouper = startGrouping({ ...common, leaves, table, rows: mode });
      const { groups, leftOut } = grouper.push({ table, rows: all, leftOut: [] });
      expect(leftOut).toEqual([]);
      return [...groups, ...grouper.end().groups];
    };
    expect(shown(make(given))).toEqual(['b 2', 'a 3 map/document-too-large', 'c 6']);
    // One of which nothing is known may be of any document, and is one place all the same.
    const unknown = make(given.map((row) => (row.cut ? { ...row, cells: ['', ''] } : row)));
    expect(shown(unknown)).toEqual([
      'b 2 map/beside-broken-row',
      ' 3 map/document-too-large map/no-key',
      'c 6 map/beside-broken-row',
    ]);
    expect(unknown[1]!.numbers).toEqual([3, 4, 5]);
  });

  test.each([
    { rows: 2, characters: 100 },
    { rows: 9, characters: 5 },
  ])('rows: anywhere keeps so much of a file (%j)', (kept) => {
    const { table, rows } = rowsOf('k;n\na;1\nb;1\na;2');
    const grouper = startGrouping({ ...common, table, rows: 'anywhere', kept });
    expect(grouper.faults()).toEqual([]);
    const groups = [...grouper.push({ table, rows, leftOut: [] }).groups, ...grouper.end().groups];
    expect(groups).toEqual([]);
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
    // Its key is known, so that it is a line of no other document.
    expect(shown(groups)).toEqual(['a 2', 'b 3 map/not-a-number']);
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
