/**
 * Rules of the head of a French invoice. This file has the currencies and types; the exported list also has numbers, dates and
 * billing frames, which have files of their own.
 */

import { isCurrency, meantCurrency } from '../../code-lists/currencies.ts';
import { classOfType, isClassWord, TYPE_CODES, typesOf } from '../../code-lists/document-types.ts';
import { listAt, textAt, valueAt } from '../../content/json-pointer.ts';
import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import { dateRules } from './fr-date-rules.ts';
import { frameRules } from './fr-frame-rules.ts';
import { numberRules } from './fr-number-rules.ts';

const CURRENCY_AT = '/document/currency';
const TOTALS_CURRENCY = '/totals/currency';

/** Currencies of document, totals and taxes: known codes that agree. */
const currencyRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-CUR-1',
    code: 'fr-invoice/unknown-currency',
    severity: 'error',
    at: [CURRENCY_AT, TOTALS_CURRENCY, '/document/currency-taxes', '/alternate-totals/*/currency'],
    source: 'EN 16931 BR-05, BR-CL-04; DGFiP G1.10',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { [CURRENCY_AT]: 'Eur', [TOTALS_CURRENCY]: 'Eur' } },
    test: ({ header, payload }, broken) => {
      if (header.currency === undefined) broken(CURRENCY_AT);
      for (const [at, code] of [
        [CURRENCY_AT, textAt(payload, 'document', 'currency')],
        // A code that equals that of the header is reported there.
        [TOTALS_CURRENCY, otherThan(header.currency, textAt(payload, 'totals', 'currency'))],
        ['/document/currency-taxes', textAt(payload, 'document', 'currency-taxes')],
      ] as const) {
        if (code !== undefined && !isCurrency(code)) broken(at, offering(meantCurrency(code)));
      }
      listAt(payload, 'alternate-totals').forEach((one, i) => {
        const code = textAt(one, 'currency');
        if (code !== undefined && !isCurrency(code)) {
          broken(`/alternate-totals/${i}/currency`, offering(meantCurrency(code)));
        }
      });
    },
  },
  {
    id: 'FR-CUR-1b',
    code: 'fr-invoice/two-currencies',
    severity: 'error',
    at: [TOTALS_CURRENCY],
    formula: 'totals.currency = document.currency',
    source: 'EN 16931 BR-CL-03; DGFiP G1.10',
    profiles: ['fr-2026'],
    unless: { document: ['FR-CUR-1'] },
    passes: { set: {} },
    fails: { set: { [TOTALS_CURRENCY]: 'CHF' } },
    test: ({ header: { currency }, payload }, broken) => {
      const totals = textAt(payload, 'totals', 'currency');
      if (currency !== undefined && totals !== undefined && totals !== currency) broken(TOTALS_CURRENCY, { currency });
    },
  },
  {
    id: 'FR-CUR-2',
    code: 'fr-invoice/no-euro',
    severity: 'error',
    at: ['/document/currency-taxes'],
    formula: 'currency ≠ EUR: currency-taxes = EUR',
    source: 'BR-FR-CO-12; DGFiP G1.12',
    profiles: ['fr-2026'],
    passes: { set: { [CURRENCY_AT]: 'CHF', [TOTALS_CURRENCY]: 'CHF', '/document/currency-taxes': 'EUR' } },
    fails: { set: { [CURRENCY_AT]: 'CHF', [TOTALS_CURRENCY]: 'CHF' } },
    test: ({ header: { currency }, payload }, broken) => {
      if (isForeign(currency) && textAt(payload, 'document', 'currency-taxes') !== 'EUR') {
        broken('/document/currency-taxes', { currency });
      }
    },
  },
  {
    // That alternate-totals carry the amount is a reading of the contract; the UBL and CII mappings write it there.
    id: 'FR-CUR-2b',
    code: 'fr-invoice/no-euro',
    severity: 'error',
    at: ['/alternate-totals'],
    formula: 'currency ≠ EUR: alternate-totals with currency EUR and the amount of a subtotal of type tax',
    source: 'BR-FR-CO-12; the place of the amount is that of the UBL and CII mappings',
    profiles: ['fr-2026'],
    passes: {
      set: {
        ...{ [CURRENCY_AT]: 'CHF', [TOTALS_CURRENCY]: 'CHF', '/document/currency-taxes': 'EUR' },
        '/alternate-totals': [{ currency: 'EUR', subtotals: [{ type: 'tax', amount: 36.1 }] }],
      },
    },
    fails: { set: { [CURRENCY_AT]: 'CHF', [TOTALS_CURRENCY]: 'CHF', '/document/currency-taxes': 'EUR' } },
    test: ({ header: { currency }, payload }, broken) => {
      if (isForeign(currency) && !isTaxStated(payload, 'EUR')) broken('/alternate-totals', { currency });
    },
  },
  {
    id: 'FR-CUR-2c',
    code: 'fr-invoice/no-tax-in-its-currency',
    severity: 'error',
    at: ['/alternate-totals'],
    formula: 'currency-taxes ≠ currency: alternate-totals with that currency and the amount of a subtotal of type tax',
    source: 'EN 16931 BR-53; the place of the amount is that of the UBL and CII mappings',
    profiles: ['fr-2026'],
    unless: { document: ['FR-CUR-1', 'FR-CUR-2', 'FR-CUR-2b'] },
    passes: {
      set: {
        '/document/currency-taxes': 'CHF',
        '/alternate-totals': [{ currency: 'CHF', subtotals: [{ type: 'tax', amount: 32.1 }] }],
      },
    },
    fails: { set: { '/document/currency-taxes': 'CHF' } },
    test: ({ header: { currency }, payload }, broken) => {
      const taxes = textAt(payload, 'document', 'currency-taxes');
      if (currency === undefined || taxes === undefined || taxes === currency) return;
      if (!isTaxStated(payload, taxes)) broken('/alternate-totals', { currency: taxes });
    },
  },
];

const TYPE_AT = '/document/document-type';
const INFO_AT = '/document/additional-info/*/value';

/** The type (BT-3): one code of the closed list, of the class of the document. It is optional: the contract maps the class to a type by itself. */
const typeRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-TYP-1',
    code: 'fr-invoice/type-and-class',
    severity: 'error',
    at: [TYPE_AT, INFO_AT],
    source: 'BR-FR-04; the pairing with classes follows GOBL regimes/fr',
    profiles: ['fr-2026'],
    passes: { set: { [TYPE_AT]: '380' } },
    fails: { set: { [TYPE_AT]: '381' } },
    test: ({ header: { typeCodes }, class: documentClass, payload }, broken) => {
      const another = () => ({ class: documentClass, types: typesOf(documentClass).join(', ') });
      const word = textAt(payload, 'document', 'document-type')?.trim() ?? '';
      if (isClassWord(word) && word !== documentClass) broken(TYPE_AT, another());
      for (const { code, at } of typeCodes) {
        const own = classOfType(code);
        if (own !== undefined && own !== documentClass) broken(at, another());
      }
    },
  },
  {
    id: 'FR-TYP-1b',
    code: 'fr-invoice/unknown-type',
    severity: 'error',
    at: [TYPE_AT, INFO_AT],
    formula: TYPE_CODES.join(' '),
    source: 'BR-FR-04',
    profiles: ['fr-2026'],
    passes: { set: { '/document/additional-info': [{ key: 'type-code', value: '386' }] } },
    fails: { set: { '/document/additional-info': [{ key: 'type-code', value: '325' }] } },
    test: ({ header: { typeCodes } }, broken) => {
      for (const { code, at } of typeCodes) {
        if (classOfType(code) === undefined) broken(at, { types: TYPE_CODES.join(', ') });
      }
    },
  },
  {
    id: 'FR-TYP-1c',
    code: 'fr-invoice/two-types',
    severity: 'error',
    at: [INFO_AT],
    source: 'BT-3 of EN 16931 occurs once',
    profiles: ['fr-2026'],
    passes: { set: { [TYPE_AT]: '386', '/document/additional-info': [{ key: 'type-code', value: '386' }] } },
    fails: { set: { [TYPE_AT]: '380', '/document/additional-info': [{ key: 'type-code', value: '386' }] } },
    test: ({ header: { typeCodes, type: first = '' } }, broken) => {
      for (const { code, at } of typeCodes) if (code !== first) broken(at, { first });
    },
  },
];

/** Numbers, dates, currencies, types, billing frames. */
export const headerRules: readonly Rule<InvoiceView>[] = [
  ...numberRules,
  ...dateRules,
  ...currencyRules,
  ...typeRules,
  ...frameRules,
];

/** The alternate totals have the VAT in this currency. */
function isTaxStated(payload: InvoiceView['payload'], currency: string): boolean {
  const totals = listAt(payload, 'alternate-totals').filter((one) => textAt(one, 'currency') === currency);
  const taxes = totals.flatMap((one) => listAt(one, 'subtotals')).filter((one) => textAt(one, 'type') === 'tax');
  return taxes.some((one) => valueAt(one, ['amount']) !== undefined);
}

/** A currency other than the euro: VAT must be stated in euros too. */
function isForeign(currency: string | undefined): currency is string {
  return currency !== undefined && isCurrency(currency) && currency !== 'EUR';
}

function otherThan(known: string | undefined, code: string | undefined): string | undefined {
  return code === known ? undefined : code;
}
