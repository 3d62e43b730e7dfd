/** Which receipts are due, and what is recorded of those that are written. */

import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { toTheirEnd } from '../database/to-their-end.ts';
import { type LedgerContext, optional } from './contract/ledger-context.ts';
import type { ReceiptStore, WrittenReceipt } from './contract/receipt-store.ts';
import { linkAnswers, markAnswers } from './records/answer-records.ts';
import { sealIfMany } from './records/event-seals.ts';
import { assemble, COLUMNS, JOINED, RELATED } from './records/ledger-entries.ts';
import { extendChain } from './records/receipt-chain.ts';
import { touchSummary } from './records/touch-summary.ts';

const due = (only = '') => `SELECT ${COLUMNS}, r.content ${JOINED} WHERE e.receipt_due > 0 AND e.purged IS NULL ${only}
  AND e.receipt_due <= ? ORDER BY e.receipt_due, e.id LIMIT ?`;
const DUE = due();
/** Imported under a name with its id, and not written since: its files have the name that is another document's now. */
const RENAMED = due(`AND e.receipt_link IS NULL AND e.receipt_folder IS NOT NULL AND e.name LIKE '%~%'`);

/** Begins at the files whose summary is due: a large file with all its queued documents is one of them. */
const WAITING = `SELECT ${COLUMNS}, r.content FROM summary s CROSS JOIN source_file w ON w.id = s.file
  CROSS JOIN revision r ON r.file = s.file CROSS JOIN entry e ON e.id = r.entry AND e.revision = r.revision ${RELATED}
  WHERE s.written < s.changes AND w.row_count <= ? AND e.state = 'ready' AND e.receipt_due = 2 AND e.purged IS NULL
  AND e.since <= ? ORDER BY s.file LIMIT ?`;

export function createReceiptRecords(context: LedgerContext) {
  const { read, write } = context;
  // Only a ledger that replaces another one imports.
  let mayBeRenamed = true;
  const selectDue = async (sql: Statements, ...which: readonly [most: number, limit: number]) => {
    const renamed = mayBeRenamed ? await sql.all(RENAMED, ...which) : [];
    mayBeRenamed = renamed.length > 0;
    return mayBeRenamed ? renamed : await sql.all(DUE, ...which);
  };
  return {
    receiptsDue: (limit, { waiting } = { waiting: false }) =>
      read(async (sql) => await withContents(sql, await selectDue(sql, waiting ? 2 : 1, limit))),
    receiptsWaiting: (limit, beforeMs, mostRows) =>
      read(async (sql) => await withContents(sql, await sql.all(WAITING, mostRows, beforeMs, limit))),
    recordReceipts: (written) =>
      write(async (sql) => {
        await extendChain(
          sql,
          context,
          written.map(({ link }) => link),
        );
        await toTheirEnd(written.map((receipt) => recordReceipt(sql, receipt)));
        await markAnswers(sql, written);
        for (const file of new Set(written.map((receipt) => receipt.file))) touchSummary(sql, file);
        await linkAnswers(sql, context);
        await sealIfMany(sql, context, written.at(-1)?.link.run ?? '-');
      }),
  } satisfies Partial<ReceiptStore>;
}

async function withContents(sql: Statements, rows: readonly DatabaseRow[]) {
  const entries = await assemble(sql, rows, 'without-answers');
  return entries.map((entry, index) => ({ entry, ...optional('content', rows[index]?.content, String) }));
}

/** What the receipt says has not changed since it was composed; only an answer to a question leaves state, time and number of attempts. */
const SAYS_ALL = `revision = ? AND state = ? AND since = ? AND submits + consults + resolves = ?
  AND (consults = 0 OR (SELECT COUNT(*) FROM attempt a WHERE a.entry = entry.id AND a.outcome IS NOT NULL) = ?)`;

async function recordReceipt(sql: Statements, receipt: WrittenReceipt) {
  const { id, revision, state, since, attempts, ended, folder, day, link } = receipt;
  await sql.run(
    `UPDATE entry SET receipt_folder = ?, receipt_day = ?, receipt_link = ?,
     receipt_due = CASE WHEN ${SAYS_ALL} THEN 0 ELSE receipt_due END WHERE id = ?`,
    ...[folder, day, link.n, revision, state, Date.parse(since), attempts, ended, id],
  );
}
