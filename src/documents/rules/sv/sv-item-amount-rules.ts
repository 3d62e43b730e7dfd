/** Rules of the amounts and taxes of each line of a remission note, in exact decimals. */
import { Decimal } from '../../../model/decimal.ts';
import { LINE_TAXES } from '../../code-lists/sv-catalogues.ts';
import { codeRule } from '../field-rules.ts';
import type { Report, Rule } from '../rule-pack.ts';
import { ITEM_AMOUNTS, type ItemView, type NoteView } from '../views/note-view.ts';
import { CENT, isAmount, isPositive } from './sv-amounts.ts';
import { BOTH } from './sv-profiles.ts';

const PLACES = 8;
const SALES = ['ventaNoSuj', 'ventaExenta', 'ventaGravada'] as const;

export function eachItem(test: (item: ItemView, broken: Report) => void): Rule<NoteView>['test'] {
  return ({ items }, broken) => {
    for (const item of items) test(item, broken);
  };
}

function at(name: string): readonly string[] {
  return [`/cuerpoDocumento/*/${name}`];
}

const amounts: readonly Rule<NoteView>[] = [
  {
    id: 'SV-ITM-3',
    code: 'sv-remission-note/amount-range',
    says: {
      en: 'a quantity is more than 0, less than 100,000,000,000, and has at most 8 decimals',
      fr: 'une quantité est supérieure à 0, inférieure à 100 000 000 000, et a au plus 8 décimales',
      es: 'una cantidad es mayor que 0, menor que 100,000,000,000 y tiene como máximo 8 decimales',
    },
    hint: {
      en: 'lines without goods do not belong in the note; round with = ROUND($Column; 8)',
      fr: 'les lignes sans biens n’ont pas leur place dans la note ; arrondissez avec = ARRONDI($Colonne; 8)',
      es: 'las líneas sin bienes no van en la nota; redondee con = REDONDEAR($Columna; 8)',
    },
    severity: 'error',
    at: at('cantidad'),
    source: 'NR v3, cantidad',
    profiles: BOTH,
    passes: { set: { '/cuerpoDocumento/0/cantidad': 12 } },
    fails: { set: { '/cuerpoDocumento/0/cantidad': 0 } },
    test: eachItem(({ cantidad, at }, broken) => {
      if (cantidad && !(isPositive(cantidad) && isAmount(cantidad, PLACES))) broken(`${at}/cantidad`);
    }),
  },
  {
    id: 'SV-ITM-6',
    code: 'sv-remission-note/amount-range',
    says: {
      en: 'an amount of a line is not negative, less than 100,000,000,000, and has at most 8 decimals',
      fr: 'un montant de ligne n’est pas négatif, est inférieur à 100 000 000 000, et a au plus 8 décimales',
      es: 'un importe de línea no es negativo, es menor que 100,000,000,000 y tiene como máximo 8 decimales',
    },
    hint: {
      en: 'a discount is a positive amount in montoDescu; round with = ROUND($Column; 8)',
      fr: 'une remise est un montant positif dans montoDescu ; arrondissez avec = ARRONDI($Colonne; 8)',
      es: 'un descuento es un importe positivo en montoDescu; redondee con = REDONDEAR($Columna; 8)',
    },
    severity: 'error',
    at: ITEM_AMOUNTS.flatMap(at),
    source: 'NR v3; that precioUni is not negative, NR v4',
    profiles: BOTH,
    unless: { block: ['SV-ITM-3', 'SV-ITM-7c'] },
    passes: { set: { '/cuerpoDocumento/0/precioUni': 1.25000001 } },
    fails: { set: { '/cuerpoDocumento/0/precioUni': 1.250000001 } },
    test: eachItem((item, broken) => {
      const wrong = ITEM_AMOUNTS.filter((name) => item[name] && !isAmount(item[name], PLACES));
      // What the line is worth follows from price and discount.
      const causes = wrong.filter((name) => name === 'precioUni' || name === 'montoDescu');
      for (const name of causes.length > 0 ? causes : wrong) broken(`${item.at}/${name}`);
    }),
  },
  {
    id: 'SV-ITM-7',
    code: 'sv-remission-note/line-amount',
    says: {
      en: 'quantity times price less discount is {expected}, and the line says {has}',
      fr: 'quantité fois prix moins remise donne {expected}, et la ligne dit {has}',
      es: 'cantidad por precio menos descuento es {expected}, y la línea dice {has}',
    },
    hint: {
      en: 'compare the cells of the line; where the price is per 100 or 1000, or in another unit, see PRICE-PER-UNIT',
      fr: 'comparez les cellules de la ligne ; si le prix est pour 100 ou 1000, ou dans une autre unité, voir PRICE-PER-UNIT',
      es: 'compare las celdas de la línea; si el precio es por 100 o 1000, o en otra unidad, vea PRICE-PER-UNIT',
    },
    severity: 'error',
    at: SALES.flatMap(at),
    formula:
      'ventaNoSuj + ventaExenta + ventaGravada = round8(cantidad × precioUni − montoDescu), off by at most 0.01; all three 0 is a line without value',
    source: 'the practice of implementers',
    profiles: BOTH,
    unless: { block: ['SV-ITM-3', 'SV-ITM-6', 'SV-ITM-7c'] },
    passes: { set: { '/cuerpoDocumento/0/ventaNoSuj': 0 } },
    fails: { set: { '/cuerpoDocumento/0/ventaNoSuj': 15.02 } },
    test: eachItem((item, broken) => {
      const { cantidad, precioUni, montoDescu } = item;
      const sold = SALES.map((name) => item[name]);
      if (!cantidad || !precioUni || !montoDescu || sold.includes(undefined)) return;
      const has = sold.reduce<Decimal>((sum, amount) => sum.plus(amount!), Decimal.zero);
      if (has.isZero()) return;
      const expected = cantidad.times(precioUni).minus(montoDescu).round(PLACES);
      if (expected.minus(has).abs().compare(CENT) <= 0) return;
      // With two of them, the one without which the line is right.
      const isSurplus = (amount: Decimal) => has.minus(amount).minus(expected).abs().compare(CENT) <= 0;
      const shown = SALES.filter((_, i) => !sold[i]!.isZero());
      const name = shown.find((one) => isSurplus(item[one]!)) ?? shown[0]!;
      broken(`${item.at}/${name}`, { expected: expected.toText(), has: has.toText() });
    }),
  },
  {
    // A warning: nobody writes that a line has one kind of tax only; that the official columns are meant so is an inference.
    id: 'SV-ITM-7b',
    code: 'sv-remission-note/two-treatments',
    says: {
      en: 'the line has amounts of more than one kind (not subject to tax, exempt, taxed)',
      fr: 'la ligne a des montants de plusieurs sortes (hors champ, exonéré, taxé)',
      es: 'la línea tiene importes de más de una clase (no sujeto, exento, gravado)',
    },
    hint: {
      en: 'make a line of its own for each',
      fr: 'faites une ligne pour chacune',
      es: 'haga una línea para cada una',
    },
    severity: 'warning',
    at: SALES.slice(1).flatMap(at),
    source: 'an inference from the columns of NR v3',
    profiles: BOTH,
    unless: { block: ['SV-ITM-7'] },
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento/0/ventaNoSuj': 10, '/cuerpoDocumento/0/ventaExenta': 5 } },
    test: eachItem((item, broken) => {
      const [, second] = SALES.filter((name) => isPositive(item[name]));
      if (second !== undefined) broken(`${item.at}/${second}`);
    }),
  },
  {
    id: 'SV-ITM-7c',
    code: 'sv-remission-note/discount-too-large',
    says: {
      en: 'the discount is more than the {gross} that the goods cost',
      fr: 'la remise dépasse les {gross} que coûtent les biens',
      es: 'el descuento es mayor que los {gross} que cuestan los bienes',
    },
    hint: {
      en: 'montoDescu is an amount for the whole line, not a percentage',
      fr: 'montoDescu est un montant pour toute la ligne, pas un pourcentage',
      es: 'montoDescu es un importe para toda la línea, no un porcentaje',
    },
    severity: 'error',
    at: at('montoDescu'),
    formula:
      'montoDescu ≤ cantidad × precioUni, where neither is negative and the line is not worth more than both make',
    source: 'the practice of implementers',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento/0/montoDescu': 20 } },
    test: eachItem((item, broken) => {
      const { cantidad, precioUni, montoDescu, at } = item;
      const gross = cantidad && precioUni && cantidad.times(precioUni);
      if (!gross || gross.units < 0 || !montoDescu || montoDescu.compare(gross) <= 0) return;
      // Worth more than quantity times price: one of these is wrong, and the discount may well be right.
      const isWorthMore = SALES.some((name) => (item[name] ?? Decimal.zero).minus(gross).compare(CENT) > 0);
      if (!isWorthMore) broken(`${at}/montoDescu`, { gross: gross.toText() });
    }),
  },
];

const TAXED = { '/cuerpoDocumento/0/ventaNoSuj': 0, '/cuerpoDocumento/0/ventaGravada': 15 };

const taxes: readonly Rule<NoteView>[] = [
  {
    id: 'SV-ITM-8',
    code: 'sv-remission-note/tax-code-missing',
    says: {
      en: 'a taxed line names its taxes, and this one names none',
      fr: 'une ligne taxée nomme ses taxes, et celle-ci n’en nomme aucune',
      es: 'una línea gravada indica sus tributos, y esta no indica ninguno',
    },
    hint: {
      en: 'tributos: ["20"] for VAT; goods that move without sale may stand in ventaNoSuj, without taxes',
      fr: 'tributos: ["20"] pour la TVA ; des biens déplacés sans vente peuvent figurer dans ventaNoSuj, sans taxes',
      es: 'tributos: ["20"] para el IVA; los bienes que se mueven sin venta pueden ir en ventaNoSuj, sin tributos',
    },
    severity: 'error',
    at: at('tributos'),
    source: 'NR v3, condition on ventaGravada',
    profiles: BOTH,
    unless: { block: ['SV-ITM-7'] },
    passes: { set: { ...TAXED, '/cuerpoDocumento/0/tributos': ['20'] } },
    fails: { set: TAXED },
    test: eachItem(({ ventaGravada, tributos, at }, broken) => {
      if (isPositive(ventaGravada) && tributos.length === 0) broken(`${at}/tributos`);
    }),
  },
  {
    id: 'SV-ITM-8b',
    code: 'sv-remission-note/tax-code-untaxed',
    says: {
      en: 'the line has no taxed amount, and names taxes',
      fr: 'la ligne n’a pas de montant taxé, et nomme des taxes',
      es: 'la línea no tiene importe gravado, y sin embargo indica tributos',
    },
    hint: {
      en: 'leave tributos out of this line, or give its value in ventaGravada',
      fr: 'omettez tributos sur cette ligne, ou donnez sa valeur dans ventaGravada',
      es: 'omita tributos en esta línea o indique su valor en ventaGravada',
    },
    severity: 'error',
    at: at('tributos'),
    source: 'NR v3, condition on ventaGravada: null; an empty list is read as none',
    profiles: BOTH,
    passes: { set: { '/cuerpoDocumento/0/tributos': [] } },
    fails: { set: { '/cuerpoDocumento/0/tributos': ['20'] } },
    test: eachItem(({ ventaGravada, tributos, at }, broken) => {
      if (ventaGravada?.isZero() && tributos.length > 0) broken(`${at}/tributos`);
    }),
  },
  {
    id: 'SV-ITM-8c',
    code: 'sv-remission-note/tax-code-twice',
    says: {
      en: 'the line names this tax twice',
      fr: 'la ligne nomme cette taxe deux fois',
      es: 'la línea indica este tributo dos veces',
    },
    hint: {
      en: 'name each tax once',
      fr: 'nommez chaque taxe une fois',
      es: 'indique cada tributo una vez',
    },
    severity: 'error',
    at: at('tributos/*'),
    source: 'NR v3, tributos',
    profiles: BOTH,
    passes: { set: { ...TAXED, '/cuerpoDocumento/0/tributos': ['20', 'D1'] } },
    fails: { set: { ...TAXED, '/cuerpoDocumento/0/tributos': ['20', '20'] } },
    test: eachItem(({ tributos, at }, broken) => {
      const i = tributos.findIndex((code, i) => code !== undefined && tributos.indexOf(code) < i);
      if (i >= 0) broken(`${at}/tributos/${i}`);
    }),
  },
  codeRule({
    id: 'SV-ITM-8d',
    code: 'sv-remission-note/unknown-code',
    at: at('tributos/*'),
    source: 'NR v3, tributos; CAT-015, section 1',
    profiles: BOTH,
    passes: { set: { ...TAXED, '/cuerpoDocumento/0/tributos': ['59'] } },
    fails: { set: { ...TAXED, '/cuerpoDocumento/0/tributos': ['21'] } },
    list: LINE_TAXES,
    fields: ({ items }, visit) => {
      for (const { tributos, at } of items) {
        tributos.forEach((code, i) => {
          visit(code, () => `${at}/tributos/${i}`);
        });
      }
    },
  }),
];

export const itemAmountRules: readonly Rule<NoteView>[] = [...amounts, ...taxes];
