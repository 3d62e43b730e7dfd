/**
 * Rules of the payments in a French e-report: amounts, currencies, rates and references, for both kinds of operations.
 * Each rule names its source; `passes` and `fails` are examples that a test runs.
 */

import { isFrenchRate, RATES_TEXT } from '../../code-lists/vat-rates.ts';
import { dayAt, textAt } from '../../content/json-pointer.ts';
import { decimalsWithin, digitsWithin } from '../decimal-rules.ts';
import type { Rule } from '../rule-pack.ts';
import type { ReportView } from '../views/report-view.ts';

/** Of the number of an invoice (G1.05). */
const LONGEST_INVOICE = 35;
const PAYMENTS = '/operations/*/payments/*';
const INTERNATIONAL = '/operations/international';
/** Of a report or an invoice (G1.05, G1.104): single blanks between letters, digits and + - _ / only. */
export function isNumberUpTo(longest: number, text: string): boolean {
  return text.length <= longest && /^[A-Za-z0-9+\-_/]+(?: [A-Za-z0-9+\-_/]+)*$/.test(text);
}

/** A payment with a counterparty abroad, for examples. */
const FOREIGN = {
  ...{ type: 'payment', date: '2026-10-05T10:00:00Z', amount: 100, currency: 'EUR', percent: 20 },
  references: [{ type: 'invoice', identifier: 'F2026-00044', date: '2026-09-28' }],
};

/** Payments abroad name their invoices, payments of consumers never do (DGFiP flow 10). */
export const paymentRules: readonly Rule<ReportView>[] = [
  {
    id: 'FR-REP-4',
    code: 'fr-report/no-payments',
    severity: 'error',
    at: ['/operations'],
    formula: 'transactions or payments, never both; the contract carries payments only',
    source: 'DGFiP G6.29, G8.01',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/operations/consumer/payments': [] } },
    test: ({ payments }, broken) => {
      if (payments.length === 0) broken('/operations');
    },
  },
  {
    id: 'FR-REP-5',
    code: 'fr-report/negative-payment',
    severity: 'error',
    at: [`${PAYMENTS}/amount`],
    formula: 'amount ≥ 0, VAT included, one payment per rate',
    source: 'DGFiP G1.16',
    profiles: ['fr-2026'],
    passes: { set: { '/operations/consumer/payments/0/amount': 0 } },
    fails: { set: { '/operations/consumer/payments/0/amount': -120 } },
    test: ({ payments }, broken) => {
      for (const { at, amount } of payments) if (amount && amount.units < 0) broken(`${at}/amount`);
    },
  },
  {
    id: 'FR-REP-5b',
    code: 'fr-report/too-many-decimals',
    severity: 'error',
    at: [`${PAYMENTS}/amount`],
    formula: 'at most 6 decimals and 19 digits',
    source: 'DGFiP G1.16',
    profiles: ['fr-2026'],
    passes: { set: { '/operations/consumer/payments/0/amount': 120.123456 } },
    fails: { set: { '/operations/consumer/payments/0/amount': 120.1234567 } },
    test: ({ payments }, broken) => {
      for (const { at, amount } of payments) {
        if (!amount) continue;
        decimalsWithin(6, amount, `${at}/amount`, broken);
        digitsWithin(19, amount, `${at}/amount`, broken);
      }
    },
  },
  {
    id: 'FR-REP-5c',
    code: 'fr-report/no-amount',
    severity: 'error',
    at: [`${PAYMENTS}/amount`],
    source: 'DGFiP G1.16; the amount received, VAT included',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/operations/consumer/payments/0/amount': null } },
    test: ({ payments }, broken) => {
      for (const { at, payment, amount } of payments) {
        if (amount === undefined && textAt(payment, 'amount') === undefined) broken(`${at}/amount`);
      }
    },
  },
  {
    id: 'FR-REP-6',
    code: 'fr-report/not-in-euro',
    severity: 'error',
    at: [`${PAYMENTS}/currency`],
    source: 'DGFiP G6.27',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/operations/consumer/payments/0/currency': 'USD' } },
    test: ({ payments }, broken) => {
      for (const { at, payment } of payments) if (textAt(payment, 'currency') !== 'EUR') broken(`${at}/currency`);
    },
  },
  {
    id: 'FR-REP-6b',
    code: 'fr-report/unknown-vat-rate',
    severity: 'error',
    at: [`${PAYMENTS}/percent`],
    source: 'DGFiP G1.24',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/operations/consumer/payments/0/percent': 0.2 } },
    test: ({ payments }, broken) => {
      for (const { at, payment, percent } of payments) {
        const isWrong = percent ? !isFrenchRate(percent) : textAt(payment, 'percent') === undefined;
        if (isWrong) broken(`${at}/percent`, { rates: RATES_TEXT });
      }
    },
  },
  {
    id: 'FR-REP-7',
    code: 'fr-report/payment-without-invoice',
    severity: 'error',
    at: ['/operations/international/payments/*/references'],
    source: 'DGFiP flow 10, payments per invoice; gobl.fr.ctc flow 10',
    profiles: ['fr-2026'],
    passes: { set: { [INTERNATIONAL]: { payments: [FOREIGN] } } },
    fails: {
      set: {
        [INTERNATIONAL]: { payments: [{ ...FOREIGN, references: [{ type: 'invoice', identifier: 'F2026-00044' }] }] },
      },
    },
    test: ({ payments }, broken) => {
      for (const { at, of, references } of payments) {
        const named = references.some((one) => textAt(one, 'identifier') && dayAt(one, 'date'));
        if (of === 'international' && !named) broken(`${at}/references`);
      }
    },
  },
  {
    id: 'FR-REP-7c',
    code: 'fr-report/invoice-number',
    severity: 'error',
    at: [`${PAYMENTS}/references/*/identifier`],
    formula: '[A-Za-z0-9 +-_/], 1 to 35, no blank at either end, no two blanks in a row',
    source: 'DGFiP G1.05',
    profiles: ['fr-2026'],
    passes: { set: { [INTERNATIONAL]: { payments: [FOREIGN] } } },
    fails: {
      set: {
        [INTERNATIONAL]: { payments: [{ ...FOREIGN, references: [{ identifier: 'N°44', date: '2026-09-28' }] }] },
      },
    },
    test: ({ payments }, broken) => {
      for (const { at, references } of payments) {
        references.forEach((one, i) => {
          const number = textAt(one, 'identifier');
          if (number !== undefined && !isNumberUpTo(LONGEST_INVOICE, number)) {
            broken(`${at}/references/${i}/identifier`);
          }
        });
      }
    },
  },
  {
    id: 'FR-REP-7b',
    code: 'fr-report/consumer-payment-with-invoice',
    severity: 'error',
    at: ['/operations/consumer/payments/*/references'],
    source: 'DGFiP flow 10, payments per transaction; gobl.fr.ctc flow 10',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/operations/consumer/payments/0/references': FOREIGN.references } },
    test: ({ payments }, broken) => {
      for (const { at, of, references } of payments) {
        if (of === 'consumer' && references.length > 0) broken(`${at}/references`);
      }
    },
  },
  {
    id: 'FR-REP-8b',
    code: 'fr-report/missing-field',
    severity: 'error',
    at: [`${PAYMENTS}/date`],
    source: 'DGFiP flow 10: a payment has its day',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/operations/consumer/payments/0/date': null } },
    test: ({ payments }, broken) => {
      for (const { at, payment } of payments) {
        if (textAt(payment, 'date') === undefined) broken(`${at}/date`, { field: 'date' });
      }
    },
  },
  {
    id: 'FR-REP-8c',
    code: 'fr-report/payment-in-future',
    severity: 'error',
    at: [`${PAYMENTS}/date`],
    formula: 'date ≤ today in Europe/Paris',
    source: 'an inference: a report has payments that were received',
    profiles: ['fr-2026'],
    passes: { set: { '/operations/consumer/payments/0/date': '2026-11-20T23:00:00' }, today: '2026-11-20' },
    fails: { set: { '/operations/consumer/payments/0/date': '2026-11-21T10:00:00' }, today: '2026-11-20' },
    test: ({ payments, today }, broken) => {
      for (const { at, payment } of payments) {
        const day = dayAt(payment, 'date');
        if (day !== undefined && day > today) broken(`${at}/date`, { today });
      }
    },
  },
  {
    id: 'FR-REP-8',
    code: 'fr-report/payment-outside-period',
    severity: 'warning',
    at: [`${PAYMENTS}/date`],
    source: 'an inference: no public rule set tests it',
    profiles: ['fr-2026'],
    unless: { document: ['FR-REP-3'], field: ['FR-REP-8c'] },
    passes: { set: { '/operations/consumer/payments/0/date': '2026-10-31T23:00:00' } },
    fails: { set: { '/operations/consumer/payments/0/date': '2026-11-01T10:00:00' } },
    test: ({ payments, start, end }, broken) => {
      if (!start || !end) return;
      for (const { at, payment } of payments) {
        const day = dayAt(payment, 'date');
        if (day && (day < start.slice(0, 10) || day > end.slice(0, 10))) broken(`${at}/date`);
      }
    },
  },
];
