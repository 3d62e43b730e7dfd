/**
 * Decisions of a person: an outcome that no answer gave, or a second submission. The table of states allows them.
 */

import type { DatabaseRow, DatabaseValue, Statements } from '../../database/database-driver.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Hold, HoldRule } from '../../model/document.ts';
import { type Closing, CORRECTION_NOT_APPLIED, type Evidence } from '../../model/ledger-entry.ts';
import { readStoredHold } from '../../model/recorded-words.ts';
import { allows, keepsStateAside, mayBeOut, mayResolve, type State } from '../../model/state.ts';
import { APPROVAL_EVENTS } from '../contract/approval.ts';
import {
  appendEvent,
  LATEST_EVENT_FIRST,
  type LedgerContext,
  optional,
  text,
  valueIn,
} from '../contract/ledger-context.ts';
import type { ResolveOptions, SeenVersion, SubmissionStore, UndoOutcome } from '../contract/submission-store.ts';
import { findFirstReading, insertCorrections } from '../intake/record-corrections.ts';
import { addAttempt, noteDecided, noteUndone } from '../records/attempts.ts';
import { receiptDue } from '../records/finish-staging.ts';
import { selectNotFound } from '../records/not-found.ts';
import { holdShared, letGo } from '../records/shared-rows.ts';
import { touchSummaryOfEntry } from '../records/touch-summary.ts';
import { recallAnswered } from './recall-answered.ts';

/** Two answers "does not exist" this far apart allow a person to resend (docs/reference/states.md). */
const NOT_FOUND_APART_MS = 3_600_000;

const DIGEST = 'SELECT r.digest FROM revision r WHERE r.entry = entry.id AND r.revision = entry.revision';

/** By these a person says that no submission of before is at the service. */
const SAYS_NOT_THERE = new Set<State>(['rejected', 'failed', 'returned', 'ready']);

const OUTCOMES = new Set<State>(['authorized', 'invalidated', 'rejected', 'failed', 'contingency', 'returned']);

export function createResolutions(context: LedgerContext) {
  return {
    resolve: (id, evidence, { seen, consultAt } = {}) =>
      context.write((sql) => resolve(sql, context, { id, seen, consultAt }, evidence)),
    withdraw: (id, as, decision, of) =>
      context.write(async (sql) => {
        const { corrections = [], revision } = of ?? { revision: undefined };
        if (!(await withdraw(sql, context, { id, revision }, { as, ...decision }))) return false;
        if (corrections.length > 0) await insertCorrections(sql, context, await firstReadingOf(sql, id), corrections);
        return true;
      }),
    putBack: (id, decision) => context.write((sql) => putBack(sql, context, id, decision)),
    undo: (id, decision) => context.write((sql) => undoDecision(sql, context, id, decision)),
  } satisfies Partial<SubmissionStore>;
}

async function resolve(
  sql: Statements,
  context: LedgerContext,
  { id, seen, consultAt }: { readonly id: string } & ResolveOptions,
  evidence: Evidence,
): Promise<boolean> {
  const [found] = await sql.all(`SELECT * FROM entry WHERE id = ? AND state <> 'staged'`, id);
  // Without its content there is nothing to send, to correct or to ask about.
  if (!found || found.purged !== null || (seen && !isVersion(found, seen)) || !(await isAllowed(sql, found, evidence)))
    return false;
  const closing = closingOf(found, evidence);
  const now = closing ? found : await recallAnswered(sql, context, found, evidence.as);
  if (closing) await close(sql, now, closing);
  else await changeState(sql, now, evidence, consultAt);
  const { at, by: person } = evidence;
  await recordDecision(sql, now, { as: closing ? stateOf(now) : evidence.as, at, reason: evidence.reason });
  const before = kept(now);
  const held = optional('hold', now.hold, readStoredHold);
  const detail = { from: stateOf(now), ...held, ...evidence, as: closing?.as ?? evidence.as, before };
  await appendEvent(sql, context, { what: closing?.as ?? evidence.as, entry: id, at, person, detail });
  if (!closing && SAYS_NOT_THERE.has(evidence.as)) await noteDecided(sql, id, (now.resolves as number) + 1);
  // What a person has not seen yet holds it at once.
  if (evidence.as === 'ready') await holdShared(sql, context, id, { at });
  return true;
}

async function withdraw(
  sql: Statements,
  context: LedgerContext,
  { id, revision }: { readonly id: string; readonly revision: number | undefined },
  decision: Pick<Evidence, 'as' | 'by' | 'at' | 'reason'>,
): Promise<boolean> {
  // A resend has the content of an attempt, which another content must not replace.
  const sentBefore = `SELECT 1 FROM attempt a WHERE a.entry = entry.id AND a.act = 'submit' AND a.revision = entry.revision`;
  const find = `SELECT * FROM entry WHERE id = ? AND state IN ('ready', 'held', 'invalid', 'conflict') AND request_id IS NULL
    AND NOT EXISTS (${sentBefore})`;
  const [now] = await sql.all(find, id);
  // An export may have replaced it since: its rows are others.
  if (!now || (revision !== undefined && now.revision !== revision)) return false;
  if (now.hold !== null && mayBeOut(holdRuleOfRow(now))) return false;
  const isAside = decision.as === 'invalid';
  const evidence = isAside ? JSON.stringify(decision) : await rejectedBy(sql, id);
  const hold = isAside ? await heldBefore(sql, id) : null;
  await changeState(sql, now, decision);
  await sql.run('UPDATE entry SET evidence = ?, hold = ? WHERE id = ?', evidence, hold, id);
  await recordDecision(sql, now, decision);
  const detail = { from: stateOf(now), as: decision.as, reason: decision.reason, before: kept(now) };
  await appendEvent(sql, context, { what: 'withdrawn', entry: id, at: decision.at, person: decision.by, detail });
  return true;
}

async function firstReadingOf(sql: Statements, id: string): Promise<string> {
  const latest =
    'SELECT r.file FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision WHERE e.id = ?';
  const [row] = await sql.all(latest, id);
  if (!row) throw new Error(`no entry ${id} in the ledger`);
  return await findFirstReading(sql, text(row, 'file'));
}

/** Why the document waited before its correction: what it becomes again waits for that too. */
async function heldBefore(sql: Statements, id: string): Promise<string | null> {
  const all = `SELECT what, detail FROM event WHERE entry = ? AND what IN ('read-again', 'held') ORDER BY ${LATEST_EVENT_FIRST}`;
  const events = await sql.all(all, id);
  const last = events.findIndex(({ what }) => what === 'read-again');
  const reading = events[last];
  const { from } = JSON.parse((reading?.detail as string | null | undefined) ?? '{}') as { readonly from?: State };
  if (!reading || from !== 'held') return null;
  const held = events.slice(last).find(({ what }) => what === 'held');
  return (held?.detail as string | null | undefined) ?? null;
}

/** The decision by which the content before was rejected; null if the service itself reported that. */
async function rejectedBy(sql: Statements, id: string): Promise<string | null> {
  const isWithdrawal = `a.act = 'resolve' AND EXISTS (SELECT 1 FROM event v WHERE v.entry = a.entry AND v.what = 'withdrawn' AND v.at = a.at)`;
  const last = `SELECT act FROM attempt a WHERE entry = ? AND outcome IS NOT NULL AND NOT (${isWithdrawal}) ORDER BY ordinal DESC LIMIT 1`;
  const [attempt] = await sql.all(last, id);
  if (attempt?.act !== 'resolve') return null;
  const decided = `SELECT detail FROM event WHERE entry = ? AND what = 'rejected' AND person IS NOT NULL ORDER BY ${LATEST_EVENT_FIRST} LIMIT 1`;
  const [event] = await sql.all(decided, id);
  if (!event) return null;
  const { as, by, at, reason, file, sha256, approvedBy, approvedAt } = JSON.parse(text(event, 'detail')) as Evidence;
  return JSON.stringify(definedOnly({ as, by, at, reason, file, sha256, approvedBy, approvedAt }));
}

async function changeState(
  sql: Statements,
  now: DatabaseRow,
  evidence: Evidence,
  consultAt: number | null = null,
): Promise<void> {
  const { as, at } = evidence;
  const id = text(now, 'id');
  const ready = Number(as === 'ready');
  // Another installation may have sent it, or an earlier submission: neither this content nor another one is sent from an export.
  const isAsideAndOut = as === 'invalid' && now.hold !== null && mayBeOut(holdRuleOfRow(now));
  await sql.run(
    // A resend is a new request: the id of the former one is not reused.
    `UPDATE entry SET state = ?, since = ?, evidence = ?, due_at = ?, consult_at = ?, request_id = NULL, tries = 0,
     receipt_due = ?, hold = ?, let_go = ?, released = CASE WHEN ? = 1 THEN (${DIGEST}) ELSE released END
     WHERE id = ? AND ${AS_JUDGED}`,
    ...[
      as,
      Date.parse(at),
      JSON.stringify(evidence),
      ready ? 0 : null,
      consultAt,
      receiptDue(as),
      isAsideAndOut ? valueIn(now, 'hold') : null,
      ready ? await letGo(sql, now) : valueIn(now, 'let_go'),
      ready,
      id,
      ...judged(now),
    ],
  );
  if (isAsideAndOut) await sql.run(`UPDATE entry SET sent_digest = (${DIGEST}) WHERE id = ?`, id);
}

/** Whether an entry is still the version that a person has seen. */
export function isVersion(now: DatabaseRow | undefined, { revision, state, since }: SeenVersion): boolean {
  if (now?.revision !== revision || now.state !== state) return false;
  return since === undefined || now.since === Date.parse(since);
}

/** The state, its number and its consultations stay: only the list of open work loses the document. */
async function close(sql: Statements, now: DatabaseRow, closing: Closing): Promise<void> {
  await sql.run(
    `UPDATE entry SET closed = ?, closed_since = since, receipt_due = ? WHERE id = ? AND ${AS_JUDGED}`,
    ...[JSON.stringify(closing), receiptDue(stateOf(now)), text(now, 'id'), ...judged(now)],
  );
}

/** Counts the decision and makes the summary due, so that no receipt from before it counts as the latest. */
async function recordDecision(
  sql: Statements,
  now: DatabaseRow,
  { as, at, reason }: Pick<Evidence, 'as' | 'at' | 'reason'>,
): Promise<void> {
  const id = text(now, 'id');
  const n = (now.resolves as number) + 1;
  await sql.run('UPDATE entry SET resolves = ? WHERE id = ?', n, id);
  const outcome = { state: as, reason, code: null, answer: null };
  const key = { entry: id, act: 'resolve', n } as const;
  await addAttempt(sql, key, { revision: now.revision as number, requestId: '', at, run: '', outcome });
  await touchSummaryOfEntry(sql, id);
}

/** Undefined: the decision changes the state. */
function closingOf(now: DatabaseRow, evidence: Evidence): Closing | undefined {
  const { as, by, at, reason, approvedBy, approvedAt } = evidence;
  const state = stateOf(now);
  const decided = definedOnly({ by, at, reason, approvedBy, approvedAt });
  if (as === 'invalid') return keepsStateAside(state) ? { as: 'set-aside', ...decided } : undefined;
  return as === state ? { as: 'acknowledged', ...decided } : undefined;
}

function isClosedNow(now: DatabaseRow): boolean {
  return now.closed !== null && now.closed_since === now.since;
}

function stateOf(row: DatabaseRow): State {
  return text(row, 'state') as State;
}

/** Events with a person that changed nothing. */
const NOT_UNDONE = [CORRECTION_NOT_APPLIED, ...APPROVAL_EVENTS];
/** Events that end a decision; they are no decisions that could be undone. */
const ENDS: ReadonlySet<unknown> = new Set(['undone', 'withdrawn']);

/** The state, the content and the number of submissions that a decision was judged by. */
const AS_JUDGED = 'state = ? AND revision = ? AND submits = ?';

function judged(now: DatabaseRow): readonly DatabaseValue[] {
  return [stateOf(now), valueIn(now, 'revision'), valueIn(now, 'submits')];
}

/** Columns of an entry that a decision changes, and those that must be as they were for it to be undone. */
const RESTORED = [
  ...['state', 'since', 'evidence', 'due_at', 'consult_at', 'request_id', 'tries', 'hold', 'released', 'sent_digest'],
  'let_go',
  ...['closed', 'closed_since'],
] as const;
const UNCHANGED = ['revision', 'submits', 'consults'] as const;
const KEPT_FOR_UNDO = [...RESTORED, ...UNCHANGED] as const;

type Kept = { readonly [column in string]: DatabaseValue };

function kept(now: DatabaseRow): Kept {
  return Object.fromEntries(KEPT_FOR_UNDO.map((column) => [column, valueIn(now, column)]));
}

type Undoing = Pick<Evidence, 'by' | 'at' | 'reason'>;
/** An event of a person, and the entry as it was before. */
type Undone = { readonly what: string; readonly at: string; readonly before: Kept };

/** After `withdraw` with the same decision: its correction could not be taken back, so the entry is again what it was. */
async function putBack(sql: Statements, context: LedgerContext, id: string, decision: Undoing): Promise<boolean> {
  const [now] = await sql.all('SELECT * FROM entry WHERE id = ?', id);
  const find = `SELECT what, at, detail FROM event WHERE entry = ? AND what = 'withdrawn' AND at = ?`;
  const [event] = await sql.all(find, id, decision.at);
  if (!now || !event) return false;
  const { before, as } = JSON.parse(text(event, 'detail')) as { before: Kept; as: string };
  // An outcome that has come since marks it without its evidence.
  const isAsLeft =
    now.state === as && now.evidence !== null && (JSON.parse(now.evidence as string) as Evidence).at === decision.at;
  if (now.purged !== null || !isAsLeft || !hasSameWork(now, before)) return false;
  await restoreBefore(sql, context, now, { what: 'withdrawn', at: decision.at, before }, decision);
  return true;
}

/**
 * The entry is again what it was before the last decision of a person, if nothing but the decision happened to it: no
 * submission began, no consultation ended, no new revision came. A resend that is undone is never sent.
 */
async function undoDecision(
  sql: Statements,
  context: LedgerContext,
  id: string,
  { by, at, reason }: Undoing,
): Promise<UndoOutcome> {
  const [now] = await sql.all(`SELECT * FROM entry WHERE id = ? AND state <> 'staged'`, id);
  if (!now) return 'nothing';
  const all = `SELECT what, at, detail FROM event WHERE entry = ? AND person IS NOT NULL AND what NOT IN ('purged', ${NOT_UNDONE.map(() => '?').join(', ')})
    ORDER BY ${LATEST_EVENT_FIRST}`;
  const decision = lastDecision(await sql.all(all, id, ...NOT_UNDONE));
  if (!decision) return 'nothing';
  if (ENDS.has(decision.what)) return 'undone-before';
  const { before, as } = JSON.parse((decision.detail as string | null) ?? '{}') as { before?: Kept; as?: string };
  if (!before) return decision.what === 'read-again' ? 'correction' : 'too-old';
  if (now.purged !== null) return 'purged';
  const isClosing = as === 'set-aside' || as === 'acknowledged';
  const latest = isClosing ? now.closed : now.evidence;
  const isLatest = latest !== null && (JSON.parse(latest as string) as Evidence).at === decision.at;
  if (!isUnchanged(now, before) || !isLatest || stateOf(now) !== (isClosing ? before.state : as)) return 'moved-on';
  const undone = { what: text(decision, 'what'), at: text(decision, 'at'), before };
  await restoreBefore(sql, context, now, undone, { by, at, reason });
  return 'undone';
}

async function restoreBefore(
  sql: Statements,
  context: LedgerContext,
  now: DatabaseRow,
  { what: undid, at: undidAt, before }: Undone,
  { by, at, reason }: Undoing,
): Promise<void> {
  const entry = text(now, 'id');
  const columns = RESTORED.map((column) => `${column} = ?`).join(', ');
  const state = before.state as State;
  await sql.run(
    `UPDATE entry SET ${columns}, receipt_due = ? WHERE id = ? AND ${AS_JUDGED}`,
    ...[...RESTORED.map((column) => before[column] ?? null), receiptDue(state), entry, ...judged(now)],
  );
  await noteUndone(sql, entry, undidAt);
  await recordDecision(sql, now, { as: state, at, reason });
  const detail = { from: stateOf(now), as: state, undid, undidAt, reason };
  await appendEvent(sql, context, { what: 'undone', entry, at, person: by, detail });
}

/** `events`: the latest first. What was withdrawn and put back counts as if it had not been; a purge leaves no detail. */
function lastDecision([latest, ...earlier]: readonly DatabaseRow[]): DatabaseRow | undefined {
  if (latest?.what !== 'undone' || latest.detail === null) return latest;
  const { undid, undidAt } = JSON.parse(text(latest, 'detail')) as { undid?: string; undidAt?: string };
  const withdrawn = earlier.findIndex(({ what, at }) => what === 'withdrawn' && what === undid && at === undidAt);
  return withdrawn < 0 ? latest : lastDecision(earlier.slice(withdrawn + 1));
}

/** An outcome that has come since marks the entry with a hold. */
function isUnchanged(now: DatabaseRow, before: Kept): boolean {
  const isMarked = now.hold !== null && now.hold !== before.hold;
  return !isMarked && hasSameWork(now, before);
}

function hasSameWork(now: DatabaseRow, before: Kept): boolean {
  return UNCHANGED.every((column) => valueIn(now, column) === before[column]);
}

function holdRuleOfRow({ hold }: DatabaseRow): HoldRule | undefined {
  return hold === null ? undefined : (JSON.parse(hold as string) as Hold).rule;
}

async function isAllowed(sql: Statements, now: DatabaseRow, { as, file }: Evidence): Promise<boolean> {
  const state = stateOf(now);
  if (as === 'ready' && (allows(state, 'retry') || allows(state, 'release'))) return true;
  if (as === 'ready') return file !== undefined && (await isShownNotProcessed(sql, now));
  if (as === 'invalid') return allows(state, 'set-aside') && !isClosedNow(now);
  if (as === state && allows(state, 'acknowledge')) return !isClosedNow(now);
  return as !== state && mayResolve(state, holdRuleOfRow(now)) && OUTCOMES.has(as);
}

/** A document in contingency never counts: the service has it, even if a consultation does not find it. */
async function isShownNotProcessed(sql: Statements, now: DatabaseRow): Promise<boolean> {
  if (now.state !== 'in-doubt' && now.state !== 'returned') return false;
  const id = text(now, 'id');
  const notFound = (await selectNotFound(sql, [id])).get(id);
  if (!notFound || notFound.times < 2) return false;
  return Date.parse(notFound.lastAt) - Date.parse(notFound.firstAt) >= NOT_FOUND_APART_MS;
}
