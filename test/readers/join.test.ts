import { describe, expect, it } from 'vitest';
import { definedOnly } from '../../src/model/defined-only.ts';
import type { DataFault } from '../../src/model/fault.ts';
import { originOf, type Row, type Table, textOf } from '../../src/model/row.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { type JoinedHeaders, type JoinKey, joinRows } from '../../src/readers/join-files.ts';
import { UnreadableFileError } from '../../src/readers/reader.ts';
import { chunksOf } from './make.ts';

type Result = { table: Table | undefined; rows: Row[]; headers: JoinedHeaders | undefined; refused: readonly string[] };

async function join(
  headers: string,
  lines: string,
  { headers: names, lines: others, values }: Omit<JoinKey, 'values'> & Partial<JoinKey> = {
    headers: ['Num'],
    lines: ['Num'],
  },
  source: object = {},
): Promise<Result> {
  const read = (content: string, file: string, options: object) =>
    csvReader.read(chunksOf(Buffer.from(content), 9), { file, source: options, chunkBytes: 9 });
  const key = { headers: names, lines: others, values: values ?? names.map(() => ({ header: String, line: String })) };
  const joined = joinRows(read(headers, 'ENT.csv', source), read(lines, 'LIG.csv', {}), key);
  const result: Result = { table: undefined, rows: [], headers: undefined, refused: [] };
  try {
    for await (const { table, rows } of joined.batches) {
      result.table = table;
      result.rows.push(...rows);
    }
    result.headers = joined.headers();
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    result.refused = error.faults.map(({ code }) => code);
  }
  return result;
}

const told = (rows: readonly Row[]) => rows.map(({ row, cells, broken }) => [row, cells.join('|'), broken?.code ?? '']);
const HEADERS = 'Num;Client\nF1;Élan\nF2;Noël\n';
const LINES = 'Num;Lig;Net\nF1;1;10\nF2;1;20\nF1;2;30\n';

describe('two files joined on a key', () => {
  it('give each line the cells of its header, in the order of the lines', async () => {
    const { table, rows, headers } = await join(HEADERS, LINES);
    expect(table).toMatchObject({ file: 'LIG.csv', beside: 'ENT.csv', columns: ['Num', 'Client', 'Lig', 'Net'] });
    expect(told(rows)).toEqual([
      [2, 'F1|Élan|1|10', ''],
      [3, 'F2|Noël|1|20', ''],
      [4, 'F1|Élan|2|30', ''],
    ]);
    expect(headers).toMatchObject({ rows: 2, unjoined: [], encoding: 'utf-8' });
    expect(headers?.leftOut).toEqual([
      { row: 2, rule: 'joined to its lines in LIG.csv' },
      { row: 3, rule: 'joined to its lines in LIG.csv' },
    ]);
  });

  it('compare the key by its value, as each file reads it', async () => {
    const values = [{ header: (cell: string) => cell.replace(/^0+/, ''), line: (cell: string) => cell.toLowerCase() }];
    const key = { headers: ['Num'], lines: ['Num'], values };
    const { rows, headers } = await join('Num;Client\n007a;Élan\n8a;Noël\n', 'Num;Net\n7A;10\n 7a ;20\n08a;30\n', key);
    expect(told(rows).slice(0, 2)).toEqual([
      [2, '007a|Élan|10', ''],
      [3, '007a|Élan|20', ''],
    ]);
    expect(rows[2]?.broken?.message).toContain('"08a"');
    expect(headers?.unjoined.map(({ row }) => row)).toEqual([3]);
    const twice = await join('Num;Client\n007a;Élan\n7a;Noël\n', 'Num;Net\n7A;10\n', key);
    expect(twice.rows.map(({ broken }) => broken?.code)).toEqual(['join/header-twice']);
  });

  it('give no line the values of a header after a record of an unknown kind', async () => {
    const levels = [
      { value: 'S', columns: ['t', 'Company'] },
      { value: 'E', columns: ['t', 'Num'] },
    ];
    const source = csvReader.options.parse({ 'record-types': { levels } }) as object;
    const { rows, headers } = await join('S;one\nE;F1\nX;two\nE;F2\n', LINES, undefined, source);
    expect(told(rows)).toEqual([
      [2, 'E|one|F1|1|10', ''],
      [3, '||F2|1|20', 'csv/unknown-record-type'],
      [4, 'E|one|F1|2|30', ''],
    ]);
    expect(headers?.unjoined.map(({ row, broken }) => [row, broken?.code])).toEqual([
      [3, 'csv/unknown-record-type'],
      [4, 'csv/unknown-record-type'],
    ]);
  });

  it('keep the file and the row of every cell', async () => {
    const { table, rows } = await join(HEADERS, LINES);
    expect(originOf(table!, rows[2]!, 1)).toEqual({ file: 'ENT.csv', row: 2, column: 'Client' });
    expect(originOf(table!, rows[2]!, 3)).toEqual({ file: 'LIG.csv', row: 4, column: 'Net' });
    expect(originOf(table!, rows[2]!)).toEqual({ file: 'LIG.csv', row: 4 });
    // And back from its place to the text of the cell.
    for (const [column, text] of rows[2]!.cells.entries())
      expect(textOf(table!, rows, originOf(table!, rows[2]!, column))).toBe(text);
    expect(textOf(table!, rows, { file: 'LIG.csv', row: 99, column: 'Net' })).toBeUndefined();
  });

  it('name a column that both have twice: the second is that of the lines', async () => {
    const { table, rows } = await join('Num;Date\nF1;a\n', 'Piece;Date\nF1;b\n', {
      headers: ['Num'],
      lines: ['Piece'],
    });
    expect(table?.columns).toEqual(['Num', 'Date', 'Piece', 'lines.Date']);
    expect(told(rows)).toEqual([[2, 'F1|a|F1|b', '']]);
  });

  it('join on several columns, blanks around them not counted', async () => {
    const key = { headers: ['Soc', 'Num'], lines: ['Soc', 'Num'] };
    const { rows } = await join('Soc;Num;C\n01;1;a\n02;1;b\n', 'Num;Soc;L\n 1;02;x\n', key);
    expect(told(rows)).toEqual([[2, '02|1|b|x', '']]);
  });
});

describe('rows without their other half', () => {
  it('a line without header is broken, with its key in place and its neighbours not in doubt', async () => {
    const { rows } = await join(HEADERS, 'Num;Lig\nF1;1\nF9;1\nF2;1\n;1\n');
    expect(told(rows)).toEqual([
      [2, 'F1|Élan|1', ''],
      [3, 'F9||1', 'join/line-without-header'],
      [4, 'F2|Noël|1', ''],
      [5, '||1', 'join/line-without-header'],
    ]);
    expect(rows.map(({ readable }) => readable)).toEqual([undefined, true, undefined, false]);
    expect(rows[1]?.broken?.origin).toEqual({ file: 'LIG.csv', row: 3 });
  });

  it('a header without lines, without key or with moved cells is reported in the header file', async () => {
    const { headers } = await join(`${HEADERS};nobody\nF3;too;many\n`, 'Num;Lig\nF1;1\n');
    expect(headers?.table).toMatchObject({ file: 'ENT.csv', columns: ['Num', 'Client', 'Lig'] });
    expect(told(headers!.unjoined)).toEqual([
      [3, 'F2|Noël|', 'join/header-without-lines'],
      [4, '|nobody|', 'join/header-without-key'],
      [5, 'F3|too|', 'csv/too-many-cells'],
    ]);
    expect(headers?.leftOut).toHaveLength(1);
    expect(headers?.rows).toBe(4);
  });

  it('a key that two headers have refuses both, and the lines of it', async () => {
    const { rows, headers } = await join(`${HEADERS}F1;other\n`, LINES);
    expect(told(rows).map(([row, , code]) => [row, code])).toEqual([
      [2, 'join/header-twice'],
      [3, ''],
      [4, 'join/header-twice'],
    ]);
    expect(told(headers!.unjoined)).toEqual([
      [2, 'F1|Élan||', 'join/header-twice'],
      [4, 'F1|other||', 'join/header-twice'],
    ]);
  });

  it('every row of both files is in exactly one place', async () => {
    const { rows, headers } = await join(`${HEADERS}F1;x\nF3;c\n;k\n`, `${LINES}F9;1;1\n;;\n`);
    expect(rows.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6]);
    const placed = [...headers!.unjoined, ...headers!.leftOut].map(({ row }) => row).sort();
    expect(placed).toEqual([2, 3, 4, 5, 6]);
    expect(headers?.rows).toBe(5);
  });
});

it.each([
  ['the header file has no key column', 'Nr;C\n1;a\n', LINES, ['join/no-such-column']],
  ['the line file has no key column', HEADERS, 'Nr;C\n1;a\n', ['join/no-such-column']],
  ['the header file cannot be read', 'Num;C\n"x\n', LINES, ['csv/quote-not-closed']],
  ['the line file was cut', HEADERS, 'Num;L\nF1;1', ['csv/no-final-line-end']],
  ['a name is taken by both ways', 'Num;a;lines.a\n1;1;1\n', 'Num;a\n1;1\n', ['join/column-twice']],
])('both are refused where %s', async (_, headers, lines, codes) => {
  expect((await join(headers, lines)).refused).toEqual(codes);
});

it('more headers than memory may hold refuse the files', async () => {
  async function* many() {
    const table = { file: 'ENT.csv', columns: ['Num', 'Text'] };
    for (let n = 0; n < 80; n++)
      yield { table, rows: [{ cells: [String(n), 'x'.repeat(1 << 20)], row: n }], leftOut: [] };
  }
  async function* none() {}
  const { batches } = joinRows(many(), none(), { headers: ['Num'], lines: ['Num'], values: [] });
  const reading = (async () => {
    for await (const _ of batches);
  })();
  await expect(reading).rejects.toMatchObject({ faults: [{ code: 'join/too-many-headers' }] });
});

describe('a line with a bad cell', () => {
  const fault = { code: 'xlsx/error-value', level: 'error', message: 'm' } as unknown as DataFault;
  const batch = (file: string, columns: readonly string[], rows: readonly Partial<Row>[]) =>
    (async function* () {
      yield { table: { file, columns }, rows: rows as readonly Row[], leftOut: [] };
    })();
  const joinedWith = async (column: number, documentKey: readonly string[] | 'row' | undefined, num = 'F1') => {
    const headers = batch('ENT.xlsx', ['Num', 'Date'], [{ cells: ['F1', 'd'], row: 2 }]);
    const bad = { cells: [num, '#DIV/0!', 'a'], row: 2, broken: fault, badCells: [{ column, fault }], readable: false };
    const lines = batch('LIG.xlsx', ['Num', 'Qte', 'Art'], [bad]);
    const key = { headers: ['Num'], lines: ['Num'], values: [{ header: String, line: String }] };
    const rows: Row[] = [];
    for await (const one of joinRows(headers, lines, key, definedOnly({ documentKey })).batches) rows.push(...one.rows);
    return rows[0]!;
  };

  it('has its header, so that it is refused with its own document alone', async () => {
    const row = await joinedWith(1, ['Num']);
    expect(row).toMatchObject({ cells: ['F1', 'd', '#DIV/0!', 'a'], broken: fault, readable: true });
    expect(row.badCells).toEqual([{ column: 2, fault }]);
    expect(await joinedWith(1, 'row')).toMatchObject({ readable: true });
    expect(await joinedWith(1, ['Num'], 'F9')).toMatchObject({ cells: ['F9', '', '#DIV/0!', 'a'], readable: true });
  });

  it('is of any document where the bad cell is a part of a key', async () => {
    expect(await joinedWith(0, ['Num'])).toMatchObject({ cells: ['', '', '#DIV/0!', 'a'], readable: false });
    expect(await joinedWith(1, ['Num', 'Qte'])).toMatchObject({ broken: fault, readable: false });
    expect(await joinedWith(1, undefined)).toMatchObject({ broken: fault, readable: false });
  });
});
