/**
 * Consultations in a row that answered "does not exist" (code 18). They are counted from the attempts since the last submission of
 * the present revision: what was asked before proves nothing about it, and any other trusted answer ends the row. Questions
 * may overlap: only what was asked after every other answer had come counts.
 */
import type { NotFound } from '../../model/ledger-entry.ts';
import { greatestOf } from '../../text/long-lists.ts';
import { selectByIds, text } from '../contract/ledger-context.ts';
import type { DatabaseRow, Statements } from '../database/database-driver.ts';

/** The consultations `a` of an entry that began after its last submission ended. */
export const AFTER_LAST_SUBMISSION = `a.act = 'consult' AND a.ordinal > COALESCE(
  (SELECT MAX(s.ordinal) FROM attempt s WHERE s.entry = a.entry AND s.act = 'submit'), -1)`;

/** "Does not exist"; the codes of services are in model/answer.ts. */
const DOES_NOT_EXIST = 18;

/** A consultation without an exchange is known only from a receipt, which may be older than the last submission. */
const ANSWERED = (places: string) => `SELECT a.entry, a.n, a.at, a.code FROM attempt a
  JOIN entry e ON e.id = a.entry AND e.revision = a.revision AND e.state <> 'sending'
  WHERE a.entry IN (${places}) AND a.code IS NOT NULL AND a.exchange IS NOT NULL AND ${AFTER_LAST_SUBMISSION}
  ORDER BY a.entry, a.ordinal`;

/** When the answers of consultations came: the time of an attempt is that of its question. */
const CAME = (places: string) =>
  `SELECT entry, what, at, detail FROM event WHERE entry IN (${places}) AND what IN ('consulted', 'late-verdict')`;

/** Those of these entries that have any. */
export async function selectNotFound(
  sql: Statements,
  entries: readonly string[],
): Promise<ReadonlyMap<string, NotFound>> {
  const answered = Map.groupBy(await selectByIds(sql, entries, ANSWERED), (row) => text(row, 'entry'));
  const mixed = [...answered]
    .filter(([, rows]) => rows.some(isNotFound) && !rows.every(isNotFound))
    .map(([entry]) => entry);
  const came = Map.groupBy(mixed.length === 0 ? [] : await selectByIds(sql, mixed, CAME), (row) => text(row, 'entry'));
  const found = new Map<string, NotFound>();
  for (const [entry, rows] of answered) {
    const others = rows.filter((row) => !isNotFound(row)).map(({ n }) => n as number);
    const lastCame = greatestOf([0, ...endsOf(came.get(entry) ?? [], others)]);
    const inRow = rows
      .slice(rows.findLastIndex((row) => !isNotFound(row)) + 1)
      .filter((row) => Date.parse(text(row, 'at')) > lastCame);
    const [first, last] = [inRow[0], inRow.at(-1)];
    if (first && last) found.set(entry, { times: inRow.length, firstAt: timeOf(first), lastAt: timeOf(last) });
  }
  return found;
}

function isNotFound({ code }: DatabaseRow): boolean {
  return code === DOES_NOT_EXIST;
}

/** When the answers to these consultations came, in epoch milliseconds. */
function endsOf(events: readonly DatabaseRow[], consultations: readonly number[]): readonly number[] {
  return events.flatMap((row) => {
    const { n, act } = JSON.parse(text(row, 'detail')) as { readonly n?: number; readonly act?: string };
    const isOne = (row.what === 'consulted' || act === 'consult') && n !== undefined && consultations.includes(n);
    return isOne ? [Date.parse(text(row, 'at'))] : [];
  });
}

function timeOf(row: DatabaseRow): string {
  return new Date(text(row, 'at')).toISOString();
}
