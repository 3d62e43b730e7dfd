/** The queue of requests of an instance, wherever its settings keep the ledger. Errors as by `openRequestQueue`. */
import type { Instance } from '../../instance/instance.ts';
import type { RequestQueue } from '../../ledger/contract/request-queue.ts';
import { findRequestQueue, openRequestQueue, type QueueRole } from '../../ledger/requests/open-request-queue.ts';

/** The part of an instance that says where the queue is. */
export type QueueOwner = Pick<Instance, 'folder'>;

export function openQueueOf({ folder }: QueueOwner, role: QueueRole): Promise<RequestQueue> {
  return openRequestQueue({ folder }, role);
}

/** To read: undefined if no one ever asked for something. */
export function findQueueOf({ folder }: QueueOwner, role: QueueRole): Promise<RequestQueue | undefined> {
  return findRequestQueue({ folder }, role);
}
