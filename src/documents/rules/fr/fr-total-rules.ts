/** The sums of a French invoice, exact to the cent; where the tax side allows a tolerance, the rule names it. */
import { Decimal } from '../../../model/decimal.ts';
import { textAt, valueAt } from '../../content/json-pointer.ts';
import { repeated } from '../duplicate-keys.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { SubtotalView, TotalsView } from '../views/totals-view.ts';

const CENT = Decimal.from(0.01);
const NESTED = '/totals/subtotals/*/subtotals/*';

const COMPARE = {
  en: 'compare with the lines; does the ERP reckon VAT per line, or hold back a discount? Totals of the export are mended there; those that the mapping makes come right with totals: { standard: ... }',
  fr: 'comparez avec les lignes ; l’ERP calcule-t-il la TVA par ligne, ou retient-il une remise ? Les totaux de l’export se corrigent dans l’ERP ; ceux de la correspondance, par totals: { standard: … }',
  es: 'compare con las líneas; ¿el ERP calcula el IVA por línea o retiene un descuento? Los totales de la exportación se corrigen en el ERP; los de la correspondencia, con totals: { standard: … }',
};

export const totalRules: readonly Rule<InvoiceView>[] = [
  {
    // The usage pattern of the contract, tested where the document keeps to it: one net subtotal, one of taxes.
    id: 'FR-WIRE-2',
    code: 'fr-invoice/total-mismatch',
    says: {
      en: 'the final amount is not the net amount plus the taxes',
      fr: 'le montant final n’est pas le montant net plus les taxes',
      es: 'el importe final no es el importe neto más los impuestos',
    },
    hint: {
      en: 'compare final-amount with the subtotals of type lines-net-amount and tax',
      fr: 'comparez final-amount avec les sous-totaux de type lines-net-amount et tax',
      es: 'compare final-amount con los subtotales de tipo lines-net-amount y tax',
    },
    severity: 'warning',
    at: ['/totals/final-amount'],
    formula: 'final-amount = lines-net-amount + tax',
    source: 'french-invoicing 2.2',
    profiles: ['wire'],
    passes: { set: {} },
    fails: { set: { '/totals/final-amount': 222.6 } },
    test: ({ totals: { final, net, tax, subtotals } }, broken) => {
      if (subtotals.length !== 2 || subtotals.some(({ sign = 'positive' }) => sign !== 'positive')) return;
      const expected = net?.amount && tax?.amount ? net.amount.plus(tax.amount) : undefined;
      if (final && expected && !final.equals(expected)) broken('/totals/final-amount');
    },
  },
  {
    id: 'FR-TOT-1',
    code: 'fr-invoice/net-sum-mismatch',
    says: {
      en: 'the net amounts of the lines add up to {expected}',
      fr: 'la somme des montants nets des lignes est {expected}',
      es: 'los importes netos de las líneas suman {expected}',
    },
    hint: COMPARE,
    severity: 'error',
    at: ['/totals/subtotals/*/amount'],
    formula: 'lines-net-amount = round2(Σ net-amount)',
    source: 'EN 16931 BR-CO-10',
    profiles: ['fr-2026'],
    unless: { amount: ['FR-LIN-4'] },
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/0/amount': 188.31 } },
    test: ({ lines, totals: { net } }, broken) => {
      if (!net?.amount || lines.length === 0) return;
      let sum = Decimal.zero;
      for (const line of lines) {
        if (line.net === undefined) return;
        sum = sum.plus(line.net);
      }
      const expected = sum.round(2);
      if (!expected.equals(net.amount)) {
        broken(`${net.at}/amount`, { expected: sum.toText(2) }, net.amount.minus(expected));
      }
    },
  },
  {
    id: 'FR-TOT-2',
    code: 'fr-invoice/base-mismatch',
    says: {
      en: 'the lines at this rate add up to {expected}',
      fr: 'la somme des lignes à ce taux est {expected}',
      es: 'las líneas con esta tasa suman {expected}',
    },
    hint: COMPARE,
    severity: 'error',
    at: [`${NESTED}/taxable-amount`],
    formula:
      'taxable-amount = Σ net-amount of the lines with the same treatment and rate − Σ discounts + Σ charges of the document at that rate; not told where one of them does not say its rate',
    source: 'EN 16931 BR-S-08, BR-Z-08, BR-E-08, BR-AE-08, BR-IC-08, BR-G-08, BR-O-08',
    profiles: ['fr-2026'],
    unless: {
      document: ['FR-LIN-1b', 'FR-VAT-1', 'FR-VAT-2b', 'FR-VAT-3'],
      amount: ['FR-LIN-4', 'FR-TOT-1', 'FR-TOT-7b'],
    },
    passes: { set: { '/lines/0/taxes/0/percent': 20 } },
    fails: { set: { '/totals/subtotals/1/subtotals/0/taxable-amount': 164.96 } },
    test: ({ totals }, broken) => {
      const { tax, rates } = totals;
      if (!tax || !rates) return;
      for (const one of tax.nested) {
        const expected = (rates.get(one.rateKey)?.net ?? Decimal.zero).round(2);
        if (one.taxable && !one.taxable.equals(expected)) {
          broken(`${one.at}/taxable-amount`, { expected: expected.toText(2) }, one.taxable.minus(expected));
        }
      }
    },
  },
  {
    id: 'FR-TOT-3',
    code: 'fr-invoice/vat-mismatch',
    says: {
      en: 'VAT at this rate is {expected}, and the amount is further off than rounding per line explains',
      fr: 'la TVA à ce taux est {expected}, et l’écart dépasse ce qu’un arrondi par ligne explique',
      es: 'el IVA con esta tasa es {expected}, y la diferencia supera lo que explica un redondeo por línea',
    },
    hint: COMPARE,
    severity: 'error',
    at: [`${NESTED}/amount`],
    formula:
      '|amount − round2(taxable-amount × percent / 100)| ≤ 0.01 × lines, discounts and charges at the rate; halves round away from zero',
    source: 'EN 16931 BR-CO-17, BR-S-09; EXTENDED-CTC-FR BR-S-09',
    profiles: ['fr-2026'],
    unless: { block: ['FR-VAT-1', 'FR-VAT-2b', 'FR-VAT-3', 'FR-TOT-2'] },
    passes: { set: { '/totals/subtotals/1/subtotals/0/amount': 32.98 } },
    fails: { set: { '/totals/subtotals/1/subtotals/0/amount': 32.9 } },
    test: ({ totals }, broken) => {
      eachOff(totals, (one, off, expected, lines) => {
        if (off.abs().compare(CENT.times(Decimal.from(lines))) > 0)
          broken(`${one.at}/amount`, { expected: expected.toText(2) }, off);
      });
    },
  },
  {
    id: 'FR-TOT-3b',
    code: 'fr-invoice/vat-rounding',
    says: {
      en: 'VAT at this rate is {expected}, the amount is off by rounding',
      fr: 'la TVA à ce taux est {expected}, l’écart vient de l’arrondi',
      es: 'el IVA con esta tasa es {expected}, la diferencia es de redondeo',
    },
    hint: {
      en: 'where the prices include tax, nothing to do; else calculate VAT once per rate, not per line, as totals: { standard: ... } does; the tax side accepts the difference',
      fr: 'si les prix sont TTC, rien à faire ; sinon calculez la TVA une fois par taux, pas par ligne, comme totals: { standard: … } le fait ; l’administration accepte l’écart',
      es: 'si los precios incluyen impuestos, nada que hacer; si no, calcule el IVA una vez por tasa, no por línea, como hace totals: { standard: … }; la administración acepta la diferencia',
    },
    severity: 'warning',
    at: [`${NESTED}/amount`],
    formula:
      'amount = round2(taxable-amount × percent / 100); not reported where totals: { standard: { gross: ... } } makes the amount',
    source: 'EN 16931 BR-CO-17',
    profiles: ['fr-2026'],
    unless: { block: ['FR-VAT-1', 'FR-TOT-2'] },
    passes: { set: {} },
    fails: {
      set: {
        '/totals/subtotals/1/subtotals/0/amount': 32.98,
        '/totals/subtotals/1/amount': 34.26,
        '/totals/final-amount': 222.58,
      },
    },
    test: ({ totals, isTaxFromGross }, broken) => {
      // The total that the ERP asked for is kept to the cent: there is nothing to calculate in another way.
      if (isTaxFromGross) return;
      eachOff(totals, (one, off, expected, lines) => {
        if (off.abs().compare(CENT.times(Decimal.from(lines))) <= 0) {
          broken(`${one.at}/amount`, { expected: expected.toText(2) }, off);
        }
      });
    },
  },
  {
    id: 'FR-TOT-4',
    code: 'fr-invoice/vat-sum-mismatch',
    says: {
      en: 'VAT of all rates adds up to {expected}',
      fr: 'la somme de la TVA de tous les taux est {expected}',
      es: 'el IVA de todas las tasas suma {expected}',
    },
    hint: COMPARE,
    severity: 'error',
    at: ['/totals/subtotals/*/amount'],
    formula: 'tax = Σ amount of the rates',
    source: 'EN 16931 BR-CO-14',
    profiles: ['fr-2026'],
    unless: { document: ['FR-TOT-7b'], amount: ['FR-TOT-3', 'FR-TOT-3b'] },
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/1/amount': 34.28 } },
    test: ({ totals: { tax } }, broken) => {
      if (!tax?.amount || tax.nested.length === 0) return;
      const expected = sumOf(tax.nested, 'amount');
      if (expected && !expected.equals(tax.amount)) {
        broken(`${tax.at}/amount`, { expected: expected.toText(2) }, tax.amount.minus(expected));
      }
    },
  },
  {
    id: 'FR-TOT-5',
    code: 'fr-invoice/bases-mismatch',
    says: {
      en: 'the taxable amounts of the rates add up to {found}, the net amount is {expected}',
      fr: 'la somme des bases des taux est {found}, le montant net est {expected}',
      es: 'las bases de las tasas suman {found}, el importe neto es {expected}',
    },
    hint: COMPARE,
    severity: 'error',
    at: ['/totals/subtotals/*/subtotals'],
    formula: '|Σ taxable-amount − net| ≤ 0.01, discounts and charges on the document included in net',
    source: 'DGFiP G1.53',
    profiles: ['fr-2026'],
    unless: { document: ['FR-TOT-7b'], amount: ['FR-TOT-1', 'FR-TOT-2'] },
    passes: { set: { '/totals/subtotals/1/subtotals/0/taxable-amount': 164.98 } },
    fails: {
      set: {
        '/lines/0/taxes': [
          { type: 'vat', percent: 20 },
          { type: 'vat', percent: 20 },
        ],
        '/totals/subtotals/1/subtotals/0/taxable-amount': 164.9,
      },
    },
    test: ({ totals: { net, tax, adjustments } }, broken) => {
      if (!net?.amount || !tax || tax.nested.length === 0 || !adjustments) return;
      const found = sumOf(tax.nested, 'taxable');
      const expected = net.amount.plus(adjustments);
      const off = found?.minus(expected);
      if (off && off.abs().compare(CENT) > 0) {
        broken(`${tax.at}/subtotals`, { found: found!.toText(2), expected: expected.toText(2) }, off);
      }
    },
  },
  {
    id: 'FR-TOT-6',
    code: 'fr-invoice/total-mismatch',
    says: {
      en: 'net amount and VAT add up to {expected}',
      fr: 'le montant net et la TVA font {expected}',
      es: 'el importe neto y el IVA suman {expected}',
    },
    hint: COMPARE,
    severity: 'error',
    at: ['/totals/final-amount'],
    formula: 'final-amount = lines-net-amount + discounts and charges on the document + tax',
    source: 'EN 16931 BR-CO-13, BR-CO-15; french-invoicing 2.2',
    profiles: ['fr-2026'],
    unless: { amount: ['FR-TOT-1', 'FR-TOT-3', 'FR-TOT-4'] },
    passes: { set: {} },
    fails: { set: { '/totals/final-amount': 222.6 } },
    test: ({ totals: { final, net, tax, adjustments } }, broken) => {
      if (!final || !net?.amount || !tax?.amount || !adjustments) return;
      const expected = net.amount.plus(adjustments).plus(tax.amount);
      if (!expected.equals(final)) {
        broken('/totals/final-amount', { expected: expected.toText(2) }, final.minus(expected));
      }
    },
  },
  {
    id: 'FR-TOT-6b',
    code: 'fr-invoice/no-final-amount',
    says: {
      en: 'the document has no final amount',
      fr: 'le document n’a pas de montant final',
      es: 'el documento no tiene importe final',
    },
    hint: {
      en: 'give totals: { standard: ... } in the mapping, or the column of the gross total',
      fr: 'donnez totals: { standard: … } dans le fichier de correspondance, ou la colonne du total TTC',
      es: 'indique totals: { standard: … } en el archivo de correspondencias, o la columna del total con impuestos',
    },
    severity: 'error',
    at: ['/totals/final-amount'],
    source: 'EN 16931 BR-14',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/totals/final-amount': null } },
    test: ({ payload }, broken) => {
      if (valueMissing(payload)) broken('/totals/final-amount');
    },
  },
  {
    id: 'FR-TOT-7',
    code: 'fr-invoice/totals-shape',
    says: {
      en: 'totals have one subtotal lines-net-amount before taxes and one subtotal tax with an entry per rate, all of sign positive: {what}',
      fr: 'les totaux ont un sous-total lines-net-amount hors taxes et un sous-total tax avec une entrée par taux, tous de signe positive : {what}',
      es: 'los totales tienen un subtotal lines-net-amount antes de impuestos y un subtotal tax con una entrada por tasa, todos de signo positive: {what}',
    },
    hint: {
      en: 'totals: { standard: ... } makes exactly these blocks; of totals that the export brings, one is missing or too many',
      fr: 'totals: { standard: … } fait exactement ces blocs ; des totaux que l’export apporte, il en manque un ou il y en a un de trop',
      es: 'totals: { standard: … } hace exactamente estos bloques; de los totales que trae la exportación falta o sobra uno',
    },
    severity: 'warning',
    at: [
      '/totals/subtotals',
      '/totals/subtotals/*',
      '/totals/subtotals/*/before-taxes',
      '/totals/subtotals/*/sign',
      `${NESTED}/percent`,
    ],
    source: 'french-invoicing 2.2, as seen in use',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/0/before-taxes': false } },
    test: ({ totals: { net, tax } }, broken) => {
      if (!net) broken('/totals/subtotals', { what: 'lines-net-amount × 1' });
      if (!tax) broken('/totals/subtotals', { what: 'tax × 1' });
      for (const [one, before] of [
        [net, true],
        [tax, false],
      ] as const) {
        if (one && one.beforeTaxes !== undefined && one.beforeTaxes !== before) {
          broken(`${one.at}/before-taxes`, { what: `${one.type} ${before}` });
        }
      }
      for (const one of [net, tax]) {
        if (one?.sign !== undefined && one.sign !== 'positive')
          broken(`${one.at}/sign`, { what: `${one.type} positive` });
      }
      if (tax && tax.nested.length === 0) broken(tax.at, { what: 'tax subtotals' });
      const nested = tax?.nested ?? [];
      for (const n of repeated(nested, ({ rateKey }) => rateKey)) {
        broken(`${nested[n]!.at}/percent`, { what: nested[n]!.percent?.toText() ?? '-' });
      }
    },
  },
  {
    id: 'FR-TOT-7b',
    code: 'fr-invoice/rate-not-in-totals',
    says: {
      en: 'something is taxed as {percent}, and the totals have no entry for it',
      fr: 'un montant est taxé en {percent}, et les totaux n’ont pas d’entrée pour lui',
      es: 'algo está gravado como {percent}, y los totales no tienen una entrada para ello',
    },
    hint: COMPARE,
    severity: 'error',
    at: ['/totals/subtotals', '/totals/subtotals/*/subtotals'],
    source: 'EN 16931 BR-CO-18, BR-S-01, BR-Z-01, BR-E-01, BR-AE-01, BR-IC-01, BR-G-01, BR-O-01',
    profiles: ['fr-2026'],
    unless: { document: ['FR-LIN-1b', 'FR-VAT-1', 'FR-VAT-2b', 'FR-VAT-3'] },
    passes: { set: {} },
    fails: { set: { '/totals/subtotals/1/subtotals/1': null } },
    test: ({ totals: { subtotals, tax, rates } }, broken) => {
      if (!rates || (!tax && subtotals.some(({ type }) => type === 'tax'))) return;
      const told = new Set(tax?.nested.map(({ rateKey }) => rateKey));
      for (const [key, { net }] of rates) {
        if (!told.has(key)) broken(tax ? `${tax.at}/subtotals` : '/totals/subtotals', { percent: key.trim() }, net);
      }
    },
  },
  {
    id: 'FR-TOT-8',
    code: 'fr-invoice/negative-credit-note',
    says: {
      en: 'a credit note has positive amounts',
      fr: 'un avoir a des montants positifs',
      es: 'una nota de crédito tiene importes positivos',
    },
    hint: {
      en: 'turn the signs of quantities and amounts in the mapping, once: = ABS($Column) or = -$Column; prices stay positive',
      fr: 'inversez le signe des quantités et des montants, une seule fois : = ABS($Colonne) ou = -$Colonne ; les prix restent positifs',
      es: 'invierta el signo de cantidades e importes, una sola vez: = ABS($Columna) o = -$Columna; los precios siguen positivos',
    },
    severity: 'warning',
    at: ['/totals/final-amount'],
    source: 'EN 16931, example ubl-tc434-creditnote1; negative amounts belong to a negative invoice or corrective',
    profiles: ['fr-2026'],
    passes: { class: 'credit-note', set: {} },
    fails: { class: 'credit-note', set: { '/totals/final-amount': -222.59 } },
    test: ({ class: documentClass, totals: { final } }, broken) => {
      if (documentClass === 'credit-note' && final !== undefined && final.units < 0) broken('/totals/final-amount');
    },
  },
];

function valueMissing(payload: InvoiceView['payload']): boolean {
  const value = valueAt(payload, ['totals', 'final-amount']);
  return value === undefined || value === null || (typeof value === 'string' && textAt(value) === undefined);
}

type SeeOff = (one: SubtotalView, off: Decimal, expected: Decimal, amounts: number) => void;

/** Where VAT is off: by how much, what it should be, and how many amounts at the rate may have been rounded, at least one. */
function eachOff({ tax, rates }: TotalsView, see: SeeOff): void {
  for (const one of tax?.nested ?? []) {
    const { amount, owed } = one;
    if (!amount || !owed || amount.equals(owed)) continue;
    see(one, amount.minus(owed), owed, rates?.get(one.rateKey)?.amounts ?? 1);
  }
}

function sumOf(rates: readonly SubtotalView[], field: 'amount' | 'taxable'): Decimal | undefined {
  let sum = Decimal.zero;
  for (const one of rates) {
    const value = one[field];
    if (value === undefined) return undefined;
    sum = sum.plus(value);
  }
  return sum;
}
