/** Rules that follow from others (`unless`): each declared pair at work, and what never depends on it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutConsequences } from '../../../src/documents/rules/suppress-consequences.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { type Broken, type Example, NEARNESS, type RuleInfo, type Terms } from '../../../src/model/rule.ts';
import { changed, MODELS, type Model, TODAY, termsOf, told } from './models.ts';

const RULES = MODELS.flatMap((model) => model.kind.rules.rules.map((rule) => ({ model, rule })));

const SIRET = (value: string) => ({ '/issuer/identifiers/2': { type: 'siret', value } });
const BAR = { '/notes/4': { tag: 'BAR', content: 'B2B' } };
const STATED = (amounts: { readonly [key: string]: string }) => ({
  '/totals/additional-info': Object.entries(amounts).map(([key, value]) => ({ key, value })),
});
const ADDRESS = (party: string, value: string) => ({ [`/${party}/e-addresses/0/value`]: value });
const PERIOD = [
  { type: 'period-start', value: '2026-10-01' },
  { type: 'period-end', value: '1926-10-31' },
];
const NEGATIVE = {
  ...{ '/cuerpoDocumento/1/ventaNoSuj': -21.66675, '/resumen/totalNoSuj': -6.67, '/resumen/subTotalVentas': -6.67 },
  ...{ '/resumen/subTotal': -6.67, '/resumen/montoTotalOperacion': -6.67, '/resumen/totalDescu': 30 },
};
const TAXED = {
  ...{ '/cuerpoDocumento/0/ventaNoSuj': 0, '/cuerpoDocumento/0/ventaGravada': 15 },
  ...{ '/cuerpoDocumento/1/ventaNoSuj': 0, '/cuerpoDocumento/1/ventaGravada': 8.23325 },
  ...{ '/cuerpoDocumento/0/tributos': ['20'], '/cuerpoDocumento/1/tributos': ['20'] },
  ...{ '/resumen/totalNoSuj': 0, '/resumen/montoTotalOperacion': 26.25 },
  '/resumen/totalLetras': 'VEINTISÉIS 25/100 DÓLARES',
  '/resumen/tributos': [{ codigo: '20', descripcion: 'Impuesto al Valor Agregado 13%', valor: 3.02 }],
};

const UNTAXED = (subtype: string, base: number) => ({
  ...{ type: 'tax', class: 'vat', subtype, percent: 0, 'taxable-amount': base, amount: 0 },
  reason: { description: 'Sans TVA' },
});
/** An entry without VAT among those per rate, and an invoice with no other. */
const ALSO = (subtype: string) => ({ '/totals/subtotals/1/subtotals/2': UNTAXED(subtype, 0) });
const ONLY = (subtype: string) => ({
  ...Object.fromEntries([0, 1, 2].map((n) => [`/lines/${n}/taxes/0`, { type: 'vat', subtype, percent: 0, amount: 0 }])),
  ...{ '/totals/subtotals/1/subtotals': [UNTAXED(subtype, 188.32)], '/totals/subtotals/1/amount': 0 },
  '/totals/final-amount': 188.32,
});

const FOREIGN = { '/document/currency': 'CHF', '/totals/currency': 'CHF' };

/** The totals of the model at 0.95. */
const IN_CHF = {
  ...{ currency: 'CHF', 'final-amount': 211.46 },
  subtotals: [
    { type: 'lines-net-amount', amount: 178.9 },
    { type: 'tax', amount: 32.56 },
  ],
};

/** What a person told us of, changed in the model document; who has to be told, and what follows from it. */
const CASES: readonly (readonly [what: string, set: Example['set'], told: string, silent: string])[] = [
  [
    'a number too long for its series',
    { '/document/identifier': 'F'.repeat(36), '/document/series': 'A' },
    'FR-NUM-1',
    'FR-NUM-3',
  ],
  ['a year of two digits', { '/document/date': '2162-11-05' }, 'FR-DAT-1', 'FR-DAT-2 FR-DAT-3'],
  ['a date in the future', { '/document/date': '2062-11-05' }, 'FR-DAT-2', 'FR-DAT-3'],
  ['a due date of another century', { '/document/date-due': '1926-12-05' }, 'FR-DAT-1', 'FR-DAT-3'],
  ['a reference of another century', { '/references/0/date': '2162-01-15' }, 'FR-DAT-1', 'FR-REF-3b'],
  ['a period of another century', { '/logistics': [{ 'additional-dates': PERIOD }] }, 'FR-DAT-1', 'FR-PER-1'],
  ['a currency in small letters', { '/document/currency': 'eur' }, 'FR-CUR-1', 'FR-CUR-1b'],
  ['a currency of the taxes that is none', { '/document/currency-taxes': 'SFR' }, 'FR-CUR-1', 'FR-CUR-2c'],
  [
    'taxes in a third currency',
    {
      ...{ ...FOREIGN, '/document/currency-taxes': 'USD' },
      '/alternate-totals': [{ currency: 'EUR', subtotals: [{ type: 'tax', amount: 34.27 }] }],
    },
    'FR-CUR-2',
    'FR-CUR-2c',
  ],
  ['no VAT in euros', { ...FOREIGN, '/document/currency-taxes': 'EUR' }, 'FR-CUR-2b', 'FR-CUR-2c'],
  ['a digit in the SIREN', { '/receiver/identifiers/0/value': '404833148' }, 'FR-PTY-4', 'FR-PTY-8 FR-ADR-3'],
  ['a digit in the own SIREN', { '/issuer/identifiers/0/value': '732829420' }, 'FR-PTY-4', 'FR-PTY-8 FR-ADR-3b'],
  [
    'a digit in the SIREN, and a SIRET',
    { '/issuer/identifiers/0/value': '732829420', ...SIRET('73282932000074') },
    'FR-PTY-4',
    'FR-PTY-5b FR-PTY-8 FR-ADR-3b',
  ],
  ['a digit in the SIRET', SIRET('73282942000074'), 'FR-PTY-6', 'FR-PTY-5b'],
  ['a digit in the VAT number', { '/issuer/identifiers/1/value': 'FR44732829420' }, 'FR-PTY-7b', 'FR-PTY-8'],
  ['no address, where a note says B2B', { ...BAR, '/receiver/e-addresses': null }, 'FR-ADR-1', 'FR-ADR-1b FR-ADR-1c'],
  [
    'an address of another scheme, where a note says B2B',
    { ...BAR, '/receiver/e-addresses/0/type': '0009' },
    'FR-ADR-1b',
    'FR-ADR-1c',
  ],
  ['an address with a digit', ADDRESS('receiver', '404833049'), 'FR-ADR-3', 'FR-ADR-4'],
  ['an own address with a digit', ADDRESS('issuer', '732829321'), 'FR-ADR-3b', 'FR-ADR-4'],
  [
    'a digit in the SIREN, and in the address',
    { '/receiver/identifiers/0/value': '404833049', ...ADDRESS('receiver', '404833049_ACHATS') },
    'FR-PTY-4',
    'FR-ADR-4 FR-PTY-8',
  ],
  [
    'a delivery without country',
    { '/logistics': [{ type: 'delivery', address: { city: 'Lyon' } }] },
    'FR-DEL-1b',
    'FR-DEL-1',
  ],
  [
    'a reason that is none, where VAT is charged',
    { '/totals/subtotals/1/subtotals/0/reason': { identifier: 'NONE' } },
    'FR-VAT-4b',
    'FR-VAT-5',
  ],
  ['blanks in the own SIREN', { '/issuer/identifiers/0/value': '732 829 320' }, 'FR-PTY-2', 'FR-PTY-12'],
  ['blanks in the SIREN of the receiver', { '/receiver/identifiers/0/value': '404 833 048' }, 'FR-PTY-3', 'FR-PTY-12'],
  [
    'eight digits in the SIREN of a further party',
    { '/additional-parties': [{ identifiers: [{ type: 'siren', value: '73282932' }] }] },
    'FR-PTY-4',
    'FR-PTY-12',
  ],
  [
    'a credit net of VAT, where VAT is charged',
    { '/totals/subtotals/1/subtotals/0/reason': { identifier: 'VATEX-FR-CNWVAT' } },
    'FR-VAT-4b',
    'FR-VAT-6',
  ],
  [
    'the net amount, where the total without VAT is stated',
    {
      '/totals/subtotals/0/amount': 198.32,
      ...STATED({ 'tax-exclusive-amount': '188.32', 'payable-amount': '222.59' }),
    },
    'FR-TOT-1',
    'FR-TOT-5 FR-TOT-6 FR-TOT-9',
  ],
  [
    'the final amount, where the amount to pay is stated',
    { '/totals/final-amount': 232.59, ...STATED({ 'payable-amount': '222.59' }) },
    'FR-TOT-6',
    'FR-TOT-10',
  ],
  [
    'the final amount, where an agreement asks for the right one',
    { '/totals/final-amount': 232.59, '/agreements': [{ amount: 222.59 }] },
    'FR-TOT-6',
    'FR-TOT-12',
  ],
  [
    'the amount to pay, and an agreement',
    { ...STATED({ 'payable-amount': '220' }), '/agreements': [{ amount: 222.59 }] },
    'FR-TOT-10',
    'FR-TOT-12',
  ],
  [
    'the final amount, where the terms add up to another one',
    { '/totals/final-amount': 232.59, '/agreements': [{ terms: [{ amount: 222.59 }] }] },
    'FR-TOT-6',
    'FR-TOT-12b',
  ],
  [
    'the amount to pay, and terms',
    { ...STATED({ 'payable-amount': '220' }), '/agreements': [{ terms: [{ amount: 50 }] }] },
    'FR-TOT-10',
    'FR-TOT-12b',
  ],
  [
    'the final amount, and all amounts in another currency',
    { '/totals/final-amount': 232.59, '/alternate-totals': [IN_CHF] },
    'FR-TOT-6',
    'FR-TOT-19',
  ],
  ['an amount to pay that is not rounded', STATED({ 'payable-amount': '222.594' }), 'FR-TOT-10', 'FR-TOT-11'],
  [
    'a total without VAT that is not rounded',
    STATED({ 'tax-exclusive-amount': '188.324', 'payable-amount': '222.59' }),
    'FR-TOT-9',
    'FR-TOT-11',
  ],
  ['a sum of discounts that is not rounded', STATED({ 'discounts-amount': '0.001' }), 'FR-TOT-9b', 'FR-TOT-11'],
  ['a country that is none', { '/receiver/address/country': 'xyz' }, 'FR-PTY-1b', 'FR-FLOW-1'],
  ['no own VAT number, with an export', { ...ALSO('export'), '/issuer/identifiers/1': null }, 'FR-PTY-9', 'FR-PTY-9d'],
  ['no own VAT number, all exports', { ...ONLY('export'), '/issuer/identifiers/1': null }, 'FR-PTY-9c', 'FR-PTY-9d'],
  [
    'no own VAT number, also under reverse charge',
    { ...ALSO('reverse-charge'), '/issuer/identifiers/1': null },
    'FR-PTY-9',
    'FR-PTY-9g',
  ],
  [
    'no own VAT number, all under reverse charge',
    { ...ONLY('reverse-charge'), '/issuer/identifiers/1': null },
    'FR-PTY-9c',
    'FR-PTY-9g',
  ],
  [
    'no VAT number of the receiver, with a supply within the Union',
    { ...ALSO('intra-community'), '/receiver/identifiers/1': null },
    'FR-PTY-9b',
    'FR-PTY-9e',
  ],
  [
    'no number of the receiver, under reverse charge',
    { ...ALSO('reverse-charge'), '/receiver/identifiers': [] },
    'FR-PTY-3',
    'FR-PTY-9f',
  ],
  ['an address that is too long', ADDRESS('receiver', '4'.repeat(126)), 'FR-ADR-2', 'FR-ADR-2b'],
  ['a price below zero', { '/lines/0/unit-price': -8.4 }, 'FR-LIN-3', 'FR-LIN-4'],
  ['the net amount of a line', { '/lines/0/net-amount': 115 }, 'FR-LIN-4', 'FR-TOT-1 FR-TOT-2 FR-TOT-3c'],
  [
    'of two lines',
    { '/lines/0/net-amount': 115, '/lines/1/net-amount': 60 },
    'FR-LIN-4',
    'FR-TOT-1 FR-TOT-2 FR-TOT-3c',
  ],
  ['divided by 100', { '/lines/1/net-amount': 0.5997 }, 'FR-LIN-4', 'FR-LIN-2 FR-TOT-1 FR-TOT-2 FR-TOT-3c'],
  ['a line without its rate', { '/lines/0/taxes/0/percent': null }, 'FR-LIN-1b', 'FR-TOT-2 FR-TOT-7b FR-VAT-8'],
  [
    'a rate of the totals left out',
    { '/totals/subtotals/1/subtotals/0/percent': null },
    'FR-VAT-8',
    'FR-TOT-2 FR-TOT-7b',
  ],
  ['the net total left out', { '/totals/subtotals/0': null }, 'FR-TOT-14', 'FR-TOT-7'],
  ['the total of VAT left out', { '/totals/subtotals/1': null }, 'FR-TOT-15', 'FR-TOT-7 FR-TOT-7b'],
  ['a rate that is none', { '/lines/0/taxes/0/percent': 21 }, 'FR-VAT-1', 'FR-TOT-2 FR-TOT-7b FR-TOT-3c'],
  ['with decimals', { '/lines/2/taxes/0/percent': 5.555 }, 'FR-VAT-1', 'FR-LIN-2 FR-TOT-2 FR-TOT-7b FR-TOT-3c'],
  ['a rate below zero', { '/lines/0/taxes/0/percent': -20 }, 'FR-VAT-1', 'FR-VAT-3 FR-TOT-2 FR-TOT-7b FR-TOT-3c'],
  ['a rate as a fraction', { '/lines/0/taxes/0/percent': 0.2 }, 'FR-VAT-2b', 'FR-VAT-1 FR-TOT-2 FR-TOT-7b FR-TOT-3c'],
  [
    'with decimals',
    { '/lines/2/taxes/0/percent': 0.055 },
    'FR-VAT-2b',
    'FR-LIN-2 FR-VAT-1 FR-TOT-2 FR-TOT-7b FR-TOT-3c',
  ],
  ['a rate of zero', { '/lines/0/taxes/0/percent': 0 }, 'FR-VAT-3', 'FR-TOT-2 FR-TOT-7b FR-TOT-3c'],
  [
    'a rate of the totals',
    { '/totals/subtotals/1/subtotals/0/percent': 21 },
    'FR-VAT-1',
    'FR-TOT-2 FR-TOT-3 FR-TOT-7b',
  ],
  ['nearly right', { '/totals/subtotals/1/subtotals/1/percent': 5.51 }, 'FR-VAT-1', 'FR-TOT-2 FR-TOT-3b FR-TOT-7b'],
  [
    'as a fraction',
    { '/totals/subtotals/1/subtotals/0/percent': 0.2 },
    'FR-VAT-2b',
    'FR-VAT-1 FR-TOT-2 FR-TOT-3 FR-TOT-7b',
  ],
  ['zero', { '/totals/subtotals/1/subtotals/0/percent': 0 }, 'FR-VAT-3', 'FR-TOT-2 FR-TOT-3 FR-TOT-7b'],
  ['a treatment of one line', { '/lines/0/taxes/0/subtype': 'xyz' }, 'FR-VAT-3b FR-TOT-7b', 'FR-TOT-2'],
  ['all lines', { '/lines': [] }, 'FR-LIN-1', 'FR-TOT-2'],
  ['a line that the totals know', { '/lines/1': null }, 'FR-TOT-1', 'FR-TOT-2'],
  ['the net amount', { '/totals/subtotals/0/amount': 198.32 }, 'FR-TOT-1', 'FR-TOT-5 FR-TOT-6'],
  ['divided by 100', { '/totals/subtotals/0/amount': 1.8832 }, 'FR-TOT-1', 'FR-LIN-2 FR-TOT-5 FR-TOT-6'],
  ['a taxable amount', { '/totals/subtotals/1/subtotals/0/taxable-amount': 174.97 }, 'FR-TOT-2', 'FR-TOT-3 FR-TOT-5'],
  ['by three cents', { '/totals/subtotals/1/subtotals/0/taxable-amount': 165 }, 'FR-TOT-2', 'FR-TOT-3b FR-TOT-5'],
  [
    'divided by 100',
    { '/totals/subtotals/1/subtotals/0/taxable-amount': 1.6497 },
    'FR-TOT-2',
    'FR-LIN-2 FR-TOT-3 FR-TOT-5',
  ],
  ['VAT at a rate', { '/totals/subtotals/1/subtotals/0/amount': 33.99 }, 'FR-TOT-3', 'FR-TOT-4'],
  ['by a cent', { '/totals/subtotals/1/subtotals/0/amount': 33 }, 'FR-TOT-3b', 'FR-TOT-4'],
  ['divided by 100', { '/totals/subtotals/1/subtotals/0/amount': 0.3299 }, 'FR-TOT-3', 'FR-LIN-2 FR-TOT-4'],
  ['not rounded', { '/totals/subtotals/1/subtotals/0/amount': 32.994 }, 'FR-TOT-3b', 'FR-LIN-2 FR-TOT-4'],
  [
    'carried into the sum of VAT',
    { '/totals/subtotals/1/subtotals/0/amount': 33.99, '/totals/subtotals/1/amount': 35.27 },
    'FR-TOT-3',
    'FR-TOT-6',
  ],
  ['the sum of VAT', { '/totals/subtotals/1/amount': 35.27 }, 'FR-TOT-4', 'FR-TOT-6'],
  ['divided by 100', { '/totals/subtotals/1/amount': 0.3427 }, 'FR-TOT-4', 'FR-LIN-2 FR-TOT-6'],
  ['the final amount divided by 100', { '/totals/final-amount': 2.2259 }, 'FR-TOT-6', 'FR-LIN-2'],
  ['no entry for a rate', { '/totals/subtotals/1/subtotals/1': null }, 'FR-TOT-7b', 'FR-TOT-4 FR-TOT-5'],
  ['a SIREN that lost its zero', { '/issuer/identifier': '32829320' }, 'FR-REP-2', 'FR-REP-2c'],
  ['a period the wrong way round', { '/document/period/start-date': '2062-10-01T00:00:00' }, 'FR-REP-3', 'FR-REP-8'],
  [
    'a payment of a later year',
    { '/operations/consumer/payments/0/date': '2062-10-05T10:00:00' },
    'FR-REP-8c',
    'FR-REP-8',
  ],
  ['a kind of document that is none', { '/receptor/tipoDocumento': '99' }, 'SV-REC-1', 'SV-REC-3'],
  ['a line number below one', { '/cuerpoDocumento/0/numItem': -1 }, 'SV-ITM-1b', 'SV-ITM-1c'],
  ['a quantity below zero', { '/cuerpoDocumento/0/cantidad': -12 }, 'SV-ITM-3', 'SV-ITM-7'],
  [
    'carried into the amounts',
    { ...NEGATIVE, '/cuerpoDocumento/1/cantidad': -6.47006, '/cuerpoDocumento/1/ventaNoSuj': -21.66665 },
    'SV-ITM-3',
    'SV-ITM-6 SV-SUM-4 SV-SUM-7 SV-SUM-8b',
  ],
  ['a price below zero', { '/cuerpoDocumento/0/precioUni': -1.25 }, 'SV-ITM-6', 'SV-ITM-7'],
  ['a discount above the price', { '/cuerpoDocumento/1/montoDescu': 10 }, 'SV-ITM-7c', 'SV-ITM-7 SV-SUM-4'],
  [
    'carried into the amounts',
    { ...NEGATIVE, '/cuerpoDocumento/1/montoDescu': 30 },
    'SV-ITM-7c',
    'SV-ITM-6 SV-SUM-7 SV-SUM-8b',
  ],
  ['a discount', { '/cuerpoDocumento/0/montoDescu': 1 }, 'SV-ITM-7', 'SV-SUM-4'],
  ['a discount below zero', { '/cuerpoDocumento/1/montoDescu': -0.1 }, 'SV-ITM-6', 'SV-ITM-7 SV-SUM-4'],
  ['the worth of a line', { '/cuerpoDocumento/0/ventaNoSuj': 16 }, 'SV-ITM-7', 'SV-SUM-1'],
  ['below zero', { '/cuerpoDocumento/0/ventaNoSuj': -15 }, 'SV-ITM-6', 'SV-ITM-7 SV-SUM-1'],
  ['a second worth', { '/cuerpoDocumento/0/ventaGravada': 1 }, 'SV-ITM-7', 'SV-ITM-7b SV-ITM-8 SV-SUM-1'],
  ['the total of a column', { '/resumen/totalNoSuj': 24.23 }, 'SV-SUM-1', 'SV-SUM-2'],
  ['by a cent', { '/resumen/totalNoSuj': 23.24 }, 'SV-SUM-1b', 'SV-SUM-2'],
  ['divided by 100', { '/resumen/totalNoSuj': 0.2323 }, 'SV-SUM-7', 'SV-SUM-1 SV-SUM-2'],
  ['not rounded', { '/resumen/totalNoSuj': 23.233 }, 'SV-SUM-7', 'SV-SUM-1b SV-SUM-2'],
  ['a total that should be zero', { '/resumen/totalGravada': 1 }, 'SV-SUM-1', 'SV-SUM-2 SV-SUM-6'],
  ['by a cent', { '/resumen/totalGravada': 0.01 }, 'SV-SUM-1b', 'SV-SUM-2 SV-SUM-6'],
  ['the taxed total', { ...TAXED, '/resumen/totalGravada': 33.23 }, 'SV-SUM-1', 'SV-SUM-2 SV-SUM-6b'],
  ['the total of sales', { '/resumen/subTotalVentas': 24.23 }, 'SV-SUM-2', 'SV-SUM-3'],
  ['below zero', { '/resumen/subTotalVentas': -23.23 }, 'SV-SUM-7', 'SV-SUM-2 SV-SUM-3'],
  ['a discount on the whole note', { '/resumen/descuNoSuj': 1 }, 'SV-SUM-3', 'SV-SUM-4'],
  ['below zero', { '/resumen/totalDescu': -0.1 }, 'SV-SUM-7', 'SV-SUM-4'],
  ['the subtotal', { '/resumen/subTotal': 24.23 }, 'SV-SUM-3', 'SV-SUM-5'],
  ['below zero', { '/resumen/subTotal': -23.23 }, 'SV-SUM-7', 'SV-SUM-3 SV-SUM-5'],
  ['the total', { '/resumen/montoTotalOperacion': 20000 }, 'SV-SUM-5', 'SV-SUM-8b SV-DOC-4c'],
];

function modelOf(id: string): Model {
  return RULES.find(({ rule }) => rule.id === id)!.model;
}

function ruleOf(id: string): RuleInfo {
  return RULES.find(({ rule }) => rule.id === id)!.rule;
}

function ids(of: readonly { readonly rule?: string | RuleInfo }[]): readonly string[] {
  return [...new Set(of.map(({ rule }) => (typeof rule === 'object' ? rule.id : (rule ?? ''))))].sort();
}

function without(rules: readonly string[], terms: Terms): Terms {
  return { ...terms, severity: Object.fromEntries(rules.map((id) => [id, { level: 'off', reason: 'test' }])) };
}

function broken(model: Model, set: Example['set'], terms: Terms): readonly Broken[] {
  return model.kind.rules.under(terms).judge(changed(model.payload, set), model.class, TODAY);
}

describe.each(CASES)('%s', (_what, set, cause, silent) => {
  const causes = cause.split(' ').sort();
  const consequences = silent.split(' ').sort();
  const model = modelOf(causes[0]!);
  const terms = termsOf(ruleOf(causes[0]!));

  test(`is reported as ${cause} alone`, () => {
    expect(ids(told(model, { set }, terms))).toEqual(causes);
    expect(ids(broken(model, set, terms))).toEqual([...causes, ...consequences].sort());
  });
});

const PAIRS = RULES.flatMap(({ model, rule }) =>
  NEARNESS.flatMap((near) => (rule.unless?.[near] ?? []).map((cause) => ({ id: rule.id, cause, model }))),
);

test.each(PAIRS)('$id follows from $cause, and is reported without $cause', ({ id, cause, model }) => {
  const terms = termsOf(ruleOf(id));
  const all = Object.values(ruleOf(id).unless!).flat();
  const others = all.filter((one) => one !== cause);
  const shows = CASES.some(([, set]) => {
    if (modelOf(id) !== modelOf(cause) || !ids(broken(model, set, terms)).includes(cause)) return false;
    const beside = ids(told(model, { set }, without(others, terms)));
    return !beside.includes(id) && ids(told(model, { set }, without(all, terms))).includes(id);
  });
  expect(shows, 'no case shows it').toBe(true);
});

test('rules that follow from each other never go round in a circle', () => {
  const above = (id: string, path: readonly string[]): void => {
    expect(path).not.toContain(id);
    for (const cause of Object.values(ruleOf(id).unless ?? {}).flat()) above(cause, [...path, id]);
  };
  for (const { rule } of RULES) above(rule.id, []);
});

test('a cause that is a warning gets the severity of its consequence, with the reason', () => {
  const set = SIRET('73282942000074');
  const [fault] = told(MODELS[0]!, { set }, { profile: 'fr-2026' });
  expect(fault).toMatchObject({
    ...{ rule: 'FR-PTY-6', level: 'error', at: '/issuer/identifiers/2/value' },
    changed: { from: 'warning', reason: 'FR-PTY-5b follows from it' },
  });
});

test('two independent faults are both reported', () => {
  const set = { '/lines/0/net-amount': 115, '/totals/subtotals/1/amount': 36.27 };
  expect(ids(told(MODELS[0]!, { set }, { profile: 'fr-2026' }))).toEqual(['FR-LIN-4', 'FR-TOT-4']);
  const lines = { '/lines/0/unit-price': 9, '/totals/subtotals/0/amount': 190 };
  expect(ids(told(MODELS[0]!, { set: lines }, { profile: 'fr-2026' }))).toEqual(['FR-LIN-4', 'FR-TOT-1']);
  const parties = { '/receiver/identifiers/0/value': '404833148', '/issuer/identifiers/1/value': 'FR83404833048' };
  expect(ids(told(MODELS[0]!, { set: parties }, { profile: 'fr-2026' }))).toEqual(['FR-PTY-4', 'FR-PTY-8']);
  const places = { '/lines/0/unit-price': -8.4, '/lines/1/unit-price': 20 };
  expect(ids(told(MODELS[0]!, { set: places }, { profile: 'fr-2026' }))).toEqual(['FR-LIN-3', 'FR-LIN-4']);
});

describe('a break as near as it has to be', () => {
  const LIKE = RULES[0]!.rule;
  const rule = (id: string, unless?: RuleInfo['unless']): RuleInfo => {
    const { unless: _, ...rest } = LIKE;
    return { ...rest, id, ...(unless ? { unless } : {}) };
  };
  const CAUSE = rule('CAUSE');
  const at = (of: RuleInfo, pointer: string, off?: string, severity: Broken['severity'] = 'warning'): Broken => ({
    ...{ rule: of, severity, at: pointer },
    ...(off === undefined ? {} : { off: Decimal.parse(off)! }),
  });
  const left = (...all: readonly Broken[]) =>
    withoutConsequences(all).map((one) => `${one.rule.id} ${one.at} ${one.severity} ${one.because ?? ''}`.trim());

  test.each([
    ['field', '/a/0/x', '/a/0/x', true],
    ['field', '/a/0/x', '/a/0/y', false],
    ['block', '/a/0/x', '/a/0/y', true],
    ['block', '/a/0/b/x', '/a/0/y', false],
    ['part', '/a/0/b/x', '/a/0/y', true],
    ['part', '/a/0/x', '/a/1/x', false],
    ['part', '/a/x', '/a/b/x', true],
    ['part', '/a/x', '/b/x', false],
    ['document', '/a/0/x', '/b', true],
  ] as const)('%s: %s and %s: %s', (near, cause, other, isNear) => {
    const follows = rule('FOLLOWS', { [near]: ['CAUSE'] });
    const all = [at(CAUSE, cause), at(follows, other)];
    expect(left(...all)).toEqual([`CAUSE ${cause} warning`, ...(isNear ? [] : [`FOLLOWS ${other} warning`])]);
  });

  const BY_AMOUNT = rule('FOLLOWS', { amount: ['CAUSE'] });

  test('amounts of which one is not known explain nothing', () => {
    expect(left(at(CAUSE, '/a', '1'), at(BY_AMOUNT, '/b'))).toHaveLength(2);
    expect(left(at(CAUSE, '/a'), at(BY_AMOUNT, '/b', '1'))).toHaveLength(2);
    expect(left(at(CAUSE, '/a'), at(BY_AMOUNT, '/b', '0'))).toHaveLength(2);
  });

  test('the one that is off by as much is the cause; else all of them are, where together they are', () => {
    const causes = [at(CAUSE, '/a', '1.004'), at(CAUSE, '/b', '2')];
    const one = at(BY_AMOUNT, '/c', '-1', 'error');
    expect(left(...causes, one)).toEqual(['CAUSE /a error FOLLOWS follows from it', 'CAUSE /b warning']);
    const both = at(BY_AMOUNT, '/c', '3', 'error');
    const told = ['CAUSE /a error FOLLOWS follows from it', 'CAUSE /b error FOLLOWS follows from it'];
    expect(left(...causes, both)).toEqual(told);
    expect(left(...causes, at(BY_AMOUNT, '/c', '4', 'error'))).toHaveLength(3);
  });

  test('an error lends its severity to the first cause, past those between; a warning lends nothing', () => {
    const between = rule('BETWEEN', { document: ['CAUSE'] });
    const follows = rule('FOLLOWS', { field: ['BETWEEN'] });
    const found = (severity: Broken['severity'], first: Broken['severity'] = 'warning') =>
      left(at(CAUSE, '/a', undefined, first), at(between, '/b'), at(follows, '/b', undefined, severity));
    expect(found('error')).toEqual(['CAUSE /a error FOLLOWS follows from it']);
    expect(found('warning')).toEqual(['CAUSE /a warning']);
    expect(found('error', 'error')).toEqual(['CAUSE /a error']);
  });
});

type Leaf = { readonly at: string; readonly value: unknown };

function leavesOf(value: unknown, at = ''): readonly Leaf[] {
  if (value === null || typeof value !== 'object') return [{ at, value }];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, `${at}/${name}`));
}

/** As people and spreadsheets do it. */
function damaged(value: unknown, how: number): unknown {
  if (how === 0) return null;
  if (typeof value === 'number') return exactly([value + 1, value + 0.01, -value, value * 100, value / 100][how - 1]!);
  const text = String(value);
  const digit = /\d(?=\D*$)/.exec(text);
  if (how === 1 && digit) {
    const at = digit.index;
    return `${text.slice(0, at)}${(Number(text[at]) + 1) % 10}${text.slice(at + 1)}`;
  }
  return [text.slice(1), `${text} 1`, text.toLowerCase(), '', '99'][how - 1];
}

function exactly(amount: number): number {
  return Number(amount.toFixed(8));
}

test('suppressed consequences never change whether a document is refused, and a broken document has a fault', () => {
  const damages = MODELS.map((model) => {
    const leaf = fc.constantFrom(...leavesOf(model.payload));
    return fc
      .uniqueArray(fc.tuple(leaf, fc.integer({ min: 0, max: 5 })), {
        ...{ minLength: 1, maxLength: 4 },
        selector: ([{ at }]) => at,
      })
      .map((all) => ({ model, set: Object.fromEntries(all.map(([{ at, value }, how]) => [at, damaged(value, how)])) }));
  });
  fc.assert(
    fc.property(fc.oneof(...damages), ({ model, set }) => {
      for (const profile of ['fr-2026', 'sv-nr-v3', 'sv-nr-v4'] as const) {
        const all = broken(model, set, { profile });
        const some = withoutConsequences(all);
        expect(some.some(({ severity }) => severity === 'error')).toBe(
          all.some(({ severity }) => severity === 'error'),
        );
        expect(some.length > 0).toBe(all.length > 0);
        for (const one of some) expect(all.some(({ rule, at }) => rule === one.rule && at === one.at)).toBe(true);
      }
    }),
  );
});
