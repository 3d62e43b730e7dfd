/**
 * Documents as a morning report counts them: of each the few columns that are in a sum, and of its attempts the longest answer
 * alone; and those of a night, as its exports have them. A window or a run in, pages of documents out. Reads only.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { NOT_PASSED, type SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { State } from '../../model/state.ts';
import { pagesAfter } from '../../text/long-lists.ts';
import { type LedgerContext, optional, parseLearned, selectByIds, text } from '../contract/ledger-context.ts';
import type { RunDocument } from '../contract/query-store.ts';
import type { DocumentOfNight, NightDocument, ReportWindow } from '../contract/report-store.ts';
import { READ_IN_NIGHT } from './selector.ts';
import { filesOfRows } from './source-files.ts';

const PAGE = 250;

/** What the last receipt before the window shows of the document. */
const SEEN = 'SELECT l.n FROM receipt_link l WHERE l.id = e.id AND l.n <= ? ORDER BY l.n DESC LIMIT 1';
/** Attempts that a receipt of before the window does not have. */
const IN_WINDOW = `a.ordinal >= COALESCE((SELECT s.attempts FROM receipt_link s WHERE s.n = (${SEEN})), 0)`;
/** A receipt of before the window has it as it is now: it was only written once more. */
const AS_BEFORE = `EXISTS (SELECT 1 FROM receipt_link s WHERE s.n = (${SEEN}) AND s.revision = e.revision AND s.state = e.state)
  AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.entry = e.id AND a.act <> 'consult' AND ${IN_WINDOW})`;
/**
 * The time is a text in `attempt`, and epoch milliseconds in `entry`. A time of a clock that was ahead is later than that of this
 * report: the chain says what was there before it.
 */
const SELECT = `SELECT e.id, e.state, e.class, e.since, e.evidence, e.closed, e.closed_since, e.begun_at, e.begun_run,
  r.file, r.facts, CASE WHEN instr(r.faults, '"level":"warning"') > 0 THEN 1 ELSE 0 END AS warned,
  (SELECT MAX(a.ms) FROM attempt a WHERE a.entry = e.id AND a.at >= ? AND ${IN_WINDOW}) AS longest
  FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  WHERE e.state <> 'staged' AND e.since >= ? AND ((SELECT f.run FROM source_file f WHERE f.id = r.file) = ?
    OR ((e.receipt_link > ? OR ((e.receipt_link IS NULL OR e.receipt_due > 0) AND e.since <= ?)) AND NOT (${AS_BEFORE})))
  AND e.id > ? ORDER BY e.id LIMIT ${PAGE}`;

export async function* selectNightDocuments(
  { read }: LedgerContext,
  { run, isWhole, since, after: link, until }: ReportWindow,
): AsyncIterable<readonly NightDocument[]> {
  const window = [since, link, Date.parse(since), isWhole ? run : '', link, until.getTime(), link, link] as const;
  for (let after = ''; ; ) {
    const { page, last } = await read(async (sql) => {
      const rows = await sql.all(SELECT, ...window, after);
      return { page: await documentsOf(sql, rows, run), last: rows.at(-1) };
    });
    if (page.length > 0) yield page;
    if (!last || page.length < PAGE) return;
    after = text(last, 'id');
  }
}

async function documentsOf(
  sql: Statements,
  rows: readonly DatabaseRow[],
  run: string,
): Promise<readonly NightDocument[]> {
  const files = await filesOfRows(sql, rows);
  const fileOf = (row: DatabaseRow) => must(files.get(text(row, 'file')), 'the file of a document');
  const earlier = rows.filter((row) => fileOf(row).run !== run);
  const acts = await actsOf(sql, earlier, run);
  return rows.map((row) => toDocument(row, fileOf(row), acts.get(text(row, 'id')) ?? NONE));
}

type Acts = NightDocument['acts'];
const NONE: Acts = new Set();

/** What the run tried with these documents, the submission that is under way too. */
async function actsOf(sql: Statements, rows: readonly DatabaseRow[], run: string): Promise<ReadonlyMap<string, Acts>> {
  const ids = rows.map((row) => text(row, 'id'));
  const tried = await selectByIds(
    sql,
    ids,
    (places) => `SELECT entry, act, run FROM attempt WHERE entry IN (${places})`,
  );
  const begun = rows.map(({ id, begun_at, begun_run }) => {
    return { entry: id, act: 'submit', run: begun_at === null ? null : begun_run };
  });
  const own = [...tried, ...begun].filter((one) => one.run === run);
  const byEntry = Map.groupBy(own, ({ entry }) => String(entry));
  return new Map([...byEntry].map(([id, some]) => [id, new Set(some.map(({ act }) => act)) as Acts]));
}

function toDocument(row: DatabaseRow, file: SourceFile, acts: Acts): NightDocument {
  const document = inSums(row);
  return {
    ...document,
    file,
    warned: row.warned === 1 && !NOT_PASSED.includes(document.state),
    longestMs: (row.longest as number | null) ?? 0,
    acts,
  };
}

function inSums(row: DatabaseRow): RunDocument {
  return {
    state: text(row, 'state') as State,
    class: text(row, 'class'),
    facts: JSON.parse(text(row, 'facts')),
    ...optional('evidence', row.evidence, parseLearned),
    ...(row.closed_since === row.since && optional('closed', row.closed, JSON.parse)),
  };
}

/** Ids of one page: the exports of a night are gathered again for each. */
const MANY = 20_000;
const IDS_OF_NIGHT = `SELECT DISTINCT x.entry AS id FROM (${READ_IN_NIGHT}) g CROSS JOIN revision x ON x.file = g.id
  WHERE x.entry > ? ORDER BY id LIMIT ${MANY}`;

/** Each document that an export of the night of a run has, once, with the last revision that the night read. */
export async function* selectNight({ read }: LedgerContext, run: string): AsyncIterable<readonly DocumentOfNight[]> {
  const ofNight = [run, run, run, run];
  const readings = await read(async (sql) => await sql.all(READ_IN_NIGHT, ...ofNight));
  const files = new Set(readings.map(({ id }) => id));
  const revisions = (places: string) => `SELECT e.id, e.state, e.class, e.since, e.evidence, e.closed, e.closed_since,
    e.revision AS latest, r.revision, r.file, r.facts, r.digest FROM entry e JOIN revision r ON r.entry = e.id
    WHERE e.state <> 'staged' AND e.id IN (${places}) ORDER BY r.revision`;
  const next = async (after = '') =>
    (await read(async (sql) => await sql.all(IDS_OF_NIGHT, ...ofNight, after))).map((row) => text(row, 'id'));
  for await (const ids of pagesAfter(MANY, next)) {
    for (let at = 0; at < ids.length; at += PAGE) {
      const rows = await read((sql) => selectByIds(sql, ids.slice(at, at + PAGE), revisions));
      const own = Map.groupBy(
        rows.filter(({ file }) => files.has(file)),
        ({ id }) => id,
      );
      yield [...own.values()].map((read) => {
        const [first, last] = [must(read[0], 'a revision'), must(read.at(-1), 'a revision')];
        const exportedAgain = Number(last.revision) < Number(last.latest);
        return { ...inSums(last), exportedAgain, corrected: first.digest !== last.digest };
      });
    }
  }
}
