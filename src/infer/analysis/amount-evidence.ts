/**
 * What the amounts prove: quantity times price gives the net of the line on so many rows, the nets of a document add up
 * to its total. Says which formula the ERP uses, and finds the columns of a file without names.
 */
import { Decimal } from '../../model/decimal.ts';
import type { SampleColumn } from '../sample/sample-table.ts';
import type { ColumnRole, Roles } from './column-roles.ts';
import type { DocumentGrouping } from './document-grouping.ts';
import { parseSampleNumber } from './number-evidence.ts';

export type Amounts = (column: SampleColumn) => readonly (Decimal | undefined)[];
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
/** `right` of `of` documents or rows agree. */
export type Agreement = { readonly right: number; readonly of: number };
export type NetProof = Agreement & { readonly formula: NetFormula; readonly against: string };

const HUNDRED = Decimal.from(100);

/** Prices of 100 or 1000 pieces, where no column says so: only the totals can prove it. */
const PER: { readonly [formula in NetFormula]?: Decimal } = {
  'product/100': HUNDRED,
  'product/1000': Decimal.from(1000),
};

export function createAmounts(decimal: (column: SampleColumn) => ',' | '.'): Amounts {
  const read = new Map<SampleColumn, readonly (Decimal | undefined)[]>();
  return (column) => {
    const known = read.get(column) ?? column.cells.map((cell) => parseSampleNumber(cell, decimal(column)));
    read.set(column, known);
    return known;
  };
}

/** The formula most rows agree with; undefined where nothing can be compared. */
export function proveNet(
  roles: Roles,
  rate: (row: number) => Decimal | undefined,
  amounts: Amounts,
  grouping: DocumentGrouping,
): NetProof | undefined {
  const formulas = possibleFormulas(roles);
  const proofs = formulas.flatMap((formula) => {
    const nets = calculateNets(formula, roles, rate, amounts, grouping);
    return compareNets(formula, nets, roles, rate, amounts, grouping);
  });
  return proofs.sort((a, b) => b.right / b.of - a.right / a.of || b.of - a.of)[0];
}

/** Columns that agree with no document, though another one proves the formula: they hold something else. */
export function strayTotals(
  roles: Roles,
  rate: (row: number) => Decimal | undefined,
  amounts: Amounts,
  grouping: DocumentGrouping,
): readonly string[] {
  const best = proveNet(roles, rate, amounts, grouping);
  if (!best || best.right < 2 || best.right < 0.8 * best.of) return [];
  const nets = calculateNets(best.formula, roles, rate, amounts, grouping);
  return compareNets(best.formula, nets, roles, rate, amounts, grouping)
    .filter(({ right, of }) => of > 1 && right === 0)
    .map(({ against }) => against);
}

export function possibleFormulas(roles: Roles): readonly NetFormula[] {
  const product = roles.has('quantity') && roles.has('price');
  return [
    ...(product && roles.has('discountAmount') ? (['product-amount'] as const) : []),
    ...(product && roles.has('discountPercent') ? (['product-percent'] as const) : []),
    ...(product && roles.has('priceBase') ? (['product/base'] as const) : []),
    ...(product ? (['product', 'product/100', 'product/1000'] as const) : []),
    ...(roles.has('lineNet') ? (['line-net'] as const) : []),
    ...(roles.has('lineGross') ? (['line-gross'] as const) : []),
  ];
}

function calculateNets(
  formula: NetFormula,
  roles: Roles,
  rate: (row: number) => Decimal | undefined,
  amounts: Amounts,
  { groups }: DocumentGrouping,
): readonly (Decimal | undefined)[] {
  const of = (concept: string) => {
    const role = roles.get(concept);
    return role ? amounts(role.column) : [];
  };
  const [quantity, price, base] = [of('quantity'), of('price'), of('priceBase')];
  const length = groups.reduce((sum, group) => sum + group.length, 0);
  return Array.from({ length }, (_, at) => {
    if (formula === 'line-net') return of('lineNet')[at];
    if (formula === 'line-gross') {
      const percent = rate(at);
      return percent && of('lineGross')[at]?.times(HUNDRED).dividedBy(HUNDRED.plus(percent), 2);
    }
    const product = quantity[at] && price[at] ? quantity[at].times(price[at]) : undefined;
    if (!product) return undefined;
    const per = formula === 'product/base' ? base[at] : PER[formula];
    const gross = (per ? (product.dividedBy(per, 6) ?? product) : product).round(2);
    if (formula === 'product-amount') return gross.minus(of('discountAmount')[at] ?? Decimal.zero);
    if (formula !== 'product-percent') return gross;
    return gross.minus(gross.times(of('discountPercent')[at] ?? Decimal.zero).dividedBy(HUNDRED, 2)!);
  });
}

function compareNets(
  formula: NetFormula,
  nets: readonly (Decimal | undefined)[],
  roles: Roles,
  rate: (row: number) => Decimal | undefined,
  amounts: Amounts,
  grouping: DocumentGrouping,
): NetProof[] {
  const proofs: NetProof[] = [];
  const compare = (role: ColumnRole | undefined, agreement: (column: SampleColumn) => Agreement) => {
    if (!role) return;
    const found = agreement(role.column);
    if (found.of > 0) proofs.push({ formula, against: role.column.name, ...found });
  };
  if (formula !== 'line-net')
    compare(roles.get('lineNet'), (column) => countAgreeing(nets.map((net, at) => [net, amounts(column)[at]])));
  if (formula !== 'line-gross')
    compare(roles.get('lineGross'), (column) =>
      countAgreeing(nets.map((net, at) => [withTax(net, rate(at)), amounts(column)[at]])),
    );
  compare(roles.get('totalNet'), (column) => compareSums(nets, column, amounts, grouping));
  compare(roles.get('totalGross'), (column) =>
    compareSums(
      nets.map((net, at) => exactlyWithTax(net, rate(at))),
      column,
      amounts,
      grouping,
    ),
  );
  compare(roles.get('noteTotal'), (column) => compareSums(nets, column, amounts, grouping));
  return proofs;
}

function withTax(net: Decimal | undefined, rate: Decimal | undefined): Decimal | undefined {
  return net && rate ? net.plus(net.times(rate).dividedBy(HUNDRED, 2)!) : undefined;
}

function exactlyWithTax(net: Decimal | undefined, rate: Decimal | undefined): Decimal | undefined {
  return net && rate ? net.plus(net.times(rate).dividedBy(HUNDRED, 8)!) : undefined;
}

function countAgreeing(pairs: readonly (readonly [Decimal | undefined, Decimal | undefined])[]): Agreement {
  const told = pairs.filter(([a, b]) => a && b);
  return { right: told.filter(([a, b]) => isNear(a!, b!, 1)).length, of: told.length };
}

/** Per document: the values of its rows add up to the column, a cent per row taken as rounding. */
export function compareSums(
  values: readonly (Decimal | undefined)[],
  column: SampleColumn,
  amounts: Amounts,
  { groups }: DocumentGrouping,
): Agreement {
  const totals = amounts(column);
  let right = 0;
  let of = 0;
  for (const group of groups) {
    const parts = group.map((at) => values[at]);
    const total = totals[group[0]!];
    if (!total || parts.includes(undefined)) continue;
    of++;
    const sum = parts.reduce<Decimal>((all, one) => all.plus(one!), Decimal.zero);
    if (isNear(sum, total, group.length)) right++;
  }
  return { right, of };
}

function isNear(a: Decimal, b: Decimal, cents: number): boolean {
  return a.abs().minus(b.abs()).abs().compare(Decimal.of(cents, 2)) <= 0;
}

/** More numbers than any export has; the work grows with their cube. */
const MAX_NUMBERS = 40;
/** A formula that fails on these documents is not tried on the others. */
const FIRST_GROUPS = 50;

/** Two line columns whose product adds up to a third column: on how many documents or rows. Zeros prove nothing. */
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
      const products = amounts(a).map((value, row) =>
        value && amounts(b)[row] && !value.isZero() ? value.times(amounts(b)[row]!).round(2) : undefined,
      );
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
