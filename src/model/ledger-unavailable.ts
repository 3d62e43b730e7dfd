/** The error of a ledger that cannot be read or written just now. */
/** The database cannot write now: nothing of the operation is stored, and the same call may be repeated later. */
export class LedgerUnavailable extends Error {
  readonly code: 'ledger/disk-full' | 'ledger/write-failed';

  constructor(code: LedgerUnavailable['code'], cause: unknown) {
    super(
      code === 'ledger/disk-full'
        ? 'The ledger cannot be written: the disk is full. Nothing is sent until there is room again.'
        : `The ledger cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
    this.name = 'LedgerUnavailable';
    this.code = code;
  }
}

/** The server of the ledger does not answer any more on this connection; the statement may have been carried out. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the server was lost', { cause });
    this.name = 'ConnectionLost';
  }
}

/** Whether the ledger is unavailable because its server is. */
export function isServerLost({ cause }: Error): boolean {
  return cause instanceof ConnectionLost || (cause instanceof Error && isServerLost(cause));
}
