/**
 * The contract of the ledger, the durable record of what happened. Every stage before it can be repeated; after it each
 * step happens at most once, because the intention is durable before the first byte is sent.
 *
 * It has twelve stores by name; a function takes those that it uses. Every method that writes resolves when the write is durable
 * (fsynced); writes that arrive together share one commit. It throws an OperatorError if the guard forbids sending.
 */
import type { Message } from '../../i18n/message.ts';
import type { ActStepStore } from './act-step-store.ts';
import type { AnswerStore } from './answer-store.ts';
import type { IntakeStore } from './intake-store.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import type { NoticeStore } from './notice-store.ts';
import type { QueryStore } from './query-store.ts';
import type { ReceiptStore } from './receipt-store.ts';
import type { ReportStore } from './report-store.ts';
import type { ReprocessStore } from './reprocess-store.ts';
import type { RunStore } from './run-store.ts';
import type { SubmissionStore } from './submission-store.ts';
import type { WorkerQueries, WorkerStore } from './worker-store.ts';

/** Whether this ledger may send at all. A missing, emptied, older or copied one never does. */
export type SendGuard =
  /** `rebinds`: nothing was ever sent, and the settings name another service or environment than so far. */
  | { readonly send: true; readonly rebinds?: Message }
  | { readonly send: false; readonly code: string; readonly reason: Message };

/** What the ledger is bound to: if the settings differ from it, the ledger opens in no-send mode. */
export type Binding = {
  /** Service name -> base address. */
  readonly services: { readonly [service: string]: string };
  readonly environment: string;
};

export type Ledger = {
  readonly intake: IntakeStore;
  readonly submissions: SubmissionStore;
  readonly corrections: ReprocessStore;
  readonly receipts: ReceiptStore;
  readonly queries: QueryStore;
  readonly maintenance: MaintenanceStore;
  readonly runs: RunStore;
  readonly reports: ReportStore;
  readonly steps: ActStepStore;
  readonly answers: AnswerStore;
  readonly notices: NoticeStore;
  readonly workers: WorkerQueries;
} & AsyncDisposable & {
    readonly guard: SendGuard;
    /** Roles and leases of this process, where several may work on the ledger; undefined where it is alone (SQLite). */
    readonly roles?: WorkerStore;
  };
