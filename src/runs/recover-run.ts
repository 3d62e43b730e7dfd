/**
 * Settles what a crash or an interruption left, before anything new begins. Found `sending`: judged by its stored
 * answer, else in doubt until a person or a consultation settles it. Found `loading`: started over. Copies without a
 * ledger row: opened as if just claimed. Errors of disk and ledger pass to the caller.
 */

import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { INTAKE } from '../i18n/messages/pipeline-messages.ts';
import { SEND_GUARD } from '../i18n/messages/send-guard-messages.ts';
import type { ClaimedFile } from '../inbox/claim-candidates.ts';
import { readClaimName } from '../inbox/claim-names.ts';
import { recoverClaims } from '../inbox/recover-claims.ts';
import { cutOffAt, type Verdict } from '../model/answer.ts';
import { type DataFault, OperatorError, withMessage } from '../model/fault.ts';
import type { SourceFile } from '../model/ledger-entry.ts';
import { must } from '../model/must.ts';
import { refuse } from '../pipeline/admission/admit-file.ts';
import { isMissing } from '../pipeline/admission/missing-source.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { workersWithFolder } from '../pipeline/context/worker-folders.ts';
import { finishArchiving } from '../pipeline/publishing/publish-results.ts';
import { ownerName } from '../pipeline/sources/file-owner.ts';
import { moveLeftAttachments } from '../pipeline/sources/move-attachments.ts';
import { numberInContent } from '../pipeline/submission/send-due.ts';
import { removeLeftoverTempFiles } from '../receipts/remove-temporary-files.ts';

/** Emits `recovered` with the counts if there was anything to settle. Nothing is sent. */
export async function recover(context: RunContext): Promise<void> {
  const inDoubt = (await settleInterrupted(context)).length;
  const { ledger, instance, startedFilesMs } = context;
  await removeLeftoverTempFiles(instance.folder, startedFilesMs);
  await followMovedFolder(context);
  await finishArchiving(context);
  const { processing, inbox } = instance.paths;
  // Workers that are gone have folders of their own.
  const folders = (await workersWithFolder(context)).map((id) => join(processing, id));
  let files = 0;
  for (const folder of [...folders, processing]) {
    const { copies } = await recoverClaims(folder, inbox, { isInUse: (run) => run === context.run });
    files += await reopenCopies(context, copies);
  }
  await Promise.all((await ledger.intake.loadingFiles()).map(({ id }) => ledger.intake.restartFile(id, context.stop)));
  await refuseDeadly(context);
  await moveUnlessAsked(context);
  if (files > 0 || inDoubt > 0) context.emit({ what: 'recovered', files, inDoubt });
}

/**
 * Attachments that a stop has left in the inbox: before any new export is read, which may ask for a file of the same name, but
 * after those that were taken with them, which may share them (ingest-all.ts).
 */
export async function moveUnlessAsked(context: RunContext): Promise<void> {
  const loading = await context.ledger.intake.loadingFiles();
  if (loading.every(({ id }) => context.readingMarks.deathsOf(id) > 0)) await moveLeftAttachments(context);
}

/** The ledger has whole paths: after the instance folder was moved, the copies are below its new place. */
async function followMovedFolder({ ledger, instance }: RunContext): Promise<void> {
  for (const { id, path, rereads } of await ledger.intake.openFiles()) {
    if (rereads !== undefined || !isMissing(path)) continue;
    const here = join(instance.paths.processing, basename(dirname(path)), basename(path));
    if (here !== path && !isMissing(here)) await ledger.intake.moveFile(id, here);
  }
}

/** Refuses a file that ends the program each time (intake/program-died): it must not block all others every night. */
export async function refuseDeadly(context: RunContext): Promise<void> {
  const { ledger, readingMarks } = context;
  const loading = await ledger.intake.loadingFiles();
  for (const file of loading) {
    const times = readingMarks.deathsOf(file.id);
    if (times >= MOST_DEATHS) await refuse(context, file, { faults: [deadly(file, times)], rows: 0, leftOut: [] });
  }
  readingMarks.keep(new Set(loading.map(({ id }) => id)));
}

/** Two can be a restart of the machine and one of the service in a row. */
const MOST_DEATHS = 3;

function deadly({ name }: SourceFile, times: number): DataFault {
  const command = `nightpost reprocess ${JSON.stringify(name)} --reason "..."`;
  return {
    code: 'intake/program-died',
    level: 'error',
    ...withMessage(INTAKE.diedAgain({ times }), INTAKE.readOnceMore({ command })),
    origin: { file: name, row: 0 },
  };
}

/**
 * Judges submissions that were cut off by their stored answer; those without one are in doubt. Resolves to the worker of each of
 * these, undefined for a run.
 */
export async function settleInterrupted(context: RunContext): Promise<readonly (string | undefined)[]> {
  const inDoubt: (string | undefined)[] = [];
  for (const { due, n, requestId, begunBy, exchange } of await context.ledger.submissions.interruptedSubmissions()) {
    const now = context.clock.now();
    const runtime = context.services.get(due.service);
    let verdict: Verdict;
    if (exchange && runtime) {
      const content = await context.ledger.queries.contentOf(due.id);
      const ours = {
        class: due.class,
        ...numberInContent(content, due.identifier),
        requestId,
        ...(content === undefined ? {} : { sent: { content, mapping: due.mapping.id } }),
        now,
        tokenRenewed: true,
        tries: due.tries,
        rateLimited: due.rateLimited,
        random: context.random,
      };
      verdict = runtime.destination.judge(exchange, ours);
    } else {
      verdict = cutOffAt(now);
    }
    if (verdict.state === 'in-doubt') inDoubt.push(begunBy);
    await context.ledger.submissions.finish({ due, n }, verdict, now.toISOString());
    context.emit({
      what: 'document',
      id: due.id,
      identifier: due.identifier,
      state: verdict.state,
      reason: verdict.reason,
    });
  }
  return inDoubt;
}

/** Opens copies that the ledger does not know, as if just claimed; resolves to their number. */
export async function reopenCopies(context: RunContext, copies: readonly ClaimedFile[]): Promise<number> {
  const { ledger, run, day, clock } = context;
  const known = new Map((await ledger.intake.openFiles()).map((file) => [file.path, file]));
  // A page of claims may be among them: together, so that they share commits.
  const reopened = copies.map(async ({ faults, run: _, uid, claimedAt = clock.now().toISOString(), ...copy }) => {
    const before = known.get(copy.path);
    if (before ? before.sha256 === copy.sha256 : isArchived(copy)) return false;
    const path = before ? await setApart(copy.path) : copy.path;
    const file = await ledger.intake.openFile({
      ...copy,
      path,
      claimedAt,
      owner: ownerName(uid),
      day,
      run,
    });
    if (before) await refuse(context, file, { faults: [foreignCopy(file)], rows: 0, leftOut: [] });
    else if (faults.length > 0) await ledger.intake.refuseFile(file.id, { faults, rows: 0, leftOut: [] });
    return !before;
  });
  return (await Promise.all(reopened)).filter((isNew) => isNew).length;
}

/** A copy goes to the archive before the ledger records it: one that is gone since it was found is of a file that the ledger knows. */
function isArchived({ path }: Pick<ClaimedFile, 'path'>): boolean {
  return isMissing(path);
}

/**
 * Other bytes under the name of a copy that the ledger knows get a claim of their own, so that they are not read as it.
 */
async function setApart(path: string): Promise<string> {
  const { safe } = must(readClaimName(basename(path)), 'the name of a claimed copy');
  const apart = join(dirname(path), `${randomUUID()}__${safe}`);
  await rename(path, apart);
  await syncFolder(dirname(path));
  return apart;
}

function foreignCopy({ name }: SourceFile): DataFault {
  const words = withMessage(INTAKE.foreignCopy(), INTAKE.nothingOfIt());
  return { code: 'intake/source-replaced', level: 'error', ...words, origin: { file: name, row: 0 } };
}

/** Throws the OperatorError of a ledger that may not send: inbox and documents stay as they are. */
export function assertMaySend(context: RunContext): RunContext {
  const { guard } = context.ledger;
  if (guard.send) return context;
  throw new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingTaken() });
}
