/** Lists of the XML reader: what is repeated beside the rows or inside them, as one cell. */
import { describe, expect, it } from 'vitest';
import { XML_PATH_PROBLEM } from '../../src/i18n/messages/readers-messages.ts';
import { problemOfIssue } from '../../src/model/shape-issue.ts';
import { xmlOptions } from '../../src/readers/xml/xml-options.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { cellsOf, readAll } from './make.ts';

const SOURCE = {
  document: '/E/I',
  row: 'L',
  columns: { no: '@n' },
  lists: {
    tax: { each: '../T', columns: { rate: '@r', amount: 'A' } },
    cut: { each: "D[K='less']", columns: { amount: 'A' } },
  },
};
const read = (file: string, source: object = SOURCE, chunk?: number) =>
  readAll(xmlReader, file, source, chunk === undefined ? {} : { chunk });

describe('lists', () => {
  it('hold the items around the row and those inside it, each document its own', async () => {
    const file = `<E><I><T r="20"><A> 2 </A></T><L n="1"><D><A>5</A><K>less</K></D><D><K>more</K><A>6</A></D><D><K>less</K></D></L><L n="2"/><T/></I>
      <I><L n="3"/></I></E>`;
    const taxes = '[{"rate":"20","amount":"2"},{}]';
    for (const chunk of [1, 1000]) {
      const outcome = await read(file, SOURCE, chunk);
      expect(outcome.table?.columns).toEqual(['no', 'tax', 'cut']);
      expect(outcome.table?.places).toEqual(['/E/I/L/@n', '/E/I/T', "/E/I/L/D[K='less']"]);
      expect(cellsOf(outcome)).toEqual([
        ['1', taxes, '[{"amount":"5"},{}]'],
        ['2', taxes, ''],
        ['3', '', ''],
      ]);
    }
  });

  it('take their items from several paths, in the order of the file', async () => {
    const lists = { id: { each: ['../A', '../B'], columns: { v: '.', s: ['@s', '@t'] } } };
    const outcome = await read('<E><I><B t="x">1</B><A>2</A><L n="1"/></I></E>', { ...SOURCE, lists });
    expect(cellsOf(outcome)).toEqual([['1', '[{"s":"x","v":"1"},{"v":"2"}]']]);
  });

  it('are refused before any file is read where their paths make no sense', () => {
    const problem = (lists: object, columns: object = SOURCE.columns) =>
      xmlOptions
        .safeParse({ ...SOURCE, columns, lists })
        .error?.issues.map((issue) => [issue.path.join('.'), problemOfIssue(issue)?.id]);
    expect(problem({ no: { each: '../T', columns: { v: '.' } } })).toEqual([
      ['lists.no', XML_PATH_PROBLEM.columnThere.id],
    ]);
    expect(problem({ t: { each: '../T', columns: { v: '.' } } }, { 't.v': '@n' })?.[0]).toEqual([
      'lists.t.columns.v',
      XML_PATH_PROBLEM.columnThere.id,
    ]);
    expect(problem({ t: { each: '@n', columns: { v: '.' } } })?.[0]).toEqual([
      'lists.t.each',
      XML_PATH_PROBLEM.notElement.id,
    ]);
    expect(problem({ t: { each: '/E/I', columns: { v: '.' } } })?.[0]).toEqual([
      'lists.t.each',
      XML_PATH_PROBLEM.notElement.id,
    ]);
    expect(problem({ t: { each: '../T', columns: { v: '../x' } } })?.[0]).toEqual([
      'lists.t.columns.v',
      XML_PATH_PROBLEM.outsideList.id,
    ]);
    expect(problem({ t: { each: ['../T', 'D'], columns: { v: '.' } } })).toEqual([
      ['lists.t.each', XML_PATH_PROBLEM.severalStarts.id],
    ]);
  });
});

it('a column of several paths takes the one that is there; both are a fault', async () => {
  const source = { row: '/E/I', columns: { iban: ['a/iban', 'a/account'] } };
  const outcome = await read(
    '<E><I><a><account>1</account></a></I><I><a><iban>2</iban></a></I><I><a><iban>3</iban><account>4</account></a></I></E>',
    source,
  );
  expect(cellsOf(outcome).slice(0, 2)).toEqual([['1'], ['2']]);
  expect(outcome.rows[2]?.broken?.code).toBe('xml/several-values');
});

it('an empty element next to the filled one is no second value, whichever is first', async () => {
  const twice = (first: string, second: string) => `<a><iban>${first}</iban><account>${second}</account></a>`;
  const source = {
    row: '/E/I',
    columns: { iban: ['a/iban', 'a/account'] },
    lists: { all: { each: 'a', columns: { id: ['iban', 'account'] } } },
  };
  const pairs = [twice('', '1'), twice('2', ' '), twice('', ''), twice('3', '4')];
  const outcome = await read(`<E>${pairs.map((pair) => `<I>${pair}</I>`).join('')}</E>`, source);
  expect(outcome.rows.map(({ cells, broken }) => [cells[0]?.trim(), cells[1], broken?.code])).toEqual([
    ['1', '[{"id":"1"}]', undefined],
    ['2', '[{"id":"2"}]', undefined],
    ['', '[{}]', undefined],
    ['3', '[{"id":"3"}]', 'xml/several-values'],
  ]);
});

it('paths that may match nothing are no warning where the format says so', async () => {
  const source = { row: '/E/I', columns: { v: '.', w: 'x/y' } };
  const warned = async (optional: boolean) => {
    let count = 0;
    const bytes = (async function* () {
      yield Buffer.from('<E><I>1</I></E>');
    })();
    const options = xmlOptions.parse({ ...source, 'paths-optional': optional });
    for await (const batch of xmlReader.read(bytes, { file: 'a.xml', source: options }))
      count += batch.warnings?.length ?? 0;
    return count;
  };
  expect([await warned(false), await warned(true)]).toEqual([1, 0]);
});
