/** What is read to prove that files, ledger and receipts belong together; nothing here writes. */

import { readStoredFaults } from '../../model/fault.ts';
import type { Folder, State } from '../../model/state.ts';
import { receiptNameKey } from '../../text/receipt-file-name.ts';
import { type LedgerContext, optional, selectByIds, text } from '../contract/ledger-context.ts';
import type { QueryStore, RecordedRevision } from '../contract/query-store.ts';
import type { ReceiptPlace, ReceiptStore } from '../contract/receipt-store.ts';
import type { DatabaseRow } from '../database/database-driver.ts';
import { readAttempts } from './attempts.ts';
import { assignedNumber, fixedKeys } from './number-sequences.ts';

const PAGE = 200;
/** Parameters of one statement. */
const AT_ONCE = 200;

const SELECT = `SELECT r.*, e.name, e.revision AS latest, e.purged FROM revision r JOIN entry e ON e.id = r.entry`;

export function createAuditQueries(context: LedgerContext) {
  const { read } = context;
  return {
    revisionsOf: (file, firstRows) =>
      firstRows ? selectRevisionsAt(context, file, firstRows) : selectRevisionsIn(context, file),
    numberOf: (entry, document) =>
      read(async (sql) => {
        const { numbering } = document;
        if (!numbering) return undefined;
        const known = await assignedNumber(sql, fixedKeys(document), numbering);
        if (known !== undefined) return known;
        const keys = await sql.all('SELECT key FROM identity WHERE entry = ? ORDER BY key', entry);
        return await assignedNumber(
          sql,
          keys.map((row) => text(row, 'key')),
          numbering,
        );
      }),
    filesWithAttachment: ({ name, sha256 }) =>
      read(async (sql) => {
        const rows = await sql.all('SELECT file FROM attachment WHERE name = ? AND sha256 = ?', name, sha256);
        return rows.map((row) => row.file as string);
      }),
    attachmentsOf: (file) =>
      read(async (sql) =>
        (await sql.all('SELECT name, sha256 FROM attachment WHERE file = ? ORDER BY name', file)).map((row) => ({
          name: text(row, 'name'),
          sha256: text(row, 'sha256'),
        })),
      ),
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
  for (let from = 0; from < firstRows.length; from += AT_ONCE) {
    const rows = firstRows.slice(from, from + AT_ONCE);
    const where = `WHERE r.file = ? AND r.first_row IN (${rows.map(() => '?').join(', ')}) ORDER BY r.first_row, r.entry`;
    yield* (await read(async (sql) => sql.all(`${SELECT} ${where}`, file, ...rows))).map(toRecordedRevision);
  }
}

async function* selectRevisionsIn({ read }: LedgerContext, file: string): AsyncIterable<RecordedRevision> {
  const where = 'WHERE r.file = ? AND (r.first_row > ? OR (r.first_row = ? AND r.entry > ?))';
  for (let row = -1, id = ''; ; ) {
    const rows = await read(async (sql) =>
      sql.all(`${SELECT} ${where} ORDER BY r.first_row, r.entry LIMIT ${PAGE}`, file, row, row, id),
    );
    yield* rows.map(toRecordedRevision);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    row = last.first_row as number;
    id = text(last, 'entry');
  }
}

function toRecordedRevision(row: DatabaseRow): RecordedRevision {
  return {
    entry: text(row, 'entry'),
    name: text(row, 'name'),
    revision: row.revision as number,
    ...(row.purged === null ? {} : { purged: true as const }),
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
