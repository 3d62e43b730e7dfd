/**
 * Events enter the chain of links in the order of their numbers, some of them with each link. Only the writer of receipts
 * extends the chain, so seals are made in its commits, and when no writer works.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import type { Link } from '../../model/chain-link.ts';
import { LedgerUnavailable } from '../../model/ledger-unavailable.ts';
import { pagesAfter } from '../../text/long-lists.ts';
import { beginSha256, sha256Hex } from '../../text/sha256.ts';
import { type LedgerContext, optional, readMetaValue, text } from '../contract/ledger-context.ts';
import type { ReceiptStore } from '../contract/receipt-store.ts';
import { type EventSeal, type RecordedEvent, sealLine } from '../contract/recorded-event.ts';
import { linkAnswers } from './answer-records.ts';
import { hasUnnumbered, numberEvents, WAITS_FOR_NUMBER } from './event-numbers.ts';
import { extendChain, readChainEnd } from './receipt-chain.ts';

/** The most events of one link: its lines are one value of about 150 KB. */
const AT_ONCE = 1000;
const PAGE = 1000;

/** The count is read in the same statement: events are counted and added in one commit. */
const STRAY = `SELECT * FROM event WHERE (n IS NULL AND NOT (${WAITS_FOR_NUMBER})) OR n < 1
  OR n > (SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'events') ORDER BY n, id LIMIT ${PAGE}`;

export function createEventSeals(context: LedgerContext) {
  const { read } = context;
  return {
    sealEvents: () => sealAll(context),
    eventCount: () => read(readCount),
    eventsBetween: (first, last) =>
      read(async (sql) =>
        (await sql.all('SELECT * FROM event WHERE n >= ? AND n <= ? ORDER BY n, id', first, last)).map(toRecordedEvent),
      ),
    strayEvents: () => read(async (sql) => (await sql.all(STRAY)).map(toRecordedEvent)),
    eventSeals: async function* () {
      const one = 'SELECT * FROM event_seal WHERE link > ? ORDER BY link LIMIT 1';
      const next = (last?: DatabaseRow) => read(async (sql) => sql.all(one, (last?.link ?? -1) as number));
      for await (const rows of pagesAfter(1, next)) yield* rows.map(toEventSeal);
    },
  } satisfies Partial<ReceiptStore>;
}

/**
 * Adds links until every event has one. A ledger that can no longer be written keeps events without link: the next
 * program that writes it adds the link.
 */
async function sealAll(context: LedgerContext): Promise<void> {
  if (!context.guard.send) return;
  // Another worker writes the chain.
  if (context.worker && context.worker.fenceOf('receipts') === undefined) return;
  try {
    if (await context.read(hasUnlinkedAnswers)) {
      await context.write((sql) => linkAnswers(sql, context), 'ends');
    }
    if (context.worker && (await context.read(hasUnnumbered))) await context.write(numberEvents, 'ends');
    if (!(await context.read(hasUnsealed))) return;
    while (await context.write((sql) => sealSome(sql, context), 'ends'));
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
  }
}

/** Adds a link once enough events wait for one, in the commit of the writer of receipts. */
export async function sealIfMany(sql: Statements, context: LedgerContext, run: string): Promise<void> {
  if (context.worker) await numberEvents(sql);
  const last = (await readLastSeal(sql))?.last_event as number | undefined;
  if ((await readCount(sql)) - (last ?? 0) >= AT_ONCE) await sealSome(sql, context, run);
}

/** One link; true if more events wait. */
async function sealSome(sql: Statements, context: LedgerContext, run = '-'): Promise<boolean> {
  const [upgraded] = await sql.all('SELECT * FROM event_seal WHERE link = 0');
  if (upgraded) await sealUpgraded(sql, context, { last: upgraded.last_event as number, run });
  const count = await readCount(sql);
  const after = ((await readLastSeal(sql))?.last_event as number | undefined) ?? 0;
  if (after >= count) return false;
  const last = Math.min(count, after + AT_ONCE);
  const rows = await sql.all('SELECT * FROM event WHERE n > ? AND n <= ? ORDER BY n, id', after, last);
  const lines = rows.map((row) => sealLine(toRecordedEvent(row))).join('');
  const hash = sha256Hex(lines);
  const n = await addLink(sql, context, { first: after + 1, last, state: 'recorded', sha256: hash, run });
  const insert = 'INSERT INTO event_seal (link, first_event, last_event, lines) VALUES (?, ?, ?, ?)';
  await sql.run(insert, n, after + 1, last, lines);
  return last < count;
}

/** All events from before events had links, under one link: after years they are millions, and their lines were not kept. */
async function sealUpgraded(
  sql: Statements,
  context: LedgerContext,
  { last, run }: { readonly last: number; readonly run: string },
): Promise<void> {
  const hash = beginSha256();
  for (let after = 0; after < last; after += PAGE) {
    const rows = await sql.all(
      'SELECT * FROM event WHERE n > ? AND n <= ? ORDER BY n, id',
      after,
      Math.min(last, after + PAGE),
    );
    for (const row of rows) hash.update(sealLine(toRecordedEvent(row)));
  }
  const n = await addLink(sql, context, { first: 1, last, state: 'upgraded', sha256: hash.digest('hex'), run });
  await sql.run('UPDATE event_seal SET link = ? WHERE link = 0', n);
}

type NewSeal = {
  readonly first: number;
  readonly last: number;
  readonly state: string;
  readonly sha256: string;
  readonly run: string;
};

/** Resolves to the number of the link. */
async function addLink(
  sql: Statements,
  context: LedgerContext,
  { first, last, state, sha256, run }: NewSeal,
): Promise<number> {
  const head = await readChainEnd(sql);
  const link: Link = {
    ...{ n: (head?.n ?? 0) + 1, what: 'event', id: `${first}-${last}`, revision: last - first + 1, state, attempts: 0 },
    ...{ sha256, run, at: context.now().toISOString() },
    ...(head && { previous: head.hash }),
  };
  await extendChain(sql, context, [link]);
  return link.n;
}

async function hasUnlinkedAnswers(sql: Statements): Promise<boolean> {
  const statement = `SELECT 1 FROM answer_file WHERE link IS NULL AND state IN ('written', 'taken') AND documents > 0 LIMIT 1`;
  return (await sql.all(statement)).length > 0;
}

async function hasUnsealed(sql: Statements): Promise<boolean> {
  const seal = await readLastSeal(sql);
  return seal?.link === 0 || (await readCount(sql)) > ((seal?.last_event as number | undefined) ?? 0);
}

async function readLastSeal(sql: Statements): Promise<DatabaseRow | undefined> {
  return (await sql.all('SELECT link, last_event FROM event_seal ORDER BY link DESC LIMIT 1'))[0];
}

async function readCount(sql: Statements): Promise<number> {
  return Number(await readMetaValue(sql, 'events'));
}

function toEventSeal(row: DatabaseRow): EventSeal {
  return {
    link: row.link as number,
    first: row.first_event as number,
    last: row.last_event as number,
    ...optional('lines', row.lines, String),
  };
}

function toRecordedEvent(row: DatabaseRow): RecordedEvent {
  const nullable = (column: string) => (row[column] ?? null) as string | null;
  return {
    n: row.n as number | null,
    id: text(row, 'id'),
    at: text(row, 'at'),
    what: text(row, 'what'),
    ...{ entry: nullable('entry'), file: nullable('file'), run: nullable('run'), person: nullable('person') },
    ...{ detail: nullable('detail'), detailSha256: nullable('detail_sha256') },
  };
}
