/**
 * What is fuzzed: inputs to begin with, words of the format, and what must hold for any bytes.
 *
 * Everywhere: no exception but the declared ones, the same input gives the same result, and nothing takes long.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DOCUMENT_KINDS, READERS } from '../../src/catalogue.ts';
import { readReply } from '../../src/delivery/parse-reply.ts';
import { format } from '../../src/i18n/message.ts';
import { INFERABLE, inferDraft } from '../../src/infer/infer-draft.ts';
import { mappingWorld } from '../../src/instance/instance.ts';
import { loadMapping, type Mapping } from '../../src/mapping/mapping.ts';
import { compileDateFormat } from '../../src/mapping/source/parse-date.ts';
import { compileNumberFormat } from '../../src/mapping/source/parse-number.ts';
import { Decimal } from '../../src/model/decimal.ts';
import { type Fault, truncateFault } from '../../src/model/fault.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../src/model/identifiers.ts';
import { convert, ReappearedKeysError } from '../../src/pipeline/conversion/convert-file.ts';
import { isCorrectionCsv, readCorrectionCsv } from '../../src/readers/correction-file/read-correction-csv.ts';
import { writeCorrectionCsv } from '../../src/readers/correction-file/write-correction-csv.ts';
import { csvReader } from '../../src/readers/csv/csv-reader.ts';
import { fixedReader } from '../../src/readers/fixed-width/fixed-width-reader.ts';
import { type Reader, UnreadableFileError } from '../../src/readers/reader.ts';
import { xlsxReader } from '../../src/readers/xlsx/xlsx-reader.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { readYaml } from '../../src/yaml/yaml-document.ts';
import { runFormula } from '../mapping/run-formula.ts';
import { chunksOf, type Outcome, readAll } from '../readers/make.ts';
import { type Book, partsOf, textRow, zipOf } from '../readers/xlsx/make-workbook.ts';

export type Target = {
  readonly name: string;
  readonly seeds: readonly Buffer[];
  readonly words: readonly string[];
  /** Throws where something does not hold. */
  readonly run: (bytes: Buffer) => Promise<void> | void;
};

const ROOT = join(import.meta.dirname, '../..');
const WORLD = mappingWorld(ROOT);
const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    .filter(({ length }) => length < 40_000);
const texts = (...all: readonly string[]) => all.map((text) => Buffer.from(text));

function must(holds: boolean, says: string): void {
  if (!holds) throw new Error(`does not hold: ${says}`);
}

function goodFaults(faults: readonly Fault[]): void {
  for (const { code, message, hint } of faults) {
    must(/^[a-z-]+\/[a-z0-9-]+$/.test(code), `a code: ${code}`);
    must(message !== '' && message.length < 2_000, `a short message: ${code} ${message.length}`);
    must((hint ?? '').length < 2_000, `a short hint: ${code}`);
  }
}

/** Read in one piece and in small ones: the same rows, the same faults. The first byte chooses the settings. */
function reading(reader: Reader, sources: readonly object[]): Target['run'] {
  return async (bytes) => {
    const source = sources[(bytes[0] ?? 0) % sources.length]!;
    const content = bytes.subarray(1);
    const whole = await readAll(reader, content, source);
    const small = await readAll(reader, content, source, { chunk: 1 + (content.length % 7), chunkBytes: 5 });
    must(isDeepStrictEqual(told(whole), told(small)), 'the same in chunks of any size');
    goodFaults(whole.refused);
    for (const row of whole.rows) {
      must(row.cells.length === whole.table!.columns.length, 'as many cells as columns');
      if (row.broken) goodFaults([truncateFault(row.broken)]);
      must(
        !row.cells.some((cell) => cell.includes('\ufffd')) || bytes.includes('\ufffd') || hasReplacement(content),
        'no replaced letters',
      );
    }
    const numbers = whole.rows.map(({ row }) => row);
    must(new Set(numbers).size === numbers.length, 'each row once');
  };
}

function told({ batches: _, ...outcome }: Outcome): unknown {
  // Of two faults in a file, the step decides which one is met first, and how many rows come out before it.
  return outcome.refused.length > 0 ? 'refused' : outcome;
}

/** U+FFFD can stand in a file itself: in UTF-16, or by reference in XML. */
function hasReplacement(content: Buffer): boolean {
  return (
    content.includes(Buffer.of(0xfd, 0xff)) ||
    content.includes(Buffer.of(0xff, 0xfd)) ||
    /&#(x0*fffd|0*65533);/i.test(content.toString('latin1').replaceAll('\0', ''))
  );
}

const HEADED: readonly object[] = [
  {},
  { delimiter: ',', quote: "'" },
  { delimiter: 'tab', encoding: 'utf-16le' },
  { 'header-row': 2, 'fill-down': [1], 'leave-out': [{ blank: true }, { column: 1, contains: 'Total' }] },
  { delimiter: '|', 'column-names': ['a', 'b', 'c'], 'final-line-end': 'optional', encoding: 'cp850' },
  {
    'record-types': {
      levels: [
        { value: 'H', columns: ['t', 'n'] },
        { value: ['L', 'M'], columns: ['t', 'x', 'y'] },
      ],
    },
  },
  {
    quote: 'none',
    encoding: 'windows-1252',
    controls: [{ where: { column: 1, equals: 'TOTAL' }, value: 2, 'count-of': 'rows' }],
  },
];

const csv: Target = {
  name: 'csv',
  seeds: [
    ...filesIn('samples', /\.csv$/),
    ...texts('\0A;B\n1;2\n', '\x01a,b\n"x ""y""","z\n"\n', '\x05H;1\nL;2;3\nM;4;5\nH;2\n'),
  ],
  words: [
    '"',
    '""',
    ';',
    ',',
    '\r\n',
    '\n',
    '\r',
    '\t',
    '|',
    'sep=;\n',
    '\ufeff',
    'Total',
    'H;',
    'L;',
    'TOTAL;',
    '\x1a',
  ],
  run: reading(csvReader, HEADED),
};

const xml: Target = {
  name: 'xml',
  seeds: [
    ...filesIn('samples', /\.xml$/),
    ...texts(
      '\0<r><a x="1">t<b>2</b></a><a/></r>',
      '\x01<?xml version="1.0" encoding="ISO-8859-1"?><r xmlns="u"><d><l q="1"><v>&#233;</v></l></d></r>',
    ),
  ],
  words: [
    '<r>',
    '<a>',
    '</a>',
    '</r>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?',
    '?>',
    '<!DOCTYPE r>',
    '&amp;',
    '&#x20;',
    'xmlns="u"',
    'xmlns:p="u"',
    'p:',
    '/>',
    ' x="1"',
    "encoding='utf-16'",
  ],
  run: reading(xmlReader, [
    { row: '/r/a', columns: { own: '.', x: '@x', b: 'b' } },
    { row: '/r/d/l', columns: { up: '../@n', v: 'v', q: '@q' }, namespaces: { default: 'u', p: 'u' } },
    { document: '/r/d', row: 'l', columns: { one: "q[@t='1']/v", two: "../s[k='2']/v" }, 'rows-optional': true },
    {
      records: [
        { name: 'A', document: '/r/a', columns: { v: '.' } },
        { name: 'D', document: '/r/d', row: 'l', columns: { v: 'v' } },
      ],
    },
  ]),
};

const BOOK: Book = {
  rows: `${textRow(1, 'Num', 'Date', 'Net')}<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="1"><v>46347.5</v></c><c r="C2"><v>1.5E-3</v></c></row><row r="4" hidden="1"><c t="b"><v>1</v></c><c r="C4"><f>1</f><v>2</v></c></row>`,
  strings: ['<t>F1</t>', '<r><t>a</t></r><rPh><t>b</t></rPh>'],
  formats: ['dd/mm/yyyy hh:mm', '00000'],
  after: '<mergeCells><mergeCell ref="A2:A4"/></mergeCells>',
};
const BOOK_PARTS = partsOf(BOOK);
/** The parts that are damaged, each under a right checksum; for the others, the zip itself is. */
const FUZZED_PARTS = ['xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml', 'xl/styles.xml', 'xl/workbook.xml'];

const xlsx: Target = {
  name: 'xlsx',
  seeds: [
    ...FUZZED_PARTS.map((path, n) => Buffer.concat([Buffer.from([n]), Buffer.from(BOOK_PARTS[path]!)])),
    Buffer.concat([Buffer.from([4]), zipOf(BOOK_PARTS)]),
  ],
  words: [
    '<row>',
    '</row>',
    '<c>',
    '<c r="A3" t="s">',
    '<c t="inlineStr"><is><t>x</t></is></c>',
    '<v>',
    '</v>',
    '<f/>',
    ' t="e"',
    ' t="str"',
    ' s="2"',
    ' r="B2"',
    '<is>',
    '<t>',
    '_x000D_',
    '<si/>',
    '<xf numFmtId="14"/>',
    '1E+30',
    '-1',
    '<!DOCTYPE a>',
    'PK\x01\x02',
  ],
  run: async (bytes) => {
    const path = FUZZED_PARTS[(bytes[0] ?? 0) % 5];
    const content = bytes.subarray(1);
    const file = path === undefined ? content : zipOf({ ...BOOK_PARTS, [path]: content }, { stored: true });
    await readSheets(Buffer.concat([bytes.subarray(0, 1), file]));
  },
};
const readSheets = reading(xlsxReader, [
  {},
  { 'header-row': 2, 'fill-down': [1], 'ignored-columns': [3] },
  { 'column-names': ['a', 'b'], 'skip-rows': 1, 'leave-out': [{ column: 1, contains: 'F' }] },
]);

const fixed: Target = {
  name: 'fixed',
  seeds: [...filesIn('samples', /\.(dat|txt)$/), ...texts('\0A001Elan 012\nA002Noel 034\n', '\x01H0001\nL1 5\n')],
  words: ['\n', '\r\n', '\x1a', 'H', 'L', '     ', '0000', 'é', '\t'],
  run: reading(fixedReader, [
    { columns: { Id: '1-4', Name: '5-9', N: '10-12' } },
    {
      'record-types': {
        at: 1,
        levels: [
          { value: 'H', columns: { a: '2-5' } },
          { value: 'L', columns: { b: 2, c: '3-4' } },
        ],
      },
    },
    { columns: { all: '1-20' }, encoding: 'cp850', 'skip-rows': 1, 'leave-out': [{ at: '1-3', equals: 'TOT' }] },
  ]),
};

const mapping: Target = {
  name: 'mapping',
  seeds: filesIn('mappings', /\.yaml$/),
  words: [
    '- ',
    ': ',
    '{ ',
    ' }',
    '[',
    ']',
    '$',
    '$[',
    '= ',
    '@',
    '&a ',
    '*a',
    '!!str ',
    '|\n',
    '> ',
    '"',
    "'",
    '# ',
    'each: row',
    'each: rows by ',
    'when: ',
    'from: ',
    'table: ',
    'per: ',
    'null',
    '~',
    '%YAML 1.1\n---\n',
    '<<: ',
    '? ',
    'records:',
    'controls:',
    'join:',
    'numbers: { decimal: "," }',
    'dates: ',
    'fill-down: ',
    'thousands: [constructor]',
    'replace: ',
    'default: ',
    'base64: ',
    'item of ',
    'standard: ',
    '= SUM(',
    '= COUNT()',
    '= ROW-NUMBER()',
    '= ALLOCATE(9, ',
    '= $',
    ')',
    '1e-7',
    '1.10',
    '0.5',
  ],
  run: (bytes) => {
    const text = bytes.toString();
    const first = loadMapping(text, 'm.yaml', WORLD);
    must(!first.faults.some(({ code }) => code === 'map/internal-error'), `no defect: ${first.faults[0]?.message}`);
    const again = loadMapping(text, 'm.yaml', WORLD);
    must(isDeepStrictEqual(first.faults, again.faults), 'the same faults again');
    must((first.mapping === undefined) === first.faults.some(({ level }) => level === 'error'), 'a mapping, or errors');
    goodFaults(first.faults);
    const lines = text.split('\n').length;
    for (const { mark, code } of first.faults) {
      must(mark !== undefined, `a place: ${code}`);
      if (mark!.file === 'm.yaml')
        must(mark!.line >= 1 && mark!.line <= lines && mark!.column >= 1, `a place in the file: ${code}`);
    }
    if (first.mapping) composeRows(first.mapping);
  },
};

/** Cells that mean something to a reader of cells, or to JavaScript. */
const CELLS: readonly string[] = [
  ...['', '0', '1', '-2.50', '1,5', '380', 'A', 'FR', 'constructor', '__proto__', 'toString'],
  ...['2026-09-05', '05/09/2026', '20260905', '2026-09-05T10:00:00', '[{"a":"1"}]', '[]', '9'.repeat(30)],
];

/** Rows of any cells under a mapping that loads: drafts or located faults, and no exception. */
function composeRows(loaded: Mapping): void {
  const columns = [...new Set(loaded.columns)];
  const rows = Array.from({ length: CELLS.length }, (_, n) => ({
    row: n + 2,
    cells: columns.map((_name, at) => CELLS[(n + at * (n % 3)) % CELLS.length]!),
  }));
  const table = { file: 'a.csv', columns };
  const bound = loaded.bind(table, rows);
  if ('faults' in bound) {
    goodFaults(bound.faults);
    return;
  }
  const facts = { today: '2026-11-20', file: { name: 'a.csv', base64: () => 'UERG' } };
  const grouper = bound.grouper(facts);
  for (const group of [...grouper.push({ table, rows, leftOut: [] }).groups, ...grouper.end().groups]) {
    const { draft, faults } = bound.compose(group, facts);
    goodFaults(faults.map(truncateFault));
    must(draft !== undefined || faults.length > 0, 'a draft, or faults');
    if (draft) JSON.stringify(draft.payload);
  }
  bound.controls(facts);
}

const yaml: Target = {
  name: 'yaml',
  seeds: [
    ...mapping.seeds,
    ...texts('a: &x [1, 2]\nb: *x\n', '? a\n: b\n', '- |\n  x\n- >-\n  y\n', '"a\\u0041": !!str 1\n'),
  ],
  words: mapping.words,
  run: (bytes) => {
    const text = bytes.toString();
    const read = readYaml(text, 'a.yaml');
    must(isDeepStrictEqual(shownYaml(read), shownYaml(readYaml(text, 'a.yaml'))), 'the same again');
    if ('faults' in read) goodFaults(read.faults);
  },
};

function shownYaml(read: ReturnType<typeof readYaml>): unknown {
  return 'faults' in read ? read.faults : read.yaml.value;
}

const formula: Target = {
  name: 'formula',
  seeds: texts(
    'ROUND($a * $b, 2)',
    'IF($t = "x", $a, @lines.net)',
    'SUM(IF($a > 1, $a, 0)) & "%"',
    'TEXT($d, "dd/MM/yyyy")',
    '$[a b] + 5%',
    'DATE("2026-01-31") + 1',
    'SPLIT($t, ";", 2)',
    'MATCH($t, "(a+)+$")',
    'ALLOCATE($a, $b)',
    'LEFT($t, 3)',
  ),
  words: [
    '(',
    ')',
    ',',
    ';',
    '+',
    '-',
    '*',
    '/',
    '&',
    '=',
    '<>',
    '<=',
    '%',
    '"',
    '""',
    '$a',
    '$[',
    ']',
    '@',
    '1e5',
    '0.1',
    ...Object.values(functionNames()).map((name) => `${name}(`),
  ],
  run: (bytes) => {
    const text = bytes.toString().slice(0, 5_000);
    const given = {
      columns: { a: [1, 2], b: ['x', '3'], t: ['abc', ''], d: ['2026-01-31', 'x'], 'a b': [5, 6] },
      outputs: { 'lines.net': [1, 2] },
      row: 1,
    };
    const first = runFormula(text, given);
    must(isDeepStrictEqual(first, runFormula(text, given)), 'the same again');
    for (const { offset, length } of first.problems) {
      must(offset >= 0 && length > 0 && offset + length <= Math.max(1, text.length), 'problems point into the formula');
    }
  },
};

function functionNames(): readonly string[] {
  const manual = readFileSync(join(ROOT, 'docs/reference/functions.md'), 'utf8');
  return [...new Set([...manual.matchAll(/`([A-Z][A-Z-]{1,20})\(/g)].map(([, name]) => name!))];
}

const values: Target = {
  name: 'values',
  seeds: texts(
    'dd/MM/yyyy|05/09/2026',
    'excel-serial|45000',
    'yyyyMMdd|20260905',
    'd MMM yyyy|5 sept. 2026',
    ', .|1.234,56',
    '. ,|1,234.5-',
    ',  |1 234,5',
    '. |(5.00)',
  ),
  words: [
    'dd',
    'MM',
    'yyyy',
    'yy',
    'MMM',
    'HH:mm:ss',
    '/',
    '.',
    ',',
    '-',
    ' ',
    '0',
    '31',
    '99',
    'E+08',
    '(',
    ')',
    '+',
    '\u00a0',
    '\u2212',
    '|',
  ],
  run: (bytes) => {
    const [pattern = '', ...rest] = bytes.toString().slice(0, 2_000).split('|');
    const text = rest.join('|');
    const date = compileDateFormat(pattern);
    if ('read' in date) {
      const iso = date.read(text);
      if (typeof iso === 'string')
        must(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/.test(iso) && !Number.isNaN(Date.parse(iso)), `a date: ${iso}`);
      must(isDeepStrictEqual(iso, date.read(text)), 'the same date again');
    }
    const [decimal, ...thousands] = pattern.slice(0, 4);
    if (decimal !== ',' && decimal !== '.') return;
    const read = compileNumberFormat({ decimal, thousands: thousands.filter((one) => one !== decimal) });
    const number = read(text);
    if (number instanceof Decimal)
      must(digitsOf(number.toText()) === digitsOf(text, decimal), `no digit lost: ${number.toText()}`);
  },
};

/** Digits that count: without zeros in front, and behind the decimal mark. */
function digitsOf(text: string, decimal = '.'): string {
  const [whole = '', fraction = ''] = text.replaceAll(/[^\d.,]/g, (one) => (one === decimal ? one : '')).split(decimal);
  return `${whole.replace(/\D/g, '').replace(/^0+/, '')}.${fraction.replace(/\D/g, '').replace(/0+$/, '')}`;
}

const PLACES = {
  code: '/result/status/code',
  name: '/result/status/name',
  statuses: '/result/statuses',
  trackingId: '/result/tracking-id',
  requestId: '/context/request-id',
  identifier: '/result/document/identifier',
};

const answer: Target = {
  name: 'answer',
  seeds: texts(
    '{"context":{"request-id":"r1"},"result":{"status":{"code":2,"name":"Authorized"},"tracking-id":"t","document":{"identifier":"F1"}}}',
    '{"result":{"status":{"code":6,"message":"x"},"statuses":[{"source":"a","code":1,"date":"2026"}]}}',
    '[]',
    '{"result":{"status":{"code":2},"status":{"code":6}}}',
    '\ufeff{"a":"\\u0061\\ud800"}',
  ), // prettier-ignore
  words: [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u0063ode',
    '"code"',
    '"result":',
    '"status":',
    '"context":',
    'null',
    'true',
    '2',
    '-0',
    '1e2',
    '2.0',
    ' ',
    '\n',
    '\u00a0',
    '//',
    '"request-id":"r1"',
  ],
  run: (bytes) => {
    const body = bytes.toString();
    const reply = readReply(
      { sent: true, status: 200, headers: {}, body },
      { requestId: 'r1', identifier: 'F1' },
      PLACES,
    );
    if ('why' in reply) return;
    const parsed = JSON.parse(body) as { result: { status: { code: number } }; context?: Record<string, unknown> };
    must(parsed.result.status.code === reply.answer.code, 'the code that JSON.parse finds');
    const echo = parsed.context?.['request-id'];
    must(echo === undefined || echo === null || echo === 'r1', `our own request: ${String(echo)}`);
  },
};

const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };

const inference: Target = {
  name: 'infer',
  seeds: [...filesIn('samples', /\.(csv|txt|xml)$/), ...filesIn('test/infer/samples', /\.(csv|txt|xml)$/)],
  words: [
    ...csv.words,
    ...xml.words,
    'Facture',
    'Date',
    'TVA %',
    'Total',
    'Qté',
    '05/09/2026',
    '12,5',
    '999200116',
    'Facture;Date;Client\n',
  ],
  run: async (bytes) => {
    const target = INFERABLE[bytes.length % INFERABLE.length]!;
    const input = { bytes, file: 'x 1.csv', id: 'draft', target, tests };
    const result = await inferDraft(input);
    if ('problem' in result) return must(format(result.problem, 'en') !== '', 'a reason');
    const { faults } = loadMapping(result.mapping, 'draft', WORLD);
    const errors = faults.filter(({ level }) => level === 'error');
    must(errors.length === 0, `the draft loads: ${errors[0]?.code} ${errors[0]?.message}`);
    const again = await inferDraft(input);
    must('mapping' in again && again.mapping === result.mapping, 'the same draft again');
  },
};

/** A sample of each shipped mapping, damaged, through that mapping: documents or faults, and each row in one of them. */
function conversion(): Target {
  const sources: { readonly mapping: Mapping; readonly seeds: readonly Buffer[] }[] = [];
  for (const folder of readdirSync(join(ROOT, 'samples')).sort()) {
    if (folder.includes('.') || ['broken', 'pass-through', 'header-and-lines'].includes(folder)) continue;
    const id = /mapping: (\S+)/.exec(readFileSync(join(ROOT, 'samples', folder, 'sample.yaml'), 'utf8'))![1]!;
    const { mapping } = loadMapping(
      readFileSync(join(ROOT, `mappings/${id}.yaml`), 'utf8'),
      `mappings/${id}.yaml`,
      WORLD,
    );
    sources.push({ mapping: mapping!, seeds: filesIn(`samples/${folder}/input`, /./) });
  }
  const run = async (bytes: Buffer) => {
    const { mapping } = sources[(bytes[0] ?? 0) % sources.length]!;
    const first = await converted(mapping, bytes.subarray(1), 1 << 20);
    const again = await converted(mapping, bytes.subarray(1), 100);
    must(isDeepStrictEqual(first, again), 'the same documents in chunks of any size');
  };
  const seeds = sources.flatMap(({ seeds }, n) => seeds.map((seed) => Buffer.concat([Buffer.of(n), seed])));
  return { name: 'convert', seeds, words: [...csv.words, '-', '1', '0', '31/02/2026', '1,5', 'x'], run };
}

async function converted(mapping: Mapping, bytes: Buffer, chunk: number): Promise<unknown> {
  const documents: unknown[] = [];
  const rows = new Set<number>();
  try {
    for await (const { outcomes } of convert({
      bytes: chunksOf(bytes, chunk),
      file: 'a.txt',
      mapping,
      reader: READERS.find(({ format }) => format === mapping.source.format)!,
      kind: DOCUMENT_KINDS.find(({ name }) => name === mapping.target)!,
      facts: { today: '2026-10-02', file: { name: 'a.txt', base64: () => '' } },
    })) {
      for (const outcome of outcomes) {
        if ('faults' in outcome) goodFaults(outcome.faults);
        if (!('document' in outcome)) {
          must(outcome.faults.length > 0, 'a reason');
          documents.push(outcome.faults);
          continue;
        }
        const content = outcome.document.content.toString();
        must(
          !/\bnull\b|undefined|NaN|\[object/.test(content.replace(/"(?:[^"\\]|\\.)*"/g, '')),
          'no holes in a document',
        );
        for (const row of outcome.document.rows) {
          must(!rows.has(row), 'each row in one document');
          rows.add(row);
        }
        documents.push(content);
      }
    }
  } catch (error) {
    if (error instanceof ReappearedKeysError) return 'keys came back';
    if (!(error instanceof UnreadableFileError)) throw error;
    goodFaults(error.faults);
    return 'refused';
  }
  return documents;
}

const DOC = '01a1fc15-2574-7000-87d5-0a7dd07d2a64/1';

/** Every row of a source as a correction file, and back: the same cells in one of the readings. */
const correction: Target = {
  name: 'correction',
  seeds: [
    ...csv.seeds,
    ...texts(
      `\0N;V;_doc;_row;_error\nA;1;${DOC};2;x\n`,
      `\0"N"\t"_doc"\t"_row"\t"_error"\r\n"A"\t"${DOC}"\t"2"\t""\r\n`,
    ),
  ],
  words: [...csv.words, '_doc', '_row', '_error', DOC, '=1+1', "'"],
  run: async (bytes) => {
    const options = csvReader.options.parse(HEADED[(bytes[0] ?? 0) % 4]!) as { readonly quote: string };
    const content = bytes.subarray(1);
    isCorrectionCsv(content);
    readCorrectionCsv(content, { encoding: 'cp850', quote: options.quote });
    const source = await readAll(csvReader, content, options);
    const names = source.table?.columns ?? [];
    if (source.refused.length > 0 || source.rows.some(({ broken }) => broken) || source.rows.length === 0) return;
    if (new Set(names).size < names.length || names.some((name) => name === '' || name.startsWith('_'))) return;
    const pieces: Buffer[] = [];
    const at = (row: number) => ({ doc: DOC, row, error: 'x;"y"' });
    const given = { file: 'a.csv', reader: csvReader, options, failed: { at }, overlay: new Map() };
    for await (const piece of writeCorrectionCsv({ bytes: chunksOf(content, 9), ...given })) pieces.push(piece);
    const sheets = readCorrectionCsv(Buffer.concat(pieces), {
      encoding: source.encoding ?? 'utf-8',
      quote: options.quote,
    });
    const wanted = source.rows.map(({ row, cells }) => [String(row), ...cells].join('\0'));
    const read = sheets.map(({ columns, rows }) =>
      rows.map(({ row, cells }) => [row, ...names.map((name) => cells[columns.get(name) ?? -1] ?? '')].join('\0')),
    );
    must(
      read.some((lines) => wanted.every((line) => lines.includes(line))),
      'the same cells in a correction file',
    );
  },
};

export const TARGETS: readonly Target[] = [
  csv,
  xlsx,
  xml,
  fixed,
  mapping,
  yaml,
  formula,
  values,
  answer,
  inference,
  correction,
  conversion(),
];
