/**
 * A sample as the reader of a run reads it: what was detected is the block `source` that the mapping will have, and the
 * rows of the reader are the table. Throws UnreadableFileError, with the fault of the reader, where a run refuses the file.
 */
import { inOnePiece } from '../../files/in-one-piece.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Row, Table } from '../../model/row.ts';
import { csvReader } from '../../readers/csv/csv-reader.ts';
import { fixedReader } from '../../readers/fixed-width/fixed-width-reader.ts';
import { type Reader, UnreadableFileError } from '../../readers/reader.ts';
import { xlsxReader } from '../../readers/xlsx/xlsx-reader.ts';
import { xmlReader } from '../../readers/xml/xml-reader.ts';
import { appendAll } from '../../text/long-lists.ts';
import type { Detected, SampleSource } from './sample-source.ts';
import type { SampleTable } from './sample-table.ts';

const READERS: { readonly [format in SampleSource['format']]: Reader } = {
  csv: csvReader,
  fixed: fixedReader,
  xlsx: xlsxReader,
  xml: xmlReader,
};

/** `file`: its name, without folder. */
export type SampleBytes = { readonly bytes: Uint8Array; readonly file: string };

/** Rows that the reader refuses are no part of the table; where it refuses all of them, the first one is the fault. */
export async function readDetected(detected: Detected, sample: SampleBytes): Promise<SampleTable> {
  const { columns, rows: all } = await readRows(detected.source, sample);
  const rows = all.filter(({ broken }) => broken === undefined);
  const [first] = all;
  if (rows.length === 0 && first?.broken) throw new UnreadableFileError([first.broken]);
  const { trailers, siblings, headers, documentOf } = detected;
  const owners = headers && rows.map(({ row }) => headers.findLast((one) => one < row) ?? 0);
  return definedOnly({
    columns: detected.columns.map((head) => {
      const at = columns.indexOf(head.name);
      return { ...head, cells: rows.map(({ cells }) => (cells[at] ?? '').trim()) };
    }),
    rows: rows.map(({ row }) => row),
    documents: documentOf && numbered(rows.map(({ row }) => documentOf(row))),
    trailers,
    siblings,
    owners,
    lonely: headers && owners && headers.length - new Set(owners).size,
  });
}

/** All rows of the sample, the refused ones as well. */
export async function readRows(
  source: SampleSource,
  { bytes, file }: SampleBytes,
): Promise<Pick<Table, 'columns'> & { readonly rows: readonly Row[] }> {
  const rows: Row[] = [];
  let columns: readonly string[] = [];
  for await (const batch of READERS[source.format].read(inOnePiece(bytes), { file, source: optionsOf(source) })) {
    ({ columns } = batch.table);
    appendAll(rows, batch.rows);
  }
  return { columns, rows };
}

/** The part of the block `source` that is for the reader. */
export function optionsOf({ format: _, ...options }: SampleSource): object {
  return options;
}

/** Each as the number of its first equal. */
function numbered(values: readonly unknown[]): readonly number[] {
  const first = new Map<unknown, number>();
  return values.map((value) => {
    const number = first.get(value) ?? first.size;
    first.set(value, number);
    return number;
  });
}
