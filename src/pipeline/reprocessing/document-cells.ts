/** The cells of documents, from their archived sources with all corrections so far. Nothing is written. */

import { REPROCESS } from '../../i18n/messages/pipeline-messages.ts';
import { type Fault, OperatorError } from '../../model/fault.ts';
import { documentName, firstFileOf, type LedgerEntry } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { isOfCell } from '../../model/set-aside-rows.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { type Cells, type ReprocessContext, readCells, reconvertSourceOf } from './reconvert-source.ts';

/** Rows of a document in the order of the file, or the reason why its source cannot be read: fix/cannot-read. */
export type CellsOrError = { readonly rows: readonly Cells[] } | { readonly error: OperatorError };

/** One entry per row of the document, in the order of the file. Throws OperatorError fix/cannot-read. */
export async function readDocumentCells(context: ReprocessContext, entry: LedgerEntry): Promise<readonly Cells[]> {
  const found = must((await readCellsOf(context, [entry])).get(entry.id), 'the cells of a document');
  if ('error' in found) throw found.error;
  return found.rows;
}

/** By id of the entry. Each source is read once, however many of the documents are in it. */
export async function readCellsOf(
  context: ReprocessContext,
  entries: readonly LedgerEntry[],
): Promise<ReadonlyMap<string, CellsOrError>> {
  const cells = new Map<string, CellsOrError>();
  for (const [id, own] of Map.groupBy(entries, firstFileOf)) {
    const rows = new Set(own.flatMap((entry) => entry.rows));
    const found = await readSource(context, id, rows);
    const byRow = 'faults' in found ? undefined : new Map(found.rows.map((row) => [row.row, row]));
    for (const entry of own) {
      if ('faults' in found) cells.set(entry.id, { error: cannotRead(entry, found.faults) });
      else cells.set(entry.id, { rows: entry.rows.flatMap((row) => byRow?.get(row) ?? []) });
    }
  }
  return cells;
}

type Read = { readonly rows: readonly Cells[] } | { readonly faults: readonly Fault[] };

async function readSource(context: ReprocessContext, id: string, rows: ReadonlySet<number>): Promise<Read> {
  const source = await reconvertSourceOf(
    context,
    must(await context.ledger.queries.sourceFile(id), 'the file of an entry'),
  );
  if ('fault' in source) return { faults: [source.fault] };
  const corrections = (await context.ledger.queries.correctionsOf(id)).filter(isOfCell);
  const claimedAt = context.clock.now().toISOString();
  try {
    return { rows: await readCells(context, { source, claimedAt, corrections, rows }) };
  } catch (error) {
    if (error instanceof UnreadableFileError) return { faults: error.faults };
    throw error;
  }
}

/** The fault of a document whose source cannot be read. */
export function cannotRead(entry: LedgerEntry, faults: readonly Fault[]): OperatorError {
  return new OperatorError('fix/cannot-read', REPROCESS.cannotRead({ document: documentName(entry) }), {
    faults,
    hint: REPROCESS.nothingChanged(),
  });
}
