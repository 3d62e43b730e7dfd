/** The service asks the ledger at the very request: the intention has to be readable for others before it arrives. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Driver } from '../../src/database/database-driver.ts';
import { openScene, sales, tally } from '../night.ts';
import { runs } from '../seed.ts';

test('each request finds its own intention committed, with its request-id and nothing in doubt', async () => {
  const many = Math.min(10_000, runs(200));
  let asked: ((number: string, requestId: string) => void) | undefined;
  await using scene = await openScene({
    sandbox: {
      log: ({ event, act, number, requestId }) =>
        event === 'received' && act === 'submit' && asked?.(number, requestId),
    },
    services: { fr: { concurrency: 8 } },
  });
  using db = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'), { readOnly: true });
  const intention = db.prepare(
    `SELECT count(*) AS found FROM entry WHERE identifier = ? AND state = 'sending' AND request_id = ?
     AND submits = 1 AND begun_at IS NOT NULL AND begun_run IS NOT NULL`,
  );
  const found: unknown[] = [];
  asked = (number, requestId) => found.push(intention.get(number, requestId)?.found);
  scene.drop('ventes.csv', sales(Array.from({ length: many }, (_, n) => `F${n}`)));
  await scene.night();
  expect(tally(await scene.entries())).toEqual({ authorized: many });
  expect(found).toHaveLength(many);
  expect(found.filter((count) => count !== 1)).toEqual([]);
});

/** The request of a program that did not wait would arrive while its intention is still on its way to the disk. */
test('no request leaves while its intention is being written, on a disk that takes its time', async () => {
  let asked: ((number: string) => void) | undefined;
  await using scene = await openScene({
    sandbox: { log: ({ event, act, number }) => event === 'received' && act === 'submit' && asked?.(number) },
    services: { fr: { concurrency: 4 } },
  });
  using db = new DatabaseSync(join(scene.root, 'state', 'ledger.sqlite'), { readOnly: true });
  const intention = db.prepare(`SELECT count(*) AS found FROM entry WHERE identifier = ? AND state = 'sending'`);
  const early: string[] = [];
  asked = (number) => intention.get(number)?.found !== 1 && early.push(number);
  scene.drop('ventes.csv', sales(Array.from({ length: 8 }, (_, n) => `F${n}`)));
  const through = (driver: Driver): Driver => ({
    ...driver,
    write: async (work, order) => {
      await setTimeout(40);
      return await driver.write(work, order);
    },
  });
  await scene.night({ through });
  expect(tally(await scene.entries())).toEqual({ authorized: 8 });
  expect(early).toEqual([]);
});
