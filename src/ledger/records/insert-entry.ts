/** A new entry, which does not count yet, with a receipt name that no other entry has. */

import type { Statements } from '../../database/database-driver.ts';
import { receiptName, receiptNameKey } from '../../text/receipt-file-name.ts';
import type { LedgerContext } from '../contract/ledger-context.ts';

/** `fileName` and `row` name a document without a number. */
export type NewEntry = {
  readonly service: string;
  readonly class: string;
  readonly identifier: string;
  readonly fileName: string;
  readonly row: number;
};

/** Resolves to its id. */
export async function insertEntry(
  sql: Statements,
  context: Pick<LedgerContext, 'newId'>,
  { service, class: of, identifier, fileName, row }: NewEntry,
): Promise<string> {
  const id = context.newId();
  const stem = receiptName(identifier) || `${receiptName(fileName.replace(/\.[^.]*$/, ''))}-row-${row}`;
  for (const name of [stem, `${stem}~${id.slice(-8)}`, `${stem}~${id}`]) {
    const inserted = await sql.run(
      `INSERT INTO entry (id, name, name_key, revision, service, class, identifier, state, since, tries, submits,
       consults, resolves, not_found, receipt_due) VALUES (?, ?, ?, 0, ?, ?, ?, 'staged', 0, 0, 0, 0, 0, 0, 0)
       ON CONFLICT (name_key) DO NOTHING`,
      ...[id, name, receiptNameKey(name), service, of, identifier],
    );
    if (inserted === 1) return id;
  }
  throw new Error(`no free receipt name for ${stem}`);
}
