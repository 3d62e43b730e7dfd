/**
 * Rules of the amounts and taxes of each line of a remission note, in exact decimals. A missing amount breaks only the
 * rule that requires it.
 */
import { Decimal } from '../../../model/decimal.ts';
import { LINE_TAXES } from '../../code-lists/sv-catalogues.ts';
import { codeRule } from '../field-rules.ts';
import type { Report, Rule } from '../rule-pack.ts';
import { ITEM_AMOUNTS, type ItemView, type NoteView } from '../views/note-view.ts';
import { CENT, isPositive, isSvAmount } from './sv-amounts.ts';
import { BOTH } from './sv-profiles.ts';

/** Decimals that an amount of a line may have. */
const PLACES = 8;
/** The three columns of sales; a line normally uses one of them. */
const SALES = ['ventaNoSuj', 'ventaExenta', 'ventaGravada'] as const;

/** A test that looks at every line by itself. */
export function eachItem(test: (item: ItemView, broken: Report) => void): Rule<NoteView>['test'] {
  return ({ items }, broken) => {
    for (const item of items) test(item, broken);
  };
}

function at(name: string): readonly string[] {
  return [`/cuerpoDocumento/*/${name}`];
}

/** Amounts and their product. */
const amounts: readonly Rule<NoteView>[] = [
  {
    id: 'SV-ITM-3',
    code: 'sv-remission-note/amount-range',
    severity: 'error',
    at: at('cantidad'),
    source: 'NR v3, cantidad',
    profiles: BOTH,
    passes: { set: { '/cuerpoDocumento/0/cantidad': 12 } },
    fails: { set: { '/cuerpoDocumento/0/cantidad': 0 } },
    test: eachItem(({ cantidad, at }, broken) => {
      if (cantidad && !(isPositive(cantidad) && isSvAmount(cantidad, PLACES))) broken(`${at}/cantidad`);
    }),
  },
  {
    id: 'SV-ITM-6',
    code: 'sv-remission-note/amount-range',
    severity: 'error',
    at: ITEM_AMOUNTS.flatMap(at),
    source: 'NR v3; that precioUni is not negative, NR v4',
    profiles: BOTH,
    unless: { block: ['SV-ITM-3', 'SV-ITM-7c'] },
    passes: { set: { '/cuerpoDocumento/0/precioUni': 1.25000001 } },
    fails: { set: { '/cuerpoDocumento/0/precioUni': 1.250000001 } },
    test: eachItem((item, broken) => {
      const wrong = ITEM_AMOUNTS.filter((name) => item[name] && !isSvAmount(item[name], PLACES));
      // What the line is worth follows from price and discount.
      const causes = wrong.filter((name) => name === 'precioUni' || name === 'montoDescu');
      for (const name of causes.length > 0 ? causes : wrong) broken(`${item.at}/${name}`);
    }),
  },
  {
    id: 'SV-ITM-7',
    code: 'sv-remission-note/line-amount',
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
      const sold = SALES.flatMap((name) => (item[name] ? [{ name, amount: item[name] }] : []));
      if (!cantidad || !precioUni || !montoDescu || sold.length < SALES.length) return;
      const has = sold.reduce((sum, { amount }) => sum.plus(amount), Decimal.zero);
      if (has.isZero()) return;
      const expected = cantidad.times(precioUni).minus(montoDescu).round(PLACES);
      if (expected.minus(has).abs().compare(CENT) <= 0) return;
      // With two of them, the one without which the line is right.
      const isSurplus = (amount: Decimal) => has.minus(amount).minus(expected).abs().compare(CENT) <= 0;
      const filled = sold.filter(({ amount }) => !amount.isZero());
      const wrong = filled.find(({ amount }) => isSurplus(amount)) ?? filled[0];
      if (wrong) broken(`${item.at}/${wrong.name}`, { expected: expected.toText(), has: has.toText() });
    }),
  },
  {
    // A warning: no source says that a line has one kind of tax only; that the official columns are meant so is an
    // inference.
    id: 'SV-ITM-7b',
    code: 'sv-remission-note/two-treatments',
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
    severity: 'error',
    at: at('montoDescu'),
    formula:
      'montoDescu < cantidad × precioUni + 0.01, where neither is negative and the line is not worth more than both make',
    source: 'the practice of implementers',
    profiles: BOTH,
    passes: { set: {} },
    fails: { set: { '/cuerpoDocumento/0/montoDescu': 20 } },
    test: eachItem((item, broken) => {
      const { cantidad, precioUni, montoDescu, at } = item;
      const gross = cantidad && precioUni && cantidad.times(precioUni);
      if (!gross || gross.units < 0 || !montoDescu || montoDescu.minus(gross).compare(CENT) < 0) return;
      // Worth more than quantity times price: one of these is wrong, and the discount may well be right.
      const isWorthMore = SALES.some((name) => (item[name] ?? Decimal.zero).minus(gross).compare(CENT) > 0);
      if (!isWorthMore) broken(`${at}/montoDescu`, { gross: gross.toText() });
    }),
  },
];

const TAXED = { '/cuerpoDocumento/0/ventaNoSuj': 0, '/cuerpoDocumento/0/ventaGravada': 15 };

/** Codes of taxes (CAT-015) by the kind of sale. */
const taxes: readonly Rule<NoteView>[] = [
  {
    id: 'SV-ITM-8',
    code: 'sv-remission-note/tax-code-missing',
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

/** Amounts, then taxes. */
export const itemAmountRules: readonly Rule<NoteView>[] = [...amounts, ...taxes];
