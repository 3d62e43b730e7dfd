/** What the machine of an instance is like just now: who is at work, which requests wait, how much room is left. Reads only. */

import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../i18n/message.ts';
import type { Instance } from '../../instance/instance.ts';
import { ledgerSiteOf, type SiteOwner } from '../../instance/ledger-site-of.ts';
import { lockedBy } from '../../ledger/installation/instance-lock.ts';
import { type LockHolder, readLockHolder } from '../../ledger/installation/lock-holder.ts';
import { isLedgerBusy } from '../../ledger/ledger-health.ts';
import { findRequestQueue } from '../../ledger/requests/open-request-queue.ts';

/** `atWork`: who holds the lock, since when; absent if no one does. `requests`: acts that wait. Bytes of the disk of state/. */
export type InstanceHealth = {
  readonly atWork?: Message;
  readonly requests: number;
  readonly disk?: { readonly free: number; readonly all: number };
};

export async function readHealth(instance: Pick<Instance, 'paths'> & SiteOwner): Promise<InstanceHealth> {
  const { folder, paths } = instance;
  const disk = diskOf(paths.state);
  const isBusy = await isLedgerBusy(ledgerSiteOf(instance));
  const atWork = isBusy ? lockedBy(holderNoted(folder)) : undefined;
  return { ...(atWork && { atWork }), requests: await waitingRequests(instance), ...(disk && { disk }) };
}

/** The program that holds the lock of the ledger, as far as it is known. */
export async function whoIsAtWork(instance: SiteOwner): Promise<LockHolder | undefined> {
  return (await isLedgerBusy(ledgerSiteOf(instance))) ? holderNoted(instance.folder) : undefined;
}

function holderNoted(folder: string): LockHolder | undefined {
  return readLockHolder(join(folder, 'state', 'lock.sqlite'));
}

async function waitingRequests(instance: SiteOwner): Promise<number> {
  await using queue = await findRequestQueue(ledgerSiteOf(instance), 'asks');
  return (await queue?.waiting()) ?? 0;
}

/** Bytes for this account on the disk of a folder; undefined where the system does not report it. */
export function freeBytes(path: string): number | undefined {
  return diskOf(path)?.free;
}

/** Undefined where the system does not report it. */
export function diskOf(path: string): InstanceHealth['disk'] {
  try {
    const { bavail, bsize, blocks } = statfsSync(path);
    return { free: bavail * bsize, all: blocks * bsize };
  } catch {
    return undefined;
  }
}
