/** Rules of the summary of a remission note, in exact decimals: totals against lines and against each other. */
import { Decimal } from '../../../model/decimal.ts';
import { requiredRule } from '../field-rules.ts';
import type { Rule } from '../rule-pack.ts';
import { type NoteView, TOTALS } from '../views/note-view.ts';
import { CENT, hasPlaces, isSvAmount } from './sv-amounts.ts';
import { BOTH } from './sv-profiles.ts';
import { differsByVariant, WITH_VAT } from './sv-variant-rules.ts';

/** Decimals of an amount of the summary. */
const PLACES = 2;
const HUNDRED = Decimal.from(100);

/** Total of the summary -> column of the lines that it adds up. */
const COLUMNS = [
  ['totalNoSuj', 'ventaNoSuj'],
  ['totalExenta', 'ventaExenta'],
  ['totalGravada', 'ventaGravada'],
] as const;
const SUBTOTALS = COLUMNS.map(([total]) => total);
const GLOBAL_DISCOUNTS = ['descuNoSuj', 'descuExenta', 'descuGravada'] as const;
const TAX_PARTS = ['codigo', 'descripcion', 'valor'] as const;

function at(name: string): string {
  return `/resumen/${name}`;
}

/** Undefined where one of them is missing. */
function sumOf(amounts: readonly (Decimal | undefined)[]): Decimal | undefined {
  let sum = Decimal.zero;
  for (const amount of amounts) {
    if (amount === undefined) return undefined;
    sum = sum.plus(amount);
  }
  return sum;
}

/** The sum of totals; undefined if one is missing. */
function totals({ resumen: { amounts } }: NoteView, names: readonly (typeof TOTALS)[number][]): Decimal | undefined {
  return sumOf(names.map((name) => amounts[name]));
}

/** The sum of the taxes of the summary. */
function taxesOf({ resumen }: NoteView): Decimal | undefined {
  return sumOf(resumen.tributos.map(({ valor }) => valor));
}

/** Carried on from the sum of a column, so that this alone is off. */
const A_CENT_MORE = {
  ...{ '/resumen/subTotalVentas': 23.24, '/resumen/subTotal': 23.24, '/resumen/montoTotalOperacion': 23.24 },
  '/resumen/totalLetras': 'VEINTITRÉS 24/100 DÓLARES',
};
/** Amounts that must be there, with their decimals. */
const shape: readonly Rule<NoteView>[] = [
  requiredRule({
    id: 'SV-SUM-0',
    code: 'sv-remission-note/missing-field',
    at: ['/resumen', ...[...TOTALS, 'totalLetras', ...TAX_PARTS.map((part) => `tributos/*/${part}`)].map(at)],
    source: 'NR v3, required of resumen; a field that it lets be null may be absent',
    profiles: BOTH,
    passes: { set: { '/resumen/porcentajeDescuento': null } },
    fails: { set: { '/resumen/descuNoSuj': null } },
    fields: ({ resumen }, visit) => {
      if (!resumen.isThere) {
        visit(undefined, () => resumen.at);
        return;
      }
      for (const name of TOTALS) visit(resumen.amounts[name], () => at(name));
      visit(resumen.totalLetras, () => at('totalLetras'));
      for (const tax of resumen.tributos) for (const part of TAX_PARTS) visit(tax[part], () => `${tax.at}/${part}`);
    },
  }),
  {
    id: 'SV-SUM-7',
    code: 'sv-remission-note/amount-range',
    severity: 'error',
    at: [...TOTALS, 'tributos/*/valor'].map(at),
    source: 'NR v3, resumen',
    profiles: BOTH,
    unless: { document: ['SV-ITM-3', 'SV-ITM-6', 'SV-ITM-7c'] },
    passes: { set: { '/resumen/totalDescu': 0.1 } },
    fails: { set: { '/resumen/totalDescu': 0.105 } },
    test: ({ resumen }, broken) => {
      for (const name of TOTALS) {
        const amount = resumen.amounts[name];
        if (amount && !isSvAmount(amount, PLACES)) broken(at(name));
      }
      for (const { valor, at } of resumen.tributos) if (valor && !isSvAmount(valor, PLACES)) broken(`${at}/valor`);
    },
  },
  {
    id: 'SV-SUM-7b',
    code: 'sv-remission-note/amount-range',
    severity: 'error',
    at: ['/resumen/porcentajeDescuento'],
    source: 'NR v3, resumen.porcentajeDescuento',
    profiles: BOTH,
    passes: { set: { '/resumen/porcentajeDescuento': 100 } },
    fails: { set: { '/resumen/porcentajeDescuento': 100.01 } },
    test: ({ resumen }, broken) => {
      const percent = resumen.amounts.porcentajeDescuento;
      if (!percent) return;
      const fits = percent.compare(Decimal.zero) >= 0 && percent.compare(HUNDRED) <= 0 && hasPlaces(percent, PLACES);
      if (!fits) broken('/resumen/porcentajeDescuento');
    },
  },
];

/** Totals against the columns of the lines. */
const sums: readonly Rule<NoteView>[] = [
  ...(
    [
      ['SV-SUM-1', 'error', ['SV-ITM-6', 'SV-ITM-7'], { '/resumen/totalNoSuj': 23.25 }],
      ['SV-SUM-1b', 'warning', [], { ...A_CENT_MORE, '/resumen/totalNoSuj': 23.24 }],
    ] as const
  ).map(
    ([id, severity, lines, set]): Rule<NoteView> => ({
      id,
      code: 'sv-remission-note/column-total',
      severity,
      at: SUBTOTALS.map(at),
      formula: `total of the column, rounded to cents, off by ${severity === 'error' ? 'more than' : 'at most'} 0.01`,
      source: 'the practice of implementers; the authority says CALCULO INCORRECTO',
      profiles: BOTH,
      unless: { field: ['SV-SUM-7'], document: lines },
      passes: { set: {} },
      fails: { set },
      test: ({ items, resumen }, broken) => {
        for (const [total, column] of COLUMNS) {
          const has = resumen.amounts[total];
          const expected = has && sumOf(items.map((item) => item[column]))?.round(PLACES);
          if (!has || !expected) continue;
          const isFar = has.minus(expected).abs().compare(CENT) > 0;
          if (isFar === (severity === 'error')) differsByVariant(broken, at(total), has, expected);
        }
      },
    }),
  ),
  {
    id: 'SV-SUM-2',
    code: 'sv-remission-note/subtotal',
    severity: 'error',
    at: ['/resumen/subTotalVentas'],
    formula: 'subTotalVentas = totalNoSuj + totalExenta + totalGravada',
    source: 'the practice of implementers; NR v3 calls it the sum of all operations',
    profiles: BOTH,
    unless: { document: ['SV-SUM-7'], amount: ['SV-SUM-1', 'SV-SUM-1b'] },
    passes: { set: {} },
    fails: { set: { '/resumen/subTotalVentas': 23.24 } },
    test: (view, broken) => {
      const has = view.resumen.amounts.subTotalVentas;
      const expected = totals(view, SUBTOTALS);
      if (has && expected) differsByVariant(broken, '/resumen/subTotalVentas', has, expected);
    },
  },
  {
    id: 'SV-SUM-3',
    code: 'sv-remission-note/subtotal',
    severity: 'error',
    at: ['/resumen/subTotal'],
    formula: 'subTotal = subTotalVentas − descuNoSuj − descuExenta − descuGravada',
    source: 'an edition of NR v3 describes subTotal so',
    profiles: BOTH,
    unless: { document: ['SV-SUM-7'], amount: ['SV-SUM-2'] },
    passes: { set: {} },
    fails: { set: { '/resumen/subTotal': 23.13, '/resumen/montoTotalOperacion': 23.13 } },
    test: (view, broken) => {
      const { subTotal, subTotalVentas } = view.resumen.amounts;
      const discounts = totals(view, GLOBAL_DISCOUNTS);
      if (subTotal && subTotalVentas && discounts) {
        differsByVariant(broken, '/resumen/subTotal', subTotal, subTotalVentas.minus(discounts));
      }
    },
  },
  {
    // A warning: implementers disagree about the discounts of the lines, so either sum is taken.
    id: 'SV-SUM-4',
    code: 'sv-remission-note/discount-total',
    severity: 'warning',
    at: ['/resumen/totalDescu'],
    formula: 'totalDescu = descuNoSuj + descuExenta + descuGravada + the sum of montoDescu, or without the latter',
    source: 'implementers, who differ about the discounts of lines',
    profiles: BOTH,
    unless: { document: ['SV-SUM-7', 'SV-ITM-6', 'SV-ITM-7', 'SV-ITM-7c'], amount: ['SV-SUM-3'] },
    passes: { set: { '/resumen/totalDescu': 0 } },
    fails: { set: { '/resumen/totalDescu': 0.2 } },
    test: (view, broken) => {
      const has = view.resumen.amounts.totalDescu;
      const whole = totals(view, GLOBAL_DISCOUNTS);
      const lines = sumOf(view.items.map(({ montoDescu }) => montoDescu))?.round(PLACES);
      if (!has || !whole || !lines || has.equals(whole)) return;
      differsByVariant(broken, '/resumen/totalDescu', has, whole.plus(lines));
    },
  },
];

/** The amount of the operation, and taxes that it does not contain. */
const total: readonly Rule<NoteView>[] = [
  {
    id: 'SV-SUM-5',
    code: 'sv-remission-note/operation-total',
    severity: 'error',
    at: ['/resumen/montoTotalOperacion'],
    formula: 'montoTotalOperacion = subTotal + the sum of tributos[].valor',
    source: 'an edition of NR v3 describes it so; otherwise the authority says CALCULO INCORRECTO',
    profiles: BOTH,
    unless: { document: ['SV-SUM-7'], amount: ['SV-SUM-3'] },
    passes: { set: WITH_VAT },
    fails: { set: { '/resumen/montoTotalOperacion': 26.25 } },
    test: (view, broken) => {
      const { montoTotalOperacion: has, subTotal } = view.resumen.amounts;
      const taxes = taxesOf(view);
      if (!has || !subTotal || !taxes || has.equals(subTotal)) return;
      differsByVariant(broken, '/resumen/montoTotalOperacion', has, subTotal.plus(taxes));
    },
  },
  {
    // A warning: the contract says that all amounts exclude VAT (remission-note 1), which would be this.
    id: 'SV-SUM-5b',
    code: 'sv-remission-note/taxes-outside-total',
    severity: 'warning',
    at: ['/resumen/montoTotalOperacion'],
    formula: 'montoTotalOperacion = subTotal although the sum of tributos[].valor is not 0',
    source: 'remission-note 1: amounts exclude VAT; the authority adds the taxes',
    profiles: BOTH,
    passes: { set: WITH_VAT },
    fails: { set: { ...WITH_VAT, '/resumen/montoTotalOperacion': 23.23 } },
    test: (view, broken) => {
      const { montoTotalOperacion: has, subTotal } = view.resumen.amounts;
      const taxes = taxesOf(view);
      if (!has || !subTotal || !taxes || taxes.isZero() || !has.equals(subTotal)) return;
      broken('/resumen/montoTotalOperacion', { expected: subTotal.plus(taxes).toText() });
    },
  },
];

/** From the parts to the final amount: `unless` keeps the first cause only. */
export const summaryRules: readonly Rule<NoteView>[] = [...shape, ...sums, ...total];
