/**
 * Roles and amounts in; the source of the VAT rate of a row out: a column of rates, a column of codes with a table to
 * fill, or one rate that the totals show. The rate of a code comes from the totals of documents with this code alone,
 * else from digits or words in it; a code without either is left out of the table, so that its documents are refused
 * and not sent wrong.
 */

import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { dictionary } from '../../text/dictionary.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleColumn } from '../sample/sample-table.ts';
import { type Amounts, percentOf } from './amount-evidence.ts';
import { type ColumnRole, type Roles, rateColumns } from './column-roles.ts';
import type { DocumentGrouping } from './document-grouping.ts';

/** A code of the sample; `rate` in percent, undefined where nothing shows it. */
type VatEntry = {
  readonly code: string;
  readonly rows: number;
  readonly rate: string | undefined;
  readonly says: Message | undefined;
  /** The rate comes from the code itself; no total proves it. */
  readonly isProposed: boolean;
};

/** `fraction`: the column has 0.2 in place of 20. */
export type Vat =
  | { readonly kind: 'column'; readonly role: ColumnRole; readonly fraction: boolean; readonly rateOf: RateOf }
  | {
      readonly kind: 'table';
      readonly role: ColumnRole;
      readonly entries: readonly VatEntry[];
      readonly rateOf: RateOf;
    }
  /** One rate for all rows; undefined where nothing shows it. */
  | {
      readonly kind: 'fixed';
      readonly rate: string | undefined;
      readonly says: Message | undefined;
      readonly rateOf: RateOf;
    };

/** French rates and the Salvadoran 13 %, by their text. */
const RATES: ReadonlyMap<string, Decimal> = new Map([
  ['20', Decimal.from(20)],
  ['10', Decimal.from(10)],
  ['5.5', Decimal.of(55, 1)],
  ['2.1', Decimal.of(21, 1)],
  ['8.5', Decimal.of(85, 1)],
  ['13', Decimal.from(13)],
  ['0', Decimal.zero],
]);
/** Codes that ERPs use for a rate, in French, Spanish and English. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:N|NOR(?:MAL)?E?|STD|STANDARD|S|FULL|NM)$/i, '20'],
  [/^(?:R|RED(?:UIT|UCED|UCIDO)?)$/i, '5.5'],
  [/^(?:I|INT(?:ER(?:MEDIAIRE)?)?)$/i, '10'],
  [/^(?:E|EX|EXO(?:NERE)?|EXEMPT|Z|ZERO|EXPORT|EXENTO)$/i, '0'],
];

/** Adds evidence for the rate, and questions where it is proposed or missing. */
export function analyzeVat(roles: Roles, amounts: Amounts, grouping: DocumentGrouping, notes: DraftNotes): Vat {
  const column = roles.get('vatRate');
  if (column) return vatByColumn(column, amounts, notes);
  const codes = roles.get('vatCode');
  if (codes) return vatByCodes(codes, roles, amounts, grouping, notes);
  return vatByTotals(roles, amounts, grouping, notes);
}

/** Rates below 1, of which one is below 0.5, are fractions. */
function vatByColumn(role: ColumnRole, amounts: Amounts, notes: DraftNotes): Vat {
  const rates = rateColumns(role.profile) ?? [];
  const fraction = rates.some((rate) => rate > 0 && rate < 0.5) && rates.every((rate) => rate < 1);
  const shown = { column: role.column.name, values: [...role.profile.values.keys()].slice(0, 6) };
  notes.addEvidence('rate', fraction ? AMOUNT_EVIDENCE.fractions(shown) : AMOUNT_EVIDENCE.rates(shown));
  const rateOf: RateOf = (row) => {
    const rate = amounts(role.column)[row];
    return fraction ? rate?.times(Decimal.from(100)) : rate;
  };
  return { kind: 'column', role, fraction, rateOf };
}

function vatByCodes(
  role: ColumnRole,
  roles: Roles,
  amounts: Amounts,
  grouping: DocumentGrouping,
  notes: DraftNotes,
): Vat {
  const proven = ratesByTotals(role.column, roles, amounts, grouping);
  const entries = [...role.profile.values].map(([code, rows]): VatEntry => {
    const byTotals = proven.get(code);
    if (byTotals) {
      const documents = SAMPLE_COUNTS.documents({ count: byTotals.documents });
      const says = AMOUNT_EVIDENCE.rateByTotals({ documents });
      return { code, rows, rate: byTotals.rate, says, isProposed: false };
    }
    const byDigits = rateInDigits(code);
    if (byDigits) return { code, rows, rate: byDigits, says: AMOUNT_EVIDENCE.rateByDigits(), isProposed: true };
    const byWord = WORDS.find(([form]) => form.test(code))?.[1];
    const says = byWord === undefined ? undefined : AMOUNT_EVIDENCE.rateByWord();
    return { code, rows, rate: byWord, says, isProposed: byWord !== undefined };
  });
  const open = entries.filter(({ rate }) => rate === undefined).map(({ code }) => code);
  const guessed = entries.filter(({ isProposed }) => isProposed).map(({ code, rate }) => `${code} = ${rate} %`);
  if (open.length > 0)
    notes.addQuestion(93, 'tables.vat', SAMPLE_QUESTION.openVatCodes({ codes: open, name: role.column.name }));
  if (guessed.length > 0) notes.addQuestion(72, 'tables.vat', SAMPLE_QUESTION.guessedVat({ codes: guessed }));
  const rateOf: RateOf = (row) => {
    const rate = entries.find(({ code }) => code === role.column.cells[row])?.rate;
    return rate === undefined ? undefined : Decimal.parse(rate);
  };
  return { kind: 'table', role, entries, rateOf };
}

/** Digits that codes write for a rate with decimals. */
const SHORT_RATES = dictionary<string>({
  '55': '5.5',
  '21': '2.1',
  '85': '8.5',
  '05': '5.5',
  '02': '2.1',
});

/** The rate in a code such as TVA20 or 55; undefined where the digits are not a known rate. */
function rateInDigits(code: string): string | undefined {
  const digits = /\d{1,2}(?:[.,]\d{1,2})?/.exec(code)?.[0];
  if (digits === undefined || /\d{4}/.test(code)) return undefined;
  const rate = SHORT_RATES.get(digits) ?? String(Number(digits.replace(',', '.')));
  return RATES.has(rate) ? rate : undefined;
}

/** Documents with a single code: their tax in percent of their net. A code with two results has none. */
export function ratesByTotals(
  { cells }: SampleColumn,
  roles: Roles,
  amounts: Amounts,
  { groups }: DocumentGrouping,
): ReadonlyMap<string, { rate: string; documents: number }> {
  const votes = new Map<string, string[]>();
  for (const group of groups) {
    const [code, ...others] = new Set(group.flatMap((at) => cells[at] ?? []));
    const rate = others.length === 0 ? rateOfTotals(roles, amounts, group) : undefined;
    if (rate !== undefined && code !== undefined) votes.set(code, [...(votes.get(code) ?? []), rate]);
  }
  return new Map(
    [...votes]
      .filter(([, rates]) => new Set(rates).size === 1)
      .map(([code, [rate = '', ...more]]) => [code, { rate, documents: 1 + more.length }]),
  );
}

/** The one known rate that gives the tax of the document within two cents; the amounts are those of its first row. */
function rateOfTotals(roles: Roles, amounts: Amounts, [row = -1]: readonly number[]): string | undefined {
  const of = (concept: string) => {
    const role = roles.get(concept);
    return role ? amounts(role.column)[row] : undefined;
  };
  const pairs = [
    [of('totalNet'), of('totalTax') ?? difference(of('totalGross'), of('totalNet'))],
    [of('lineNet'), of('lineTax') ?? difference(of('lineGross'), of('lineNet'))],
  ] as const;
  const [net, tax] = pairs.find(([a, b]) => a && b && !a.isZero()) ?? [];
  if (!net || !tax) return undefined;
  const cents = Decimal.of(2, 2);
  const [fit, ...others] = [...RATES].filter(
    ([, rate]) => percentOf(net, rate, 2).minus(tax).abs().compare(cents) <= 0,
  );
  return others.length === 0 ? fit?.[0] : undefined;
}

function difference(a: Decimal | undefined, b: Decimal | undefined): Decimal | undefined {
  return a && b ? a.minus(b) : undefined;
}

/** The rate of at least half of the documents, else unknown, with a question. */
function vatByTotals(roles: Roles, amounts: Amounts, { groups }: DocumentGrouping, notes: DraftNotes): Vat {
  const rates = groups.flatMap((group) => rateOfTotals(roles, amounts, group) ?? []);
  const commonest = [...Map.groupBy(rates, (rate) => rate)].sort((a, b) => b[1].length - a[1].length)[0];
  if (commonest && commonest[1].length >= 0.5 * groups.length) {
    const documents = SAMPLE_COUNTS.documents({ count: groups.length });
    const says = AMOUNT_EVIDENCE.fixedRate({ rate: commonest[0], count: commonest[1].length, documents });
    notes.addEvidence('rate', says);
    notes.addQuestion(62, 'rate', SAMPLE_QUESTION.fixedVat({ reason: says }));
    return { kind: 'fixed', rate: commonest[0], says, rateOf: () => Decimal.parse(commonest[0]) };
  }
  notes.addQuestion(96, 'rate', SAMPLE_QUESTION.noVat());
  return { kind: 'fixed', rate: undefined, says: AMOUNT_EVIDENCE.noRate(), rateOf: () => undefined };
}

/** The rate of a row in percent. */
type RateOf = (row: number) => Decimal | undefined;
