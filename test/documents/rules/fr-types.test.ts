/**
 * The type code (BT-3) through each shipped mapping that reads one: the class that is sent, what is refused, and that
 * every rule which depends on the type sees it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { mappingFor, through } from '../../oracles/through.ts';
import { REPOSITORY } from '../../samples/instance.ts';

const CLASSES = {
  invoice: ['380', '386', '389', '393', '500', '501'],
  'credit-note': ['261', '262', '381', '396', '502', '503'],
  corrective: ['384', '471', '472', '473'],
};

/** In EN 16931 (BR-CL-01), and no invoice of France (BR-FR-04): pro forma, partial, debit note, valuation, measured data. */
const OTHERS = ['325', '326', '383', '751', '130', '211', '875', '876', '877', '82', '84', '81', '308', '532'];

type Format = {
  /** Folder and file under samples/. */
  readonly sample: string;
  readonly type: RegExp;
  readonly due: readonly [RegExp, string];
  readonly seller: readonly [RegExp, string];
  readonly note: readonly [RegExp, string];
};

const UBL_NOTE = [/<cbc:Note>#PMT#/, '<cbc:Note>#BAR#B2B</cbc:Note>$&'] as const;

const INVOICES: { readonly [mapping: string]: Format } = {
  'ubl-invoice': {
    sample: 'ubl-invoice/input/UBL_UB-2026-0090.xml',
    type: /(?<=<cbc:InvoiceTypeCode>)\d+/,
    due: [/2026-10-22/, '2026-09-01'],
    seller: [/(?<=EndpointID schemeID="0225">)999100027/, '732829320'],
    note: UBL_NOTE,
  },
  cii: {
    sample: 'cii/input/CII_CB-2026-0090.xml',
    type: /(?<=<ram:TypeCode>)380/,
    due: [/(?<=DueDateDateTime><udt:DateTimeString format="102">)20261022/, '20260901'],
    seller: [/(?<=URIID schemeID="0225">)999100027/, '732829320'],
    note: [
      /<ram:IncludedNote>/,
      '<ram:IncludedNote><ram:Content>B2B</ram:Content><ram:SubjectCode>BAR</ram:SubjectCode></ram:IncludedNote>$&',
    ],
  },
};

const CREDITS = {
  'ubl-credit-note': {
    sample: 'ubl-credit-note/input/UBL_UA-2026-0012.xml',
    type: /(?<=<cbc:CreditNoteTypeCode>)\d+/,
    reference: /<cac:BillingReference>.*<\/cac:BillingReference>/,
  },
  'ubl-invoice': {
    sample: 'ubl-invoice/input/UBL_UR-2026-0007.xml',
    type: /(?<=<cbc:InvoiceTypeCode>)\d+/,
    reference: /<cac:BillingReference>.*<\/cac:BillingReference>/,
  },
  cii: {
    sample: 'cii/input/CII_CA-2026-0012.xml',
    type: /(?<=<ram:TypeCode>)381/,
    reference: /<ram:InvoiceReferencedDocument>.*<\/ram:InvoiceReferencedDocument>/,
  },
};

const textOf = (sample: string) => readFileSync(join(REPOSITORY, 'samples', sample), 'utf8');

async function taken(text: string) {
  const { broken, ...passed } = await through(text, mappingFor(text)!);
  return { ...passed, broken: broken.map(({ rule, severity }) => `${rule.id} ${severity}`) };
}

function changed(text: string, ...changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((made, [from, to]) => {
    expect(made).toMatch(from);
    return made.replace(from, to);
  }, text);
}

describe.each(Object.entries(INVOICES))('%s', (_mapping, { sample, type, due, seller, note }) => {
  const text = textOf(sample);
  const withType = (code: string, ...changes: readonly (readonly [RegExp, string])[]) =>
    taken(changed(text, [type, code], ...changes));

  test.each(Object.entries(CLASSES))('types of the class %s', async (documentClass, codes) => {
    for (const code of codes) {
      const { class: found, refused, broken } = await withType(code);
      expect({ code, found, refused }).toEqual({ code, found: documentClass, refused: [] });
      expect(broken.filter((one) => one.startsWith('FR-TYP-1') && one.endsWith('error'))).toEqual([]);
    }
  });

  test.each(OTHERS)('type %s is refused', async (code) => {
    const { class: found, refused } = await withType(code);
    expect({ found, refused: [...new Set(refused)] }).toEqual({ found: '', refused: ['map/not-in-table'] });
  });

  it('refuses a file that does not say what it is', async () => {
    const { payload, refused } = await withType('');
    expect(payload).toBeUndefined();
    expect(refused).not.toEqual([]);
  });

  test.each(['386', '500'])('an advance, %s, may have been due before its date', async (code) => {
    expect((await withType(code, due)).broken).not.toContain('FR-DAT-3 error');
    expect((await withType('380', due)).broken).toContain('FR-DAT-3 error');
  });

  test.each(['389', '501'])('self-billed, %s, the routing address is the own of the issuer', async (code) => {
    expect((await withType(code, seller, note)).broken).toContain('FR-ADR-3 error');
    expect((await withType('380', seller, note)).broken).toContain('FR-ADR-3b warning');
  });
});

describe.each(Object.entries(CREDITS))('credit notes of %s', (_mapping, { sample, type, reference }) => {
  const text = textOf(sample);

  test.each([
    ['381', true],
    ['262', false],
  ])('type %s, an original invoice is asked for: %s', async (code, asked) => {
    const { class: found, broken } = await taken(changed(text, [type, code], [reference, '']));
    expect(found).toBe('credit-note');
    expect(broken.includes('FR-REF-1 error')).toBe(asked);
  });
});

describe('a CreditNote of UBL is a credit note', () => {
  const { sample, type } = CREDITS['ubl-credit-note'];
  const text = textOf(sample);

  test.each(CLASSES['credit-note'])('with the type %s', async (code) => {
    const { class: found, broken } = await taken(changed(text, [type, code]));
    expect(found).toBe('credit-note');
    expect(broken.filter((one) => one.startsWith('FR-TYP-1') && one.endsWith('error'))).toEqual([]);
  });

  test.each(['81', '83', '296', '308', '420', '458', '532'])(
    'with the type %s, which may not be issued',
    async (code) => {
      const { class: found, broken } = await taken(changed(text, [type, code]));
      expect({ found, told: broken.includes('FR-TYP-1b error') }).toEqual({ found: 'credit-note', told: true });
    },
  );

  it('over a period, with its contract and the days', async () => {
    const rebate = changed(text, [type, '262']);
    const days = '<cac:InvoicePeriod><cbc:StartDate>2026-01-01</cbc:StartDate><cbc:EndDate>2026-06-30</cbc:EndDate>';
    const whole = changed(rebate, [
      /<cac:BillingReference>.*<\/cac:BillingReference>/,
      `${days}</cac:InvoicePeriod><cac:ContractDocumentReference><cbc:ID>RFA-26</cbc:ID></cac:ContractDocumentReference>`,
    ]);
    expect((await taken(rebate)).broken).toContain('FR-REF-1b error');
    expect((await taken(whole)).broken).not.toContain('FR-REF-1b error');
  });

  it('of a member of a VAT group, with its tax representative', async () => {
    const group = '<cac:PartyIdentification><cbc:ID schemeID="0231">404833048</cbc:ID></cac:PartyIdentification>';
    const number = (scheme: string) =>
      `<cac:PartyTaxScheme><cbc:CompanyID>FR83404833048</cbc:CompanyID><cac:TaxScheme><cbc:ID>${scheme}</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>`;
    const member = changed(text, [
      /(?<=<cac:AccountingSupplierParty>\s*<cac:Party>\s*(<cbc:EndpointID.*?<\/cbc:EndpointID>)?)/,
      group,
    ]);
    const represented = (scheme: string) =>
      changed(member, [
        /<\/cac:AccountingCustomerParty>/,
        `$&<cac:TaxRepresentativeParty><cac:PartyName><cbc:Name>Groupe</cbc:Name></cac:PartyName>${number(scheme)}</cac:TaxRepresentativeParty>`,
      ]);
    expect((await taken(member)).broken).toContain('FR-PTY-8c error');
    expect((await taken(represented('VAT'))).broken).not.toContain('FR-PTY-8c error');
    // A number of another tax is no VAT number.
    expect((await taken(represented('COM'))).broken).toContain('FR-PTY-8c error');
  });

  it('with the type of an invoice, which is a contradiction', async () => {
    const { class: found, broken } = await taken(changed(text, [type, '380']));
    expect({ found, told: broken.includes('FR-TYP-1 error') }).toEqual({ found: 'credit-note', told: true });
  });

  it('without a type', async () => {
    const none = changed(text, [/<cbc:CreditNoteTypeCode>.*<\/cbc:CreditNoteTypeCode>/, '']);
    const { class: found, payload, refused } = await taken(none);
    expect({ found, refused }).toEqual({ found: 'credit-note', refused: [] });
    expect(payload).toMatchObject({ document: { 'document-type': 'credit-note' } });
  });
});
