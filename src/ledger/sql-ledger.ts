/** The stores of the ledger, each made of its parts over any driver: the parts have statements, the driver the engine. */

import { type Driver, SQLITE, type Statements } from '../database/database-driver.ts';
import { createIdSource } from '../database/uuid-v7.ts';
import type { Language } from '../i18n/message.ts';
import { createActSteps } from './act-steps.ts';
import type { IntakeStore } from './contract/intake-store.ts';
import type { Ledger, SendGuard } from './contract/ledger.ts';
import { guardWrites, type LedgerContext, valueIn, whileLiving } from './contract/ledger-context.ts';
import type { MaintenanceStore } from './contract/maintenance-store.ts';
import type { QueryStore } from './contract/query-store.ts';
import type { ReceiptStore } from './contract/receipt-store.ts';
import type { ReprocessStore } from './contract/reprocess-store.ts';
import type { SubmissionStore } from './contract/submission-store.ts';
import { createAttachmentQueries, createAttachmentRecords } from './intake/attachment-records.ts';
import { createCorrectionRecords } from './intake/record-corrections.ts';
import { createSeenIndex } from './intake/seen-index.ts';
import { createStaging } from './intake/staging.ts';
import { createRevisionStaging } from './intake/staging-revision.ts';
import { createReceiptRecords } from './receipt-records.ts';
import { createAnswerRecords } from './records/answer-records.ts';
import { createAuditQueries, createReceiptPlaces } from './records/audit-queries.ts';
import { createEventSeals } from './records/event-seals.ts';
import { recoverStaged } from './records/finish-staging.ts';
import { createHistoryQueries } from './records/history-queries.ts';
import { createEntryQueries } from './records/ledger-entries.ts';
import { createNoticeRecords } from './records/notice-records.ts';
import { createPurgeRecords } from './records/purge-records.ts';
import { createReceiptChain } from './records/receipt-chain.ts';
import { createReportRecords } from './records/report-records.ts';
import { createRunRecords } from './records/run-records.ts';
import { createFileIntake, createFileQueries, createSummaryRecords } from './records/source-files.ts';
import { createReportWindow } from './report-window.ts';
import { createConsultations } from './submission/consultations.ts';
import { createHolds } from './submission/holds.ts';
import { createPauses } from './submission/pauses.ts';
import { createResolutions } from './submission/resolutions.ts';
import { createSubmissions } from './submission/submissions.ts';
import type { Membership } from './workers/join-ledger.ts';
import { selectWorkerFiles, selectWorkers } from './workers/worker-rows.ts';

export type LedgerParts = {
  readonly driver: Driver;
  readonly guard: SendGuard;
  readonly now: () => Date;
  readonly sequences?: { readonly [name: string]: number };
  readonly language?: Language;
  readonly isPurged?: LedgerContext['isPurged'];
  /** During a run of another process: this one leaves its staged files alone. */
  readonly readOnly?: boolean;
  /** This process among the workers of the ledger, where there may be several. */
  readonly membership?: Membership | undefined;
};

/** Finishes what a crash left between two steps, then returns the ledger. Closing it closes the driver. */
export async function createSqlLedger({
  driver,
  guard,
  now,
  sequences = {},
  language = 'en',
  isPurged,
  readOnly = false,
  membership,
}: LedgerParts): Promise<Ledger> {
  const context: LedgerContext = {
    ...guardWrites(driver, guard, membership?.own),
    now,
    newId: createIdSource(now, await driver.read(latestId)),
    sequences,
    language,
    isPurged,
    dialect: driver.dialect ?? SQLITE,
    worker: membership?.own,
  };
  // Among workers, files are taken over from those that are gone, when their time comes.
  if (guard.send && !readOnly && !membership) await recoverStaged(context);
  const receipts = createReceiptStore(context);
  let closed = false;
  return {
    guard,
    intake: createIntakeStore(context),
    submissions: createSubmissionStore(context),
    corrections: createReprocessStore(context),
    receipts,
    queries: createQueryStore(context),
    maintenance: createMaintenanceStore(context),
    runs: createRunRecords(context),
    reports: createReportRecords(context),
    steps: createActSteps(whileLiving(context)),
    answers: createAnswerRecords(whileLiving(context)),
    notices: createNoticeRecords(context),
    workers: {
      list: () => driver.read((sql) => selectWorkers(sql, context.dialect.nowMs)),
      files: (most) => driver.read((sql) => selectWorkerFiles(sql, most)),
    },
    ...(membership && { roles: membership.storeOf(context) }),
    [Symbol.asyncDispose]: async () => {
      const wasOpen = !closed;
      closed = true;
      // Its error would replace the one that ended the work. Events without link get it from the next writer.
      if (!readOnly && wasOpen) await receipts.sealEvents().catch(() => undefined);
      await membership?.leave();
      await driver.close();
    },
  };
}

function createIntakeStore(context: LedgerContext): IntakeStore {
  return {
    ...createFileIntake(context),
    ...createStaging(context),
    ...createSeenIndex(context),
    ...createAttachmentRecords(context),
  };
}

function createSubmissionStore(context: LedgerContext): SubmissionStore {
  const living = whileLiving(context);
  return {
    ...createSubmissions(context),
    ...createConsultations(context),
    ...createResolutions(living),
    ...createHolds(living),
    ...createPauses(living),
  };
}

function createReprocessStore(context: LedgerContext): ReprocessStore {
  return { ...createCorrectionRecords(whileLiving(context)), ...createRevisionStaging(context) };
}

function createReceiptStore(context: LedgerContext): ReceiptStore {
  return {
    ...createReceiptRecords(context),
    ...createSummaryRecords(context),
    ...createReceiptPlaces(context),
    ...createReceiptChain(context),
    ...createEventSeals(context),
  };
}

function createQueryStore(context: LedgerContext): QueryStore {
  return {
    ...createEntryQueries(context),
    ...createFileQueries(context),
    ...createAuditQueries(context),
    ...createAttachmentQueries(context),
    ...createHistoryQueries(context),
  };
}

function createMaintenanceStore(context: LedgerContext): MaintenanceStore {
  return { ...createPurgeRecords(context), ...createReportWindow(context) };
}

const LATEST_IDS = 'SELECT MAX(id) AS id FROM source_file UNION ALL SELECT MAX(id) FROM entry';

/** The clock may have been set back since: what comes later has to sort after it. */
async function latestId(sql: Statements): Promise<string> {
  const ids = (await sql.all(LATEST_IDS)).map((row) => valueIn(row, 'id') ?? '');
  return ids.map(String).sort().at(-1) ?? '';
}
