/**
 * The rows of an archived export, as the ERP wrote them, lines with the headers of their documents: one pass over the
 * file for documents in its order, begun again only where a document has rows before those that were read. Throws
 * UnreadableFileError, and errors of the disk.
 */
import { readerOf } from '../../catalogue.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Batch, Row, Table } from '../../model/row.ts';
import { type CellValues, joinRows } from '../../readers/join-files.ts';
import { leastOf } from '../../text/long-lists.ts';
import type { FileRead } from '../admission/admit-file.ts';
import { bytesOf } from '../sources/open-file-stream.ts';

/** A row with the table that names its cells. */
export type PlacedRow = { readonly row: Row; readonly table: Table };

export type RowCursor = {
  /** The rows with these numbers; one that the file does not have is absent. */
  readonly take: (wanted: ReadonlySet<number>) => Promise<ReadonlyMap<number, PlacedRow>>;
  /** Closes the file, wherever the reading is. */
  readonly close: () => Promise<void>;
};

/** What is read: a file alone, the lines of a pair with their headers, or headers that have no lines. */
export type RowSource = {
  readonly mapping: Pick<Mapping, 'source' | 'join'>;
  readonly file: FileRead;
  readonly headers?: FileRead | undefined;
  /** Corrections, by which lines find their headers. */
  readonly valuesOf?: CellValues;
};

export function openRows(source: RowSource): RowCursor {
  let batches = batchesOf(source)[Symbol.asyncIterator]();
  let current: Batch | undefined;
  /** Number of the last row of the batches before the current one. */
  let passed = 0;
  const advance = async () => {
    passed = current?.rows.at(-1)?.row ?? passed;
    const next = await batches.next();
    current = next.done ? undefined : next.value;
  };
  const goTo = async (first: number) => {
    if (first <= passed) {
      await batches.return?.();
      batches = batchesOf(source)[Symbol.asyncIterator]();
      [current, passed] = [undefined, 0];
    }
    if (current === undefined) await advance();
  };
  return {
    take: async (wanted) => {
      const found = new Map<number, PlacedRow>();
      await goTo(leastOf(wanted));
      while (current) {
        const { table } = current;
        for (const row of current.rows) if (wanted.has(row.row)) found.set(row.row, { row, table });
        if (found.size === wanted.size) break;
        await advance();
      }
      return found;
    },
    close: async () => void (await batches.return?.()),
  };
}

function batchesOf({ mapping, file, headers, valuesOf }: RowSource): AsyncIterable<Batch> {
  const reader = readerOf(mapping.source.format);
  const { options } = mapping.source;
  if (!mapping.join || !headers)
    return reader.read(bytesOf(file.path, file.moved), { file: file.name, source: options });
  const own = reader.read(bytesOf(headers.path, headers.moved), { file: headers.name, source: options });
  const lines = reader.read(bytesOf(file.path, file.moved), { file: file.name, source: mapping.join.options });
  return joinRows(own, lines, mapping.join.key, definedOnly({ valuesOf })).batches;
}
