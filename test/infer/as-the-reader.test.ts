/** A draft is made of what a run reads: where the reader refuses the sample, its fault comes out, with the place. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inferDraft } from '../../src/infer/infer-draft.ts';
import { isDui, isFrenchVat, isNit, isSiren, isSiret } from '../../src/model/identifiers.ts';

const tests = { siren: isSiren, siret: isSiret, vat: isFrenchVat, nit: isNit, dui: isDui };
const XML = readFileSync(new URL('samples/sales-nested.xml', import.meta.url), 'utf8').replace(/^<\?xml[^>]*>\s*/, '');
const ROOT = /^<[^\s>/]+/.exec(XML)![0];
const CSV = readFileSync(new URL('samples/invoices-en-us.csv', import.meta.url));

const inferred = async (sample: string | Uint8Array) =>
  await inferDraft({ bytes: Buffer.from(sample), file: 'sample.dat', id: 'draft', target: 'fr-invoice', tests });

/** Codes and rows of the faults for which there is no draft. */
async function refusal(sample: string | Uint8Array) {
  const result = await inferred(sample);
  return 'problem' in result
    ? result.faults?.map(({ code, origin }) => `${code} ${origin?.file} ${origin?.row}`)
    : 'draft';
}

/** What the draft asks about the source, and its block `columns`. */
async function draftOf(sample: string) {
  const result = await inferred(sample);
  if ('problem' in result) throw new Error(result.problem.id);
  const asked = result.questions.filter(({ at }) => at === 'source.columns').map(({ says }) => says);
  return { asked, mapping: result.mapping };
}

describe('XML', () => {
  it('is taken as it is', async () => {
    expect(await refusal(XML)).toBe('draft');
  });

  it.each([
    ['a name that begins with a digit behind its prefix', XML.replace(ROOT, `${ROOT} xmlns:p="urn:p" p:1="x"`)],
    ['a namespace with blanks around it', XML.replace(ROOT, `${ROOT} xmlns:p=" urn:p "`)],
  ])('with %s is not well-formed', async (_, text) => {
    expect(await refusal(text)).toEqual(['xml/not-well-formed sample.dat 1']);
  });

  it.each([
    ['too-many-attributes', XML.replace(ROOT, ROOT + Array.from({ length: 257 }, (_, n) => ` a${n}="x"`).join(''))],
    ['too-deep', XML.replace(/(<\/[^>]+>\s*)$/, `${'<a>'.repeat(64)}${'</a>'.repeat(64)}$1`)],
    ['unknown-version', `<?xml version="1.1"?>${XML}`],
    ['not-well-formed', `\ufeff\ufeff${XML}`],
    ['encoding-conflict', Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-8"?>${XML}`, 'utf16le')],
  ])('is refused: xml/%s', async (code, sample) => {
    expect((await refusal(sample))?.[0]).toContain(`xml/${code} `);
  });

  it.each(['base64', 'utf-7', 'cesu-8'])('declares an encoding that no run reads: %s', async (name) => {
    expect(await refusal(`<?xml version="1.0" encoding="${name}"?>\n${XML}`)).toEqual([
      'xml/unknown-encoding sample.dat 1',
    ]);
  });

  it('declares UTF-8 and has another byte', async () => {
    const bytes = Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>\n${XML}`.replace('Sku>A', 'Sku>\u00e9'),
      'latin1',
    );
    expect((await refusal(bytes))?.[0]).toContain('text/undecodable sample.dat ');
  });

  it('declares ISO-8859-1 and is Windows-1252, which a mapping may say', async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>\n${XML}`.replace('Sku>A', 'Sku>\u0092').replace('Œ', 'O');
    expect(await refusal(Buffer.from(text, 'latin1'))).toBe('draft');
  });

  it('gives no column for a value that comes too late, in the words of the reader', async () => {
    const { asked, mapping } = await draftOf(
      XML.replace('</SalesExport>', '<Closed>2026-10-03T08:00:00</Closed></SalesExport>'),
    );
    expect(asked.join()).toContain('Closed');
    expect(mapping).not.toContain('../../../Closed');
  });

  it('gives a column for values of which one is damaged', async () => {
    const { asked, mapping } = await draftOf(XML.replace('</Description>', '<b>x</b></Description>'));
    expect([asked, mapping.includes('Description: "Description"')]).toEqual([[], true]);
  });
});

describe('rows', () => {
  const cut = (text: string, from: string | RegExp, to: string) => Buffer.from(text.replace(from, to));
  const text = CSV.toString();

  it('are taken as they are', async () => {
    expect(await refusal(CSV)).toBe('draft');
  });

  it.each([
    ['a byte that is no UTF-8', Buffer.concat([Buffer.from('\ufeff'), CSV, Buffer.of(0xe9, 10)]), 'text/undecodable'],
    [
      'half a letter of UTF-16',
      Buffer.concat([Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.of(65)]),
      'text/undecodable',
    ],
    ['letters twice in UTF-8', cut(text, /Noël|[À-ÿ]+/, 'NoÃ«l Ã©tÃ©'), 'text/utf-8-twice'],
  ])('with %s are refused', async (_, sample, code) => {
    expect((await refusal(sample))?.[0]).toContain(`${code} sample.dat `);
  });

  it('that are all broken are refused with the first of them', async () => {
    expect(await refusal('Facture;Date;Client\nF1;28/09/2026\nF2;29/09/2026\n')).toEqual([
      'csv/too-few-cells sample.dat 2',
    ]);
  });
});
