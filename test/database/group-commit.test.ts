import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { groupCommit } from '../../src/database/group-commit.ts';
import { LedgerUnavailable } from '../../src/model/ledger-unavailable.ts';
import { temporaryFolder } from '../ledger/folder.ts';

function database(options: Partial<Parameters<typeof groupCommit>[1]> = {}) {
  const file = join(temporaryFolder(), 'test.sqlite');
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a TEXT PRIMARY KEY)');
  let commits = 0;
  const driver = groupCommit(db, { seal: () => 0, committed: () => commits++, makeRoom: () => false, ...options });
  const other = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => {
    if (db.isOpen) db.close();
    other.close();
  });
  const insert = (a: string) => driver.write(async (sql) => await sql.run('INSERT INTO t VALUES (?)', a));
  const durable = () =>
    other
      .prepare('SELECT a FROM t ORDER BY a')
      .all()
      .map(({ a }) => a as string);
  return { db, driver, insert, durable, commits: () => commits };
}

describe('group commit', () => {
  test('works that meet share a commit, and each resolves when it is durable', async () => {
    const { insert, durable, commits } = database();
    const seen: string[][] = [];
    const all = ['a', 'b', 'c'].map(async (a) => {
      await insert(a);
      seen.push(durable());
    });
    expect(durable()).toEqual([]);
    await Promise.all(all);
    expect(seen).toEqual(Array(3).fill(['a', 'b', 'c']));
    expect(commits()).toBe(1);
  });

  test('one that fails is undone alone, also what it did before it failed', async () => {
    const { driver, insert, durable } = database();
    const bad = driver.write(async (sql) => {
      await sql.run(`INSERT INTO t VALUES ('half')`);
      throw new Error('no');
    });
    const results = await Promise.allSettled([insert('a'), insert('a'), bad, insert('b')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(durable()).toEqual(['a', 'b']);
    await expect(insert('a')).rejects.toThrow('UNIQUE');
    await insert('c');
    expect(durable()).toEqual(['a', 'b', 'c']);
  });

  test('what works ask for at the end of their commit is run once, and not for one that fails', async () => {
    const { driver, durable, commits } = database();
    const statement = `INSERT INTO t SELECT ? || COUNT(*) FROM t`;
    const asking = (a: string, ...names: string[]) =>
      driver.write(async (sql) => {
        for (const name of names) sql.atEnd(statement, name);
        await sql.run('INSERT INTO t VALUES (?)', a);
      });
    await Promise.all([asking('a', 'x'), asking('b', 'x', 'y'), asking('c', 'y')]);
    expect(durable()).toEqual(['a', 'b', 'c', 'x3', 'y4']);
    const results = await Promise.allSettled([asking('d', 'p'), asking('d', 'p', 'q'), asking('e', 'r')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(durable()).toEqual(['a', 'b', 'c', 'd', 'e', 'p7', 'r8', 'x3', 'y4']);
    await asking('f');
    expect(durable()).toHaveLength(10);
    expect(commits()).toBe(3);
  });

  test('reads see no half of a group', async () => {
    const { driver, insert } = database();
    const count = () => driver.read(async (sql) => (await sql.all('SELECT COUNT(*) AS n FROM t'))[0]!.n);
    let counted: Promise<unknown> | undefined;
    const slow = driver.write(async (sql) => {
      await sql.run(`INSERT INTO t VALUES ('x')`);
      counted = count();
      await new Promise((resolve) => setTimeout(resolve, 20));
    });
    expect(await count()).toBe(0);
    await insert('y');
    await slow;
    expect(await counted).toBe(2);
  });

  test('a full disk: the reserve goes to the ends of what is under way, nothing new begins any more', async () => {
    let gaveUp = 0;
    const { db, driver, insert, durable } = database({
      makeRoom: () => {
        db.exec('PRAGMA max_page_count = 1000000');
        return gaveUp++ === 0;
      },
    });
    const { page_count: pages } = db.prepare('PRAGMA page_count').get()!;
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const big = 'x'.repeat(100_000);
    const end = (value: string) =>
      driver.write(async (sql) => void (await sql.run('INSERT INTO t VALUES (?)', value)), 'ends');
    const [begun, ended] = await Promise.allSettled([insert('a'), end(big)]);
    expect(begun).toMatchObject({ status: 'rejected', reason: { code: 'ledger/disk-full' } });
    expect([ended.status, gaveUp, durable()]).toEqual(['fulfilled', 1, [big]]);
    await expect(insert('b')).rejects.toMatchObject({ code: 'ledger/disk-full' });
    await end('c');
    expect(durable()).toEqual(['c', big]);
  });

  test('a full disk without a reserve: nothing of the group is stored, and an end is stored once there is room', async () => {
    const { db, driver, insert, durable } = database();
    const { page_count: pages } = db.prepare('PRAGMA page_count').get()!;
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const big = 'x'.repeat(100_000);
    const end = () => driver.write(async (sql) => void (await sql.run('INSERT INTO t VALUES (?)', big)), 'ends');
    const results = await Promise.allSettled([insert('a'), end()]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'ledger/disk-full' } });
      expect((result as PromiseRejectedResult).reason).toBeInstanceOf(LedgerUnavailable);
    }
    expect(durable()).toEqual([]);
    expect(await driver.read(async (sql) => (await sql.all('SELECT COUNT(*) AS n FROM t'))[0]!.n)).toBe(0);
    db.exec('PRAGMA max_page_count = 1000000');
    await end();
    expect(durable()).toEqual([big]);
  });

  test('a commit that fails fails all of its group', async () => {
    let fail = true;
    const { insert, durable } = database({
      seal: () => {
        if (fail) throw new Error('no commit');
        return 0;
      },
    });
    const results = await Promise.allSettled([insert('a'), insert('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((results[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'ledger/write-failed' });
    fail = false;
    await insert('a');
    expect(durable()).toEqual(['a']);
  });

  test('closing waits for what is queued', async () => {
    const { db, driver, insert, durable } = database();
    const inserted = insert('a');
    await driver.close();
    await inserted;
    expect(durable()).toEqual(['a']);
    expect(db.isOpen).toBe(false);
    await expect(insert('b')).rejects.toMatchObject({ code: 'ledger/write-failed' });
  });

  test('a write resolves after its own flush and all before it; a read after the flush of what it sees', async () => {
    const { flushes, told, counted, insert, count, turn } = flushing();
    void insert('a');
    await turn();
    void insert('b');
    await turn();
    void count();
    await turn();
    expect([flushes.length, told]).toEqual([2, []]);
    flushes[1]!.resolve();
    await turn();
    expect([told, counted]).toEqual([[], []]);
    flushes[0]!.resolve();
    await turn();
    expect([told, counted]).toEqual([
      ['a', 'b', 'read 2'],
      [1, 2],
    ]);
  });

  test('while three flushes are under way the next works gather', async () => {
    const { flushes, told, insert, turn, driver } = flushing();
    for (const a of ['a', 'b', 'c', 'd', 'e']) {
      void insert(a);
      await turn();
    }
    expect(flushes).toHaveLength(3);
    const closed = driver.close();
    flushes[0]!.resolve();
    await turn();
    expect([flushes.length, told]).toEqual([4, ['a']]);
    for (const { resolve } of flushes) resolve();
    await closed;
    expect(told).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a failed flush rejects its writes and all later ones', async () => {
    const { flushes, told, counted, insert, count, turn } = flushing();
    for (const a of ['a', 'b', 'c']) {
      void insert(a);
      await turn();
    }
    flushes[2]!.resolve();
    flushes[1]!.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    await turn();
    flushes[0]!.resolve();
    await turn();
    const no = 'The ledger cannot be written: EIO: i/o error, fdatasync';
    expect([told, counted]).toEqual([['a', no, no], [1]]);
    await insert('d');
    await count();
    expect(told.slice(3)).toEqual([no, no]);
    expect(flushes).toHaveLength(3);
  });
});

/** Flushes end when the test says so. */
function flushing() {
  const flushes: PromiseWithResolvers<void>[] = [];
  const told: string[] = [];
  const counted: number[] = [];
  let commits = 0;
  const { driver, insert } = database({
    seal: () => ++commits,
    committed: (count) => counted.push(count),
    flush: () => {
      flushes.push(Promise.withResolvers<void>());
      return flushes.at(-1)!.promise;
    },
  });
  const tell = (done: Promise<string>) =>
    done.catch((error: Error) => error.message).then((says) => void told.push(says));
  return {
    ...{ driver, flushes, told, counted },
    insert: (a: string) => tell(insert(a).then(() => a)),
    count: () => tell(driver.read(async (sql) => `read ${(await sql.all('SELECT COUNT(*) AS n FROM t'))[0]!.n}`)),
    turn: async () => {
      for (let n = 0; n < 4; n++) await new Promise(setImmediate);
    },
  };
}
