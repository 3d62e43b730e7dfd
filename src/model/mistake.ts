/** An error in; whether the program itself is wrong out. */
import { OperatorError } from './fault.ts';
import { LedgerUnavailable } from './ledger-unavailable.ts';

/**
 * True for a defect of the program; false for an error of the operator's settings, the ledger or the system (`errno`).
 */
export function isMistake(error: unknown): error is Error {
  const ours = error instanceof Error && !(error instanceof OperatorError) && !(error instanceof LedgerUnavailable);
  return ours && !('errno' in error);
}
