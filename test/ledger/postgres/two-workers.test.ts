/**
 * Two programs on one ledger, with forced interleavings: one is stopped between two statements of its transaction, the other
 * one works and commits, the first one goes on. Left to chance, none of these races shows.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { Driver, Statements } from '../../../src/database/database-driver.ts';
import { BusyIdentityError } from '../../../src/ledger/contract/busy-identity.ts';
import type { Ledger } from '../../../src/ledger/contract/ledger.ts';
import { createSqlLedger } from '../../../src/ledger/sql-ledger.ts';
import { Numbering } from '../../../src/model/draft.ts';
import { expire, joined } from '../../contracts/ledger-workers.ts';
import { openDriver, temporarySchema } from '../../database/postgres/schema.ts';
import { admit, all, INTENT } from '../acts.ts';
import { ADMITTED, clock, newFile, nextLink, receiptOf, valid } from '../make.ts';

type Stopped = { readonly driver: Driver; readonly reached: Promise<void>; readonly goOn: () => void };

/** Waits before the first statement that matches `at`, or with `end` after the last one, until `goOn` is called. */
function stopping(driver: Driver, at: RegExp | 'end'): Stopped {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // A test that fails before must not keep the driver from closing.
  onTestFinished(() => gate.resolve());
  let isOver = false;
  const stop = async () => {
    if (isOver) return;
    isOver = true;
    reached.resolve();
    await gate.promise;
  };
  const through = (sql: Statements): Statements => {
    const before = async (text: string) => {
      if (at !== 'end' && at.test(text)) await stop();
    };
    return {
      all: async (text, ...values) => {
        await before(text);
        return await sql.all(text, ...values);
      },
      run: async (text, ...values) => {
        await before(text);
        return await sql.run(text, ...values);
      },
      atEnd: sql.atEnd,
    };
  };
  const write: Driver['write'] = (work, ends) =>
    driver.write(async (sql) => {
      const result = await work(through(sql));
      if (at === 'end') await stop();
      return result;
    }, ends);
  return { driver: { ...driver, write }, reached: reached.promise, goOn: gate.resolve };
}

async function ledgerOn(driver: Driver): Promise<Ledger> {
  return await createSqlLedger({ driver, guard: { send: true }, now: clock().now });
}

async function codeOf(act: Promise<unknown>): Promise<unknown> {
  return await act.then(
    () => 'done',
    ({ code }) => code,
  );
}

/** Two ledgers on one database; the first one stops there. */
async function two(at: RegExp | 'end', before: (ledger: Ledger) => Promise<unknown> = async () => {}) {
  const place = await temporarySchema();
  const plain = await ledgerOn(await openDriver(place));
  await before(plain);
  const first = stopping(await openDriver(place), at);
  return { first: await ledgerOn(first.driver), other: await ledgerOn(await openDriver(place)), ...first };
}

test('one document: it is begun once', async () => {
  const { first, other, reached, goOn } = await two(/^UPDATE entry AS e SET state = 'sending'/, (ledger) =>
    admit(ledger, [valid()]),
  );
  const [due] = await other.submissions.due('fr', Date.now(), 1);
  const slow = first.submissions.begin(due!, INTENT);
  await reached;
  expect(await other.submissions.begin(due!, { ...INTENT, requestId: 'request-2' })).toMatchObject({ n: 1 });
  goOn();
  expect(await slow).toBeUndefined();
  expect(await other.queries.counts()).toEqual({ sending: 1 });
});

test('two files with one document: the second one waits, and is a duplicate then', async () => {
  const { first, other, reached, goOn } = await two(/^INSERT INTO entry/);
  const [mine, theirs] = [await first.intake.openFile(newFile()), await other.intake.openFile(newFile())];
  const slow = first.intake.stage(mine.id, [valid()]).then(
    () => undefined,
    (error: unknown) => error,
  );
  await reached;
  await other.intake.stage(theirs.id, [valid()]);
  goOn();
  const error = await slow;
  expect(error).toBeInstanceOf(BusyIdentityError);
  expect((error as BusyIdentityError).file).toBe(theirs.id);
  await other.intake.admit(theirs.id, ADMITTED);
  await first.intake.stage(mine.id, [valid()]);
  await first.intake.admit(mine.id, ADMITTED);
  expect(await other.queries.counts()).toEqual({ ready: 1, duplicate: 1 });
});

test('two documents for one sequence: a number is given once', async () => {
  const { first, other, reached, goOn } = await two(/^(INSERT INTO|UPDATE) (sequence|numbering)/);
  const token = new Numbering('note', ['till-1'], 'text');
  const note = (id: string) => {
    const content = JSON.stringify({ n: token, id });
    return valid({ numbering: token, keys: [id], identifier: `S-${token.toJSON()}`, content });
  };
  const [mine, theirs] = [await first.intake.openFile(newFile()), await other.intake.openFile(newFile())];
  const slow = first.intake.stage(mine.id, [note('a')]);
  await reached;
  await other.intake.stage(theirs.id, [note('b')]);
  goOn();
  await slow;
  await Promise.all([first.intake.admit(mine.id, ADMITTED), other.intake.admit(theirs.id, ADMITTED)]);
  const entries = await all(other.queries.find({}));
  expect(entries.map(({ facts }) => facts.identifier).sort()).toEqual(['S-1', 'S-2']);
});

test('two links of the chain: one has the number, the other one is refused', async () => {
  const { first, other, reached, goOn } = await two(/^INSERT INTO receipt_link/, (ledger) => admit(ledger, [valid()]));
  const [entry] = await all(other.queries.find({}));
  const link = await nextLink(other, entry!.id);
  const receipt = { ...receiptOf(entry!), link };
  const slow = first.receipts.recordReceipts([receipt]).then(
    () => 'recorded',
    (error: Error) => error.message,
  );
  await reached;
  await other.receipts.recordReceipts([receipt]);
  goOn();
  expect(await slow).toMatch(/does not follow/);
  expect((await all(other.receipts.links())).filter(({ n }) => n === link.n)).toHaveLength(1);
});

test('a claim that arrives after its worker was found dead opens no file', async () => {
  const place = await temporarySchema();
  const slow = stopping(await openDriver(place), /^UPDATE worker SET until = until/);
  const [one, other] = [await joined(slow.driver), await joined(await openDriver(place))];
  const opened = codeOf(one.ledger.intake.openFile(newFile()));
  await slow.reached;
  await expire(other.driver, one.id);
  await other.ledger.roles!.sweep();
  slow.goOn();
  expect(await opened).toBe('ledger/lease-lost');
  expect(await other.ledger.intake.openFiles()).toEqual([]);
});

test('a refusal that stood still drops nothing of what the next worker has read of the file', async () => {
  const place = await temporarySchema();
  const slow = stopping(await openDriver(place), /^SELECT (?:entry FROM staged|worker FROM source_file)/);
  const [one, other] = [await joined(slow.driver), await joined(await openDriver(place))];
  const file = await one.ledger.intake.openFile(newFile());
  const refused = codeOf(one.ledger.intake.refuseFile(file.id, { rows: 0, leftOut: [], faults: [] }));
  await slow.reached;
  await expire(other.driver, one.id);
  await other.ledger.roles!.sweep();
  await other.ledger.roles!.adoptFiles();
  await other.ledger.intake.stage(file.id, [valid()]);
  slow.goOn();
  expect(await refused).toBe('ledger/lease-lost');
  await other.ledger.intake.admit(file.id, ADMITTED);
  expect(await other.ledger.queries.counts()).toEqual({ ready: 1 });
});

test('the role is taken over while its worker stands still before the intent: nothing is begun', async () => {
  const place = await temporarySchema();
  const slow = stopping(await openDriver(place), /^UPDATE entry AS e SET state = 'sending'/);
  const [one, other] = [await joined(slow.driver), await joined(await openDriver(place))];
  await one.ledger.roles!.takeRoles(['send fr']);
  await admit(other.ledger, [valid()]);
  const [due] = await other.ledger.submissions.due('fr', Date.now(), 1);
  const begun = codeOf(one.ledger.submissions.begin(due!, INTENT));
  await slow.reached;
  await expire(other.driver, one.id);
  await other.ledger.roles!.sweep();
  expect(await other.ledger.roles!.takeRoles(['send fr'])).toEqual(['send fr']);
  slow.goOn();
  expect(await begun).toBe('ledger/lease-lost');
  expect(await other.ledger.submissions.begin(due!, INTENT)).toMatchObject({ n: 1 });
});

test('the role is taken over while the commit of an intent stands still: nothing is begun', async () => {
  const place = await temporarySchema();
  const driver = await openDriver(place);
  const [one, other] = [await joined(driver), await joined(await openDriver(place))];
  await one.ledger.roles!.takeRoles(['send fr']);
  await admit(other.ledger, [valid()]);
  const [due] = await other.ledger.submissions.due('fr', Date.now(), 1);
  // A second work of the same commit: the statements of the first one have seen the role.
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  onTestFinished(() => gate.resolve());
  const begun = codeOf(one.ledger.submissions.begin(due!, INTENT));
  const second = codeOf(
    driver.write(async () => {
      reached.resolve();
      await gate.promise;
    }),
  );
  await reached.promise;
  await expire(other.driver, one.id);
  await other.ledger.roles!.sweep();
  expect(await other.ledger.submissions.interruptedSubmissions()).toEqual([]);
  expect(await other.ledger.roles!.takeRoles(['send fr'])).toEqual(['send fr']);
  gate.resolve();
  expect(await begun).toBe('ledger/lease-lost');
  await second;
  expect(await other.ledger.submissions.begin(due!, INTENT)).toMatchObject({ n: 1 });
});

test('three workers begin four hundred documents: each of them once', async () => {
  const place = await temporarySchema();
  const ledgers = await Promise.all([1, 2, 3].map(async () => await ledgerOn(await openDriver(place))));
  const documents = Array.from({ length: 400 }, (_, n) => valid({ number: `F-${n}` }));
  await admit(ledgers[0]!, documents);
  const due = await ledgers[0]!.submissions.due('fr', Number.MAX_SAFE_INTEGER, 400);
  const begun = await Promise.all(
    ledgers.map(async (ledger) => {
      const own: string[] = [];
      // A page at a time, as the line does it.
      for (let from = 0; from < due.length; from += 20) {
        const page = await Promise.all(due.slice(from, from + 20).map((one) => ledger.submissions.begin(one, INTENT)));
        own.push(...page.flatMap((one) => (one ? [one.due.id] : [])));
      }
      return own;
    }),
  );
  expect(begun.flat().sort()).toEqual(due.map(({ id }) => id).sort());
});
