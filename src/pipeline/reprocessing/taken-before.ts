/**
 * Whether a correction file that comes once more has done all that it can. The record of its first reading comes in, the ledger
 * answers; reads only.
 */
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import { isError } from '../../model/fault.ts';
import { firstFileOf, type SourceFile } from '../../model/ledger-entry.ts';
import { findEntries } from '../context/find-entry.ts';
import { correctionTally, isCorrectionRecord } from './correction-results.ts';

/**
 * True if the same bytes once more change nothing. What was refused of the file may pass now, and so may what it left unchanged,
 * with another mapping or with an attachment that was missing. What a person has undone since does not count any more.
 */
export async function isTakenBefore(
  ledger: Pick<QueryStore, 'find' | 'correctionsOf'>,
  file: SourceFile,
): Promise<boolean> {
  if (!isCorrectionRecord(file) || file.faults.some(isError) || correctionTally(file).unchanged > 0) return false;
  const documents = new Set(file.leftOut.flatMap(({ of }) => of?.id ?? []));
  const entries = await findEntries(ledger, [...documents]);
  for (const source of new Set(entries.map(firstFileOf))) {
    if (await isUndone(ledger, source, file)) return false;
  }
  return true;
}

/** A cell that the file has corrected has its value of before again. */
async function isUndone(
  ledger: Pick<QueryStore, 'correctionsOf'>,
  source: string,
  { claimedAt }: SourceFile,
): Promise<boolean> {
  const all = await ledger.correctionsOf(source);
  const last = new Map(all.map((one) => [JSON.stringify([one.row, one.column]), one]));
  return all.some(({ row, column, from, to, at }) => {
    const now = last.get(JSON.stringify([row, column]));
    return at === claimedAt && now?.from === to && now.to === from;
  });
}
