/** A program that is held up while it opens its ledger, as where a share does not answer: the server ends its connection. */
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { openPostgresScene } from './scene.ts';

const LEASE_MS = 500;

test('a watch that looks into a folder for longer than its lease reports that, not a server that does not answer', async () => {
  const scene = await openPostgresScene();
  const place = ledgerPlaceOf(scene.instance());
  const server = await place.postgres!();
  const newestOutputs = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 16 * LEASE_MS);
    return place.newestOutputs();
  };
  const postgres = async () => ({ ...server, leaseMs: LEASE_MS });
  await expect(openLedger({ ...place, postgres, newestOutputs, work: 'watch' })).rejects.toMatchObject({
    code: 'ledger/write-failed',
    message: expect.stringContaining('held up'),
  });
});
