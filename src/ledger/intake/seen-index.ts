/**
 * Whether the ledger has seen a fact before: a version of a mapping, a receiver, an issuer. Held and invalid documents do
 * not count.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { foldNumber } from '../../database/folded-key.ts';
import { START } from '../../database/long-texts.ts';
import { storedStart } from '../../database/stored-key.ts';
import type { SeenQuery } from '../contract/close-file.ts';
import type { IntakeStore, ShownNumbers } from '../contract/intake-store.ts';
import { type LedgerContext, readMetaValue } from '../contract/ledger-context.ts';
import { isRefusedAgain } from '../contract/refused-again.ts';
import type { StagingContext } from './existing-entries.ts';

export function createSeenIndex({ read }: LedgerContext) {
  return {
    hasSeen: (what) => read(async (sql) => (await findSeen(sql, what)).length > 0),
    quarantine: () =>
      read(async (sql) => {
        const quarantine = await readMetaValue(sql, 'quarantine');
        return quarantine === undefined ? undefined : JSON.parse(quarantine);
      }),
    replacedAt: () =>
      read(async (sql) => {
        const learned = await readMetaValue(sql, 'learned');
        return learned === undefined ? undefined : new Date(Number(learned)).toISOString();
      }),
    unreadFiles: () => read(async (sql) => new Set<string>(JSON.parse((await readMetaValue(sql, 'unread')) ?? '[]'))),
    shownNumbers: () => read(shownNumbers),
  } satisfies Partial<IntakeStore>;
}

/** Numbers in summaries, of documents of which this ledger had no record when it took the place of another one. */
async function shownNumbers(sql: Statements): Promise<ShownNumbers> {
  const shown = await readShownNumbers(sql);
  return (number) => shown.get(foldNumber(number));
}

/** By the form that all spellings of a number share. */
export async function readShownNumbers(sql: Statements): Promise<ReadonlyMap<string, boolean>> {
  return new Map(JSON.parse((await readMetaValue(sql, 'shown')) ?? '[]'));
}

/** Read once for each ledger that is opened: there may be as many as it has had documents. */
const shownIn = new WeakMap<object, ShownNumbers>();

/** For one document after the other that gets a number. */
export async function isShown(
  { sql, context }: Pick<StagingContext, 'sql' | 'context'>,
  number: string,
): Promise<boolean> {
  const known = shownIn.get(context) ?? (await shownNumbers(sql));
  shownIn.set(context, known);
  return known(number) !== undefined;
}

export type SeenCache = {
  readonly hasSeen: (what: SeenQuery) => Promise<boolean>;
  /** To call when a file is closed: a fact that was unknown before it may be known now. */
  readonly after: (file: string) => Promise<void>;
};

const LEFT_READY = `SELECT 1 FROM revision r JOIN entry e ON e.id = r.entry AND e.revision = r.revision
  WHERE r.file = ? AND e.state = 'ready' LIMIT 1`;

/**
 * Within one transaction that closes several files: each query runs a second time only if its result may have changed.
 */
export function createSeenCache(sql: Statements): SeenCache {
  const answers = new Map<string, Promise<boolean>>();
  const ask = async (what: SeenQuery) => (await findSeen(sql, what)).length > 0;
  return {
    hasSeen: (what) => {
      const question = JSON.stringify(what);
      const answer = answers.get(question) ?? ask(what);
      answers.set(question, answer);
      return answer;
    },
    after: async (file) => {
      const unknown: string[] = [];
      for (const [question, answer] of answers) if (!(await answer)) unknown.push(question);
      if (unknown.length === 0 || (await sql.all(LEFT_READY, file)).length === 0) return;
      for (const question of unknown) answers.delete(question);
    },
  };
}

/** After every other character, in the order of bytes. */
const LAST = '\u{10ffff}';

async function findSeen(sql: Statements, what: SeenQuery): Promise<readonly DatabaseRow[]> {
  if (what.of === 'receiver') {
    const authorized = `SELECT 1 FROM entry WHERE service = ? AND receiver = ? AND ${START.receiver} AND state = 'authorized'
      LIMIT 1`;
    return await sql.all(authorized, what.service, what.receiver, what.receiver);
  }
  if (what.of === 'issuer') {
    // Keys of documents begin with service and issuer.
    const start = storedStart(what.issuer === undefined ? `${what.service}|` : `${what.service}|${what.issuer}|`);
    const sent = `SELECT 1 FROM identity i JOIN entry e ON e.id = i.entry
      WHERE i.key >= ? AND i.key < ? AND (e.submits > 0 OR e.state = 'ready') LIMIT 1`;
    return await sql.all(sent, start, `${start}${LAST}`);
  }
  if (what.of === 'answer') {
    const answered = `SELECT 1 FROM identity i JOIN attempt a ON a.entry = i.entry
      WHERE i.key >= ? AND i.key < ? AND a.act = 'submit' AND a.http IS NOT NULL LIMIT 1`;
    return await sql.all(answered, `${what.service}|`, `${what.service}}`);
  }
  if (what.of === 'refusal') return await isRefusedAgain(sql, what.sha256);
  const condition = what.accepted
    ? `e.state IN ('authorized', 'contingency')`
    : `(e.state IN ('ready', 'sending') OR EXISTS (SELECT 1 FROM attempt a WHERE a.entry = e.id AND a.act = 'submit' AND a.revision = r.revision))`;
  // The SHA-256 is inside of JSON text, and has only hexadecimal digits.
  return await sql.all(
    `SELECT 1 FROM source_file f JOIN revision r ON r.file = f.id JOIN entry e ON e.id = r.entry AND e.revision = r.revision
     WHERE f.state = 'admitted' AND f.mapping_id = ? AND f.mapping LIKE ? AND ${condition} LIMIT 1`,
    ...[what.id, `%"${what.sha256}"%`],
  );
}
