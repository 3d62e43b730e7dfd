/**
 * What a replaced ledger has written and what is in no folder any more. Statements within a transaction of the caller; errors of the
 * database are thrown as they are.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { selectKeys } from '../../database/identity-index.ts';
import { storedKey } from '../../database/stored-key.ts';
import type { Language } from '../../i18n/message.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Closing, type Evidence, isDone } from '../../model/ledger-entry.ts';
import { readStoredHold, storedHold } from '../../model/recorded-words.ts';
import { allows, isReplaceable, type State } from '../../model/state.ts';
import { optional, text, valueIn } from '../contract/ledger-context.ts';
import { purgedBefore } from '../contract/purged-rows.ts';
import { combineHolds } from '../records/combine-holds.ts';
import { ACTS_THAT_QUEUE, type Importing } from '../records/import-outputs.ts';
import { purgeEntry } from '../records/purge-records.ts';
import { TOUCH_SUMMARY, touchSummaryOfEntry } from '../records/touch-summary.ts';

const PAGE = 1000;

/** `listed`: documents in summaries; `isPurged`: whether a purge has removed the document with an identity. */
type Found = {
  readonly receipts: ReadonlySet<string>;
  readonly summaries: ReadonlySet<string>;
  readonly listed: { readonly has: (id: string) => boolean };
  readonly isPurged: ((key: string) => boolean) | undefined;
};

/**
 * What the ledger has written, and what is in no folder any more, is due once more: a purge, or another ledger, has removed it since. A
 * held document that a summary still lists may have been released: a person moves its receipt, and it is sent before the next one. What
 * a purge has removed may have been sent before: where a person might send it as it is, it is held. One that waited for its correction
 * may have been corrected and sent: the next correction is held.
 */
export async function writeAgain(
  sql: Statements,
  { receipts, summaries, listed, isPurged }: Found,
  importing: Pick<Importing, 'hold' | 'language'>,
): Promise<void> {
  const written = `SELECT id, state, hold FROM entry WHERE id > ? AND receipt_folder IS NOT NULL AND purged IS NULL
    AND state NOT IN ('staged', 'sending') ORDER BY id LIMIT ${PAGE}`;
  for await (const entry of inPages(sql, written, 'id')) {
    const id = text(entry, 'id');
    if (receipts.has(id)) continue;
    const isForgotten = isPurged && isQueuedByAct(entry) && (await selectKeys(sql, id)).some(isPurged);
    const isHeld = isForgotten || (entry.state === 'held' && listed.has(id));
    const isMarked = isHeld || isReplaceable(entry.state as State);
    const [state, held] = [
      isHeld ? 'held' : valueIn(entry, 'state'),
      isMarked ? heldAlso(entry, importing) : valueIn(entry, 'hold'),
    ];
    await sql.run('UPDATE entry SET receipt_due = 1, state = ?, hold = ? WHERE id = ?', state, held, id);
  }
  const ofFiles = `SELECT file FROM summary WHERE file > ? AND written > 0 AND folder IS NOT NULL ORDER BY file LIMIT ${PAGE}`;
  for await (const { file } of inPages(sql, ofFiles, 'file'))
    if (!summaries.has(String(file))) await sql.run(TOUCH_SUMMARY, String(file));
}

type Purging = {
  readonly receipts: ReadonlySet<string>;
  readonly isPurged: (text: string) => boolean;
  readonly language: Language;
};

const UNPURGED = `SELECT e.id, e.first, e.state, e.closed, e.evidence, f.sha256, r.source_rows FROM entry e
  JOIN revision r ON r.entry = e.id AND r.revision = e.revision JOIN source_file f ON f.id = r.file
  WHERE e.id > ? AND e.purged IS NULL AND e.state <> 'staged' ORDER BY e.id LIMIT ${PAGE}`;
/** It was done when it was purged, whatever it was before: nothing of it is sent. */
const NOT_SENT = `UPDATE entry SET state = 'duplicate', since = ?, hold = NULL, due_at = NULL, consult_at = NULL,
  request_id = NULL, begun_at = NULL, begun_run = NULL WHERE id = ? AND state = ?`;

/** Unless another document of its number, of which a receipt is there, came since: then that one waits, or was sent. */
const LEAVE = `DELETE FROM identity WHERE entry = ? AND key = ? AND NOT EXISTS (SELECT 1 FROM entry e
  JOIN entry o ON o.identifier = e.identifier AND o.id <> e.id AND o.purged IS NULL WHERE e.id = identity.entry)`;

/** What a purge since the backup has removed goes once more, and nothing of it is written. Resolves to how many documents. */
export async function purgeAgain(
  sql: Statements,
  { receipts, isPurged, language }: Purging,
  context: Parameters<typeof purgeEntry>[1],
): Promise<number> {
  let gone = 0;
  const unsure: string[] = [];
  for await (const entry of inPages(sql, UNPURGED, 'id')) {
    const id = text(entry, 'id');
    if (receipts.has(id)) continue;
    const own = await selectKeys(sql, id);
    const keys = own.length === 0 && entry.first !== null ? await selectKeys(sql, text(entry, 'first')) : own;
    const rows = JSON.parse(text(entry, 'source_rows')) as readonly number[];
    const at = context.now();
    const purged = purgedBefore(isPurged, { sha256: text(entry, 'sha256'), rows, keys }, { at, language });
    if (!purged) continue;
    gone++;
    if (!isOver(entry)) {
      await sql.run(NOT_SENT, at.getTime(), id, text(entry, 'state'));
      unsure.push(id);
    }
    await purgeEntry(sql, context, id, purged);
    await sql.run('UPDATE entry SET receipt_folder = NULL WHERE id = ?', id);
    await touchSummaryOfEntry(sql, id);
  }
  // Only now: a repetition has the identities of the first one.
  for (const id of unsure) await leaveIdentities(sql, id, isPurged);
  return gone;
}

/**
 * It was sent, or a person had set it aside unsent: the same content is no duplicate of it. Whatever has one of its identities waits for a
 * person, as after a rebuild.
 */
async function leaveIdentities(sql: Statements, id: string, isPurged: Purging['isPurged']): Promise<void> {
  for (const key of (await selectKeys(sql, id)).filter(isPurged)) await sql.run(LEAVE, id, storedKey(key));
}

function isOver({ state, closed, evidence }: DatabaseRow): boolean {
  const decided = optional('is', evidence, JSON.parse).is as Evidence | undefined;
  return isDone(
    definedOnly({ state: state as State, evidence: decided, closed: optional('is', closed, JSON.parse).is as Closing }),
  );
}

async function* inPages(sql: Statements, statement: string, key: string): AsyncGenerator<DatabaseRow> {
  for (let last = '', length = PAGE; length === PAGE; ) {
    const page = await sql.all(statement, last);
    yield* page;
    [last, length] = [String(page.at(-1)?.[key] ?? last), page.length];
  }
}

/** The service knows what became of one in doubt. */
function isQueuedByAct({ state }: DatabaseRow): boolean {
  return state !== 'in-doubt' && ACTS_THAT_QUEUE.some((act) => allows(state as State, act));
}

function heldAlso({ hold: other }: DatabaseRow, { hold, language }: Pick<Importing, 'hold' | 'language'>): string {
  return storedHold(combineHolds({ language }, hold, optional('own', other, readStoredHold).own));
}
