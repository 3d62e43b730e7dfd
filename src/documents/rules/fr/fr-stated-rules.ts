/**
 * Totals that a French invoice states next to its final amount (totals.additional-info) and the amounts of its payment
 * agreements: what the buyer pays. Nothing is asked for that is not stated, except what the stated totals need.
 */
import { Decimal } from '../../../model/decimal.ts';
import type { Example } from '../../../model/rule.ts';
import { decimalAt, textAt } from '../../content/json-pointer.ts';
import { decimalsWithin, digitsWithin } from '../decimal-rules.ts';
import { offering } from '../rule-faults.ts';
import type { Report, Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import { expectedDue } from '../views/stated-view.ts';
import type { SubtotalView } from '../views/totals-view.ts';

const STATED_AT = ['/totals/additional-info/*/value'];
/** Where one of these is stated, the totals of EN 16931 are, and the amount to pay is part of them. */
const ASKS_FOR_PAYABLE = ['tax-exclusive-amount', 'prepaid-amount', 'rounding-amount'] as const;

const COMPARE = {
  en: 'compare with the totals of the export; an amount that the mapping states is best calculated there from the others',
  fr: 'comparez avec les totaux de l’export ; un montant donné par le fichier de correspondance s’y calcule de préférence à partir des autres',
  es: 'compare con los totales de la exportación; un importe que da el archivo de correspondencias conviene calcularlo a partir de los demás',
};

export const statedRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-TOT-9',
    code: 'fr-invoice/stated-total-mismatch',
    says: {
      en: 'the total without VAT is {expected}',
      fr: 'le total hors TVA est {expected}',
      es: 'el total sin IVA es {expected}',
    },
    hint: COMPARE,
    severity: 'error',
    at: STATED_AT,
    formula: 'tax-exclusive-amount = lines-net-amount − discounts + charges on the document',
    source: 'EN 16931 BR-CO-13',
    profiles: ['fr-2026'],
    unless: { amount: ['FR-TOT-1'] },
    passes: { set: stated('tax-exclusive-amount', '188.32', '222.59') },
    fails: { set: stated('tax-exclusive-amount', '188.30', '222.59') },
    test: ({ totals }, broken) => {
      if (!totals.stated['tax-exclusive-amount']) return;
      const { net, adjustments } = totals;
      if (net?.amount && adjustments) holds(totals, 'tax-exclusive-amount', net.amount.plus(adjustments), broken);
    },
  },
  {
    id: 'FR-TOT-9b',
    code: 'fr-invoice/stated-total-mismatch',
    says: {
      en: 'the discounts or charges on the document add up to {expected}',
      fr: 'la somme des remises ou des frais du document est {expected}',
      es: 'los descuentos o cargos del documento suman {expected}',
    },
    hint: COMPARE,
    severity: 'error',
    at: STATED_AT,
    formula:
      'discounts-amount = Σ subtotals of sign negative, charges-amount = Σ of sign positive, net and taxes left out',
    source: 'EN 16931 BR-CO-11, BR-CO-12',
    profiles: ['fr-2026'],
    passes: { set: stated('discounts-amount', '0', '222.59') },
    fails: { set: stated('discounts-amount', '5', '222.59') },
    test: ({ totals }, broken) => {
      const { others, stated: all } = totals;
      if (!all['discounts-amount'] && !all['charges-amount']) return;
      if (others.some(({ amount, beforeTaxes }) => amount === undefined || beforeTaxes !== true)) return;
      const [less, more] = [others.filter(isDiscount), others.filter((one) => !isDiscount(one))];
      holds(totals, 'discounts-amount', sumOf(less.map(({ amount }) => amount!)), broken);
      holds(totals, 'charges-amount', sumOf(more.map(({ amount }) => amount!)), broken);
    },
  },
  {
    id: 'FR-TOT-10',
    code: 'fr-invoice/payable-mismatch',
    says: {
      en: 'the amount to pay is {expected}',
      fr: 'le montant à payer est {expected}',
      es: 'el importe a pagar es {expected}',
    },
    hint: COMPARE,
    severity: 'error',
    at: STATED_AT,
    formula: 'payable-amount = final-amount − prepaid-amount + rounding-amount',
    source: 'EN 16931 BR-CO-16',
    profiles: ['fr-2026'],
    unless: { amount: ['FR-TOT-6'] },
    passes: { set: stated('prepaid-amount', '100', '122.59') },
    fails: { set: stated('prepaid-amount', '100', '222.59') },
    test: ({ totals }, broken) => {
      if (!totals.stated['payable-amount']) return;
      const expected = expectedDue(totals.final, totals.stated);
      if (expected) holds(totals, 'payable-amount', expected, broken);
    },
  },
  {
    id: 'FR-TOT-10b',
    code: 'fr-invoice/no-payable-amount',
    says: {
      en: 'other totals are stated, and the amount to pay is not',
      fr: 'd’autres totaux sont donnés, mais pas le montant à payer',
      es: 'se dan otros totales, pero no el importe a pagar',
    },
    hint: {
      en: 'add { key: payable-amount, value: ... } to totals.additional-info: the final amount less what was paid before',
      fr: 'ajoutez { key: payable-amount, value: … } à totals.additional-info : le montant final moins ce qui a déjà été payé',
      es: 'agregue { key: payable-amount, value: … } a totals.additional-info: el importe final menos lo ya pagado',
    },
    severity: 'error',
    at: ['/totals/additional-info'],
    formula: `payable-amount where one of ${ASKS_FOR_PAYABLE.join(', ')} is stated`,
    source: 'EN 16931 BR-15',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/totals/additional-info': [{ key: 'prepaid-amount', value: '100' }] } },
    test: ({ totals: { stated: all } }, broken) => {
      if (all['payable-amount'] === undefined && ASKS_FOR_PAYABLE.some((key) => all[key])) {
        broken('/totals/additional-info');
      }
    },
  },
  {
    id: 'FR-TOT-11',
    code: 'fr-invoice/stated-total-format',
    says: {
      en: 'this is no amount of at most two decimals and 19 digits, with a point',
      fr: 'ce n’est pas un montant d’au plus deux décimales et 19 chiffres, avec un point',
      es: 'esto no es un importe de dos decimales y 19 dígitos como máximo, con punto',
    },
    hint: {
      en: 'make the column a number in the mapping (source.columns), and round it: = ROUND($Column, 2)',
      fr: 'déclarez la colonne comme nombre dans le fichier de correspondance (source.columns), et arrondissez : = ARRONDI($Colonne; 2)',
      es: 'declare la columna como número en el archivo de correspondencias (source.columns) y redondee: = REDONDEAR($Columna; 2)',
    },
    severity: 'error',
    at: STATED_AT,
    source: 'BR-FR-DEC-01 (BT-107 to BT-109, BT-113 to BT-115)',
    profiles: ['fr-2026'],
    unless: { field: ['FR-TOT-9', 'FR-TOT-9b', 'FR-TOT-10'] },
    passes: { set: stated('tax-exclusive-amount', '188.320', '222.59') },
    fails: { set: stated('tax-exclusive-amount', '188,32', '222.59') },
    test: ({ totals: { stated: all } }, broken) => {
      for (const { at, amount } of Object.values(all)) {
        if (amount === undefined) broken(at);
        else {
          let isLong = false;
          const see = () => (isLong = true);
          decimalsWithin(2, amount, at, see);
          digitsWithin(19, amount, at, see);
          if (isLong) broken(at);
        }
      }
    },
  },
  {
    id: 'FR-TOT-12',
    code: 'fr-invoice/payable-mismatch',
    says: {
      en: 'the agreements on payment ask for another amount than is to be paid, {expected}',
      fr: 'les conditions de paiement demandent un autre montant que celui à payer, {expected}',
      es: 'los acuerdos de pago piden otro importe que el que se debe pagar, {expected}',
    },
    hint: {
      en: 'give each agreement the whole amount to pay, or amounts that add up to it; without an amount nothing is compared',
      fr: 'donnez à chaque accord le montant total à payer, ou des montants dont la somme le fait ; sans montant rien n’est comparé',
      es: 'dé a cada acuerdo todo el importe a pagar, o importes que lo sumen; sin importe no se compara nada',
    },
    severity: 'error',
    at: ['/agreements/*/amount'],
    formula: 'agreements of type payment: each amount = what is to be paid, or Σ amount = what is to be paid',
    source: 'EN 16931 BR-CO-16 (BT-115); that the agreement carries it is an inference',
    profiles: ['fr-2026'],
    unless: { document: ['FR-TOT-6', 'FR-TOT-10'] },
    passes: {
      set: {
        '/agreements': [
          { type: 'payment', amount: 100 },
          { type: 'payment', amount: 122.59 },
        ],
      },
    },
    fails: { set: { '/agreements': [{ type: 'payment', amount: 220 }] } },
    test: ({ agreements, header, totals }, broken) => {
      if (agreements.length === 0) return;
      const { due } = totals;
      if (due === undefined) return;
      const asked = agreements.flatMap((one, i) => {
        const amount = decimalAt(one, 'amount');
        const currency = textAt(one, 'currency') ?? header.currency;
        const isPayment = (textAt(one, 'type') ?? 'payment') === 'payment' && currency === header.currency;
        return amount && isPayment ? [{ amount, at: `/agreements/${i}/amount` }] : [];
      });
      if (asked.length === 0 || asked.every(({ amount }) => amount.equals(due))) return;
      const sum = sumOf(asked.map(({ amount }) => amount));
      if (!sum.equals(due)) broken(asked[0]!.at, { expected: due.toText(2) }, sum.minus(due));
    },
  },
  {
    id: 'FR-TOT-13',
    code: 'fr-invoice/no-reason',
    says: {
      en: 'a discount or charge on the document needs a reason: its code or its words',
      fr: 'une remise ou des frais sur le document doivent avoir un motif, code ou libellé',
      es: 'un descuento o cargo del documento necesita un motivo, su código o su descripción',
    },
    hint: {
      en: 'give reason: { description: ... } to the subtotal in the mapping',
      fr: 'donnez reason: { description: … } au sous-total dans le fichier de correspondance',
      es: 'indique reason: { description: … } en el subtotal del archivo de correspondencias',
    },
    severity: 'error',
    at: ['/totals/subtotals/*/reason'],
    formula: 'subtotals before taxes other than lines-net-amount: code or words',
    source: 'EN 16931 BR-33, BR-38',
    profiles: ['fr-2026'],
    passes: { set: discounted({ description: 'Remise de fin d’année' }) },
    fails: { set: discounted() },
    test: ({ totals: { others } }, broken) => {
      for (const { at, beforeTaxes, reason } of others) {
        if (beforeTaxes === false) continue;
        if ((textAt(reason, 'identifier') ?? textAt(reason, 'description')) === undefined) broken(`${at}/reason`);
      }
    },
  },
];

/** Fails where the total is stated and is another. */
function holds(
  { stated: all }: InvoiceView['totals'],
  key: keyof InvoiceView['totals']['stated'],
  expected: Decimal,
  broken: Report,
): void {
  const one = all[key];
  if (!one?.amount || one.amount.equals(expected)) return;
  const text = expected.toText(2);
  broken(one.at, { expected: text, ...offering(text) }, one.amount.minus(expected));
}

function isDiscount({ sign }: SubtotalView): boolean {
  return sign === 'negative';
}

function sumOf(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((sum, amount) => sum.plus(amount), Decimal.zero);
}

/** The total, and the amount to pay. */
function stated(key: string, value: string, payable: string): Example['set'] {
  return {
    '/totals/additional-info': [
      { key, value },
      { key: 'payable-amount', value: payable },
    ],
  };
}

/** A discount on the document, which its totals take account of. */
function discounted(reason?: object): Example['set'] {
  const tax = { type: 'tax', class: 'vat', subtype: 'standard', percent: 20 };
  const discount = {
    type: 'discount',
    class: 'net',
    'before-taxes': true,
    sign: 'negative',
    amount: 10,
    subtotals: [tax],
  };
  return {
    '/totals/subtotals/2': reason ? { ...discount, reason } : discount,
    '/totals/subtotals/1/subtotals/0/taxable-amount': 154.97,
    '/totals/subtotals/1/subtotals/0/amount': 30.99,
    '/totals/subtotals/1/amount': 32.27,
    '/totals/final-amount': 210.59,
  };
}
