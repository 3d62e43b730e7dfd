/** Entries as people and receipts read them: joined from their rows, found by selectors, a page at a time. */

import type { DatabaseRow, DatabaseValue, Statements } from '../../database/database-driver.ts';
import { wholeKey } from '../../database/identity-index.ts';
import { hasCause, readCause, workOf } from '../../model/cause.ts';
import { definedItems } from '../../model/defined-only.ts';
import { readStoredFaults } from '../../model/fault.ts';
import type { Corrected, GivenNumber, LedgerEntry, NotFound, Selector, SourceFile } from '../../model/ledger-entry.ts';
import { readStoredHold } from '../../model/recorded-words.ts';
import type { Folder, State } from '../../model/state.ts';
import { appendAll, pagesAfter } from '../../text/long-lists.ts';
import {
  AFTER_PAGE,
  type LedgerContext,
  optional,
  pagesByRow,
  parseLearned,
  selectByIds,
  text,
} from '../contract/ledger-context.ts';
import type { LedgerCounts, QueryStore } from '../contract/query-store.ts';
import { attemptUnderWay, selectAttempts } from './attempts.ts';
import { selectNotFound } from './not-found.ts';
import { selectNumbers } from './number-sequences.ts';
import {
  type Condition,
  filterCondition,
  IS_OPEN,
  isExact,
  selectIdsOfSourceNumber,
  selectorConditions,
} from './selector.ts';
import { filesOfRows } from './source-files.ts';

const PAGE = 200;
/** Ids of one page of a run. */
const MANY = 20_000;

const FROM = 'FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision';
/** Each column by name, because each column costs time, also if it is not used. */
export const COLUMNS = `e.id, e.revision, e.service, e.class, e.state, e.since, e.name, e.answer, e.first, e.due_at, e.consult_at,
  e.evidence, e.closed, e.closed_since, e.hold, e.receiver, e.purged, e.receipt_due, e.receipt_folder,
  e.receipt_day, e.receipt_link, e.submits, e.consults, e.resolves, e.request_id, e.begun_at, e.begun_run, r.file, r.first_row,
  r.source_rows, r.kind, r.content_sha256, r.facts, r.faults, r.digest, r.keys, o.name AS first_name,
  k.previous AS link_previous`;
export const RELATED = 'LEFT JOIN entry o ON o.id = e.first LEFT JOIN receipt_link k ON k.n = e.receipt_link';
export const JOINED = `${FROM} ${RELATED}`;
const SELECT = `SELECT ${COLUMNS} ${JOINED}`;
/**
 * A revision that is no longer the latest of its entry, and the file of the one that is; none that counts again. A replaced ledger may
 * have two of one file.
 */
const CORRECTED = `SELECT r.entry, r.first_row, r.source_rows, r.facts, f.id AS later_id, f.name AS later_name
  FROM revision r JOIN entry e ON e.id = r.entry AND r.revision < e.revision
  JOIN revision l ON l.entry = e.id AND l.revision = e.revision JOIN source_file f ON f.id = l.file
  WHERE NOT (l.file = r.file AND l.first_row = r.first_row) AND NOT EXISTS (SELECT 1 FROM revision o WHERE o.entry = r.entry
  AND o.revision > r.revision AND o.revision < e.revision AND o.file = r.file AND o.first_row = r.first_row) AND ${AFTER_PAGE}
  ORDER BY r.first_row, r.entry LIMIT ${PAGE}`;

export function createEntryQueries(context: LedgerContext) {
  const { read } = context;
  return {
    entriesOf: (fileId) => selectEntriesOfFile(context, fileId),
    correctedOf: (fileId) => selectCorrectedOfFile(context, fileId),
    entriesByFile: (files) => read((sql) => selectEntriesByFile(sql, files)),
    find: (selector) => findEntries(context, selector),
    entriesById: (ids) => read((sql) => selectEntriesById(sql, ids)),
    outcomesById: (ids) => read((sql) => selectEntriesById(sql, ids, 'without-attempts')),
    idsOfSourceNumber: (number) => read((sql) => selectIdsOfSourceNumber(sql, number)),
    counts: (selector = {}) => countStates(context, selector),
    contentOf: (id) =>
      read(async (sql) => {
        const [row] = await sql.all(`SELECT r.content ${FROM} WHERE e.id = ?`, id);
        return (row?.content ?? undefined) as string | undefined;
      }),
  } satisfies Partial<QueryStore>;
}

async function* selectEntriesOfFile(context: LedgerContext, file: string): AsyncIterable<LedgerEntry> {
  const page = `${SELECT} WHERE ${AFTER_PAGE} ORDER BY r.first_row, r.entry LIMIT ${PAGE}`;
  const select = (after: readonly DatabaseValue[]) => context.read(async (sql) => sql.all(page, file, ...after));
  for await (const rows of pagesByRow(PAGE, select, 'id')) yield* await context.read((sql) => assemble(sql, rows));
}

async function selectEntriesByFile(
  sql: Statements,
  files: readonly string[],
): Promise<ReadonlyMap<string, readonly (LedgerEntry | Corrected)[]>> {
  const rows: DatabaseRow[] = [];
  const corrected = new Map<string, readonly Corrected[]>();
  for (const file of files) {
    appendAll(rows, await sql.all(`${SELECT} WHERE r.file = ? ORDER BY r.first_row, r.entry`, file));
    const found: Corrected[] = [];
    for await (const page of pagesByRow(PAGE, (after) => sql.all(CORRECTED, file, ...after))) {
      appendAll(found, page.map(toCorrected));
    }
    corrected.set(file, found);
  }
  const entries = Map.groupBy(await assemble(sql, rows, 'without-answers'), ({ file }) => file.id);
  return new Map(files.map((file) => [file, [...(entries.get(file) ?? []), ...(corrected.get(file) ?? [])]]));
}

function toCorrected(row: DatabaseRow): Corrected {
  const { identifier } = JSON.parse(text(row, 'facts')) as LedgerEntry['facts'];
  const correctedBy = { id: text(row, 'later_id'), name: text(row, 'later_name') };
  return { correctedBy, identifier, rows: JSON.parse(text(row, 'source_rows')) as number[] };
}

async function* selectCorrectedOfFile(context: LedgerContext, file: string): AsyncIterable<Corrected> {
  const select = (after: readonly DatabaseValue[]) => context.read(async (sql) => sql.all(CORRECTED, file, ...after));
  for await (const rows of pagesByRow(PAGE, select)) yield* rows.map(toCorrected);
}

async function selectEntriesById(
  sql: Statements,
  ids: readonly string[],
  attempts?: 'without-attempts',
): Promise<readonly LedgerEntry[]> {
  const rows = await selectByIds(sql, ids, (places) => `${SELECT} WHERE e.state <> 'staged' AND e.id IN (${places})`);
  const entries = new Map((await assemble(sql, rows, attempts)).map((entry) => [entry.id, entry]));
  return definedItems(ids.map((id) => entries.get(id)));
}

async function* findEntries(context: LedgerContext, selector: Selector): AsyncIterable<LedgerEntry> {
  const { limit = Number.POSITIVE_INFINITY } = selector;
  const cause = selector.cause === undefined ? undefined : readCause(selector.cause);
  const seen = new Set<string>();
  const under = selector.run === undefined ? entriesUnder : entriesOfRunUnder;
  for (const condition of await context.read((sql) => selectorConditions(sql, selector))) {
    for await (const entry of under(context, condition)) {
      if (seen.size >= limit) return;
      if (seen.has(entry.id) || (cause && !hasCause(workOf(entry), cause))) continue;
      seen.add(entry.id);
      yield entry;
    }
  }
}

async function* entriesUnder({ read }: LedgerContext, { where, values }: Condition): AsyncIterable<LedgerEntry> {
  const statement = `${SELECT} WHERE ${where} AND e.id > ? ORDER BY e.id LIMIT ${PAGE}`;
  const next = (last?: LedgerEntry) =>
    read(async (sql) => await assemble(sql, await sql.all(statement, ...values, last?.id ?? '')));
  for await (const page of pagesAfter(PAGE, next)) yield* page;
}

/** Their state may be a later one than the condition asks for: `find` is no promise about the next moment either. */
async function* entriesOfRunUnder(context: LedgerContext, condition: Condition): AsyncIterable<LedgerEntry> {
  for await (const ids of idPagesUnder(context, condition))
    yield* await context.read((sql) => selectEntriesById(sql, ids));
}

/** Pages of ids. A condition that begins with the documents of a run costs the whole run each time, so many come at once. */
async function* idPagesUnder({ read }: LedgerContext, { where, values }: Condition): AsyncIterable<readonly string[]> {
  const from = /\br\./.test(where) ? FROM : 'FROM entry e';
  const statement = `SELECT e.id ${from} WHERE ${where} AND e.id > ? ORDER BY e.id LIMIT ${MANY}`;
  const next = async (after = '') =>
    (await read(async (sql) => sql.all(statement, ...values, after))).map((row) => text(row, 'id'));
  for await (const ids of pagesAfter(MANY, next))
    for (let at = 0; at < ids.length; at += PAGE) yield ids.slice(at, at + PAGE);
}

async function countStates(context: LedgerContext, selector: Selector): Promise<LedgerCounts> {
  const counted: { [state in State]?: number } = {};
  if (selector.ids || selector.limit !== undefined || !isExact(selector)) {
    for await (const { state } of findEntries(context, selector)) counted[state] = (counted[state] ?? 0) + 1;
    return counted;
  }
  const isAll = Object.values(selector).every((value) => value === undefined);
  if (isAll) return await countAll(context);
  const { where, values } = filterCondition(selector);
  // The revisions, with the contents in them, are several times the size of the entries.
  const from = /\br\./.test(where) ? FROM : 'FROM entry e';
  const grouped = `SELECT e.state, COUNT(*) AS count ${from} WHERE ${where} GROUP BY e.state`;
  for (const row of await context.read(async (sql) => sql.all(grouped, ...values))) {
    counted[text(row, 'state') as State] = row.count as number;
  }
  return counted;
}

/**
 * In one statement, so as of one instant: a run may write in between. Documents that are authorized are all others, counted
 * from the smallest index; every staged entry has a row in `staged`.
 */
const COUNT_ALL = `WITH part AS (
  SELECT e.state AS state, COUNT(*) AS count FROM entry e WHERE ${IS_OPEN} GROUP BY e.state
  UNION ALL SELECT 'ready', COUNT(*) FROM entry WHERE state = 'ready'
  UNION ALL SELECT 'sending', COUNT(*) FROM entry WHERE state = 'sending'
  UNION ALL SELECT 'staged', COUNT(*) FROM staged s CROSS JOIN entry e ON e.id = s.entry WHERE e.state = 'staged')
  SELECT state, count FROM part UNION ALL
  SELECT 'authorized', (SELECT COUNT(*) FROM entry) - (SELECT SUM(count) FROM part)`;

async function countAll({ read }: LedgerContext): Promise<LedgerCounts> {
  const counted: { [state in State]?: number } = {};
  for (const { state, count } of await read(async (sql) => sql.all(COUNT_ALL))) {
    if (state !== 'staged' && count !== 0) counted[state as State] = count as number;
  }
  return counted;
}

export async function assemble(
  sql: Statements,
  rows: readonly DatabaseRow[],
  answers: Parameters<typeof selectAttempts>[2] | 'without-attempts' = 'with-answers',
): Promise<readonly LedgerEntry[]> {
  // Sent together, where the engine is a server.
  const [files, former, numbers, attempts, notFound] = await Promise.all([
    filesOfRows(sql, rows),
    selectFormerKeys(sql, rows),
    selectNumbers(sql, rows),
    answers === 'without-attempts' ? NO_ATTEMPTS : attemptsOfRows(sql, rows, answers),
    selectNotFound(
      sql,
      rows.filter(({ consults }) => consults !== 0).map((row) => text(row, 'id')),
    ),
  ]);
  return rows.map((row) => {
    const [id, fileId] = [text(row, 'id'), text(row, 'file')];
    const file = files.get(fileId);
    if (!file) throw new Error(`no source file ${fileId} in the ledger`);
    const begun = attemptUnderWay(row) ?? [];
    const known = {
      attempts: (attempts.get(id) ?? []).concat(begun),
      former: former.get(id),
      numbers: numbers.get(id),
      notFound: notFound.get(id),
    };
    return toLedgerEntry(row, file, known);
  });
}

const NO_ATTEMPTS: ReadonlyMap<string, LedgerEntry['attempts']> = new Map();

async function attemptsOfRows(
  sql: Statements,
  rows: readonly DatabaseRow[],
  answers: Parameters<typeof selectAttempts>[2],
) {
  const tried = rows.filter((row) => (row.submits as number) + (row.consults as number) + (row.resolves as number) > 0);
  const ids = tried.map((row) => text(row, 'id'));
  return await selectAttempts(sql, ids, answers);
}

/** Identities of entries that are not those of their latest revision: a single revision has no others. */
async function selectFormerKeys(
  sql: Statements,
  rows: readonly DatabaseRow[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const corrected = rows.filter(({ revision }) => revision !== 1);
  const ids = corrected.map((row) => text(row, 'id'));
  const all = await selectByIds(
    sql,
    ids,
    (places) => `SELECT entry, key, whole FROM identity WHERE entry IN (${places}) ORDER BY entry, key`,
  );
  const keys = Map.groupBy(all, (row) => text(row, 'entry'));
  const former = corrected.map((row) => {
    const now = new Set(keysOf(row));
    const others = (keys.get(text(row, 'id')) ?? []).map(wholeKey).filter((key) => !now.has(key));
    return [text(row, 'id'), others] as const;
  });
  return new Map(former.filter(([, others]) => others.length > 0));
}

function keysOf({ keys }: DatabaseRow): readonly string[] {
  return JSON.parse((keys as string | null) ?? '[]');
}

type Known = Pick<LedgerEntry, 'attempts'> & {
  readonly former: readonly string[] | undefined;
  readonly numbers: readonly GivenNumber[] | undefined;
  readonly notFound: NotFound | undefined;
};

function toLedgerEntry(
  row: DatabaseRow,
  file: SourceFile,
  { attempts, former, numbers, notFound }: Known,
): LedgerEntry {
  const dueAt = row.state === 'ready' ? row.due_at : row.consult_at;
  return {
    id: text(row, 'id'),
    revision: row.revision as number,
    kind: text(row, 'kind'),
    service: text(row, 'service'),
    class: text(row, 'class'),
    state: text(row, 'state') as State,
    since: iso(row.since),
    facts: JSON.parse(text(row, 'facts')),
    name: text(row, 'name'),
    file,
    rows: JSON.parse(text(row, 'source_rows')),
    ...optional('contentSha256', row.content_sha256, String),
    faults: readStoredFaults(text(row, 'faults')),
    attempts,
    ...optional('answer', row.answer, parseLearned),
    ...optional('first', row.first, (id) => ({ id, name: text(row, 'first_name') })),
    ...(row.source_rows === '[]' && { formerRow: row.first_row as number }),
    ...(Boolean(dueAt) && { dueAt: iso(dueAt) }),
    ...(notFound && { notFound }),
    ...optional('evidence', row.evidence, parseLearned),
    ...(row.closed_since === row.since && optional('closed', row.closed, JSON.parse)),
    ...optional('hold', row.hold, readStoredHold),
    ...((row.receipt_due !== 0 || row.state === 'sending') && { receiptDue: true as const }),
    identity: toIdentity(row, { former, numbers }),
    ...optional('purged', row.purged, JSON.parse),
    ...optional('receipt', row.receipt_folder, (folder) => toReceipt(row, folder as Folder)),
  };
}

function toIdentity(row: DatabaseRow, { former, numbers }: Pick<Known, 'former' | 'numbers'>): LedgerEntry['identity'] {
  return {
    keys: keysOf(row),
    digest: text(row, 'digest'),
    ...optional('receiver', row.receiver, String),
    ...(former && { former }),
    ...(numbers && { numbers }),
  };
}

/** The link, only if the receipt has all that the ledger knows. */
function toReceipt(row: DatabaseRow, folder: Folder): NonNullable<LedgerEntry['receipt']> {
  const day = text(row, 'receipt_day');
  if (row.receipt_due !== 0 || row.receipt_link === null) return { folder, day };
  const link = { n: row.receipt_link as number, ...optional('previous', row.link_previous, String) };
  return { folder, day, link };
}

function iso(ms: DatabaseValue | undefined): string {
  return new Date(ms as number).toISOString();
}
