/** Rules of the lines of a French invoice. */
import { Decimal } from '../../../model/decimal.ts';
import type { Json } from '../../../model/draft.ts';
import { isChargeReason, isDiscountReason } from '../../code-lists/reason-codes.ts';
import { isUnit } from '../../code-lists/unit-codes.ts';
import { TAXED } from '../../code-lists/vat-rates.ts';
import { decimalAt, textAt, valueAt } from '../../content/json-pointer.ts';
import { decimalsWithin, digitsWithin } from '../decimal-rules.ts';
import { repeated } from '../duplicate-keys.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { LineView } from '../views/line-view.ts';

/** What a line has to carry (EN 16931 BR-21 to BR-26, BR-CO-04). */
const PARTS = ['number', 'description', 'quantity', 'unit', 'unit-price', 'net-amount', 'taxes'] as const;
const RATE = 'taxes/*/percent';

const ALTERATIONS = ['discounts', 'charges'] as const;

const AMOUNTS = [
  ...['quantity', 'unit-price', 'net-amount', 'taxes/*/percent', 'taxes/*/amount'].map((field) => `/lines/*/${field}`),
  ...ALTERATIONS.flatMap((kind) => [`/lines/*/${kind}/*/amount`, `/lines/*/${kind}/*/percent`]),
  '/totals/final-amount',
  ...['amount', 'taxable-amount', 'percent'].flatMap((field) => [
    `/totals/subtotals/*/${field}`,
    `/totals/subtotals/*/subtotals/*/${field}`,
  ]),
];

export const lineRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-LIN-1',
    code: 'fr-invoice/no-lines',
    says: {
      en: 'the document has no line',
      fr: 'le document n’a aucune ligne',
      es: 'el documento no tiene ninguna línea',
    },
    hint: {
      en: 'look at the rows of the document in the export: one line each is wanted',
      fr: 'regardez les lignes du document dans l’export : il en faut au moins une',
      es: 'revise las filas del documento en la exportación: se necesita al menos una',
    },
    severity: 'error',
    at: ['/lines'],
    source: 'EN 16931 BR-16',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines': [] } },
    test: ({ lines }, broken) => {
      if (lines.length === 0) broken('/lines');
    },
  },
  {
    id: 'FR-LIN-1b',
    code: 'fr-invoice/line-incomplete',
    says: {
      en: 'the line has no {field}',
      fr: 'la ligne n’a pas de {field}',
      es: 'la línea no tiene {field}',
    },
    hint: {
      en: 'fill in the cell, or give {field} in the mapping',
      fr: 'remplissez la cellule, ou donnez {field} dans le fichier de correspondance',
      es: 'complete la celda o indique {field} en el archivo de correspondencias',
    },
    severity: 'error',
    at: [...PARTS, RATE].map((part) => `/lines/*/${part}`),
    formula: 'of the standard treatment also the rate',
    source: 'EN 16931 BR-21 to BR-26, BR-CO-04; the rate: BT-152',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/0/unit-price': null } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        if (line.isComplete) continue;
        for (const part of PARTS) if (isMissing(line, part)) broken(`${line.at}/${part}`, { field: part });
        for (const tax of line.taxes) {
          if (tax.percent === undefined && TAXED.has(tax.subtype ?? '')) {
            broken(`${tax.at}/percent`, { field: 'taxes.percent' });
          }
        }
      }
    },
  },
  {
    id: 'FR-LIN-1c',
    code: 'fr-invoice/line-number-twice',
    says: {
      en: 'another line of the document has this number',
      fr: 'une autre ligne du document porte ce numéro',
      es: 'otra línea del documento tiene este número',
    },
    hint: {
      en: 'give each line a number of its own',
      fr: 'donnez à chaque ligne son propre numéro',
      es: 'dé a cada línea su propio número',
    },
    severity: 'error',
    at: ['/lines/*/number'],
    source: 'EN 16931 BT-126; that numbers are unique is an inference',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/1/number': '10' } },
    fails: { set: { '/lines/1/number': '1' } },
    test: ({ lines }, broken) => {
      for (const n of repeated(lines, ({ number }) => number)) broken(`${lines[n]!.at}/number`);
    },
  },
  {
    id: 'FR-LIN-2',
    code: 'fr-invoice/too-many-decimals',
    says: {
      en: '{has} decimals, and {most} are allowed here',
      fr: '{has} décimales, alors que {most} sont permises ici',
      es: '{has} decimales, y aquí se permiten {most}',
    },
    hint: {
      en: 'round it in the mapping, e.g. = ROUND($Column; {most}), and see that quantity times price still gives the net amount',
      fr: 'arrondissez-le dans le fichier de correspondance, p. ex. = ARRONDI($Colonne; {most}), et vérifiez que quantité fois prix donne toujours le montant net',
      es: 'redondéelo en el archivo de correspondencias, p. ej. = REDONDEAR($Columna; {most}), y compruebe que cantidad por precio siga dando el importe neto',
    },
    severity: 'error',
    at: AMOUNTS,
    formula: 'quantity at most 4, unit price 6, amounts 2, rates 2 decimals',
    source: 'BR-FR-DEC-01 to DEC-04; DGFiP G1.14 to G1.16',
    profiles: ['fr-2026'],
    unless: {
      field: [
        'FR-LIN-4',
        'FR-VAT-1',
        'FR-VAT-2b',
        'FR-TOT-1',
        'FR-TOT-2',
        'FR-TOT-3',
        'FR-TOT-3b',
        'FR-TOT-4',
        'FR-TOT-6',
      ],
    },
    passes: { set: { '/lines/0/quantity': 12.5 } },
    fails: { set: { '/lines/0/quantity': 12.50001 } },
    test: ({ longAmounts }, broken) => {
      for (const { decimals, value, at } of longAmounts) decimalsWithin(decimals, value, at, broken);
    },
  },
  {
    id: 'FR-LIN-2b',
    code: 'fr-invoice/too-many-digits',
    says: {
      en: '{has} digits, and {most} are allowed here',
      fr: '{has} chiffres, alors que {most} sont permis ici',
      es: '{has} dígitos, y aquí se permiten {most}',
    },
    hint: {
      en: 'compare it with the original: an amount of this length is nearly always two columns read as one',
      fr: 'comparez avec l’original : un montant de cette longueur vient presque toujours de deux colonnes lues comme une seule',
      es: 'compárelo con el original: un importe así de largo casi siempre son dos columnas leídas como una',
    },
    severity: 'error',
    at: AMOUNTS,
    formula: 'at most 19 digits, rates 4',
    source: 'BR-FR-DEC-01 to DEC-04; DGFiP G1.14 to G1.16',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/taxes/0/percent': 20 } },
    fails: { set: { '/lines/0/taxes/0/percent': 20000 } },
    test: ({ longAmounts }, broken) => {
      for (const { digits, value, at } of longAmounts) digitsWithin(digits, value, at, broken);
    },
  },
  {
    id: 'FR-LIN-3',
    code: 'fr-invoice/negative-price',
    says: {
      en: 'a price is never negative',
      fr: 'un prix n’est jamais négatif',
      es: 'un precio nunca es negativo',
    },
    hint: {
      en: 'put the minus on the quantity; a credit note has positive quantities and prices',
      fr: 'mettez le moins sur la quantité ; un avoir a des quantités et des prix positifs',
      es: 'ponga el signo menos en la cantidad; una nota de crédito tiene cantidades y precios positivos',
    },
    severity: 'error',
    at: ['/lines/*/unit-price'],
    formula: 'unit-price ≥ 0',
    source: 'EN 16931 BR-27; BR-FR-DEC-03',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/lines/0/unit-price': -8.4 } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        if (line.unitPrice !== undefined && line.unitPrice.units < 0) broken(`${line.at}/unit-price`);
      }
    },
  },
  {
    id: 'FR-LIN-4',
    code: 'fr-invoice/line-product',
    says: {
      en: 'the net amount is not quantity times price less discounts plus charges, {expected}',
      fr: 'le montant net n’est pas quantité fois prix, moins remises, plus frais, soit {expected}',
      es: 'el importe neto no es cantidad por precio menos descuentos más cargos, {expected}',
    },
    hint: {
      en: 'a discount without a column of its own, or a price per 100 or 1000? give it in the mapping',
      fr: 'une remise sans colonne, ou un prix pour 100 ou 1000 ? donnez-le dans le fichier de correspondance',
      es: '¿un descuento sin columna propia, o un precio por 100 o 1000? indíquelo en el archivo de correspondencias',
    },
    severity: 'warning',
    at: ['/lines/*/net-amount'],
    formula: 'net-amount = round2(quantity × unit-price) − Σ discounts + Σ charges',
    source: 'GOBL bill/line_calculate; no rule of EN 16931, but buyers check it',
    profiles: ['fr-2026'],
    unless: { block: ['FR-LIN-3'] },
    passes: {
      set: {
        '/lines/0/discounts': [{ amount: 5, reason: { description: 'Remise' } }],
        '/lines/0/net-amount': 100,
        '/lines/0/taxes/0/amount': 20,
      },
    },
    fails: { set: { '/lines/0/unit-price': 8.5 } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        const expected = product(line);
        if (expected && line.net && !expected.equals(line.net)) {
          broken(`${line.at}/net-amount`, { expected: expected.toText(2) }, line.net.minus(expected));
        }
      }
    },
  },
  {
    id: 'FR-LIN-5',
    code: 'fr-invoice/no-reason',
    says: {
      en: 'a discount or charge needs a reason: its code or its words',
      fr: 'une remise ou des frais doivent avoir un motif : son code ou son libellé',
      es: 'un descuento o cargo necesita un motivo: su código o su descripción',
    },
    hint: {
      en: 'give reason: { description: ... } in the mapping',
      fr: 'donnez reason: { description: … } dans le fichier de correspondance',
      es: 'indique reason: { description: … } en el archivo de correspondencias',
    },
    severity: 'error',
    at: ALTERATIONS.map((kind) => `/lines/*/${kind}/*/reason`),
    source: 'EN 16931 BR-42, BR-44',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/discounts': [{ amount: 0, reason: { description: 'Remise' } }] } },
    fails: { set: { '/lines/0/discounts': [{ amount: 0 }] } },
    test: ({ lines }, broken) => {
      for (const line of lines) {
        for (const kind of ALTERATIONS) {
          line[kind].forEach((one, i) => {
            const reason = textAt(one, 'reason', 'identifier') ?? textAt(one, 'reason', 'description');
            if (reason === undefined) broken(`${line.at}/${kind}/${i}/reason`);
          });
        }
      }
    },
  },
  {
    id: 'FR-LIN-5b',
    code: 'fr-invoice/unknown-reason-code',
    says: {
      en: 'this code is not in the list of reasons for discounts or charges',
      fr: 'ce code n’est pas dans la liste des motifs de remise ou de frais',
      es: 'este código no está en la lista de motivos de descuento o cargo',
    },
    hint: {
      en: 'discounts UNTDID 5189 (95 discount, 100 special rebate, 104 standard), charges UNTDID 7161 (FC freight, PC packing); a code of the ERP goes into description',
      fr: 'remises UNTDID 5189 (95 remise, 100 remise spéciale, 104 standard), frais UNTDID 7161 (FC port, PC emballage) ; un code de l’ERP va dans description',
      es: 'descuentos UNTDID 5189 (95 descuento, 100 rebaja especial, 104 estándar), cargos UNTDID 7161 (FC flete, PC embalaje); un código del ERP va en description',
    },
    severity: 'error',
    at: [...ALTERATIONS.map((kind) => `/lines/*/${kind}/*/reason/identifier`), '/totals/subtotals/*/reason/identifier'],
    source: 'EN 16931 BR-CL-19, BR-CL-20; EXTENDED-CTC-FR BR-FREXT-CL-20',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/discounts': [{ amount: 0, reason: { identifier: '95' } }] } },
    fails: { set: { '/lines/0/discounts': [{ amount: 0, reason: { identifier: 'REM10' } }] } },
    test: ({ lines, totals }, broken) => {
      for (const line of lines) {
        // Nearly no line has one.
        if (line.discounts.length + line.charges.length === 0) continue;
        for (const kind of ALTERATIONS) {
          const isKnown = kind === 'discounts' ? isDiscountReason : isChargeReason;
          line[kind].forEach((one, n) => {
            const code = textAt(one, 'reason', 'identifier');
            if (code !== undefined && !isKnown(code)) broken(`${line.at}/${kind}/${n}/reason/identifier`);
          });
        }
      }
      for (const { at, sign, reason } of totals.others) {
        const code = textAt(reason, 'identifier');
        const isKnown = sign === 'negative' ? isDiscountReason : isChargeReason;
        if (code !== undefined && !isKnown(code)) broken(`${at}/reason/identifier`);
      }
    },
  },
  {
    id: 'FR-LIN-6',
    code: 'fr-invoice/unknown-unit',
    says: {
      en: 'this is no unit of UN/ECE Recommendation 20 or 21',
      fr: 'ce n’est pas une unité de la recommandation 20 ou 21 de la CEE-ONU',
      es: 'esto no es una unidad de la recomendación 20 o 21 de la CEPE',
    },
    hint: {
      en: 'use the standard code, e.g. C62 for pieces, KGM, LTR, MTR, HUR; = UNIT-REC20($Column) turns most abbreviations into codes',
      fr: 'prenez le code normalisé, p. ex. C62 pour des pièces, KGM, LTR, MTR, HUR ; = UNIT-REC20($Colonne) traduit la plupart des abréviations',
      es: 'use el código normalizado, p. ej. C62 para unidades, KGM, LTR, MTR, HUR; = UNIT-REC20($Columna) traduce la mayoría de las abreviaturas',
    },
    severity: 'error',
    at: ['/lines/*/unit'],
    source: 'EN 16931 BR-CL-23',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/unit': 'KGM' } },
    fails: { set: { '/lines/0/unit': 'PCE' } },
    test: ({ lines }, broken) => {
      for (const line of lines) if (line.unit !== undefined && !isUnit(line.unit)) broken(`${line.at}/unit`);
    },
  },
];

/** A value of another type is there; its shape is told. */
function isMissing({ line, taxes }: LineView, part: (typeof PARTS)[number]): boolean {
  if (part === 'taxes') return taxes.length === 0;
  const value = valueAt(line, [part]);
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Undefined where a part is not there. */
function product({ quantity, unitPrice, discounts, charges }: LineView): Decimal | undefined {
  if (quantity === undefined || unitPrice === undefined) return undefined;
  const gross = quantity.times(unitPrice).round(2);
  if (discounts.length === 0 && charges.length === 0) return gross;
  const [less, more] = [sumOf(discounts), sumOf(charges)];
  return less && more ? gross.minus(less).plus(more) : undefined;
}

function sumOf(alterations: readonly Json[]): Decimal | undefined {
  const amounts = alterations.map((one) => decimalAt(one, 'amount'));
  return amounts.includes(undefined)
    ? undefined
    : amounts.reduce<Decimal>((sum, amount) => sum.plus(amount!), Decimal.zero);
}
