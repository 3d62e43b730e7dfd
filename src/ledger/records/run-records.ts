/** Records of runs in the table `run`: one row at the begin, filled in at the end. */

import type { DatabaseRow, DatabaseValue } from '../../database/database-driver.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { MappingStamp } from '../../model/ledger-entry.ts';
import { sha256Hex } from '../../text/sha256.ts';
import { type LedgerContext, optionalText, text, valueIn } from '../contract/ledger-context.ts';
import type { RunEnd, RunKind, RunOutcome, RunRecord, RunSettings, RunTotals } from '../contract/run-record.ts';
import type { RunStore } from '../contract/run-store.ts';
import { insertReports } from './notice-records.ts';

const BEGIN = `INSERT INTO run (id, kind, started_at, version, host, pid, settings) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`;
const KEEP_SETTINGS = 'INSERT INTO run_settings (sha256, settings) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING';
const SETTINGS = 'SELECT s.settings FROM run r JOIN run_settings s ON s.sha256 = r.settings WHERE r.id = ?';
const END = `UPDATE run SET outcome = ?, ended_at = ?, exit_code = ?, error = ?, totals = ?
  WHERE id = ? AND outcome IS NULL`;
const LATEST = 'SELECT * FROM run ORDER BY started_at DESC, id DESC LIMIT ?';
const FROM = `SELECT * FROM run WHERE (started_at, id) <= (SELECT started_at, id FROM run WHERE id = ?)
  ORDER BY started_at DESC, id DESC LIMIT ?`;
const MAPPINGS = `SELECT DISTINCT mapping FROM source_file WHERE run = ? AND mapping IS NOT NULL AND rereads IS NULL
  ORDER BY mapping`;

/** The program of a run that is not over may be a worker that lives. */
const OF_NO_WORKER = `NOT EXISTS (SELECT 1 FROM worker w WHERE w.host = run.host AND w.pid = run.pid AND w.gone IS NULL)`;

export function createRunRecords({ read, write }: LedgerContext): RunStore {
  return {
    beginRun: ({ id, kind, startedAt, version, host, pid }, settings) =>
      write(async (sql) => {
        const kept = settings && canonicalText(settings);
        const sha256 = kept === undefined ? null : sha256Hex(kept);
        if (kept !== undefined) await sql.run(KEEP_SETTINGS, sha256, kept);
        await sql.run(`UPDATE run SET outcome = 'died' WHERE outcome IS NULL AND id <> ? AND ${OF_NO_WORKER}`, id);
        await sql.run(BEGIN, ...[id, kind, startedAt, version, host, pid, sha256]);
      }),
    endRun: (id, { outcome, endedAt = null, exit = null, error = null, totals }, reports = []) =>
      write(async (sql) => {
        const kept = totals === undefined ? null : JSON.stringify(totals);
        const ended = await sql.run(END, ...[outcome, endedAt, exit, error, kept, id]);
        if (ended === 1) await insertReports(sql, reports);
      }),
    list: (limit, from) =>
      read(async (sql) => {
        const rows = from === undefined ? await sql.all(LATEST, limit) : await sql.all(FROM, from, limit);
        return rows.map(recordOf);
      }),
    mappingsOfRuns: (ids) =>
      read(async (sql) => {
        const found = new Map<string, readonly MappingStamp[]>();
        for (const id of ids) {
          const rows = await sql.all(MAPPINGS, id);
          if (rows.length > 0)
            found.set(
              id,
              rows.map((row) => JSON.parse(text(row, 'mapping')) as MappingStamp),
            );
        }
        return found;
      }),
    settingsOfRuns: (ids) =>
      read(async (sql) => {
        const found = new Map<string, RunSettings>();
        for (const id of ids) {
          const [row] = await sql.all(SETTINGS, id);
          if (row) found.set(id, JSON.parse(text(row, 'settings')) as RunSettings);
        }
        return found;
      }),
  };
}

/** The same text for the same settings, in whatever order the file has them. */
function canonicalText(settings: RunSettings): string {
  return JSON.stringify(Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function recordOf(row: DatabaseRow): RunRecord {
  const end: { readonly [key in keyof RunEnd]: RunEnd[key] | undefined } = {
    outcome: optionalText(row, 'outcome') as RunOutcome | undefined,
    endedAt: optionalText(row, 'ended_at'),
    exit: numberIn(valueIn(row, 'exit_code')),
    error: optionalText(row, 'error'),
    totals: parsed(optionalText(row, 'totals')),
  };
  return {
    id: text(row, 'id'),
    kind: text(row, 'kind') as RunKind,
    startedAt: text(row, 'started_at'),
    version: text(row, 'version'),
    host: text(row, 'host'),
    pid: Number(valueIn(row, 'pid')),
    ...definedOnly(end),
  };
}

function numberIn(value: DatabaseValue): number | undefined {
  return value === null ? undefined : Number(value);
}

function parsed(kept: string | undefined): RunTotals | undefined {
  return kept === undefined ? undefined : (JSON.parse(kept) as RunTotals);
}
