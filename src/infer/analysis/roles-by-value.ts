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
import type { DraftTarget } from '../vocabulary/draft-targets.ts';
import { type Amounts, compareSums, documentAmounts, findProduct, percentOf, sumRows } from './amount-evidence.ts';
import { hasDecimals } from './column-profile.ts';
import { type Roles, rateColumns } from './column-roles.ts';
import type { DocumentGrouping, GroupingCandidate } from './document-grouping.ts';
import { ratesByTotals } from './vat-evidence.ts';

/** A file whose columns are given parts by their values. */
export type ValueSearch = {
  readonly target: DraftTarget;
  readonly candidates: readonly GroupingCandidate[];
  readonly grouping: DocumentGrouping;
  readonly amounts: Amounts;
  readonly notes: DraftNotes;
};

/** The search while it runs: what `give` hands out is no longer free. */
type Search = ValueSearch & {
  /** The parts so far, those by name included. */
  readonly found: Roles;
  /** Columns without a name of their own that have no part yet. */
  readonly free: () => readonly GroupingCandidate[];
  /** Does nothing without a candidate, or where the part is known. */
  readonly give: (concept: string, candidate: GroupingCandidate | undefined, says: Message) => void;
};

/** The roles by name in, with those that values alone show out; `strength` is 0 for these. Adds a question for each guess. */
export function addRolesByValues(roles: Roles, given: ValueSearch): Roles {
  const { target, candidates, grouping, notes } = given;
  const found = new Map(roles);
  const nameless = candidates.filter(({ column, profile }) => !column.known && profile.filled > 0);
  const isFree = ({ column }: GroupingCandidate) => ![...found.values()].some((role) => role.column === column);
  const free = () => nameless.filter(isFree);
  const give: Search['give'] = (concept, candidate, says) => {
    if (!candidate || found.has(concept)) return;
    found.set(concept, { column: candidate.column, profile: candidate.profile, strength: 0, says });
  };
  if (nameless.length > 0) {
    giveNameless({ ...given, found, free, give });
    noteNameless(found, free(), notes);
  }
  const hasDescription = target.rows === 'payments' || found.has('description');
  const words = hasDescription ? undefined : findDescription(candidates, isFree, grouping);
  if (words) {
    give('description', words, ROLE_EVIDENCE.longestTexts());
    const question = SAMPLE_QUESTION.describingColumn({ name: words.column.name });
    notes.addQuestion(68, 'output.lines.description', question);
  }
  return found;
}

function giveNameless(search: Search): void {
  const isReport = search.target.rows === 'payments';
  if (!isReport) giveAmounts(search);
  giveDates(search);
  if (isReport) {
    givePayments(search);
    return;
  }
  if (!search.target.isInvoice) giveNoteTexts(search);
  else giveInvoiceTexts(search);
  giveLineTexts(search);
}

function noteNameless(found: Roles, free: readonly GroupingCandidate[], notes: DraftNotes): void {
  const names = [...found]
    .filter(([, role]) => role.strength === 0 && role.says !== undefined)
    .map(([concept, { column }]) => SAMPLE_QUESTION.columnAs({ column: column.name, concept }));
  if (names.length > 0) notes.addQuestion(84, 'source.column-names', SAMPLE_QUESTION.byValues({ names }));
  const left = free.map(({ column }) => column.name);
  const columns = SAMPLE_COUNTS.columns({ count: left.length });
  if (left.length > 0)
    notes.addQuestion(20, 'source.column-names', SAMPLE_QUESTION.nothingMade({ columns, names: left }));
}

/** The column with the words of the lines, among those whose names say nothing: at least six letters on average. */
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
      isEvery(one, /\p{L}{3}/u) &&
      meanLength(one) >= 6,
  );
  return words.sort((a, b) => meanLength(b) - meanLength(a))[0];
}

function giveAmounts(search: Search): void {
  const { free, give, grouping, amounts } = search;
  const numbers = free().filter(
    ({ profile: { number, identifier, date, zeros } }) =>
      number && !identifier && !date && !(zeros && zeros.digits <= 5),
  );
  const isLine = (column: SampleColumn) => !grouping.proven || !grouping.constant(column);
  const candidateOf = (column: SampleColumn) => numbers.find((one) => one.column === column);
  const rate = numbers.findLast(
    (one) => isRate(one) && (hasDecimals(one.profile) || rateColumns(one.profile)?.some((value) => value >= 5)),
  );
  const columns = numbers.filter((one) => one !== rate);
  const product = findProduct(
    columns.filter(({ column, profile }) => isLine(column) || profile.values.size === 1).map(({ column }) => column),
    columns.map(({ column }) => column),
    amounts,
    grouping,
  );
  if (product) {
    const { right, of: total } = product.says;
    const says = ROLE_EVIDENCE.product({ column: product.total.name, right, total });
    const [quantity, price] = product.factors;
    give('quantity', candidateOf(quantity), says);
    give('price', candidateOf(price), says);
    give(grouping.proven && isLine(product.total) ? 'lineNet' : 'totalNet', candidateOf(product.total), says);
    give('vatRate', rate, ROLE_EVIDENCE.onlyRates());
    if (rate) giveGross(product.factors, rate, columns, search);
    else giveGrossAndCode(product.total, search);
  } else {
    const first = columns.find(({ column, profile }) => isLine(column) && hasDecimals(profile));
    give('quantity', first, ROLE_EVIDENCE.firstNumber());
    give('vatRate', rate, ROLE_EVIDENCE.onlyRates());
  }
  const counter = free().find((one) => isLine(one.column) && one.profile.number && countsUp(one, search));
  give('lineNo', counter, ROLE_EVIDENCE.countsUp());
}

/** A column with quantity * price and VAT on at least 60 % of at least two documents. */
function giveGross(
  [quantity, price]: readonly [SampleColumn, SampleColumn],
  rate: GroupingCandidate,
  columns: readonly GroupingCandidate[],
  { give, grouping, amounts }: Search,
): void {
  const [prices, percents] = [amounts(price), amounts(rate.column)];
  const gross = amounts(quantity).map((value, at) => {
    const [unitPrice, percent] = [prices[at], percents[at]];
    if (!value || !unitPrice || !percent) return undefined;
    const net = value.times(unitPrice).round(2);
    return net.plus(percentOf(net, percent, 8));
  });
  for (const one of columns) {
    const says = compareSums(gross, one.column, amounts, grouping);
    if (says.of >= 2 && says.right >= 0.6 * says.of)
      give('totalGross', one, ROLE_EVIDENCE.linesWithVat({ right: says.right, total: says.of }));
  }
}

/** No column of rates: a total that is above the net by what VAT can be, and the codes of the lines that explain it. */
function giveGrossAndCode(net: SampleColumn, { free, give, found, grouping, amounts }: Search): void {
  const nets = grouping.constant(net)
    ? documentAmounts(net, amounts, grouping)
    : grouping.groups.map((group) => sumRows(group, amounts(net)));
  const isGross = (column: SampleColumn) =>
    grouping.constant(column) && isAbove(documentAmounts(column, amounts, grouping), nets);
  const gross = free().find(({ profile, column }) => profile.number && isGross(column));
  give('totalGross', gross, ROLE_EVIDENCE.aboveNet());
  const code = free().find(({ column, profile }) => {
    const codes = [...profile.values.keys()];
    if (codes.length > 8 || codes.some((one) => one.length > 4)) return false;
    if (column.level === 'header' || profile.filled < column.cells.length) return false;
    const proven = ratesByTotals(column, found, amounts, grouping).size;
    return proven >= Math.min(2, codes.length) && proven * 2 >= codes.length;
  });
  give('vatCode', code, ROLE_EVIDENCE.rateOfCodes());
}

/** At most 20 % above the net on 90 % of at least two documents, and above it on half of them. Signs do not count. */
function isAbove(grosses: readonly (Decimal | undefined)[], nets: readonly (Decimal | undefined)[]): boolean {
  const pairs = grosses.flatMap((gross, at): (readonly [Decimal, Decimal])[] => {
    const net = nets[at];
    return net && gross && !net.isZero() ? [[net.abs(), gross.abs()]] : [];
  });
  const cent = Decimal.of(1, 2);
  const fits = pairs.filter(([net, gross]) => {
    const most = net.times(Decimal.of(12, 1)).plus(cent);
    return gross.plus(cent).compare(net) >= 0 && gross.compare(most) <= 0;
  });
  const taxed = pairs.filter(([net, gross]) => gross.minus(net).compare(cent) > 0);
  return pairs.length >= 2 && fits.length >= 0.9 * pairs.length && taxed.length * 2 >= pairs.length;
}

function isRate({ profile }: GroupingCandidate): boolean {
  const rates = rateColumns(profile);
  return rates?.every((one) => [0, 2.1, 5.5, 8.5, 10, 20, 13].includes(one)) === true;
}

function countsUp({ column }: GroupingCandidate, { grouping, amounts }: Search): boolean {
  const values = amounts(column);
  return grouping.groups.every((group) => {
    const numbers = group.map((at) => values[at]);
    return numbers.slice(1).every((number, at) => {
      const before = numbers[at];
      return number && before && number.compare(before) > 0;
    });
  });
}

function giveDates({ target, free, give }: Search): void {
  const dates = free().filter(({ profile }) => profile.date);
  for (const [at, name] of target.dates.entries())
    give(name, dates[at], at === 0 ? ROLE_EVIDENCE.firstDates() : ROLE_EVIDENCE.nextDates());
  const time = free().find((one) => isEvery(one, /^\d{1,2}:\d{2}(:\d{2})?$/));
  give('noteTime', time, ROLE_EVIDENCE.timeOfDay());
}

function givePayments({ free, give }: Search): void {
  const rate = free().find((one) => one.profile.number && !one.profile.identifier && isRate(one));
  give('vatRate', rate, ROLE_EVIDENCE.onlyRates());
  const amount = free().find(({ profile }) => hasDecimals(profile));
  give('paymentAmount', amount, ROLE_EVIDENCE.firstAmount());
}

const STREET = /^\d+[ ,]?\s*\D{3}|\b(?:rue|avenue|quai|chemin|place|boulevard|route|impasse)\b/i;

function giveInvoiceTexts(search: Search): void {
  const { free, give, grouping } = search;
  const zip = free().find((one) => grouping.constant(one.column) && isEvery(one, /^\d{5}$/));
  give('customer.zip', zip, ROLE_EVIDENCE.fiveDigits());
  const company = free().find(
    (one) => isOfDocument(one, search) && one.profile.values.size <= 3 && isEvery(one, /^[A-Z0-9]{1,4}$/),
  );
  give('company', company, ROLE_EVIDENCE.shortCode());
  const street = headerTexts(search).find((one) => share(one, STREET) > 0.6);
  give('customer.street', street, ROLE_EVIDENCE.houseNumber());
  give('customer.name', headerTexts(search).find(isName), ROLE_EVIDENCE.documentWords());
  give('customer.city', headerTexts(search).find(isWords), ROLE_EVIDENCE.documentWords());
}

function giveNoteTexts(search: Search): void {
  const { free, give, grouping } = search;
  const place = () => headerTexts(search).find((one) => share(one, /^[A-Z]{1,3}\d{1,4}$/) === 1);
  give('establishment', place(), ROLE_EVIDENCE.shortCodes());
  give('destination', place(), ROLE_EVIDENCE.secondCode());
  const till = free().find(
    (one) => grouping.constant(one.column) && one.profile.values.size <= 3 && isEvery(one, /^\d{1,3}$/),
  );
  give('till', till, ROLE_EVIDENCE.smallNumber());
  give('receiverName', headerTexts(search).find(isName), ROLE_EVIDENCE.documentWords());
}

function giveLineTexts({ free, give, grouping }: Search): void {
  const line = () =>
    free().filter(
      ({ column, profile }) =>
        !profile.date && !profile.number && (column.level === 'line' || !grouping.proven || !grouping.constant(column)),
    );
  const unit = line().find((one) => one.profile.values.size <= 12 && share(one, /^\p{L}{1,4}$/u) > 0.8);
  give('unit', unit, ROLE_EVIDENCE.shortWords());
  const [longest] = line().sort((a, b) => meanLength(b) - meanLength(a));
  if (longest && meanLength(longest) >= 6) give('description', longest, ROLE_EVIDENCE.longestTexts());
  const article = line().find((one) => share(one, /\d/) > 0.6);
  give('article', article, ROLE_EVIDENCE.lineCodes());
}

/** Free columns of texts that are the same on all rows of a document. */
function headerTexts(search: Search): readonly GroupingCandidate[] {
  return search.free().filter((one) => !one.profile.date && !one.profile.number && isOfDocument(one, search));
}

function isOfDocument({ column }: GroupingCandidate, { grouping }: Search): boolean {
  return column.level !== 'line' && grouping.constant(column);
}

function isWords(one: GroupingCandidate): boolean {
  return share(one, /[\p{L}]{3}/u) > 0.9;
}

/** Words without digits that differ between documents. */
function isName(one: GroupingCandidate): boolean {
  return isWords(one) && one.profile.values.size > 1 && share(one, /\d/) < 0.5;
}

function isEvery({ profile }: GroupingCandidate, form: RegExp): boolean {
  return [...profile.values.keys()].every((value) => form.test(value));
}

/** The share of the distinct values, from 0 to 1, that have the form. */
function share({ profile }: GroupingCandidate, form: RegExp): number {
  return [...profile.values.keys()].filter((value) => form.test(value)).length / profile.values.size;
}

function meanLength({ profile }: GroupingCandidate): number {
  const values = [...profile.values.keys()];
  return values.reduce((sum, value) => sum + value.length, 0) / Math.max(values.length, 1);
}
