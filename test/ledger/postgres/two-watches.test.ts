/** Two watches on one folder and one database, in processes of their own; the one that sends is killed in the middle. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import type { PostgresPlace } from '../../../src/ledger/postgres/postgres-place.ts';
import { createSqlLedger } from '../../../src/ledger/sql-ledger.ts';
import { describeSandbox } from '../../../src/sandbox/describe.ts';
import { openScene, type Scene, sales } from '../../night.ts';
import { openDriver, temporarySchema } from './schema.ts';

const LEASE_MS = 3000;
const DOCUMENTS = process.env.TORTURE ? 200 : 60;

type Watch = { readonly id: string; readonly child: ChildProcess; readonly told: { what: string; code?: string }[] };

function startWatch(scene: Scene, place: PostgresPlace, environment: object = {}): Watch {
  const id = randomUUID();
  const script = join(import.meta.dirname, 'watch-child.ts');
  const child = spawn(process.execPath, [script, scene.root, JSON.stringify(place), id, String(LEASE_MS)], {
    env: { ...process.env, ...describeSandbox(scene.sandbox).environment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told: Watch['told'] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => told.push(JSON.parse(line)));
  return { id, child, told };
}

async function until(fact: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 50));
}

test('the other one takes over: nothing doubled, nothing lost, nothing left under way', async () => {
  await using scene = await openScene({
    sandbox: { latencyMs: 40 },
    settings: { inbox: { settle: '1ms', scan: '1s' } },
  });
  const place = await temporarySchema();
  const ledger = await createSqlLedger({
    driver: await openDriver(place),
    guard: { send: true },
    now: () => new Date(),
    readOnly: true,
  });
  const holder = async () => (await ledger.workers()).find(({ roles }) => roles.includes('send fr'))?.id;
  const first = startWatch(scene, place);
  await until(async () => (await holder()) === first.id);
  // Its clock is a day ahead: the lease is on that of the database.
  const second = startWatch(scene, place, { OFF_MS: '86400000' });
  await until(async () => (await ledger.workers()).length === 2);
  for (let n = 0; n < DOCUMENTS; n++) scene.drop(`ventes-${n}.csv`, sales([`F${n}`]));
  await until(() => scene.sandbox.acceptances().length >= DOCUMENTS / 6);
  // Whoever sends now is killed with requests on the wire: on a loaded machine the first one may have lost its lease before.
  scene.sandbox.tune({ latencyMs: 1500 });
  await until(async () => ((await ledger.counts()).sending ?? 0) > 1);
  const victim = (await holder()) === second.id ? second : first;
  let survivor = victim === first ? second : startWatch(scene, place);
  // As a service manager does: one that has lost its lease is started again.
  const watching = () => {
    if (survivor.child.exitCode !== null) survivor = startWatch(scene, place);
    return survivor.id;
  };
  await until(async () => ((await ledger.counts()).sending ?? 0) > 1);
  victim.child.kill('SIGKILL');
  scene.sandbox.tune({ latencyMs: 0 });
  await until(async () => (await holder()) === watching());
  const settled = async () => {
    watching();
    const { ready = 0, sending = 0, ...ended } = await ledger.counts();
    const sum = Object.values(ended).reduce((all, one) => all + one, 0);
    return ready === 0 && sending === 0 && sum === DOCUMENTS;
  };
  await until(settled);
  survivor.child.kill('SIGTERM');
  await once(survivor.child, 'exit');
  const counts = await ledger.counts();
  const { authorized = 0, 'in-doubt': inDoubt = 0, ...others } = counts;
  expect(others).toEqual({});
  expect(authorized + inDoubt).toBe(DOCUMENTS);
  const { concurrency } = scene.instance().destinations[0]!.pacing;
  expect(inDoubt).toBeGreaterThan(0);
  expect(inDoubt).toBeLessThanOrEqual(concurrency);
  // Each reached the service once, also those in doubt: the number of requests is that of the documents, or fewer.
  expect(scene.sandbox.acceptances().filter(({ requests }) => requests !== 1)).toEqual([]);
  expect(scene.files('processing')).toEqual([]);
  expect(scene.files('inbox')).toEqual([]);
});
