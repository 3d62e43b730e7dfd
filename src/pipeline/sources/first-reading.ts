/** The first of several readings of the same export. */
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';

/** The record that `rereads` points to; the file itself if it is the first reading, or if that record is gone. */
export async function firstReading(ledger: Pick<QueryStore, 'sourceFile'>, file: SourceFile): Promise<SourceFile> {
  if (file.rereads === undefined) return file;
  return (await ledger.sourceFile(file.rereads)) ?? file;
}
