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
