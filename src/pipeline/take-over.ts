/**
 * Among several workers: takes the roles that are free, and settles what workers that are gone left, each time all of it.
 * Submissions without an answer become in doubt, never ready; files start over here. Errors of disk and ledger pass on.
 */

import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { recoverClaims } from '../inbox/recover-claims.ts';
import type { RoleName, WorkerStore } from '../ledger/contract/worker-store.ts';
import { removeLeftoverOutputs, removeLeftoverTempFiles } from '../receipts/remove-temporary-files.ts';
import type { RunContext } from './context/run-context.ts';
import type { TakeTurn } from './context/turns.ts';
import { workersWithFolder } from './context/worker-folders.ts';
import { finishArchiving } from './publishing/publish-results.ts';
import { recover, refuseDeadly, reopenCopies, settleInterrupted } from './recover-run.ts';

/** Everything that one worker at a time does, for the services of the settings. */
function allRoles({ lines }: Pick<RunContext, 'lines'>): readonly RoleName[] {
  return ['receipts', 'expected', 'acts', ...[...lines.keys()].map((service) => `send ${service}` as const)];
}

const LOOKS_PER_LEASE = 3;

/** Before anything new begins: what a stop, or workers that are gone, left. */
export async function settleLeftovers(work: RunContext): Promise<void> {
  const { roles } = work.ledger;
  if (!roles) return await recover(work);
  const others = (await work.ledger.workers()).filter(({ id, goneMs }) => id !== roles.id && goneMs === undefined);
  // A run has its folder where the workers have theirs; alone, nothing of another one is at risk.
  if (others.length === 0) {
    const { processing, inbox } = work.instance.paths;
    await reopenCopies(work, (await recoverClaims(processing, inbox, roles.id)).copies);
  }
  await takeOver(work, roles);
}

/** One look: roles that are free are taken, and what is left of the others is settled. True if a role was taken. */
export async function takeOver(
  work: RunContext,
  roles: WorkerStore,
  turn: TakeTurn = (act) => act(),
): Promise<boolean> {
  await roles.sweep();
  const wanted = allRoles(work);
  const before = wanted.filter((role) => roles.holds(role)).length;
  const taken = (await roles.takeRoles(wanted)).length - before;
  if (!roles.holds('receipts')) return taken > 0;
  const inDoubt = await settleInterrupted(work);
  const files = await turn(async () => (await roles.adoptFiles()) + (await adoptFolders(work)));
  if (files > 0 || inDoubt > 0) work.emit({ what: 'recovered', files, inDoubt });
  if (taken > 0) {
    const others = (await work.ledger.workers()).filter(({ id, goneMs }) => id !== roles.id && goneMs === undefined);
    const { folder } = work.instance;
    // What another worker writes at this moment is no leftover. The writer of receipts before this one stopped a lease ago.
    if (others.length === 0) await removeLeftoverTempFiles(folder, work.startedAt.getTime());
    else await removeLeftoverOutputs(folder, work.clock.now().getTime() - roles.leaseMs / LOOKS_PER_LEASE);
    await finishArchiving(work);
  }
  return taken > 0;
}

/** The folders of workers that are gone: copies that the ledger does not know, files that go back to the inbox. */
async function adoptFolders(work: RunContext): Promise<number> {
  const { instance, ledger, readingMarks, run } = work;
  // Listed first: whoever has one of these folders has registered before.
  const folders = await workersWithFolder(work);
  const living = new Set((await ledger.workers()).flatMap(({ id, goneMs }) => (goneMs === undefined ? [id] : [])));
  let opened = 0;
  for (const id of folders.filter((one) => !living.has(one))) {
    const folder = join(instance.paths.processing, id);
    const { copies } = await recoverClaims(folder, instance.paths.inbox, run);
    opened += await reopenCopies(work, copies);
    readingMarks.adopt(id);
    // Its copies stay where they are, until they are in the archive.
    await rmdir(folder).catch(() => undefined);
  }
  if (folders.some((one) => !living.has(one))) await refuseDeadly(work);
  return opened;
}
