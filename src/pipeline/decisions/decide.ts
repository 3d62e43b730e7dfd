/**
 * Decisions and questions of a person between two runs: consult, resolve, reprocess, requeue, set aside. Each recovers
 * first and publishes its changes; nothing is submitted. A ledger that may not send throws its OperatorError,
 * unchanged.
 */

import type { DueDocument } from '../../ledger/contract/submission-store.ts';
import { type Correction, type Evidence, FILE_SET_ASIDE, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { findEntries } from '../context/find-entry.ts';
import type { RunContext } from '../context/run-context.ts';
import { ingestAll } from '../intake/ingest-all.ts';
import { ingestClaimed } from '../intake/ingest-file.ts';
import { startReceiptWriter } from '../publishing/publish-results.ts';
import { withPublishing, withWakeUps } from '../publishing/with-publishing.ts';
import { assertMaySend, recover } from '../recover-run.ts';
import { takeDecisions } from '../reprocessing/folder-decisions.ts';
import { type ReprocessDecision, type ReprocessResult, reprocess } from '../reprocessing/reprocess-documents.ts';
import { copyToInbox } from '../reprocessing/requeue-file.ts';
import { type Consulted, consultDue } from '../submission/consult-due.ts';

/** The result of the consultations of one service. */
export type ConsultationRequest = Consulted & { readonly service: string };

/** Asks the services for the outcome of these documents, by service name, and records the answers. */
export async function consult(
  work: RunContext,
  documents: ReadonlyMap<string, readonly DueDocument[]>,
): Promise<readonly ConsultationRequest[]> {
  await recover(assertMaySend(work));
  const receipts = startReceiptWriter(work);
  const following = withWakeUps(work, receipts.wake);
  return await withPublishing(work, receipts, async () =>
    Promise.all(
      [...documents].map(async ([service, due]) => {
        const line = must(work.lines.get(service), `the line to ${service}`);
        return { service, ...(await consultDue(following, line, due.length, due)) };
      }),
    ),
  );
}

/**
 * Records an outcome that a person found out or decided; receipts follow. `refused`: ids whose state does not allow it.
 */
export async function resolveDocuments(
  work: RunContext,
  ids: readonly string[],
  evidence: Evidence,
): Promise<{ readonly refused: readonly string[] }> {
  await recover(assertMaySend(work));
  const receipts = startReceiptWriter(work);
  return await withPublishing(work, receipts, async () => {
    const refused: string[] = [];
    for (const id of ids) if (!(await work.ledger.resolve(id, evidence))) refused.push(id);
    return { refused };
  });
}

/** Recovers, and completes second readings that were decided before a stop. */
export async function recoverReadings(work: RunContext): Promise<void> {
  await recover(assertMaySend(work));
  for (const file of await work.ledger.loadingFiles()) {
    if (file.rereads !== undefined) await ingestClaimed(work, file);
  }
}

/** Reads documents again with the current mapping and the corrections of people; receipts follow, nothing is sent. */
export async function reprocessDocuments(
  work: RunContext,
  ids: readonly string[],
  decided: ReprocessDecision & { readonly corrections?: readonly Correction[] },
): Promise<readonly ReprocessResult[]> {
  await recoverReadings(work);
  const receipts = startReceiptWriter(work);
  return await withPublishing(work, receipts, async () => {
    return await reprocess(work, await findEntries(work.ledger, ids), decided);
  });
}

/** Ingests a refused file once more as a whole, as if it were dropped again; a pair with its other half. */
export async function requeueFile(
  work: RunContext,
  file: SourceFile,
  { by, reason, at }: ReprocessDecision,
): Promise<void> {
  await recover(assertMaySend(work));
  const receipts = startReceiptWriter(work);
  await withPublishing(work, receipts, async () => {
    const paths = await copyToInbox(work, file);
    await work.ledger.recordEvent({ what: 'file-taken-again', file: file.id, at, person: by, detail: { reason } });
    await takeDecisions(work);
    await ingestAll(work, 'run', { files: paths });
  });
}

/**
 * Records that a refused file needs no action. Its bytes stay in the archive; dropped again, it is an ordinary file.
 */
export async function setFileAside(
  work: RunContext,
  file: SourceFile,
  { by, reason, at }: ReprocessDecision,
): Promise<void> {
  await recover(assertMaySend(work));
  await work.ledger.recordEvent({ what: FILE_SET_ASIDE, file: file.id, at, person: by, detail: { reason } });
}
