/**
 * The driver for PostgreSQL where things go wrong: what it confirms is stored, what it reports as undone is not, and a commit
 * of which it cannot know is never a success.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Statements } from '../../../src/database/database-driver.ts';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { driverScene, insert, outcome } from './driver-scene.ts';
import { type Fate, type Message, relayTo } from './relay.ts';
import { openDriver } from './schema.ts';

test('works that meet share a commit; one that fails is undone alone, also what it asked for at the end', async () => {
  const { place, stored } = await driverScene();
  let commits = 0;
  const driver = await openDriver(place, { seal: async () => 0, committed: () => commits++ });
  const bad = driver.write(async (sql) => {
    sql.atEnd('INSERT INTO t VALUES (?)', 'end of bad');
    await sql.run('INSERT INTO t VALUES (?)', 'half');
    throw new Error('no');
  });
  const good = driver.write(async (sql) => {
    for (const _ of [1, 2]) sql.atEnd('INSERT INTO t VALUES (?)', 'end');
    await sql.run('INSERT INTO t VALUES (?)', 'good');
  });
  const works = { a: insert(driver, 'a'), twice: insert(driver, 'a'), bad, good, b: insert(driver, 'b') };
  expect(await outcome(works)).toEqual({ done: ['a', 'good', 'b'], failed: ['23505', undefined] });
  expect([await stored(), commits]).toEqual([['a', 'b', 'end', 'good'], 1]);
  expect(
    await driver.read(async (sql) => await sql.all('SELECT COUNT(*) AS n, SUM(LENGTH(a)) AS m, 1 = 1 AS yes FROM t')),
  ).toEqual([{ n: 4, m: 9, yes: 1 }]);
});

test('works that are apart run at the same time, those of one name and those without a name alone', async () => {
  const { place } = await driverScene();
  const driver = await openDriver(place);
  const steps: string[] = [];
  const twice = (name: string, apart?: string) =>
    driver.write(
      async (sql) => {
        steps.push(`${name} begins`);
        await sql.run('INSERT INTO t VALUES (?)', name);
        steps.push(`${name} ends`);
      },
      undefined,
      apart === undefined ? undefined : { name: apart },
    );
  await Promise.all([twice('a', 'x'), twice('b', 'y'), twice('c', 'x'), twice('d'), twice('e', 'y')]);
  expect(steps).toEqual([
    ...['a begins', 'b begins', 'a ends', 'b ends', 'c begins', 'c ends', 'd begins', 'd ends', 'e begins', 'e ends'],
  ]);
});

test('one of several that are apart fails: each other one is stored once, also one that was still at work', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place);
  const slow = driver.write(
    async (sql) => {
      await sql.run('INSERT INTO t VALUES (?)', 'slow 1');
      await sleep(20);
      await sql.run('INSERT INTO t VALUES (?)', 'slow 2');
    },
    undefined,
    { name: 'slow' },
  );
  const fails = driver.write(async (sql) => await sql.run('INSERT INTO t (b) VALUES (1)'), undefined, {
    name: 'fails',
  });
  const throws = driver.write(() => Promise.reject(new Error('no')), undefined, { name: 'throws' });
  const works = { slow, fails, throws, a: insert(driver, 'a') };
  expect(await outcome(works)).toEqual({ done: ['slow', 'a'], failed: ['42703', undefined] });
  expect(await stored()).toEqual(['a', 'slow 1', 'slow 2']);
});

test('a transaction that begins with the end of another one is serializable too', async () => {
  const { place } = await driverScene();
  const driver = await openDriver(place);
  const level = async () =>
    await driver.write(async (sql) => await sql.all(`SELECT current_setting('transaction_isolation') AS level`));
  let later: ReturnType<typeof level> | undefined;
  await driver.write(async () => {
    later ??= level();
  });
  expect(await later).toEqual([{ level: 'serializable' }]);
});

test('a work that goes on after an error of the server is not taken for done', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place);
  await insert(driver, 'a');
  const goesOn = driver.write(async (sql) => {
    await Promise.resolve(sql.run('INSERT INTO t VALUES (?)', 'a')).catch(() => undefined);
  });
  await expect(goesOn).rejects.toMatchObject({ code: 'ledger/write-failed' });
  await insert(driver, 'b');
  expect(await stored()).toEqual(['a', 'b']);
});

test('a text with NUL is stored with the sign for what cannot be shown, and found by neither', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place);
  await insert(driver, 'a\0b');
  expect(await stored()).toEqual(['a\ufffdb']);
  expect(await driver.read(async (sql) => await sql.all('SELECT a FROM t WHERE a = ? OR a = ?', 'a', 'a\\0b'))).toEqual(
    [],
  );
});

test('what a read sees is one moment, whatever others commit meanwhile', async () => {
  const { place } = await driverScene();
  const [driver, other] = [await openDriver(place), await openDriver(place)];
  const seen = await driver.read(async (sql) => {
    const count = async () => (await sql.all('SELECT COUNT(*) AS n FROM t'))[0]!.n;
    const before = await count();
    await insert(other, 'x');
    return [before, await count()];
  });
  expect(seen).toEqual([0, 0]);
});

test('reads that are asked together share a moment and its round trips; one that fails is alone with its error', async () => {
  const { place } = await driverScene();
  const driver = await openDriver(place);
  await insert(driver, 'a');
  const relayed = await relayTo(place, ({ type, sql }) => {
    if (type === 'B' && sql.includes('READ ONLY')) begun++;
    return 'passes';
  });
  let begun = 0;
  const reader = await openDriver(relayed);
  const read = (statement: string) => reader.read(async (sql) => await sql.all(statement));
  const moment = 'SELECT CAST(now() AS TEXT) AS now FROM t';
  const [first, second, third] = await Promise.all([read(moment), read(moment), read(moment)]);
  expect([second, third, begun]).toEqual([first, first, 1]);
  const works = { a: read(moment), bad: read('SELECT nothing FROM t'), b: read(moment) };
  expect(await outcome(works)).toEqual({ done: ['a', 'b'], failed: ['42703'] });
  // What was asked while another read was under way sees what is stored by then.
  const slow = read('SELECT pg_sleep(0.1) FROM t');
  await insert(driver, 'late');
  const late = read('SELECT COUNT(*) AS n FROM t');
  await slow;
  expect(await late).toEqual([{ n: 2 }]);
});

/** What a server adds to its answer when it stops waiting for its replica: the COMMIT itself looks as always. */
function withWarning(answer: Buffer): Buffer {
  const at = answer.indexOf('COMMIT\0', 0, 'latin1') - 5;
  if (at < 0) return answer;
  const text = 'SWARNING\0VWARNING\0C01000\0Mcanceling wait for synchronous replication due to user request\0\0';
  const warning = Buffer.alloc(5 + text.length);
  warning.write('N');
  warning.writeUInt32BE(4 + text.length, 1);
  warning.write(text, 5, 'latin1');
  return Buffer.concat([answer.subarray(0, at), warning, answer.subarray(at)]);
}

test('a warning of a statement is none of the commit', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(place);
  const warn = "DO $$ BEGIN RAISE WARNING 'a trigger has its doubts'; END $$";
  const works = {
    a: driver.write(async (sql) => {
      await sql.run(warn);
      await sql.run('INSERT INTO t VALUES (?)', 'a');
    }),
  };
  expect(await outcome(works)).toEqual({ done: ['a'], failed: [] });
  expect(await outcome({ b: insert(driver, 'b') })).toEqual({ done: ['b'], failed: [] });
  expect(await stored()).toEqual(['a', 'b']);
});

test('a commit that is confirmed with a warning may be missing on the replica: it is no success, and the last', async () => {
  const { place, stored } = await driverScene();
  const driver = await openDriver(await relayTo(place, undefined, withWarning));
  const unclear = { code: 'ledger/write-failed', message: expect.stringContaining('canceling wait') };
  await expect(insert(driver, 'a')).rejects.toMatchObject(unclear);
  await expect(insert(driver, 'b')).rejects.toMatchObject(unclear);
  await expect(driver.read(async (sql) => await sql.all('SELECT a FROM t'))).rejects.toMatchObject(unclear);
  expect(await stored()).toEqual(['a']);
});

test('a read whose connection the server ends is a ledger that is not available, not a bug', async () => {
  const { place } = await driverScene();
  const driver = await openDriver(place);
  // The error is the answer, and comes before the end of the connection.
  const ended = driver.read(async (sql) => await sql.all('SELECT pg_terminate_backend(pg_backend_pid())'));
  await expect(ended).rejects.toMatchObject({ name: 'LedgerUnavailable', code: 'ledger/write-failed' });
});

test('a full disk is that of the server, and rights that are gone are no bug: neither refuses what the work was about', async () => {
  const { place } = await driverScene();
  const driver = await openDriver(place);
  const fails = (code: string) => `DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''${code}''; END'`;
  for (const code of ['42501', '42P01', '3F000', '25006', '57014']) {
    const refused = { code: 'ledger/write-failed', message: expect.stringContaining('The PostgreSQL server refuses') };
    await expect(driver.write(async (sql) => await sql.run(fails(code)))).rejects.toMatchObject(refused);
    await expect(driver.read(async (sql) => await sql.all(fails(code)))).rejects.toMatchObject(refused);
  }
  const full = driver.write(async (sql) => await sql.run(fails('53100')));
  await expect(full).rejects.toMatchObject({
    code: 'ledger/disk-full',
    message: expect.stringContaining('the disk of its PostgreSQL server'),
  });
  // Only what is under way may still end.
  await expect(insert(driver, 'new')).rejects.toMatchObject({ code: 'ledger/disk-full' });
  await driver.write(async (sql) => await sql.run(`INSERT INTO t VALUES ('ends')`), 'ends');
});

/** Three works in one commit, one of which fails, one that waits for its end, then a fifth in the next commit. */
async function night(place: PostgresPlace) {
  const driver = await openDriver(place);
  const waiting = Promise.withResolvers<void>();
  let isAsked = false;
  const fails = driver.write(async (sql) => {
    await sql.run('INSERT INTO t VALUES (?)', 'fails');
    if (!isAsked) insert(driver, 'waiting').then(() => waiting.resolve(), waiting.reject);
    isAsked = true;
    throw new Error('no');
  });
  const works = { a: insert(driver, 'a'), fails, b: insert(driver, 'b') };
  const before = await outcome(works);
  if (!isAsked) waiting.reject(new Error('never asked'));
  const late = await outcome({ waiting: waiting.promise });
  const first = { done: [...before.done, ...late.done], failed: [...before.failed, ...late.failed] };
  const second = await outcome({ c: insert(driver, 'c') });
  const seen = await driver
    .read(async (sql) => await sql.all('SELECT a FROM t'))
    .then(
      () => 'read',
      (error: { readonly code?: string }) => error.code,
    );
  await driver.close();
  return { first, second, seen };
}

const STEPS = new Set(['B', 'S']);

test.each<Exclude<Fate, 'passes'>>(['cut-before', 'answer-lost'])(
  'the connection is lost at each statement (%s)',
  async (fate) => {
    const { place, stored, settled, clear } = await driverScene();
    const unclear: string[] = [];
    let [at, steps, opened] = [0, 0, false];
    let lostAt: Message | undefined;
    const relay = await relayTo(place, (message) => {
      // From the first commit on; before it the server is only asked about itself (open.test.ts).
      opened ||= message.sql.startsWith('INSERT');
      if (!opened || !STEPS.has(message.type) || ++steps !== at) return 'passes';
      lostAt = message;
      return fate;
    });
    for (;;) {
      await clear();
      [at, steps, opened, lostAt] = [at + 1, 0, false, undefined];
      const { first, second, seen } = await night(relay);
      await settled();
      const [rows, confirmed] = [await stored(), [...first.done, ...second.done]];
      if (lostAt === undefined) {
        expect({ confirmed, seen }).toEqual({ confirmed: ['a', 'b', 'waiting', 'c'], seen: 'read' });
        break;
      }
      expect(
        confirmed.filter((name) => !rows.includes(name)),
        `confirmed, not stored: ${at}`,
      ).toEqual([]);
      expect(rows.includes('a'), `half of a commit: ${at}`).toBe(rows.includes('b'));
      expect(rows).not.toContain('fails');
      if (rows.length > confirmed.length) unclear.push((lostAt as Message).sql);
      // After a lost connection nothing more is confirmed: the server that answers next may be another one.
      if (first.failed.includes('ledger/write-failed')) {
        expect(second).toEqual({ done: [], failed: ['ledger/write-failed'] });
      }
    }
    expect(at).toBeGreaterThan(20);
    // Only a COMMIT can be stored without being confirmed; the program takes none of them for a success.
    expect(new Set(unclear)).toEqual(new Set(['COMMIT AND CHAIN']));
  },
);

test('the server ends a write in which a program stands still for half a lease, for the sake of others, and a read only after a lease', async () => {
  const { place } = await driverScene();
  const driver = await openDriver({ ...place, leaseMs: 30_000 });
  const allowed = async (sql: Statements) =>
    await sql.all("SELECT current_setting('idle_in_transaction_session_timeout') AS still");
  expect(await driver.read(allowed)).toEqual([{ still: '30s' }]);
  expect(await driver.write(allowed)).toEqual([{ still: '15s' }]);
});

test('a commit of many works ends at its time, the others are in the next ones, after what is urgent', async () => {
  const { place, stored } = await driverScene();
  let commits = 0;
  const driver = await openDriver(place, { mostMs: 0, seal: async () => 0, committed: () => commits++ });
  const steps: string[] = [];
  const add = (name: string, order?: 'first') =>
    driver.write(async (sql) => {
      if (name === 'a') urgent ??= add('renewal', 'first');
      steps.push(name);
      await sql.run('INSERT INTO t VALUES (?)', name);
    }, order);
  let urgent: Promise<void> | undefined;
  await Promise.all(['a', 'b', 'c'].map((name) => add(name)));
  await urgent;
  expect([steps, commits]).toEqual([['a', 'renewal', 'b', 'c'], 4]);
  // Each of them alone, after one that fails.
  const fails = driver.write(() => Promise.reject(new Error('no')));
  const works = { d: insert(driver, 'd'), fails, e: insert(driver, 'e') };
  expect(await outcome(works)).toEqual({ done: ['d', 'e'], failed: [undefined] });
  const last = [insert(driver, 'f'), insert(driver, 'g')];
  await driver.close();
  await Promise.all(last);
  expect(await stored()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'renewal']);
});
