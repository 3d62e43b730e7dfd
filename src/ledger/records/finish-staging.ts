/**
 * Makes staged entries count, or drops them without a trace.
 *
 * One value decides whether they count: the state of their source file. The entries follow in steps, and the next opening
 * of the ledger continues after a crash between two steps. Until its step an entry is invisible.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { foldNumber } from '../../database/folded-key.ts';
import { toTheirEnd } from '../../database/to-their-end.ts';
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { DocumentFacts, Hold } from '../../model/document.ts';
import { holdOf, readStoredHold, storedHold } from '../../model/recorded-words.ts';
import { mayBeOut, STATES, type State } from '../../model/state.ts';
import { appendEvent, type LedgerContext, optional, text, valueIn } from '../contract/ledger-context.ts';
import { expectOwnFile } from '../contract/own-files.ts';
import { combineHolds } from './combine-holds.ts';
import { insertEntry } from './insert-entry.ts';
import { findMoved, formerHold, isAbsorbed, isReplaceableStill, type Moved, unknownHold } from './moved-rows.ts';
import { SENT_BEFORE } from './sent-contents.ts';
import { holdAllShared } from './shared-rows.ts';
import { touchSummary, touchSummaryOfEntry } from './touch-summary.ts';

/** About 20 ms of work; between two steps the event loop turns. */
export const STEP = 1000;

const COLUMNS = `r.entry, r.revision, r.file, r.outcome, r.first, r.class, r.facts, r.first_row, r.source_rows, f.run,
  f.name AS file_name, f.rereads, e.service, e.state AS now, e.hold AS now_hold, e.revision AS now_revision, e.purged, ${SENT_BEFORE},
  EXISTS (SELECT 1 FROM meta WHERE key = 'learned') AS of_replaced`;
const STAGED = `SELECT ${COLUMNS}, s.hold FROM staged s
  JOIN revision r ON r.entry = s.entry AND r.revision = s.revision JOIN source_file f ON f.id = s.file
  JOIN entry e ON e.id = s.entry`;
const LATEST = `SELECT ${COLUMNS}, NULL AS hold FROM entry e
  JOIN revision r ON r.entry = e.id AND r.revision = e.revision JOIN source_file f ON f.id = r.file`;

/** Makes all staged entries of an admitted file count, in steps; after `stop` the next opening of the ledger does the rest. */
export async function finishStagedFile(context: LedgerContext, file: string, stop?: AbortSignal): Promise<void> {
  let steps = 0;
  const step = async (sql: Statements) => {
    const settled = await finishStagedStep(sql, context, file);
    // The summary of the file may have been written in between.
    if (steps++ > 0 && settled < STEP) touchSummary(sql, file);
    return settled;
  };
  while (!stop?.aborted && (await context.write(step)) === STEP);
}

/**
 * Makes the next staged entries of an admitted file count, and with them all to which their rows move, or from which. Resolves to how
 * many were next; fewer than STEP were the last ones.
 */
export async function finishStagedStep(sql: Statements, context: LedgerContext, file: string): Promise<number> {
  const next = await sql.all(`${STAGED} WHERE s.file = ? ORDER BY s.entry LIMIT ${STEP}`, file);
  const last = next.at(-1);
  if (!last) return 0;
  // Each is another entry: an engine that is far away gets them together.
  const unread = unreadNumbers(sql);
  const moved = await movedAmong(sql, context, next);
  const further = await furtherOf(sql, moved, { file, next });
  const rows = [...next, ...further];
  await toTheirEnd(rows.map((row) => finishRow(sql, context, row, { unread, moved: moved.get(text(row, 'entry')) })));
  await sql.run('DELETE FROM staged WHERE file = ? AND entry <= ?', file, text(last, 'entry'));
  for (const row of further) await sql.run('DELETE FROM staged WHERE entry = ?', text(row, 'entry'));
  await holdFinished(sql, context, rows);
  return next.length;
}

/** What is new in an export shares its rows with no other document. */
async function holdFinished(sql: Statements, context: LedgerContext, rows: readonly DatabaseRow[]): Promise<void> {
  const replaced = rows.filter(({ rereads, revision }) => rereads !== null || revision !== 1);
  const entries = replaced.map((row) => text(row, 'entry'));
  await holdAllShared(sql, context, entries, context.now().toISOString());
}

/** What is staged after the next ones, and counts only with one of them. */
async function furtherOf(
  sql: Statements,
  moved: MovedEntries,
  { file, next }: { readonly file: string; readonly next: readonly DatabaseRow[] },
): Promise<readonly DatabaseRow[]> {
  const known = new Set(next.map((row) => text(row, 'entry')));
  const groups = new Set([...known].map((entry) => moved.get(entry)?.group));
  const further = [...groups].flatMap((group = new Set()) => [...group].filter((entry) => !known.has(entry)));
  const select = async (entry: string) => await sql.all(`${STAGED} WHERE s.file = ? AND s.entry = ?`, file, entry);
  return (await toTheirEnd(further.map(select))).flat();
}

/**
 * Makes one entry of an admitted file count before its turn, because another file needs it. What was read again counts with all of its
 * reading: its rows may come from other documents.
 */
export async function finishStagedEntry(sql: Statements, context: LedgerContext, entry: string): Promise<void> {
  for (const row of await sql.all(`${STAGED} WHERE s.entry = ?`, entry)) {
    if (row.rereads === null) {
      await finishRow(sql, context, row);
      await sql.run('DELETE FROM staged WHERE entry = ?', entry);
      await holdFinished(sql, context, [row]);
    } else while ((await finishStagedStep(sql, context, text(row, 'file'))) === STEP);
  }
}

/** The latest revision of an entry becomes an entry of its own; its attempts stay. */
export async function setRevisionApart(sql: Statements, context: LedgerContext, entry: string): Promise<void> {
  for (const row of await sql.all(`${LATEST} WHERE e.id = ?`, entry)) await finishRow(sql, context, row);
}

/** After a stop: finishes admitted files, and drops what was staged of files that were being read. */
export async function recoverStaged(context: LedgerContext): Promise<void> {
  const unsettled = 'SELECT id, state FROM source_file WHERE id IN (SELECT file FROM staged)';
  const files = await context.read(async (sql) => await sql.all(unsettled));
  for (const file of files) {
    const id = text(file, 'id');
    if (file.state !== 'admitted') await dropFile(context, id);
    else {
      await context.write(async (sql) => touchSummary(sql, id));
      await finishStagedFile(context, id);
    }
  }
}

/**
 * Drops all that was staged of a file, in steps: in one commit the log would grow as large as all of it. After `stop` the
 * next start drops the rest; none of it counts in between. Throws `ledger/lease-lost` once another worker reads the file: what is
 * staged then is that worker's.
 */
export async function dropFile(
  context: Pick<LedgerContext, 'write' | 'worker'>,
  file: string,
  stop?: AbortSignal,
): Promise<void> {
  const step = async (sql: Statements) => {
    await expectOwnFile(sql, context, file);
    return await dropStep(sql, file);
  };
  while (!stop?.aborted && (await context.write(step)) === STEP);
}

/** The same within one transaction, for files of which little is staged. */
export async function dropStaged(sql: Statements, file: string): Promise<void> {
  while ((await dropStep(sql, file)) === STEP);
}

/**
 * Drops entries, revisions and identities of the next staged ones; resolves to how many. Numbers stay with their
 * identities. The plus keeps SQLite from scanning all rows of the file in each step.
 */
export async function dropStep(sql: Statements, file: string): Promise<number> {
  const rows = await sql.all(`SELECT entry FROM staged WHERE file = ? ORDER BY entry LIMIT ${STEP}`, file);
  const last = rows.at(-1);
  if (!last) return 0;
  const upToLast = [file, text(last, 'entry')] as const;
  const some = '(SELECT entry FROM staged WHERE file = ? AND entry <= ?)';
  await sql.run(`DELETE FROM identity WHERE entry IN ${some} AND +file = ?`, ...upToLast, file);
  await sql.run(`DELETE FROM revision WHERE entry IN ${some} AND +file = ?`, ...upToLast, file);
  await sql.run(`DELETE FROM entry WHERE id IN ${some} AND +state = 'staged'`, ...upToLast);
  await sql.run('DELETE FROM staged WHERE file = ? AND entry <= ?', ...upToLast);
  return rows.length;
}

/** The column `receipt_due`: 0 for none, 1 for due, 2 for due once receipts of waiting documents are written too. */
export function receiptDue(state: State): 0 | 1 | 2 {
  if (state === 'ready') return 2;
  return 'folder' in STATES[state] ? 1 : 0;
}

async function finishRow(
  sql: Statements,
  context: LedgerContext,
  staged: DatabaseRow,
  { unread = unreadNumbers(sql), moved }: { readonly unread?: UnreadNumbers; readonly moved?: Moved | undefined } = {},
): Promise<void> {
  const { keeper, hold: ofSource } = moved ?? {};
  const counts = keeper === undefined && isReplaceableStill(staged);
  // It keeps its rows.
  if (!counts && isAbsorbed(staged)) return await dropRevision(sql, staged);
  const row = counts
    ? await heldWithFormer(sql, context, staged, { unread, ofSource })
    : await setApart(sql, context, staged, keeper);
  const entry = text(row, 'entry');
  const state = text(row, 'outcome') as State;
  const nowMs = context.now().getTime();
  if (row.revision !== 1) await resetFormerRevision(sql, row);
  // A person let the document go without these rows.
  if (counts && moved?.takes) await sql.run('UPDATE entry SET let_go = NULL WHERE id = ?', entry);
  await sql.run(
    `UPDATE entry SET revision = ?, state = ?, since = ?, due_at = ?, first = ?, receipt_due = ?, hold = ?, receiver = ?
     WHERE id = ? AND state = ? AND revision = ?`,
    // 0 is due at once, also if the clock is set back later.
    ...[valueIn(row, 'revision'), state, nowMs, state === 'ready' ? 0 : null, valueIn(row, 'first')],
    ...[isWithoutReceipt(row) ? 0 : receiptDue(state), valueIn(row, 'hold')],
    ...[(JSON.parse(text(row, 'facts')) as DocumentFacts).receiver ?? null, entry],
    ...[text(row, 'now'), valueIn(row, 'now_revision')],
  );
  const detail = state === 'held' ? optional('detail', row.hold, readStoredHold) : {};
  await appendEvent(sql, context, { what: state, entry, file: text(row, 'file'), run: text(row, 'run'), ...detail });
}

/** A purge had removed it before the ledger was replaced. */
function isWithoutReceipt({ revision, purged }: DatabaseRow): boolean {
  return revision === 1 && purged !== null;
}

type MovedEntries = Pick<ReadonlyMap<string, Moved>, 'get'>;

/** Of these, which are of one file. */
async function movedAmong(
  sql: Statements,
  context: LedgerContext,
  [row]: readonly DatabaseRow[],
): Promise<MovedEntries> {
  const { file, rereads } = row ?? {};
  return typeof rereads === 'string' ? await findMoved(sql, context, { file: String(file), of: rereads }) : new Map();
}

async function dropRevision(sql: Statements, row: DatabaseRow): Promise<void> {
  await sql.run('DELETE FROM revision WHERE entry = ? AND revision = ?', text(row, 'entry'), valueIn(row, 'revision'));
}

/**
 * A former content that may be out holds what takes its place, also that which a person corrects; so does the hold of an invalid one,
 * whose correction was taken back, and one that was sent and is not known, whatever a person or the service said of the last one. So does
 * that of another document which gives it rows, and one of the same number that may be out and has no identity.
 */
async function heldWithFormer(
  sql: Statements,
  context: LedgerContext,
  row: DatabaseRow,
  { unread, ofSource }: { readonly unread: UnreadNumbers; readonly ofSource: Hold | undefined },
): Promise<DatabaseRow> {
  const mayBeSent = row.outcome === 'ready' || row.outcome === 'held';
  const own = formerHold(row) ?? (mayBeSent ? unknownHold(context, row) : undefined);
  const former = own ?? ofSource ?? (await unreadHold(context, row, unread));
  if (!former) return row;
  const { given } = optional('given', row.hold, readStoredHold);
  const hold = storedHold(given ? combineHolds(context, given, former) : former);
  if (row.outcome !== 'ready') return { ...row, hold };
  await sql.run(
    `UPDATE revision SET outcome = 'held' WHERE entry = ? AND revision = ?`,
    ...[text(row, 'entry'), valueIn(row, 'revision')],
  );
  return { ...row, outcome: 'held', hold };
}

const UNREAD = `SELECT o.id, o.identifier, o.hold, o.state FROM entry o WHERE o.service = ? AND o.identifier <> ''
  AND o.state NOT IN ('authorized', 'ready', 'sending', 'staged')
  AND ((o.state = 'invalid' AND o.hold IS NOT NULL) OR (o.state IN ('duplicate', 'conflict') AND o.first IS NULL))
  AND NOT EXISTS (SELECT 1 FROM identity i WHERE i.entry = o.id AND i.key NOT LIKE 'nt|%')`;

/** Entries of a service by their number in the form of all its spellings. `isRepeated`: what it repeats is lost. */
type UnreadNumbers = (
  service: string,
) => Promise<ReadonlyMap<string, readonly { readonly id: string; readonly isRepeated: boolean }[]>>;

/**
 * Documents whose identity a replaced ledger does not have, and that may be out: they were refused before it could be read, or another
 * document was there first, of which nothing is left. Looked for once.
 */
function unreadNumbers(sql: Statements): UnreadNumbers {
  const known = new Map<string, ReturnType<UnreadNumbers>>();
  const find = async (service: string) => {
    const isOut = ({ state, hold }: DatabaseRow) =>
      state !== 'invalid' || mayBeOut(readStoredHold(hold as string).rule);
    const found = (await sql.all(UNREAD, service)).filter(isOut);
    const toEntry = (one: DatabaseRow) => ({ id: text(one, 'id'), isRepeated: one.state !== 'invalid' });
    const byNumber = Map.groupBy(found, (one) => foldNumber(text(one, 'identifier')));
    return new Map([...byNumber].map(([number, all]) => [number, all.map(toEntry)]));
  };
  return (service) => {
    const found = known.get(service) ?? find(service);
    known.set(service, found);
    return found;
  };
}

/** Holds a document of such a number, in any spelling. */
async function unreadHold(
  { language }: LedgerContext,
  row: DatabaseRow,
  unread: UnreadNumbers,
): Promise<Hold | undefined> {
  const { identifier } = JSON.parse(text(row, 'facts')) as DocumentFacts;
  const { own } = optional('own', row.hold, readStoredHold);
  const mayBeSent = row.outcome === 'ready' || (row.outcome === 'held' && own !== undefined && !mayBeOut(own.rule));
  if (!row.of_replaced || !mayBeSent || identifier === '') return undefined;
  const others = (await unread(text(row, 'service'))).get(foldNumber(identifier)) ?? [];
  const isOut = others.some(({ id, isRepeated }) => isRepeated || id !== text(row, 'entry'));
  return isOut ? holdOf('restored', LEDGER_HOLD.numberUnread(), language) : undefined;
}

/**
 * As if it came now: what would be sent is a conflict with the entry, which keeps its state and its identities. `other`: the document
 * that has the rows of a new one.
 */
async function setApart(
  sql: Statements,
  context: LedgerContext,
  row: DatabaseRow,
  other = text(row, 'entry'),
): Promise<DatabaseRow> {
  const [owner, file, of] = [text(row, 'entry'), text(row, 'file'), text(row, 'class')];
  const { identifier } = JSON.parse(text(row, 'facts')) as DocumentFacts;
  const named = { identifier, fileName: text(row, 'file_name'), row: row.first_row as number };
  const isNew = row.revision === 1;
  const entry = isNew ? owner : await insertEntry(sql, context, { service: text(row, 'service'), class: of, ...named });
  const [outcome, first] = row.outcome === 'invalid' ? ['invalid', null] : ['conflict', isNew ? other : owner];
  await sql.run('DELETE FROM identity WHERE entry = ? AND file = ?', owner, file);
  await sql.run(
    `UPDATE revision SET entry = ?, revision = 1, outcome = ?, first = ?, keys = NULL, moved = ? WHERE entry = ? AND revision = ?`,
    ...[entry, outcome, first, valueIn(row, 'rereads'), owner, valueIn(row, 'revision')],
  );
  return { ...row, entry, revision: 1, outcome, first, hold: null, now: 'staged', now_revision: 0 };
}

/** Clears the columns that concern only the former revision; its attempts stay. */
async function resetFormerRevision(sql: Statements, row: DatabaseRow): Promise<void> {
  const entry = text(row, 'entry');
  await touchSummaryOfEntry(sql, entry);
  await sql.run(
    `UPDATE entry SET class = ?, identifier = ?, consult_at = NULL, request_id = NULL, tries = 0, code = NULL,
     answer = NULL, evidence = NULL, purged = NULL WHERE id = ?`,
    ...[text(row, 'class'), JSON.parse(text(row, 'facts')).identifier as string, entry],
  );
}
