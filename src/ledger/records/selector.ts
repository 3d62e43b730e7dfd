/** A selector as conditions of SQL over an entry `e` and its present revision `r`. */

import type { DatabaseValue, Statements } from '../../database/database-driver.ts';
import { START } from '../../database/long-texts.ts';
import { storedKey } from '../../database/stored-key.ts';
import { type Cause, readCause } from '../../model/cause.ts';
import { NOT_PASSED, type Selector } from '../../model/ledger-entry.ts';
import { receiptNameKey } from '../../text/receipt-file-name.ts';
import { text } from '../contract/ledger-context.ts';

/** The conditions of the indexes `entry_open` and `revision_warned`, word for word, so that SQLite uses them. */
export const IS_OPEN = `e.state NOT IN ('authorized', 'ready', 'sending', 'staged')`;
const IS_WARNED = `instr(r.faults, '"level":"warning"') > 0`;
const NOT_OPEN: readonly string[] = ['authorized', 'ready', 'sending', 'staged'];

/** A change of the state after the decision ends it. */
const IS_CLOSED = '(e.closed IS NOT NULL AND e.closed_since = e.since)';
/** A person has set it aside or acknowledged it: it needs no action (`isClosed`). */
export const BY_PERSON = `((e.state = 'invalid' AND e.evidence LIKE '%"as":"invalid"%') OR ${IS_CLOSED})`;

/**
 * Taken in by the run, in the version that counts, or tried in it. From the files and attempts of the run: asked of each
 * entry, the same conditions would read all of them. Most entries have one revision, which the index alone shows.
 */
const OF_RUN = `SELECT x.entry FROM source_file f CROSS JOIN revision x ON x.file = f.id WHERE f.run = ?
  AND (NOT EXISTS (SELECT 1 FROM revision l WHERE l.entry = x.entry AND l.revision > 1)
    OR EXISTS (SELECT 1 FROM entry c JOIN revision l ON l.entry = c.id AND l.revision = c.revision
      WHERE c.id = x.entry AND l.file = x.file))
  UNION SELECT entry FROM attempt WHERE run = ?
  UNION SELECT id FROM entry WHERE state = 'sending' AND begun_run = ?`;

/**
 * Ids of the exports of the night of a run, which is asked for twice. A night is the report that has their sums, whatever the clock
 * showed; until a report has them, it is the run that took them in.
 */
const EXPORTS_OF_NIGHT = `SELECT f.id FROM report p CROSS JOIN source_file f ON f.report = p.id WHERE p.run = ?
  UNION SELECT f.id FROM source_file f WHERE f.run = ? AND f.report IS NULL AND f.rereads IS NULL`;

/** The same with what was read of them once more, for corrections; the run is asked for four times. */
export const READ_IN_NIGHT = `${EXPORTS_OF_NIGHT} UNION SELECT g.id FROM (${EXPORTS_OF_NIGHT}) n CROSS JOIN source_file g ON g.rereads = n.id`;

/** Their latest revision comes from an export of the night: each document is of one night. */
const OF_NIGHT = `SELECT c.id FROM (${READ_IN_NIGHT}) g CROSS JOIN revision x ON x.file = g.id
  CROSS JOIN entry c ON c.id = x.entry AND c.revision = x.revision`;

/** Few of all: closed entries, and invalid ones with evidence (the indexes `entry_closed` and `entry_aside`). */
const OF_PERSON = `SELECT id FROM entry WHERE closed IS NOT NULL
  UNION ALL SELECT id FROM entry WHERE state = 'invalid' AND evidence IS NOT NULL`;

export type Condition = { readonly where: string; readonly values: readonly DatabaseValue[] };

/** One condition for the filters, and one for each name: the result is every entry that any of them finds. */
export async function selectorConditions(sql: Statements, selector: Selector): Promise<readonly Condition[]> {
  const common = filterCondition(selector);
  if (!selector.ids) return [common];
  const conditions: Condition[] = [];
  for (const name of selector.ids) {
    const ids = await selectIdsCalled(sql, name);
    if (ids.length === 0) continue;
    const where = `e.id IN (${ids.map(() => '?').join(', ')}) AND ${common.where}`;
    conditions.push({ where, values: [...ids, ...common.values] });
  }
  return conditions;
}

/** Each alone: joined by OR in one condition they would have SQLite read every entry. */
const CALLED = [
  'SELECT id FROM entry WHERE id = ?',
  `SELECT id FROM entry WHERE identifier = ? AND ${START.identifier}`,
  'SELECT id FROM entry WHERE name_key = ? AND name = ?',
] as const;

/**
 * The entries with this id, official number or receipt name. Only if there is none, that of the ERP is meant: a decision
 * about a number has the same documents as before the ERP used it too.
 */
async function selectIdsCalled(sql: Statements, name: string): Promise<readonly string[]> {
  const [byId, byNumber, byName] = CALLED;
  const rows = [
    ...(await sql.all(byId, name)),
    ...(await sql.all(byNumber, name, name)),
    ...(await sql.all(byName, receiptNameKey(name), name)),
  ];
  if (rows.length === 0) return await selectIdsOfSourceNumber(sql, name);
  return [...new Set(rows.map((row) => text(row, 'id')))];
}

/** The first identity after a text that begins with it. */
const NEXT_KEY = 'SELECT key FROM identity WHERE key > ? ORDER BY key LIMIT 1';
const OWNER = 'SELECT entry FROM identity WHERE key = ?';

/**
 * The entries whose `never-twice` values are this number. Their keys are `nt|kind|value|...`: each kind in the ledger is
 * found by one look, and the key of the number by another one.
 */
export async function selectIdsOfSourceNumber(sql: Statements, number: string): Promise<readonly string[]> {
  const escaped = number.normalize('NFC').trim().replace(/[\\|]/g, '\\$&');
  const spellings = new Set([escaped, escaped.replaceAll(' ', '|')]);
  const found = new Set<string>();
  if (escaped === '') return [];
  for (let after = 'nt|'; ; ) {
    const [row] = await sql.all(NEXT_KEY, after);
    const kind = row && /^nt\|[^|]*\|/.exec(text(row, 'key'))?.[0];
    if (kind === undefined) return [...found];
    for (const spelling of spellings) {
      for (const { entry } of await sql.all(OWNER, storedKey(kind + spelling))) found.add(String(entry));
    }
    // "}" follows "|" in the order of characters.
    after = `${kind.slice(0, -1)}}`;
  }
}

export function filterCondition({
  states,
  service,
  mapping,
  run,
  night,
  file,
  cause,
  since,
  warnings,
  closed,
}: Selector): Condition {
  const parts: Condition[] = [{ where: `e.state <> 'staged'`, values: [] }];
  const add = (where: string, ...values: DatabaseValue[]) => parts.push({ where, values });
  if (states) add(states.length > 0 ? `e.state IN (${states.map(() => '?').join(', ')})` : '1 = 0', ...states);
  if (states && !states.some((state) => NOT_OPEN.includes(state))) add(IS_OPEN);
  if (service !== undefined) add('e.service = ?', service);
  if (mapping !== undefined) {
    add('EXISTS (SELECT 1 FROM source_file f WHERE f.id = r.file AND f.mapping_id = ?)', mapping);
  }
  if (run !== undefined) add(`e.id IN (${OF_RUN})`, run, run, run);
  if (night !== undefined) add(`e.id IN (${OF_NIGHT})`, night, night, night, night);
  if (file !== undefined) add('r.file = ?', file);
  if (cause !== undefined) {
    const { where, values } = causeCondition(readCause(cause));
    add(where, ...values);
  }
  if (since !== undefined) add('e.since >= ?', Date.parse(since));
  if (closed) add(IS_CLOSED);
  if (warnings) {
    const passed = `e.state NOT IN (${NOT_PASSED.map(() => '?').join(', ')})`;
    add(`${passed} AND ${IS_WARNED}`, ...NOT_PASSED);
  }
  return { where: parts.map(({ where }) => where).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

/** Whether the condition is the whole selector: one of a cause is wider than `hasCause`, but for what a person closed. */
export function isExact({ cause }: Selector): boolean {
  return cause === undefined || readCause(cause).of === 'person';
}

/** Wider than `hasCause` (model/cause.ts), which decides. Faults and holds are JSON text: quotes inside of values are escaped there. */
function causeCondition(cause: Cause): Condition {
  if (cause.of === 'person') return { where: `(e.id IN (${OF_PERSON}) AND ${BY_PERSON})`, values: [] };
  if (cause.of === 'answer') {
    return { where: '(e.service = ? AND CAST(e.code AS TEXT) = ?)', values: [cause.service, cause.code] };
  }
  const code = JSON.stringify(cause.code);
  return {
    where: '(instr(r.faults, ?) > 0 OR CAST(e.code AS TEXT) = ? OR instr(e.hold, ?) = 1 OR e.state = ?)',
    values: [`"code":${code}`, cause.code, `{"rule":${code}`, cause.code],
  };
}
