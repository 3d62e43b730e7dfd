import { onTestFinished } from 'vitest';
import { openRequestQueue } from '../../../src/ledger/requests/open-request-queue.ts';
import { requestQueueContract } from '../../contracts/request-queue.ts';
import { temporarySchema } from './schema.ts';

requestQueueContract('PostgreSQL', async () => {
  const place = await temporarySchema();
  const site = { folder: '/none', postgres: async () => place };
  const queue = await openRequestQueue(site, 'asks');
  onTestFinished(() => queue[Symbol.asyncDispose]());
  return { queue, again: () => openRequestQueue(site, 'holds') };
});
