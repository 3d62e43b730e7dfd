/** Records of morning reports in the table `report`, of control files in `control_file`, and what people did since a report. */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { writeMetaValues } from '../../database/meta-values.ts';
import type { Link } from '../../model/chain-link.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type LedgerContext, readMetaValue, text } from '../contract/ledger-context.ts';
import type { ControlFile, RecordedReport, ReportStore } from '../contract/report-store.ts';
import { selectNight, selectNightDocuments } from './night-documents.ts';
import { extendChain, readChainEnd } from './receipt-chain.ts';

const INSERT = `INSERT INTO report (id, run, day, at, since, link, sha256, page_sha256, events)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const SELECT = `SELECT * FROM report WHERE (CAST(? AS TEXT) IS NULL OR run = ?) AND (CAST(? AS TEXT) IS NULL OR day = ?) AND at >= ?
  ORDER BY link DESC LIMIT ?`;
const CONTROL = `INSERT INTO control_file (expect, name, sha256, modified_at, at, run, documents, amount, problem)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (expect, name, sha256, modified_at) DO NOTHING`;
const DECISIONS = `SELECT what, person, COUNT(*) AS n FROM event WHERE n > ? AND person IS NOT NULL
  GROUP BY what, person ORDER BY what, person`;
const ofNight = (places: string) => `UPDATE source_file SET report = ?
  WHERE id IN (${places}) AND report IS NULL AND rereads IS NULL AND state <> 'loading'`;
/** Exports of one statement. */
const AT_ONCE = 500;
const MOST = 1000;
/** Each report that began is a value in the table `meta`: its run, by its id. */
const BEGUN = 'report ';
const UNFINISHED = `SELECT key FROM meta WHERE key LIKE '${BEGUN}%' AND (CAST(? AS TEXT) IS NULL OR value = ?
  OR NOT EXISTS (SELECT 1 FROM run WHERE run.id = meta.value AND run.outcome IS NULL)) ORDER BY key`;

export function createReportRecords(context: LedgerContext): ReportStore {
  const { read, write } = context;
  return {
    documentsIn: (window) => selectNightDocuments(context, window),
    documentsOfNight: (run) => selectNight(context, run),
    beginReport: ({ id, run }) => write((sql) => writeMetaValues(sql, { [BEGUN + id]: run })),
    unfinishedReports: (run) =>
      read(async (sql) => {
        const rows = await sql.all(UNFINISHED, run ?? null, run ?? null);
        return rows.map((row) => text(row, 'key').slice(BEGUN.length));
      }),
    dropReport: (id) => write((sql) => finishReport(sql, id)),
    recordReport: ({ id, run, day, at, since, sha256, pageSha256, events }, link, exports) =>
      write(async (sql) => {
        for (let at = 0; at < exports.length; at += AT_ONCE) {
          const some = exports.slice(at, at + AT_ONCE);
          await sql.run(ofNight(some.map(() => '?').join(', ')), id, ...some);
        }
        await extendChain(sql, context, [link]);
        await sql.run(INSERT, ...[id, run, day, at, since, link.n, sha256, pageSha256, events]);
        await finishReport(sql, id);
      }),
    list: ({ run = null, day = null, since = '', limit = MOST }) =>
      read(async (sql) => (await sql.all(SELECT, ...[run, run, day, day, since, limit])).map(reportOf)),
    purgeReport: (id, purged) =>
      write(async (sql) => {
        await sql.run('UPDATE report SET purged = ? WHERE id = ?', JSON.stringify(purged), id);
      }),
    recordControlFile: (file) =>
      write(async (sql) => {
        const { expect, name, sha256, modifiedAt, at, run, documents = null, amount = null, problem = null } = file;
        await sql.run(CONTROL, ...[expect, name, sha256, modifiedAt, at, run, documents, amount, problem]);
      }),
    controlFilesAfter: (since) =>
      read(async (sql) =>
        (await sql.all('SELECT * FROM control_file WHERE at > ? ORDER BY at, name', since)).map(controlOf),
      ),
    decisionsAfter: (event) =>
      read(async (sql) => {
        const rows = await sql.all(DECISIONS, event);
        return rows.map((row) => ({ what: text(row, 'what'), person: text(row, 'person'), count: Number(row.n) }));
      }),
  };
}

/** Those that a lost ledger recorded, with the hashes that their files have now. The caller is alone with the ledger. */
export async function importReport(
  sql: Statements,
  { outcome, ...report }: Omit<RecordedReport, 'link' | 'purged' | 'events'> & { readonly outcome: string },
  at: string,
): Promise<void> {
  const { id, run, day, at: writtenAt, since, sha256, pageSha256 } = report;
  const head = await readChainEnd(sql);
  const link: Link = definedOnly({
    ...{ n: (head?.n ?? 0) + 1, what: 'report' as const, id, revision: 1, state: outcome, attempts: 0 },
    ...{ sha256, payloadSha256: pageSha256, run, at, previous: head?.hash },
  });
  await extendChain(sql, {}, [link]);
  const events = Number(await readMetaValue(sql, 'events'));
  await sql.run(INSERT, ...[id, run, day, writtenAt, since, link.n, sha256, pageSha256, events]);
  await finishReport(sql, id);
}

async function finishReport(sql: Statements, id: string): Promise<void> {
  await sql.run('DELETE FROM meta WHERE key = ?', BEGUN + id);
}

function reportOf(row: DatabaseRow): RecordedReport {
  const { purged } = row;
  return {
    id: text(row, 'id'),
    run: text(row, 'run'),
    day: text(row, 'day'),
    at: text(row, 'at'),
    since: text(row, 'since'),
    link: Number(row.link),
    sha256: text(row, 'sha256'),
    pageSha256: text(row, 'page_sha256'),
    events: Number(row.events),
    ...(typeof purged === 'string' && { purged: JSON.parse(purged) as NonNullable<RecordedReport['purged']> }),
  };
}

function controlOf(row: DatabaseRow): ControlFile {
  const { documents, amount, problem } = row;
  return definedOnly({
    expect: text(row, 'expect'),
    name: text(row, 'name'),
    sha256: text(row, 'sha256'),
    modifiedAt: text(row, 'modified_at'),
    at: text(row, 'at'),
    run: text(row, 'run'),
    documents: documents === null ? undefined : Number(documents),
    amount: typeof amount === 'string' ? amount : undefined,
    problem: typeof problem === 'string' ? problem : undefined,
  });
}
