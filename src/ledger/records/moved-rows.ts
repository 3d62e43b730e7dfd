/**
 * A reading may move rows from one document to another: one takes the rows of others, or is split. All documents that take part
 * count then, or none of them: a person, an answer or another worker may have changed one since it was staged, and what it
 * keeps is sent with it. Why one of them waits holds each document that gets its rows.
 */

import type { DatabaseRow, DatabaseValue, Statements } from '../../database/database-driver.ts';
import { LEDGER_HOLD } from '../../i18n/messages/ledger-messages.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Hold } from '../../model/document.ts';
import { must } from '../../model/must.ts';
import { holdOf, readStoredHold } from '../../model/recorded-words.ts';
import { isReplaceable, mayBeOut, type State } from '../../model/state.ts';
import { type LedgerContext, optional, selectByIds, text } from '../contract/ledger-context.ts';
import { hasUnknown, SENT_BEFORE, sentBefore } from './sent-contents.ts';

/** A person may have decided about the entry since its correction was staged: another worker does not wait for the file. */
export function isReplaceableStill({ revision, now, now_hold: hold, now_revision: former }: DatabaseRow): boolean {
  if (former !== (revision as number) - 1) return false;
  if (revision === 1) return now === 'staged';
  const { rule } = JSON.parse((hold as string | null | undefined) ?? '{}') as Partial<Hold>;
  return isReplaceable(now as State, rule);
}

/** Why the content of now holds what takes its place. */
export function formerHold({ now, now_hold: hold }: DatabaseRow): Hold | undefined {
  const { former } = optional('former', hold, readStoredHold);
  return former && (mayBeOut(former.rule) || now === 'invalid') ? former : undefined;
}

type Language = Pick<LedgerContext, 'language'>;

/** One of its contents was sent and is not known, whatever a person or the service said of the last one. */
export function unknownHold({ language }: Language, row: DatabaseRow): Hold | undefined {
  return hasUnknown(sentBefore(row)) ? holdOf('restored', LEDGER_HOLD.contentUnknown(), language) : undefined;
}

/** All its rows are in the document `first` now. */
export function isAbsorbed({ outcome, source_rows: rows, first }: DatabaseRow): boolean {
  return outcome === 'duplicate' && rows === '[]' && first !== null;
}

/** What is staged of a reading with other rows than its entry has: rows of the other file of a pair are others, whatever their numbers. */
const MOVED = `SELECT s.entry, s.revision, r.source_rows, r.outcome, r.first, e.state AS now, e.hold AS now_hold,
  e.revision AS now_revision, o.source_rows AS former, COALESCE(g.rereads, g.id) AS former_of, ${SENT_BEFORE}
  FROM staged s JOIN revision r ON r.entry = s.entry AND r.revision = s.revision JOIN entry e ON e.id = s.entry
  LEFT JOIN revision o ON o.entry = e.id AND o.revision = e.revision LEFT JOIN source_file g ON g.id = o.file
  WHERE s.file = ? AND (o.source_rows IS NULL OR o.source_rows <> r.source_rows OR COALESCE(g.rereads, g.id) <> ?
  OR o.moved IS NOT NULL)`;
/** Rows of it may be in other contents of the source from now on, and in those that come after it (shared-rows.ts). */
const hasMoved = (
  places: string,
) => `UPDATE revision SET moved = (SELECT f.rereads FROM source_file f WHERE f.id = revision.file)
  WHERE entry IN (${places}) AND moved IS NULL AND source_rows <> '[]'
  AND EXISTS (SELECT 1 FROM staged s WHERE s.entry = revision.entry AND s.revision = revision.revision) RETURNING entry`;
const OF_SOURCE = `SELECT r.entry, r.source_rows FROM revision r JOIN entry e ON e.id = r.entry AND e.revision = r.revision
  WHERE r.file IN (SELECT id FROM source_file WHERE id = ? OR rereads = ?) AND r.source_rows <> '[]'`;
const READ_BY = `SELECT r.file FROM entry e JOIN revision r ON r.entry = e.id AND r.revision = e.revision WHERE e.id = ?`;

/** `file`: what is read again, as `of`, the file that was read first. */
type Reading = { readonly file: string; readonly of: string };

/**
 * Of a staged entry. `keeper`: a document that has rows of it, for which it does not count. `hold`: that of a document which gives it
 * rows, and holds what takes its place. `group`: all that take part, with itself, whether they are staged or not. `takes`: it has rows
 * that it did not have before.
 */
export type Moved = {
  readonly keeper?: string;
  readonly hold?: Hold;
  readonly group: ReadonlySet<string>;
  readonly takes: boolean;
};

/** What is staged with other rows than before, which is noted. */
export async function findMoved(
  sql: Statements,
  context: Language,
  { file, of }: Reading,
): Promise<ReadonlyMap<string, Moved>> {
  const staged = (await sql.all(MOVED, file, of)).map((row) => movedEntry(context, row, of));
  // With the condition of what is staged a server that knows nothing of its tables yet may take minutes.
  await selectByIds(
    sql,
    staged.map(({ entry }) => entry),
    hasMoved,
  );
  const partners = await partnersOf(sql, of, staged);
  const groups = groupsOf(partners);
  const keepers = await keepersOf(sql, file, { staged, partners, groups });
  const groupOf = new Map(groups.flatMap((group) => [...group].map((entry) => [entry, group] as const)));
  const heldBy = new Map(staged.map(({ entry, hold }) => [entry, hold]));
  const absorbed = Map.groupBy(staged, ({ into }) => into);
  return new Map(
    staged.map(({ entry, into, takes: { length } }) => {
      const givers = [...(partners.get(entry) ?? []), ...(absorbed.get(entry) ?? []).map((one) => one.entry)];
      const all = into === undefined ? givers : [];
      const hold = all.map((one) => heldBy.get(one)).find((one) => one !== undefined);
      const group = must(groupOf.get(entry), 'the group of an entry');
      return [entry, definedOnly({ keeper: keepers.get(entry), hold, group, takes: length > 0 })];
    }),
  );
}

type Moving = {
  readonly staged: readonly MovedEntry[];
  readonly partners: ReadonlyMap<string, readonly string[]>;
  readonly groups: readonly ReadonlySet<string>[];
};

/** The documents that give rows to each, or the one that takes all of its rows. */
async function partnersOf(sql: Statements, of: string, staged: readonly MovedEntry[]): Promise<Moving['partners']> {
  const owners = new Map(staged.flatMap(({ entry, gives }) => gives.map((row) => [row, entry] as const)));
  const rows = staged.flatMap(({ takes }) => takes.filter((row) => !owners.has(row)));
  const others = await ownersElsewhere(sql, of, new Set(rows));
  return new Map(
    staged.map(({ entry, takes, into }) => {
      const from = takes.flatMap((row) => owners.get(row) ?? others.get(row) ?? []);
      return [entry, into === undefined ? from : [into]];
    }),
  );
}

/** For each staged entry that does not count, a document that has rows of it. */
async function keepersOf(
  sql: Statements,
  file: string,
  { staged, partners, groups }: Moving,
): Promise<ReadonlyMap<string, string>> {
  const isAsStaged = new Map(staged.map((one) => [one.entry, one.isAsStaged]));
  const keepers = new Map<string, string>();
  for (const group of groups) {
    let isWhole = true;
    for (const entry of group) isWhole &&= isAsStaged.get(entry) ?? (await isReadBy(sql, file, entry));
    const torn = isWhole ? [] : [...group].filter((entry) => isAsStaged.has(entry));
    for (const entry of torn) keepers.set(entry, partners.get(entry)?.[0] ?? entry);
  }
  return keepers;
}

type MovedEntry = {
  readonly entry: string;
  /** Rows of its source. */
  readonly takes: readonly number[];
  readonly gives: readonly number[];
  /** The document that has all of them. */
  readonly into: string | undefined;
  readonly isAsStaged: boolean;
  /** It holds what takes its rows too. */
  readonly hold: Hold | undefined;
};

function movedEntry(context: Language, row: DatabaseRow, of: string): MovedEntry {
  const now = numbersOf(row.source_rows);
  const former = row.former_of === of ? numbersOf(row.former) : [];
  return {
    entry: text(row, 'entry'),
    takes: without(now, former),
    gives: without(former, now),
    into: isAbsorbed(row) ? text(row, 'first') : undefined,
    isAsStaged: isReplaceableStill(row),
    hold: formerHold(row) ?? unknownHold(context, row),
  };
}

/** The documents that have these rows, and do not give them up. */
async function ownersElsewhere(
  sql: Statements,
  of: string,
  rows: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  if (rows.size === 0) return new Map();
  const all = await sql.all(OF_SOURCE, of, of);
  return new Map(
    all.flatMap((one) => {
      const own = numbersOf(one.source_rows).filter((row) => rows.has(row));
      return own.map((row) => [row, text(one, 'entry')] as const);
    }),
  );
}

/** Entries that depend on one another, directly or not: each in one of them. */
function groupsOf(links: ReadonlyMap<string, readonly string[]>): readonly ReadonlySet<string>[] {
  const pairs = [...links].flatMap(([entry, others]) => others.map((other) => [entry, other] as const));
  const linked = Map.groupBy([...pairs, ...pairs.map(([entry, other]) => [other, entry] as const)], ([entry]) => entry);
  const groups: ReadonlySet<string>[] = [];
  const known = new Set<string>();
  for (const entry of links.keys()) {
    if (known.has(entry)) continue;
    const group = new Set([entry]);
    // It grows while it is read.
    for (const one of group) for (const [, other] of linked.get(one) ?? []) group.add(other);
    for (const one of group) known.add(one);
    groups.push(group);
  }
  return groups;
}

function numbersOf(rows: DatabaseValue | undefined): readonly number[] {
  return JSON.parse((rows as string | null | undefined) ?? '[]') as readonly number[];
}

function without(rows: readonly number[], others: readonly number[]): readonly number[] {
  const left = new Set(others);
  return rows.filter((row) => !left.has(row));
}

/** An earlier step has made it count. */
async function isReadBy(sql: Statements, file: string, entry: string): Promise<boolean> {
  return (await sql.all(READ_BY, entry))[0]?.file === file;
}
