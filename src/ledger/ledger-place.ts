/** Where a ledger is, and what its guard compares it with. */
import type { Language, Message } from '../i18n/message.ts';
import type { Binding } from './contract/ledger.ts';
import type { LedgerSite } from './contract/ledger-site.ts';
import type { NewestOutputs } from './installation/unknown-outputs.ts';

export type LedgerPlace = LedgerSite & {
  readonly binding: Binding;
  readonly now: () => Date;
  /** Replaces the machine id, if that changes without a move (containers). */
  readonly machine?: string;
  /** Absolute path of the folder for a second witness, in addition to that of the instance (external-witness.ts). */
  readonly witnessFolder?: string;
  /** The newest files of the instance, to find those that the ledger does not know. */
  readonly newestOutputs?: () => NewestOutputs;
  /** The language in which faults and holds are recorded; English by default. */
  readonly language?: Language;
  /** Whether a purge has removed the document with this identity, which a ledger of before may not know. */
  readonly isPurged?: (key: string) => boolean;
  /** What it waits for before it is alone with the ledger. */
  readonly onWait?: (says: Message) => void;
};
