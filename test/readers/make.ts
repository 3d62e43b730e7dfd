/** Reads bytes through a reader, in chunks of any size, into plain rows. */
import type { Fault } from '../../src/model/fault.ts';
import type { Batch, Row, SkippedRow, Table } from '../../src/model/row.ts';
import { type Reader, UnreadableFileError } from '../../src/readers/reader.ts';

export type Outcome = {
  readonly table: Table | undefined;
  readonly encoding: string | undefined;
  readonly rows: readonly Row[];
  readonly leftOut: readonly SkippedRow[];
  /** Why the file as a whole was refused. */
  readonly refused: readonly Fault[];
  readonly warnings: readonly Fault[];
  readonly batches: number;
};

export async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function readAll(
  reader: Reader,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  source: unknown,
  options: { chunk?: number; chunkBytes?: number } = {},
): Promise<Outcome> {
  const data = typeof content === 'string' ? Buffer.from(content) : content;
  const bytes = data instanceof Uint8Array ? chunksOf(data, options.chunk ?? 1 << 20) : data;
  const batches: Batch[] = [];
  let refused: readonly Fault[] = [];
  try {
    const settings = options.chunkBytes === undefined ? {} : { chunkBytes: options.chunkBytes };
    for await (const batch of reader.read(bytes, { file: 'test.dat', source, ...settings })) batches.push(batch);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    refused = error.faults;
  }
  return {
    table: batches[0]?.table,
    encoding: batches[0]?.encoding,
    rows: batches.flatMap((batch) => batch.rows),
    leftOut: batches.flatMap((batch) => batch.leftOut),
    refused,
    warnings: batches.flatMap((batch) => batch.warnings ?? []),
    batches: batches.length,
  };
}

export function cellsOf(outcome: Outcome): readonly (readonly string[])[] {
  return outcome.rows.map((row) => row.cells);
}

/** Codes of the file's faults, or else of the broken rows. */
export function codesOf(outcome: Outcome): readonly string[] {
  const faults = outcome.refused.length > 0 ? outcome.refused : outcome.rows.flatMap((row) => row.broken ?? []);
  return faults.map((fault) => fault.code);
}
