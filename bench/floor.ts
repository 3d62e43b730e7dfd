/**
 * What durable delivery costs at the least: bare undici, and for each document what no program that keeps the promise can
 * leave out. A row before the request and one after it, those that meet in one flushed commit; then two files, flushed.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pLimit from 'p-limit';
import { Agent } from 'undici';
import type { WireRequest } from '../src/delivery/service.ts';
import { syncFolder } from '../src/files/fsync-directory.ts';
import { writeInWorker } from '../src/receipts/write-in-worker.ts';
import { AT_A_TIME, answering, post, requestsOf, withAdmitted } from './deliver.ts';
import { type Measurement, timed } from './result.ts';

const BATCH = 128;

export const deliverBare: Measurement = ({ size, out }) =>
  withAdmitted(answering(0), size, out, async ({ work, instance }) => {
    const requests = await requestsOf(work, size);
    const folder = join(instance.folder, 'bare');
    mkdirSync(folder);
    const table = openTable(join(folder, 'bare.sqlite'));
    const agent = new Agent({ connections: AT_A_TIME, pipelining: 1, allowH2: false });
    const limit = pLimit(AT_A_TIME);
    const receipts = receiptsIn(folder);
    const result = await timed(async () => {
      const sent = requests.map((request, n) =>
        limit(async () => {
          await table.set(n, 'sending', '');
          const answer = await post(agent, request);
          void table.set(n, 'authorized', answer).then(() => receipts.add(n, request, answer));
        }),
      );
      await Promise.all(sent);
      await table.settled();
      await receipts.end();
      return size;
    });
    await agent.close();
    table.close();
    return result;
  });

/** One table; what is set in one turn of the event loop shares a commit. */
function openTable(file: string) {
  const db = new DatabaseSync(file);
  for (const set of ['page_size = 8192', 'journal_mode = WAL', 'synchronous = FULL']) db.exec(`PRAGMA ${set}`);
  db.exec('CREATE TABLE document (n INTEGER PRIMARY KEY, state TEXT NOT NULL, answer TEXT NOT NULL)');
  const put = db.prepare('INSERT OR REPLACE INTO document (n, state, answer) VALUES (?, ?, ?)');
  const waiting: (() => void)[] = [];
  let open = false;
  let last = Promise.resolve();
  const commit = () => {
    db.exec('COMMIT');
    open = false;
    for (const settle of waiting.splice(0)) settle();
  };
  const set = (n: number, state: string, answer: string) => {
    if (!open) {
      db.exec('BEGIN IMMEDIATE');
      open = true;
      setImmediate(commit);
    }
    put.run(n, state, answer);
    last = new Promise<void>((resolve) => waiting.push(resolve));
    return last;
  };
  return { set, settled: () => last, close: () => db.close() };
}

/** Two files for each document, in batches, each batch with one flush of the folder. */
function receiptsIn(folder: string) {
  let files: { path: string; text: string }[] = [];
  let turn = Promise.resolve();
  const write = async () => {
    const batch = files;
    files = [];
    if (batch.length === 0) return;
    await writeInWorker(batch);
    await syncFolder(folder);
  };
  const add = (n: number, { body }: WireRequest, answer: string) => {
    files.push({ path: join(folder, `${n}.payload.json`), text: String(body) });
    files.push({ path: join(folder, `${n}.receipt.json`), text: `${answer}\n`.repeat(4) });
    if (files.length >= 2 * BATCH) turn = turn.then(write);
  };
  return { add, end: async () => await turn.then(write) };
}
