/**
 * Small documents that libxml2 (xmllint --nonet) refuses or warns of as not namespace-well-formed, and neighbors that it
 * accepts: each read whole and cut at every byte, because what is refused must not depend on where a piece ends.
 */
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { cellsOf, codesOf, readAll } from './make.ts';

const SOURCE = { row: '/r/a', columns: { v: '.' } };
const BOM = '\ufeff';

async function* pieces(bytes: Buffer, at: number): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, at);
  yield bytes.subarray(at);
}

async function allWays(bytes: Buffer, source: object = SOURCE) {
  const results = [await readAll(xmlReader, bytes, source)];
  for (let at = 1; at < bytes.length; at++) results.push(await readAll(xmlReader, pieces(bytes, at), source));
  return results;
}

test.each([
  ['version 1.1', '<?xml version="1.1"?><r><a>&#7;</a></r>', 'xml/unknown-version'],
  [
    'version 1.1 without such a character',
    "<?xml version='1.1' encoding='UTF-8'?><r><a>x</a></r>",
    'xml/unknown-version',
  ],
  ['version 1.5', '<?xml version="1.5"?><r><a>x</a></r>', 'xml/unknown-version'],
  ['version 1.9', '<?xml version="1.9" standalone="yes"?><r><a>x</a></r>', 'xml/unknown-version'],
  ['a control character in 1.0', '<?xml version="1.0"?><r><a>&#7;</a></r>', 'xml/not-well-formed'],
  ['a prefix that is a number', '<r xmlns:0="u"><a>x</a></r>', 'xml/not-well-formed'],
  ['a prefix that begins with a hyphen', '<r xmlns:-b="u"><a>x</a></r>', 'xml/not-well-formed'],
  ['an element whose name is a number', '<r xmlns:b="u"><b:8>x</b:8><a>x</a></r>', 'xml/not-well-formed'],
  ['an empty element so named', '<r xmlns:b="u"><b:.x/><a>x</a></r>', 'xml/not-well-formed'],
  ['an attribute so named', '<r xmlns:b="u"><a b:-c="1">x</a></r>', 'xml/not-well-formed'],
  ['a question mark in a target', '<r><?p?x d?><a>x</a></r>', 'xml/not-well-formed'],
  ['the same before the root', '<?xm?xml-stylesheet href="u"?><r><a>x</a></r>', 'xml/not-well-formed'],
  ['the same behind the root', '<r><a>x</a></r><?p?x?>', 'xml/not-well-formed'],
  ['two byte order marks', `${BOM}${BOM}<r><a>x</a></r>`, 'xml/not-well-formed'],
  ['two byte order marks and a declaration', `${BOM}${BOM}<?xml version="1.0"?><r><a>x</a></r>`, 'xml/not-well-formed'],
  ['a default namespace with a line end', '<r xmlns="w\n"><a>x</a></r>', 'xml/not-well-formed'],
  ['a prefixed one with a blank', '<r xmlns:b=" w"><a>x</a></r>', 'xml/not-well-formed'],
])('what libxml2 refuses is refused, whichever way it is cut: %s', async (_, text, code) => {
  const results = await allWays(Buffer.from(text));
  expect([...new Set(results.map((result) => codesOf(result).join()))]).toEqual([code]);
});

test.each([
  ['one byte order mark', `${BOM}<r><a>x</a></r>`],
  ['a target with a body', '<?p ?x d?><r><a>x</a></r>'],
  ['a target without one', '<?p?><r><a>x</a></r>'],
  ['question marks in a body', '<r><?p a??b ? c??><a>x</a></r>'],
  ['what looks like one inside', '<r><!-- <?p?x d?> --><a>x</a></r>'],
  ['names with digits, hyphens and dots', '<r xmlns:b1.c-d="u"><b1.c-d:e-1.f/><a b1.c-d:g="1">x</a></r>'],
  ['letters beyond Latin', '<r xmlns:\u0436="u"><\u0436:\u4e2d/><a>x</a></r>'],
  ['a namespace with a blank inside', '<r xmlns:b="u v"><a>x</a></r>'],
  ['version 1.0', "<?xml version='1.0'?><r><a>x</a></r>"],
])('what libxml2 accepts stays accepted: %s', async (_, text) => {
  for (const result of await allWays(Buffer.from(text))) {
    expect(codesOf(result)).toEqual([]);
    expect(cellsOf(result)).toEqual([['x']]);
  }
});

test.each(['shift_jis', 'gb18030', 'big5', 'euc-kr'])(
  '%s: a byte that is a control character elsewhere is refused',
  async (encoding) => {
    const head = `<?xml version="1.0" encoding="${encoding}"?><r><a>`;
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from([0x80]), Buffer.from('</a></r>')]);
    const whole = iconv.encode(`${head}\u4e2d</a></r>`, encoding);
    const source = { ...SOURCE, encoding };
    const decoded = iconv.decode(Buffer.from([0x80]), encoding);
    const isLetter = !/[\ufffd\u0080-\u009f]/.test(decoded);
    expect(codesOf(await readAll(xmlReader, bytes, source))).toEqual(isLetter ? [] : ['text/undecodable']);
    expect(codesOf(await readAll(xmlReader, whole, source))).toEqual([]);
  },
);
