/**
 * Records next to the lines of a document in; lists out, where their amounts per document agree with its net, its VAT
 * or its total: the draft then checks them. All others are left out, with a question.
 */

import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import { noteLineBelow } from '../sample/detect-record-types.ts';
import type { SampleTable, Siblings } from '../sample/sample-table.ts';
import type { DraftTarget } from '../vocabulary/draft-targets.ts';
import { type Amounts, documentAmounts, sumRows } from './amount-evidence.ts';
import { isVatRate, type Roles } from './column-roles.ts';
import { noteLeftOutRecords } from './control-total-evidence.ts';
import type { DocumentGrouping } from './document-grouping.ts';
import { type NumberMarks, parseSampleNumber } from './number-evidence.ts';

/** The amounts of a record that can be proven, and the rate next to them. */
type Meaning = 'rate' | 'net' | 'tax' | 'gross';

/** One entry of `lists` of a mapping. */
export type SiblingList = {
  readonly name: string;
  readonly value: string;
  /** Names from left to right, '' for the marker. */
  readonly columns: readonly string[];
  /** Names of the columns with numbers. */
  readonly numbers: readonly string[];
  readonly fieldOf: { readonly [meaning in Meaning]?: string };
  readonly says: readonly Message[];
};

type Given = {
  readonly target: DraftTarget;
  readonly table: SampleTable;
  readonly roles: Roles;
  readonly amounts: Amounts;
  readonly grouping: DocumentGrouping;
  readonly marks: NumberMarks;
  readonly notes: DraftNotes;
};

const FIELDS: { readonly [meaning in Meaning]: string } = { rate: 'rate', net: 'base', tax: 'tax', gross: 'gross' };

const SUMS = {
  net: AMOUNT_EVIDENCE.cellSumNet,
  tax: AMOUNT_EVIDENCE.cellSumTax,
  gross: AMOUNT_EVIDENCE.cellSumGross,
};

/** The proven lists; records that prove nothing stay left out. */
export function analyzeSiblings(given: Given): readonly SiblingList[] {
  const all = given.table.siblings ?? [];
  const lists = all.flatMap((siblings) => proveList(siblings, given) ?? []);
  const leaveOut = all.filter(({ value }) => !lists.some((list) => list.value === value));
  for (const { value, records, lineBelow } of leaveOut) {
    noteLeftOutRecords(value, records, given.notes);
    noteLineBelow(value, lineBelow, given.notes);
    const [first] = records;
    const question = SAMPLE_QUESTION.strayRecords({ value, row: first?.row ?? 0 });
    given.notes.addQuestion(50, 'source.leave-out', question);
  }
  return lists;
}

/** A column proves a meaning where it agrees on at least 80 % of at least two documents. */
function proveList(siblings: Siblings, given: Given): SiblingList | undefined {
  if (!given.target.isInvoice) return undefined;
  const { decimal } = given.marks;
  const columns = siblings.columns.map((_, at) =>
    at === 0 ? undefined : siblings.records.map(({ cells }) => parseSampleNumber(cells[at] ?? '', decimal)),
  );
  const meanings = new Map<number, Meaning>();
  const proofs: Message[] = [];
  for (const meaning of ['net', 'tax', 'gross'] as const) {
    const totals = documentTotals(meaning, given);
    const best = columns
      .map((values, at) => ({ at, ...(values ? agreement(values, totals, siblings, given) : { right: 0, of: 0 }) }))
      .filter(({ at, right, of }) => !meanings.has(at) && of >= 2 && right >= 0.8 * of)
      .sort((a, b) => b.right - a.right)[0];
    if (!best) continue;
    meanings.set(best.at, meaning);
    proofs.push(SUMS[meaning]({ cell: best.at + 1, right: best.right, total: best.of }));
  }
  if (meanings.size === 0) return undefined;
  const rate = columns.findIndex((values, at) => !meanings.has(at) && values?.every((one) => one && isVatRate(one)));
  if (rate > 0) meanings.set(rate, 'rate');
  const names = siblings.columns.map((name, at) => {
    const meaning = meanings.get(at);
    const field = meaning === undefined ? name : FIELDS[meaning];
    return at === 0 ? '' : field;
  });
  return {
    name: siblings.name,
    value: siblings.value,
    columns: names,
    numbers: names.filter((_, at) => meanings.has(at)),
    fieldOf: Object.fromEntries([...meanings].map(([at, meaning]) => [meaning, `${siblings.name}.${names[at]}`])),
    says: proofs,
  };
}

/** The total of each document by the columns of its lines or header. */
function documentTotals(meaning: Meaning, { roles, amounts, grouping }: Given): readonly (Decimal | undefined)[] {
  const once = (concept: string) => {
    const role = roles.get(concept);
    return role && documentAmounts(role.column, amounts, grouping);
  };
  const sums = (values: readonly (Decimal | undefined)[]) => grouping.groups.map((group) => sumRows(group, values));
  const added = (concept: string) => {
    const role = roles.get(concept);
    return role && sums(amounts(role.column));
  };
  const product = () => {
    const [quantity, price] = [roles.get('quantity'), roles.get('price')];
    if (!quantity || !price) return undefined;
    const prices = amounts(price.column);
    return sums(
      amounts(quantity.column).map((one, at) => (one && prices[at] ? one.times(prices[at]).round(2) : undefined)),
    );
  };
  const net = () => once('totalNet') ?? added('lineNet') ?? product() ?? [];
  const gross = () => once('totalGross') ?? added('lineGross') ?? [];
  if (meaning === 'net') return net();
  if (meaning === 'gross') return gross();
  const [nets, grosses] = [net(), gross()];
  return once('totalTax') ?? grosses.map((one, at) => (one && nets[at] ? one.minus(nets[at]) : undefined));
}

/** Documents whose sum and total are both zero prove nothing. */
function agreement(
  values: readonly (Decimal | undefined)[],
  totals: readonly (Decimal | undefined)[],
  { records }: Siblings,
  { table, grouping }: Given,
): { readonly right: number; readonly of: number } {
  const byOwner = Map.groupBy(records.keys(), (at) => records[at]?.owner);
  let right = 0;
  let of = 0;
  for (const [n, group] of grouping.groups.entries()) {
    const total = totals[n];
    const own = [...new Set(group.map((at) => table.owners?.[at]))].flatMap((owner) => [...(byOwner.get(owner) ?? [])]);
    const sum = sumRows(own, values);
    if (own.length === 0 || !total || !sum || (total.isZero() && sum.isZero())) continue;
    of++;
    if (sum.minus(total).abs().compare(Decimal.of(own.length, 2)) <= 0) right++;
  }
  return { right, of };
}
