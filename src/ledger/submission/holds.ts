/** Holds the queued documents of a mapping, in steps: answers of other documents are recorded in between. */

import type { Statements } from '../../database/database-driver.ts';
import { storedHold } from '../../model/recorded-words.ts';
import { appendEvent, type LedgerContext, text } from '../contract/ledger-context.ts';
import type { SubmissionStore } from '../contract/submission-store.ts';
import { touchSummary } from '../records/touch-summary.ts';

const STEP = 1000;

const READY = `SELECT e.id FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  JOIN source_file f ON f.id = r.file WHERE e.state = 'ready' AND e.service = ? AND f.mapping_id = ? LIMIT ${STEP}`;
const HOLD_SOME = `UPDATE entry SET state = 'held', since = ?, due_at = NULL, hold = ?, receipt_due = 1
  WHERE state = 'ready' AND id IN (${READY}) RETURNING id, (SELECT file FROM revision r WHERE r.entry = entry.id AND r.revision = entry.revision) AS file`;

export function createHolds(context: LedgerContext) {
  return {
    holdReady: async ({ service, mapping }, hold, at) => {
      const holdSome = async (sql: Statements) => {
        const rows = await sql.all(HOLD_SOME, Date.parse(at), storedHold(hold), service, mapping);
        for (const row of rows) {
          await appendEvent(sql, context, { what: 'held', entry: text(row, 'id'), at, detail: hold });
        }
        for (const file of new Set(rows.map((row) => text(row, 'file')))) touchSummary(sql, file);
        return rows.length;
      };
      let held = 0;
      for (let step = STEP; step === STEP; held += step) step = await context.write(holdSome);
      return held;
    },
  } satisfies Partial<SubmissionStore>;
}
