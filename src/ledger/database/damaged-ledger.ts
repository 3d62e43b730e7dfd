/** A ledger whose bytes are not what was written: nothing is sent with it, and the way back is always the same. */
import { OperatorError } from '../../model/fault.ts';

export const RESTORE =
  'Put the latest backup back with "nightpost ledger restore FILE", or without one make the ledger again with "nightpost ledger rebuild": both learn from the receipts what was sent. Files copied into state/ do not; "nightpost init" is for a new installation only.';

/** Without `file` it is one that was whole when it was opened. */
export function damagedLedger(file: string | undefined, says: string, cause?: unknown): OperatorError {
  return new OperatorError('ledger/damaged', `The ledger ${file === undefined ? '' : `${file} `}is damaged: ${says}.`, {
    hint: `Keep the file. ${RESTORE}`,
    cause,
  });
}
