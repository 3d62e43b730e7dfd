/** Rules of the payments in a French e-report. */

import { isFrenchRate, RATES_TEXT } from '../../code-lists/vat-rates.ts';
import { dayAt, textAt } from '../../content/json-pointer.ts';
import { decimalsWithin, digitsWithin } from '../decimal-rules.ts';
import type { Rule } from '../rule-pack.ts';
import type { ReportView } from '../views/report-view.ts';

const PAYMENTS = '/operations/*/payments/*';
const INTERNATIONAL = '/operations/international';
const FOREIGN = {
  ...{ type: 'payment', date: '2026-10-05T10:00:00Z', amount: 100, currency: 'EUR', percent: 20 },
  references: [{ type: 'invoice', identifier: 'F2026-00044', date: '2026-09-28' }],
};

export const paymentRules: readonly Rule<ReportView>[] = [
  {
    id: 'FR-REP-4',
    code: 'fr-report/no-payments',
    says: {
      en: 'the report holds no payment',
      fr: 'l’e-reporting ne contient aucun paiement',
      es: 'el informe no contiene ningún pago',
    },
    hint: {
      en: 'a period without payments is not reported with an empty list; ask the provider what it wants to hear',
      fr: 'une période sans paiement ne se déclare pas par une liste vide ; demandez au prestataire ce qu’il attend',
      es: 'un período sin pagos no se declara con una lista vacía; pregunte al proveedor qué espera',
    },
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
    says: {
      en: 'the amount received is never negative',
      fr: 'le montant encaissé n’est jamais négatif',
      es: 'el importe cobrado nunca es negativo',
    },
    hint: {
      en: 'net the refund against the payments of the day at the same rate',
      fr: 'compensez le remboursement avec les paiements du jour au même taux',
      es: 'compense el reembolso con los pagos del día a la misma tasa',
    },
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
    says: {
      en: '{has} decimals or digits, and {most} are allowed here',
      fr: '{has} décimales ou chiffres, alors que {most} sont permis ici',
      es: '{has} decimales o dígitos, y aquí se permiten {most}',
    },
    hint: {
      en: 'round the amount in the mapping: = ROUND($Column; 2)',
      fr: 'arrondissez le montant dans le fichier de correspondance : = ROUND($Colonne; 2)',
      es: 'redondee el importe en el archivo de correspondencias: = ROUND($Columna; 2)',
    },
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
    says: {
      en: 'the payment has no amount',
      fr: 'le paiement n’a pas de montant',
      es: 'el pago no tiene importe',
    },
    hint: {
      en: 'fill in the cell, or correct the column in the mapping',
      fr: 'remplissez la cellule, ou corrigez la colonne dans le fichier de correspondance',
      es: 'complete la celda o corrija la columna en el archivo de correspondencias',
    },
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
    says: {
      en: 'payments are reported in EUR',
      fr: 'les paiements se déclarent en EUR',
      es: 'los pagos se declaran en EUR',
    },
    hint: {
      en: 'give currency: EUR, and the amount converted at the rate of the day of the payment',
      fr: 'donnez currency: EUR, et le montant converti au cours du jour du paiement',
      es: 'indique currency: EUR y el importe convertido al cambio del día del pago',
    },
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
    says: {
      en: 'each payment has one French VAT rate; accepted are {rates}',
      fr: 'chaque paiement a un taux de TVA français ; sont acceptés {rates}',
      es: 'cada pago tiene una tasa de IVA francesa; se aceptan {rates}',
    },
    hint: {
      en: 'in percent, 20 and not 0.20; a receipt over several rates is one payment per rate: = ALLOCATE(...) divides it',
      fr: 'en pour cent, 20 et non 0,20 ; un encaissement sur plusieurs taux fait un paiement par taux : = ALLOCATE(…) le répartit',
      es: 'en porcentaje, 20 y no 0.20; un cobro con varias tasas es un pago por tasa: = ALLOCATE(…) lo reparte',
    },
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
    says: {
      en: 'an international payment names its invoice, with number and date',
      fr: 'un paiement international nomme sa facture, avec numéro et date',
      es: 'un pago internacional nombra su factura, con número y fecha',
    },
    hint: {
      en: 'give references: [{ type: invoice, identifier: ..., date: ... }] in the mapping',
      fr: 'donnez references: [{ type: invoice, identifier: …, date: … }] dans le fichier de correspondance',
      es: 'indique references: [{ type: invoice, identifier: …, date: … }] en el archivo de correspondencias',
    },
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
    id: 'FR-REP-7b',
    code: 'fr-report/consumer-payment-with-invoice',
    says: {
      en: 'payments of consumers are summed up per day and rate, and name no invoice',
      fr: 'les paiements des particuliers se cumulent par jour et par taux, et ne nomment aucune facture',
      es: 'los pagos de consumidores se suman por día y tasa, y no nombran ninguna factura',
    },
    hint: {
      en: 'leave references out under consumer; group the rows by day and rate with each: rows by',
      fr: 'retirez references sous consumer ; groupez les lignes par jour et par taux avec each: rows by',
      es: 'quite references en consumer; agrupe las filas por día y tasa con each: rows by',
    },
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
    id: 'FR-REP-8',
    code: 'fr-report/payment-outside-period',
    says: {
      en: 'the payment lies outside the period of the report',
      fr: 'le paiement est hors de la période déclarée',
      es: 'el pago está fuera del período del informe',
    },
    hint: {
      en: 'compare its date with start-date and end-date; it may belong to the report before or after',
      fr: 'comparez sa date avec start-date et end-date ; il relève peut-être du relevé précédent ou suivant',
      es: 'compare su fecha con start-date y end-date; puede pertenecer al informe anterior o siguiente',
    },
    severity: 'warning',
    at: [`${PAYMENTS}/date`],
    source: 'an inference: no public rule set tests it',
    profiles: ['fr-2026'],
    unless: { document: ['FR-REP-3'] },
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
