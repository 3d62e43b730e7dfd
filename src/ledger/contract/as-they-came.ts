/** The order in which files are read: ids are in that of claims, but for those that a restore gives. Of these, no record says when they were taken. */
import { isOfReceipts, LAST_OF_RECEIPTS, type SourceFile } from '../../model/ledger-entry.ts';
import { compareTexts } from '../../text/compare-texts.ts';

/** Correction files after the exports that they correct. */
export function asTheyCame(files: readonly SourceFile[]): readonly SourceFile[] {
  if (!files.some(isOfReceipts)) return files;
  const isLast = ({ id }: SourceFile) => Number(id.startsWith(LAST_OF_RECEIPTS));
  return files.toSorted((a, b) => isLast(a) - isLast(b) || compareTexts(a.modifiedAt, b.modifiedAt));
}
