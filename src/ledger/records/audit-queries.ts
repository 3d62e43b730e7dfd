/** Queries that prove that files, ledger and receipts belong together; none of them writes. */

import type { DatabaseRow, DatabaseValue } from '../../database/database-driver.ts';
import { selectKeys } from '../../database/identity-index.ts';
import { readStoredFaults } from '../../model/fault.ts';
import type { Folder, State } from '../../model/state.ts';
import { receiptNameKey } from '../../text/receipt-file-name.ts';
import { AFTER_PAGE, type LedgerContext, optional, pagesByRow, selectByIds, text } from '../contract/ledger-context.ts';
import type { QueryStore, RecordedRevision } from '../contract/query-store.ts';
import type { ReceiptPlace, ReceiptStore } from '../contract/receipt-store.ts';
import { readAttempts } from './attempts.ts';
import { assignedNumber, fixedKeys } from './number-sequences.ts';

const PAGE = 200;

/** A document that was purged after people had closed it, and came again, has a former revision without its data. */
const WAS_PURGED = `r.content IS NULL AND EXISTS (SELECT 1 FROM event v WHERE v.entry = r.entry AND v.what = 'purged')`;
const SELECT = `SELECT r.*, e.name, e.revision AS latest,
  CASE WHEN e.purged LIKE '%"content"%' THEN 1 WHEN ${WAS_PURGED} THEN 1 END AS purged FROM revision r JOIN entry e ON e.id = r.entry`;

/** The part of the query store that proofs use. */
export function createAuditQueries(context: LedgerContext) {
  const { read } = context;
  return {
    revisionsOf: (file, firstRows) =>
      firstRows ? selectRevisionsAt(context, file, firstRows) : selectRevisionsIn(context, file),
    revisionsOfEntry: (id) =>
      read(async (sql) => {
        const rows = await sql.all(`${SELECT} WHERE r.entry = ? ORDER BY r.revision`, id);
        return rows.map((row) => ({ ...toRecordedRevision(row), file: text(row, 'file') }));
      }),
    firstRowsLearned: (file) =>
      read(async (sql) => {
        const learned = `SELECT r.first_row FROM source_file f JOIN revision r ON r.file = f.id WHERE f.rereads = ?
          AND NOT EXISTS (SELECT 1 FROM revision o WHERE o.entry = r.entry AND o.revision < r.revision)`;
        return new Set((await sql.all(learned, file)).map((row) => row.first_row as number));
      }),
    numberOf: (entry, document) =>
      read(async (sql) => {
        const { numbering } = document;
        if (!numbering) return undefined;
        const assigned = await assignedNumber(sql, fixedKeys(document), numbering);
        if (assigned !== undefined) return assigned;
        return await assignedNumber(sql, await selectKeys(sql, entry), numbering);
      }),
    attemptsOf: (id) => read((sql) => readAttempts(sql, id)),
  } satisfies Partial<QueryStore>;
}

export function createReceiptPlaces({ read }: LedgerContext) {
  return {
    receiptPlaces: (names) =>
      read(async (sql) => {
        const columns = 'e.name, e.state, e.receipt_folder, e.receipt_day, e.receipt_due, r.content_sha256';
        const join = 'LEFT JOIN revision r ON r.entry = e.id AND r.revision = e.revision';
        const rows = await selectByIds(
          sql,
          names.map(receiptNameKey),
          (places) => `SELECT ${columns} FROM entry e ${join} WHERE e.name_key IN (${places})`,
        );
        return new Map(rows.map((row) => [text(row, 'name'), toReceiptPlace(row)]));
      }),
  } satisfies Partial<ReceiptStore>;
}

async function* selectRevisionsAt(
  { read }: LedgerContext,
  file: string,
  firstRows: readonly number[],
): AsyncIterable<RecordedRevision> {
  for (let from = 0; from < firstRows.length; from += PAGE) {
    const rows = firstRows.slice(from, from + PAGE);
    const where = `WHERE r.file = ? AND r.first_row IN (${rows.map(() => '?').join(', ')}) ORDER BY r.first_row, r.entry`;
    yield* (await read(async (sql) => sql.all(`${SELECT} ${where}`, file, ...rows))).map(toRecordedRevision);
  }
}

async function* selectRevisionsIn({ read }: LedgerContext, file: string): AsyncIterable<RecordedRevision> {
  const page = `${SELECT} WHERE ${AFTER_PAGE} ORDER BY r.first_row, r.entry LIMIT ${PAGE}`;
  const select = (after: readonly DatabaseValue[]) => read(async (sql) => sql.all(page, file, ...after));
  for await (const rows of pagesByRow(PAGE, select)) yield* rows.map(toRecordedRevision);
}

function toRecordedRevision(row: DatabaseRow): RecordedRevision {
  return {
    entry: text(row, 'entry'),
    name: text(row, 'name'),
    revision: row.revision as number,
    ...optional('purged', row.purged, () => true as const),
    firstRow: row.first_row as number,
    rows: JSON.parse(text(row, 'source_rows')),
    outcome: text(row, 'outcome') as State,
    digest: text(row, 'digest'),
    facts: JSON.parse(text(row, 'facts')),
    faults: readStoredFaults(text(row, 'faults')),
    ...optional('content', row.content, String),
    ...optional('contentSha256', row.content_sha256, String),
  };
}

function toReceiptPlace(row: DatabaseRow): ReceiptPlace {
  return {
    ...optional('folder', row.receipt_folder, (folder) => folder as Folder),
    ...optional('day', row.receipt_day, String),
    hasPayload: row.content_sha256 !== null,
    due: row.receipt_due !== 0 || row.state === 'sending' || row.state === 'staged',
  };
}
