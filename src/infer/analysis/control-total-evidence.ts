/**
 * What a row without data counts or adds: each number in a trailer or totals row is tried against the documents, the rows
 * and the columns of amounts. What agrees to the cent becomes a control total of the draft; the rest is left out.
 */
import { Decimal } from '../../model/decimal.ts';
import { count, type Notes } from '../findings/draft-findings.ts';
import type { SampleSkipRule, SampleTable, Trailer } from '../sample/sample-table.ts';
import type { Amounts } from './amount-evidence.ts';
import type { DocumentGrouping, GroupingCandidate } from './document-grouping.ts';
import { type Marks, numberIn } from './number-evidence.ts';

export type ControlTotal = {
  readonly rule: SampleSkipRule;
  /** Name or number of the column with the value. */
  readonly value: string | number;
  readonly says: string;
  readonly what:
    | { readonly 'count-of': 'documents' | 'rows' }
    | { readonly 'sum-of': string; readonly 'once-per': 'document' | 'row' };
};

type Given = {
  readonly table: SampleTable;
  readonly candidates: readonly GroupingCandidate[];
  readonly grouping: DocumentGrouping;
  readonly amounts: Amounts;
  readonly marks: Marks;
  readonly notes: Notes;
};

export function proposeControls(given: Given): readonly ControlTotal[] {
  const { table, notes } = given;
  const controls = (table.trailers ?? []).flatMap((trailer) =>
    // Several totals rows of one kind are those of parts of the file.
    trailer.records.length === 1 ? controlsIn(trailer, given) : [],
  );
  for (const { rule, records } of table.trailers ?? []) {
    const own = controls.filter((one) => one.rule === rule);
    if ('equals' in rule) noteRecord(rule.equals, records, notes);
    if (own.length > 0)
      notes.ask(
        57,
        'source.controls',
        `Row ${records[0]!.row} was taken for control totals (${own.map(({ says }) => says).join('; ')}): a file that does not agree with them is held whole. Is it always so?`,
      );
    else if ('equals' in rule)
      notes.ask(
        50,
        'source.leave-out',
        `Records of type "${rule.equals}" are left out (row ${records[0]!.row}): nothing in the file adds up to their numbers. Do they hold something the document needs?`,
      );
  }
  return controls;
}

function noteRecord(value: string, records: Trailer['records'], notes: Notes): void {
  notes.found(
    `source.leave-out.${value}`,
    `${count(records.length, 'record')}, row ${records[0]!.row}: ${records[0]!.cells.join(' ').slice(0, 40)}`,
  );
}

function controlsIn({ rule, records }: Trailer, given: Given): readonly ControlTotal[] {
  const { table, marks } = given;
  const isNamed = typeof rule.column === 'string';
  return records[0]!.cells.flatMap((text, at): ControlTotal[] => {
    const cell = text.trim();
    const value = isWritten(cell, marks) ? numberIn(cell, marks.decimal) : undefined;
    const found = value && !value.isZero() ? whatIs(cell, value, given) : undefined;
    if (!found) return [];
    const column = isNamed ? table.columns[at]?.name : undefined;
    return [{ rule, value: column ?? at + 1, ...found }];
  });
}

/** With the marks that the mapping will give for all numbers. */
function isWritten(cell: string, { decimal, thousands }: Marks): boolean {
  const signs = cell.replace(/^[-+]|-$/, '').replaceAll(/\d/g, '');
  return /\d/.test(cell) && [...signs].every((sign) => sign === decimal || thousands.includes(sign));
}

function whatIs(
  cell: string,
  value: Decimal,
  { table, candidates, grouping, amounts }: Given,
): Pick<ControlTotal, 'says' | 'what'> | undefined {
  // A header without lines is read as a row and counted as a document.
  const lonely = table.lonely ?? 0;
  const [documents, rows] = [grouping.groups.length + lonely, table.rows.length + lonely];
  if (/^\d+$/.test(cell) && documents !== rows && documents > 1) {
    if (value.equals(Decimal.from(documents)))
      return { says: `${cell} is the number of documents`, what: { 'count-of': 'documents' } };
    if (value.equals(Decimal.from(rows)))
      return { says: `${cell} is the number of rows`, what: { 'count-of': 'rows' } };
  }
  for (const { column, profile } of candidates) {
    if (!profile.number || profile.identifier || profile.date || profile.filled === 0) continue;
    const once = grouping.proven && grouping.constant(column) ? 'document' : 'row';
    if (once === 'document' && lonely > 0) continue;
    const all = amounts(column);
    const taken = once === 'document' ? grouping.groups.map((group) => all[group[0]!]) : all;
    // A single amount proves nothing: the trailer may repeat it.
    if (taken.filter((one) => one && !one.isZero()).length < 2) continue;
    const sum = taken.reduce<Decimal>((whole, one) => (one ? whole.plus(one) : whole), Decimal.zero);
    if (sum.equals(value))
      return {
        says: `${cell} is the sum of ${column.name}${once === 'document' ? ', once per document' : ''}`,
        what: { 'sum-of': column.name, 'once-per': once },
      };
  }
  return undefined;
}
