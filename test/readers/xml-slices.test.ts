/** Cut at any place of the stream, the slices are the same, and no character of them is lost. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { createXmlSlicer, type XmlSlice } from '../../src/readers/xml/xml-slicer.ts';
import { readAll } from './make.ts';

const OPTIONS = {
  namespaces: { f: 'urn:f' },
  document: '/f:Root/f:Doc',
  row: 'f:L',
  columns: { day: '/f:Root/f:Head/@day', num: '../@num', note: '../f:Note', v: '@v', t: '.' },
};
const FILE =
  '<?xml version="1.0"?>\r\n<!-- 😀 <x> -->\r\n<p:Root xmlns:p="urn:f" a=">">\r\n  <p:Head day="1"/>\n  <p:Other><p:Doc/></p:Other>\n' +
  '  <p:Doc num="A"><p:Note>é 😀 <![CDATA[</p:Doc>]]></p:Note>\r\n<p:L v="1">x</p:L><p:L v=\'>\'/></p:Doc>\n  <!-- between -->\n' +
  '  <p:Doc\nnum="B" ><p:Note/>\r<p:L v="3">&lt;y&gt;</p:L></p:Doc><p:Doc num="C"><p:Note/><p:L v="4"/></p:Doc>\n</p:Root>\n';

function slices(text: string, size: number): readonly XmlSlice[] {
  const slicer = createXmlSlicer('x.xml', xmlReader.options.parse(OPTIONS));
  const found: XmlSlice[] = [];
  for (let at = 0; at < text.length; at += size) found.push(...slicer.take(text.slice(at, at + size)));
  return [...found, ...slicer.end()];
}

test('units hold their rows under the numbers of the reader', async () => {
  const units = slices(FILE, FILE.length).filter((one) => one.what === 'unit');
  expect(units.map(({ first, rows }) => [first, rows])).toEqual([
    [1, 2],
    [3, 1],
    [4, 1],
  ]);
  expect(units.map(({ text }) => text)).toEqual([
    FILE.slice(FILE.indexOf('<p:Doc num="A">'), FILE.indexOf('\n  <!-- between')),
    FILE.slice(FILE.indexOf('<p:Doc\n'), FILE.indexOf('<p:Doc num="C">')),
    FILE.slice(FILE.indexOf('<p:Doc num="C">'), FILE.indexOf('\n</p:Root>')),
  ]);
  const read = await readAll(xmlReader, FILE, OPTIONS);
  expect(read.rows.map(({ row }) => row)).toEqual([1, 2, 3, 4]);
});

test('what no path reads is left out, the rest is there character for character', () => {
  const all = slices(FILE, 7).map((one) => (one.what === 'unit' ? one.before + one.text : one.text));
  expect(all.join('')).toBe(FILE.replace('\n  <p:Other><p:Doc/></p:Other>', ''));
});

test('the pieces of the stream make no difference', () => {
  const whole = slices(FILE, FILE.length);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (size) => {
      expect(slices(FILE, size)).toEqual(whole);
    }),
  );
});
