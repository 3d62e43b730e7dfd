/** Notices in the tables `notice`, `notice_topic` and `notice_channel`. Each method is one read or one commit. */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type LedgerContext, optionalText, readMetaValue, text, valueIn } from '../contract/ledger-context.ts';
import type {
  ChannelReport,
  NoticeKind,
  NoticePurge,
  NoticeRecord,
  NoticeState,
  NoticeStore,
  ReportedTopic,
} from '../contract/notice-store.ts';

const ADD = `INSERT INTO notice (id, channel, kind, run, at, due_at, state, tries, content)
  VALUES (?, ?, ?, ?, ?, ?, 'waiting', 0, ?) ON CONFLICT (id) DO NOTHING`;
const PUT = `INSERT INTO notice_topic (channel, topic, kind, documents, first_at, reported_at, words)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (channel, topic) DO UPDATE SET kind = excluded.kind, documents = excluded.documents,
    reported_at = excluded.reported_at, words = excluded.words`;
const FOLLOW = `INSERT INTO notice_channel (channel, followed) VALUES (?, ?)
  ON CONFLICT (channel) DO UPDATE SET followed = excluded.followed`;
const SWITCH = `INSERT INTO notice_channel (channel, off_since) VALUES (?, ?)
  ON CONFLICT (channel) DO UPDATE SET off_since = excluded.off_since`;
/** A try waits for half a day at most, quiet hours for a day: a time beyond was set by a clock that was ahead. */
const AHEAD_MS = 2 * 86_400_000;
const CHANNELS_DUE = `SELECT DISTINCT channel FROM notice WHERE state = 'waiting' AND (due_at <= ? OR due_at > ?) ORDER BY channel`;
const DUE = `SELECT * FROM notice WHERE state = 'waiting' AND channel = ? AND (due_at <= ? OR due_at > ?)
  ORDER BY CASE kind WHEN 'change' THEN 1 ELSE 0 END, due_at, id LIMIT ?`;
const TRY = `UPDATE notice SET tries = tries + 1, due_at = ? WHERE id = ? AND tries = ? AND state = 'waiting'`;
const END = `UPDATE notice SET state = ?, ended_at = ?, problem = ? WHERE id = ? AND state = 'waiting'`;
const FAIL_ALL = `UPDATE notice SET state = 'failed', ended_at = ? WHERE channel = ? AND state = 'waiting'`;

export function createNoticeRecords({ read, write }: LedgerContext): NoticeStore {
  return {
    addNotices: (reports) => write((sql) => insertReports(sql, reports)),
    channelsDue: (nowMs) =>
      read(async (sql) => (await sql.all(CHANNELS_DUE, nowMs, nowMs + AHEAD_MS)).map((row) => text(row, 'channel'))),
    dueNotices: (channel, nowMs, limit) =>
      read(async (sql) => (await sql.all(DUE, channel, nowMs, nowMs + AHEAD_MS, limit)).map(recordOf)),
    beginTry: ({ id, tries }, nextAtMs) => write(async (sql) => (await sql.run(TRY, nextAtMs, id, tries)) === 1),
    endTry: (id, { state, at, problem = null }) =>
      write(async (sql) => {
        await sql.run(END, state, state === 'waiting' ? null : at, problem, id);
      }),
    switchOff: (channel, at) =>
      write(async (sql) => {
        await sql.run(SWITCH, channel, at ?? null);
        if (at !== undefined) await sql.run(FAIL_ALL, at, channel);
      }),
    list: (limit, states = ['waiting', 'sent', 'failed']) =>
      read(async (sql) => {
        const places = states.map(() => '?').join(', ');
        const rows = await sql.all(
          `SELECT * FROM notice WHERE state IN (${places}) ORDER BY at DESC, id DESC LIMIT ?`,
          ...states,
          limit,
        );
        return rows.map(recordOf);
      }),
    noticeCounts: () =>
      read(async (sql) => {
        const count = async (state: NoticeState) =>
          Number((await sql.all(`SELECT COUNT(*) AS n FROM notice WHERE state = '${state}'`))[0]?.n ?? 0);
        return { waiting: await count('waiting'), failed: await count('failed') };
      }),
    reportedTopics: (channel) =>
      read(async (sql) =>
        (await sql.all('SELECT * FROM notice_topic WHERE channel = ? ORDER BY first_at, topic', channel)).map(topicOf),
      ),
    channelState: (channel) =>
      read(async (sql) => {
        const [row] = await sql.all('SELECT followed, off_since FROM notice_channel WHERE channel = ?', channel);
        const [latest] = await sql.all(
          `SELECT MAX(at) AS at FROM notice WHERE channel = ? AND kind NOT IN ('change', 'test')`,
          channel,
        );
        return definedOnly({
          followed: row && optionalText(row, 'followed'),
          offSince: row && optionalText(row, 'off_since'),
          latestAt: latest && optionalText(latest, 'at'),
        });
      }),
    purgeNotices: (at, { dryRun, ...options } = {}) =>
      dryRun
        ? read(async (sql) => (await meantContents(sql, at, options)).length)
        : write((sql) => dropContents(sql, at, options)),
    installation: () => read(async (sql) => (await readMetaValue(sql, 'installation')) ?? ''),
  };
}

/** Also for the end of a run, whose record and notices are one commit. */
export async function insertReports(sql: Statements, reports: readonly ChannelReport[]): Promise<void> {
  for (const { channel, notices, put = [], drop = [], followed } of reports) {
    for (const { id, kind, run = null, at, dueAt, content } of notices) {
      await sql.run(ADD, id, channel, kind, run, at, dueAt, content);
    }
    for (const { topic, kind, documents, firstAt, reportedAt, words } of put) {
      await sql.run(PUT, channel, topic, kind, documents, firstAt, reportedAt, words);
    }
    for (const topic of drop) await sql.run('DELETE FROM notice_topic WHERE channel = ? AND topic = ?', channel, topic);
    if (followed !== undefined) await sql.run(FOLLOW, channel, followed);
  }
}

type Meant = Pick<NoticePurge, 'isMeant'>;

async function meantContents(sql: Statements, at: string, { isMeant }: Meant): Promise<readonly DatabaseRow[]> {
  const waits = isMeant ? '' : `AND state <> 'waiting'`;
  const rows = await sql.all(`SELECT id, content FROM notice WHERE at < ? ${waits} AND content IS NOT NULL`, at);
  return rows.filter((row) => isMeant?.(text(row, 'content')) ?? true);
}

async function dropContents(sql: Statements, at: string, { isMeant }: Meant): Promise<number> {
  const meant = await meantContents(sql, at, { ...(isMeant && { isMeant }) });
  for (const row of meant) {
    await sql.run(`UPDATE notice SET state = 'failed' WHERE id = ? AND state = 'waiting'`, text(row, 'id'));
    await sql.run('UPDATE notice SET content = NULL, problem = NULL WHERE id = ?', text(row, 'id'));
  }
  if (isMeant) {
    for (const row of await sql.all('SELECT channel, topic, words FROM notice_topic')) {
      if (!isMeant(text(row, 'words'))) continue;
      const place = [text(row, 'channel'), text(row, 'topic')];
      await sql.run(`UPDATE notice_topic SET words = '' WHERE channel = ? AND topic = ?`, ...place);
    }
  }
  return meant.length;
}

function recordOf(row: DatabaseRow): NoticeRecord {
  return definedOnly({
    id: text(row, 'id'),
    channel: text(row, 'channel'),
    kind: text(row, 'kind') as NoticeKind,
    run: optionalText(row, 'run'),
    at: text(row, 'at'),
    dueAt: Number(valueIn(row, 'due_at')),
    state: text(row, 'state') as NoticeState,
    tries: Number(valueIn(row, 'tries')),
    endedAt: optionalText(row, 'ended_at'),
    problem: optionalText(row, 'problem'),
    content: optionalText(row, 'content'),
  });
}

function topicOf(row: DatabaseRow): ReportedTopic {
  return {
    topic: text(row, 'topic'),
    kind: text(row, 'kind') as NoticeKind,
    documents: Number(valueIn(row, 'documents')),
    firstAt: text(row, 'first_at'),
    reportedAt: text(row, 'reported_at'),
    words: text(row, 'words'),
  };
}
