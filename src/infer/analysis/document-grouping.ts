/**
 * The columns of a sample in, the rows of each document out: the key is the column whose value is constant over
 * adjacent rows, does not come back, and makes other columns constant as well. Columns that are constant with it belong
 * to the header, the others to the lines. Without a key each row is a document, and the draft asks.
 */

import { GROUPING_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { SampleColumn, SampleTable } from '../sample/sample-table.ts';
import type { NameMatch } from '../vocabulary/column-dictionary.ts';
import { hasDecimals, type Profile } from './column-profile.ts';

/** The key column and the rows of each document; without a key, `key` is undefined. */
export type DocumentGrouping = {
  readonly key: SampleColumn | undefined;
  /** Whose numbers the key counts: a company, a journal, a series. Each has the same numbers. */
  readonly scope?: SampleColumn;
  /** Indexes of the rows of each document. */
  readonly groups: readonly (readonly number[])[];
  readonly adjacent: boolean;
  /** Equal on all rows of each document; only documents with several rows prove it. */
  readonly constant: (column: SampleColumn) => boolean;
  /** Filled on some rows of a document and blank on its others, never different. */
  readonly sparse: (column: SampleColumn) => boolean;
  /** True where some document has several rows. */
  readonly proven: boolean;
};

/** A column with its form and the meanings of its name. */
export type GroupingCandidate = { readonly column: SampleColumn; readonly profile: Profile; readonly match: NameMatch };

/** `concept`: the document number of the target. Adds evidence for the key, and questions where it is doubtful. */
export function findGrouping(
  table: SampleTable,
  candidates: readonly GroupingCandidate[],
  concept: string,
  notes: DraftNotes,
): DocumentGrouping {
  const scored = candidates
    .map((candidate) => ({ ...candidate, score: keyScore(candidate, candidates, concept, table) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (!best) {
    notes.addQuestion(97, 'documents.one-per', SAMPLE_QUESTION.noKey());
    return createGrouping(undefined, table, candidates);
  }
  const scope = table.documents ? undefined : findScope(best, table, candidates);
  const grouping = createGrouping(best.column, table, candidates, scope);
  const { name: column } = best.column;
  const { runs, distinct } = countRuns(keysIn(best.column, scope));
  if (scope) notes.addQuestion(93, 'documents.one-per', SAMPLE_QUESTION.keyInScope({ column, scope: scope.name }));
  notes.addEvidence(
    'documents.one-per',
    grouping.proven
      ? GROUPING_EVIDENCE.oneKey({
          column,
          values: SAMPLE_COUNTS.values({ count: distinct }),
          runs: SAMPLE_COUNTS.runs({ count: runs }),
          constant: candidates.filter((one) => grouping.constant(one.column)).length,
          total: candidates.length,
        })
      : GROUPING_EVIDENCE.keyEachRow({ column, rows: SAMPLE_COUNTS.rows({ count: table.rows.length }) }),
  );
  if (!grouping.adjacent) {
    notes.addEvidence('documents.rows', GROUPING_EVIDENCE.keyComesBack({ count: runs - distinct, column }));
    notes.addQuestion(65, 'documents.rows', SAMPLE_QUESTION.keyComesBack({ column }));
  }
  if (!grouping.proven) notes.addQuestion(40, 'documents.one-per', SAMPLE_QUESTION.oneRowEach());
  if (!best.match.concepts.includes(concept)) {
    notes.addQuestion(88, 'documents.one-per', SAMPLE_QUESTION.keyByValues({ column }));
  }
  return grouping;
}

/** What a header has once: rows of one number that differ in it are of several documents. */
const ONCE =
  /^(?:date|due|totalNet|totalTax|totalGross|noteDate|noteTotal|receiverName|receiverDocNumber|customer\..*)$/;
const SCOPES: readonly string[] = ['company', 'series', 'docType', 'establishment', 'till'];
/** Distinct values of a scope that no name shows. */
const FEW = 5;

/**
 * The column with which the number makes the documents, where rows of one number differ in what a header has once. Of several the one
 * that makes the fewest documents: a column of lines would cut them.
 */
function findScope(
  { column: key }: GroupingCandidate,
  table: SampleTable,
  candidates: readonly GroupingCandidate[],
): SampleColumn | undefined {
  const once = candidates.filter(({ match }) => match.concepts.some((concept) => ONCE.test(concept)));
  const alone = createGrouping(key, table, candidates);
  const several = alone.groups.filter((group) => group.length > 1);
  const differsIn = ({ cells }: SampleColumn) =>
    several.filter((group) => new Set(group.map((at) => cells[at])).size > 1).length;
  // A damaged cell makes one document differ, not a quarter of them.
  const isOften = (count: number) => count > 1 && count >= several.length / 4;
  const differing = once.filter(({ column }) => column !== key && isOften(differsIn(column)));
  if (differing.length === 0) return undefined;
  const found = candidates.flatMap(({ column, profile, match }) => {
    const { size } = profile.values;
    const isNamed = match.concepts.some((concept) => SCOPES.includes(concept));
    const isOne = column !== key && size > 1 && profile.filled === column.cells.length && !hasDecimals(profile);
    if (!isOne || profile.date || size > (isNamed ? table.rows.length / 2 : FEW)) return [];
    const grouping = createGrouping(key, table, candidates, column);
    if (!grouping.proven || !differing.every((one) => grouping.constant(one.column))) return [];
    return [{ column, count: grouping.groups.length - Number(isNamed) / 2 }];
  });
  return found.sort((a, b) => a.count - b.count)[0]?.column;
}

/** The key of each row. */
function keysIn(key: SampleColumn, scope: SampleColumn | undefined): readonly string[] {
  return scope ? key.cells.map((cell, at) => `${scope.cells[at]}\u0000${cell}`) : key.cells;
}

/** An odd cell proves nothing about the other rows of its document. */
function createGrouping(
  key: SampleColumn | undefined,
  table: SampleTable,
  candidates: readonly GroupingCandidate[],
  scope?: SampleColumn,
): DocumentGrouping {
  const odd = new Map(
    candidates.map(({ column, profile }) => [column, new Set(profile.odd.map(({ cell }) => cell))] as const),
  );
  const indexes = table.rows.map((_, at) => at);
  const keys = key && keysIn(key, scope);
  const groups = keys ? [...Map.groupBy(indexes, (at) => keys[at]).values()] : indexes.map((at) => [at]);
  const several = groups.filter((group) => group.length > 1);
  const { runs, distinct } = countRuns(keys ?? []);
  const valuesIn = (group: readonly number[], column: SampleColumn) =>
    new Set(group.flatMap((at) => column.cells[at] ?? []).filter((cell) => !odd.get(column)?.has(cell)));
  const constant = (column: SampleColumn) => several.every((group) => valuesIn(group, column).size < 2);
  const sparse = (column: SampleColumn) =>
    !constant(column) &&
    several.every((group) => [...valuesIn(group, column)].filter((cell) => cell !== '').length < 2);
  const found = { key, groups, adjacent: runs === distinct, constant, sparse, proven: several.length > 0 };
  return scope ? { ...found, scope } : found;
}

/** `runs` of equal adjacent cells, and `distinct` cells; equal counts mean that no value comes back. */
function countRuns(cells: readonly string[]): { readonly runs: number; readonly distinct: number } {
  const runs = cells.filter((cell, at) => at === 0 || cell !== cells[at - 1]).length;
  return { runs, distinct: new Set(cells).size };
}

/** 0 for a column that cannot be the key; a name outweighs every score by values. */
function keyScore(
  { column, profile, match }: GroupingCandidate,
  all: readonly GroupingCandidate[],
  concept: string,
  table: SampleTable,
): number {
  const rows = table.rows.length;
  if (table.documents && !isOneEach(column, table.documents)) return 0;
  const named = match.concepts.indexOf(concept);
  const depth = 0.01 * column.path.length;
  const { runs, distinct } = countRuns(column.cells);
  const whole = profile.filled === column.cells.length;
  // Drafts of the ERP have no number yet, so that a named column may have gaps.
  if (!whole && !(named >= 0 && profile.filled >= 0.8 * rows)) return 0;
  if (profile.date || profile.identifier) return 0;
  if (hasDecimals(profile)) return 0;
  if (named >= 0) {
    const adjacent = runs === distinct ? 2 : 0;
    return 20 + 2 * match.strength - named + adjacent + (distinct > 1 ? 2 : 0) - depth;
  }
  // By values alone only where the name says nothing.
  if ((column.known && match.concepts.length > 0) || match.party !== undefined) return 0;
  if (distinct < 2 || runs !== distinct) return 0;
  const values = [...profile.values.keys()];
  if (!values.every((value) => /\d{3}/.test(value) && /^[\w./-]+$/.test(value))) return 0;
  if (distinct === rows) return isSeriesOfNumbers(values) ? 0.5 - depth : 0;
  const grouping = createGrouping(column, { columns: [], rows: column.cells.map((_, at) => at) }, all);
  const along = all.filter((one) => grouping.constant(one.column)).length;
  return distinct + along / all.length;
}

/** Another value on each row: only numbers that count up like those of documents, not amounts and not line numbers. */
function isSeriesOfNumbers(values: readonly string[]): boolean {
  const [first = ''] = values;
  const [letters, length] = [first.replace(/\d.*$/, ''), first.length];
  if (!values.every((value) => value.length === length && value.startsWith(letters))) return false;
  const isAscending = values.every((value, at) => at === 0 || value > (values[at - 1] ?? ''));
  return isAscending && (letters !== '' || Number(first) >= 1000);
}

/** The share of documents, from 0 to 1, that have the column filled on one of their rows. */
export function filledShare({ cells }: SampleColumn, { groups }: DocumentGrouping): number {
  return groups.filter((group) => group.some((at) => cells[at] !== '')).length / Math.max(groups.length, 1);
}

/** True where each document has its own value, the same on all its rows. */
function isOneEach({ cells }: SampleColumn, documents: readonly number[]): boolean {
  const pairs = new Set(documents.map((document, at) => `${document} ${cells[at]}`));
  return pairs.size === new Set(documents).size && new Set(cells).size === pairs.size;
}
