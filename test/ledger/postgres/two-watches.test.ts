/** The program itself, twice on one folder and one database; the one that sends is killed in the middle. */
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import { ledgerPlaceOf } from '../../../src/runs/open-run.ts';
import { expire } from '../../contracts/ledger-workers.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import { type Scene, sales } from '../../night.ts';
import { commandIn, type Started, startIn } from '../../program.ts';
import { openPostgresScene, postgresSettings } from './scene.ts';

/** A machine may stand still for seconds: a watch that lives keeps its lease. */
const LEASE = '10s';
const DOCUMENTS = process.env.TORTURE ? 200 : 60;

function startWatch(scene: Scene): Started & { readonly pid: number } {
  const started = startIn(scene, 'watch', '-q');
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return { ...started, pid: started.child.pid! };
}

async function until(fact: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await fact())) await new Promise((resolve) => setTimeout(resolve, 50));
}

test('the other one takes over: nothing doubled, nothing lost, nothing left under way', {
  timeout: 240_000,
}, async () => {
  const settings = { inbox: { settle: '1ms', scan: '1s' } };
  const scene = await openPostgresScene(
    { sandbox: { latencyMs: 40 }, settings },
    { ...postgresSettings(), lease: LEASE },
  );
  await using ledger = await openLedger({ ...ledgerPlaceOf(scene.instance()), readOnly: true });
  const living = async () => (await ledger.workers.list()).filter(({ goneMs }) => goneMs === undefined);
  const holder = async () => (await living()).find(({ roles }) => roles.includes('send fr'))?.pid;
  const first = startWatch(scene);
  await until(async () => (await holder()) === first.pid);
  const second = startWatch(scene);
  await until(async () => (await living()).length === 2);
  // Everything but a watch is alone, and names who is there; a decision of a person is carried out by the one whose role it is.
  const refused = await commandIn(scene, 'run');
  expect([refused.code, refused.err]).toEqual([6, expect.stringContaining(String(first.pid))]);
  scene.drop('ventes-vide.csv', 'a;b\n1;2\n');
  await until(async () => scene.files('error').length > 0);
  const asked = await commandIn(scene, 'set-aside', 'ventes-vide.csv', '--reason', 'exported again');
  expect(asked.code).toBe(0);
  const { workers } = JSON.parse((await commandIn(scene, 'status', '--json')).out);
  expect(workers).toEqual([
    expect.objectContaining({ pid: first.pid, state: 'works', roles: expect.arrayContaining(['receipts', 'send fr']) }),
    // On a loaded machine it may have lost its lease since.
    expect.objectContaining({ pid: second.pid, roles: [], differs: false, waits: null }),
  ]);
  for (let n = 0; n < DOCUMENTS; n++) scene.drop(`ventes-${n}.csv`, sales([`F${n}`]));
  await until(() => scene.sandbox.acceptances().length >= DOCUMENTS / 6);
  // The sender is killed now, with requests on the wire: on a loaded machine the first one may have lost its lease before.
  scene.sandbox.tune({ latencyMs: 1500 });
  await until(async () => ((await ledger.queries.counts()).sending ?? 0) > 1);
  const victim = (await holder()) === second.pid ? second : first;
  let survivor = victim === first ? second : startWatch(scene);
  // As a service manager does: one that has lost its lease is started again.
  const watching = () => {
    if (survivor.child.exitCode !== null) survivor = startWatch(scene);
    return survivor.pid;
  };
  const { id } = (await living()).find(({ pid }) => pid === victim.pid)!;
  const driver = await openDriver(await ledgerPlaceOf(scene.instance()).postgres!());
  await until(async () => ((await ledger.queries.counts()).sending ?? 0) > 1);
  victim.child.kill('SIGKILL');
  await victim.ended;
  await expire(driver, id);
  scene.sandbox.tune({ latencyMs: 0 });
  await until(async () => (await holder()) === watching());
  const settled = async () => {
    watching();
    const { ready = 0, sending = 0, ...ended } = await ledger.queries.counts();
    const sum = Object.values(ended).reduce((all, one) => all + one, 0);
    return ready === 0 && sending === 0 && sum === DOCUMENTS;
  };
  await until(settled);
  survivor.child.kill('SIGTERM');
  expect((await survivor.ended).code).toBe(143);
  const counts = await ledger.queries.counts();
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

  // A server that lost commits of a worker, as an asynchronous replica after a fail-over has: found by the witness of the role.
  const guard = async () => {
    await using again = await openLedger({ ...ledgerPlaceOf(scene.instance()), readOnly: true });
    return again.guard;
  };
  expect(await guard()).toEqual({ send: true });
  const events = await driver.read(
    async (sql) => await sql.all(`SELECT what, person, worker FROM event WHERE person IS NOT NULL`),
  );
  expect(events).toEqual([expect.objectContaining({ what: 'file-set-aside' })]);
  const lose = (role: string, commits: number) =>
    driver.write(
      async (sql) => await sql.run('UPDATE role SET generation = generation - ? WHERE name = ?', commits, role),
    );
  await lose('send fr', 1);
  expect(await guard()).toMatchObject({ send: false, code: 'ledger/older' });
  await lose('send fr', -1);
  // What a person decided, and sent nothing.
  await lose('receipts', 1);
  expect(await guard()).toMatchObject({ send: false, code: 'ledger/older' });
  expect((await commandIn(scene, 'doctor', '--accept-ledger', 'compared')).code).toBe(0);
  expect(await guard()).toEqual({ send: true });
});
