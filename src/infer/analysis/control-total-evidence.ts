/**
 * Rows without data in, control totals out: each number in a trailer or totals row is compared with the count of
 * documents, the count of rows and the sums of columns. A number that agrees to the cent becomes a control total of the
 * draft; the others are left out.
 */

import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE, SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleColumn, SampleSkipRule, SampleTable, Trailer } from '../sample/sample-table.ts';
import { type Amounts, documentAmounts } from './amount-evidence.ts';
import type { DocumentGrouping, GroupingCandidate } from './document-grouping.ts';
import { type NumberMarks, parseSampleNumber } from './number-evidence.ts';

/** One entry of `source.controls`, with its proof. */
export type ControlTotal = {
  /** The rule of `leave-out` that finds the row. */
  readonly rule: SampleSkipRule;
  /** Name or number of the column with the value. */
  readonly value: string | number;
  readonly says: Message;
  readonly what:
    | { readonly 'count-of': 'documents' | 'rows' }
    | { readonly 'sum-of': string; readonly 'once-per': 'document' | 'row' };
};

type Given = {
  readonly table: SampleTable;
  readonly candidates: readonly GroupingCandidate[];
  readonly grouping: DocumentGrouping;
  readonly amounts: Amounts;
  readonly marks: NumberMarks;
  readonly notes: DraftNotes;
};

/** Adds a question for each trailer, proven or not: a wrong control would hold every file. */
export function proposeControls(given: Given): readonly ControlTotal[] {
  const { table, notes } = given;
  const controls = (table.trailers ?? []).flatMap((trailer) =>
    // Several totals rows of one kind are those of parts of the file.
    trailer.records.length === 1 ? controlsIn(trailer, given) : [],
  );
  for (const { rule, records } of table.trailers ?? []) {
    const [first] = records;
    if (!first) continue;
    const { row } = first;
    if ('equals' in rule) noteLeftOutRecords(rule.equals, records, notes);
    const proofs = controls.filter((one) => one.rule === rule).map(({ says }) => says);
    if (proofs.length > 0) notes.addQuestion(57, 'source.controls', SAMPLE_QUESTION.controls({ row, proofs }));
    else if ('equals' in rule) {
      notes.addQuestion(50, 'source.leave-out', SAMPLE_QUESTION.unprovenRecord({ value: rule.equals, row }));
    }
  }
  return controls;
}

/** Evidence for a rule of `leave-out`: how many records it leaves out, and the first one. */
export function noteLeftOutRecords(
  value: string,
  records: readonly { readonly cells: readonly string[]; readonly row: number }[],
  notes: DraftNotes,
): void {
  const [first] = records;
  if (!first) return;
  const found = SAMPLE_COUNTS.records({ count: records.length });
  const cells = first.cells.join(' ').slice(0, 40);
  notes.addEvidence(
    `source.leave-out.${value}`,
    SOURCE_EVIDENCE.leftOutRecords({ records: found, row: first.row, cells }),
  );
}

/** The control totals in one trailer; each cell may be one. */
function controlsIn({ rule, records }: Trailer, given: Given): readonly ControlTotal[] {
  const { table, marks } = given;
  const isNamed = typeof rule.column === 'string';
  const [first] = records;
  return (first?.cells ?? []).flatMap((text, at): ControlTotal[] => {
    const cell = text.trim();
    const value = isWritten(cell, marks) ? parseSampleNumber(cell, marks.decimal) : undefined;
    const found = value && !value.isZero() ? matchTotal(cell, value, given) : undefined;
    if (!found) return [];
    const column = isNamed ? table.columns[at]?.name : undefined;
    return [{ rule, value: column ?? at + 1, ...found }];
  });
}

/** True where the cell uses the number marks of the mapping; the reader parses it with these. */
function isWritten(cell: string, { decimal, thousands }: NumberMarks): boolean {
  const signs = cell.replace(/^[-+]|-$/, '').replaceAll(/\d/g, '');
  return /\d/.test(cell) && [...signs].every((sign) => sign === decimal || thousands.includes(sign));
}

type Match = Pick<ControlTotal, 'says' | 'what'>;

/** A count comes before a sum: small sums of whole numbers agree by accident. */
function matchTotal(cell: string, value: Decimal, given: Given): Match | undefined {
  const counted = /^\d+$/.test(cell) ? matchCount(cell, value, given) : undefined;
  if (counted) return counted;
  for (const { column, profile } of given.candidates) {
    if (!profile.number || profile.identifier || profile.date || profile.filled === 0) continue;
    const found = matchSum(cell, value, column, given);
    if (found) return found;
  }
  return undefined;
}

/** The number of documents or rows; undefined where both are the same, because either may be meant. */
function matchCount(cell: string, value: Decimal, { table, grouping }: Given): Match | undefined {
  // A header without lines is read as a row and counted as a document.
  const lonely = table.lonely ?? 0;
  const [documents, rows] = [grouping.groups.length + lonely, table.rows.length + lonely];
  if (documents === rows || documents <= 1) return undefined;
  if (value.equals(Decimal.from(documents)))
    return { says: AMOUNT_EVIDENCE.documentCount({ cell }), what: { 'count-of': 'documents' } };
  return value.equals(Decimal.from(rows))
    ? { says: AMOUNT_EVIDENCE.rowCount({ cell }), what: { 'count-of': 'rows' } }
    : undefined;
}

/** A column that is constant in each document is added up once per document. */
function matchSum(
  cell: string,
  value: Decimal,
  column: SampleColumn,
  { table, grouping, amounts }: Given,
): Match | undefined {
  const isOnce = grouping.proven && grouping.constant(column);
  if (isOnce && (table.lonely ?? 0) > 0) return undefined;
  const values = isOnce ? documentAmounts(column, amounts, grouping) : amounts(column);
  const taken = values.flatMap((one) => one ?? []).filter((one) => !one.isZero());
  // A single amount proves nothing: the trailer may repeat it.
  if (taken.length < 2) return undefined;
  const sum = taken.reduce((whole, one) => whole.plus(one), Decimal.zero);
  if (!sum.equals(value)) return undefined;
  const says = isOnce ? AMOUNT_EVIDENCE.columnSumOnce : AMOUNT_EVIDENCE.columnSum;
  const what = { 'sum-of': column.name, 'once-per': isOnce ? 'document' : 'row' } as const;
  return { says: says({ cell, column: column.name }), what };
}
