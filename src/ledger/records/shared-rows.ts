/**
 * Rows of a document may be those of another one too: a correction has moved them, or has set apart what could not move. What was
 * submitted with them, and may be processed, holds the document wherever it would be sent, until a person has seen that submission and
 * lets the document go. The rows themselves are asked: no path by which a content comes to count has to pass anything on.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import type { Message } from '../../i18n/message.ts';
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import type { DocumentFacts, Hold } from '../../model/document.ts';
import { must } from '../../model/must.ts';
import { readStoredHold, rowsHold, storedHold } from '../../model/recorded-words.ts';
import { appendAll } from '../../text/long-lists.ts';
import { appendEvent, type LedgerContext, optional, selectByIds, text, valueIn } from '../contract/ledger-context.ts';
import { MAY_BE_PROCESSED } from './attempts.ts';
import { combineHolds } from './combine-holds.ts';
import { touchSummaryOfEntry } from './touch-summary.ts';

/** Of an entry `e`: rows of an export of which it has been made have moved. Nearly always false, by one look into an index. */
export const MAY_SHARE = `EXISTS (SELECT 1 FROM revision o JOIN source_file f ON f.id = o.file
  JOIN revision m ON m.moved = COALESCE(f.rereads, f.id) WHERE o.entry = e.id)`;

/** What was once made of rows of a source, the file that was read first. */
type Content = {
  readonly entry: string;
  readonly revision: number;
  readonly source: string;
  readonly rows: readonly number[];
  /** Rows of it were in another content of its source before. Of two contents with the same row, one is. */
  readonly hasMoved: boolean;
};

const CONTENT = `r.entry, r.revision, r.source_rows, r.moved, COALESCE(f.rereads, f.id) AS source
  FROM revision r JOIN source_file f ON f.id = r.file JOIN entry e ON e.id = r.entry AND e.revision >= r.revision`;
const OF_ENTRY = `SELECT ${CONTENT} WHERE r.entry = ? ORDER BY r.revision`;
const MOVED = `SELECT ${CONTENT} WHERE r.moved = ? AND r.source_rows <> '[]'`;
const OF_SOURCE = `SELECT ${CONTENT} WHERE r.file IN (SELECT id FROM source_file WHERE id = ? OR rereads = ?) AND r.source_rows <> '[]'`;

/** In place of a list of all numbers: of a large export few contents have the row. */
const HAS_ROW = `replace(replace(r.source_rows, '[', ','), ']', ',') LIKE ?`;

/** Contents by what they were made of, read once. */
type Contents = {
  /** In the order of their revisions; what is staged does not count yet. */
  readonly of: (entry: string) => Promise<readonly Content[]>;
  /** Those of other documents with one of its rows. */
  readonly sharing: (content: Content) => Promise<readonly Content[]>;
};

/** With more rows, all contents of the source are read. */
const MOST_ASKED = 32;

/** `forMany`: the contents of a source are read as a whole, for all documents that are asked about. */
function readContents(sql: Statements, forMany?: 'forMany'): Contents {
  const ofEntries = new Map<string, Promise<readonly Content[]>>();
  const byRows = new Map<string, Promise<ReadonlyMap<number, readonly Content[]>>>();
  const isAskedAlone = ({ hasMoved, rows }: Content) => hasMoved && !forMany && rows.length <= MOST_ASKED;
  const readByRow = async (content: Content) => {
    const { source, hasMoved, rows } = content;
    const asked = isAskedAlone(content) ? rows : [];
    const has = asked.map(() => HAS_ROW).join(' OR ');
    const ofRows = asked.length === 0 ? OF_SOURCE : `${OF_SOURCE} AND (${has})`;
    const patterns = asked.map((row) => `%,${row},%`);
    const found = hasMoved ? sql.all(ofRows, source, source, ...patterns) : sql.all(MOVED, source);
    const all = (await found).map(toContent);
    const pairs = all.flatMap((one) => one.rows.map((row) => [row, one] as const));
    return new Map([...Map.groupBy(pairs, ([row]) => row)].map(([row, of]) => [row, of.map(([, one]) => one)]));
  };
  return {
    of: (entry) => getOrSet(ofEntries, entry, async () => (await sql.all(OF_ENTRY, entry)).map(toContent)),
    sharing: async (content) => {
      const alone = isAskedAlone(content) ? `${content.entry} ${content.revision}` : '';
      const key = `${content.hasMoved} ${content.source} ${alone}`;
      const found = await getOrSet(byRows, key, () => readByRow(content));
      const all = new Set(content.rows.flatMap((row) => found.get(row) ?? []));
      return [...all].filter(({ entry }) => entry !== content.entry);
    },
  };
}

function getOrSet<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

function toContent(row: DatabaseRow): Content {
  return {
    entry: text(row, 'entry'),
    revision: row.revision as number,
    source: text(row, 'source'),
    rows: JSON.parse(text(row, 'source_rows')) as readonly number[],
    hasMoved: row.moved !== null,
  };
}

type Place = Pick<Content, 'entry' | 'revision'>;

/** `before`: what may have been sent with rows that a document has now; `after`: what has rows now that it had once. */
type Side = 'before' | 'after';

/**
 * Other documents with rows of one, by the revision that has them. Where a later export has replaced a content, both are of one
 * document, and so are their rows.
 */
async function findSharing(contents: Contents, start: Place, side: Side): Promise<ReadonlyMap<string, number>> {
  const bounds = new Map([[start.entry, start.revision]]);
  const waiting = [start.entry];
  // It grows while it is read.
  for (const entry of waiting) {
    const revision = must(bounds.get(entry), 'the revision of a document');
    for (const other of await findNext(contents, { entry, revision }, side)) {
      const known = bounds.get(other.entry);
      const isFurther = known === undefined || (side === 'after' ? other.revision < known : other.revision > known);
      if (!isFurther || other.entry === start.entry) continue;
      bounds.set(other.entry, other.revision);
      waiting.push(other.entry);
    }
  }
  bounds.delete(start.entry);
  return bounds;
}

async function findNext(contents: Contents, { entry, revision }: Place, side: Side): Promise<readonly Content[]> {
  const own = await contents.of(entry);
  const isSent = (one: Content) => one.revision >= revision;
  const isHad = (one: Content) => one.revision <= revision && isLast(own, one);
  const others: Content[] = [];
  for (const one of own.filter(side === 'after' ? isSent : isHad)) appendAll(others, await contents.sharing(one));
  if (side === 'before') return others;
  const has = await Promise.all(others.map(async (one) => isLast(await contents.of(one.entry), one)));
  return others.filter((_, index) => has[index]);
}

/** Its document has these rows of the source still, or had them when a later export replaced it. */
function isLast(own: readonly Content[], { source, revision }: Content): boolean {
  return own.findLast((one) => one.source === source)?.revision === revision;
}

/** Documents with rows of a content of another one, or of what has taken the place of that content. */
export async function findTakers(sql: Statements, content: Place): Promise<readonly string[]> {
  const [shares] = await sql.all(`SELECT 1 FROM entry e WHERE e.id = ? AND ${MAY_SHARE}`, content.entry);
  return shares ? [...(await findSharing(readContents(sql), content, 'after')).keys()] : [];
}

/** `key`: the submission with what is known of it; news of it are another one. */
type Sent = { readonly key: string; readonly document: string };

/** Also what a person has recorded as issued, whatever its submissions were, or where this ledger knows of none. */
const SENT = `SELECT s.n, s.outcome, s.known, r.facts, e.name FROM attempt s JOIN entry e ON e.id = s.entry
  LEFT JOIN revision r ON r.entry = s.entry AND r.revision = s.revision WHERE s.entry = ? AND s.act = 'submit' AND s.revision <= ? AND s.cleared IS NULL AND ${MAY_BE_PROCESSED}
  UNION SELECT e.submits, NULL, NULL, r.facts, e.name FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  WHERE e.id = ? AND e.revision <= ? AND e.begun_at IS NOT NULL
  UNION SELECT e.submits, e.state, NULL, r.facts, e.name FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  WHERE e.id = ? AND e.revision <= ? AND e.state IN ('authorized', 'invalidated', 'contingency', 'in-doubt')`;

/** The submissions of other documents that may be processed, with rows of this one. */
async function findSent(sql: Statements, contents: Contents, now: Place): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  for (const place of await findSharing(contents, now, 'before')) {
    const [entry] = place;
    for (const { n, outcome, known, facts, name } of await sql.all(SENT, ...place, ...place, ...place)) {
      const { identifier } = JSON.parse((facts as string | null) ?? '{}') as Partial<DocumentFacts>;
      sent.push({ key: `${entry} ${n} ${known ?? outcome ?? ''}`, document: identifier || (name as string) });
    }
  }
  return sent;
}

/** Of an entry `e`, which is not set apart and whose content is not about to be replaced. */
const KEEPS = `SELECT e.identifier, e.name FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision
  WHERE e.id = ? AND e.revision = ? AND NOT (e.state IN ('conflict', 'invalid') AND r.keys IS NULL)
  AND NOT EXISTS (SELECT 1 FROM staged s WHERE s.entry = e.id)`;

/** Another document that has one of its rows now, and keeps it. */
async function findKeeper(sql: Statements, contents: Contents, now: Place): Promise<string | undefined> {
  const own = (await contents.of(now.entry)).at(-1);
  for (const { entry, revision } of own ? await contents.sharing(own) : []) {
    const [keeper] = await sql.all(KEEPS, entry, revision);
    if (keeper) return text(keeper, 'identifier') || text(keeper, 'name');
  }
  return undefined;
}

type Holding = {
  readonly at: string;
  /** Of the answer that is news. */
  readonly reason?: string | Message;
};

/**
 * Holds a document that would be sent, or waits for a person, if rows of it may be out in another one and no person has seen that;
 * what cannot be held shows an answer in its history. True if it is held now.
 */
export async function holdShared(
  sql: Statements,
  context: LedgerContext,
  entry: string,
  holding: Holding,
): Promise<boolean> {
  return await holdWith(sql, context, readContents(sql), { ...holding, entry });
}

/** The same for all of these that may share rows, which have come to count; also if another document only keeps rows of theirs. */
export async function holdAllShared(
  sql: Statements,
  context: LedgerContext,
  entries: readonly string[],
  at: string,
): Promise<void> {
  const find = (places: string) =>
    `SELECT e.id FROM entry e WHERE e.id IN (${places}) AND e.state IN ('ready', 'held') AND ${MAY_SHARE}`;
  const contents = readContents(sql, 'forMany');
  for (const row of await selectByIds(sql, entries, find))
    await holdWith(sql, context, contents, { at, entry: text(row, 'id'), isNew: true });
}

async function holdWith(
  sql: Statements,
  context: LedgerContext,
  contents: Contents,
  { entry, at, reason, isNew }: Holding & { readonly entry: string; readonly isNew?: true },
): Promise<boolean> {
  const [now] = await sql.all(`SELECT * FROM entry e WHERE id = ? AND state <> 'duplicate' AND ${MAY_SHARE}`, entry);
  if (!now) return false;
  const place = { entry, revision: now.revision as number };
  const { hold: other } = optional('hold', now.hold, readStoredHold);
  const seen = new Set([...seenIn(now), ...(Array.isArray(other?.rows) ? other.rows : [])]);
  const sent = (await findSent(sql, contents, place)).filter(({ key }) => !seen.has(key));
  const document = sent[0]?.document ?? (isNew && (await findKeeper(sql, contents, place)));
  if (document === undefined) return false;
  const message =
    reason === undefined ? LEDGER_HOLD.rowsElsewhere({ document }) : LEDGER_HOLD.rowsIssued({ document, reason });
  const own = rowsHold(
    message,
    context.language,
    sent.map(({ key }) => key),
  );
  const isHeld = now.state === 'ready' || now.state === 'held';
  if (isHeld) await holdEntry(sql, context, now, { hold: combineHolds(context, own, other), at });
  else await appendEvent(sql, context, { what: 'rows-issued', entry, at, detail: own });
  return isHeld;
}

/** `now`: the entry, read in the same transaction. */
export async function holdEntry(
  sql: Statements,
  context: LedgerContext,
  now: DatabaseRow,
  { hold, at }: { readonly hold: Hold; readonly at: string },
): Promise<void> {
  const entry = text(now, 'id');
  await sql.run(
    `UPDATE entry SET state = 'held', since = ?, due_at = NULL, hold = ?, receipt_due = 1
     WHERE id = ? AND revision = ? AND submits = ? AND state = ?`,
    ...[Date.parse(at), storedHold(hold), entry, now.revision as number, now.submits as number, text(now, 'state')],
  );
  await touchSummaryOfEntry(sql, entry);
  await appendEvent(sql, context, { what: 'held', entry, at, detail: hold });
}

function seenIn(now: DatabaseRow): readonly string[] {
  return JSON.parse((now.let_go as string | null) ?? '[]') as readonly string[];
}

/** What a person has seen who lets a held document go, as the column `let_go`: what its hold names, and what was let go before. */
export async function letGo(sql: Statements, now: DatabaseRow): Promise<string | null> {
  const { hold } = optional('hold', now.hold, readStoredHold);
  const { rows = hold?.rule === 'rows-issued' ? true : [] } = hold ?? {};
  // An earlier version, and a receipt, do not name them.
  const all = async () =>
    await findSent(sql, readContents(sql), { entry: text(now, 'id'), revision: now.revision as number });
  const shown = rows === true ? (await all()).map(({ key }) => key) : rows;
  return shown.length === 0
    ? (valueIn(now, 'let_go') as string | null)
    : JSON.stringify([...new Set([...seenIn(now), ...shown])]);
}
