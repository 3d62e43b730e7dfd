/**
 * Consultations in a row that answered "does not exist" (code 18). They are counted from the attempts since the last submission of
 * the present revision: what was asked before proves nothing about it, and any other trusted answer ends the row. Questions
 * may overlap: only what was asked after every other answer was recorded counts, whatever the clock said.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import type { NotFound } from '../../model/ledger-entry.ts';
import { selectByIds, text } from '../contract/ledger-context.ts';

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

/** Answers as they were recorded; `asked`: how many consultations had begun by then, which earlier versions did not keep. */
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
    const ends = endsOf(came.get(entry) ?? [], others);
    const inRow = rows
      .slice(rows.findLastIndex((row) => !isNotFound(row)) + 1)
      .filter((row) => ends.every((isAfter) => isAfter(row)));
    const [first, last] = [inRow[0], inRow.at(-1)];
    if (first && last) found.set(entry, { times: inRow.length, firstAt: timeOf(first), lastAt: timeOf(last) });
  }
  return found;
}

function isNotFound({ code }: DatabaseRow): boolean {
  return code === DOES_NOT_EXIST;
}

/** For each recorded answer to these consultations: whether a later question began after it. */
function endsOf(
  events: readonly DatabaseRow[],
  consultations: readonly number[],
): readonly ((row: DatabaseRow) => boolean)[] {
  return events.flatMap((event) => {
    const { n, act, asked } = JSON.parse(text(event, 'detail')) as Recorded;
    const isOne = (event.what === 'consulted' || act === 'consult') && n !== undefined && consultations.includes(n);
    if (!isOne) return [];
    const endedMs = Date.parse(text(event, 'at'));
    return [(row) => (asked === undefined ? Date.parse(text(row, 'at')) > endedMs : (row.n as number) > asked)];
  });
}

type Recorded = { readonly n?: number; readonly act?: string; readonly asked?: number };

function timeOf(row: DatabaseRow): string {
  return new Date(text(row, 'at')).toISOString();
}
