/** A record of an XML file past its bounds: counted and no longer kept, and the records around it as ever. */
import { expect, test } from 'vitest';
import type { Row } from '../../src/model/row.ts';
import { type RecordBounds, UnreadableFileError } from '../../src/readers/reader.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { createXmlSlicer } from '../../src/readers/xml/xml-slicer.ts';
import { chunksOf } from './make.ts';

const SOURCE = {
  document: '/r/d',
  row: 'l',
  columns: { Num: '../num', Ref: '../ref', Own: '@own', Text: 't' },
};
const LINE = '<l own="o"><t>abcdef</t></l>';
const doc = (number: string, lines: number, line = LINE) =>
  `<d><num>${number}</num>\n${`${line}\n`.repeat(lines)}<ref>after ${number}</ref></d>\n`;
/** The quick reader leaves the rest to the strict one where the name of an instruction has other letters than usual. */
const READERS = [
  ['quick', '<r>'],
  ['strict', '<?é x?><r>'],
] as const;
const BOUNDS: RecordBounds = { rows: 10, characters: 1000, key: ['Num', 'Ref'] };

type Read = { readonly rows: readonly Row[]; readonly largest: number; readonly codes: readonly string[] };

async function read(text: string, bounds: RecordBounds | undefined, source: object = SOURCE, size = 64): Promise<Read> {
  const rows: Row[] = [];
  let largest = 0;
  try {
    const options = { file: 'a.xml', source: xmlReader.options.parse(source), chunkBytes: size };
    for await (const batch of xmlReader.read(chunksOf(Buffer.from(text), size), {
      ...options,
      ...(bounds ? { bounds } : {}),
    })) {
      largest = Math.max(largest, batch.rows.length);
      rows.push(...batch.rows);
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    return { rows, largest, codes: error.faults.map(({ code }) => code) };
  }
  return { rows, largest, codes: [] };
}

/** By document: its rows, and how many of them are cut. */
function shown({ rows }: Read) {
  return [...Map.groupBy(rows, ({ cells: [number] }) => number)].map(
    ([number, own]) => `${number} ${own.length} ${own.filter(({ cut }) => cut).length}`,
  );
}

const ROWS = 3000;
const OVER: readonly (readonly [string, string, number, Partial<RecordBounds>])[] = [
  ['rows', doc('b', ROWS), ROWS, { characters: 1e9 }],
  ['text of elements', doc('b', ROWS), ROWS, { rows: 1e4 }],
  ['text of attributes', doc('b', 11, `<l own="${'x'.repeat(100)}"/>`), 11, { rows: 1e4 }],
  ['elements that no path reads', doc('b', 12, `<l>${'<x/>'.repeat(90_000)}</l>`), 12, { rows: 50_000 }],
  ['elements before the first row', doc('b', 2).replace('<num>', `${'<x/>'.repeat(1_000_001)}<num>`), 2, {}],
];

for (const [reader, begin] of READERS) {
  test.each(OVER)(
    `${reader}: more %s than one document may have cut it, and no other`,
    async (_, large, count, bounds) => {
      const text = `${begin}${doc('a', 2)}${large}${doc('c', 3)}</r>`;
      const found = await read(text, { ...BOUNDS, ...bounds }, SOURCE, text.length > 1e6 ? 1 << 16 : 64);
      expect(found.codes).toEqual([]);
      expect(shown(found)).toEqual(['a 2 0', `b ${count} ${count}`, 'c 3 0']);
      expect(found.rows.map(({ row }) => row)).toEqual(found.rows.map((_, at) => at + 1));
      const cut = found.rows.filter((row) => row.cut);
      // What stands behind its rows says which document it is as well; the cells of its rows are gone.
      expect(new Set(cut.map(({ cells }) => cells.join('|')))).toEqual(new Set(['b|after b||']));
      expect(cut[0]).toMatchObject({ row: 3, cut: { first: 3, rows: count } });
      expect(found.largest).toBeLessThanOrEqual(1000);
    },
  );

  test(`${reader}: at the bound a record is whole`, async () => {
    const text = `${begin}${doc('a', 10)}</r>`;
    expect(shown(await read(text, { ...BOUNDS, characters: 1e9 }))).toEqual(['a 10 0']);
    expect(shown(await read(text, { ...BOUNDS, characters: 10 * 7 + 1 + 7 }))).toEqual(['a 10 0']);
    expect(shown(await read(text, { ...BOUNDS, characters: 10 * 7 + 1 + 6 }))).toEqual(['a 10 10']);
  });

  test(`${reader}: a record that may hold several documents is not bounded by the rows of one`, async () => {
    const text = `${begin}${doc('a', 200)}</r>`;
    expect(shown(await read(text, { ...BOUNDS, key: ['Num', 'Own'] }))).toEqual(['a 200 0']);
    expect(shown(await read(text, { ...BOUNDS, key: 'row' }))).toEqual(['a 200 0']);
    expect(shown(await read(text, { ...BOUNDS, key: undefined }))).toEqual(['a 200 0']);
    const long = `${begin}${doc('a', 1, '<l/>').replace('<num>', `${'<x/>'.repeat(1_000_001)}<num>`)}</r>`;
    expect((await read(long, { ...BOUNDS, key: undefined }, SOURCE, 1 << 16)).codes).toEqual([
      'xml/document-too-large',
    ]);
  });

  test(`${reader}: a file that is not well-formed after such a record is refused`, async () => {
    const text = `${begin}${doc('b', 100)}<d></r>`;
    expect((await read(text, BOUNDS)).codes).toEqual(['xml/not-well-formed']);
  });
}

test('what says which document it is may be too much as well: then nothing is known of it', async () => {
  const late = `<ref>${'x'.repeat(1 << 21)}</ref>`;
  const text = `<r>${doc('b', 100).replace(/<ref>.*<\/ref>/, late)}${doc('c', 1)}</r>`;
  const { rows } = await read(text, BOUNDS, SOURCE, 1 << 16);
  expect(new Set(rows.filter(({ cut }) => cut).map(({ cells }) => cells.join('|')))).toEqual(new Set(['|||']));
  expect(rows.at(-1)!.cells[0]).toBe('c');
});

test('each kind of documents in a file has bounds of its own', async () => {
  const records = ['d', 'e'].map((name) => ({
    ...{ name, document: `/r/${name}`, row: 'l' },
    columns: { Num: '../num', Text: 't' },
  }));
  const text = `<r>${doc('a', 2)}${doc('b', 40).replaceAll('d>', 'e>')}${doc('c', 1)}</r>`;
  const { rows, codes } = await read(text, { ...BOUNDS, key: ['Num'] }, { records });
  expect(codes).toEqual([]);
  expect(rows.map(({ row }) => row)).toEqual(rows.map((_, at) => at + 1));
  expect(rows.filter(({ cut }) => cut).map(({ cells }) => cells.join('|'))).toEqual(
    Array.from({ length: 40 }, () => 'e|b|'),
  );
});

test('cut into its elements, the text of such a record is not kept', () => {
  const slicer = createXmlSlicer('a.xml', xmlReader.options.parse(SOURCE), BOUNDS);
  const text = `<r>${doc('a', 2)}${doc('b', 500)}${doc('c', 3)}</r>`;
  const slices = Array.from({ length: Math.ceil(text.length / 100) }, (_, at) =>
    slicer.take(text.slice(100 * at, 100 * at + 100)),
  ).flat();
  const units = [...slices, ...slicer.end()].filter((slice) => slice.what === 'unit');
  expect(units.map(({ first, rows, isCut, text }) => ({ first, rows, isCut, text }))).toEqual([
    { first: 1, rows: 2, isCut: false, text: doc('a', 2).trimEnd() },
    { first: 3, rows: 500, isCut: true, text: '' },
    { first: 503, rows: 3, isCut: false, text: doc('c', 3).trimEnd() },
  ]);
});
