/**
 * Which column plays which part in the document: the names propose, the values confirm or refuse, and whether a column
 * stays the same within a document separates a total of the document from an amount of a line.
 */

import type { Message } from '../../i18n/message.ts';
import { ROLE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import type { Decimal } from '../../model/decimal.ts';
import { dictionary } from '../../text/dictionary.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleColumn } from '../sample/sample-table.ts';
import type { DraftTarget } from '../vocabulary/draft-targets.ts';
import { fittingValues, hasDecimals, type Profile } from './column-profile.ts';
import { looksLikeSerials } from './date-evidence.ts';
import { type DocumentGrouping, filledShare, type GroupingCandidate } from './document-grouping.ts';
import { keepOneBlock } from './party-blocks.ts';

/** A column in its part. */
export type ColumnRole = {
  readonly column: SampleColumn;
  readonly profile: Profile;
  /** As that of NameMatch; 0 where the values alone show the part. */
  readonly strength: number;
  /** What besides the name shows the part. */
  readonly says: Message | undefined;
};
/** Concept -> its column, such as `number`, `customer.name` or `lineNet`. */
export type Roles = ReadonlyMap<string, ColumnRole>;

/** How well the values of a column fit a concept: about -3 to 3 points on top of those of the name, or REFUSED. */
type Test = (profile: Profile) => number;

/** More than a name can outweigh, whose strength is at most 3. */
const REFUSED = -100;
const text: Test = (profile) => {
  if (profile.date) return -3;
  return hasDecimals(profile) ? -2 : 0;
};
/** Words: a number cannot be a name, a street or a town. */
const words: Test = (profile) => text(profile) - (profile.number ? 3 : 0);
const amount: Test = ({ number, identifier, zeros }) => {
  if (!number) return REFUSED;
  if (identifier) return -2;
  return zeros ? -1 : 1;
};
const whole: Test = (profile) => (hasDecimals(profile) ? REFUSED : 0);
const date: Test = (profile) => {
  if (profile.date || looksLikeSerials(fittingValues(profile))) return 1;
  return profile.filled === 0 ? 0 : REFUSED;
};
const rate: Test = (profile) => {
  const rates = rateColumns(profile);
  if (rates === undefined) return REFUSED;
  if (rates.every((one) => KNOWN_RATES.has(one))) return 2;
  return rates.every((one) => one <= 30) ? 0 : REFUSED;
};
const code: Test = (profile) => {
  const few = profile.values.size <= Math.max(12, profile.filled / 3);
  const long = [...profile.values.keys()].some((value) => value.length > 20);
  if (!few || long) return -3;
  return rateColumns(profile)?.every((one) => KNOWN_RATES.has(one)) ? -1 : 0.5;
};
const shortCode: Test = (profile) => ([...profile.values.keys()].some((value) => value.length > 24) ? REFUSED : 0);
const pattern =
  (form: RegExp, right: number, wrong: number): Test =>
  (profile) => {
    const values = [...profile.values];
    if (values.length === 0) return 0;
    const fits = values.filter(([value]) => form.test(value.replace(/[\s\u00a0]/g, '')));
    const rowsOf = (some: typeof values) => some.reduce((sum, [, rows]) => sum + rows, 0);
    // One other value among many rows of one and the same is half of the values, and a cell.
    return fits.length >= 0.7 * values.length || rowsOf(fits) >= 0.75 * rowsOf(values) ? right : wrong;
  };
const identifierOrDigits =
  (form: string, digits: RegExp): Test =>
  (profile) => {
    if (profile.identifier?.form === form) return 3;
    return profile.damaged.length > 0 ? 1 : pattern(digits, 1, REFUSED)(profile);
  };
const flag: Test = ({ values }) =>
  values.size <= 2 && [...values.keys()].every((value) => value.length <= 3) ? 1 : REFUSED;

/** Rates of VAT in France with its overseas regions, today and before, and in El Salvador; some also as a fraction. */
const KNOWN_RATES = new Set([
  0, 0.9, 1.05, 1.75, 2.1, 5.5, 7, 8.5, 9.2, 9.6, 10, 13, 19.6, 20, 20.6, 0.2, 0.055, 0.1, 0.021, 0.13,
]);
/** What Odoo calls a line that is neither a heading nor a note. */
export const GOODS = 'Product';
const VAT_NUMBER = /^[A-Z]{2}[0-9A-Z]{2,13}$/;

/** A rate of VAT, in percent or as a fraction. */
export function isVatRate(value: Decimal): boolean {
  return KNOWN_RATES.has(Number(value.toText()));
}

/** Values that may be rates; undefined where they are no numbers. */
export function rateColumns(profile: Profile): readonly number[] | undefined {
  if (!profile.number) return undefined;
  return fittingValues(profile).map((value) => Number(value.replace(/\s/g, '').replace(',', '.')));
}

/** Level: what stays the same within a document, what may differ from line to line. */
type Concept = { readonly level: 'header' | 'line' | 'either'; readonly test: Test };
const CONCEPTS = dictionary<Concept>({
  ...atLevel('header', {
    docType: shortCode,
    series: shortCode,
    number: text,
    date,
    due: date,
    termDays: whole,
    currency: pattern(/^[A-Z]{3}$/, 2, REFUSED),
  }),
  ...atLevel('header', {
    orderRef: text,
    originalNumber: text,
    originalDate: date,
    reason: text,
    company: shortCode,
    deliveryDate: date,
    comment: text,
    status: code,
  }),
  ...atLevel('header', partyTests('customer')),
  ...atLevel('header', partyTests('issuer')),
  ...atLevel('header', { totalNet: amount, totalTax: amount, totalGross: amount, noteTotal: amount }),
  ...atLevel('line', {
    lineNo: whole,
    lineKind: ({ values }) => (values.has(GOODS) && values.size < 8 ? 1 : REFUSED),
    article: text,
    description: (profile) => text(profile) - (profile.number ? 1 : 0),
    quantity: amount,
    unit: code,
    price: amount,
    priceBase: amount,
  }),
  ...atLevel('line', {
    discountPercent: amount,
    discountAmount: amount,
    lineNet: amount,
    lineTax: amount,
    lineGross: amount,
    vatRate: rate,
    vatCode: code,
    lineAmount: amount,
    taxedFlag: flag,
  }),
  ...atLevel('either', {
    paymentDate: date,
    paymentAmount: amount,
    paymentCurrency: pattern(/^[A-Z]{3}$/, 2, REFUSED),
    invoiceRef: text,
    invoiceDate: date,
    payerCountry: pattern(/^[A-Z]{2}$/, 2, REFUSED),
    ticket: text,
  }),
  ...atLevel('header', {
    establishment: shortCode,
    till: shortCode,
    noteNumber: text,
    noteDate: date,
    noteTime: pattern(/^\d{1,2}:\d{2}/, 2, REFUSED),
    receiverDocType: code,
  }),
  ...atLevel('header', {
    receiverDocNumber: pattern(/^[\d-]{8,20}$/, 2, -1),
    nrc: pattern(/^[\d-]{1,9}$/, 1, REFUSED),
    receiverName: words,
  }),
  ...atLevel('header', {
    activityCode: pattern(/^\d{2,6}$/, 1, REFUSED),
    activityName: words,
    receiverEmail: pattern(/@/, 2, REFUSED),
  }),
  ...atLevel('header', {
    department: pattern(/^\d{1,2}$/, 1, -2),
    municipality: pattern(/^\d{1,2}$/, 1, -2),
    receiverStreet: text,
    title: shortCode,
    destination: shortCode,
  }),
  ...atLevel('either', { ignored: () => 0 }),
});

/** The roles by name: each concept goes to the column with the most points, each column to its best free concept. */
export function assignRoles(
  target: DraftTarget,
  candidates: readonly GroupingCandidate[],
  grouping: DocumentGrouping,
  notes: DraftNotes,
): Roles {
  const may = target.takes;
  const made = candidates.flatMap((candidate) => makeOffers(candidate, grouping, may, target));
  const offers = keepOneBlock(made, candidates, notes)
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const roles = new Map<string, ColumnRole>();
  const taken = new Set<SampleColumn>();
  const give = (concept: string, { column, profile, match }: GroupingCandidate, says: Message | undefined) => {
    if (roles.has(concept) || taken.has(column)) return;
    taken.add(column);
    roles.set(concept, { column, profile, strength: match.strength, says });
  };
  const key = candidates.find(({ column }) => column === grouping.key);
  if (key) give(target.number, key, undefined);
  for (const { concept, candidate, says } of offers) give(concept, candidate, says);
  return roles;
}

type Offer = {
  readonly concept: string;
  readonly candidate: GroupingCandidate;
  readonly score: number;
  readonly says: Message | undefined;
};

/** What a column may be, with points: by its name, else by the form of its identifiers. */
function makeOffers(
  candidate: GroupingCandidate,
  grouping: DocumentGrouping,
  may: (concept: string) => boolean,
  target: DraftTarget,
): readonly Offer[] {
  const { match, profile, column } = candidate;
  if (match.concepts[0] === 'ignored') return [];
  // An empty column of currencies still says what its blanks mean.
  if (profile.filled === 0 && !match.concepts.includes('currency')) return [];
  // Some count their lines in numbers, others in texts.
  const countable = profile.number !== undefined || !target.hasLineNumbers;
  const proposed = match.concepts
    .map((concept) => conceptOfParty(concept, match.party))
    .filter(
      (concept) =>
        may(concept) &&
        !(concept === 'company' && (match.party !== undefined || isAnotherEachTime(candidate, grouping))) &&
        (concept !== 'lineNo' || countable) &&
        (profile.values.size > 0 || /siren$|siret$|^currency$/.test(concept)),
    );
  const byName = [...new Set(proposed)].map((concept, at) =>
    // Of two XML values with one name, the one nearer to the document says more.
    offer(candidate, concept, match.strength - 0.3 * at - 0.05 * (column.path.length - 1), grouping),
  );
  if (byName.some(({ score }) => score > 0)) return byName;
  const known = conceptOfIdentifier(candidate, target);
  if (known === undefined || !may(known)) return byName;
  return [...byName, offer(candidate, known, column.known ? 1 : 2, grouping)];
}

/** One company issues many documents: what differs from document to document is who receives them. */
function isAnotherEachTime({ profile }: GroupingCandidate, { groups }: DocumentGrouping): boolean {
  return profile.values.size > 3 && profile.values.size > 0.5 * groups.length;
}

/** Points of the name, of the values and of the place: `base` plus those of the test, less for a column of the other level. */
function offer(candidate: GroupingCandidate, concept: string, base: number, grouping: DocumentGrouping): Offer {
  const { level = 'either', test = () => REFUSED } = CONCEPTS.get(concept) ?? {};
  const { column, profile } = candidate;
  const constant = grouping.constant(column) || grouping.sparse(column);
  const own = candidate.match.party !== undefined && concept.startsWith(candidate.match.party) ? 0.3 : 0;
  const fits = test(profile) + own + (isTooEmpty(concept, candidate, grouping) ? REFUSED : 0);
  const placed = () => {
    if (level === 'header') return constant ? 0.4 : REFUSED;
    return level === 'line' && grouping.proven && constant ? lineAlike(concept, profile) : 0.2;
  };
  return {
    concept,
    candidate,
    score: base + fits + placed(),
    says: fits > 0 ? ROLE_EVIDENCE.valuesAgree() : undefined,
  };
}

/** What every document has cannot be in a column that is empty in most of them. */
const IN_EVERY_DOCUMENT = /^(?:date|noteDate|number|noteNumber|customer\.name|receiverName|description)$/;
/** What every row of a report has. */
const IN_EVERY_ROW = /^payment(?:Date|Amount)$/;

function isTooEmpty(concept: string, { column, profile }: GroupingCandidate, grouping: DocumentGrouping): boolean {
  if (IN_EVERY_ROW.test(concept)) return profile.filled * 2 < column.cells.length;
  return IN_EVERY_DOCUMENT.test(concept) && filledShare(column, grouping) < 0.5;
}

/** A line column may happen to be the same on all lines of all documents: rates and units often are, amounts hardly. */
function lineAlike(concept: string, { values }: Profile): number {
  if (/^(?:vat|unit|taxedFlag|discountPercent|description|article)/.test(concept)) return -0.2;
  return values.size === 1 ? -0.5 : -2;
}

function conceptOfParty(concept: string, party: GroupingCandidate['match']['party']): string {
  return party === 'issuer' ? concept.replace(/^customer\./, 'issuer.') : concept;
}

/** Identifiers are known by their check digit, whatever the column is called; those of the other country do not count. */
function conceptOfIdentifier({ profile, match }: GroupingCandidate, target: DraftTarget): string | undefined {
  const { identifier } = profile;
  if (!identifier || identifier.right * 2 < identifier.of) return undefined;
  return target.identifier(identifier.form, match.party ?? 'customer');
}

function partyTests(party: 'customer' | 'issuer'): { readonly [concept: string]: Test } {
  return {
    [`${party}.name`]: (profile) => words(profile) + pattern(VAT_NUMBER, -2, 0)(profile),
    [`${party}.code`]: shortCode,
    // Some ERPs keep SIREN and SIRET in one column.
    [`${party}.siren`]: identifierOrDigits('siren', /^\d{9}(?:\d{5})?$/),
    [`${party}.siret`]: identifierOrDigits('siret', /^\d{14}$/),
    [`${party}.vat`]: (profile) => (profile.identifier?.form === 'vat' ? 3 : pattern(VAT_NUMBER, 2, REFUSED)(profile)),
    [`${party}.street`]: words,
    [`${party}.street2`]: words,
    [`${party}.zip`]: pattern(/^(?:[A-Z]{1,2}-?)?\d{4,6}$/, 1, -1),
    [`${party}.city`]: words,
    [`${party}.country`]: pattern(/^[A-Z]{2}$/, 2, REFUSED),
    [`${party}.email`]: pattern(/@/, 2, REFUSED),
    [`${party}.phone`]: pattern(/^[+\d][\d\s().-]{7,}$/, 1, REFUSED),
  };
}

function atLevel(
  level: Concept['level'],
  tests: { readonly [concept: string]: Test },
): { readonly [concept: string]: Concept } {
  return Object.fromEntries(Object.entries(tests).map(([concept, test]) => [concept, { level, test }]));
}
