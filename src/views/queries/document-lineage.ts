/**
 * One admitted document as its archived rows make it: cell -> rule -> field, also where its mapping failed. Read with
 * the mapping that made it or with the current one, with the corrections so far and with those that a person tries.
 * Nothing is written. Throws OperatorError fix/cannot-read.
 */
import { type Correction, firstFileOf, type LedgerEntry } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { isOfCell } from '../../model/set-aside-rows.ts';
import { cannotRead } from '../../pipeline/reprocessing/document-cells.ts';
import {
  type Cells,
  cellsOfGroup,
  type ReconvertSource,
  type ReprocessContext,
  readDocuments,
  reconvertSourceOf,
} from '../../pipeline/reprocessing/reconvert-source.ts';
import { UnreadableFileError } from '../../readers/reader.ts';
import { keptMappings } from '../../verify/archived-mapping.ts';
import { type Preview, previewOf } from '../preview/preview-files.ts';

/** `document` is as a preview shows it; `rows` are its cells with all corrections; `mapping` is the one that read them. */
export type DocumentLineage = {
  readonly document: Preview;
  readonly rows: readonly Cells[];
  readonly mapping: { readonly id: string; readonly version: string; readonly isCurrent: boolean };
};

/** `then`: the archived mapping that made the document. `tried`: corrections that no person has saved, which come last. */
export type LineageOptions = { readonly mapping: 'then' | 'now'; readonly tried?: readonly Correction[] };

/** Undefined where its rows make no document any more. */
export async function documentLineage(
  context: ReprocessContext,
  entry: LedgerEntry,
  { mapping: wanted, tried = [] }: LineageOptions,
): Promise<DocumentLineage | undefined> {
  const file = must(await context.ledger.queries.sourceFile(firstFileOf(entry)), 'the file of an entry');
  const current = await reconvertSourceOf(context, file);
  if ('fault' in current) throw cannotRead(entry, [current.fault]);
  const source = wanted === 'then' ? asThen(context, entry, current) : current;
  const corrections = [...(await context.ledger.queries.correctionsOf(file.id)).filter(isOfCell), ...tried];
  const claimedAt = wanted === 'then' ? entry.file.claimedAt : context.clock.now().toISOString();
  const rows = new Set(entry.rows);
  try {
    for await (const one of readDocuments(context, { source, claimedAt, corrections, rows })) {
      const { mapping } = source;
      const isCurrent = mapping.sha256 === current.mapping.sha256;
      return {
        document: previewOf(one, mapping, context.instance.settings.rules.language),
        rows: cellsOfGroup(one.group),
        mapping: { id: mapping.id, version: mapping.version, isCurrent },
      };
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw cannotRead(entry, error.faults);
    throw error;
  }
  return undefined;
}

/** The current mapping where the archive does not have the former one: `mapping` of the result says which. */
function asThen({ instance }: ReprocessContext, entry: LedgerEntry, current: ReconvertSource): ReconvertSource {
  const stamp = entry.file.mapping;
  if (!stamp || stamp.sha256 === current.mapping.sha256) return current;
  const kept = keptMappings(instance)(stamp);
  return 'code' in kept ? current : { ...current, mapping: kept };
}
