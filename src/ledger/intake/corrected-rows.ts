/**
 * Copies of rows that a person has corrected: a document that is not the corrected one, of the very rows of its export,
 * in; a duplicate of the corrected document out, if that is on its way, issued, or set aside. Else undefined: the copy is
 * judged like any other document.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { ROWS_CORRECTED } from '../../i18n/messages/ledger-messages.ts';
import { type DocumentFacts, type DocumentOutcome, detailsOf } from '../../model/document.ts';
import { type Fault, withMessage } from '../../model/fault.ts';
import type { Evidence } from '../../model/ledger-entry.ts';
import { sourceRowsSha256 } from '../../model/row.ts';
import { isReplaceable, type State } from '../../model/state.ts';
import type { CorrectedRows } from '../contract/close-file.ts';
import { text } from '../contract/ledger-context.ts';
import type { AdmissionDecision } from './decide-outcome.ts';
import { findOccupant, type StagingContext } from './existing-entries.ts';

/** Of the file that was read first. Rows that are as before are no copies of anything. */
export async function recordCorrectedRows(
  sql: Statements,
  file: string,
  { entry, sha256, row }: CorrectedRows,
): Promise<void> {
  if (row === undefined) return void (await sql.run('DELETE FROM corrected_rows WHERE entry = ?', entry));
  await sql.run(
    `INSERT INTO corrected_rows (sha256, entry, file, source_row)
     SELECT ?, ?, COALESCE(rereads, id), ? FROM source_file WHERE id = ?
     ON CONFLICT (sha256, entry) DO UPDATE SET source_row = excluded.source_row`,
    ...[sha256, entry, row, file],
  );
}

export type CorrectedCopy = {
  readonly decision: AdmissionDecision;
  /** In place of the faults of the copy: no person has to correct it. */
  readonly item: { readonly faults: readonly Fault[] };
};

export async function findCorrectedCopy(
  staging: StagingContext,
  outcome: DocumentOutcome,
): Promise<CorrectedCopy | undefined> {
  const rows = outcome.sourceRows?.();
  if (!rows) return undefined;
  const found = await staging.sql.all(
    'SELECT entry, file, source_row FROM corrected_rows WHERE sha256 = ? ORDER BY entry',
    sourceRowsSha256(rows),
  );
  for (const one of found) {
    if (outcome.asksForName && (await hadOtherNumber(staging.sql, one, outcome))) continue;
    const owner = await findCounting(staging, text(one, 'entry'));
    if (!owner) continue;
    const decision = { what: 'separate', state: 'duplicate', first: text(owner, 'id') } as const;
    return { decision, item: { faults: [await copyFault(staging.sql, one, owner)] } };
  }
  return undefined;
}

/** Whether the export whose rows were corrected gave them another number: by its name, the rows are those of another document. */
async function hadOtherNumber(sql: Statements, { entry, file }: DatabaseRow, outcome: DocumentOutcome) {
  const made = 'SELECT facts FROM revision WHERE entry = ? AND file = ? ORDER BY revision LIMIT 1';
  const [first] = await sql.all(made, entry ?? '', file ?? '');
  if (!first) return false;
  const { identifier } = JSON.parse(text(first, 'facts')) as DocumentFacts;
  return identifier !== detailsOf(outcome).facts.identifier;
}

/** The entry, or the document that it is a duplicate of, if no person has to correct it any more. */
async function findCounting(staging: StagingContext, id: string): Promise<DatabaseRow | undefined> {
  const occupant = await findOccupant(staging, 'id', id);
  // The file that is being read has it too: rows of one document may be in both places.
  if (!occupant || occupant.staged_file !== null) return undefined;
  const [entry] = await staging.sql.all(
    'SELECT id, name, identifier, state, since, first, evidence, closed, closed_since FROM entry WHERE id = ?',
    id,
  );
  if (!entry) return undefined;
  if (entry.state === 'duplicate') return entry.first ? await findCounting(staging, text(entry, 'first')) : undefined;
  return isReplaceable(entry.state as State) && !isAside(entry) ? undefined : entry;
}

/** A person has decided that it is not corrected: a copy of its rows changes nothing about that. */
function isAside({ state, since, evidence, closed, closed_since: closedSince }: DatabaseRow): boolean {
  const decided = evidence === null ? undefined : (JSON.parse(evidence as string) as Evidence);
  return (state === 'invalid' && decided?.as === 'invalid') || (closed !== null && closedSince === since);
}

async function copyFault(sql: Statements, { file, source_row: row }: DatabaseRow, owner: DatabaseRow): Promise<Fault> {
  const [source] = await sql.all('SELECT name FROM source_file WHERE id = ?', file ?? '');
  const [last] = await sql.all(
    'SELECT person, at, reason FROM correction WHERE file = ? AND source_row = ? ORDER BY n DESC LIMIT 1',
    ...[file ?? '', row ?? 0],
  );
  const values = {
    document: text(owner, 'identifier') || text(owner, 'name'),
    file: String(source?.name ?? ''),
    row: row as number,
    by: String(last?.person ?? ''),
    at: String(last?.at ?? '').slice(0, 10),
    reason: String(last?.reason ?? ''),
  };
  return {
    code: 'ledger/rows-corrected',
    level: 'warning',
    ...withMessage(ROWS_CORRECTED.message(values), ROWS_CORRECTED.hint()),
  };
}
