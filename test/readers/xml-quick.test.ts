/** The quick reading of XML against saxes alone: the same events, rows, places and faults, however the bytes are cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fault } from '../../src/model/fault.ts';
import type { Row } from '../../src/model/row.ts';
import { UnreadableFileError } from '../../src/readers/reader.ts';
import type { Tag } from '../../src/readers/xml/xml-events.ts';
import { createXmlFastParser } from '../../src/readers/xml/xml-fast-parser.ts';
import { compileXmlSource, xmlOptions } from '../../src/readers/xml/xml-options.ts';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { createElementWalk } from '../../src/readers/xml/xml-rows.ts';
import { createXmlStrictParser } from '../../src/readers/xml/xml-strict-parser.ts';
import { runs } from '../seed.ts';
import { chunksOf } from './make.ts';

type Read = { readonly rows: readonly Row[]; readonly faults: readonly Fault[] };

const FILE = 'a.xml';
const SOURCE = {
  namespaces: { default: 'urn:d', p: 'urn:p' },
  document: '/r/d',
  row: 'l',
  columns: { k: '../@k', pk: '../@p:k', h: '/r/h', n: '../p:n', v: '@v', own: '.', q: 'q' },
  'rows-optional': true,
};
/** What saxes says of a file from which the quick reader never takes anything. */
const START = { line: 1, column: 0, before: '', depth: 0 };

function faultsOf(error: unknown): readonly Fault[] {
  if (!(error instanceof UnreadableFileError)) throw error;
  return error.faults;
}

function bySaxes(bytes: Buffer): Read {
  const elements = createElementWalk(FILE, compileXmlSource(xmlOptions.parse(SOURCE)) as never, { rowsOptional: true });
  const strict = createXmlStrictParser(FILE, elements, START);
  let failure = strict.write(bytes.toString().replace(/^\ufeff/, '')) ?? strict.end();
  try {
    if (!failure) elements.finish();
  } catch (error) {
    failure = error as UnreadableFileError;
  }
  return { rows: elements.drain().rows, faults: failure ? faultsOf(failure) : [] };
}

async function byReader(bytes: Buffer, size: number): Promise<Read> {
  const rows: Row[] = [];
  try {
    const options = { file: FILE, source: SOURCE, chunkBytes: size };
    for await (const batch of xmlReader.read(chunksOf(bytes, size), options)) rows.push(...batch.rows);
  } catch (error) {
    return { rows, faults: faultsOf(error) };
  }
  return { rows, faults: [] };
}

/** Rows refer to each other's elements: compared by what they say. */
function shown({ rows, faults }: Read) {
  return { rows: rows.map(({ spot: _, ...row }) => row), faults: faults.map(plain) };
}

/** Without what depends on how much was read: saxes notices text outside of the root element late, more or less is quoted. */
function plain({ code, message, hint, origin }: Fault) {
  const outside = message.includes('text outside the root element');
  return {
    code,
    hint,
    ...(outside ? {} : { message: message.replace(/(?<=&).*(?=" contains an & that is not escaped)/, ''), origin }),
  };
}

const NAMES = ['r', 'd', 'l', 'q', 'h', 'p:n', 'p:n', 'x', 'a.b-c', 'è:n', 'é', 'n1'];
const TEXTS = [
  'a',
  ' ',
  '\n  ',
  '\r\n',
  '\r',
  '\t',
  'é’',
  '😀',
  ']',
  ']]',
  '>',
  '"',
  "'",
  '&amp;',
  '&lt;x',
  '&#233;',
  '&#x1F600;',
  '&#10;',
];
const OTHERS = ['<![CDATA[<x>&]]]>', '<![CDATA[]]>', '<!-- - <x> -->', '<?go on?>', '<!---->'];
const ATTRIBUTES = [
  'k="1"',
  "v='>'",
  'p:k="&quot;2"',
  'è:k="3"',
  'xmlns:è="urn:d"',
  'v="a\tb\nc"',
  'xml:lang="fr"',
  'xmlns:z="urn:z"',
  'z="é"',
  "x = '😀'",
];

const text = fc.array(fc.constantFrom(...TEXTS), { maxLength: 4 }).map((some) => some.join(''));
const attributes = fc.uniqueArray(fc.constantFrom(...ATTRIBUTES), {
  maxLength: 3,
  selector: (attribute) => attribute.replace(/\s*=.*/s, ''),
});
const space = fc.constantFrom('', '', '', ' ', '\n');
type Made = { readonly start: string; readonly name: string; readonly end: string; readonly inside: readonly string[] };
const written = ({ start, name, end, inside }: Made): string =>
  inside.length === 0 && end === '' ? `<${name}${start}/>` : `<${name}${start}>${inside.join('')}</${name}${end}>`;
const start = fc.tuple(attributes, space).map(([some, blank]) => some.map((one) => ` ${one}`).join('') + blank);
const leaf = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.constantFrom(...OTHERS) });
const element = (name: fc.Arbitrary<string>, inside: fc.Arbitrary<string>, maxLength: number) =>
  fc.record({ start, name, end: space, inside: fc.array(inside, { maxLength }) }).map(written);
const small = element(fc.constantFrom(...NAMES), leaf, 3);
const line = element(fc.constantFrom('l', 'l', 'q', 'p:n'), fc.oneof(leaf, small), 3);
const document = element(fc.constantFrom('d', 'd', 'd', 'h', 'x'), fc.oneof(leaf, line, line), 4);
const declared = ' xmlns="urn:d" xmlns:p="urn:p" xmlns:è="urn:p"';
const regular = fc
  .tuple(
    fc.constantFrom(
      '',
      '<?xml version="1.0"?>',
      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<!-- x -->\n",
    ),
    fc.array(fc.oneof(leaf, document, document), { maxLength: 5 }),
    fc.constantFrom('', '\n', '<!-- end -->', '<?go?>\n'),
  )
  .map(([head, inside, tail]) => `${head}<r${declared}>${inside.join('')}</r>${tail}`);

const WRECKAGE = [
  '<',
  '>',
  '/',
  '&',
  '&x;',
  '&#0;',
  '&#x110000;',
  ']]>',
  '"',
  "'",
  '=',
  ' ',
  '\0',
  '\x01',
  '\ufffe',
  '<a',
  '</d>',
  '<d>',
  '<!',
  '--',
  '<!DOCTYPE r>',
  '<?xml version="1.0"?>',
  ' k=""',
  ' xmlns:p=""',
  'p:',
  'q:',
  'xmlns:',
  '-',
  ':',
  '\ufeff',
  '<![CDATA[',
];
const mutation = fc.record({ at: fc.nat(), cut: fc.nat(3), put: fc.constantFrom('', ...WRECKAGE) });
const broken = fc.tuple(regular, fc.array(mutation, { minLength: 1, maxLength: 2 })).map(([whole, mutations]) =>
  mutations.reduce((all, { at, cut, put }) => {
    const from = at % (all.length + 1);
    return all.slice(0, from) + put + all.slice(from + cut);
  }, whole),
);
const size = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(1 << 16));

async function compare(given: string, chunk: number): Promise<void> {
  const bytes = Buffer.from(given);
  // Settled before any parser sees the file.
  if (bytes.length === 0 || bytes.includes(0) || /encoding=(?!'UTF-8')/.test(given)) return;
  if (/^\ufeff?\s*[^\s<]/.test(given)) return;
  expect(shown(await byReader(bytes, chunk))).toEqual(shown(bySaxes(bytes)));
}

test('rows are those of saxes where everything is regular', async () => {
  await fc.assert(fc.asyncProperty(regular, size, compare), { numRuns: runs(300) });
});

const TEXT_OUTSIDE = '<?xml version="1.0"?><r xmlns="urn:d"><d k="3"/></r> k=""<?go?>\n';

test('rows and faults are those of saxes where something is broken', async () => {
  await fc.assert(fc.asyncProperty(broken, size, compare), { numRuns: runs(1500), examples: [[TEXT_OUTSIDE, 1]] });
});

test.each(['\ufffe', '\uffff', '\ufffd', '\ufb01', '\uf8ff', 'é\ufffe'])(
  'what is no character is refused anywhere: %j',
  async (sign) => {
    for (const put of [
      sign,
      `<![CDATA[${sign}]]>`,
      `<!--${sign}-->`,
      `<?a ${sign}?>`,
      `<q>${sign}</q>`,
      `<q a="${sign}"/>`,
    ]) {
      const file = `<r xmlns="urn:d"><d k="1"><l v="x">${put}</l><l v="${sign}"/></d></r>`;
      for (const chunk of [7, 1 << 16]) await compare(file, chunk);
      expect((await byReader(Buffer.from(file), 1 << 16)).faults).toHaveLength(/[\ufffe\uffff]/.test(sign) ? 1 : 0);
    }
  },
);

test('a regular file needs no strict parser before its end', () => {
  const told: string[] = [];
  const quick = createXmlFastParser({
    open: ({ name, attributes }, line) => {
      const shown = attributes.map((one) => `${one.uri}|${one.local}=${one.value}`);
      told.push(`<${name.uri}|${name.local}> on ${line} ${shown.join()}`);
      return true;
    },
    text: (more) => void told.push(more),
    listens: () => true,
    close: () => void told.push('/'),
  });
  const file = `<?xml version="1.0" encoding="UTF-8"?>\r\n<?style a?><!-- é -->\n<r xmlns="urn:d" xmlns:é='urn:e'>
<é:b xml:lang='f"r' é:x=" &lt;\t'é " >é&amp;<![CDATA[<]]]>&#x20ac;<!-- > --></é:b\t>`;
  expect(quick.take(Buffer.from(`${file}<c a="`))).toBe(true);
  expect(told).toEqual([
    '<urn:d|r> on 3 http://www.w3.org/2000/xmlns/|xmlns=urn:d,http://www.w3.org/2000/xmlns/|é=urn:e',
    '\n',
    `<urn:e|b> on 4 http://www.w3.org/XML/1998/namespace|lang=f"r,urn:e|x= < 'é `,
    'é&<]€',
    '/',
  ]);
  const column = [...file].length - file.lastIndexOf('\n') - 1;
  expect(quick.rest()).toEqual({
    text: '<c a="',
    line: 4,
    column,
    before: `<r xmlns="urn:d" xmlns:é="urn:e">`,
    depth: 1,
  });
  expect(quick.take(Buffer.from('"/></r>'))).toBe(false);
  expect(quick.rest()).toMatchObject({ text: '', before: '<over/>', depth: 0 });
});

test('names that look alike are kept apart', () => {
  const names = Array.from({ length: 2000 }, (_, n) => `a${n}`);
  const told: string[] = [];
  const open = ({ name }: Tag) => told.push(name.local) > 0;
  const quick = createXmlFastParser({ open, text: () => {}, listens: () => true, close: () => {} });
  quick.take(Buffer.from(`<r>${[...names, ...names].map((name) => `<${name}/>`).join('')}`));
  expect(told).toEqual(['r', ...names, ...names]);
});

test('what stands where another name was expected has its own name and namespace', () => {
  const [d, e] = ['urn:d', 'urn:e'];
  const tags = [
    ['<a/>', d, 'a'],
    ['<b/>', d, 'b'],
    ['<a/>', d, 'a'],
    ['<bc/>', d, 'bc'],
    ['<a/>', d, 'a'],
    ['<b xmlns="urn:e"/>', e, 'b'],
    ['<a/>', d, 'a'],
    ['<b x="1"/>', d, 'b'],
    ['<a xmlns="urn:e">', e, 'a'],
    ['<b/>', e, 'b'],
    ['<a/></a>', e, 'a'],
    ['<b/>', d, 'b'],
    ['<a/>', d, 'a'],
    ['<b\n/>', d, 'b'],
  ] as const;
  const file = Buffer.from(`<r xmlns="urn:d">${[...tags, ...tags].map(([tag]) => tag).join('\n')}`);
  for (let size = 1; size < 30; size++) {
    const told: string[] = [];
    const open = ({ name }: Tag) => told.push(`${name.uri} ${name.local}`) > 0;
    const quick = createXmlFastParser({ open, text: () => {}, listens: () => true, close: () => {} });
    for (let at = 0; at < file.length; at += size) quick.take(file.subarray(at, at + size));
    expect(told).toEqual(['urn:d r', ...[...tags, ...tags].map(([, uri, local]) => `${uri} ${local}`)]);
  }
});

test.each([
  ['another version', '<?xml version="1.1"?><r>'],
  ['a DOCTYPE', '<!DOCTYPE r><r>'],
  ['a name with letters beyond the Latin ones', '<r><\u0439>'],
  ['markup longer than 64 KiB', `<r><a b="${'x'.repeat(70_000)}`],
  ['a namespace that is none', '<r xmlns:a=" ">'],
  ['the prefix xml for something else', '<r xmlns:xml="urn:x">'],
  ['another prefix for the namespace of xml', '<r xmlns:x="http://www.w3.org/XML/1998/namespace">'],
  ['too many names', `<r>${Array.from({ length: 10_001 }, (_, n) => `<a${n}/>`).join('')}`],
  ['too many namespaces', `<r>${Array.from({ length: 10_001 }, (_, n) => `<a xmlns="urn:${n}"/>`).join('')}`],
])('%s is left to the strict parser', (_, file) => {
  const quick = createXmlFastParser({ open: () => true, text: () => {}, listens: () => true, close: () => {} });
  expect(quick.take(Buffer.from(file))).toBe(false);
});
