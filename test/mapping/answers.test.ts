/** The block `answers` of a mapping: what check finds, and the lines that come out, read back by other programs. */
import csv from 'csvtojson';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { mappingWorld } from '../../src/instance/instance.ts';
import type { AnswerScope } from '../../src/mapping/answers/answer-scope.ts';
import { type AnswerProblem, composeAnswers } from '../../src/mapping/answers/compose-answers.ts';
import { loadMapping } from '../../src/mapping/mapping.ts';
import { must } from '../../src/model/must.ts';
import { STATE_NAMES } from '../../src/model/state.ts';
import { XML_NAME } from '../../src/text/xml-name.ts';
import { SALES_MAPPING } from '../night.ts';

const CSV = 'format: { csv: { encoding: windows-1252, delimiter: ";", replace: "?" } }';

function load(block: string, before = '') {
  return loadMapping(`${SALES_MAPPING}${before}\nanswers:\n${block}`, 'sales.yaml', mappingWorld(import.meta.dirname));
}

function entry(rest: string, file = 'R_{n}.csv', format = CSV): string {
  return `  - { file: "${file}", ${format}, ${rest} }`;
}

test.each([
  ['map/answers-name', entry('row: { A: $Num }', 'R.csv')],
  ['map/answers-name', entry('row: { A: $Num }', '../R_{n}.csv')],
  ['map/answers-name', entry('row: { A: $Num }', '..{n}')],
  ['map/answers-name', entry('row: { A: $Num }', 'R_{number}_{n}.csv')],
  ['map/answers-name', entry('when: settled, row: { A: $Num }')],
  ['map/answers-name', `${entry('row: { A: $Num }')}\n${entry('row: { B: $Num }', 'r_{n}.CSV')}`],
  // In two folders too: what was reported is known by the name.
  ['map/answers-name', `${entry('to: a, row: { A: $Num }')}\n${entry('to: b, row: { B: $Num }')}`],
  [
    'map/answers-name',
    `${entry('row: { A: $Num }')}\n${entry('to: b, row: { B: $Num }', 'R_{n}.csv', 'format: { xml: {} }')}`,
  ],
  ['map/answers-encoding', entry('row: { A: $Num }', 'R_{n}.csv', 'format: { csv: { encoding: windows-1999 } }')],
  ['map/answers-encoding', entry('row: { A: Ω }', 'R_{n}.csv', 'format: { csv: { encoding: windows-1252 } }')],
  [
    'map/answers-states',
    entry('row: { A: { from: "@answer.state", table: few } }'),
    '\ntables: { few: { authorized: A } }',
  ],
  ['map/no-such-output', entry('row: { A: "@answer.sate" }')],
  ['map/no-such-output', entry('row: { A: $Num }, head: { A: "@answer.state" }')],
  ['map/needs-document', entry('row: { A: $Num }, head: { A: = COUNT() }')],
  ['map/needs-document', entry('row: { A: $Num }, foot: { A: "= 1 + SUM($Qte)" }')],
  ['map/no-such-table', entry('row: { A: { from: "@answer.state", table: none } }')],
  ['map/answers-field', entry('row: { A: $Num }', 'R_{n}.txt', 'format: { fixed: {} }')],
  ['map/answers-field', entry('row: { "A B": $Num }', 'R_{n}.xml', 'format: { xml: {} }')],
  ['map/answers-field', entry('row: { "@A/B": $Num }', 'R_{n}.xml', 'format: { xml: {} }')],
  ['map/answers-field', entry('row: { "A/@B": $Num }', 'R_{n}.xml', 'format: { xml: {} }')],
  ['map/answers-field', entry('row: { "m²": $Num }', 'R_{n}.xml', 'format: { xml: {} }')],
  ['map/wrong-value', entry('row: { A: $Num }', 'R_{n}.xml', 'format: { xml: { root: "nº" } }')],
  ...['root: ответ', 'element: Łączna', 'namespace: "urn:Ł"'].map((name): [string, string] => [
    'map/answers-encoding',
    entry('row: { A: $Num }', 'R_{n}.xml', `format: { xml: { encoding: windows-1252, ${name} } }`),
  ]),
  [
    'map/answers-encoding',
    entry('row: { Łączna: $Num }', 'R_{n}.xml', 'format: { xml: { encoding: windows-1252, replace: "?" } }'),
  ],
  [
    'map/answers-encoding',
    entry('row: { Montant €: $Num }', 'R_{n}.csv', 'format: { csv: { encoding: cp850, replace: "?" } }'),
  ],
  ['map/answers-too-wide', entry('row: { A: { value: ABCDEF, width: 5 } }', 'R_{n}.txt', 'format: { fixed: {} }')],
  [
    'map/answers-too-wide',
    entry('row: { A: { value: $Num, width: 50 } }', 'R_{n}.txt', 'format: { fixed: { width: 40 } }'),
  ],
  ['map/unknown-key', entry('row: { A: { value: $Num, widht: 5 } }')],
  ['map/wrong-value', entry('row: { A: $Num }', 'R_{n}.csv', 'format: { csv: {}, xml: {} }')],
])('check finds %s', (code, block, before = '') => {
  const { mapping, faults } = load(block, before);
  expect([mapping, faults.map((fault) => fault.code)]).toEqual([undefined, [code]]);
});

test('a name that is not in the file may have any character', () => {
  const format = 'format: { csv: { encoding: cp850, header: no, replace: "?" } }';
  expect(load(entry('row: { Montant €: $Num }', 'R_{n}.csv', format)).faults).toEqual([]);
  const head = 'head: { Montant €: H }, row: { A: $Num }';
  expect(load(entry(head, 'R_{n}.csv', 'format: { csv: { encoding: cp850 } }')).faults).toEqual([]);
});

test('a name of an element is one that an XML parser takes', () => {
  const name = new RegExp(`^${XML_NAME}$`, 'u');
  const parses = (text: string) => {
    const parser = new SaxesParser({ xmlns: true });
    try {
      parser.write(`<${text}/>`).close();
      return true;
    } catch {
      return false;
    }
  };
  const wrong: string[] = [];
  for (let code = 0x21; code < 0x3_0000; code += code < 0x3100 ? 1 : 97) {
    const sign = String.fromCodePoint(code);
    // Half a pair, and the signs of tags.
    if (/[\p{Cs}<>/:!?&=]/u.test(sign)) continue;
    for (const text of [sign, `a${sign}`]) if (name.test(text) !== parses(text)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['authorized: A, duplicate: A, default: W', ['map/answers-states']],
  ['authorized: A, duplicate: D, default: W', []],
  ['authorized: A, default: W', []],
  [
    STATE_NAMES.filter((state) => state !== 'duplicate')
      .map((state) => `${state}: ${state}`)
      .join(', '),
    [],
  ],
])('check warns of a table that takes a repeat for a success: %s', (table, codes) => {
  const block = entry('row: { A: { from: "@answer.state", table: letters } }');
  const { mapping, faults } = load(block, `\ntables: { letters: { ${table} } }`);
  expect(mapping).toBeDefined();
  expect(faults.map(({ code, level }) => [code, level])).toEqual(codes.map((code) => [code, 'warning']));
});

test.each([
  ['{ file: t.csv, key: [state, class], value: word }', 'state;class;word\nauthorized;invoice;A\n'],
  ['{ file: t.csv, key: state, value: word }', 'state;word;valid-from\nauthorized;A;2026-01-01\n'],
])('check refuses a table that one name cannot look up: %s', (given, text) => {
  const block = entry('row: { A: { from: "@answer.state", table: t, default: W } }');
  const world = { ...mappingWorld(import.meta.dirname), readText: () => text };
  const { faults } = loadMapping(`${SALES_MAPPING}\ntables: { t: ${given} }\nanswers:\n${block}`, 'sales.yaml', world);
  expect(faults.map(({ code, level }) => [code, level])).toEqual([['map/wrong-table', 'error']]);
});

const table = { file: 'ventes.csv', columns: ['Num', 'Client', 'Qte'] };
const rows = [
  { row: 2, cells: ['F;1', 'Lœwe "Ω" & <fils>', '2'] },
  { row: 3, cells: ['F;1', 'Lœwe "Ω" & <fils>', '3,5'] },
];
const scope: AnswerScope = {
  n: 7,
  run: 'r1',
  documents: 1,
  file: { name: 'ventes.csv', id: 'f1', sha256: '0', claimedAt: '2026-11-22T01:00:00' },
  document: { identifier: 'F-1', class: 'invoice', kind: 'fr-invoice', amount: '30.00', date: '2026-09-05' },
  answer: { state: 'rejected', code: 6, message: '=1+1;\nSIRET é', at: '2026-11-22T02:03:04', final: false },
  receipt: 'F-1.receipt.json',
};

function compose(block: string, before = '', answer: Partial<AnswerScope['answer']> = {}) {
  const { mapping, faults } = load(block, before);
  expect(faults).toEqual([]);
  const found = must(must(mapping, 'a mapping').answers[0], 'a block');
  const problems: AnswerProblem[] = [];
  const composer = composeAnswers(found, '2026-11-22', (one) => problems.push(one));
  const own = { ...scope, answer: { ...must(scope.answer, 'an answer'), ...answer } };
  const text = composer.begin(own) + composer.document(own, table, rows) + composer.end(own);
  return { text: found.page.bytes(text).toString('latin1'), problems };
}

const ROW = `row: { NUM: $Num, CLIENT: $Client, QTE: $Qte, TOTAL: = SUM($Qte), ETAT: { from: "@answer.state", table: states },
    CODE: "@answer.code", LE: '= TEXT(@answer.at, "dd/MM/yyyy")', MSG: "@answer.message", TTC: "@document.amount", N: "@n" }`;
const STATES = `\ntables: { states: { ${STATE_NAMES.map((state, n) => `${state}: S${n}`).join(', ')} } }`;

test('separated: cells as the export has them, read back by another program; formulas escaped only for a person', async () => {
  const made = compose(entry(ROW), STATES);
  const [line] = (await csv({ delimiter: ';' }).fromString(made.text)) as { readonly [name: string]: string }[];
  expect(line).toMatchObject({
    ...{ NUM: 'F;1', QTE: '2', TOTAL: '5.5', CODE: '6', LE: '22/11/2026', MSG: '=1+1;\nSIRET é', TTC: '30', N: '7' },
    CLIENT: 'L\u009cwe "?" & <fils>',
  });
  expect(made.problems).toEqual([]);
  const person = compose(entry(ROW, 'R_{n}.csv', 'format: { csv: { replace: "?", for: spreadsheet } }'), STATES);
  expect(person.text).toContain(`"'=1+1;\nSIRET`);
});

test('each row has a line; head and foot count the documents of the file', () => {
  const made = compose(
    entry('each: row, row: { NUM: $Num, QTE: $Qte }, head: { A: H, B: "@file.stem" }, foot: { A: T, B: "@documents" }'),
  );
  expect(made.text).toBe('H;ventes\r\nNUM;QTE\r\n"F;1";2\r\n"F;1";3,5\r\nT;1\r\n');
});

test('the line of a document has the items of all of its headers, that of a row those of its own', () => {
  const mapping = `mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
source:
  format: csv
  record-types:
    levels: [{ value: E, columns: ["", Num] }, { value: L, columns: ["", Line] }]
    lists: { tax: { value: V, columns: ["", amount] } }
  columns: { tax.amount: number }
calculated-columns: { own: = SUM($tax.amount) }
documents: { one-per: Num, class: invoice, never-twice: Num }
output:
  document: { identifier: $Num }
answers:
`;
  const read = ['F1', 'F1', 'F1'].map((number, at) => {
    const tax = at < 2 ? '[{"amount":"4"}]' : '[{"amount":"4"},{"amount":"1"}]';
    return { row: at + 2, cells: ['L', number, `${at}`, tax], listsOf: at < 2 ? 2 : 4 };
  });
  const linesOf = (rest: string) => {
    const loaded = loadMapping(mapping + entry(rest), 'm.yaml', mappingWorld(import.meta.dirname));
    expect(loaded.faults.filter(({ level }) => level === 'error')).toEqual([]);
    const block = must(must(loaded.mapping, 'a mapping').answers[0], 'a block');
    const composer = composeAnswers(block, '2026-11-22', ({ code }) => expect(code).toBeUndefined());
    return composer.document(scope, { file: 'm.csv', columns: ['Type', 'Num', 'Line', 'tax'] }, read);
  };
  expect(linesOf('row: { LINE: $Line, TAX: = SUM($tax.amount) }')).toBe('0;9\r\n');
  expect(linesOf('each: row, row: { LINE: $Line, TAX: = SUM($tax.amount) }')).toBe('0;4\r\n1;4\r\n2;5\r\n');
  expect(linesOf('row: { OWN: $own, ALL: = SUM($own), EACH: = SUM(COUNT($tax.amount)) }')).toBe('4;13;4\r\n');
});

test('XML: nested elements and attributes, read back by a strict parser', () => {
  const format = 'format: { xml: { root: IDOC, element: INVOICE, namespace: "urn:x" } }';
  const made = compose(
    entry(
      'row: { "@NO": $Num, "HEAD/CUSTOMER": $Client, "HEAD/STATE": "@answer.state", MSG: "@answer.message" }',
      'R_{n}.xml',
      format,
    ),
  );
  const found: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => found.push(name, ...Object.values(attributes).map(String)));
  parser.on('text', (text) => void (text.trim() && found.push(text)));
  parser.write(Buffer.from(made.text, 'latin1').toString('utf8')).close();
  expect(found).toEqual([
    ...['IDOC', 'urn:x', 'INVOICE', 'F;1', 'HEAD', 'CUSTOMER', 'Lœwe "Ω" & <fils>', 'STATE', 'rejected'],
    ...['MSG', '=1+1;\nSIRET é'],
  ]);
});

test('fixed width: what does not fit is left out and counted, or cut where the mapping says so', () => {
  const fields = `row: { NUM: { value: $Num, width: 5 }, QTE: { value: $Qte, width: 4, align: right, fill: "0" },
    MSG: { value: "@answer.message", width: 6, cut: yes }, CLIENT: { value: $Client, width: 3 } }`;
  const made = compose(entry(fields, 'R_{n}.txt', 'format: { fixed: { width: 20, line-end: lf } }'));
  expect(made.text).toBe('F;1  0002=1+1;    \u0020 \n');
  expect(made.problems).toEqual([{ why: 'too-wide', field: 'CLIENT', text: rows[0]?.cells[1] }]);
});

test.each(['=1+1', '\uff1d1+1', '"=1+1"', ' @SUM(1)', "'=1"])('a spreadsheet runs no %s', (message) => {
  const format = 'format: { csv: { for: spreadsheet, header: no, quote: always } }';
  const made = compose(entry('row: { A: "@answer.message" }', 'R_{n}.csv', format), '', { message });
  expect(Buffer.from(made.text, 'latin1').toString('utf8')).toBe(`"'${message.replaceAll('"', '""')}"\r\n`);
});

test.each([
  ['-21', '-000000021'],
  ['+21,50', '+000021,50'],
  ['21', '0000000021'],
  ['-', '000000000-'],
  ['-A', '00000000-A'],
])('zeros that fill %s are after its sign', (message, field) => {
  const fields = 'row: { A: { value: "@answer.message", width: 10, align: right, fill: "0" } }';
  const made = compose(entry(fields, 'R_{n}.txt', 'format: { fixed: { line-end: lf } }'), '', { message });
  expect(made.text).toBe(`${field}\n`);
});

test.each(['utf-32', 'utf-32le', 'utf-16', 'utf-8'])(
  '%s has no mark of its byte order, wherever a part ends',
  (encoding) => {
    const { mapping, faults } = load(
      entry('row: { A: $Num }', 'R_{n}.csv', `format: { csv: { encoding: ${encoding} } }`),
    );
    expect(faults).toEqual([]);
    const { page } = must(must(mapping, 'a mapping').answers[0], 'a block');
    expect(page.text(Buffer.concat([page.bytes('A'), page.bytes('é')]))).toBe('Aé');
  },
);

test('a column that the export lacks, or a value that cannot be made, leaves its field empty', () => {
  const made = compose(entry('row: { A: $Date, B: = $Qte * 2, C: $Num }'));
  expect(made.text).toBe('A;B;C\r\n;4;"F;1"\r\n');
  expect(made.problems).toEqual([{ why: 'no-value', field: 'A' }]);
});
