/**
 * Removes the data of old documents, and records that it did: content, amounts, names and answers are removed, identities
 * and hashes stay for good, so that no document is issued a second time.
 */
import type { Purged } from '../../model/ledger-entry.ts';
import { appendAll } from '../../text/long-lists.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { appendEvent, type LedgerContext, text } from '../contract/ledger-context.ts';
import type { MaintenanceStore } from '../contract/maintenance-store.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';

const FORGET = [
  'UPDATE attempt SET exchange = NULL, answer = NULL, reason = NULL, phrases = NULL WHERE entry = ?',
  `UPDATE revision SET content = NULL, faults = '[]' WHERE entry = ?`,
  'UPDATE entry SET answer = NULL, evidence = NULL, receiver = NULL WHERE id = ?',
] as const;
const REVISIONS = `SELECT COALESCE(f.rereads, f.id) AS file, r.source_rows FROM revision r JOIN source_file f ON f.id = r.file
  WHERE r.entry = ?`;

const WITH_DETAIL = `SELECT id, n, detail FROM event WHERE entry = ? AND what <> 'purged' AND detail IS NOT NULL`;
const OF_CELLS = `SELECT id, n, detail FROM event WHERE file = ? AND what = 'cell-corrected' AND detail IS NOT NULL`;

export function createPurgeRecords(context: LedgerContext) {
  return {
    purgeEntry: (id, purged) => context.write((sql) => purgeEntry(sql, context, id, purged)),
    markReceiptPurged: (id) =>
      context.write(async (sql) => void (await sql.run('UPDATE entry SET receipt_folder = NULL WHERE id = ?', id))),
    markSummaryPurged: (id) =>
      context.write(
        async (sql) => void (await sql.run('UPDATE summary SET folder = NULL, written = changes WHERE file = ?', id)),
      ),
    purgeFile: (id, purged) =>
      context.write(async (sql) => {
        await sql.run('UPDATE source_file SET purged = ? WHERE id = ?', JSON.stringify(purged), id);
        await appendEvent(sql, context, { what: 'purged', file: id, at: purged.at, person: purged.by, detail: purged });
      }),
  } satisfies Partial<MaintenanceStore>;
}

async function purgeEntry(sql: Statements, context: LedgerContext, id: string, purged: Purged): Promise<void> {
  const events: number[] = [];
  await sql.run('UPDATE entry SET purged = ?, receipt_due = 0 WHERE id = ?', JSON.stringify(purged), id);
  if (purged.what.includes('content')) {
    for (const statement of FORGET) await sql.run(statement, id);
    const blank = `UPDATE correction SET former = '', value = '' WHERE file = ? AND source_row = ?`;
    for (const revision of await sql.all(REVISIONS, id)) {
      const rows = JSON.parse(text(revision, 'source_rows')) as readonly number[];
      for (const row of rows) await sql.run(blank, text(revision, 'file'), row);
      appendAll(events, await purgeCellEvents(sql, text(revision, 'file'), new Set(rows)));
    }
    appendAll(events, await purgeDetails(sql, await sql.all(WITH_DETAIL, id)));
    for (const { identifier } of await sql.all('SELECT identifier FROM entry WHERE id = ?', id)) {
      await sql.run('UPDATE revision SET facts = ? WHERE entry = ?', JSON.stringify({ identifier }), id);
    }
  }
  const detail = events.length > 0 ? { ...purged, events } : purged;
  await appendEvent(sql, context, { what: 'purged', entry: id, at: purged.at, person: purged.by, detail });
}

/** The events of corrections in these rows; resolves to their numbers. */
async function purgeCellEvents(sql: Statements, file: string, rows: ReadonlySet<number>): Promise<readonly number[]> {
  const corrections = await sql.all(OF_CELLS, file);
  const isOfRows = (event: DatabaseRow) =>
    rows.has((JSON.parse(text(event, 'detail')) as { readonly row: number }).row);
  return await purgeDetails(sql, corrections.filter(isOfRows));
}

/** The hash of each detail stays, so that the link of the event can still be proven. */
async function purgeDetails(sql: Statements, events: readonly DatabaseRow[]): Promise<readonly number[]> {
  for (const event of events) {
    const hash = sha256Hex(text(event, 'detail'));
    await sql.run('UPDATE event SET detail = NULL, detail_sha256 = ? WHERE id = ?', hash, text(event, 'id'));
  }
  return events.map(({ n }) => n as number);
}
