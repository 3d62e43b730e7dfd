/** Programs that need the ledger for themselves: who has it, who waits for a lease, and two watches that prepare it at once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NOW_MS } from '../../../src/database/postgres/postgres-driver.ts';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import { lockPostgres } from '../../../src/ledger/engine/postgres-lock.ts';
import { removeLockHolder } from '../../../src/ledger/installation/lock-holder.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import type { OperatorError } from '../../../src/model/fault.ts';
import { ledgerPlaceOf, openLedgerForRun, openLedgerOf } from '../../../src/runs/open-run.ts';
import { openDriver } from '../../database/postgres/schema.ts';
import type { Scene } from '../../night.ts';
import { commandIn } from '../../program.ts';
import { openPostgresScene } from './scene.ts';

const placeOf = async (scene: Scene) => await ledgerPlaceOf(scene.instance()).postgres!();

test('two watches find other services at the same instant: one binds the ledger to them, both work', async () => {
  const scene = await openPostgresScene();
  const settings = join(scene.root, 'nightpost.yaml');
  writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll('127.0.0.1', 'localhost'));
  const place = await placeOf(scene);
  // One looks at the ledger, while the other one wants to bind it.
  const lock = { place, note: join(scene.root, 'state', 'lock.sqlite') };
  const waitsFor = async (look: () => Promise<void>) => {
    const alone = lockPostgres(lock, 'act', new Date());
    const looked = wait(50).then(look);
    const [free] = await Promise.all([alone, looked]);
    await free();
  };
  await waitsFor(await lockPostgres(lock, 'watch', new Date()));
  const letsGo = await lockPostgres(lock, 'watch', new Date());
  removeLockHolder(lock.note);
  await waitsFor(letsGo);
  const open = async (): Promise<Ledger> => {
    const ledger = await openLedgerForRun(scene.instance(), 'watch');
    onTestFinished(() => ledger[Symbol.asyncDispose]());
    return ledger;
  };
  const both = await Promise.all([open(), open()]);
  const bound = both.filter(({ guard }) => guard.send && guard.rebinds?.id === 'send-guard.rebinds');
  expect(bound.length).toBeGreaterThan(0);
  expect((await both[0]!.workers.list()).map(({ work, goneMs }) => [work, goneMs])).toEqual([
    ['watch', undefined],
    ['watch', undefined],
  ]);
  for (const ledger of both) await ledger[Symbol.asyncDispose]();

  // The other one binds it, and works, between the first look of the late one and its second.
  writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll('localhost', '127.0.0.1'));
  const site = ledgerPlaceOf(scene.instance());
  let asked = 0;
  const postgres = async () => {
    if (++asked === 2) await open();
    return place;
  };
  await using late = await openLedger({ ...site, postgres, work: 'watch' });
  expect([late.guard, (await late.workers.list()).filter(({ goneMs }) => goneMs === undefined)]).toMatchObject([
    { send: true },
    [{ work: 'watch' }, { work: 'watch' }],
  ]);
});

test('a clock that is a day off: neither watch nor run begins, an act does; 40 seconds are no obstacle', async () => {
  const scene = await openPostgresScene();
  const instance = scene.instance();
  const at = async (ms: number, work: 'watch' | 'run' | 'act') => {
    const now = () => new Date(Date.now() + ms);
    try {
      await (await openLedger({ ...ledgerPlaceOf(instance), now, work }))[Symbol.asyncDispose]();
      return 'begun';
    } catch (error) {
      return (error as OperatorError).code;
    }
  };
  const day = 86_400_000;
  expect(await at(-day, 'watch')).toBe('ledger/clock-apart');
  expect(await at(day, 'run')).toBe('ledger/clock-apart');
  expect(await at(day, 'act')).toBe('begun');
  expect([await at(-40_000, 'watch'), await at(40_000, 'run')]).toEqual(['begun', 'begun']);
});

test('a clock that is set back by a day ends a watch at its next renewal, one of a minute does not', async () => {
  const scene = await openPostgresScene();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let offMs = 0;
  const now = () => new Date(Date.now() + offMs);
  await using ledger = await openLedger({ ...ledgerPlaceOf(scene.instance()), now, work: 'watch' });
  const roles = ledger.roles!;
  await roles.takeRoles(['receipts']);
  const renewed = async () => {
    vi.advanceTimersByTime(roles.leaseMs / 3);
    // After the renewal, which it waits for.
    return await roles.takeRoles(['expected']).catch((error: OperatorError) => error);
  };
  offMs = -60_000;
  expect(await renewed()).toEqual(['receipts', 'expected']);
  offMs = -86_400_000;
  expect(await renewed()).toMatchObject({
    code: 'ledger/clock-apart',
    message: expect.stringMatching(/ are 1,?440 minutes apart: one of them was set/),
  });
  expect(roles.lost.reason).toMatchObject({ code: 'ledger/clock-apart' });
  expect(roles.holds('receipts')).toBe(false);
});

test('status shows a program that is alone with the ledger, and since when', async () => {
  const scene = await openPostgresScene();
  const instance = scene.instance();
  const workers = async () => JSON.parse((await commandIn(scene, 'status', '--json')).out).workers;
  expect(await workers()).toBeUndefined();
  {
    await using _ = await openLedgerOf(instance, 'run');
    expect(await workers()).toEqual([
      expect.objectContaining({ work: 'run', pid: process.pid, state: 'works', startedAt: expect.any(String) }),
    ]);
  }
  await using _ = await openLedgerOf(instance, 'upkeep');
  const { out } = await commandIn(scene, 'status');
  expect(out).toMatch(new RegExp(`maintenance ${process.pid} on .*, since .*: alone with the ledger`));
});

test('after the only watch was killed, an act and a run print that they wait for its lease, and how long', async () => {
  const scene = await openPostgresScene();
  scene.drop('ventes-vide.csv', 'a;b\n1;2\n');
  await scene.night();
  const driver = await openDriver(await placeOf(scene));
  const idle = `SELECT current_setting('tcp_keepalives_idle') AS idle`;
  expect(await driver.read(async (sql) => await sql.all(idle))).toEqual([{ idle: '30' }]);
  /** Runs it next to a lease that ends once the command has reported that it waits. */
  const nextToDead = async (...args: string[]) => {
    await driver.write(
      async (sql) =>
        await sql.run(
          `INSERT INTO worker (id, host, pid, work, version, settings_sha256, started_at, until)
           VALUES (?, 'far', 4711, 'watch', '1', 'x', '2026-11-20T22:00:00.000Z', ${NOW_MS} + 600000)`,
          args[0]!,
        ),
    );
    const running = commandIn(scene, ...args);
    const { write } = process.stderr;
    let gone: Promise<unknown> | undefined;
    const listening = (chunk: string) => {
      if (chunk.includes('4711')) gone ??= driver.write(async (sql) => await sql.run('UPDATE worker SET gone = 1'));
      return write(chunk);
    };
    Object.assign(process.stderr, { write: listening });
    const ended = await running;
    await gone;
    return ended;
  };
  const waits = /process 4711 on far.*its lease ends within \d+ seconds: waiting/;
  const act = await nextToDead('set-aside', 'ventes-vide.csv', '--reason', 'exported again');
  expect([act.code, act.err]).toEqual([0, expect.stringMatching(waits)]);
  const decided = await nextToDead('ledger', 'end-quarantine', 'all found at the portal');
  expect([decided.code, decided.err]).toEqual([0, expect.stringMatching(waits)]);
  const run = await nextToDead('run');
  expect([run.code, run.err]).toEqual([0, expect.stringMatching(waits)]);
  // A server that has not noticed yet keeps the lock of the dead.
  const unlock = await lockPostgres(
    { place: await placeOf(scene), note: join(scene.root, 'state/x') },
    'watch',
    new Date(),
  );
  await driver.write(async (sql) => await sql.run('UPDATE worker SET gone = NULL'));
  const refused = await commandIn(scene, 'run');
  await unlock();
  expect([refused.code, refused.err]).toEqual([
    6,
    expect.stringMatching(
      /ledger\/locked.*process 4711 on far.*killed, its lease ends within \d+ seconds: repeat the command/s,
    ),
  ]);
});
