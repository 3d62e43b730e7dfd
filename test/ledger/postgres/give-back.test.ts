/** A sender that is paused between its intent and its request, until it has lost its lease: no byte leaves afterwards. */
import { expect, onTestFinished, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { ingestAll } from '../../../src/pipeline/intake/ingest-all.ts';
import { sendDue } from '../../../src/pipeline/submission/send-due.ts';
import { ledgerPlaceOf, openRun } from '../../../src/runs/open-run.ts';
import { settleLeftovers } from '../../../src/runs/take-over.ts';
import { expire } from '../../contracts/ledger-workers.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { type Scene, sales } from '../../night.ts';
import { openPostgresScene, postgresSettings } from './scene.ts';

/** A watch without its loops. */
async function worker(scene: Scene, through = (driver: Driver): Driver => driver) {
  const instance = scene.instance();
  const ledger = await openLedger({ ...ledgerPlaceOf(instance), work: 'watch', through });
  onTestFinished(() => ledger[Symbol.asyncDispose]());
  const work = await openRun(instance, ledger, { stop: new AbortController().signal, onEvent: () => {} });
  onTestFinished(() => work[Symbol.asyncDispose]());
  await settleLeftovers(work);
  return { work, roles: ledger.roles! };
}

/** Holds the result of the first beginning back, which is durable by then. */
function pausedAfterIntent() {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => gate.resolve());
  const through = (driver: Driver): Driver => ({
    ...driver,
    write: async (work, order, apart) => {
      let begins = false;
      const result = await driver.write(
        (sql) => {
          const all: typeof sql.all = (text, ...values) => {
            begins ||= text.startsWith("UPDATE entry AS e SET state = 'sending'");
            return sql.all(text, ...values);
          };
          return work({ ...sql, all });
        },
        order,
        apart,
      );
      if (begins) {
        reached.resolve();
        await gate.promise;
      }
      return result;
    },
  });
  return { through, reached: reached.promise, goOn: gate.resolve };
}

test.each([
  ['it gives the document back', false, { sent: [], states: ['ready'] }],
  ['it stays in doubt where another one has found it', true, { sent: [], states: ['in-doubt'] }],
] as const)('%s', async (_name, isTakenOver, expected) => {
  const scene = await openPostgresScene({}, { ...postgresSettings(), lease: '3s' });
  const { through, reached, goOn } = pausedAfterIntent();
  const slow = await worker(scene, through);
  scene.drop('ventes.csv', sales(['F1']));
  await ingestAll(slow.work, 'run');
  const ended = sendDue(slow.work, slow.work.services.get('fr')!, 1000).then(
    () => 'sent all',
    ({ code }) => code,
  );
  await reached;
  await expire(await openDriver(await ledgerPlaceOf(scene.instance()).postgres!()), slow.roles.id);
  if (!slow.roles.lost.aborted) await new Promise((resolve) => slow.roles.lost.addEventListener('abort', resolve));
  if (isTakenOver) await worker(scene);
  goOn();
  await ended;
  const states = Object.keys(await slow.work.ledger.queries.counts());
  expect({ sent: scene.sandbox.acceptances(), states }).toEqual(expected);

  const other = await worker(scene);
  await sendDue(other.work, other.work.services.get('fr')!, 1000);
  expect(scene.sandbox.acceptances().length).toBe(isTakenOver ? 0 : 1);
});
