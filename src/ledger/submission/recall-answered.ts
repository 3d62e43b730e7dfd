/**
 * What a service has under a number is the content that it was asked about. A person who records that after a correction took its
 * place records it about this content: it counts again, and the correction is a conflict with it.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { STATE_BY_CODE } from '../../model/answer.ts';
import type { DocumentFacts } from '../../model/document.ts';
import { readStoredHold } from '../../model/recorded-words.ts';
import type { State } from '../../model/state.ts';
import { LATEST_EVENT_FIRST, type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import { MAY_BE_PROCESSED } from '../records/attempts.ts';
import { setRevisionApart } from '../records/finish-staging.ts';
import { touchSummaryOfEntry } from '../records/touch-summary.ts';
import { HAS_IT, KNOWN_TO_SERVICE } from './attempt-effect.ts';

/** In the order in which they were recorded: ids of a program rise when the clock is set back too. */
const LATE = `SELECT detail FROM event WHERE entry = ? AND what = 'late-verdict' ORDER BY ${LATEST_EVENT_FIRST}`;
const IS_OPEN = `SELECT 1 FROM attempt s WHERE s.entry = ? AND s.act = 'submit' AND s.revision = ? AND ${MAY_BE_PROCESSED} LIMIT 1`;

/** Resolves to the entry as it is afterwards. */
export async function recallAnswered(
  sql: Statements,
  context: LedgerContext,
  now: DatabaseRow,
  as: State,
): Promise<DatabaseRow> {
  const { hold } = optional('hold', now.hold, readStoredHold);
  if (!HAS_IT.has(as) || hold?.rule !== 'outcome-arrived') return now;
  const entry = text(now, 'id');
  const answered = await answeredRevision(sql, entry, now.revision as number);
  if (answered === undefined) return now;
  await touchSummaryOfEntry(sql, entry);
  // A revision of its own: attempts and receipts of the correction keep their number, and so does one that is being read.
  const [last] = await sql.all('SELECT MAX(revision) AS n FROM revision WHERE entry = ?', entry);
  const next = (last?.n as number) + 1;
  await setRevisionApart(sql, context, entry);
  await sql.run(
    `INSERT INTO revision (entry, revision, file, first_row, source_rows, kind, class, outcome, first, digest, content_sha256, facts,
     faults, content, keys, moved) SELECT entry, CAST(? AS BIGINT), file, first_row, source_rows, kind, class, 'held', NULL, digest,
     content_sha256, facts, faults, content, keys, moved FROM revision WHERE entry = ? AND revision = ?`,
    ...[next, entry, answered],
  );
  const [sent] = await sql.all('SELECT class, facts FROM revision WHERE entry = ? AND revision = ?', entry, next);
  if (!sent) throw new Error(`entry ${entry} has no revision ${answered}`);
  const { identifier, receiver } = JSON.parse(text(sent, 'facts')) as DocumentFacts;
  const [recalled] = await sql.all(
    `UPDATE entry SET revision = ?, class = ?, identifier = ?, receiver = ?, first = NULL, code = NULL, answer = NULL, tries = 0,
     request_id = NULL WHERE id = ? RETURNING *`,
    ...[next, text(sent, 'class'), identifier, receiver ?? null, entry],
  );
  return recalled ?? now;
}

/** The outcome was about another content than that of the latest revision. */
const ABOUT_OTHER = `SELECT r.revision FROM attempt a JOIN revision r ON r.entry = a.entry AND r.revision = a.revision
  JOIN revision l ON l.entry = a.entry AND l.revision = ? AND l.content_sha256 <> r.content_sha256
  WHERE a.entry = ? AND a.act = ? AND a.n = ?`;

/**
 * The revision that a late outcome was about: the last one by which the service has it, else the last that it knows; undefined where
 * the service may have the latest content too, and where that is the same content.
 */
async function answeredRevision(sql: Statements, entry: string, latest: number): Promise<number | undefined> {
  if ((await sql.all(IS_OPEN, entry, latest)).length > 0) return undefined;
  const late = (await sql.all(LATE, entry)).map((row) => JSON.parse(text(row, 'detail')) as LateVerdict);
  const found = late.find(saysThatItIsThere) ?? late.find(({ state }) => KNOWN_TO_SERVICE.has(state));
  if (!found) return undefined;
  const { act = 'submit', n } = found;
  return (await sql.all(ABOUT_OTHER, latest, entry, act, n))[0]?.revision as number | undefined;
}

function saysThatItIsThere({ state, code, answer }: LateVerdict): boolean {
  const says = STATE_BY_CODE.get(code ?? answer?.code ?? 0);
  return HAS_IT.has(state) || (says !== undefined && HAS_IT.has(says));
}

type LateVerdict = {
  readonly act?: string;
  readonly n: number;
  readonly state: State;
  readonly code?: number;
  readonly answer?: { readonly code: number };
};
