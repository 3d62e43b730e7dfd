/**
 * What a service has under a number is the content that it was asked about. A person who records that after a correction took its
 * place records it about this content: it counts again, and the correction is a conflict with it.
 */
import { STATE_BY_CODE } from '../../model/answer.ts';
import type { DocumentFacts } from '../../model/document.ts';
import { readStoredHold } from '../../model/recorded-words.ts';
import type { State } from '../../model/state.ts';
import { type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';
import { setRevisionApart } from '../records/finish-staging.ts';
import { touchSummaryOfEntry } from '../records/touch-summary.ts';
import { HAS_IT, KNOWN_TO_SERVICE } from './attempt-effect.ts';

const LATE = `SELECT detail FROM event WHERE entry = ? AND what = 'late-verdict' ORDER BY at DESC, id DESC`;
const MAY_BE_PROCESSED = `SELECT 1 FROM attempt WHERE entry = ? AND act = 'submit' AND revision = ?
  AND (outcome IS NULL OR outcome NOT IN ('ready', 'refused', 'returned')) LIMIT 1`;

/** Resolves to the entry as it is afterwards. */
export async function recallAnswered(
  sql: Statements,
  context: LedgerContext,
  now: DatabaseRow,
  as: State,
): Promise<DatabaseRow> {
  const { hold } = optional('hold', now.hold, readStoredHold);
  if (!HAS_IT.has(as) || hold?.rule !== 'outcome-arrived') return now;
  const [entry, correction] = [text(now, 'id'), now.revision as number];
  const answered = await answeredRevision(sql, entry, correction);
  if (answered === undefined || answered === correction) return now;
  await touchSummaryOfEntry(sql, entry);
  await setRevisionApart(sql, context, entry);
  // A revision of its own: attempts and receipts of the correction keep their number.
  await sql.run(
    `INSERT INTO revision (entry, revision, file, first_row, source_rows, kind, class, outcome, first, digest, content_sha256, facts,
     faults, content, keys) SELECT entry, CAST(? AS BIGINT), file, first_row, source_rows, kind, class, 'held', NULL, digest,
     content_sha256, facts, faults, content, keys FROM revision WHERE entry = ? AND revision = ?`,
    ...[correction + 1, entry, answered],
  );
  const [sent] = await sql.all(
    'SELECT class, facts FROM revision WHERE entry = ? AND revision = ?',
    entry,
    correction + 1,
  );
  if (!sent) throw new Error(`entry ${entry} has no revision ${answered}`);
  const { identifier, receiver } = JSON.parse(text(sent, 'facts')) as DocumentFacts;
  const [recalled] = await sql.all(
    `UPDATE entry SET revision = ?, class = ?, identifier = ?, receiver = ?, first = NULL, code = NULL, answer = NULL, tries = 0,
     request_id = NULL WHERE id = ? RETURNING *`,
    ...[correction + 1, text(sent, 'class'), identifier, receiver ?? null, entry],
  );
  return recalled ?? now;
}

/** The content that the last late outcome was about; undefined where the service may have the latest content too. */
async function answeredRevision(sql: Statements, entry: string, latest: number): Promise<number | undefined> {
  if ((await sql.all(MAY_BE_PROCESSED, entry, latest)).length > 0) return undefined;
  for (const row of await sql.all(LATE, entry)) {
    const { act = 'submit', n, state, code, answer } = JSON.parse(text(row, 'detail')) as LateVerdict;
    const says = STATE_BY_CODE.get(code ?? answer?.code ?? 0);
    if (!KNOWN_TO_SERVICE.has(state) && !(says && HAS_IT.has(says))) continue;
    const find = 'SELECT revision FROM attempt WHERE entry = ? AND act = ? AND n = ?';
    return (await sql.all(find, entry, act, n))[0]?.revision as number | undefined;
  }
  return undefined;
}

type LateVerdict = {
  readonly act?: string;
  readonly n: number;
  readonly state: State;
  readonly code?: number;
  readonly answer?: { readonly code: number };
};
