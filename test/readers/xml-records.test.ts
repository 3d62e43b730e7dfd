import { describe, expect, it } from 'vitest';
import { XML_PATH_PROBLEM } from '../../src/i18n/messages/readers-messages.ts';
import { originOf } from '../../src/model/row.ts';
import { problemOfIssue } from '../../src/model/shape-issue.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { readerContract } from '../contracts/reader.ts';
import { cellsOf, codesOf, readAll } from './make.ts';

const SOURCE = {
  'record-column': 'Kind',
  records: [
    {
      name: 'invoice',
      document: '/Export/Invoice',
      row: 'Line',
      columns: { Num: '../@n', Amount: '.', Due: '../Due' },
    },
    {
      name: 'credit',
      document: '/Export/CreditNote',
      row: 'Pos',
      columns: { Num: '../Id', Amount: '@a', Origin: '../@of' },
    },
  ],
};
const INVOICE = '<Invoice n="F1"><Due>2026-10-05</Due><Line>10</Line><Line>20</Line></Invoice>';
const CREDIT = '<CreditNote of="F1">\n<Id>A1</Id><Pos a="5"/></CreditNote>';
const file = (inner: string) => `<Export>${inner}</Export>`;

readerContract({
  reader: xmlReader,
  source: SOURCE,
  good: Buffer.from(file(INVOICE + CREDIT)),
  rows: 3,
  refused: [Buffer.from('<Other/>'), Buffer.from(file(INVOICE).slice(0, -3)), Buffer.from(file('<Order/>'))],
  noticesCuts: true,
});

describe('several kinds of records', () => {
  it('come out in the order of the file, under the columns of all, with their kind', async () => {
    const outcome = await readAll(xmlReader, file(CREDIT + INVOICE + CREDIT), SOURCE);
    expect(outcome.table?.columns).toEqual(['Kind', 'Num', 'Amount', 'Due', 'Origin']);
    expect(cellsOf(outcome)).toEqual([
      ['credit', 'A1', '5', '', 'F1'],
      ['invoice', 'F1', '10', '2026-10-05', ''],
      ['invoice', 'F1', '20', '2026-10-05', ''],
      ['credit', 'A1', '5', '', 'F1'],
    ]);
    expect(outcome.rows.map(({ row }) => row)).toEqual([1, 2, 3, 4]);
    expect(outcome.leftOut).toEqual([]);
  });

  it('show the place of each value by the path of its own kind', async () => {
    const { table, rows } = await readAll(xmlReader, file(INVOICE + CREDIT), SOURCE);
    expect(rows.map((row) => originOf(table!, row, 1).column)).toEqual([
      '/Export/Invoice/@n',
      '/Export/Invoice/@n',
      '/Export/CreditNote/Id',
    ]);
    expect(originOf(table!, rows[2]!, 0)).toMatchObject({ column: 'Kind', row: 3, line: 2 });
  });

  it('name an element that no kind reads, and only such a one', async () => {
    const { leftOut } = await readAll(xmlReader, file(`${INVOICE}<Order/>${CREDIT}<Order/>`), SOURCE);
    expect(leftOut).toEqual([{ row: 1, rule: 'no path of the mapping reads <Order>, first on line 1' }]);
  });

  it('without a row in a document are broken rows of their own', async () => {
    const outcome = await readAll(xmlReader, file(`${INVOICE}<CreditNote of="x"/>`), SOURCE);
    expect(codesOf(outcome)).toEqual(['xml/document-without-rows']);
    expect(cellsOf(outcome)[2]).toEqual(['credit', '', '', '', 'x']);
  });

  it('may have the document itself for its row', async () => {
    const records = [{ name: 'order', document: '/Export/Order', columns: { Num: '@n', Amount: 'Sum' } }];
    const outcome = await readAll(xmlReader, file('<Order n="1"><Sum>7</Sum></Order><Order n="2"/>'), { records });
    expect(cellsOf(outcome)).toEqual([
      ['order', '1', '7'],
      ['order', '2', ''],
    ]);
  });

  it('share the controls of the file', async () => {
    const controls = [{ value: '/Export/@count', 'count-of': 'documents' }];
    const bytes = Buffer.from(file(CREDIT).replace('<Export', '<Export count="1"'));
    const found = [];
    for await (const { controls: some } of xmlReader.read([bytes] as never, {
      file: 'a',
      source: { ...SOURCE, controls },
    })) {
      found.push(...(some ?? []));
    }
    expect(found).toEqual([{ control: 0, text: '1', row: 1, line: 1, column: '/Export/@count' }]);
  });
});

describe('options of records', () => {
  const [invoice, credit] = SOURCE.records as [object, object];
  it.each([
    ['two of one name', [invoice, { ...credit, name: 'invoice' }], XML_PATH_PROBLEM.recordTwice({ name: 'invoice' })],
    [
      'one in the document of another',
      [invoice, { ...credit, document: '/Export/Invoice/Sub' }],
      XML_PATH_PROBLEM.insideOther({ name: 'invoice' }),
    ],
    [
      'one document for two',
      [invoice, { ...credit, document: '/Export/Invoice' }],
      XML_PATH_PROBLEM.insideOther({ name: 'invoice' }),
    ],
    ['another root', [invoice, { ...credit, document: '/Other/CreditNote' }], XML_PATH_PROBLEM.otherRoot()],
    [
      'the record-column among the columns',
      [invoice, { ...credit, columns: { Kind: '@k' } }],
      XML_PATH_PROBLEM.isRecordColumn({ name: 'Kind' }),
    ],
    ['a path that is none', [invoice, { ...credit, columns: { Num: '//' } }], { id: XML_PATH_PROBLEM.notPath.id }],
    ['none', [], XML_PATH_PROBLEM.noRecord()],
  ])('refuse %s', (_, records, problem) => {
    const { error } = xmlReader.options.safeParse({ ...SOURCE, records });
    expect(error?.issues.map(problemOfIssue)).toMatchObject([problem]);
  });

  it('refuse columns next to them, and a source without any row', () => {
    expect(xmlReader.options.safeParse({ ...SOURCE, columns: { A: 'a' } }).success).toBe(false);
    expect(xmlReader.options.safeParse({ columns: { A: 'a' } }).success).toBe(false);
    expect(xmlReader.options.safeParse({ row: '/a/b' }).success).toBe(false);
  });
});
