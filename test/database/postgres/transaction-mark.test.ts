/** Changes of workers that commit next to each other: a row that appears late is found, and none twice. */
import { expect, test } from 'vitest';
import type { PostgresPlace } from '../../../src/database/postgres/postgres-place.ts';
import { connectPostgres } from '../../../src/database/postgres/postgres-session.ts';
import { readMark } from '../../../src/database/postgres/transaction-mark.ts';
import { openPostgresChanges } from '../../../src/search/postgres-changes.ts';
import { temporarySchema } from './schema.ts';

/** A worker inside a transaction that has added an event; `commit` makes it visible. */
async function adding(place: PostgresPlace, ...entries: readonly string[]) {
  const session = await connectPostgres(place);
  await session.ask('BEGIN ISOLATION LEVEL SERIALIZABLE');
  const add = `INSERT INTO event (id, at, what, entry) VALUES (?, '', 'test', ?)`;
  await Promise.all(entries.map((entry) => session.ask(add, `event ${entry}`, entry)));
  return {
    end: async (how: 'COMMIT' | 'ROLLBACK') => {
      await session.ask(how);
      await session.end();
    },
  };
}

test('an event of a transaction that began first and committed last is neither left out nor repeated', async () => {
  const place = await temporarySchema();
  await using changes = openPostgresChanges(place);
  const { place: start } = await changes.since(undefined);
  const slow = await adding(place, 'slow');
  const lost = await adding(place, 'lost');
  await (await adding(place, 'fast')).end('COMMIT');
  const first = await changes.since(start);
  expect([first.documents, first.more]).toEqual([['fast'], false]);
  expect(await changes.since(first.place)).toEqual({ ...first, documents: [] });
  await lost.end('ROLLBACK');
  await slow.end('COMMIT');
  const second = await changes.since(first.place);
  expect(second.documents).toEqual(['slow']);
  await (await adding(place, 'next')).end('COMMIT');
  expect((await changes.since(second.place)).documents).toEqual(['next']);
  // Page by page from the start: all, in the order of their transactions.
  expect((await changes.next(start)).documents).toEqual(['slow', 'fast', 'next']);
  expect((await changes.next(first.place)).documents).toEqual(['slow', 'next']);
});

test('a place that is none, or of a server that counts further, is one of now', async () => {
  const place = await temporarySchema();
  await (await adding(place, 'before')).end('COMMIT');
  await using changes = openPostgresChanges(place);
  const now = await changes.since(undefined);
  for (const text of ['12.13', 'x', 'x1 OR 1=1', 'x999999999999999', `x5${'-1'.repeat(3000)}`]) {
    // Others work on this server: by the next look their transactions are over, and new ones are open.
    for (const { place, ...found } of [await changes.since(text), await changes.next(text)]) {
      expect(found, text).toMatchObject({ documents: [], more: false });
      expect(readMark(place)!.end, text).toBeGreaterThanOrEqual(readMark(now.place)!.end);
    }
  }
});

test('pages never part a transaction, and none is left out between them', async () => {
  const place = await temporarySchema();
  await using changes = openPostgresChanges(place);
  const { place: start } = await changes.since(undefined);
  const names = Array.from({ length: 5 }, (_, n) => Array.from({ length: 900 }, (__, m) => `${n}-${m}`));
  const late = await adding(place, ...names[0]!);
  for (const some of names.slice(1)) await (await adding(place, ...some)).end('COMMIT');
  await late.end('COMMIT');
  const found: string[] = [];
  for (let at = start, more = true; more; ) {
    const page = await changes.next(at);
    found.push(...page.documents);
    ({ place: at, more } = page);
  }
  expect(found.toSorted()).toEqual(names.flat().toSorted());
});

test('a look after a commit shows a change, and quiet none', async () => {
  const place = await temporarySchema();
  await using changes = openPostgresChanges(place);
  expect(await changes.hasChanged()).toBe(true);
  const one = await adding(place, 'one');
  await changes.hasChanged();
  await one.end('COMMIT');
  expect(await changes.hasChanged()).toBe(true);
});
