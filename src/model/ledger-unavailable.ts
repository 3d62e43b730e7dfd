/** The error of a ledger that cannot be read or written just now, and what is no such error but a defect. */
import { format, type Message } from '../i18n/message.ts';
import { LEDGER_UNAVAILABLE } from '../i18n/messages/ledger-messages.ts';
import { OperatorError } from './fault.ts';

/** What a person reads of it: what happened, and what to do. */
export type UnavailableWords = { readonly says: Message; readonly hint: Message };

/** The database cannot write now: nothing of the operation is stored, and the same call may be repeated later. */
export class LedgerUnavailable extends Error {
  readonly code: 'ledger/disk-full' | 'ledger/write-failed';
  readonly words: UnavailableWords;

  constructor(code: LedgerUnavailable['code'], cause: unknown, words = wordsOf(code, cause)) {
    super(format(words.says, 'en'), { cause });
    this.name = 'LedgerUnavailable';
    this.code = code;
    this.words = words;
  }
}

function wordsOf(code: LedgerUnavailable['code'], cause: unknown): UnavailableWords {
  const problem = cause instanceof Error ? cause.message : String(cause);
  const says = code === 'ledger/disk-full' ? LEDGER_UNAVAILABLE.diskFull() : LEDGER_UNAVAILABLE.failed({ problem });
  return { says, hint: LEDGER_UNAVAILABLE.failedHint() };
}

/** The server of the ledger does not answer any more on this connection; the statement may have been carried out. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the server was lost', { cause });
    this.name = 'ConnectionLost';
  }
}

/**
 * True for a defect of the program; false for an error of the operator's settings, the ledger or the system (`errno`).
 */
export function isMistake(error: unknown): error is Error {
  const ours = error instanceof Error && !(error instanceof OperatorError) && !(error instanceof LedgerUnavailable);
  return ours && !('errno' in error);
}
