import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openRequestQueue } from '../../src/ledger/requests/open-request-queue.ts';
import { requestQueueContract } from '../contracts/request-queue.ts';

requestQueueContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightpost-requests-'));
  mkdirSync(join(folder, 'state'));
  const queue = await openRequestQueue({ folder }, 'asks');
  onTestFinished(async () => {
    await queue[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  return { queue, again: () => openRequestQueue({ folder }, 'holds') };
});
