/**
 * Among several workers: takes the roles that are free, and settles what workers that are gone left, each time all of it.
 * Submissions without an answer become in doubt, never ready; files start over here. Errors of disk and ledger pass on.
 */

import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TakeTurn } from '../files/turns.ts';
import { recoverClaims } from '../inbox/recover-claims.ts';
import type { RoleName, WorkerStore } from '../ledger/contract/worker-store.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import { isWorkerFolder, workersWithFolder } from '../pipeline/context/worker-folders.ts';
import { removeLeftUploads } from '../pipeline/intake/receive-upload.ts';
import { finishArchiving } from '../pipeline/publishing/publish-results.ts';
import { removeLeftoverOutputs, removeLeftoverTempFiles, timeOfFiles } from '../receipts/remove-temporary-files.ts';
import { moveUnlessAsked, recover, refuseDeadly, reopenCopies, settleInterrupted } from './recover-run.ts';

/** Everything that one worker at a time does, for the services of the settings. */
function allRoles({ services }: Pick<RunContext, 'services'>): readonly RoleName[] {
  return ['receipts', 'expected', 'acts', ...[...services.keys()].map((service) => `send ${service}` as const)];
}

const LOOKS_PER_LEASE = 3;

/** `takenMs`: the time of files (`timeOfFiles`) before it took roles. */
type Beginning = { readonly takenMs?: number | undefined };

/**
 * Before anything new begins: what a stop left. Among workers only the roles that are free, and the submissions of those that are gone:
 * no other worker sends until this one does, and their files may be many (`keepRoles`).
 */
export async function settleLeftovers(context: RunContext): Promise<Beginning> {
  const { roles } = context.ledger;
  await removeLeftUploads(context.instance);
  if (!roles) {
    await recover(context);
    return {};
  }
  return { takenMs: await takeFreeRoles(context, roles) };
}

/** `taken`: this worker has roles, or files, that it did not have before. */
type KeepOptions = Beginning & {
  readonly turn: TakeTurn;
  readonly taken: () => void;
  readonly failed: (error: unknown) => void;
};

/**
 * Takes over files, and then looks until the program is asked to end: every third of a lease, and at the instant at which the
 * lease of another worker ends. Its files wait for a turn, which may be long: the next look waits only for its roles and its
 * submissions.
 */
export async function keepRoles(context: RunContext, options: KeepOptions): Promise<void> {
  const { clock, stop, ledger } = context;
  const { roles } = ledger;
  const { turn, taken, failed } = options;
  if (!roles) return;
  let settling: Promise<void> | undefined;
  let sinceMs = options.takenMs;
  const found = new Set<string>();
  const settle = () => {
    if (settling || stop.aborted || !roles.holds('receipts')) return;
    const takenMs = sinceMs;
    sinceMs = undefined;
    settling = settleFiles(context, roles, { turn, takenMs, found })
      .then((hasSettled) => void (hasSettled && taken()), failed)
      .finally(() => {
        settling = undefined;
      });
  };
  settle();
  while (!stop.aborted) {
    await clock.sleep(await nextLookMs(roles), stop);
    if (stop.aborted) break;
    const tookMs = await takeFreeRoles(context, roles, taken);
    if (tookMs !== undefined) sinceMs = Math.max(tookMs, sinceMs ?? 0);
    settle();
  }
  await settling;
}

/** After this, a lease that has ended by the clock of the database is seen as ended. */
const LATE_MS = 5;

export async function nextLookMs(roles: Pick<WorkerStore, 'leaseMs' | 'untilLapse'>): Promise<number> {
  const lapseMs = Math.max(0, await roles.untilLapse()) + LATE_MS;
  return Math.min(roles.leaseMs / LOOKS_PER_LEASE, lapseMs);
}

/**
 * Takes the roles that are free, and settles submissions of workers that are gone. Resolves to the time of files before it took
 * one, or to undefined.
 */
async function takeFreeRoles(context: RunContext, roles: WorkerStore, taken = () => {}): Promise<number | undefined> {
  await roles.sweep();
  const beforeMs = roles.holds('receipts') ? 0 : await timeOfFiles(context.instance.folder);
  const wanted = allRoles(context);
  const before = wanted.filter((role) => roles.holds(role)).length;
  const hasTaken = (await roles.takeRoles(wanted)).length > before;
  // The sender goes on at once: documents of its own are none of those that are left.
  if (hasTaken) taken();
  if (roles.holds('receipts')) await reportTaken(context, { files: [], inDoubt: await settleInterrupted(context) });
  return hasTaken ? beforeMs : undefined;
}

/** `takenMs`: of files, before roles were taken, unless this was done before. `found`: copies that an earlier look has read. */
type SettleOptions = Pick<KeepOptions, 'turn' | 'takenMs'> & { readonly found: Set<string> };

/** The files of workers that are gone and, after roles were taken, what their holders were writing. True if there was any. */
async function settleFiles(
  context: RunContext,
  roles: WorkerStore,
  { turn, takenMs, found }: SettleOptions,
): Promise<boolean> {
  const files = await turn(async () => {
    const adopted = await roles.adoptFiles();
    await moveUnlessAsked(context);
    return [
      ...adopted,
      ...(takenMs === undefined ? [] : await adoptRunFolders(context)),
      ...(await adoptFolders(context, found)),
    ];
  });
  await reportTaken(context, { files, inDoubt: [] });
  if (takenMs === undefined) return files.length > 0;
  const others = (await context.ledger.workers.list()).filter(
    ({ id, goneMs }) => id !== roles.id && goneMs === undefined,
  );
  const { startedFilesMs, instance } = context;
  // What this worker writes at this moment is no leftover: receipts since it took their role, other files since its start.
  if (others.length === 0) await removeLeftoverTempFiles(instance.folder, startedFilesMs);
  await removeLeftoverOutputs(instance.folder, takenMs);
  await finishArchiving(context);
  return true;
}

/** One event for each worker that is gone: each file, and each document in doubt, comes with the id of its worker. */
async function reportTaken(
  context: RunContext,
  left: { readonly files: readonly (string | undefined)[]; readonly inDoubt: readonly (string | undefined)[] },
): Promise<void> {
  const ids = new Set([...left.files, ...left.inDoubt]);
  if (ids.size === 0) return;
  const workers = new Map((await context.ledger.workers.list()).map((one) => [one.id, one]));
  for (const id of ids) {
    const countOf = (all: readonly (string | undefined)[]) => all.filter((one) => one === id).length;
    const { host, pid } = workers.get(id ?? '') ?? {};
    const worker = host === undefined || pid === undefined ? undefined : { host, pid };
    const [files, inDoubt] = [countOf(left.files), countOf(left.inDoubt)];
    context.emit(definedOnly({ what: 'recovered' as const, files, inDoubt, worker }));
  }
}

/** The folders of runs that were interrupted: no run is at work next to a worker, and no worker has a folder there. */
async function adoptRunFolders(context: RunContext): Promise<readonly undefined[]> {
  const { processing, inbox } = context.instance.paths;
  const { copies } = await recoverClaims(processing, inbox, { isInUse: isWorkerFolder });
  return Array.from({ length: await reopenCopies(context, copies) }, () => undefined);
}

/** The folders of workers that are gone: copies that the ledger does not know, files that go back to the inbox. */
async function adoptFolders(context: RunContext, found: Set<string>): Promise<readonly string[]> {
  const { instance, ledger, readingMarks } = context;
  // Listed first: a worker that has one of these folders has registered before.
  const folders = await workersWithFolder(context);
  const living = new Set((await ledger.workers.list()).flatMap(({ id, goneMs }) => (goneMs === undefined ? [id] : [])));
  const opened: string[] = [];
  for (const id of folders.filter((one) => !living.has(one))) {
    const folder = join(instance.paths.processing, id);
    const { copies } = await recoverClaims(folder, instance.paths.inbox, { isKnown: (path) => found.has(path) });
    for (let n = await reopenCopies(context, copies); n > 0; n--) opened.push(id);
    for (const { path } of copies) found.add(path);
    readingMarks.adopt(id);
    // Its copies stay where they are, until they are in the archive.
    await rmdir(folder).catch(() => undefined);
  }
  if (folders.some((one) => !living.has(one))) await refuseDeadly(context);
  return opened;
}
