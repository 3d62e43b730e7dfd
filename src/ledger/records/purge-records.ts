/**
 * Removes the data of old documents, and records that it did: content, amounts, names and answers are removed, identities
 * and hashes stay for good, so that no document is issued a second time.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { DocumentFacts } from '../../model/document.ts';
import { type Closing, type Evidence, isPurged, isSetAside, type Purged } from '../../model/ledger-entry.ts';
import type { State } from '../../model/state.ts';
import { appendAll } from '../../text/long-lists.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { appendEvent, type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { MaintenanceStore } from '../contract/maintenance-store.ts';

const FORGET = [
  'UPDATE attempt SET exchange = NULL, answer = NULL, reason = NULL, phrases = NULL WHERE entry = ?',
  `UPDATE revision SET content = NULL, faults = '[]' WHERE entry = ?`,
  'UPDATE entry SET answer = NULL, receiver = NULL WHERE id = ?',
] as const;
const REVISIONS = `SELECT COALESCE(f.rereads, f.id) AS file, r.source_rows FROM revision r JOIN source_file f ON f.id = r.file
  WHERE r.entry = ? ORDER BY r.revision DESC`;
/** Documents of an export as they are now. */
const OF_EXPORT = `SELECT r.source_rows, e.purged FROM source_file f JOIN revision r ON r.file = f.id
  JOIN entry e ON e.id = r.entry AND e.revision = r.revision WHERE (f.id = ? OR f.rereads = ?) AND e.id <> ?`;
const FACTS = `SELECT e.identifier, r.revision, r.facts FROM entry e JOIN revision r ON r.entry = e.id WHERE e.id = ?`;

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

/** Within a transaction of the caller. */
export async function purgeEntry(
  sql: Statements,
  context: Parameters<typeof appendEvent>[1],
  id: string,
  purged: Purged,
): Promise<void> {
  const events: number[] = [];
  await sql.run('UPDATE entry SET purged = ?, receipt_due = 0 WHERE id = ?', JSON.stringify(purged), id);
  if (isPurged({ purged }, 'content')) {
    for (const statement of FORGET) await sql.run(statement, id);
    await forgetWords(sql, id);
    const blank = `UPDATE correction SET former = '', value = '', reason = '' WHERE file = ? AND source_row = ?`;
    for (const { file, rows } of await ownRows(sql, id)) {
      for (const row of rows) await sql.run(blank, file, row);
      appendAll(events, await purgeCellEvents(sql, file, rows));
    }
    appendAll(events, await purgeDetails(sql, await sql.all(WITH_DETAIL, id)));
    for (const row of await sql.all(FACTS, id)) {
      // Without its rules the export could not be read again as it was then.
      const { rules } = JSON.parse(text(row, 'facts')) as DocumentFacts;
      const facts = JSON.stringify(definedOnly({ identifier: text(row, 'identifier'), rules }));
      await sql.run(
        'UPDATE revision SET facts = ? WHERE entry = ? AND revision = ?',
        facts,
        id,
        row.revision as number,
      );
    }
  }
  const detail = events.length > 0 ? { ...purged, events } : purged;
  await appendEvent(sql, context, { what: 'purged', entry: id, at: purged.at, person: purged.by, detail });
}

/** That a person has closed the document stays, or it would wait for people again; the words of the decision go. */
async function forgetWords(sql: Statements, id: string): Promise<void> {
  const [now] = await sql.all('SELECT state, evidence, closed FROM entry WHERE id = ?', id);
  const evidence = optional('is', now?.evidence ?? null, JSON.parse).is as Evidence | undefined;
  const closed = optional('is', now?.closed ?? null, JSON.parse).is as Closing | undefined;
  const { as, by, at } = evidence ?? {};
  const isAside = evidence !== undefined && isSetAside({ state: now?.state as State, evidence });
  await sql.run(
    'UPDATE entry SET evidence = ?, closed = ? WHERE id = ?',
    ...[
      isAside ? JSON.stringify({ as, by, at, reason: '' }) : null,
      closed && JSON.stringify({ ...closed, reason: '' }),
    ].map((json) => json ?? null),
    id,
  );
}

/**
 * The rows that the document has, and those that it had and no other one needs, by their export. A row that went over to
 * another document keeps its corrections: without them that one would be read again with the cells of the export.
 */
async function ownRows(sql: Statements, id: string) {
  const revisions = await sql.all(REVISIONS, id);
  const now = new Set(revisions.slice(0, 1).flatMap(rowsOf));
  const found: { readonly file: string; readonly rows: ReadonlySet<number> }[] = [];
  for (const [file, all] of Map.groupBy(revisions, (revision) => text(revision, 'file'))) {
    const rows = new Set(all.flatMap(rowsOf));
    const isNow = file === revisions[0]?.file;
    if (!isNow || rows.size > now.size) {
      const others = (await sql.all(OF_EXPORT, file, file, id)).filter((one) => !isForgotten(one));
      for (const row of others.flatMap(rowsOf)) rows.delete(row);
    }
    found.push({ file, rows });
  }
  return found;
}

function rowsOf(revision: DatabaseRow): readonly number[] {
  return JSON.parse(text(revision, 'source_rows')) as readonly number[];
}

function isForgotten({ purged }: DatabaseRow): boolean {
  return purged !== null && isPurged({ purged: JSON.parse(purged as string) as Purged }, 'content');
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
