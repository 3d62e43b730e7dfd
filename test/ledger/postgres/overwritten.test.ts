/** A writer of receipts that stood still, and goes on after another one has taken its role over: the chain decides. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Driver } from '../../../src/database/database-driver.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import type { PipelineEvent, RunContext } from '../../../src/pipeline/context/run-context.ts';
import { ingestAll } from '../../../src/pipeline/intake/ingest-all.ts';
import { underRole, watchingOverwrites } from '../../../src/pipeline/publishing/overwritten-receipts.ts';
import { completeFiles, writeDueReceipts } from '../../../src/pipeline/publishing/publish-results.ts';
import { sendDue } from '../../../src/pipeline/submission/send-due.ts';
import { ledgerPlaceOf, openRun } from '../../../src/runs/open-run.ts';
import { settleLeftovers } from '../../../src/runs/take-over.ts';
import { watch } from '../../../src/runs/watch.ts';
import { expire } from '../../contracts/ledger-workers.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { endWithTest } from '../../end-with-test.ts';
import { type Scene, sales } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { openPostgresScene } from './scene.ts';

/** A watch without its loops. */
async function worker(scene: Scene, stop = new AbortController().signal, through = (driver: Driver): Driver => driver) {
  const instance = scene.instance();
  const ledger = await openLedger({ ...ledgerPlaceOf(instance), work: 'watch', through });
  onTestFinished(() => ledger[Symbol.asyncDispose]());
  const told: PipelineEvent[] = [];
  const onEvent = (happening: PipelineEvent) => void told.push(happening);
  const work = await openRun(instance, ledger, { stop, onEvent });
  onTestFinished(() => work[Symbol.asyncDispose]());
  await settleLeftovers(work);
  return { work, told, roles: ledger.roles! };
}

async function publish(work: RunContext): Promise<void> {
  await writeDueReceipts(work, { waiting: true });
  await completeFiles(work);
  await work.ledger.receipts.sealEvents();
}

/** Stops once it has read the end of the chain for its first batch: after the check of its lease, before a file. */
function stopping() {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => gate.resolve());
  let isRead = false;
  const through = (driver: Driver): Driver => ({
    ...driver,
    read: async (work) => {
      const result = await driver.read((sql) => {
        const all: typeof sql.all = (text, ...values) => {
          isRead ||= text.startsWith('SELECT * FROM receipt_link ORDER BY n DESC');
          return sql.all(text, ...values);
        };
        return work({ ...sql, all });
      });
      if (isRead) {
        reached.resolve();
        await gate.promise;
      }
      return result;
    },
  });
  return { through, reached: reached.promise, goOn: gate.resolve };
}

const proven = async (scene: Scene) => {
  const { code, out } = await commandIn(scene, 'verify');
  return code === 0 ? 'proven' : out;
};

test('what it replaces is written again: by its own word, and where it dies before, by the next look', async () => {
  const scene = await openPostgresScene();
  const { through, reached, goOn } = stopping();
  const slow = await worker(scene, undefined, through);
  scene.drop('ventes.csv', sales(['F1', 'F2']));
  await ingestAll(slow.work, 'run');
  const written = writeDueReceipts(slow.work, { waiting: true }).then(
    () => 'written',
    ({ code }) => code,
  );
  await reached;
  const driver = await openDriver(await ledgerPlaceOf(scene.instance()).postgres!());
  await expire(driver, slow.roles.id);
  const { work, roles } = await worker(scene);
  expect(roles.holds('receipts')).toBe(true);
  const line = work.services.get('fr')!;
  await sendDue(work, line, 1000);
  await publish(work);
  const receipts = () => [...scene.files('outbox'), ...scene.files('pending')].filter((path) => /receipt/.test(path));
  const right = receipts();
  expect(right.map((path) => path.split('/')[0])).toEqual(['outbox', 'outbox']);
  expect(await proven(scene)).toBe('proven');
  goOn();
  expect(await written).toBe('ledger/lease-lost');
  const wrong = receipts();
  expect(wrong.map((path) => path.split('/')[0])).toEqual(['pending', 'pending']);
  const stale = wrong.map((path) => [path, scene.read(path)] as const);
  await publish(work);
  expect(receipts()).toEqual(right);
  expect(await proven(scene)).toBe('proven');

  // The same by one that is killed before it reports, found by the next worker: the file of one document, and the summary.
  const damage = () => {
    const [[path, text] = ['', '']] = stale;
    writeFileSync(join(scene.root, path), text);
    rmSync(join(scene.root, path.replace('pending', 'outbox')));
    const [summary = ''] = scene.files('outbox').filter((name) => name.endsWith('.summary.json'));
    writeFileSync(join(scene.root, summary), '{}');
  };
  damage();
  await work.ledger[Symbol.asyncDispose]();
  const stop = new AbortController();
  const next = await worker(scene, stop.signal);
  const over = watch(next.work);
  endWithTest(stop, [over]);
  while (!next.told.some(({ what }) => what === 'written-again'))
    await new Promise((resolve) => setTimeout(resolve, 10));
  stop.abort();
  await over;
  const again = () => next.told.filter(({ what }) => what === 'written-again');
  expect(again()).toEqual([{ what: 'written-again', receipts: 1, summaries: 1 }]);
  expect(receipts()).toEqual(right);
  expect(await proven(scene)).toBe('proven');
  // At its other looks too, as long as the one that stood still may go on; never without the role.
  const look = watchingOverwrites(next.work, next.roles);
  await look();
  damage();
  const lost = { ...next.roles, holds: () => false };
  await watchingOverwrites(next.work, lost)();
  expect(again()).toHaveLength(1);
  await look();
  expect(again()).toHaveLength(2);
  // Due now, but a writer looks at its lease before each batch.
  const late = { ...next.work, ledger: { ...next.work.ledger, roles: lost } };
  await expect(publish(late)).rejects.toMatchObject({ code: 'ledger/lease-lost' });
  expect(receipts()).not.toEqual(right);
});

test('a writer whose file the next holder removed has lost its role, and reports no other error', async () => {
  const gone = Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  const given: unknown[] = [];
  const errorWhere = async (isHeld: boolean) => {
    const roles = { holds: () => isHeld, giveUpWrites: async (batch: unknown) => void given.push(batch) };
    const batch = { entries: ['1'], files: [] };
    return await underRole({ ledger: { roles } } as unknown as RunContext, batch, async () => {
      throw gone;
    }).catch((error: unknown) => error);
  };
  expect(await errorWhere(false)).toMatchObject({ code: 'ledger/lease-lost' });
  expect(given).toHaveLength(1);
  expect(await errorWhere(true)).toBe(gone);
  expect(given).toHaveLength(1);
});
