/**
 * Questions to the search index about the documents that wait for a person: all of them in their short form, to group and
 * add up, those that have waited longest first. Nothing is read from the ledger.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { hasCause, type OpenWork, readCause } from '../../model/cause.ts';
import type { State } from '../../model/state.ts';
import { runTerm } from './search-documents.ts';

/** Together they narrow it. */
export type WorkFilter = {
  readonly states?: readonly State[];
  /** As `readCause` takes it. */
  readonly cause?: string;
  readonly mapping?: string;
  /** Id of a file. */
  readonly file?: string;
  /** The run that took it in, or tried to send it or consulted about it. */
  readonly run?: string;
  /** In its state since then or later, ISO 8601. */
  readonly since?: string;
  /** With those that a person has closed, which need no action; without them by default. */
  readonly withClosed?: true;
};

type Condition = { readonly where: string; readonly values: readonly SQLInputValue[] };

export function selectWork(index: DatabaseSync, filter: WorkFilter): readonly OpenWork[] {
  const { where, values } = conditionOf(filter);
  const rows = index.prepare(`SELECT d.work FROM document d WHERE ${where} ORDER BY d.since, d.n`).all(...values);
  const works = rows.map(({ work }) => JSON.parse(String(work)) as OpenWork);
  if (filter.cause === undefined) return works;
  const cause = readCause(filter.cause);
  return works.filter((work) => hasCause(work, cause));
}

/** Ids of documents in this state, those that are in it longest first, at most `limit`; also in states that wait for no person. */
export function longestIn(index: DatabaseSync, state: State, limit: number): readonly string[] {
  const rows = index.prepare('SELECT id FROM document WHERE state = ? ORDER BY since, n LIMIT ?').all(state, limit);
  return rows.map(({ id }) => String(id));
}

function conditionOf({ states, mapping, file, run, since, withClosed }: WorkFilter): Condition {
  const parts: Condition[] = [{ where: 'd.work IS NOT NULL', values: [] }];
  const add = (where: string, ...values: SQLInputValue[]) => parts.push({ where, values });
  // The plus keeps SQLite from sorting a large selection.
  if (states) add('+d.state IN (SELECT value FROM json_each(?))', JSON.stringify(states));
  if (mapping !== undefined) add(`d.work ->> '$.mapping' = ?`, mapping);
  if (file !== undefined) add('+d.file = (SELECT n FROM file WHERE id = ?)', file);
  if (run !== undefined) add('+d.n IN (SELECT rowid FROM term WHERE term MATCH ?)', runTerm(run));
  if (since !== undefined) add('d.since >= ?', Date.parse(since));
  if (!withClosed) add(`d.work ->> '$.closed' IS NULL`);
  return { where: parts.map((part) => part.where).join(' AND '), values: parts.flatMap((part) => part.values) };
}
