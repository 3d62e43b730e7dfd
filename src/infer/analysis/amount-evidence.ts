/**
 * Columns of amounts in, proofs out: quantity times price gives the net of the line on so many rows, the nets of a
 * document add up to its total. Shows which formula the ERP uses, and finds the columns of a file without names.
 * Without proof the results are empty or undefined.
 */
import { Decimal } from '../../model/decimal.ts';
import { must } from '../../model/must.ts';
import type { SampleColumn } from '../sample/sample-table.ts';
import type { Roles } from './column-roles.ts';
import type { DocumentGrouping } from './document-grouping.ts';
import { parseSampleNumber } from './number-evidence.ts';

/** The numbers of a column by row; undefined for a cell that is empty or not a number. */
export type Amounts = (column: SampleColumn) => readonly (Decimal | undefined)[];
/** The ways in which an ERP calculates the net amount of a line; `product/100` is a price per 100 pieces. */
export type NetFormula =
  | 'product'
  | 'product/base'
  | 'product/100'
  | 'product/1000'
  | 'product-amount'
  | 'product-percent'
  | 'line-net'
  | 'line-gross'
  | 'document-net';
/** `right` of `of` documents or rows agree, to a cent per row. */
export type Agreement = { readonly right: number; readonly of: number };
/** A formula, and the name of the column that it was compared with. */
export type NetProof = Agreement & { readonly formula: NetFormula; readonly against: string };

const HUNDRED = Decimal.from(100);

/** Prices per 100 or 1000 pieces, where no column states the base: only the totals prove it. */
const PER: { readonly [formula in NetFormula]?: Decimal } = {
  'product/100': HUNDRED,
  'product/1000': Decimal.from(1000),
};

/** Each column is parsed once, with its own decimal mark. */
export function createAmounts(decimal: (column: SampleColumn) => ',' | '.'): Amounts {
  const read = new Map<SampleColumn, readonly (Decimal | undefined)[]>();
  return (column) => {
    const known = read.get(column) ?? column.cells.map((cell) => parseSampleNumber(cell, decimal(column)));
    read.set(column, known);
    return known;
  };
}

/** The columns of a sample with their amounts, the rate of each row in percent, and the rows of each document. */
export type AmountContext = {
  readonly roles: Roles;
  readonly rateOf: (row: number) => Decimal | undefined;
  readonly amounts: Amounts;
  readonly grouping: DocumentGrouping;
};

/** The formula most rows agree with; undefined where nothing can be compared. */
export function proveNet(context: AmountContext): NetProof | undefined {
  const proofs = possibleFormulas(context.roles).flatMap((formula) => compareNets(formula, context));
  return proofs.sort((a, b) => b.right / b.of - a.right / a.of || b.of - a.of)[0];
}

/**
 * Names of columns that agree with no document although another column proves the formula: they are no totals of these
 * documents.
 */
export function strayTotals(context: AmountContext): readonly string[] {
  const best = proveNet(context);
  if (!best || best.right < 2 || best.right < 0.8 * best.of) return [];
  return compareNets(best.formula, context)
    .filter(({ right, of }) => of > 1 && right === 0)
    .map(({ against }) => against);
}

/** The columns that each formula needs; the order settles equal proofs. */
const NEEDS: readonly (readonly [NetFormula, readonly string[]])[] = [
  ['product-amount', ['quantity', 'price', 'discountAmount']],
  ['product-percent', ['quantity', 'price', 'discountPercent']],
  ['product/base', ['quantity', 'price', 'priceBase']],
  ['product', ['quantity', 'price']],
  ['product/100', ['quantity', 'price']],
  ['product/1000', ['quantity', 'price']],
  ['line-net', ['lineNet']],
  ['line-gross', ['lineGross']],
];

/** The formulas whose columns the sample has, in the order of NEEDS. */
export function possibleFormulas(roles: Roles): readonly NetFormula[] {
  return NEEDS.flatMap(([formula, concepts]) => (concepts.every((concept) => roles.has(concept)) ? formula : []));
}

type Values = readonly (Decimal | undefined)[];

/** The net of each row by the formula; undefined where a part of it is missing. */
function calculateNets(formula: NetFormula, { roles, rateOf, amounts, grouping }: AmountContext): Values {
  const valuesOf = (concept: string): Values => {
    const role = roles.get(concept);
    return role ? amounts(role.column) : [];
  };
  if (formula === 'line-net') return valuesOf('lineNet');
  if (formula === 'line-gross') return valuesOf('lineGross').map((gross, at) => gross && withoutTax(gross, rateOf(at)));
  const [quantity, price, base] = [valuesOf('quantity'), valuesOf('price'), valuesOf('priceBase')];
  const discount = discountBy(formula, valuesOf);
  const length = grouping.groups.reduce((sum, group) => sum + group.length, 0);
  return Array.from({ length }, (_, at) => {
    const product = quantity[at] && price[at] ? quantity[at].times(price[at]) : undefined;
    if (!product) return undefined;
    const per = formula === 'product/base' ? base[at] : PER[formula];
    const gross = (per ? (product.dividedBy(per, 6) ?? product) : product).round(2);
    return gross.minus(discount(gross, at));
  });
}

/** The discount of a row in the currency of the line, by amount or by percent of the gross. */
function discountBy(
  formula: NetFormula,
  valuesOf: (concept: string) => Values,
): (gross: Decimal, at: number) => Decimal {
  if (formula === 'product-amount') {
    const amounts = valuesOf('discountAmount');
    return (_, at) => amounts[at] ?? Decimal.zero;
  }
  if (formula !== 'product-percent') return () => Decimal.zero;
  const percents = valuesOf('discountPercent');
  return (gross, at) => percentOf(gross, percents[at] ?? Decimal.zero, 2);
}

/** The nets by the formula, compared with each other column of amounts in the sample. */
function compareNets(formula: NetFormula, context: AmountContext): readonly NetProof[] {
  const { roles, rateOf, amounts, grouping } = context;
  const nets = calculateNets(formula, context);
  // Per document the taxes are added up before rounding, hence more places there.
  const withTax = (places: number) =>
    nets.map((net, at) => {
      const rate = rateOf(at);
      return net && rate && net.plus(percentOf(net, rate, places));
    });
  const byRow = (values: Values, column: SampleColumn) =>
    countAgreeing(values.map((value, at) => [value, amounts(column)[at]]));
  const byDocument = (values: Values, column: SampleColumn) => compareSums(values, column, amounts, grouping);
  const comparisons: readonly (readonly [concept: string, (column: SampleColumn) => Agreement])[] = [
    ['lineNet', (column) => byRow(formula === 'line-net' ? [] : nets, column)],
    ['lineGross', (column) => byRow(formula === 'line-gross' ? [] : withTax(2), column)],
    ['totalNet', (column) => byDocument(nets, column)],
    ['totalGross', (column) => byDocument(withTax(8), column)],
    ['noteTotal', (column) => byDocument(nets, column)],
  ];
  return comparisons.flatMap(([concept, compare]) => {
    const role = roles.get(concept);
    const agreement = role && compare(role.column);
    return agreement && agreement.of > 0 ? { formula, against: role.column.name, ...agreement } : [];
  });
}

/** The amount of each document in a column that has it on all its rows: that of the first row. */
export function documentAmounts(column: SampleColumn, amounts: Amounts, { groups }: DocumentGrouping): Values {
  const all = amounts(column);
  return groups.map(([first = -1]) => all[first]);
}

/** The sum over some rows, by their indexes; undefined where a part is missing. */
export function sumRows(rows: readonly number[], values: Values): Decimal | undefined {
  const parts = rows.flatMap((at) => values[at] ?? []);
  if (parts.length < rows.length) return undefined;
  return parts.reduce((sum, one) => sum.plus(one), Decimal.zero);
}

function withoutTax(gross: Decimal, rate: Decimal | undefined): Decimal | undefined {
  return rate && gross.times(HUNDRED).dividedBy(HUNDRED.plus(rate), 2);
}

/** value * percent / 100, rounded. */
export function percentOf(value: Decimal, percent: Decimal, places: number): Decimal {
  return must(value.times(percent).dividedBy(HUNDRED, places), 'a hundredth');
}

/** Pairs without one of the numbers count neither as right nor as wrong. */
function countAgreeing(pairs: readonly (readonly [Decimal | undefined, Decimal | undefined])[]): Agreement {
  const full = pairs.flatMap(([a, b]): (readonly [Decimal, Decimal])[] => (a && b ? [[a, b]] : []));
  return { right: full.filter(([a, b]) => isNear(a, b, 1)).length, of: full.length };
}

/**
 * Compares, per document, the sum of its rows with the column; a difference of a cent per row is rounding. Documents
 * with a missing number do not count.
 */
export function compareSums(
  values: Values,
  column: SampleColumn,
  amounts: Amounts,
  grouping: DocumentGrouping,
): Agreement {
  const totals = documentAmounts(column, amounts, grouping);
  let right = 0;
  let of = 0;
  for (const [n, group] of grouping.groups.entries()) {
    const total = totals[n];
    const sum = total && sumRows(group, values);
    if (!total || !sum) continue;
    of++;
    if (isNear(sum, total, group.length)) right++;
  }
  return { right, of };
}

/** Signs do not count: ERPs write credit notes with and without a minus. */
function isNear(a: Decimal, b: Decimal, cents: number): boolean {
  return a.abs().minus(b.abs()).abs().compare(Decimal.of(cents, 2)) <= 0;
}

/** Columns that are tried; the work grows with their cube. */
const MAX_NUMBERS = 40;
/** A formula that fails on these documents is not tried on the others. */
const FIRST_GROUPS = 50;

/** Two line columns whose product adds up to a third column on at least 60 % of the documents. Zeros prove nothing. */
export function findProduct(
  lines: readonly SampleColumn[],
  totals: readonly SampleColumn[],
  amounts: Amounts,
  grouping: DocumentGrouping,
):
  | { readonly factors: readonly [SampleColumn, SampleColumn]; readonly total: SampleColumn; readonly says: Agreement }
  | undefined {
  let best: ReturnType<typeof findProduct>;
  const first = { ...grouping, groups: grouping.groups.slice(0, FIRST_GROUPS) };
  const factors = lines
    .slice(0, MAX_NUMBERS)
    .filter((column) => !amounts(column).every((value) => value?.equals(Decimal.one)));
  for (const [at, a] of factors.entries()) {
    for (const b of factors.slice(at + 1)) {
      const others = amounts(b);
      const products = amounts(a).map((value, row) => {
        const other = others[row];
        return value && other && !value.isZero() ? value.times(other).round(2) : undefined;
      });
      for (const total of totals.slice(0, MAX_NUMBERS).filter((column) => column !== a && column !== b)) {
        const glance = compareSums(products, total, amounts, first);
        if (glance.of > 0 && glance.right < 0.3 * glance.of) continue;
        const says = compareSums(products, total, amounts, grouping);
        if (says.of < 2 || says.right < 0.6 * says.of) continue;
        if (!best || says.right / says.of > best.says.right / best.says.of) best = { factors: [a, b], total, says };
      }
    }
  }
  return best;
}
