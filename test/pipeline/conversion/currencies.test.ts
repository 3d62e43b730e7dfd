/** Amounts of an export that name their own currency: one in another currency than its document refuses it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { READERS } from '../../../src/catalogue.ts';
import { loadMappings } from '../../../src/instance/instance.ts';
import { mappingFor, through } from '../../oracles/through.ts';
import { REPOSITORY } from '../../samples/instance.ts';

const read = (path: string) => readFileSync(join(REPOSITORY, 'samples', path), 'utf8');
const UBL = read('ubl-invoice/input/UBL_UB-2026-0090.xml');
const CREDIT = read('ubl-credit-note/input/UBL_UA-2026-0012.xml');
const CII = read('cii/input/CII_CB-2026-0090.xml');
const IDOC = read('sap-idoc/input/INVOIC02_815004711.xml');
const OTHER = 'map/other-currency';

const refused = async (text: string, mapping = mappingFor(text)!) => (await through(text, mapping, 'wire')).refused;

/** Each element with currencyID of the text, by the place of its attribute. */
function amounts(text: string): readonly (readonly [name: string, at: number])[] {
  return [...text.matchAll(/<(?:cbc|ram):(\w+) currencyID="EUR"/g)].map((match) => [
    `${match[1]} at ${match.index}`,
    match.index + match[0].indexOf('EUR'),
  ]);
}

const inUsd = (text: string, at: number) => `${text.slice(0, at)}USD${text.slice(at + 3)}`;

describe.each([
  ['UBL invoice', UBL],
  ['UBL credit note', CREDIT],
])('each amount of a %s', (_what, text) => {
  test.each(amounts(text))('%s', async (name, at) => {
    const codes = await refused(inUsd(text, at));
    const isTotal =
      name.startsWith('TaxAmount') && /<cac:TaxTotal>\s*<cbc:TaxAmount currencyID="$/.test(text.slice(0, at));
    expect(codes).toContain(isTotal ? 'map/check-failed' : OTHER);
  });
});

const CII_AMOUNTS = [...CII.matchAll(/<ram:(\w*Amount)>/g)].map(
  (match) => [`${match[1]} at ${match.index}`, match.index + match[0].length - 1] as const,
);

test.each(CII_AMOUNTS)('each amount of CII: %s', async (_name, at) => {
  const stated = (currency: string) => `${CII.slice(0, at)} currencyID="${currency}"${CII.slice(at)}`;
  expect(await refused(stated('CHF'))).toEqual([OTHER]);
  expect(await refused(stated('EUR'))).toEqual([]);
});

test('a total of VAT in a third currency', async () => {
  expect(
    await refused(CII.replace('<ram:TaxTotalAmount currencyID="EUR"', '<ram:TaxTotalAmount currencyID="USD"')),
  ).toEqual(['map/check-failed']);
  const third = UBL.replace(
    '<cac:LegalMonetaryTotal>',
    (at) => `<cac:TaxTotal><cbc:TaxAmount currencyID="USD">1</cbc:TaxAmount></cac:TaxTotal>${at}`,
  );
  const named = (currency: string) =>
    third.replace('</cbc:DocumentCurrencyCode>', (at) => `${at}<cbc:TaxCurrencyCode>${currency}</cbc:TaxCurrencyCode>`);
  expect(await refused(named('CHF'))).toEqual(['map/check-failed']);
  expect(await refused(named('USD'))).toEqual([]);
});

test('both currencies, the first path and how many, one fault for each other currency', async () => {
  const all = UBL.replaceAll('<cbc:PriceAmount currencyID="EUR"', '<cbc:PriceAmount currencyID="USD"').replace(
    '<cbc:PayableAmount currencyID="EUR"',
    '<cbc:PayableAmount currencyID="CHF"',
  );
  const faults = await faultsOf(all);
  const lines = all.split('\n');
  const lineOf = (name: string) => lines.findIndex((line) => line.includes(`<cbc:${name} `)) + 1;
  expect(faults.map(({ code, given, origin }) => [code, given, origin!.path, origin!.line])).toEqual([
    [OTHER, 'CHF', '/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount/@currencyID', lineOf('PayableAmount')],
    [OTHER, 'USD', '/Invoice/cac:InvoiceLine/cac:Price/cbc:PriceAmount/@currencyID', lineOf('PriceAmount')],
  ]);
  expect(faults[0]!.message).toMatch(/CHF.*EUR/);
});

test('many elements that no path reads hide no amount in another currency', async () => {
  const unread = Array.from({ length: 150 }, (_, n) => `<cbc:X${n}>1</cbc:X${n}>`).join('');
  const at = UBL.indexOf('<cbc:PayableAmount currencyID="EUR"') + '<cbc:PayableAmount currencyID="'.length;
  const text = inUsd(UBL, at).replace('<cbc:IssueDate>', (head) => unread + head);
  expect(await refused(text)).toContain(OTHER);
});

describe('an IDoc', () => {
  const { mappings } = loadMappings(REPOSITORY);
  const mapping = mappings.find(({ id }) => id === 'sap-idoc')!;
  const idoc = (text: string) => through(text, mapping, 'wire').then(({ refused: codes }) => codes);
  test.each([
    ['a line', '<POSEX>', '<CURCY>$</CURCY><POSEX>'],
    ['the total', '<SUMID>011</SUMID>', '<SUMID>011</SUMID><WAERQ>$</WAERQ>'],
  ])('names the currency of %s', async (_what, at, to) => {
    const stated = (currency: string) => IDOC.replace(at, to.replace('$', currency));
    expect(stated('USD')).not.toBe(IDOC);
    expect(await idoc(stated('USD'))).toContain('map/check-failed');
    expect(await idoc(stated('EUR'))).toEqual([]);
  });
});

test('a column that is not there, or of the row, is a fault of the mapping', () => {
  const xml = READERS.find(({ format }) => format === 'xml')!;
  const source = (column: string) => ({
    document: '/A/B',
    row: 'C',
    columns: { own: '/A/B/D', line: 'E' },
    currency: { attribute: 'x', column },
  });
  expect(xml.options.safeParse(source('own')).success).toBe(true);
  expect(xml.options.safeParse(source('line')).success).toBe(false);
  expect(xml.options.safeParse(source('none')).success).toBe(false);
});

async function faultsOf(text: string) {
  const { previewDrafts } = await import('../../../src/pipeline/conversion/convert-file.ts');
  const { DOCUMENT_KINDS } = await import('../../../src/catalogue.ts');
  const kind = DOCUMENT_KINDS.find(({ name }) => name === 'fr-invoice')!;
  const mapping = mappingFor(text)!;
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const reader = READERS.find(({ format }) => format === 'xml')!;
  const facts = { today: '2026-11-20', file: { name: 'a.xml', base64: () => '' } };
  for await (const { outcome } of previewDrafts({
    bytes,
    file: 'a.xml',
    mapping,
    reader,
    kind: { ...kind, rules: kind.rules.under({ profile: 'wire' }) },
    facts,
  })) {
    return 'document' in outcome ? outcome.document.warnings : outcome.faults;
  }
  throw new Error('no document');
}
