/** Reads what people recorded about files and entries: corrections, files set aside, and the history of an entry. */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import {
  type Correction,
  EXPORT_WAIVED,
  EXPORT_WAIVER_UNDONE,
  FILE_SET_ASIDE,
  FILE_SET_ASIDE_UNDONE,
  type HistoryLine,
  type WaivedExport,
} from '../../model/ledger-entry.ts';
import { withPhrases } from '../../model/recorded-words.ts';
import { pagesAfter } from '../../text/long-lists.ts';
import { EVENTS_IN_ORDER, type LedgerContext, optional, text } from '../contract/ledger-context.ts';
import type { QueryStore } from '../contract/query-store.ts';
import { attemptEnd } from './attempts.ts';

const PAGE = 1000;
const CORRECTIONS = `SELECT * FROM correction WHERE (file, n) > (?, ?) ORDER BY file, n LIMIT ${PAGE}`;
/** A row that is left out as a whole has no column name. */
const REPEATED = `SELECT f.mapping_id AS mapping, c.source_column, c.former, MIN(c.value) AS value,
  COUNT(DISTINCT c.file) AS files, MAX(c.at) AS last_at
  FROM correction c JOIN source_file f ON f.id = c.file
  WHERE f.mapping_id IS NOT NULL AND c.source_column <> '' AND c.former <> c.value
  GROUP BY f.mapping_id, c.source_column, c.former
  HAVING COUNT(DISTINCT c.value) = 1 AND COUNT(DISTINCT c.file) >= ?
  ORDER BY files DESC, f.mapping_id, c.source_column, c.former`;

/** The first file is of an earlier day only in ledgers that are older than the records of runs, or made from receipts. */
const FIRST_USE = `SELECT MIN(at) AS at FROM (
  SELECT MIN(started_at) AS at FROM run UNION ALL
  SELECT claimed_at AS at FROM source_file WHERE id = (SELECT MIN(id) FROM source_file)) first_uses`;

/** The condition of the index `event_decision`, word for word, so that SQLite uses it. */
const IS_DECISION = `what IN ('file-set-aside', 'file-set-aside-undone', 'export-waived', 'export-waiver-undone')`;

export function createHistoryQueries({ read }: LedgerContext) {
  return {
    correctionsOf: (fileId) =>
      read(async (sql) => {
        const find = `SELECT c.* FROM source_file f JOIN correction c ON c.file = COALESCE(f.rereads, f.id)
          WHERE f.id = ? AND (f.corrections IS NULL OR c.n <= f.corrections) ORDER BY c.n`;
        return (await sql.all(find, fileId)).map(toCorrection);
      }),
    allCorrections: async function* () {
      const next = (last?: DatabaseRow) =>
        read(async (sql) => sql.all(CORRECTIONS, last ? text(last, 'file') : '', (last?.n ?? 0) as number));
      for await (const rows of pagesAfter(PAGE, next))
        for (const row of rows) yield { file: text(row, 'file'), n: row.n as number, correction: toCorrection(row) };
    },
    repeatedCorrections: (files) =>
      read(async (sql) =>
        (await sql.all(REPEATED, files)).map((row) => ({
          mapping: text(row, 'mapping'),
          column: text(row, 'source_column'),
          from: text(row, 'former'),
          to: text(row, 'value'),
          files: row.files as number,
          lastAt: text(row, 'last_at'),
        })),
      ),
    filesSetAside: () =>
      read(async (sql) => {
        const statement = `SELECT file, what, at FROM event WHERE ${IS_DECISION} AND what IN (?, ?) AND file IS NOT NULL ORDER BY ${EVENTS_IN_ORDER}`;
        const setAside = new Map<string, string>();
        for (const row of await sql.all(statement, FILE_SET_ASIDE, FILE_SET_ASIDE_UNDONE)) {
          if (row.what === FILE_SET_ASIDE) setAside.set(text(row, 'file'), text(row, 'at'));
          else setAside.delete(text(row, 'file'));
        }
        return setAside;
      }),
    exportsWaived: () =>
      read(async (sql) => {
        const statement = `SELECT what, person, detail FROM event WHERE ${IS_DECISION} AND what IN (?, ?) ORDER BY ${EVENTS_IN_ORDER}`;
        const waived = new Map<string, WaivedExport>();
        for (const row of await sql.all(statement, EXPORT_WAIVED, EXPORT_WAIVER_UNDONE)) {
          const { name, due, reason } = JSON.parse(text(row, 'detail')) as Omit<WaivedExport, 'by'>;
          const key = `${due} ${name}`;
          waived.delete(key);
          if (row.what === EXPORT_WAIVED) waived.set(key, { name, due, by: text(row, 'person'), reason });
        }
        return [...waived.values()];
      }),
    firstUse: () =>
      read(async (sql) => {
        const [row] = await sql.all(FIRST_USE);
        return (row?.at as string | null) ?? undefined;
      }),
    historyOf: (id) => read((sql) => selectHistory(sql, id)),
  } satisfies Partial<QueryStore>;
}

/** Events, and the attempts that record their end themselves. */
async function selectHistory(sql: Statements, id: string): Promise<readonly HistoryLine[]> {
  const ended = await sql.all('SELECT * FROM attempt WHERE entry = ? AND ended_at IS NOT NULL ORDER BY ordinal', id);
  const events = await sql.all(`SELECT * FROM event WHERE entry = ? ORDER BY ${EVENTS_IN_ORDER}`, id);
  return merged(
    ended.flatMap((row) => attemptEnd(row) ?? []),
    events.map(toHistoryLine),
  );
}

/** By time, as far as each keeps its own order: a clock that went back moves no line before an earlier one of its kind. */
function merged(attempts: readonly HistoryLine[], events: readonly HistoryLine[]): readonly HistoryLine[] {
  const lines: HistoryLine[] = [];
  let next = 0;
  for (const event of events) {
    for (let one = attempts[next]; one && one.at <= event.at; one = attempts[next]) {
      lines.push(one);
      next += 1;
    }
    lines.push(event);
  }
  return [...lines, ...attempts.slice(next)];
}

function toCorrection(row: DatabaseRow): Correction {
  return {
    row: row.source_row as number,
    column: text(row, 'source_column'),
    from: text(row, 'former'),
    to: text(row, 'value'),
    by: text(row, 'person'),
    at: text(row, 'at'),
    reason: text(row, 'reason'),
  };
}

type StoredDetail = { readonly phrases?: string; readonly before?: unknown };

function toHistoryLine(row: DatabaseRow): HistoryLine {
  // `before` is what undo restores; the line before says the same in words.
  const { phrases, before: _, ...detail } = JSON.parse((row.detail as string | null) ?? '{}') as StoredDetail;
  const line = {
    at: text(row, 'at'),
    what: text(row, 'what'),
    ...optional('person', row.person, String),
    ...optional('run', row.run, String),
    ...optional('detail', row.detail, () => detail),
  };
  return withPhrases(line, phrases);
}
