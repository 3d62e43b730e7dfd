/**
 * Files of several kinds of records: a header record, then its lines, told apart by the first cell. Recognised by few
 * short values there, each with its own number of cells.
 */
import type { SampleRecord } from './dialect.ts';
import { count, type Notes } from './notes.ts';
import type { SampleColumn } from './sample-table.ts';

export type RecordTypes = {
  readonly levels: readonly { readonly value: string; readonly columns: readonly string[] }[];
  readonly leaveOut: readonly { readonly column: number; readonly equals: string }[];
  readonly columns: readonly SampleColumn[];
  readonly rows: readonly number[];
  readonly records: readonly SampleRecord[];
  /** These rows and the rows of the header records above them. */
  readonly withHeaders: (rows: readonly number[]) => readonly number[];
};

type Kind = { readonly value: string; readonly width: number; readonly records: readonly SampleRecord[] };

export function findRecordTypes(records: readonly SampleRecord[], notes: Notes): RecordTypes | undefined {
  const kinds = kindsOf(records);
  if (!kinds) return undefined;
  const header = kinds.find(({ value }) => value === records[0]!.cells[0]!.trim())!;
  const line = kinds.filter((kind) => kind !== header).sort((a, b) => b.records.length - a.records.length)[0]!;
  const others = kinds.filter((kind) => kind !== header && kind !== line);
  notes.found(
    'source.record-types',
    kinds
      .map(({ value, width, records: some }) => `"${value}": ${count(some.length, 'record')} of ${width} cells`)
      .join(', '),
  );
  for (const { value, records: some } of others) {
    notes.found(
      `source.leave-out.${value}`,
      `${count(some.length, 'record')}, row ${some[0]!.row}: ${some[0]!.cells.join(' ').slice(0, 40)}`,
    );
    notes.ask(
      50,
      'source.leave-out',
      `Records of type "${value}" are left out (row ${some[0]!.row}). Do they hold something the document needs?`,
    );
  }
  notes.ask(
    85,
    'source.record-types',
    'The records have no names for their cells: the names are made up here. Rename what you know.',
  );
  const levels = [header, line].map((kind) => ({ value: kind.value, columns: namesOf(kind) }));
  return {
    levels,
    leaveOut: others.map(({ value }) => ({ column: 1, equals: value })),
    records,
    ...joined(records, header, line),
    withHeaders: headersAbove(header),
  };
}

/** Undefined where the first cells do not tell kinds of records apart. */
function kindsOf(records: readonly SampleRecord[]): readonly Kind[] | undefined {
  if (records.length < 3) return undefined;
  const byValue = Map.groupBy(records, ({ cells }) => (cells[0] ?? '').trim());
  if (byValue.size < 2 || byValue.size > 5) return undefined;
  const kinds: Kind[] = [];
  for (const [value, some] of byValue) {
    const widths = new Set(some.map(({ cells }) => cells.length));
    if (value.length < 1 || value.length > 12 || widths.size > 1) return undefined;
    kinds.push({ value, width: some[0]!.cells.length, records: some });
  }
  const large = kinds.filter(({ width }) => width > 3);
  const widths = new Set(large.map(({ width }) => width));
  return large.length >= 2 && widths.size === large.length ? kinds : undefined;
}

function namesOf({ value, width }: Kind): readonly string[] {
  const prefix = /^\p{L}/u.test(value) ? value : `T${value}`;
  return Array.from({ length: width }, (_, at) => (at === 0 ? 'Type' : `${prefix}${at + 1}`));
}

function headersAbove(header: Kind): RecordTypes['withHeaders'] {
  return (rows) => [...rows, ...rows.flatMap((row) => header.records.findLast((one) => one.row < row)?.row ?? [])];
}

/** Each line with the cells of the header above it, as the reader joins them. */
function joined(records: readonly SampleRecord[], header: Kind, line: Kind): Pick<RecordTypes, 'columns' | 'rows'> {
  let above: SampleRecord | undefined;
  const pairs: (readonly [SampleRecord, SampleRecord])[] = [];
  for (const record of records) {
    const type = record.cells[0]!.trim();
    if (type === header.value) above = record;
    else if (type === line.value && above) pairs.push([above, record]);
  }
  const columns = [header, line].flatMap((kind, level) =>
    namesOf(kind).flatMap((name, at): SampleColumn[] =>
      at === 0
        ? []
        : [{ name, path: [name], cells: pairs.map((pair) => (pair[level]!.cells[at] ?? '').trim()), known: false }],
    ),
  );
  return { columns, rows: pairs.map(([, { row }]) => row) };
}
