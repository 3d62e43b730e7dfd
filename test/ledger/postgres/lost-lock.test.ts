/** A watch whose session with the lock ends while it begins, as at a fail-over: a run may take the lock before it registers. */
import { expect, onTestFinished, test } from 'vitest';
import { chooseEngine, stateOf } from '../../../src/ledger/choose-engine.ts';
import { schemaNumber } from '../../../src/ledger/engine/postgres-lock.ts';
import { readLedgerFacts } from '../../../src/ledger/ledger-facts.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { openPostgresScene } from './scene.ts';

test('the run that took the lock meanwhile does not begin next to that watch', async () => {
  const scene = await openPostgresScene();
  const place = ledgerPlaceOf(scene.instance());
  const server = await place.postgres!();
  const engine = await chooseEngine(place);
  const lost = await engine.lock('watch', new Date());
  onTestFinished(() => lost());
  const driver = await openDriver(server);
  const holders = `FROM pg_locks WHERE locktype = 'advisory' AND objid = ${schemaNumber(server) >>> 0}`;
  await driver.read(async (sql) => await sql.all(`SELECT pg_terminate_backend(pid) ${holders}`));
  await expect.poll(() => engine.isBusy()).toBe(false);
  const unlock = await engine.lock('run', new Date());
  onTestFinished(() => unlock());
  const [run, watch] = [await engine.edit(), await engine.edit()];
  onTestFinished(() => run.close());
  const facts = await readLedgerFacts(run, { engine, state: stateOf(place), place });
  const of = { host: 'far', pid: 7, work: 'watch', version: '1.0.0', settingsSha256: '' } as const;
  const worker = { id: 'worker-7', startedAt: new Date().toISOString(), ...of };
  const writer = { facts, unlock: () => {}, start: 'start-7', lookAgain: async () => {} };
  const joined = await watch.join!(writer, { worker, meta: {}, now: () => new Date() });
  onTestFinished(() => joined.driver.close());
  const begun = run.start(facts.generation + 1, async () => {});
  await expect(begun).rejects.toMatchObject({
    code: 'ledger/locked',
    message: expect.stringContaining('process 7 on far'),
  });
  await joined.membership.leave();
});
