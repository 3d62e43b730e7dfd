/**
 * Exports that two ledgers have read under different ids: one knew them from receipts alone, and the documents of these kept their ids.
 * The one that replaces the other has their rows already. What the other one has made again of the same bytes is a later reading of it.
 */

import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { text } from '../ledger/contract/ledger-context.ts';
import { isOfReceipts } from '../model/ledger-entry.ts';
import { parseRowRanges, type StoredSummary } from '../receipts/read-receipts.ts';

const SAME = `SELECT o.id, o.modified_at FROM source_file o WHERE o.sha256 = ? AND o.name = ? AND o.state = 'admitted' AND o.rereads IS NULL
  AND NOT EXISTS (SELECT 1 FROM source_file f WHERE f.id = ?) ORDER BY o.id`;
/** The ledger has it as a first reading, whatever another one has written of it since. */
const IS_FIRST = `SELECT 1 FROM source_file WHERE id = ? AND rereads IS NULL AND state <> 'loading'`;
const PARTNER = 'SELECT p.id, p.state FROM source_file f JOIN source_file p ON p.id = f.partner WHERE f.id = ?';
const PAIR = 'UPDATE source_file SET partner = ? WHERE id = ?';
const ROWS = `UPDATE source_file SET row_count = ?, left_out = '[]' WHERE id = ?`;
const HAS = 'SELECT 1 FROM revision WHERE entry = ? AND +file = ? LIMIT 1';

type Reading = { readonly summary: StoredSummary; readonly has: ReadonlySet<string> };

/** Within a transaction of the caller. */
export function createKnownExports(sql: Statements) {
  /** The id by which the ledger knows the export, by that of a summary. */
  const known = new Map<string, string>();
  const documentsOf = async (file: string, table: StoredSummary['table']): Promise<ReadonlySet<string>> => {
    const has = new Set<string>();
    for (const { id } of table) if (id !== undefined && (await sql.all(HAS, id, file)).length > 0) has.add(id);
    return has;
  };
  return {
    knownAs: (file: string): string => known.get(file) ?? file,
    /**
     * The summary as that of a later reading, where the ledger has documents of it under another file; `has`: these documents. Before
     * any receipt is imported: what the ledger has then is its own.
     */
    reading: async (summary: StoredSummary): Promise<Reading> => {
      const { id, state, rereads, sha256, name } = summary.file;
      const isWhole = state === 'admitted' && rereads === undefined;
      if (rereads !== undefined && (await sql.all(IS_FIRST, id)).length > 0)
        return { summary: { ...summary, file: { ...summary.file, rereads: undefined } }, has: new Set() };
      const all = isWhole ? await sql.all(SAME, sha256, name, id) : [];
      for (const row of all.filter((one) => isSameDrop(one, summary.file))) {
        const first = text(row, 'id');
        const has = await documentsOf(first, summary.table);
        if (has.size === 0) continue;
        known.set(id, first);
        return { summary: readingOf(summary, { first, has }), has };
      }
      return { summary, has: new Set() };
    },
    /**
     * The files of a pair are one export: where one of them is a later reading, so is the other one, which goes to `note`. Returns the
     * summaries of the others.
     */
    pairs: async (
      summaries: readonly StoredSummary[],
      note: (summary: StoredSummary) => void,
    ): Promise<readonly StoredSummary[]> => {
      for (const summary of summaries) {
        const { id, partner } = summary.file;
        const other = partner && known.get(partner.id);
        const [row] = other === undefined || known.has(id) ? [] : await sql.all(PARTNER, other);
        if (!row || other === undefined || row.id === id) continue;
        const first = text(row, 'id');
        // A stop has left it unread: what another ledger has read since takes its place.
        if (row.state === 'loading') {
          await sql.run(PAIR, other, id);
          await sql.run(PAIR, id, other);
          continue;
        }
        known.set(id, first);
        const leftOut = summary.rows.leftOut.flatMap(({ rows }) => parseRowRanges(rows));
        await sql.run(ROWS, Math.max(0, summary.rows.read - leftOut.length), id);
        note({ ...summary, file: { ...summary.file, rereads: first } });
      }
      return summaries.filter(({ file: { id, partner } }) => !known.has(id) && !known.has(partner?.id ?? ''));
    },
  };
}

/** What was dropped once more, and read with another mapping, is an export of its own, with a time of its own. */
function isSameDrop(known: DatabaseRow, file: StoredSummary['file']): boolean {
  return known.modified_at === file.modifiedAt || isOfReceipts(file) || isOfReceipts({ id: text(known, 'id') });
}

/** With the rows of the documents that the first reading does not have. */
function readingOf(
  summary: StoredSummary,
  { first, has }: { readonly first: string; readonly has: ReadonlySet<string> },
): StoredSummary {
  const table = summary.table.filter(({ id }) => id !== undefined && !has.has(id));
  const read = table.reduce((sum, { rows = '' }) => sum + parseRowRanges(rows).length, 0);
  return { ...summary, file: { ...summary.file, rereads: first }, rows: { ...summary.rows, read, leftOut: [] }, table };
}
