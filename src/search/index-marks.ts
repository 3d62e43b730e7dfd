/**
 * How far each part of the search index has read the ledger, as JSON in table `mark`; and the commits that move these marks.
 * Errors of SQLite are thrown as it gives them.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { PROGRAM_VERSION } from '../model/program.ts';
import type { LedgerMark } from './ledger-source.ts';

/** What of the ledger is read first, in this order; the mark is removed once all is. */
export type ReadMark = { readonly what: 'file' | 'entry'; readonly after: string };

/**
 * `ledger`: up to where all documents were followed; `read`: the first reading of them is under way. `open` and `opening`: the
 * same of open documents, which are read by themselves and first; `causes`: the version of the program that derived their
 * causes. `epoch` is another one after each beginning.
 */
type MarkValues = {
  readonly ledger: LedgerMark;
  readonly read: ReadMark;
  readonly open: LedgerMark;
  readonly opening: { readonly after: string };
  readonly causes: { readonly version: string };
  readonly epoch: { readonly id: string };
};
type MarkName = keyof MarkValues;

/** The marks of these names that are there; `text`: all of them, to compare. */
export function readMarks<Name extends MarkName>(
  index: DatabaseSync,
  ...names: readonly Name[]
): Partial<Pick<MarkValues, Name>> & { readonly text: string } {
  const select = 'SELECT name, value FROM mark WHERE name IN (SELECT value FROM json_each(?)) ORDER BY name';
  const rows = index.prepare(select).all(JSON.stringify(names));
  const marks = rows.map(({ name, value }) => [name, JSON.parse(String(value))]);
  return { ...Object.fromEntries(marks), text: JSON.stringify(marks) };
}

/** Undefined removes the mark. */
export function writeMark<Name extends MarkName>(
  index: DatabaseSync,
  name: Name,
  value: MarkValues[Name] | undefined,
): void {
  if (value === undefined) index.prepare('DELETE FROM mark WHERE name = ?').run(name);
  else index.prepare('INSERT OR REPLACE INTO mark (name, value) VALUES (?, ?)').run(name, JSON.stringify(value));
}

/** Empties the index, which then has to read everything: what changes meanwhile comes after the mark. */
export function startOver(index: DatabaseSync, mark: LedgerMark): void {
  index.exec('PRAGMA secure_delete = ON');
  for (const table of ['mark', 'file', 'document', 'number', 'word']) index.exec(`DELETE FROM ${table}`);
  index.exec(`INSERT INTO term (term) VALUES ('delete-all')`);
  writeMark(index, 'ledger', mark);
  writeMark(index, 'read', { what: 'file', after: '' });
  startOpen(index, mark);
}

/** The same of open documents alone: another version of the program may derive other causes. */
export function startOpen(index: DatabaseSync, mark: LedgerMark): void {
  index.exec('DELETE FROM open');
  writeMark(index, 'open', mark);
  writeMark(index, 'opening', { after: '' });
  writeMark(index, 'causes', { version: PROGRAM_VERSION });
  writeMark(index, 'epoch', { id: randomUUID() });
}

/** Whether the open documents have the causes of this version of the program. */
export function hasOwnCauses(index: DatabaseSync): boolean {
  return readMarks(index, 'causes').causes?.version === PROGRAM_VERSION;
}

export function inOneCommit<T>(index: DatabaseSync, work: () => T): T {
  index.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    index.exec('COMMIT');
    return result;
  } catch (error) {
    if (index.isTransaction) index.exec('ROLLBACK');
    throw error;
  }
}
