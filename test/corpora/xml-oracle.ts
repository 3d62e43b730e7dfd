/**
 * A second reading of XML without DOCTYPE, for comparison: correct for well-formed text only, and written without a
 * look at the reader.
 */

export type Element = {
  /** From the root, with the prefixes of the file. */
  readonly path: string;
  /** Its own text, without that of elements inside it. */
  text: string;
  readonly attributes: { readonly [name: string]: string };
};

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([^\s/>]+)((?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;

/** Every element in the order of start tags. */
export function elementsOf(bytes: Buffer): readonly Element[] {
  const text = decoded(bytes).replace(/\r\n?/g, '\n');
  const all: Element[] = [];
  const open: Element[] = [];
  for (const [, cdata, end, name, attributes, empty, plain] of text.matchAll(TOKEN)) {
    if (name === undefined) {
      const top = open.at(-1);
      if (top) top.text += cdata ?? resolved(plain ?? '');
    } else if (end) {
      open.pop();
    } else {
      const element = { path: `${open.at(-1)?.path ?? ''}/${name}`, text: '', attributes: attributesOf(attributes!) };
      all.push(element);
      if (!empty) open.push(element);
    }
  }
  return all;
}

function attributesOf(text: string): Element['attributes'] {
  const found = [...text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return Object.fromEntries(
    found.map(([, name, one, two]) => [name, resolved((one ?? two)!.replace(/[\t\n]/g, ' '))] as const),
  );
}

const NAMED: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' };

function resolved(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (_, hex, decimal, name) =>
    name === undefined ? String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)) : NAMED[name]!,
  );
}

function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (first === 0xfe && second === 0xff) return Buffer.from(bytes.subarray(2)).swap16().toString('utf16le');
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return /^<\?xml[^?]*encoding\s*=\s*["']iso-8859-1/i.test(text) ? bytes.toString('latin1') : text;
}
