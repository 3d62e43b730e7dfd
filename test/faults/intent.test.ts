/** The service asks the ledger at the very request: the intention has to be readable for others before it arrives. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
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
