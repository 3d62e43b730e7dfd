/** Works that ask all of their statements at once: one packet has them and the end of their transaction, and one answer is waited for. */
import { expect, test } from 'vitest';
import type { Driver, Statements } from '../../../src/database/database-driver.ts';
import { driverScene, outcome } from './driver-scene.ts';
import { type Fate, type Message, relayTo } from './relay.ts';
import { openDriver } from './schema.ts';

const atOnce = <T>(driver: Driver, name: string, work: (sql: Statements) => Promise<T>) =>
  driver.write(work, undefined, { name, isAtOnce: true });
const add = (driver: Driver, name: string) =>
  atOnce(driver, name, async (sql) => {
    sql.atEnd('UPDATE counter SET n = n + 1');
    await sql.run('INSERT INTO t VALUES (?)', name);
    return name;
  });
const counted = async (driver: Driver) => await driver.read(async (sql) => await sql.all('SELECT n FROM counter'));

test('their statements and the end of the transaction leave together, with no answer in between', async () => {
  const { place } = await driverScene();
  let isWaiting = false;
  const steps: string[] = [];
  const relay = await relayTo(
    place,
    ({ type, sql }) => {
      if (type === 'S') steps.push(sql.split(' ', 1)[0]!);
      return 'passes';
    },
    (answer) => {
      if (isWaiting) steps.push('answer');
      return answer;
    },
  );
  const driver = await openDriver(relay);
  // The first one begins a transaction, and the end of it the next one.
  await Promise.all([add(driver, 'a'), add(driver, 'b')]);
  isWaiting = true;
  steps.length = 0;
  await Promise.all([add(driver, 'c'), add(driver, 'd')]);
  expect(steps.slice(0, 5)).toEqual(['INSERT', 'INSERT', 'UPDATE', 'COMMIT', 'answer']);
  expect(await counted(driver)).toEqual([{ n: 2 }]);
});

test('one that the server refuses is undone alone, also what it asked for at the end', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place);
  const refused = atOnce(driver, 'refused', async (sql) => {
    sql.atEnd('UPDATE counter SET n = n + 10');
    await sql.run('INSERT INTO t (b) VALUES (1)');
  });
  expect(await outcome({ a: add(driver, 'a'), refused, b: add(driver, 'b') })).toEqual({
    done: ['a', 'b'],
    failed: ['42703'],
  });
  expect(await stored()).toEqual(['a', 'b']);
  expect(await counted(driver)).toEqual([{ n: 1 }]);
});

test('one that fails over its answer, or asks once more, has its error to itself: it is stored, and none runs again', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place);
  const runs: string[] = [];
  const judges = atOnce(driver, 'judges', async (sql) => {
    runs.push('judges');
    await sql.run(`INSERT INTO t VALUES ('judges')`);
    throw new Error('not as it should be');
  });
  const asksMore = atOnce(driver, 'asks more', async (sql) => {
    runs.push('asks more');
    await sql.run(`INSERT INTO t VALUES ('asks')`);
    await sql.run(`INSERT INTO t VALUES ('more')`);
  });
  expect(await outcome({ a: add(driver, 'a'), judges, asksMore })).toEqual({
    done: ['a'],
    failed: [undefined, undefined],
  });
  expect(await outcome({ b: add(driver, 'b') })).toEqual({ done: ['b'], failed: [] });
  expect(await stored()).toEqual(['a', 'asks', 'b', 'judges']);
  expect(runs).toEqual(['judges', 'asks more']);
});

test('where the seal fails nothing of them is stored', async () => {
  const { place, stored } = await driverScene();
  const seal = async (sql: Statements) => {
    const counted = 'WITH c AS (UPDATE counter SET n = n + 1 WHERE n = 0 RETURNING n) SELECT 1 / COUNT(*) AS n FROM c';
    await sql.all(counted);
    return 1;
  };
  const driver = await openDriver(place, { seal });
  expect(await outcome({ a: add(driver, 'a') })).toEqual({ done: ['a'], failed: [] });
  expect(await outcome({ b: add(driver, 'b') })).toEqual({ done: [], failed: ['ledger/write-failed'] });
  expect(await stored()).toEqual(['a']);
});

test('two transactions of them that meet are both stored in the end', async () => {
  const { place, stored, ask } = await driverScene();
  await ask('CREATE TABLE meta (key TEXT)');
  const drivers = await Promise.all([
    openDriver(place, { aloneWithinMs: 5000 }),
    openDriver(place, { aloneWithinMs: 5000 }),
  ]);
  const names = Array.from({ length: 20 }, (_, n) => `${n}`.padStart(2, '0'));
  for (const name of names) await Promise.all(drivers.map((driver, n) => add(driver, `${name} ${n}`)));
  expect((await stored()).length).toBe(2 * names.length);
  expect(await counted(drivers[0]!)).toEqual([{ n: 2 * names.length }]);
});

test.each<Exclude<Fate, 'passes'>>(['cut-before', 'answer-lost'])(
  'the connection is lost at each of their statements (%s): together or not at all, and what is confirmed is stored',
  async (fate) => {
    const { place, stored, settled, clear } = await driverScene();
    let [at, steps, opened] = [0, 0, false];
    let lostAt: Message | undefined;
    const relay = await relayTo(place, (message) => {
      opened ||= message.sql.startsWith('INSERT');
      if (!opened || !['B', 'S'].includes(message.type) || ++steps !== at) return 'passes';
      lostAt = message;
      return fate;
    });
    for (;;) {
      await clear();
      [at, steps, opened, lostAt] = [at + 1, 0, false, undefined];
      const driver = await openDriver(relay);
      const first = await outcome({ a: add(driver, 'a'), b: add(driver, 'b') });
      const second = await outcome({ c: add(driver, 'c') });
      await driver.close();
      await settled();
      const [rows, confirmed] = [await stored(), [...first.done, ...second.done]];
      if (lostAt === undefined) {
        expect(confirmed).toEqual(['a', 'b', 'c']);
        break;
      }
      const seen = `${fate} at ${at}: ${(lostAt as Message).sql}`;
      expect(
        confirmed.filter((name) => !rows.includes(name)),
        seen,
      ).toEqual([]);
      expect(rows.includes('a'), seen).toBe(rows.includes('b'));
      if (first.failed.length > 0) expect(second, seen).toEqual({ done: [], failed: ['ledger/write-failed'] });
    }
    expect(at).toBeGreaterThan(10);
  },
);
