/**
 * Decisions of a person: an outcome that no answer gave, or a second submission. The table of states allows them.
 */
import type { Hold, HoldRule } from '../../model/document.ts';
import type { Evidence } from '../../model/ledger-entry.ts';
import { readStoredHold } from '../../model/recorded-words.ts';
import { allows, mayBeOut, type State } from '../../model/state.ts';
import { appendEvent, type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { SubmissionStore } from '../contract/submission-store.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { addAttempt } from '../records/attempts.ts';
import { receiptDue } from '../records/finish-staging.ts';
import { touchSummaryOfEntry } from '../records/touch-summary.ts';

/** Two answers "does not exist" this far apart allow a person to resend (docs/reference/states.md). */
const NOT_FOUND_APART_MS = 3_600_000;

const DIGEST = 'SELECT r.digest FROM revision r WHERE r.entry = entry.id AND r.revision = entry.revision';

const OUTCOMES = new Set<State>(['authorized', 'invalidated', 'rejected', 'failed', 'contingency', 'returned']);

export function createResolutions(context: LedgerContext) {
  return {
    resolve: (id, evidence) => context.write((sql) => resolve(sql, context, id, evidence)),
  } satisfies Partial<SubmissionStore>;
}

async function resolve(sql: Statements, context: LedgerContext, id: string, evidence: Evidence): Promise<boolean> {
  const [now] = await sql.all(`SELECT * FROM entry WHERE id = ? AND state <> 'staged'`, id);
  if (!now || !isAllowed(now, evidence)) return false;
  const { as, by, at, reason } = evidence;
  const ready = Number(as === 'ready');
  await sql.run(
    // A resend is a new request: the id of the former one is not reused.
    `UPDATE entry SET state = ?, since = ?, evidence = ?, due_at = ?, consult_at = NULL, request_id = NULL, tries = 0,
     resolves = resolves + 1, receipt_due = ?, hold = NULL, released = CASE WHEN ? = 1 THEN (${DIGEST}) ELSE released END
     WHERE id = ?`,
    ...[as, Date.parse(at), JSON.stringify(evidence), ready ? 0 : null, receiptDue(as), ready, id],
  );
  if (as === 'invalid' && now.hold !== null && mayBeOut(holdRuleOfRow(now))) {
    // Another installation may have sent it, so this content is not sent from another export either.
    await sql.run(`UPDATE entry SET sent_digest = (${DIGEST}) WHERE id = ?`, id);
  }
  const n = (now.resolves as number) + 1;
  const key = { entry: id, act: 'resolve', n } as const;
  const outcome = { state: as, reason, code: null, answer: null };
  await addAttempt(sql, key, { revision: now.revision as number, requestId: '', at, run: '', outcome });
  await touchSummaryOfEntry(sql, id);
  const detail = { from: text(now, 'state'), ...optional('hold', now.hold, readStoredHold), ...evidence };
  await appendEvent(sql, context, { what: as, entry: id, at, person: by, detail });
  return true;
}

function holdRuleOfRow({ hold }: DatabaseRow): HoldRule | undefined {
  return hold === null ? undefined : (JSON.parse(hold as string) as Hold).rule;
}

function isAllowed(now: DatabaseRow, { as, file }: Evidence): boolean {
  const state = text(now, 'state') as State;
  if (as === 'ready') return allows(state, 'resend') || allows(state, 'release') || isShownNotProcessed(now, file);
  if (as === 'invalid') return allows(state, 'reject');
  return as !== state && allows(state, 'resolve') && OUTCOMES.has(as);
}

/** A document in contingency never counts: the service has it, even if a consultation does not find it. */
function isShownNotProcessed(now: DatabaseRow, proof: string | undefined): boolean {
  if (proof === undefined || (now.state !== 'in-doubt' && now.state !== 'returned')) return false;
  const apart = (now.not_found_last as number) - (now.not_found_first as number);
  return (now.not_found as number) >= 2 && apart >= NOT_FOUND_APART_MS;
}
