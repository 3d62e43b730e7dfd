import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { readerContract } from '../contracts/reader.ts';
import { runs } from '../seed.ts';
import { cellsOf, codesOf, readAll } from './make.ts';

const read = (content: string | Uint8Array | AsyncIterable<Uint8Array>, source: object = plain, chunk?: number) =>
  readAll(xmlReader, content, source, chunk === undefined ? {} : { chunk });

/** The simplest shape: one row per element, its own text. */
const plain = { row: '/r/a', columns: { v: '.' } };
const value = async (inside: string) => cellsOf(await read(`<r><a>${inside}</a></r>`))[0]?.[0];

const invoices = `<?xml version="1.0" encoding="UTF-8"?>
<!-- export -->
<Export date="2026-09-05"><Header><Company>É &amp; Cie 😀</Company></Header>
<Invoice numero="F1"><Date>d1</Date>
  <Lines><Line
 n="1"><Art>a</Art><Qty>1</Qty></Line><Line n="2"><Art><![CDATA[<b>&]]></Art></Line></Lines>
  <Total>12</Total></Invoice>
<Invoice numero="F2"><Lines><Line n="1"><Art/><Qty>&#233;&#x20AC;</Qty></Line></Lines><Total>7</Total></Invoice>
</Export>
`;
const invoiceSource = {
  document: '/Export/Invoice',
  row: 'Lines/Line',
  columns: {
    No: '../../@numero',
    Company: '/Export/Header/Company',
    Day: '/Export/@date',
    Date: '../../Date',
    Total: '../../Total',
    N: '@n',
    Art: 'Art',
    Qty: 'Qty',
  },
};

readerContract({
  reader: xmlReader,
  source: invoiceSource,
  good: Buffer.from(invoices.trimEnd()),
  rows: 3,
  refused: [
    '<Export><Invoice></Export>',
    '<Export/><Export/>',
    '<!DOCTYPE Export><Export/>',
    '<Import/>',
    '<Export><Bill/></Export>',
    'A;B\n1;2\n',
  ].map((text) => Buffer.from(text)),
  noticesCuts: true,
});

describe('rows and columns', () => {
  it('gives each line the values of its ancestors, later siblings of them included', async () => {
    const outcome = await read(invoices, invoiceSource);
    const company = 'É & Cie 😀';
    expect(outcome.rows.map(({ cells, row, line }) => ({ cells, row, line }))).toEqual([
      { cells: ['F1', company, '2026-09-05', 'd1', '12', '1', 'a', '1'], row: 1, line: 5 },
      { cells: ['F1', company, '2026-09-05', 'd1', '12', '2', '<b>&', ''], row: 2, line: 6 },
      { cells: ['F2', company, '2026-09-05', '', '7', '1', '', 'é€'], row: 3, line: 8 },
    ]);
    expect(outcome.table?.places).toEqual([
      '/Export/Invoice/@numero',
      '/Export/Header/Company',
      '/Export/@date',
      '/Export/Invoice/Date',
      '/Export/Invoice/Total',
      '/Export/Invoice/Lines/Line/@n',
      '/Export/Invoice/Lines/Line/Art',
      '/Export/Invoice/Lines/Line/Qty',
    ]);
    expect(outcome).toMatchObject({ encoding: 'utf-8', leftOut: [], refused: [] });
  });

  it('needs no document path: the highest element that a ../ column reads from holds the rows', async () => {
    const { document: _, ...rest } = invoiceSource;
    const outcome = await read(invoices, { ...rest, row: '/Export/Invoice/Lines/Line' }, 1);
    expect(cellsOf(outcome)).toEqual(cellsOf(await read(invoices, invoiceSource)));
  });

  it('chooses segments by an attribute, as IDocs need it', async () => {
    const file = `<I><D q="x"><Q v="001"><n>11</n></Q><Q v="002"><n>22</n></Q><Q v='003'/></D></I>`;
    const columns = { one: "Q[@v='001']/n", two: 'Q[ @v = "002" ]/n', three: "Q[@v='003']/n", none: "Q[@v='9']/n" };
    expect(cellsOf(await read(file, { row: '/I/D', columns }))).toEqual([['11', '22', '', '']]);
  });

  it('reads a plain and a chosen path over the same element', async () => {
    const columns = { all: 'Q/n', one: "Q[@v='1']/n", own: "Q[@v='1']" };
    expect(
      cellsOf(await read(`<I><D><Q v="1">t</Q></D></I>`, { row: '/I/D', columns: { a: 'Q', b: "Q[@v='1']" } })),
    ).toEqual([['t', 't']]);
    expect(cellsOf(await read(`<I><D><Q v="1"><n>5</n></Q></D></I>`, { row: '/I/D', columns }))).toEqual([
      ['5', '5', ''],
    ]);
  });

  it('chooses segments by a child element, at any place among the others', async () => {
    const file = `<I><D><A><P>RE</P><N>first</N></A><A><N z="1">second</N><P>
      RS </P></A><A><P>AG</P><N>a<b/></N></A><A><N>nobody</N></A><L>x</L><L>y</L></D></I>`;
    const columns = {
      re: "../A[P='RE']/N",
      rs: "../A[P='RS']/N",
      z: "../A[P='RS']/N/@z",
      role: "../A[P='RS']/P",
      none: "../A[P='WE']/N",
      own: '.',
    };
    const expected = [
      ['first', 'second', '1', '\n      RS ', '', 'x'],
      ['first', 'second', '1', '\n      RS ', '', 'y'],
    ];
    for (const chunk of [1, 7, 1000]) {
      expect(cellsOf(await read(file, { document: '/I/D', row: 'L', columns }, chunk))).toEqual(expected);
    }
  });

  it('chooses by a child inside what another child chose, separately each time', async () => {
    const file = `<I><D><A><T>1</T><B><T>2</T><v>yes</v></B><B><T>3</T><v>no</v></B></A><A><B><T>2</T><v>no</v></B></A></D>
      <D><A><B><T>2</T><v>late</v></B><T>1</T></A></D><D><A><T>4</T><B><T>2</T><v>no</v></B></A></D></I>`;
    const columns = { v: "A[T='1']/B[T='2']/v" };
    expect(cellsOf(await read(file, { row: '/I/D', columns }))).toEqual([['yes'], ['late'], ['']]);
  });

  it('breaks a row where two segments pass, or the chosen one holds elements', async () => {
    const file = `<I><D><A><T>1</T><v>a</v></A><A><T>1</T><v>b</v></A></D><D><A><v>a<b/></v><T>1</T></A></D>
      <D><A><v>a<b/></v><T>2</T></A></D></I>`;
    const outcome = await read(file, { row: '/I/D', columns: { v: "A[T='1']/v" } });
    expect(outcome.rows.map((row) => row.broken?.code)).toEqual([
      'xml/several-values',
      'xml/elements-inside-value',
      undefined,
    ]);
  });

  it('breaks the rows of an element that has several values in place of one', async () => {
    const file = '<E><I><n>1</n><n>2</n><L><q>5</q></L><L><q>6</q><q>6</q></L></I><I><n>3</n><L><q>7</q></L></I></E>';
    const outcome = await read(file, { row: '/E/I/L', columns: { n: '../n', q: 'q' } });
    expect(outcome.rows.map((row) => row.broken?.code)).toEqual([
      'xml/several-values',
      'xml/several-values',
      undefined,
    ]);
    expect(outcome.rows.map((row) => row.broken?.origin?.column)).toEqual(['/E/I/n', '/E/I/L/q', undefined]);
    expect(outcome.rows[1]?.cells).toEqual(['1', '6']);
  });

  it('breaks a row whose value is an element with elements inside', async () => {
    const outcome = await read('<r><a><d>text <b>bold</b></d></a><a><d>t</d></a></r>', {
      row: '/r/a',
      columns: { d: 'd' },
    });
    expect(outcome.rows.map((row) => row.broken?.code)).toEqual(['xml/elements-inside-value', undefined]);
    expect(cellsOf(await read('<r><a>x<b/>y</a></r>'))).toEqual([['xy']]);
  });

  it('never loses a document without rows', async () => {
    const file = '<E><I no="1"/><I no="2"><L>x</L></I></E>';
    const source = { row: '/E/I/L', columns: { no: '../@no', v: '.' } };
    const outcome = await read(file, source);
    expect(codesOf(outcome)).toEqual(['xml/document-without-rows']);
    expect(outcome.rows.find(({ broken }) => broken)).toMatchObject({ readable: true });
    expect(cellsOf(outcome)).toEqual([
      ['1', ''],
      ['2', 'x'],
    ]);
    expect(codesOf(await read(file, { ...source, 'rows-optional': true }))).toEqual([]);
    expect(outcome.rows.map((row) => row.row)).toEqual([1, 2]);
  });

  it('keeps the values between a document and the rows that it does not have, where no other element could have them', async () => {
    const columns = { no: '../../@no', h: '../h', n: '../part/@n', v: '@v' };
    const source = { document: '/E/I', row: 'M/L', columns, 'rows-optional': true };
    const lonely = '<I no="1"><M><h>a</h><part n="2"/></M></I>';
    const of = async (file: string, options: object = source) => cellsOf(await read(`<E>${file}</E>`, options));
    expect(await of(`${lonely}<I no="2"><M><h>b</h><L v="x"/></M></I>${lonely}`)).toEqual([
      ['1', 'a', '2', ''],
      ['2', 'b', '', 'x'],
      ['1', 'a', '2', ''],
    ]);
    expect(await of('<I no="1"><M><h>a</h></M><M><h>b</h></M></I>')).toEqual([['1', '', '', '']]);
    expect(await of('<I no="1"><M><h>a</h></M><M><h>b</h><L v="x"/></M></I>')).toEqual([['1', 'b', '', 'x']]);
    const refused = await read(`<E>${lonely}</E>`, { ...source, 'rows-optional': false });
    expect([cellsOf(refused), codesOf(refused)]).toEqual([[['1', 'a', '2', '']], ['xml/document-without-rows']]);
  });

  it('keeps a document without rows in its order while its file header is still to come', async () => {
    const file = '<E><I no="1"/><I no="2"><L>x</L></I><h>late</h></E>';
    const source = { row: '/E/I/L', columns: { no: '../@no', h: '../../h' }, 'rows-optional': true };
    expect(cellsOf(await read(file, source))).toEqual([
      ['1', 'late'],
      ['2', 'late'],
    ]);
  });

  it('refuses a value that comes after rows which needed it', async () => {
    const file = '<E><I><L/></I><h>x</h></E>';
    const source = { document: '/E/I', row: 'L', columns: { h: '/E/h' } };
    expect((await read(file, source)).refused).toMatchObject([{ code: 'xml/value-too-late', origin: { line: 1 } }]);
  });

  it('names elements next to the documents that no path reads', async () => {
    const file = '<E><I><L/><z/></I>\n<CreditNote><L/></CreditNote><CreditNote/></E>';
    const outcome = await read(file, { document: '/E/I', row: 'L', columns: {} });
    expect(outcome.leftOut).toEqual([{ row: 2, rule: 'no path of the mapping reads <CreditNote>, first on line 2' }]);
  });

  it('distinguishes an export without documents from a mapping that finds none', async () => {
    expect(await read('<r/>')).toMatchObject({ rows: [], refused: [], batches: 1 });
    expect((await read('<r><b/></r>')).refused).toMatchObject([{ code: 'xml/no-rows', given: 'b' }]);
    expect((await read('<r><b/></r>', { ...plain, 'rows-optional': true })).refused).toEqual([]);
    expect((await read('<s/>')).refused).toMatchObject([{ code: 'xml/wrong-root', given: 's' }]);
  });

  it.each([
    ['<r xmlns="urn:a"/>', '/r/a', {}, 'Declare `namespaces: { default: "urn:a" }` in the mapping'],
    ['<r xmlns="urn:a"/>', '/x:r/x:a', { x: 'urn:b' }, 'Declare `namespaces: { x: "urn:a" }` in the mapping'],
    ['<r/>', '/r/a', { default: 'urn:b' }, 'Remove `default` from `namespaces` in the mapping'],
    ['<r/>', '/x:r/x:a', { x: 'urn:b' }, 'Write the paths without `x:` in the mapping'],
    ['<s/>', '/r/a', {}, 'The file belongs to another mapping, or the paths need correction'],
  ])('says how to name the namespace of the root: %s as %s', async (file, row, namespaces, hint) => {
    expect((await read(file, { row, columns: {}, namespaces })).refused).toMatchObject([
      { code: 'xml/wrong-root', hint },
    ]);
  });
});

describe('text', () => {
  it('is verbatim: spaces, leading zeros, entities, CDATA, comments and instructions inside', async () => {
    expect(await value(' 007 ')).toBe(' 007 ');
    expect(await value('012345678')).toBe('012345678');
    expect(await value('&lt;&gt;&amp;&quot;&apos;&#233;&#x20AC;&#128512;')).toBe('<>&"\'é€😀');
    expect(await value('a<!-- b -->c<?d e?>f<![CDATA[ ]] <g> ]]>')).toBe('acf ]] <g> ');
    expect(await value('1\r\n2\r3')).toBe('1\n2\n3');
  });

  it('comes back as it was written, in elements and attributes, however it is split', async () => {
    const allowed = fc
      .string({ unit: 'binary', maxLength: 30 })
      .map((text) => text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));
    const escaped = (text: string) => text.replace(/[&<>"\t\n\r]/g, (found) => `&#${found.charCodeAt(0)};`);
    const source = { row: '/r/a', columns: { b: 'b', x: '@x' } };
    await fc.assert(
      fc.asyncProperty(allowed, allowed, fc.integer({ min: 1, max: 9 }), async (text, attribute, chunk) => {
        const file = `<r><a x="${escaped(attribute)}"><b>${escaped(text)}</b></a></r>`;
        expect(cellsOf(await read(file, source, chunk))).toEqual([[text, attribute]]);
      }),
      { numRuns: runs(60) },
    );
  });

  it('keeps names of object properties harmless', async () => {
    const file = '<r><a __proto__="p" constructor="c"><__proto__>x</__proto__><toString>y</toString></a></r>';
    const columns = {
      a: '__proto__',
      b: 'toString',
      c: '@__proto__',
      d: '@constructor',
      e: '@valueOf',
      f: 'hasOwnProperty',
    };
    expect(cellsOf(await read(file, { row: '/r/a', columns }))).toEqual([['x', 'y', 'p', 'c', '', '']]);
    expect(codesOf(await read('<r><a>&constructor;</a></r>'))).toEqual(['xml/not-well-formed']);
    expect(codesOf(await read('<r><a>&toString;</a></r>'))).toEqual(['xml/not-well-formed']);
  });
});

describe('namespaces', () => {
  const ubl =
    '<x:r xmlns:x="urn:x" xmlns="urn:d" xmlns:a="urn:a"><x:a a:n="1" n="2"><c>3</c><d xmlns="">4</d></x:a></x:r>';

  it('resolves prefixes by their namespaces, and names without prefix by default', async () => {
    const source = {
      namespaces: { p: 'urn:x', default: 'urn:d', q: 'urn:a' },
      row: '/p:r/p:a',
      columns: { c: 'c', d: 'd', an: '@q:n', n: '@n' },
    };
    expect(cellsOf(await read(ubl, source))).toEqual([['3', '', '1', '2']]);
    const { default: _, ...namespaces } = source.namespaces;
    expect(cellsOf(await read(ubl, { ...source, namespaces }))).toEqual([['', '4', '1', '2']]);
  });

  it('says which namespace the file uses', async () => {
    const { refused } = await read('<r xmlns="urn:new"><a/></r>');
    expect(refused[0]?.message).toBe(
      'The root element is <r> in namespace "urn:new"; the mapping expects r in no namespace',
    );
    expect(refused[0]?.hint).toContain('namespaces: { default: "urn:new" }');
  });

  it('refuses a prefix without declaration', async () => {
    expect(codesOf(await read('<r><x:a/></r>'))).toEqual(['xml/not-well-formed']);
  });
});

describe('refused files', () => {
  it.each([
    ['two roots', '<r/><r/>'],
    ['text behind the root', '<r/>x'],
    ['a bare &', '<r><a>A & B</a></r>'],
    ['a bare & before a letter', '<r><a>A &B</a></r>'],
    ['an unknown entity', '<r>&eacute;</r>'],
    ['mismatched tags', '<r><a></b></r>'],
    ['a tag left open', '<r><a></r>'],
    ['a tag closed twice', '<r></a></r>'],
    ['an attribute without quotes', '<r a=1/>'],
    ['an attribute twice', '<r a="1" a="2"/>'],
    ['< in an attribute', '<r a="<"/>'],
    ['a control character', '<r>\x01</r>'],
    ['a reference to NUL', '<r>&#0;</r>'],
    ['a reference to a surrogate', '<r>&#xD800;</r>'],
    ['a late declaration', ' <?xml version="1.0"?><r/>'],
    ['no element', '<!-- -->'],
    [']]> in text', '<r>]]></r>'],
    ['-- in a comment', '<r><!-- -- --></r>'],
  ])('%s', async (_, file) => {
    for (const chunk of [1, 1 << 20]) {
      const { refused } = await read(file, plain, chunk);
      expect(refused).toMatchObject([{ code: 'xml/not-well-formed', origin: { line: 1 } }]);
      expect(refused[0]?.message).toMatch(/^Line 1[,:] /);
    }
  });

  it.each([
    '<!DOCTYPE r><r/>',
    '<!DOCTYPE r SYSTEM "http://127.0.0.1/x.dtd"><r/>',
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>',
    '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]><r>&c;</r>',
    '<!DOCTYPE r [<!ENTITY % p SYSTEM "x"> %p;]><r/>',
  ])('a DOCTYPE: %s', async (file) => {
    for (const chunk of [1, 1 << 20]) expect(codesOf(await read(file, plain, chunk))).toEqual(['xml/doctype']);
  });

  it('NUL characters and bytes that are no UTF-8, with their line', async () => {
    expect((await read('<r>\n\0</r>')).refused).toMatchObject([{ code: 'text/nul', origin: { line: 2 } }]);
    const { refused } = await read(Buffer.from('<r>\n\xe9</r>', 'latin1'));
    expect(refused).toMatchObject([{ code: 'text/undecodable', origin: { line: 2 } }]);
  });

  it('a bare & at its place, however far the next semicolon is', async () => {
    const file = `<r><a>1</a>\n<a>Dupont\n& Fils</a>\n${'<a>x</a>\n'.repeat(20_000)}<a>y;</a>\n</r>`;
    for (const text of [file, file.replace(';', '')]) {
      for (const chunk of [100, 1 << 20]) {
        const { refused } = await read(text, plain, chunk);
        expect(refused).toMatchObject([{ code: 'xml/not-well-formed', origin: { line: 3 } }]);
        expect(refused[0]?.message).toBe('Line 3: "& Fils" contains an & that is not escaped');
      }
    }
    const { refused } = await read('<r>\n<a x="A & B">1</a></r>');
    expect(refused[0]?.message).toBe('Line 2: "a x="A & B">1" contains an & that is not escaped');
    const other = await read('<r>\n<a><![CDATA[A & B]]></a>&eacute;</r>');
    expect(other.refused[0]?.message).toContain('the file uses an entity that XML does not define');
    const cut = await read('<r><a>x<![CDATA[A & B');
    expect(cut.refused[0]?.message).toContain('<a> never closes');
  });

  it('gives the documents before the place that is broken', async () => {
    const outcome = await read('<r><a>1</a><a>2</a>&</r>');
    expect(cellsOf(outcome)).toEqual([['1'], ['2']]);
    expect(codesOf(outcome)).toEqual(['xml/not-well-formed']);
  });
});

describe('limits', () => {
  async function* endless(begin: string, piece: string, counted: { bytes: number }) {
    const bytes = Buffer.from(piece.repeat(Math.ceil((64 * 1024) / piece.length)));
    yield Buffer.from(begin);
    for (; counted.bytes < 256 * 1024 * 1024; counted.bytes += bytes.length) yield bytes;
  }

  it.each([
    ['a text', '<r><a>', 'x', 'xml/text-too-long'],
    ['a CDATA section', '<r><a><![CDATA[', 'x', 'xml/text-too-long'],
    ['a comment', '<r><!--', 'x ', 'xml/text-too-long'],
    ['an attribute', '<r a="', 'x', 'xml/text-too-long'],
    ['a name', '<r', 'x', 'xml/text-too-long'],
    ['an instruction', '<?x ', 'x', 'xml/text-too-long'],
    ['a DOCTYPE', '<!DOCTYPE r [', '<!ENTITY a "b">', 'xml/text-too-long'],
    ['attributes', '<r ', 'x="" ', 'xml/text-too-long'],
    ['depth', '<r>', '<a>', 'xml/too-deep'],
  ])('stops early at endless %s', async (_, begin, piece, code) => {
    const counted = { bytes: 0 };
    expect(codesOf(await read(endless(begin, piece, counted)))).toEqual([code]);
    expect(counted.bytes).toBeLessThan((/text|CDATA/.test(_) ? 36 : 4) * 1024 * 1024);
  });

  it('takes an attachment of 20 MiB as one text', async () => {
    const base64 = 'QUJD'.repeat((20 * 1024 * 1024) / 3);
    async function* inChunks() {
      yield Buffer.from('<r><a>');
      for (let at = 0; at < base64.length; at += 64 * 1024) yield Buffer.from(base64.slice(at, at + 64 * 1024));
      yield Buffer.from('</a></r>');
    }
    const outcome = await read(inChunks());
    expect(codesOf(outcome)).toEqual([]);
    expect(cellsOf(outcome)[0]?.[0]?.length).toBe(base64.length);
  });

  it('takes 256 attributes and 64 levels, and one more of neither', async () => {
    const attributes = (n: number) => `<r>${`<a ${Array.from({ length: n }, (_, at) => `x${at}=""`).join(' ')}/>`}</r>`;
    expect(codesOf(await read(attributes(256)))).toEqual([]);
    expect(codesOf(await read(attributes(257)))).toEqual(['xml/too-many-attributes']);
    const deep = (n: number) => `<r>${'<a>'.repeat(n - 1)}${'</a>'.repeat(n - 1)}</r>`;
    expect(codesOf(await read(deep(64)))).toEqual([]);
    expect(codesOf(await read(deep(65)))).toEqual(['xml/too-deep']);
  });

  it('refuses one document without end, but not a file of many', async () => {
    const counted = { bytes: 0 };
    const one = { document: '/r', row: 'a', columns: {} };
    expect(codesOf(await read(endless('<r>', '<a/>', counted), one))).toEqual(['xml/document-too-large']);
  });
});

describe('encoding', () => {
  const file = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><r><a>L’Œuvre 12 €</a></r>`;
  const text = [['L’Œuvre 12 €']];

  it('follows the declaration, split anywhere', async () => {
    const bytes = iconv.encode(file('windows-1252'), 'windows-1252');
    for (const chunk of [1, 10, 1 << 20]) {
      const outcome = await read(bytes, plain, chunk);
      expect(cellsOf(outcome)).toEqual(text);
      expect(outcome.encoding).toBe('windows-1252');
    }
    expect(cellsOf(await read(iconv.encode(file('ISO-8859-15').replace('’', "'"), 'iso-8859-15')))).toEqual([
      ["L'Œuvre 12 €"],
    ]);
  });

  it.each(['utf-16le', 'utf-16be'] as const)('reads %s with and without byte order mark', async (encoding) => {
    for (const addBOM of [true, false]) {
      for (const chunk of [1, 7, 1 << 20]) {
        const outcome = await read(iconv.encode(file('UTF-16'), encoding, { addBOM }), plain, chunk);
        expect(cellsOf(outcome)).toEqual(text);
        expect(outcome.encoding).toBe(encoding);
      }
    }
  });

  it('takes the setting where nothing is declared', async () => {
    const bytes = iconv.encode('<r><a>é</a></r>', 'cp850');
    expect(cellsOf(await read(bytes, { ...plain, encoding: 'cp850' }))).toEqual([['é']]);
  });

  it.each([
    ['a mark against the declaration', Buffer.from(`\ufeff${file('ISO-8859-1')}`), 'auto'],
    ['UTF-16 declared in eight bits', Buffer.from(file('UTF-16')), 'auto'],
    ['UTF-16 written, UTF-8 declared', iconv.encode(file('UTF-8'), 'utf-16le', { addBOM: true }), 'auto'],
    ['the declaration against the setting', Buffer.from(file('UTF-8')), 'windows-1252'],
    ['a mark against the setting', Buffer.from('\ufeff<r/>'), 'windows-1252'],
  ])('refuses %s', async (_, bytes, encoding) => {
    expect(codesOf(await read(bytes, { ...plain, encoding }))).toEqual(['xml/encoding-conflict']);
  });

  it('refuses a file that declares another page than it is in', async () => {
    const declared = '<?xml version="1.0" encoding="windows-1252"?>\n<r><a>Société Lac</a></r>';
    const hint = expect.stringContaining('make the ERP declare the encoding that it writes');
    const inDos = await read(iconv.encode(declared, 'cp850'));
    expect(inDos.refused).toMatchObject([{ code: 'text/other-page', hint }]);
    const inUtf8 = await read(Buffer.from(declared));
    expect(inUtf8.refused).toMatchObject([{ code: 'text/is-utf-8', hint }]);
    const undeclared = await read(iconv.encode('<r><a>Société Lac</a></r>', 'cp850'), {
      ...plain,
      encoding: 'windows-1252',
    });
    expect(undeclared.refused).toMatchObject([{ hint: expect.stringContaining('`encoding: cp850` in the mapping') }]);
  });

  it('refuses an unknown encoding', async () => {
    expect(codesOf(await read('<?xml version="1.0" encoding="EBCDIC-X"?><r/>'))).toEqual(['xml/unknown-encoding']);
  });

  it('lets the setting say Windows-1252 where ISO-8859-1 is declared, and asks for it', async () => {
    const bytes = iconv.encode(file('ISO-8859-1'), 'windows-1252');
    const { refused } = await read(bytes);
    expect(refused).toMatchObject([{ code: 'text/undecodable' }]);
    expect(refused[0]?.hint).toContain('in windows-1252 this byte is "’"');
    expect(cellsOf(await read(bytes, { ...plain, encoding: 'windows-1252' }))).toEqual(text);
  });
});

describe('settings', () => {
  it.each([
    [{ row: 'a', columns: {} }, 'row'],
    [{ document: 'r', row: 'a', columns: {} }, 'document'],
    [{ document: '/r/b', row: '/r/a', columns: {} }, 'row'],
    [{ row: "/r/a[@x='1']", columns: {} }, 'row'],
    [{ row: '/r/a', columns: { v: '/s/x' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: '../../x' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: 'a//b' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: 'a/' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: '' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: '@a/b' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: 'a/../b' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: 'p:a' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: 'a[b]' } }, 'columns.v'],
    [{ row: '/r/a', columns: { v: "a[n:b='1']" } }, 'columns.v'],
    [{ row: "/r/a[b='1']", columns: {} }, 'row'],
  ])('refuses %j', (source, path) => {
    const issues = xmlReader.options.safeParse(source).error?.issues;
    expect(issues?.map((issue) => issue.path.join('.'))).toEqual([path]);
  });
});
