/**
 * What files of EN 16931 may hold, through the shipped mappings of UBL and CII: each case changes the sample of its
 * mapping and says what the document holds then, or what refuses it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/model/draft.ts';
import { mappingFor, through } from './oracles/through.ts';
import { REPOSITORY } from './samples/instance.ts';

type Change = readonly [at: string, text: string];

const SAMPLES = {
  ubl: 'ubl-invoice/input/UBL_UB-2026-0090.xml',
  credit: 'ubl-credit-note/input/UBL_UA-2026-0012.xml',
  cii: 'cii/input/CII_CB-2026-0090.xml',
};

type Format = keyof typeof SAMPLES;

function sampleOf(format: Format): string {
  return readFileSync(join(REPOSITORY, 'samples', SAMPLES[format]), 'utf8');
}

async function passed(format: Format, changes: readonly Change[]) {
  let text = sampleOf(format);
  for (const [at, to] of changes) {
    expect(text).toContain(at);
    text = text.replace(at, () => to);
  }
  return await through(text, mappingFor(text)!, 'wire');
}

/** The changed text behind, and in front of, a piece of the sample. */
const behind = (at: string, text: string): Change => [at, at + text];
const ahead = (at: string, text: string): Change => [at, text + at];

const UBL_HEAD = '<cbc:BuyerReference>BC-7790</cbc:BuyerReference>';
const CII_SELLER = '<ram:DefinedTradeContact><ram:PersonName>Service clients</ram:PersonName>';
const CII_LINE = '<ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID>';
const CII_LINE_SETTLEMENT = '<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>31.00';
const CII_PRICE = '<ram:NetPriceProductTradePrice><ram:ChargeAmount>12.40';
const CII_RATE = '<ram:RateApplicablePercent>5.5</ram:RateApplicablePercent></ram:ApplicableTradeTax>\n      ';
const UBL_TOTAL = '<cac:LegalMonetaryTotal>';
const UBL_ITEM = '<cac:Item>';
const UBL_TAX = '<cac:TaxTotal>';
const UBL_CREDIT_HEAD = '<cbc:CreditNoteTypeCode>';
const SAYS_FALSE = '<cbc:ChargeIndicator>false</cbc:ChargeIndicator>';
const UBL_DISCOUNT = `<cac:AllowanceCharge>${SAYS_FALSE}<cbc:Amount currencyID="EUR">0</cbc:Amount></cac:AllowanceCharge>`;
const CII_SAYS = '<ram:ChargeIndicator><udt:Indicator>';
const CII_SAID = '</udt:Indicator></ram:ChargeIndicator>';
const CII_LINE_DISCOUNT =
  '<ram:SpecifiedTradeAllowanceCharge><ram:ActualAmount>0</ram:ActualAmount></ram:SpecifiedTradeAllowanceCharge>';

/** Entries of additional-info with this key. */
const under = (key: string, ...values: readonly string[]) =>
  expect.arrayContaining(values.map((value) => ({ key, value })));

const carried: readonly (readonly [what: string, Format, readonly Change[], JsonObject | object])[] = [
  [
    'VAT on payments (BT-8)',
    'ubl',
    [behind(UBL_HEAD, '<cac:InvoicePeriod><cbc:DescriptionCode>432</cbc:DescriptionCode></cac:InvoicePeriod>')],
    { document: { 'additional-info': under('tax-point-code', '432') } },
  ],
  [
    'VAT on debits (BT-8) of a credit note',
    'credit',
    [behind(UBL_HEAD, '<cac:InvoicePeriod><cbc:DescriptionCode>3</cbc:DescriptionCode></cac:InvoicePeriod>')],
    { document: { 'additional-info': under('tax-point-code', '3') } },
  ],
  [
    'the code of BT-8 in CII, as EN 16931 has it',
    'cii',
    [
      [CII_RATE, CII_RATE.replace('<ram:Rate', '<ram:DueDateTypeCode>72</ram:DueDateTypeCode><ram:Rate')],
      [
        '20</ram:RateApplicablePercent></ram:ApplicableTradeTax>\n      <ram:A',
        '20</ram:RateApplicablePercent><ram:DueDateTypeCode>72</ram:DueDateTypeCode></ram:ApplicableTradeTax>\n      <ram:A',
      ],
    ],
    { document: { 'additional-info': under('tax-point-code', '432') } },
  ],
  [
    'payment means in words (BT-82), and an account beside the IBAN',
    'cii',
    [
      behind('<ram:TypeCode>30</ram:TypeCode>', '<ram:Information>Virement</ram:Information>'),
      behind('0000097</ram:IBANID>', '<ram:ProprietaryID>4711</ram:ProprietaryID>'),
    ],
    {
      agreements: [
        {
          means: [
            {
              type: '30',
              objects: [
                { type: 'means', names: [{ type: 'text', value: 'Virement' }] },
                {
                  type: 'account',
                  identifiers: [
                    { type: 'iban', value: expect.stringMatching(/^FR/) },
                    { type: 'account', value: '4711' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
  [
    'payment means in words of UBL',
    'ubl',
    [['<cbc:PaymentMeansCode>', '<cbc:PaymentMeansCode name="Virement">']],
    { agreements: [{ means: [{ objects: [{ names: [{ value: 'Virement' }] }, { type: 'account' }] }] }] },
  ],
  [
    'what percentages are of, of the document and of a line',
    'ubl',
    [],
    {
      totals: { 'additional-info': under('discount-base-amount', '354.64') },
      lines: [{}, { 'additional-info': under('discount-base-amount', '359.6') }, {}],
    },
  ],
  [
    'an attachment, its link and its own number',
    'ubl',
    [
      behind(
        '</cbc:EmbeddedDocumentBinaryObject>',
        '<cac:ExternalReference><cbc:URI>https://x.example/bl</cbc:URI></cac:ExternalReference>',
      ),
    ],
    {
      attachments: [
        { format: 'base64', filename: 'BL-5512.pdf' },
        { format: 'url', content: 'https://x.example/bl' },
        { format: 'url' },
      ],
      references: expect.arrayContaining([
        {
          type: 'supporting-document',
          identifier: 'BL-5512',
          'additional-info': [{ key: 'file', value: 'BL-5512.pdf' }],
        },
      ]),
    },
  ],
  [
    'each day on which a part is due; the first is that of the document',
    'cii',
    [
      behind(
        '20261022</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>',
        '<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20261122</udt:DateTimeString></ram:DueDateDateTime><ram:PartialPaymentAmount>100</ram:PartialPaymentAmount></ram:SpecifiedTradePaymentTerms>',
      ),
    ],
    {
      document: { 'date-due': '2026-10-22' },
      agreements: [{ terms: [{ 'date-due': '2026-10-22' }, { 'date-due': '2026-11-22', amount: expect.anything() }] }],
    },
  ],
  [
    'a due date that only the means of payment have',
    'credit',
    [
      ahead(
        '<cac:TaxTotal>',
        '<cac:PaymentMeans><cbc:PaymentDueDate>2026-12-01</cbc:PaymentDueDate></cac:PaymentMeans>',
      ),
    ],
    { document: { 'date-due': '2026-12-01' } },
  ],
  [
    'a person and a department',
    'cii',
    [[CII_SELLER, `${CII_SELLER}<ram:DepartmentName>Comptabilité</ram:DepartmentName>`]],
    { issuer: { contacts: [{ name: 'Service clients, Comptabilité' }] } },
  ],
  [
    'several invoiced objects, notes and accounts of a line',
    'cii',
    [
      behind(
        CII_LINE,
        '<ram:IncludedNote><ram:Content>A</ram:Content></ram:IncludedNote><ram:IncludedNote><ram:Content>B</ram:Content></ram:IncludedNote>',
      ),
      ahead(
        CII_LINE_SETTLEMENT,
        '<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>O1</ram:IssuerAssignedID></ram:AdditionalReferencedDocument><ram:AdditionalReferencedDocument><ram:IssuerAssignedID>O2</ram:IssuerAssignedID></ram:AdditionalReferencedDocument>',
      ),
    ],
    {
      lines: [
        {
          'additional-info': expect.arrayContaining([
            { key: 'note', value: 'A' },
            { key: 'note', value: 'B' },
            { key: 'invoiced-object', value: 'O1' },
            { key: 'invoiced-object', value: 'O2' },
          ]),
        },
        {},
        {},
      ],
    },
  ],
  [
    'several discounts of a price',
    'cii',
    [
      ahead(
        CII_PRICE,
        '<ram:GrossPriceProductTradePrice><ram:ChargeAmount>14.40</ram:ChargeAmount><ram:AppliedTradeAllowanceCharge><ram:ActualAmount>1.50</ram:ActualAmount></ram:AppliedTradeAllowanceCharge><ram:AppliedTradeAllowanceCharge><ram:ActualAmount>0.50</ram:ActualAmount></ram:AppliedTradeAllowanceCharge></ram:GrossPriceProductTradePrice>',
      ),
    ],
    { lines: [{ 'additional-info': under('price-discount', '1.5', '0.5') }, {}, {}] },
  ],
  [
    'several electronic addresses',
    'cii',
    [
      behind(
        '<ram:URIUniversalCommunication><ram:URIID schemeID="0225">999200116</ram:URIID></ram:URIUniversalCommunication>',
        '<ram:URIUniversalCommunication><ram:URIID schemeID="EM">a@elan.example</ram:URIID></ram:URIUniversalCommunication>',
      ),
    ],
    { receiver: { 'e-addresses': [{ type: 'routing-address' }, { type: 'email', value: 'a@elan.example' }] } },
  ],
  [
    'several contracts and advices, with their dates',
    'ubl',
    [
      behind(
        UBL_HEAD,
        '<cac:ContractDocumentReference><cbc:ID>CTR-9</cbc:ID><cbc:IssueDate>2026-01-02</cbc:IssueDate></cac:ContractDocumentReference>',
      ),
    ],
    {
      references: expect.arrayContaining([
        { type: 'contract', identifier: 'CTR-9', date: '2026-01-02' },
        { type: 'contract', identifier: 'CTR-2025-03' },
      ]),
    },
  ],
  [
    'dates with a zone, numbers that end in a point',
    'ubl',
    [
      ['<cbc:IssueDate>2026-09-22', '<cbc:IssueDate>2026-09-22+02:00'],
      ['<cbc:DueDate>2026-10-22', '<cbc:DueDate>2026-10-22Z'],
      ['<cbc:LineExtensionAmount currencyID="EUR">31.00', '<cbc:LineExtensionAmount currencyID="EUR">31.'],
    ],
    {
      document: { date: '2026-09-22', 'date-due': '2026-10-22' },
      lines: [{ 'net-amount': expect.anything() }, {}, {}],
    },
  ],
];

const CII_AGREEMENT_END = '</ram:ApplicableHeaderTradeAgreement>';
const UBL_SELLER_END = '</cac:Party>\n  </cac:AccountingSupplierParty>';

const parties: typeof carried = [
  [
    'an agent of the buyer',
    'cii',
    [
      ahead(
        CII_AGREEMENT_END,
        '<ram:BuyerAgentTradeParty><ram:Name>Centrale</ram:Name><ram:SpecifiedLegalOrganization><ram:ID schemeID="0002">999300127</ram:ID></ram:SpecifiedLegalOrganization></ram:BuyerAgentTradeParty>',
      ),
    ],
    {
      'additional-parties': [
        {
          name: 'Centrale',
          identifiers: [{ type: 'siren', value: '999300127' }],
          'additional-info': [{ key: 'role', value: 'buyer-agent' }],
        },
      ],
    },
  ],
  [
    'who invoices for the seller',
    'ubl',
    [
      ahead(
        UBL_SELLER_END,
        '<cac:ServiceProviderParty><cac:Party><cac:PartyLegalEntity><cbc:RegistrationName>Facturier</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:ServiceProviderParty>',
      ),
    ],
    { 'additional-parties': [{ name: 'Facturier', 'additional-info': [{ key: 'role', value: 'invoicer' }] }] },
  ],
  ...(['VAT', 'TAX'] as const).map(
    (scheme) =>
      [
        `the tax number of who invoices, by its scheme ${scheme}`,
        'ubl' as const,
        [
          ahead(
            UBL_SELLER_END,
            `<cac:ServiceProviderParty><cac:Party><cac:PartyTaxScheme><cbc:CompanyID>FR83404833048</cbc:CompanyID><cac:TaxScheme><cbc:ID>${scheme}</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Facturier</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:ServiceProviderParty>`,
          ),
        ],
        {
          'additional-parties': [
            {
              name: 'Facturier',
              identifiers: [{ type: scheme === 'VAT' ? 'vat' : 'tax-registration', value: 'FR83404833048' }],
            },
          ],
        },
      ] as const,
  ),
];

describe('is carried', () => {
  test.each(parties)('%s (%s)', async (_what, format, changes, expected) => {
    const { payload, refused } = await passed(format, changes);
    expect(refused).toEqual([]);
    expect(JSON.parse(JSON.stringify(payload))).toMatchObject(expected);
  });

  test.each(carried)('%s (%s)', async (_what, format, changes, expected) => {
    const { payload, refused } = await passed(format, changes);
    expect(refused).toEqual([]);
    expect(JSON.parse(JSON.stringify(payload))).toMatchObject(expected);
  });

  test.each(['ubl', 'cii'] as const)('a base of 0 is none (%s)', async (format) => {
    const bases = { ubl: ['354.64</cbc:Base', '359.60</cbc:Base'], cii: ['354.64</ram:Basis', '359.60</ram:Basis'] };
    const { payload } = await passed(
      format,
      bases[format].map((at) => [at, at.replace(/[\d.]+/, '0.00')] as const),
    );
    expect(JSON.stringify(payload)).not.toContain('base-amount');
  });

  test('an empty note is none, whatever its code', async () => {
    const count = async (changes: readonly Change[]) =>
      ((await passed('cii', changes)).payload!.notes as readonly object[]).length;
    const empty =
      '<ram:IncludedNote><ram:Content> </ram:Content><ram:SubjectCode>REG</ram:SubjectCode></ram:IncludedNote>';
    expect(await count([['<ram:IncludedNote>', `${empty}<ram:IncludedNote>`]])).toBe(await count([]));
  });
});

const UBL_SECOND_TOTAL = '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">77.36</cbc:TaxAmount></cac:TaxTotal>';

const refusals: readonly (readonly [what: string, Format, readonly Change[]])[] = [
  [
    'a test',
    'cii',
    [
      behind(
        '<rsm:ExchangedDocumentContext>',
        '<ram:TestIndicator><udt:Indicator>true</udt:Indicator></ram:TestIndicator>',
      ),
    ],
  ],
  ['a copy', 'ubl', [ahead(UBL_HEAD, '<cbc:CopyIndicator>true</cbc:CopyIndicator>')]],
  ['a group of lines', 'cii', [behind(CII_LINE, '<ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode>')]],
  ['a line of a line', 'cii', [behind(CII_LINE, '<ram:ParentLineID>1</ram:ParentLineID>')]],
  ['two totals of VAT in one currency', 'ubl', [ahead(UBL_TOTAL, UBL_SECOND_TOTAL)]],
  [
    'a second total of VAT without a currency',
    'ubl',
    [ahead(UBL_TOTAL, UBL_SECOND_TOTAL.replace(' currencyID="EUR"', ''))],
  ],
  ['no currency', 'ubl', [['<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>', '']]],
  ['no currency of a credit note', 'credit', [['<cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>', '']]],
  [
    'a tax that is not VAT',
    'cii',
    [
      [CII_RATE, CII_RATE],
      [
        '<ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>88.20',
        '<ram:TypeCode>GST</ram:TypeCode><ram:BasisAmount>88.20',
      ],
    ],
  ],
  ['an invoice of several sellers', 'ubl', [['<cbc:ProfileID>B1', '<cbc:ProfileID>M8']]],
  ['an invoice of several sellers', 'cii', [['<ram:ID>B1</ram:ID>', '<ram:ID>B9</ram:ID>']]],
  ['neither discount nor charge', 'ubl', [['<cbc:ChargeIndicator>1</cbc:ChargeIndicator>', '']]],
  ['neither discount nor charge, in words', 'ubl', [['<cbc:ChargeIndicator>1</', '<cbc:ChargeIndicator>yes</']]],
  ['a line with neither discount nor charge', 'ubl', [ahead(UBL_ITEM, UBL_DISCOUNT.replace(SAYS_FALSE, ''))]],
  ['a line with neither in words', 'credit', [ahead(UBL_ITEM, UBL_DISCOUNT.replace('false', 'FALSE'))]],
  ['a price with neither discount nor charge', 'ubl', [ahead('</cac:Price>', UBL_DISCOUNT.replace(SAYS_FALSE, ''))]],
  ['a document with neither discount nor charge', 'credit', [ahead(UBL_TAX, UBL_DISCOUNT.replace(SAYS_FALSE, ''))]],
  ['a line with neither discount nor charge', 'cii', [ahead(CII_LINE_SETTLEMENT, CII_LINE_DISCOUNT)]],
  [
    'a line with neither in words',
    'cii',
    [ahead(CII_LINE_SETTLEMENT, CII_LINE_DISCOUNT.replace('><', `>${CII_SAYS}no${CII_SAID}<`))],
  ],
  ['a copy, as a digit', 'ubl', [ahead(UBL_HEAD, '<cbc:CopyIndicator>1</cbc:CopyIndicator>')]],
  ['a copy, as a digit', 'credit', [ahead(UBL_CREDIT_HEAD, '<cbc:CopyIndicator>1</cbc:CopyIndicator>')]],
  [
    'a copy, as a digit',
    'cii',
    [behind('<rsm:ExchangedDocument>', `<ram:CopyIndicator><udt:Indicator>1</udt:Indicator></ram:CopyIndicator>`)],
  ],
  [
    'a test, as a digit',
    'cii',
    [
      behind(
        '<rsm:ExchangedDocumentContext>',
        '<ram:TestIndicator><udt:Indicator>1</udt:Indicator></ram:TestIndicator>',
      ),
    ],
  ],
];

const withoutLines = (text: string) =>
  text.replace(/<(cac:InvoiceLine|cac:CreditNoteLine|ram:IncludedSupplyChainTradeLineItem)>[\s\S]*<\/\1>/, '');

describe('is refused', () => {
  test.each(Object.keys(SAMPLES) as Format[])('a file without lines, for that alone (%s)', async (format) => {
    const text = withoutLines(sampleOf(format));
    const { refused, broken } = await through(text, mappingFor(text)!, 'fr-2026');
    expect(refused).toEqual(['map/check-failed']);
    const ids = broken.flatMap(({ severity, rule }) =>
      severity === 'error' && !rule.unless?.document?.includes('FR-LIN-1') ? rule.id : [],
    );
    expect(ids).toEqual(['FR-LIN-1']);
  });

  test.each(refusals)('%s (%s)', async (_what, format, changes) => {
    expect((await passed(format, changes)).refused).toContain('map/check-failed');
  });

  test('and not what is allowed next to it', async () => {
    const plain = behind(CII_LINE, '<ram:LineStatusReasonCode>DETAIL</ram:LineStatusReasonCode>');
    expect((await passed('cii', [plain])).refused).toEqual([]);
    const other = UBL_SECOND_TOTAL.replace('"EUR"', '"CHF"');
    expect((await passed('ubl', [ahead(UBL_TOTAL, other)])).refused).toEqual([]);
    const said = UBL_DISCOUNT.replace('false', '0');
    expect((await passed('ubl', [ahead(UBL_ITEM, said), ahead('</cac:Price>', said)])).refused).toEqual([]);
    const no = '<ram:TestIndicator><udt:Indicator>false</udt:Indicator></ram:TestIndicator>';
    expect((await passed('cii', [behind('<rsm:ExchangedDocumentContext>', no)])).refused).toEqual([]);
  });
});
