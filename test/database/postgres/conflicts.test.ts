/** Transactions that meet: one runs again, has the ledger to itself, or ends with nothing stored; and works that outlive theirs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Statements } from '../../../src/database/database-driver.ts';
import { driverScene, insert, outcome } from './driver-scene.ts';
import { openDriver } from './schema.ts';

test('two that read and then write the same never lose what the other one wrote', async () => {
  const { place, ask } = await driverScene();
  const drivers = [await openDriver(place), await openDriver(place)];
  let [arrived, both] = [0, Promise.withResolvers<void>()];
  const meet = async () => {
    arrived++;
    if (arrived === 2) both.resolve();
    await both.promise;
  };
  for (let round = 1; round <= 10; round++) {
    [arrived, both] = [0, Promise.withResolvers<void>()];
    await Promise.all(
      drivers.map((driver) => {
        let first = true;
        return driver.write(async (sql) => {
          const n = (await sql.all('SELECT n FROM counter'))[0]!.n as number;
          // Both have read before one of them writes: without the check of the server one of them is lost.
          if (first) await meet();
          first = false;
          await sql.run('UPDATE counter SET n = ?', n + 1);
        });
      }),
    );
    expect((await ask('SELECT n FROM counter')).rows).toEqual([{ n: 2 * round }]);
  }
});

/** Meets another one, as far as the work can see. */
const meets = (sql: Statements) => sql.run(`DO 'BEGIN RAISE EXCEPTION USING ERRCODE = 40001; END'`);

test('one that meets others for too long ends, with nothing stored', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place, { conflictMs: 50 });
  const loses = driver.write(async (sql) => {
    await sql.run('INSERT INTO t VALUES (?)', 'x');
    await meets(sql);
  });
  await expect(loses).rejects.toMatchObject({ code: 'ledger/write-failed' });
  expect(await stored()).toEqual([]);
  await insert(driver, 'y');
  expect(await stored()).toEqual(['y']);
});

test('one that stands still in the middle does not end those that meet it', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place);
  let tries = 0;
  await driver.write(async (sql) => {
    await sql.run('INSERT INTO t VALUES (?)', 'x');
    if (++tries <= 55) await meets(sql);
  });
  expect([tries, await stored()]).toEqual([56, ['x']]);
});

test('a long commit that loses to the short ones of another worker has the ledger to itself at its second try', async () => {
  const { place, ask } = await driverScene();
  await ask('CREATE TABLE meta (key TEXT)');
  const shared = { aloneWithinMs: 60_000, conflictMs: 10_000 };
  const [long, short] = [await openDriver(place, shared), await openDriver(place, shared)];
  const count = async (sql: Statements) => await sql.run('UPDATE counter SET n = n + 1');
  let [isOver, tries, commits] = [false, 0, 0];
  const others = (async () => {
    for (; !isOver; commits++) await short.write(count);
  })();
  const loses = long.write(async (sql) => {
    tries++;
    await sql.all('SELECT n FROM counter');
    const before = commits;
    // Until another one has committed, which at the second try none can do.
    for (let looks = 0; commits <= before + 1 && looks < (tries === 1 ? 2000 : 20); looks++) await sleep(5);
    await count(sql);
  });
  await loses.finally(() => {
    isOver = true;
  });
  await others;
  expect(tries).toBe(2);
});

test('a commit that loses does without the ledger to itself while another program stands still in the middle', async () => {
  const { place, ask, stored } = await driverScene();
  await ask('CREATE TABLE meta (key TEXT)');
  const driver = await openDriver(place, { aloneWithinMs: 50 });
  for (const text of ['BEGIN', 'LOCK TABLE meta IN ROW SHARE MODE']) await ask(text);
  let tries = 0;
  await driver.write(async (sql) => {
    await sql.run('INSERT INTO t VALUES (?)', 'x');
    if (++tries === 1) await meets(sql);
  });
  await ask('COMMIT');
  expect([tries, await stored()]).toEqual([2, ['x']]);
});

test('a work that fails does not take the ledger from other programs', async () => {
  const { place, ask, stored } = await driverScene();
  await ask('CREATE TABLE meta (key TEXT)');
  const driver = await openDriver(place, { aloneWithinMs: 60_000 });
  for (const text of ['BEGIN', 'LOCK TABLE meta IN ROW SHARE MODE']) await ask(text);
  const bad = driver.write(async () => {
    throw new Error('no');
  });
  expect(await outcome({ bad, good: insert(driver, 'good') })).toEqual({ done: ['good'], failed: [undefined] });
  await ask('COMMIT');
  expect(await stored()).toEqual(['good']);
});

test('what a work asks after it has failed is part of no transaction', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place);
  const gate = Promise.withResolvers<void>();
  const late: Promise<unknown>[] = [];
  const fails = driver.write(async (sql) => {
    const again = gate.promise.then(() => sql.run('INSERT INTO t VALUES (?)', `late ${late.length}`));
    late.push(again.catch(() => 'refused'));
    throw new Error('no');
  });
  await expect(fails).rejects.toThrow('no');
  const next = driver.write(async (sql) => {
    await sql.run('INSERT INTO t VALUES (?)', 'next');
    gate.resolve();
    await Promise.all(late);
  });
  await next;
  expect([await Promise.all(late), await stored()]).toEqual([['refused', 'refused'], ['next']]);
});
