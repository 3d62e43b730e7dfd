/**
 * No value changes on its way from a cell to the request: naughty strings, numbers that programs like to improve, and
 * any other text, as cell of a CSV file, as element and attribute of an XML file, and as constant of a mapping.
 */
import blns from 'big-list-of-naughty-strings' with { type: 'json' };
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { convertText } from '../pipeline/conversion/convert-text.ts';
import { csvCell, isXmlText, xmlText } from '../readers/written.ts';
import { runs } from '../seed.ts';

/** What spreadsheets, YAML, JavaScript and parsers take for something else. */
const IMPROVED = [
  '007',
  '012345678',
  '00012345600017',
  '1234567890123456789',
  '9007199254740993',
  '0.10',
  '1.10',
  '1e5',
  '1E400',
  '0x1F',
  '0b11',
  '0o17',
  '1_000',
  '+33612345678',
  '-0',
  '.5',
  '5.',
  '1,5',
  '1.234,56',
  '12/11/2026',
  '2026-11-20',
  '1/2',
  '3-4',
  '12:30',
  'NO',
  'no',
  'Y',
  'on',
  'null',
  'NULL',
  '~',
  'true',
  'TRUE',
  'NaN',
  'Infinity',
  'undefined',
  '&#233;',
  '&eacute;',
  '&amp;amp;',
  '<b>',
  ']]>',
  '<![CDATA[x]]>',
  '<!--',
  '%C3%A9',
  '\\u00e9',
  '\\n',
  '"',
  '""',
  "''",
  '__proto__',
  'constructor',
  '=1+1',
  '@SUM(A1)',
  '$Col',
  '$[Col]',
  '{{x}}',
  '#REF!',
  'sep=;',
  'é',
  'e\u0301',
  '\u00a0x',
  'œuvre à 5 €',
  '\u200b',
  '\u202eabc',
  '👩‍👩‍👧',
  '\ufdd0',
  '\uffff',
  'Ω≈ç√',
  '\u0085x',
  'a\u2028b',
]; // prettier-ignore
/** A lone surrogate is no text: no encoding of a file can hold one. */
const any = fc.string({ unit: 'binary', maxLength: 24 }).map((text) => text.toWellFormed());
const generated = () => fc.sample(any, { numRuns: runs(2_000), seed: fc.readConfigureGlobal().seed! });
const texts: readonly string[] = [...(blns as readonly string[]), ...IMPROVED];

const OUTPUT = `
output:
  document: { identifier: $N, date: "2026-11-20", currency: EUR }
  issuer: { name: Exemple SARL, identifiers: [{ type: siren, value: '732829320' }] }
  receiver: { name: Client }
  lines:
    each: row
    make: { description: '= "[" & $Other & "]"', identifier: $Text, quantity: 1, unit-price: 1, net-amount: 1 }
  totals: { standard: { net: $net, rate: $rate } }
calculated-columns: { net: 1, rate: 20 }
documents: { one-per: N, class: invoice }
mapping: m
version: 1
target: fr-invoice
accepts: { files: "*" }
`;
const CSV = `${OUTPUT.replace('$Other', '$Text')}source: { format: csv }\n`;
const XML = `${OUTPUT}source: { format: xml, row: /r/d, columns: { N: "@n", Text: t, Other: "@t" } }\n`;

type Went = { readonly sent: ReadonlyMap<string, string>; readonly refused: ReadonlyMap<string, string> };

/** The text of each document by its number, or the code of the fault that kept it back. */
async function through(mapping: string, content: string | Uint8Array): Promise<Went> {
  const { outcomes, refused } = await convertText(mapping, content, 64 * 1024);
  expect(refused).toEqual([]);
  const went = { sent: new Map<string, string>(), refused: new Map<string, string>() };
  for (const outcome of outcomes) {
    if ('document' in outcome) {
      const { payload } = JSON.parse(outcome.document.content.toString());
      const [{ description, identifier = '' }] = payload.lines;
      expect(description).toBe(`[${identifier}]`);
      went.sent.set(payload.document.identifier, identifier);
    } else went.refused.set(String(outcome.facts.identifier), outcome.faults.map(({ code }) => code).join());
  }
  return went;
}

/** Blanks around a value are the one declared change; what XML has no place for is refused, never changed. */
function unchanged(texts: readonly string[], { sent, refused }: Went): { readonly [code: string]: number } {
  const codes: { [code: string]: number } = {};
  for (const [n, text] of texts.entries()) {
    const code = refused.get(`D${n}`);
    expect([n, code?.includes('/unusable-text')]).toEqual([n, isXmlText(text.trim()) ? undefined : true]);
    if (code === undefined) expect([n, sent.get(`D${n}`)]).toEqual([n, text.trim()]);
    else if (isXmlText(text.trim())) codes[code] = (codes[code] ?? 0) + 1;
  }
  expect(sent.size + refused.size).toBe(texts.length);
  return codes;
}

describe('no value changes', () => {
  const csv = (texts: readonly string[]) => `N;Text\n${texts.map((text, n) => `D${n};${csvCell(text)}\n`).join('')}`;
  const xml = (texts: readonly string[]) =>
    `<r>${texts.map((text, n) => `<d n="D${n}" t="${xmlText(text)}"><t>${xmlText(text)}</t></d>`).join('\n')}</r>`;

  it('naughty strings and numbers from cells', async () => {
    expect(unchanged(texts, await through(CSV, csv(texts)))).toEqual({});
  });

  it('naughty strings and numbers from elements', async () => {
    const possible = texts.filter(isXmlText);
    // Four hold control characters, which no XML file can.
    expect(texts.length - possible.length).toBe(4);
    expect(unchanged(possible, await through(XML, xml(possible)))).toEqual({});
  });

  it('any text from cells and elements', async () => {
    const some = generated().map((text) => text.replaceAll('\0', ''));
    expect(unchanged(some, await through(CSV, csv(some)))).toEqual({});
    const possible = some.filter(isXmlText);
    expect(possible.length).toBeGreaterThan(runs(1_000));
    expect(unchanged(possible, await through(XML, xml(possible)))).toEqual({});
  });

  it.each(['windows-1252', 'iso-8859-15', 'cp850', 'cp437', 'macintosh', 'utf-16le', 'utf-16be'])(
    'every character of %s',
    async (encoding) => {
      const page = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const letters = encoding.startsWith('utf')
        ? texts
        : [...iconv.decode(page, encoding)].filter((one) => isXmlText(one) && !/[\x80-\x9f]/.test(one));
      const known = letters.filter(
        (text) => iconv.decode(iconv.encode(text, encoding), encoding) === text && !text.includes('\ufffd'),
      );
      expect(known.length).toBeGreaterThan(180);
      const mapping = CSV.replace('format: csv', `format: csv, encoding: ${encoding}`);
      expect(unchanged(known, await through(mapping, iconv.encode(csv(known), encoding)))).toEqual({});
    },
  );

  it('constants of a mapping, quoted by YAML or written as formula', async () => {
    const constants = texts.filter((text) => text.trim() !== '' && isXmlText(text));
    const line = (text: string) => `{ description: ${text}, quantity: 1, unit-price: 1, net-amount: 1 }`;
    const formula = (text: string) => JSON.stringify(`= "${text.replaceAll('"', '""')}"`);
    const plain = (text: string) => (/^[=$]/.test(text) ? formula(text) : JSON.stringify(text));
    for (const write of [formula, plain]) {
      const lines = `  lines:\n${constants.map((text) => `    - ${line(write(text))}\n`).join('')}`;
      const mapping = CSV.replace(/ {2}lines:\n.*\n.*\n/, () => lines);
      const { outcomes, faults } = await convertText(mapping, 'N\nD1\n');
      expect(faults).toEqual([]);
      const [outcome] = outcomes;
      const { payload } = JSON.parse('document' in outcome! ? outcome.document.content.toString() : '{}');
      expect(payload.lines.map((one: { description: string }) => one.description)).toEqual(constants);
    }
  });
});
