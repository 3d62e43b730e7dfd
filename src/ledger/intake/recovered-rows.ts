/**
 * Rows of an export that a replaced ledger reads again: what receipts show of them stays as it is. Statements within a transaction of
 * the caller.
 */

import type { Statements } from '../../database/database-driver.ts';
import { type DocumentOutcome, detailsOf } from '../../model/document.ts';
import { OF_RECEIPTS } from '../../model/ledger-entry.ts';
import { readMetaValue, text } from '../contract/ledger-context.ts';
import { areOfAnother, importFormers } from '../records/import-outputs.ts';
import type { ExistingEntry } from './decide-outcome.ts';
import { findExistingEntries, type StagingContext } from './existing-entries.ts';

/** A correction by a person is of rows of an export, in which the document was before. */
const BEFORE_CORRECTIONS = `(SELECT COUNT(DISTINCT c.rereads) FROM revision o JOIN source_file c ON c.id = o.file
  WHERE o.entry = e.id AND NOT EXISTS (SELECT 1 FROM revision w WHERE w.entry = e.id AND w.file = c.rereads))`;
/** Of a file without a summary, no record says when it was taken. */
const AFTER = (is: '>' | '>=') => `CASE WHEN f.id LIKE '${OF_RECEIPTS}%' OR t.id LIKE '${OF_RECEIPTS}%'
  THEN f.modified_at ${is} t.modified_at ELSE f.claimed_at ${is} t.claimed_at END`;
/**
 * What it is now is of a later file, or of one with the same time, as of copies that keep it; `lacks`: it has had more revisions than
 * the ledger knows.
 */
const OF_LATER = `SELECT CASE WHEN ${AFTER('>')} THEN 1 ELSE 0 END AS later, CASE WHEN e.revision > (SELECT COUNT(*) FROM revision o WHERE o.entry = e.id) + ${BEFORE_CORRECTIONS}
  THEN 1 ELSE 0 END AS lacks
  FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision JOIN source_file f ON f.id = r.file
  JOIN source_file t ON t.id = ? WHERE e.id = ?
  AND COALESCE(f.rereads, f.id) <> t.id AND ${AFTER('>=')}`;

/**
 * By their rows, documents that a replaced ledger knows: of the file itself where it has them, else of a later reading. `corrected`: by
 * each row that a document, which is no duplicate, has now by a later reading, that document; `now`: all that such readings have made.
 */
export type RecoveredRows = {
  readonly made: ReadonlyMap<string, { readonly entry: string; readonly file: string }>;
  readonly corrected: ReadonlyMap<number, string>;
  readonly now: readonly { readonly entry: string; readonly number: string }[];
};

/** `wasRead`: an export that a ledger of before has read. */
export type AgainContext = StagingContext & { readonly wasRead?: true };

/** Whether a receipt shows what the rows of an export that is read again have become. */
export async function isRecovered(
  staging: StagingContext,
  outcome: DocumentOutcome,
  known: RecoveredRows,
): Promise<boolean> {
  const { file } = staging;
  const { keys, rows } = detailsOf(outcome);
  const made = known.made.get(JSON.stringify(rows));
  // What a later reading alone has made of them, as a duplicate, accounts for the rows of that one.
  if (made && (made.file === file || (await keepFormer(staging, outcome, made.entry)))) return true;
  const fixed = keys.filter((key) => !key.includes('\0'));
  if (await wasCorrectedSince(staging, outcome, fixed)) return true;
  // All its rows have their place, of whichever of these documents this was.
  if (rows.length === 0 || !rows.every((row) => known.corrected.has(row))) return false;
  await keepLikeliest(staging, outcome, known);
  return true;
}

/** Of several that became one, each has been a document of the export: the one with this number, else one that has its rows, else any. */
async function keepLikeliest(
  staging: StagingContext,
  outcome: DocumentOutcome,
  { corrected, now }: RecoveredRows,
): Promise<void> {
  const { sql, file } = staging;
  const { rows, facts } = detailsOf(outcome);
  const owners = new Set(rows.map((row) => corrected.get(row)));
  const rank = ({ entry, number }: RecoveredRows['now'][number]) =>
    2 * Number(number === facts.identifier) + Number(owners.has(entry));
  for (const { entry } of now.toSorted((a, b) => rank(b) - rank(a))) {
    if (await areOfAnother(sql, { id: '', file, rows })) return;
    await keepFormer(staging, outcome, entry);
  }
}

/**
 * A document of an export that is read again, which a later export has corrected: a receipt shows what it is now, and that takes the
 * place of nothing. Each revision before that has had rows of its own.
 */
async function wasCorrectedSince(
  staging: StagingContext,
  outcome: DocumentOutcome,
  keys: readonly string[],
): Promise<boolean> {
  const { sql, file } = staging;
  const [first, second] = await findExistingEntries(staging, keys);
  if (!first || second || first.inThisFile) return false;
  const [later] = await sql.all(OF_LATER, file, first.entry);
  return later !== undefined && Number(later.lacks) > 0 && (await keepFormer(staging, outcome, first.entry));
}

/** What the document was in this export. */
async function keepFormer({ sql, file }: StagingContext, outcome: DocumentOutcome, id: string): Promise<boolean> {
  const { rows, facts } = detailsOf(outcome);
  await importFormers(sql, { id, formers: [{ file, number: facts.identifier, rows, rules: facts.rules ?? null }] });
  return (await sql.all('SELECT 1 FROM revision WHERE entry = ? AND file = ?', id, file)).length > 0;
}

/**
 * The rows of documents that a restore, a rebuild or an accepted ledger has learned from receipts of this file, whose export is read
 * again for its other documents. Empty for every file that was claimed since.
 */
export async function recoveredRows(
  sql: Statements,
  file: string,
  claimedAt: string,
): Promise<RecoveredRows | undefined> {
  const learned = await readMetaValue(sql, 'learned');
  if (learned === undefined || Date.parse(claimedAt) > Number(learned)) return undefined;
  const rows = await sql.all(
    `SELECT r.source_rows, r.entry, r.file, e.state, e.identifier, CASE WHEN r.file <> ? AND e.revision = r.revision THEN 1 ELSE 0 END AS is_now
     FROM revision r JOIN entry e ON e.id = r.entry WHERE r.file IN (SELECT id FROM source_file WHERE id = ? OR rereads = ?)
     AND NOT EXISTS (SELECT 1 FROM staged s WHERE s.entry = r.entry AND s.revision = r.revision)
     ORDER BY CASE WHEN r.file = ? THEN 1 ELSE 0 END, r.file, r.entry`,
    ...[file, file, file, file],
  );
  const made = new Map(
    rows.map((row) => [text(row, 'source_rows'), { entry: text(row, 'entry'), file: text(row, 'file') }] as const),
  );
  const now = rows.filter((row) => Number(row.is_now) > 0);
  const corrected = new Map(
    now
      .filter(({ state }) => state !== 'duplicate')
      .flatMap((row) =>
        (JSON.parse(text(row, 'source_rows')) as readonly number[]).map((n) => [n, text(row, 'entry')] as const),
      ),
  );
  return { made, corrected, now: now.map((row) => ({ entry: text(row, 'entry'), number: text(row, 'identifier') })) };
}

/** It is as a later reading of this export, for a correction, has made it: rows of others may be in it. */
const OF_READING = `SELECT 1 FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  JOIN source_file f ON f.id = r.file WHERE e.id = ? AND f.rereads = ?`;

/** Also where the ledger knows all that the document has been. */
export async function isOfLater(
  { sql, file, wasRead }: AgainContext,
  { entry, inThisFile }: Pick<ExistingEntry, 'entry' | 'inThisFile'>,
): Promise<boolean> {
  if (wasRead !== true || inThisFile) return false;
  const [found] = await sql.all(OF_LATER, file, entry);
  return Number(found?.later ?? 0) > 0 || (await sql.all(OF_READING, entry, file)).length > 0;
}
