/**
 * What every ledger has to do, whatever the engine. `open` gives a ledger on a fresh database; `reopen` closes it and
 * opens the same database again, as after a clean stop.
 */
import type { Ledger } from '../../src/ledger/contract/ledger.ts';
import { admissionContract } from './ledger-admission.ts';
import { correctingContract } from './ledger-correcting.ts';
import { longTextContract } from './ledger-long-texts.ts';
import { morningContract } from './ledger-morning.ts';
import { outboxContract } from './ledger-outbox.ts';
import { sendingContract } from './ledger-sending.ts';
import { sequencesContract } from './ledger-sequences.ts';

export type LedgerUnderTest = {
  readonly open: (options: { now: () => Date; sequences?: { [name: string]: number } }) => Promise<{
    ledger: Ledger;
    reopen: () => Promise<Ledger>;
  }>;
};

export function ledgerContract(name: string, underTest: LedgerUnderTest): void {
  admissionContract(name, underTest);
  sendingContract(name, underTest);
  sequencesContract(name, underTest);
  correctingContract(name, underTest);
  longTextContract(name, underTest);
  morningContract(name, underTest);
  outboxContract(name, underTest);
}
