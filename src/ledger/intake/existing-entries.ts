/**
 * The entries that have an identity already, or an id, as staging sees them: what is staged of admitted files is made to
 * count first. Throws BusyIdentityError if another file that is being read has staged one.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { checkIdentity } from '../../database/identity-index.ts';
import { storedKey } from '../../database/stored-key.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { HoldRule } from '../../model/document.ts';
import type { State } from '../../model/state.ts';
import { BusyIdentityError } from '../contract/busy-identity.ts';
import { type LedgerContext, optional, readMetaValue, text } from '../contract/ledger-context.ts';
import { finishStagedEntry } from '../records/finish-staging.ts';
import { SENT_BEFORE, sentBefore } from '../records/sent-contents.ts';
import type { ExistingEntry } from './decide-outcome.ts';

/** The file that is being read, and the transaction that stages it. */
export type StagingContext = {
  readonly sql: Statements;
  readonly context: LedgerContext;
  readonly file: string;
  readonly fileName: string;
  /** What a correction has split from a document takes the place of none: the rows of that one would be in no document. */
  readonly readsAgain?: true;
  /** Only what would become of it is asked: what another reading has staged stays so, and nothing is written. */
  readonly looks?: true;
};

const COLUMNS = `e.id AS entry, e.state, e.revision, e.sent_digest, e.hold, e.released, r.digest, r.source_rows, r.first, s.file AS staged_file, t.outcome, t.digest
  AS staged_digest, f.state AS file_state, f.name AS file_name, ${SENT_BEFORE}`;
const JOINED = `LEFT JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  LEFT JOIN staged s ON s.entry = e.id LEFT JOIN revision t ON t.entry = s.entry AND t.revision = s.revision
  LEFT JOIN source_file f ON f.id = s.file`;
const FIND = {
  key: `SELECT ${COLUMNS}, i.entry AS owner, i.file AS of_file, i.proof FROM identity i LEFT JOIN entry e ON e.id = i.entry
    ${JOINED} WHERE i.key = ?`,
  id: `SELECT ${COLUMNS} FROM entry e ${JOINED} WHERE e.id = ?`,
} as const;

/**
 * The entries that have these identities, each once, in the order of the keys. An entry whose rows are part of another one of them
 * is none of its own.
 */
export async function findExistingEntries(
  staging: StagingContext,
  keys: readonly string[],
): Promise<readonly ExistingEntry[]> {
  const found: DatabaseRow[] = [];
  for (const key of keys) {
    const row = await findOccupant(staging, 'key', key);
    if (row && !found.some(({ entry }) => entry === row.entry)) found.push(row);
  }
  const isPart = ({ source_rows: rows, first }: DatabaseRow) =>
    rows === '[]' && first !== null && found.some(({ entry }) => entry === first);
  return (found.length > 1 ? found.filter((row) => !isPart(row)) : found).map(toExistingEntry);
}

/** Whether the rows of an entry are part of another one, as its last revision has it: these two are one document. */
export async function isPartOf(sql: Statements, entry: string, other: string): Promise<boolean> {
  const [last] = await sql.all(
    'SELECT source_rows, first FROM revision WHERE entry = ? ORDER BY revision DESC LIMIT 1',
    entry,
  );
  return last?.source_rows === '[]' && last.first === other;
}

/** Whether a purge has removed a document with one of these identities that a replaced ledger may not know. */
export async function isForgotten(
  { sql, context: { isPurged } }: Pick<StagingContext, 'sql' | 'context'>,
  keys: readonly string[],
): Promise<boolean> {
  return isPurged !== undefined && (await readMetaValue(sql, 'learned')) !== undefined && keys.some(isPurged);
}

export async function findOccupant(
  { sql, context, file, looks }: StagingContext,
  by: keyof typeof FIND,
  given: string,
): Promise<DatabaseRow | undefined> {
  const value = by === 'key' ? storedKey(given) : given;
  const [row] = await sql.all(FIND[by], value);
  if (row && by === 'key') checkIdentity(value, row);
  // As it is before the reading counts; a document that is new there has no state before it.
  if (row && looks) return row.state === 'staged' ? row : { ...row, staged_file: null };
  if (!row || row.staged_file === null || row.staged_file === file) return row;
  if (row.file_state !== 'admitted') {
    throw new BusyIdentityError(row.staged_file as string, text(row, 'file_name'));
  }
  await finishStagedEntry(sql, context, text(row, 'entry'));
  return (await sql.all(FIND[by], value))[0];
}

/** Another file has taken an identity since this transaction looked for it. */
export function busyIdentity({ fileName }: StagingContext, owner: string): BusyIdentityError {
  return new BusyIdentityError(owner, fileName);
}

export function toExistingEntry(row: DatabaseRow): ExistingEntry {
  const inThisFile = row.staged_file !== null;
  return {
    entry: text(row, 'entry'),
    inThisFile,
    state: text(row, inThisFile ? 'outcome' : 'state') as State,
    revision: row.revision as number,
    digest: text(row, inThisFile ? 'staged_digest' : 'digest'),
    ...(!inThisFile && row.source_rows === '[]' && { isAbsorbed: true }),
    ...optional('sentDigest', row.sent_digest, String),
    ...definedOnly({ sentBefore: sentBefore(row) }),
    ...optional('hold', row.hold, (hold) => JSON.parse(hold).rule as HoldRule),
    ...optional('released', row.released, String),
  };
}
