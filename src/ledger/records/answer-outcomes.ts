/**
 * Documents as answers to the ERP need them: of some forty columns of a document a line of answers uses a few, and each that
 * is read costs time. Rows of `entry` and `revision` in, outcomes out. Reads only.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { definedItems } from '../../model/defined-only.ts';
import { readStoredFaults } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import type { State } from '../../model/state.ts';
import type {
  AnswerOutcome,
  AskedOutcome,
  DueAnswer,
  DueOutcome,
  KnownOutcome,
  Repeat,
} from '../contract/answer-store.ts';
import { selectByIds, text } from '../contract/ledger-context.ts';
import { filesOfRows } from './source-files.ts';

/** Faults are long, and an answer of the service replaces them. A later change of the state ends a decision. */
const OUTCOME = `e.revision, e.state, e.since, e.first, e.answer, e.evidence, CASE WHEN e.closed_since = e.since THEN e.closed END AS closed,
  CASE WHEN e.answer IS NULL THEN r.faults END AS faults`;
const COLUMNS = `${OUTCOME}, r.file, r.source_rows, r.first_row AS place`;
const DOCUMENT = 'e.name, e.class, r.kind, r.facts, r.keys';
/** The first comparison lets the index begin at the page: with the second alone, each page would go over all before it. */
export const AFTER_PLACE = 'first_row >= ? AND (d.first_row > ? OR d.entry > ?) ORDER BY d.first_row, d.entry LIMIT ?';
const MARK = 'd.entry, d.first_row, d.changes, d.again';
const OF_PAGE = `WHERE d.answers = ? AND d.file = ? AND d.${AFTER_PLACE}`;

type Asked = Pick<DueAnswer, 'firstRow' | 'entry'> | undefined;
/** Block, file, place of the last document before, most documents. */
type DuePage = readonly [answers: string, file: string, after: Asked, limit: number];

/** The due documents of a page as marks alone, where their outcomes do not matter. */
export async function selectDue(sql: Statements, ...page: DuePage): Promise<readonly DueAnswer[]> {
  return (await sql.all(`SELECT ${MARK} FROM answer_due d ${OF_PAGE}`, ...valuesOf(page))).map(toDue);
}

/**
 * The same, each with its outcome, at the place that the document has now: a correction may have moved its rows. In one statement, because a page of ids would be looked up once more. */
export async function selectDueOutcomes(
  sql: Statements,
  asked: AskedOutcome,
  ...page: DuePage
): Promise<readonly DueOutcome[]> {
  const statement = `SELECT ${MARK}, ${columnsOf(asked)} FROM answer_due d
    LEFT JOIN entry e ON e.id = d.entry AND e.state <> 'staged'
    LEFT JOIN revision r ON r.entry = e.id AND r.revision = e.revision AND r.first_row = d.first_row ${OF_PAGE}`;
  const rows = await sql.all(statement, ...valuesOf(page));
  const files = await filesOfRows(sql, rows);
  const repeated = await repeatedBy(sql, rows);
  return rows.map((row) => {
    const due: { -readonly [key in keyof DueOutcome]: DueOutcome[key] } = toDue(row);
    if (row.file !== null) due.outcome = toOutcome(row, files, repeated);
    return due;
  });
}

/** In the order of the ids; an unknown one has none. */
export async function selectOutcomes(
  sql: Statements,
  ids: readonly string[],
  asked: AskedOutcome,
): Promise<readonly AnswerOutcome[]> {
  const statement = `SELECT e.id AS entry, ${columnsOf(asked)} FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
    WHERE e.state <> 'staged' AND e.id IN`;
  const rows = await selectByIds(sql, ids, (places) => `${statement} (${places})`);
  const files = await filesOfRows(sql, rows);
  const repeated = await repeatedBy(sql, rows);
  const found = new Map(rows.map((row) => [text(row, 'entry'), toOutcome(row, files, repeated)]));
  return definedItems(ids.map((id) => found.get(id)));
}

const REPEATED = `SELECT e.id AS entry, ${OUTCOME} FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  WHERE e.state <> 'staged' AND e.id IN`;

type Repeated = ReadonlyMap<string, KnownOutcome>;

/** Duplicate -> the document that it repeats. A document that others repeat may have become a duplicate of a third one. */
async function repeatedBy(sql: Statements, rows: readonly DatabaseRow[]): Promise<Repeated> {
  const found = new Map<string, DatabaseRow>();
  let wanted = firstsOf(rows);
  while (wanted.length > 0) {
    const next = await selectByIds(sql, wanted, (places) => `${REPEATED} (${places})`);
    for (const row of next) found.set(text(row, 'entry'), row);
    wanted = firstsOf(next).filter((id) => !found.has(id));
  }
  const repeated = new Map<string, KnownOutcome>();
  for (const row of rows) {
    let first = firstOf(row);
    // In a circle, which no ledger has, no document is found.
    for (let steps = found.size; first && steps > 0 && found.get(first)?.state === 'duplicate'; steps--)
      first = firstOf(must(found.get(first), 'a duplicate'));
    const end = first === undefined ? undefined : found.get(first);
    if (end && end.state !== 'duplicate') repeated.set(text(row, 'entry'), toKnown(end));
  }
  return repeated;
}

function firstsOf(rows: readonly DatabaseRow[]): readonly string[] {
  return [...new Set(definedItems(rows.map(firstOf)))];
}

function firstOf(row: DatabaseRow): string | undefined {
  return row.state === 'duplicate' && typeof row.first === 'string' ? row.first : undefined;
}

const REPEATS = `WITH RECURSIVE repeating (entry, root) AS (
    SELECT e.id, e.first FROM entry e WHERE e.state = 'duplicate' AND e.first IN (PLACES)
    UNION SELECT e.id, p.root FROM entry e JOIN repeating p ON e.first = p.entry WHERE e.state = 'duplicate')
  SELECT p.entry, p.root, f.mapping_id, COALESCE(f.rereads, f.id) AS file, r.first_row FROM repeating p
    JOIN entry e ON e.id = p.entry JOIN revision r ON r.entry = e.id AND r.revision = e.revision
    JOIN source_file f ON f.id = r.file WHERE f.mapping_id IS NOT NULL`;

/** The duplicates that repeat these documents, also through other duplicates. */
export async function selectRepeats(sql: Statements, ids: readonly string[]): Promise<readonly Repeat[]> {
  const rows = await selectByIds(sql, ids, (places) => REPEATS.replace('PLACES', places));
  return rows.map((row) => ({
    entry: text(row, 'entry'),
    of: text(row, 'root'),
    mapping: text(row, 'mapping_id'),
    file: text(row, 'file'),
    firstRow: Number(row.first_row),
  }));
}

function columnsOf({ document }: AskedOutcome): string {
  return document ? `${COLUMNS}, ${DOCUMENT}` : COLUMNS;
}

function valuesOf([answers, file, after, limit]: DuePage) {
  const { firstRow, entry } = after ?? { firstRow: -1, entry: '' };
  return [answers, file, firstRow, firstRow, entry, limit] as const;
}

function toDue(row: DatabaseRow): DueAnswer {
  return {
    entry: text(row, 'entry'),
    firstRow: row.first_row as number,
    changes: row.changes as number,
    again: row.again === 1,
  };
}

type Files = ReadonlyMap<string, SourceFile>;

function toKnown(row: DatabaseRow): KnownOutcome {
  const known: { -readonly [key in keyof KnownOutcome]: KnownOutcome[key] } = {
    id: text(row, 'entry'),
    revision: row.revision as number,
    state: text(row, 'state') as State,
    since: new Date(row.since as number).toISOString(),
    faults: row.faults === null ? NONE : readStoredFaults(text(row, 'faults')),
  };
  // Assigned one by one: there are many, and most have an answer alone.
  if (row.answer !== null) known.answer = JSON.parse(text(row, 'answer'));
  if (row.evidence !== null) known.evidence = JSON.parse(text(row, 'evidence'));
  if (row.closed !== null) known.closed = JSON.parse(text(row, 'closed'));
  return known;
}

function toOutcome(row: DatabaseRow, files: Files, repeated: Repeated): AnswerOutcome {
  const outcome: { -readonly [key in keyof AnswerOutcome]: AnswerOutcome[key] } = {
    ...toKnown(row),
    file: must(files.get(text(row, 'file')), 'the file of a document'),
    rows: JSON.parse(text(row, 'source_rows')),
  };
  if (outcome.rows.length === 0) outcome.formerRow = row.place as number;
  const repeats = repeated.get(outcome.id);
  if (repeats) outcome.repeats = repeats;
  if (row.facts !== undefined) {
    outcome.document = {
      name: text(row, 'name'),
      kind: text(row, 'kind'),
      class: text(row, 'class'),
      facts: JSON.parse(text(row, 'facts')),
      keys: JSON.parse((row.keys as string | null) ?? '[]'),
    };
  }
  return outcome;
}

const NONE: AnswerOutcome['faults'] = [];
