/**
 * The contract of the ledger: what happened, kept. Everything before it in the line can be repeated; after it each thing
 * happens at most once, because the intention is durable before the first byte leaves.
 *
 * Six roles make it up, and a function takes the one it uses. Every method that writes resolves when the write is
 * durable (fsynced), several sharing one commit where they meet; it throws an OperatorError if the guard forbids sending.
 */
import type { Message } from '../../i18n/message.ts';
import type { IntakeStore } from './intake-store.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import type { QueryStore } from './query-store.ts';
import type { ReceiptStore } from './receipt-store.ts';
import type { ReprocessStore } from './reprocess-store.ts';
import type { SubmissionStore } from './submission-store.ts';

/** Whether this ledger may send at all. A missing, emptied, older or copied one never does. */
export type SendGuard =
  | { readonly send: true }
  | { readonly send: false; readonly code: string; readonly reason: Message };

/** What the ledger is bound to; anything else found there means no-send mode. */
export type Binding = {
  /** Service name -> base address. */
  readonly services: { readonly [service: string]: string };
  readonly environment: string;
};

export type Ledger = IntakeStore &
  SubmissionStore &
  ReprocessStore &
  ReceiptStore &
  QueryStore &
  MaintenanceStore &
  AsyncDisposable & { readonly guard: SendGuard };
