/**
 * A reading may move rows from one document to another: one takes the rows of others, or is split. All documents that take part
 * count then, or none of them: a person, an answer or another worker may have changed one since it was staged, and what it
 * keeps is sent with it.
 */
import type { Hold } from '../../model/document.ts';
import { isReplaceable, type State } from '../../model/state.ts';
import { text } from '../contract/ledger-context.ts';
import type { DatabaseRow, DatabaseValue, Statements } from '../database/database-driver.ts';

/** A person may have decided about the entry since its correction was staged: another worker does not wait for the file. */
export function isReplaceableStill({ revision, now, now_hold: hold, now_revision: former }: DatabaseRow): boolean {
  if (former !== (revision as number) - 1) return false;
  if (revision === 1) return now === 'staged';
  const { rule } = JSON.parse((hold as string | null | undefined) ?? '{}') as Partial<Hold>;
  return isReplaceable(now as State, rule);
}

/** All its rows are in the document `first` now. */
export function isAbsorbed({ outcome, source_rows: rows, first }: DatabaseRow): boolean {
  return outcome === 'duplicate' && rows === '[]' && first !== null;
}

/** What is staged of a reading with other rows than its entry has. */
const MOVED = `SELECT s.entry, s.revision, r.source_rows, r.outcome, r.first, e.state AS now, e.hold AS now_hold,
  e.revision AS now_revision, o.source_rows AS former, COALESCE(g.rereads, g.id) AS former_of
  FROM staged s JOIN revision r ON r.entry = s.entry AND r.revision = s.revision JOIN entry e ON e.id = s.entry
  LEFT JOIN revision o ON o.entry = e.id AND o.revision = e.revision LEFT JOIN source_file g ON g.id = o.file
  WHERE s.file = ? AND (o.source_rows IS NULL OR o.source_rows <> r.source_rows)`;
const OF_SOURCE = `SELECT r.entry, r.source_rows FROM revision r JOIN entry e ON e.id = r.entry AND e.revision = r.revision
  WHERE r.file IN (SELECT id FROM source_file WHERE id = ? OR rereads = ?) AND r.source_rows <> '[]'`;
const READ_BY = `SELECT r.file FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision WHERE e.id = ?`;

/** `file`: what is read again, as `of`, the file that was read first. */
type Reading = { readonly file: string; readonly of: string };

/** The staged entries that do not count, each with a document that has rows of it. */
export async function findTorn(sql: Statements, { file, of }: Reading): Promise<ReadonlyMap<string, string>> {
  const staged = (await sql.all(MOVED, file)).map((row) => movedEntry(row, of));
  const moved = new Map(staged.map((one) => [one.entry, one]));
  const owners = new Map(staged.flatMap(({ entry, gives }) => gives.map((row) => [row, entry] as const)));
  const found = await ownersElsewhere(
    sql,
    of,
    new Set(staged.flatMap(({ takes }) => takes.filter((row) => !owners.has(row)))),
  );
  const sources = new Map(
    staged.map(({ entry, takes, into }) => {
      const of = takes.flatMap((row) => owners.get(row) ?? found.get(row) ?? []);
      return [entry, into === undefined ? of : [into]];
    }),
  );
  const torn = new Map<string, string>();
  for (const all of groupsOf(sources)) {
    let isWhole = true;
    for (const entry of all) isWhole &&= moved.get(entry)?.isAsStaged ?? (await isReadBy(sql, file, entry));
    if (!isWhole) for (const entry of all) if (moved.has(entry)) torn.set(entry, sources.get(entry)?.[0] ?? entry);
  }
  return torn;
}

type MovedEntry = {
  readonly entry: string;
  /** Rows of its source. */
  readonly takes: readonly number[];
  readonly gives: readonly number[];
  /** The document that has all of them. */
  readonly into: string | undefined;
  readonly isAsStaged: boolean;
};

function movedEntry(row: DatabaseRow, of: string): MovedEntry {
  const now = numbersOf(row.source_rows);
  const former = row.former_of === of ? numbersOf(row.former) : [];
  return {
    entry: text(row, 'entry'),
    takes: without(now, former),
    gives: without(former, now),
    into: isAbsorbed(row) ? text(row, 'first') : undefined,
    isAsStaged: isReplaceableStill(row),
  };
}

/** The documents that have these rows, and do not give them up. */
async function ownersElsewhere(
  sql: Statements,
  of: string,
  rows: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  if (rows.size === 0) return new Map();
  const all = await sql.all(OF_SOURCE, of, of);
  return new Map(
    all.flatMap((one) => {
      const own = numbersOf(one.source_rows).filter((row) => rows.has(row));
      return own.map((row) => [row, text(one, 'entry')] as const);
    }),
  );
}

/** Entries that depend on one another, directly or not. */
function groupsOf(links: ReadonlyMap<string, readonly string[]>): Iterable<ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const [entry, others] of links) {
    const all = new Set([entry, ...others].flatMap((one) => [one, ...(groups.get(one) ?? [])]));
    for (const one of all) groups.set(one, all);
  }
  return new Set(groups.values());
}

function numbersOf(rows: DatabaseValue | undefined): readonly number[] {
  return JSON.parse((rows as string | null | undefined) ?? '[]') as readonly number[];
}

function without(rows: readonly number[], others: readonly number[]): readonly number[] {
  const left = new Set(others);
  return rows.filter((row) => !left.has(row));
}

/** An earlier step has made it count. */
async function isReadBy(sql: Statements, file: string, entry: string): Promise<boolean> {
  return (await sql.all(READ_BY, entry))[0]?.file === file;
}
