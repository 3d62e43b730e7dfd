/**
 * Parts that no name speaks for: in a file without column names the values are all there is. Amounts are found by what
 * they add up to, texts by their form and place; everything found here is asked about.
 */

import type { Message } from '../../i18n/message.ts';
import { ROLE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleColumn } from '../sample/sample-table.ts';
import { type Amounts, compareSums, findProduct } from './amount-evidence.ts';
import { type ColumnRole, type Roles, rateColumns } from './column-roles.ts';
import type { DocumentGrouping, GroupingCandidate } from './document-grouping.ts';
import { ratesByTotals } from './vat-evidence.ts';

type FoundRoles = Map<string, ColumnRole>;

export function addRolesByValues(
  target: string,
  roles: Roles,
  candidates: readonly GroupingCandidate[],
  grouping: DocumentGrouping,
  amounts: Amounts,
  notes: DraftNotes,
): Roles {
  const found: FoundRoles = new Map(roles);
  const nameless = candidates.filter(({ column, profile }) => !column.known && profile.filled > 0);
  const isFree = ({ column }: GroupingCandidate) => ![...found.values()].some((role) => role.column === column);
  const free = () => nameless.filter(isFree);
  const give = (concept: string, candidate: GroupingCandidate | undefined, says: Message) => {
    if (!candidate || found.has(concept)) return;
    found.set(concept, { column: candidate.column, profile: candidate.profile, strength: 0, says });
  };
  if (nameless.length > 0) {
    if (target !== 'fr-report') giveAmounts(free, give, found, grouping, amounts);
    giveDates(target, free, give);
    if (target === 'fr-report') givePayments(free, give);
    else giveTexts(target, free, give, grouping);
    const names = [...found]
      .filter(([, role]) => role.strength === 0 && role.says !== undefined)
      .map(([concept, { column }]) => SAMPLE_QUESTION.columnAs({ column: column.name, concept }));
    if (names.length > 0) notes.addQuestion(84, 'source.column-names', SAMPLE_QUESTION.byValues({ names }));
    const left = free().map(({ column }) => column.name);
    const columns = SAMPLE_COUNTS.columns({ count: left.length });
    if (left.length > 0)
      notes.addQuestion(20, 'source.column-names', SAMPLE_QUESTION.nothingMade({ columns, names: left }));
  }
  const hasDescription = target === 'fr-report' || found.has('description');
  const words = hasDescription ? undefined : findDescription(candidates, isFree, grouping);
  if (words) {
    give('description', words, ROLE_EVIDENCE.longestTexts());
    const question = SAMPLE_QUESTION.describingColumn({ name: words.column.name });
    notes.addQuestion(68, 'output.lines.description', question);
  }
  return found;
}

/** Of the columns whose names say nothing the one that holds the words of the lines. */
function findDescription(
  candidates: readonly GroupingCandidate[],
  isFree: (candidate: GroupingCandidate) => boolean,
  grouping: DocumentGrouping,
): GroupingCandidate | undefined {
  const words = candidates.filter(
    (one) =>
      isFree(one) &&
      one.match.concepts.length === 0 &&
      !one.profile.number &&
      !one.profile.date &&
      !one.profile.identifier &&
      !(grouping.proven && grouping.constant(one.column)) &&
      [...one.profile.values.keys()].every((value) => /\p{L}{3}/u.test(value)) &&
      meanLength(one) >= 6,
  );
  return words.sort((a, b) => meanLength(b) - meanLength(a))[0];
}

type Give = (concept: string, candidate: GroupingCandidate | undefined, says: Message) => void;

function giveAmounts(
  free: () => readonly GroupingCandidate[],
  give: Give,
  roles: Roles,
  grouping: DocumentGrouping,
  amounts: Amounts,
): void {
  const numbers = free().filter(
    ({ profile }) =>
      profile.number && !profile.identifier && !profile.date && !(profile.zeros && profile.zeros.digits <= 5),
  );
  const isLine = ({ column }: GroupingCandidate) => !grouping.proven || !grouping.constant(column);
  const of = (column: SampleColumn) => numbers.find((one) => one.column === column);
  const rates = numbers.filter(
    (one) =>
      isRate(one) &&
      (one.profile.number!.comma.length + one.profile.number!.point.length > 0 ||
        (rateColumns(one.profile) ?? []).some((value) => value >= 5)),
  );
  const rate = rates.at(-1);
  const columns = numbers.filter((one) => one !== rate);
  const product = findProduct(
    columns.filter((one) => isLine(one) || one.profile.values.size === 1).map(({ column }) => column),
    columns.map(({ column }) => column),
    amounts,
    grouping,
  );
  if (product) {
    const { right, of: total } = product.says;
    const says = ROLE_EVIDENCE.product({ column: product.total.name, right, total });
    give('quantity', of(product.factors[0]), says);
    give('price', of(product.factors[1]), says);
    give(isLine(of(product.total)!) && grouping.proven ? 'lineNet' : 'totalNet', of(product.total), says);
    give('vatRate', rate, ROLE_EVIDENCE.onlyRates());
    giveGross(product.factors, rate, columns, give, grouping, amounts);
    if (!rate) giveGrossAndCode(product, free, give, roles, grouping, amounts);
  } else {
    give(
      'quantity',
      columns.find((one) => isLine(one) && one.profile.number!.comma.length + one.profile.number!.point.length > 0),
      ROLE_EVIDENCE.firstNumber(),
    );
    give('vatRate', rate, ROLE_EVIDENCE.onlyRates());
  }
  give(
    'lineNo',
    free().find((one) => isLine(one) && one.profile.number && countsUp(one, grouping, amounts)),
    ROLE_EVIDENCE.countsUp(),
  );
}

function giveGross(
  factors: readonly [SampleColumn, SampleColumn],
  rate: GroupingCandidate | undefined,
  columns: readonly GroupingCandidate[],
  give: Give,
  grouping: DocumentGrouping,
  amounts: Amounts,
): void {
  if (!rate) return;
  const gross = amounts(factors[0]).map((value, at) => {
    const [price, percent] = [amounts(factors[1])[at], amounts(rate.column)[at]];
    if (!value || !price || !percent) return undefined;
    const net = value.times(price).round(2);
    return net.plus(net.times(percent).dividedBy(Decimal.from(100), 8)!);
  });
  for (const one of columns) {
    const says = compareSums(gross, one.column, amounts, grouping);
    if (says.of >= 2 && says.right >= 0.6 * says.of)
      give('totalGross', one, ROLE_EVIDENCE.linesWithVat({ right: says.right, total: says.of }));
  }
}

/** No column of rates: a total that is above the net by what VAT can be, and the codes of the lines that explain it. */
function giveGrossAndCode(
  product: NonNullable<ReturnType<typeof findProduct>>,
  free: () => readonly GroupingCandidate[],
  give: Give,
  roles: Roles,
  grouping: DocumentGrouping,
  amounts: Amounts,
): void {
  const nets = grouping.groups.map((group) => {
    const own = amounts(product.total);
    if (grouping.constant(product.total)) return own[group[0]!];
    return group.reduce<Decimal | undefined>(
      (sum, at) => (sum && own[at] ? sum.plus(own[at]) : undefined),
      Decimal.zero,
    );
  });
  const gross = free().find(({ profile, column }) => profile.number && isAbove(column, nets, grouping, amounts));
  give('totalGross', gross, ROLE_EVIDENCE.aboveNet());
  const code = free().find(({ column, profile }) => {
    const codes = [...profile.values.keys()];
    if (codes.length > 8 || codes.some((one) => one.length > 4)) return false;
    if (column.level === 'header' || profile.filled < column.cells.length) return false;
    const proven = ratesByTotals(column, roles, amounts, grouping).size;
    return proven >= Math.min(2, codes.length) && proven * 2 >= codes.length;
  });
  give('vatCode', code, ROLE_EVIDENCE.rateOfCodes());
}

function isAbove(
  column: SampleColumn,
  nets: readonly (Decimal | undefined)[],
  { groups, constant }: DocumentGrouping,
  amounts: Amounts,
): boolean {
  if (!constant(column)) return false;
  const pairs = groups.flatMap((group, n): (readonly [Decimal, Decimal])[] => {
    const [net, gross] = [nets[n], amounts(column)[group[0]!]];
    return net && gross && !net.isZero() ? [[net.abs(), gross.abs()]] : [];
  });
  const cent = Decimal.of(1, 2);
  const fits = pairs.filter(([net, gross]) => {
    const most = net.times(Decimal.parse('1.2')!).plus(cent);
    return gross.plus(cent).compare(net) >= 0 && gross.compare(most) <= 0;
  });
  const taxed = pairs.filter(([net, gross]) => gross.minus(net).compare(cent) > 0);
  return pairs.length >= 2 && fits.length >= 0.9 * pairs.length && taxed.length * 2 >= pairs.length;
}

function isRate({ profile }: GroupingCandidate): boolean {
  const rates = rateColumns(profile);
  return rates?.every((one) => [0, 2.1, 5.5, 8.5, 10, 20, 13].includes(one)) === true;
}

function countsUp({ column }: GroupingCandidate, { groups }: DocumentGrouping, amounts: Amounts): boolean {
  const values = amounts(column);
  return groups.every((group) =>
    group.every(
      (at, n) => n === 0 || (values[at] && values[group[n - 1]!] && values[at].compare(values[group[n - 1]!]!) > 0),
    ),
  );
}

/** Concepts of dates in the order in which exports have them. */
const DATES_BY_TARGET: { readonly [target: string]: readonly string[] } = {
  'fr-invoice': ['date', 'due'],
  'fr-report': ['paymentDate', 'invoiceDate'],
  'sv-remission-note': ['noteDate'],
};

function giveDates(target: string, free: () => readonly GroupingCandidate[], give: Give): void {
  const dates = free().filter(({ profile }) => profile.date);
  for (const [at, name] of (DATES_BY_TARGET[target] ?? []).entries())
    give(name, dates[at], at === 0 ? ROLE_EVIDENCE.firstDates() : ROLE_EVIDENCE.nextDates());
  give(
    'noteTime',
    free().find(({ profile }) => [...profile.values.keys()].every((value) => /^\d{1,2}:\d{2}(:\d{2})?$/.test(value))),
    ROLE_EVIDENCE.timeOfDay(),
  );
}

function givePayments(free: () => readonly GroupingCandidate[], give: Give): void {
  const numbers = free().filter(({ profile }) => profile.number && !profile.identifier);
  give(
    'vatRate',
    numbers.find((one) => isRate(one)),
    ROLE_EVIDENCE.onlyRates(),
  );
  give(
    'paymentAmount',
    free().find(({ profile }) => profile.number && profile.number.comma.length + profile.number.point.length > 0),
    ROLE_EVIDENCE.firstAmount(),
  );
}

function giveTexts(
  target: string,
  free: () => readonly GroupingCandidate[],
  give: Give,
  grouping: DocumentGrouping,
): void {
  const texts = () => free().filter(({ profile }) => !profile.date && !profile.number);
  const header = () => texts().filter(({ column }) => column.level !== 'line' && grouping.constant(column));
  const line = () =>
    texts().filter(({ column }) => column.level === 'line' || !grouping.proven || !grouping.constant(column));
  const values = ({ profile }: GroupingCandidate) => [...profile.values.keys()];
  const share = (one: GroupingCandidate, form: RegExp) =>
    values(one).filter((value) => form.test(value)).length / values(one).length;
  const note = target === 'sv-remission-note';
  const digits = free().filter(
    ({ profile, column }) =>
      grouping.constant(column) && values({ profile } as GroupingCandidate).every((value) => /^\d{5}$/.test(value)),
  );
  if (!note) give('customer.zip', digits[0], ROLE_EVIDENCE.fiveDigits());
  give(
    'company',
    free().find(
      ({ column, profile }) =>
        !note &&
        column.level !== 'line' &&
        grouping.constant(column) &&
        profile.values.size <= 3 &&
        values({ profile } as GroupingCandidate).every((value) => /^[A-Z0-9]{1,4}$/.test(value)),
    ),
    ROLE_EVIDENCE.shortCode(),
  );
  give(
    'establishment',
    note ? header().find((one) => share(one, /^[A-Z]{1,3}\d{1,4}$/) === 1) : undefined,
    ROLE_EVIDENCE.shortCodes(),
  );
  give(
    'destination',
    note ? header().find((one) => share(one, /^[A-Z]{1,3}\d{1,4}$/) === 1) : undefined,
    ROLE_EVIDENCE.secondCode(),
  );
  give(
    'till',
    note
      ? free().find(
          ({ column, profile }) =>
            grouping.constant(column) &&
            profile.values.size <= 3 &&
            values({ profile } as GroupingCandidate).every((value) => /^\d{1,3}$/.test(value)),
        )
      : undefined,
    ROLE_EVIDENCE.smallNumber(),
  );
  if (!note)
    give(
      'customer.street',
      header().find(
        (one) => share(one, /^\d+[ ,]?\s*\D{3}|\b(?:rue|avenue|quai|chemin|place|boulevard|route|impasse)\b/i) > 0.6,
      ),
      ROLE_EVIDENCE.houseNumber(),
    );
  give(
    note ? 'receiverName' : 'customer.name',
    header().find((one) => share(one, /[\p{L}]{3}/u) > 0.9 && one.profile.values.size > 1 && share(one, /\d/) < 0.5),
    ROLE_EVIDENCE.documentWords(),
  );
  if (!note)
    give(
      'customer.city',
      header().find((one) => share(one, /[\p{L}]{3}/u) > 0.9),
      ROLE_EVIDENCE.documentWords(),
    );
  give(
    'unit',
    line().find((one) => one.profile.values.size <= 12 && share(one, /^\p{L}{1,4}$/u) > 0.8),
    ROLE_EVIDENCE.shortWords(),
  );
  const longest = [...line()].sort((a, b) => meanLength(b) - meanLength(a))[0];
  give('description', longest && meanLength(longest) >= 6 ? longest : undefined, ROLE_EVIDENCE.longestTexts());
  give(
    'article',
    line().find((one) => share(one, /\d/) > 0.6),
    ROLE_EVIDENCE.lineCodes(),
  );
}

function meanLength({ profile }: GroupingCandidate): number {
  const values = [...profile.values.keys()];
  return values.reduce((sum, value) => sum + value.length, 0) / Math.max(values.length, 1);
}
