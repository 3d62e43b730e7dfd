/**
 * Files of several kinds of records: a header record, then its lines, distinguished by the first cell. Recognised by few
 * short values there, each with its own number of cells. What is next to the lines, and what is once in the
 * file, comes out as well: its amounts may be proven against the documents.
 */

import { SOURCE_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { SAMPLE_COUNTS } from '../../i18n/messages/infer-messages.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { must } from '../../model/must.ts';
import { greatestOf } from '../../text/long-lists.ts';
import type { DraftNotes } from '../findings/draft-findings.ts';
import type { TableSource } from './sample-source.ts';
import type { ColumnHead, SampleRecord, Siblings, Trailer } from './sample-table.ts';

export type SampleRecordTypes = {
  readonly source: TableSource;
  readonly columns: readonly ColumnHead[];
  readonly siblings: readonly Siblings[];
  readonly trailers: readonly Trailer[];
  /** Rows of the header records. */
  readonly headers: readonly number[];
  /** These rows, the header records above them and what is next to them. */
  readonly withOthers: (rows: readonly number[]) => readonly number[];
};

type Kind = { readonly value: string; readonly width: number; readonly records: readonly SampleRecord[] };

/** Undefined where the records are of one kind. The kind with the most records that is not the header is the line. */
export function findRecordTypes(records: readonly SampleRecord[], notes: DraftNotes): SampleRecordTypes | undefined {
  const kinds = groupByKind(records);
  if (!kinds) return undefined;
  // A single record at the top may be that of the file.
  const header = must(kinds.find((kind) => kind.records.length > 1) ?? kinds[0], 'a kind of record');
  const [longest] = kinds
    .filter((kind) => kind !== header)
    .sort((a, b) => b.records.length - a.records.length || b.width - a.width);
  const line = must(longest, 'a second kind of record');
  const others = kinds.filter((kind) => kind !== header && kind !== line);
  for (const { value, width, records: some } of kinds) {
    const found = SAMPLE_COUNTS.records({ count: some.length });
    notes.addEvidence('source.record-types', SOURCE_EVIDENCE.recordKind({ value, records: found, width }));
  }
  notes.addQuestion(85, 'source.record-types', SAMPLE_QUESTION.unnamedCells());
  const owner = findOwner(header);
  const lineBelow = ({ records: some }: Kind) => {
    const first = new Map(some.map(({ row }) => [owner(row), row] as const).reverse());
    return line.records.find(({ row }) => row > (first.get(owner(row)) ?? Number.POSITIVE_INFINITY))?.row;
  };
  const stray = others.filter((kind) => !isOnce(kind, records) && kind.records.every(({ row }) => owner(row) !== 0));
  const levels = [header, line].map((kind) => ({ value: kind.value, columns: makeCellNames(kind) }));
  const siblings = stray.map((kind) => ({
    name: /^\p{L}/u.test(kind.value)
      ? kind.value.replace(/[^\p{L}\p{N}_]/gu, '_')
      : `T${kind.value.replace(/\W/g, '_')}`,
    value: kind.value,
    columns: makeCellNames(kind),
    records: kind.records.map(({ cells, row }) => ({
      cells: cells.map((cell) => cell.trim()),
      row,
      owner: owner(row),
    })),
    lineBelow: lineBelow(kind),
  }));
  const trailers = others
    .filter((kind) => !stray.includes(kind))
    .map((kind) => ({ rule: { column: 1, equals: kind.value }, records: kind.records }));
  for (const kind of others.filter((one) => !stray.includes(one))) noteLineBelow(kind.value, lineBelow(kind), notes);
  const leftOut = siblings.map(({ value }) => ({ column: 1, equals: value }));
  return {
    source: {
      'record-types': { column: 1, levels },
      'leave-out': [...trailers.map(({ rule }) => rule), ...leftOut],
    },
    columns: [...headsOf(header, 'header'), ...headsOf(line, 'line')],
    siblings,
    trailers,
    headers: header.records.map(({ row }) => row),
    withOthers: (wanted) => {
      const owners = new Set(wanted.map(owner));
      return [
        ...wanted,
        ...owners,
        ...siblings.flatMap(({ records: some }) => some.flatMap((one) => (owners.has(one.owner) ? one.row : []))),
      ];
    },
  };
}

/** Asks whether records that are left out are headers: the reader refuses what is below them. */
export function noteLineBelow(value: string, row: number | undefined, notes: DraftNotes): void {
  if (row !== undefined) notes.addQuestion(95, 'source.leave-out', SAMPLE_QUESTION.strayHeaders({ value, row }));
}

/** At the very beginning or end of the file. */
function isOnce({ records }: Kind, all: readonly SampleRecord[]): boolean {
  return records.length === 1 && (records[0] === all[0] || records[0] === all.at(-1));
}

/** Undefined where the first cells do not distinguish kinds of records. */
function groupByKind(records: readonly SampleRecord[]): readonly Kind[] | undefined {
  if (records.length < 3) return undefined;
  const byValue = Map.groupBy(records, ({ cells }) => (cells[0] ?? '').trim());
  if (byValue.size < 2 || byValue.size > 6) return undefined;
  const kinds: Kind[] = [];
  for (const [value, some] of byValue) {
    const widths = new Set(some.map(({ cells }) => cells.length));
    if (value.length < 1 || value.length > 12 || widths.size > 1) return undefined;
    kinds.push({ value, width: greatestOf(widths), records: some });
  }
  const large = kinds.filter(({ width }) => width > 3);
  const widths = new Set(large.map(({ width }) => width));
  return large.length >= 2 && widths.size >= 2 ? kinds : undefined;
}

function makeCellNames({ value, width }: Kind): readonly string[] {
  const prefix = /^\p{L}/u.test(value) ? value : `T${value}`;
  return Array.from({ length: width }, (_, at) => (at === 0 ? 'Type' : `${prefix}${at + 1}`));
}

/** The row of the header record above a row; 0 above the first one. */
function findOwner(header: Kind): (row: number) => number {
  return (row) => header.records.findLast((one) => one.row < row)?.row ?? 0;
}

/** The columns of a record but for its marker. */
function headsOf(kind: Kind, level: 'header' | 'line'): readonly ColumnHead[] {
  return makeCellNames(kind)
    .slice(1)
    .map((name) => ({ name, path: [name], known: false, level }));
}
