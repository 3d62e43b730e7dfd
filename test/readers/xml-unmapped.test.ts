/** Elements that no path reads, as the mapping asks for them: with which row they come out, and in which file. */
import { describe, expect, it, test } from 'vitest';
import { xmlOptions } from '../../src/readers/xml/xml-options.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { readAll } from './make.ts';

const SOURCE = {
  namespaces: { a: 'urn:a' },
  document: '/E/I',
  row: 'L',
  columns: { no: '@n', qty: 'Q', head: '../H', scheme: "../P[@s='x']/@v" },
  lists: { tax: { each: '../T', columns: { rate: '@r', amount: 'A' } } },
};

type Level = { unmapped?: string; 'ignored-paths'?: readonly string[]; 'refused-paths'?: readonly string[] };

async function unreadIn(inside: string, level: Level = { unmapped: 'warn' }, chunk = 7) {
  const file = `<E xmlns:b="urn:a"><I><H>h</H><T r="20"><A>1</A></T><L n="1"><Q>2</Q></L>${inside}</I></E>`;
  const { rows } = await readAll(xmlReader, file, { ...SOURCE, ...level }, { chunk });
  return rows.map(({ unread = [] }) => unread.map(({ path, isRefused }) => `${path}${isRefused ? '!' : ''}`));
}

describe('elements that no path reads', () => {
  it.each([
    ['an element with a text, and those in it', '<X>1<Y>2</Y></X>', ['I/X', 'I/X/Y']],
    ['a CDATA section', '<X><![CDATA[1]]></X>', ['I/X']],
    ['a reference', '<X>&#65;</X>', ['I/X']],
    ['attributes alone', '<X><Y z="1"/></X>', ['I/X/Y']],
    ['a text around elements', '<X>\n <Y>\n </Y>\n</X>', []],
    ['empty elements', '<X/><X></X>', []],
    ['the text of an element of which an attribute is read', '<T r="5">x</T>', ['I/T']],
    ['the text of an element that only holds what is read', '<T r="5">x<A>5</A></T>', ['I/T']],
    ['an element whose filter leaves it out', '<P s="y" v="1">z</P>', ['I/P']],
    ['another namespace', '<b:H>1</b:H>', ['I/b:H']],
    ['a comment', '<X><!-- 1 --></X>', []],
  ])('%s', async (_what, inside, expected) => {
    expect(await unreadIn(inside)).toEqual([expected]);
    expect(await unreadIn(inside, { unmapped: 'warn' }, 10_000)).toEqual([expected]);
    // A declaration inside is not regular: from there on the strict parser reads.
    expect(await unreadIn(`<?x y?>${inside}`, { unmapped: 'warn' })).toEqual([expected]);
  });

  it('come with their row, or with the first one of their document', async () => {
    const file = `<E><D>above</D><I><X>1</X><H>h</H><L n="1"/><L n="2"><Y>2</Y></L><Z>3</Z></I><I><L n="3"/></I><I><L n="4"><Y>4</Y></L></I></E>`;
    const { rows } = await readAll(xmlReader, file, { ...SOURCE, unmapped: 'warn' });
    expect(rows.map(({ unread }) => unread?.map(({ path, line }) => `${path} ${line}`))).toEqual([
      ['I/X 1', 'I/Z 1'],
      ['I/L/Y 1'],
      undefined,
      ['I/L/Y 1'],
    ]);
  });

  it('are not looked for where the mapping does not ask', async () => {
    expect(await unreadIn('<X>1</X>', {})).toEqual([[]]);
    expect(await unreadIn('<X>1</X>', { unmapped: 'ignore' })).toEqual([[]]);
  });

  it('are left out with all that is in them where the mapping says so, by paths of the row or of the root', async () => {
    const level = { unmapped: 'warn', 'ignored-paths': ['/E/I/X', '/E/I/a:N', 'Y'] };
    expect(await unreadIn('<X>1<Y>2</Y></X><b:N>3</b:N><N>4</N><L n="2"><Y>5</Y></L>', level)).toEqual([['I/N'], []]);
  });

  it('refuse the document where the mapping says so', async () => {
    expect(await unreadIn('<X>1</X>', { unmapped: 'refuse' })).toEqual([['I/X!']]);
    const level = { 'refused-paths': ['X', '/E/I/N'] };
    expect(await unreadIn('<N><M>1</M></N><O>2</O><L n="2"><X>3</X></L>', level)).toEqual([['I/N/M!'], ['I/L/X!']]);
  });

  it('of one kind of documents are not those of another', async () => {
    const records = [
      { name: 'i', document: '/E/I', row: 'L', columns: { no: '@n' } },
      { name: 'c', document: '/E/C', columns: { no: '@n' } },
    ];
    const file = '<E><I><L n="1"/><X>1</X></I><C n="2"><X>2</X></C></E>';
    const { rows } = await readAll(xmlReader, file, { records, unmapped: 'warn' });
    expect(rows.map(({ unread }) => unread?.map(({ path }) => path))).toEqual([['I/X'], ['C/X']]);
  });

  test.each(['X[', '@x', 'p:X'])('the path %s is refused before any file is read', (path) => {
    const { error } = xmlOptions.safeParse({ ...SOURCE, unmapped: 'warn', 'ignored-paths': [path] });
    expect(error?.issues.map((issue) => issue.path[0])).toEqual(['ignored-paths']);
  });
});
