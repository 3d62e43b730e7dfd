/** Where a fault of an XML file sends people: the line of the very element, and its path with the number of each repeated one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate, showFault } from '../../src/model/fault.ts';
import type { Origin } from '../../src/model/origin.ts';
import { documentOrigin, originOf, partOrigin, type Row } from '../../src/model/row.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { runs } from '../seed.ts';
import { type Outcome, readAll } from './make.ts';

const SOURCE = {
  document: '/E/F',
  row: 'L',
  columns: { sender: '/E/@from', no: '/E/F/No', city: '/E/F/C/City', price: 'P', unit: 'P/@u' },
  lists: {
    tax: { each: '/E/F/T', columns: { rate: '@r', amount: 'A', own: '.' } },
    cut: { each: 'D', columns: { v: 'V' } },
  },
};

const FILE = `<E
 from="ERP"><F><No>F1</No>
<C>
 <City>Lyon</City></C>
<T r="20"><A>1</A></T>
<T r="10">
  <A>2</A></T>
<L><P u="C62">10</P></L>
<L>
  <D><V>5</V></D>
  <D>
   <V>6</V></D></L></F>
<F>
<No>F2</No>
<L><P>7</P></L></F></E>`;

function at(outcome: Outcome, row: Row, name: string, field?: string, item?: number) {
  const { table } = outcome;
  const column = table!.columns.indexOf(name);
  const places = [...table!.places!];
  if (item !== undefined) places[column] += `[${item}]`;
  const { line, path, column: place } = originOf(table!, item === undefined ? row : { ...row, places }, column, field);
  return `${line} ${path ?? place}`;
}

describe('an element of an XML row', () => {
  it('has its own line and its path, those of a document or a list as well as those of the row', async () => {
    const outcome = await readAll(xmlReader, FILE, SOURCE, { chunk: 7 });
    const [first, second, third] = outcome.rows as [Row, Row, Row];
    expect(at(outcome, first, 'sender')).toBe('1 /E/@from');
    expect(at(outcome, second, 'no')).toBe('2 /E/F[1]/No');
    expect(at(outcome, second, 'city')).toBe('4 /E/F[1]/C/City');
    expect(at(outcome, first, 'price')).toBe('8 /E/F[1]/L[1]/P');
    expect(at(outcome, first, 'unit')).toBe('8 /E/F[1]/L[1]/P/@u');
    expect(at(outcome, first, 'tax', 'amount', 2)).toBe('7 /E/F[1]/T[2]/A');
    expect(at(outcome, first, 'tax', 'rate', 2)).toBe('6 /E/F[1]/T[2]/@r');
    expect(at(outcome, first, 'tax', 'own', 1)).toBe('5 /E/F[1]/T[1]');
    expect(at(outcome, second, 'cut', 'v', 2)).toBe('12 /E/F[1]/L[2]/D[2]/V');
    expect(at(outcome, third, 'no')).toBe('14 /E/F[2]/No');
    expect(at(outcome, third, 'price')).toBe('15 /E/F[2]/L[1]/P');
  });

  it('has the line of the element around it where it is missing', async () => {
    const outcome = await readAll(xmlReader, FILE, SOURCE);
    const [, second, third] = outcome.rows as [Row, Row, Row];
    expect(at(outcome, second, 'price')).toBe('9 /E/F[1]/L[2]/P');
    expect(at(outcome, third, 'city')).toBe('13 /E/F[2]/C/City');
    expect(originOf(outcome.table!, second)).toEqual({
      file: 'test.dat',
      row: 2,
      line: 9,
      path: '/E/F[1]/L[2]',
    });
  });

  it('that is a part of a document is known by the values in it, and the document by its own element', async () => {
    const { table, rows } = await readAll(xmlReader, FILE, SOURCE);
    const [, second, third] = rows as [Row, Row, Row];
    expect(documentOrigin(table!, third)).toMatchObject({ row: 3, line: 13, path: '/E/F[2]' });
    const trace = new Map([
      ['/lines/0/price', [originOf(table!, second, 3)]],
      [
        '/taxes/0/amount',
        [originOf(table!, { ...second, places: ['', '', '', '', '', '/E/F/T[2]', ''] }, 5, 'amount')],
      ],
    ]);
    const whole = () => documentOrigin(table!, second);
    const source = { whole, partOf: (cell: Origin) => partOrigin(table!, rows, cell) };
    const placed = (at: string) => {
      const fault = { code: 'x/missing', level: 'error', message: 'missing', at } as const;
      const { line, path } = locate(fault, trace, source).origin!;
      return `${line} ${path}`;
    };
    expect(placed('/lines/0/taxes')).toBe('9 /E/F[1]/L[2]');
    expect(placed('/taxes/0/rate')).toBe('7 /E/F[1]/T[2]');
    expect(placed('/lines/7/taxes')).toBe('2 /E/F[1]');
    expect(placed('/document/date')).toBe('2 /E/F[1]');
  });

  it('is reported by its path when the whole file is one line', async () => {
    const outcome = await readAll(xmlReader, FILE.replaceAll(/\n */g, ' '), SOURCE);
    expect(at(outcome, outcome.rows[1]!, 'price')).toBe('1 /E/F[1]/L[2]/P');
  });

  it('that is there twice is shown at the second place', async () => {
    const outcome = await readAll(xmlReader, FILE.replace('<P>7</P>', '<P>7</P>\n\n<P>8</P>'), SOURCE);
    expect(showFault(outcome.rows[2]!.broken!)).toMatch(/^test\.dat:17:\/E\/F\[2\]\/L\[1\]\/P {2}xml\/several-values/);
  });

  it('is found in each kind of record, by the paths of its kind', async () => {
    const source = {
      'record-column': 'Kind',
      records: [
        { name: 'a', document: '/E/A', columns: { No: 'N', X: 'X' } },
        { name: 'b', document: '/E/B', row: 'L', columns: { X: 'Y', No: '/E/B/N' } },
      ],
    };
    const outcome = await readAll(
      xmlReader,
      '<E><A><N>1</N>\n<X>2</X></A>\n<B>\n<N>3</N><L>\n<Y>4</Y></L></B></E>',
      source,
    );
    const [a, b] = outcome.rows as [Row, Row];
    const place = (row: Row, column: number) => {
      const { line, path } = originOf(outcome.table!, row, column);
      return `${line} ${path}`;
    };
    expect([place(a, 1), place(a, 2), place(b, 1), place(b, 2)]).toEqual([
      '1 /E/A[1]/N',
      '2 /E/A[1]/X',
      '4 /E/B[1]/N',
      '5 /E/B[1]/L[1]/Y',
    ]);
  });
});

it('property: each value has the number of its own line', async () => {
  const gap = fc.stringMatching(/^[ \n]{0,3}$/);
  const line = fc.record({ before: gap, inside: gap, has: fc.boolean() });
  const document = fc.record({ before: gap, inside: gap, lines: fc.array(line, { minLength: 1, maxLength: 4 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      async (all, chunk) => {
        let count = 0;
        const value = (name: string) => `<${name}>${name}${++count}.</${name}>`;
        const lineText = ({ before, inside, has }: (typeof all)[number]['lines'][number]) =>
          `${before}<L>${inside}${has ? value('P') : ''}</L>`;
        const text = all
          .map(({ before, inside, lines }) => `${before}<F>${value('No')}${inside}${lines.map(lineText).join('')}</F>`)
          .join('');
        const file = `<E>${text}</E>`;
        const outcome = await readAll(xmlReader, file, { ...SOURCE, lists: undefined }, { chunk });
        const physical = file.split('\n');
        for (const row of outcome.rows) {
          for (const name of ['no', 'price']) {
            const column = outcome.table!.columns.indexOf(name);
            const text = row.cells[column]!;
            if (text !== '') expect(physical[originOf(outcome.table!, row, column).line! - 1]).toContain(text);
          }
        }
      },
    ),
    { numRuns: runs(60) },
  );
});
