/** Two programs that make the same small database at the same instant: neither is refused. */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { openRequestQueue } from '../../src/ledger/requests/open-request-queue.ts';
import { openSearchDatabase } from '../../src/search/search-database.ts';
import { temporaryFolder } from './folder.ts';

/** Writes into a new file, without a log as yet, for a moment after it reported so. */
const OTHER = `const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(workerData);
  db.exec('BEGIN IMMEDIATE');
  parentPort.postMessage('writes');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  db.exec('COMMIT');
  db.close();`;

async function whileAnotherWrites(name: string): Promise<string> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'state'));
  const other = new Worker(OTHER, { eval: true, workerData: join(folder, 'state', name) });
  onTestFinished(async () => void (await other.terminate()));
  await once(other, 'message');
  return folder;
}

test('the queue of requests', async () => {
  const folder = await whileAnotherWrites('requests.sqlite');
  await using queue = await openRequestQueue({ folder }, 'asks');
  expect(await queue.waiting()).toBe(0);
});

test('the search index', async () => {
  const folder = await whileAnotherWrites('index.sqlite');
  const index = openSearchDatabase({ folder });
  onTestFinished(() => index.db.close());
  expect(index.inMemory).toBe(false);
});
