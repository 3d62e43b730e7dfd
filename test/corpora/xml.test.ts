/** The W3C XML conformance suite through the reader of exports. */
import { describe, expect, it } from 'vitest';
import { xmlReader } from '../../src/readers/xml/xml-reader.ts';
import { cellsOf, codesOf, readAll } from '../readers/make.ts';
import { type Element, elementsOf } from './xml-oracle.ts';
import { type XmlCase, xmlCases } from './xml-suite.ts';

const cases = xmlCases();
const notWellFormed = cases.filter(({ type, doctype }) => type === 'not-wf' && !doctype);
/**
 * Nothing in the suite is `valid` without a DOCTYPE: `invalid` ones are well-formed and lack only the DTD. Left aside are
 * those whose paths mean nothing in a mapping: a prefix declared twice, and names of musical signs.
 */
const wellFormed = cases
  .filter(({ type, doctype, namespaces }) => type === 'invalid' && !doctype && namespaces)
  .map(({ id, bytes }) => ({ id, bytes, elements: elementsOf(bytes) }))
  .filter(
    ({ elements }) => prefixesOf(elements) && elements.every(({ path }) => /^[\p{L}\p{M}\p{N}_.:/-]+$/u.test(path)),
  );

/** Its own root element is asked for, so that nothing is refused because the mapping means other files. */
async function codesFor({ bytes }: XmlCase): Promise<string> {
  const text = bytes.toString().replaceAll('\0', '');
  const root = /<([\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}\p{N}_.-]+)?)/u.exec(text)?.[1] ?? 'x';
  const prefix = /^[^:]+(?=:)/.exec(root)?.[0];
  const namespaces = prefix ? { [prefix]: new RegExp(`xmlns:${prefix}="([^"]*)"`).exec(text)?.[1] || 'urn:x' } : {};
  const outcome = await readAll(xmlReader, bytes, { row: `/${root}`, columns: { v: '.' }, namespaces });
  return outcome.refused.length === 0 ? 'read' : codesOf(outcome).join();
}

async function tally(those: readonly XmlCase[]): Promise<{ readonly [code: string]: number }> {
  const found: { [code: string]: number } = {};
  for (const one of those) {
    const code = await codesFor(one);
    found[code] = (found[code] ?? 0) + 1;
  }
  return found;
}

describe('W3C XML conformance suite', () => {
  it('every document with a DOCTYPE is refused, well-formed or not', async () => {
    const found = await tally(cases.filter(({ doctype }) => doctype));
    expect(found).toEqual({
      'xml/doctype': 1598,
      // Broken before or inside the DOCTYPE.
      'xml/not-well-formed': 69,
      'xml/unknown-encoding': 2,
      'text/undecodable': 12,
      'text/nul': 1,
    });
  });

  it('every document that is not well-formed is refused, whatever its encoding says', async () => {
    expect(await tally(notWellFormed)).toEqual({
      'xml/not-well-formed': 234,
      'xml/encoding-conflict': 3,
      'text/undecodable': 4,
      'text/nul': 1,
      'text/empty': 2,
    });
    const { bytes } = cases.find(({ id }) => id === 'hst-lhs-008')!;
    expect(codesOf(await readAll(xmlReader, bytes, { row: '/a', columns: { v: '.' } }))).toEqual([
      'xml/encoding-conflict',
    ]);
  });

  it('every other document is read to the letter: each text and attribute of each element', async () => {
    let values = 0;
    for (const { id, bytes, elements } of wellFormed) {
      const namespaces = prefixesOf(elements);
      for (const path of new Set(elements.map((element) => element.path))) {
        const those = elements.filter((element) => element.path === path);
        const names = [...new Set(those.flatMap(({ attributes }) => Object.keys(attributes)))].filter(
          (name) => !name.startsWith('xmlns'),
        );
        const columns = Object.fromEntries([['.', '.'], ...names.map((name) => [name, `@${name}`])]);
        const outcome = await readAll(xmlReader, bytes, { row: path, columns, namespaces }, { chunk: 3 });
        expect([id, outcome.refused]).toEqual([id, []]);
        const expected = those.map(({ text, attributes }) => [text, ...names.map((name) => attributes[name] ?? '')]);
        expect([id, cellsOf(outcome)]).toEqual([id, expected]);
        values += expected.flat().length;
      }
    }
    expect([wellFormed.length, values]).toEqual([64, 102]);
  });
});

/** What each prefix stands for; undefined where one is declared twice, so that paths with prefixes mean nothing. */
function prefixesOf(elements: readonly Element[]): { readonly [prefix: string]: string } | undefined {
  const found = new Map<string, string>();
  for (const [name, uri] of elements.flatMap(({ attributes }) => Object.entries(attributes))) {
    const prefix = /^xmlns(?::(.*))?$/.exec(name);
    if (!prefix) continue;
    if (uri === '' || found.has(prefix[1] ?? 'default')) return undefined;
    found.set(prefix[1] ?? 'default', uri);
  }
  return Object.fromEntries(found);
}
