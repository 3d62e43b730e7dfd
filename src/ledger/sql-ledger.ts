/** The Ledger, put together from its parts over any driver; the parts hold the statements, the driver the engine. */

import type { Language } from '../i18n/message.ts';
import type { Ledger, SendGuard } from './contract/ledger.ts';
import { appendEvent, type LedgerContext, text, whileWritable } from './contract/ledger-context.ts';
import type { Driver } from './database/database-driver.ts';
import { idSource } from './database/uuid-v7.ts';
import { createCorrectionStore } from './intake/record-corrections.ts';
import { createStagingStore } from './intake/staging.ts';
import { createRevisionStore } from './intake/staging-revision.ts';
import { createAuditStore } from './records/audit-queries.ts';
import { recoverStaged } from './records/finish-staging.ts';
import { createEntryStore } from './records/ledger-entries.ts';
import { createSeenIndex } from './records/prior-knowledge.ts';
import { createPurgeStore } from './records/purge-records.ts';
import { createChainStore } from './records/receipt-chain.ts';
import { createSourceFileStore } from './records/source-files.ts';
import { createConsultationStore } from './submission/consultations.ts';
import { createHoldStore } from './submission/holds.ts';
import { createResolutionStore } from './submission/resolutions.ts';
import { createSubmissionStore } from './submission/submissions.ts';

export type LedgerParts = {
  readonly driver: Driver;
  readonly guard: SendGuard;
  readonly now: () => Date;
  readonly sequences?: { readonly [name: string]: number };
  readonly language?: Language;
  /** Beside a run that works: nothing is finished for it. */
  readonly readOnly?: boolean;
};

/** Finishes what a crash left between two steps, then hands out the ledger. Closing it closes the driver. */
export async function createSqlLedger({
  driver,
  guard,
  now,
  sequences = {},
  language = 'en',
  readOnly = false,
}: LedgerParts): Promise<Ledger> {
  const context: LedgerContext = { ...whileWritable(driver, guard), now, newId: idSource(now), sequences, language };
  if (guard.send && !readOnly) await recoverStaged(context);
  return {
    guard,
    ...createSourceFileStore(context),
    ...createStagingStore(context),
    ...createRevisionStore(context),
    ...createCorrectionStore(context),
    ...createSubmissionStore(context),
    ...createConsultationStore(context),
    ...createResolutionStore(context),
    ...createEntryStore(context),
    ...createChainStore(context),
    ...createAuditStore(context),
    ...createPauses(context),
    ...createReportWindow(context),
    ...createSeenIndex(context),
    ...createPurgeStore(context),
    ...createHoldStore(context),
    [Symbol.asyncDispose]: driver.close,
  };
}

function createReportWindow({
  read,
  write,
}: LedgerContext): Pick<Ledger, 'unreportedSince' | 'openReportWindow' | 'closeReportWindow'> {
  return {
    unreportedSince: () =>
      read(async (sql) => {
        const [row] = await sql.all(`SELECT value FROM meta WHERE key = 'untold'`);
        return row && text(row, 'value');
      }),
    openReportWindow: (at) =>
      write(async (sql) => {
        await sql.run(`INSERT INTO meta (key, value) VALUES ('untold', ?) ON CONFLICT (key) DO NOTHING`, at);
      }),
    closeReportWindow: () =>
      write(async (sql) => {
        await sql.run(`DELETE FROM meta WHERE key = 'untold'`);
      }),
  };
}

function createPauses(context: LedgerContext): Pick<Ledger, 'pauseOf' | 'pause'> {
  return {
    pauseOf: (service) =>
      context.read(async (sql) => {
        const [row] = await sql.all('SELECT value FROM meta WHERE key = ?', `pause ${service}`);
        return row && JSON.parse(text(row, 'value'));
      }),
    pause: (service, pause, decision) =>
      context.write(async (sql) => {
        const key = `pause ${service}`;
        await sql.run('DELETE FROM meta WHERE key = ?', key);
        if (pause) await sql.run('INSERT INTO meta (key, value) VALUES (?, ?)', key, JSON.stringify(pause));
        const what = pause && !decision ? 'paused' : 'resumed';
        const at = decision?.at ?? pause?.at;
        const person = decision && { person: decision.by };
        const detail = { service, ...pause, ...(decision && { reason: decision.reason }) };
        await appendEvent(sql, context, { what, ...(at === undefined ? {} : { at }), ...person, detail });
      }),
  };
}
