/**
 * Numbers that the ledger assigns: the next of a sequence within its scope, once per identity, for good. A document that
 * is read a second time, after a crash or as a correction, gets the number that its identity has.
 */

import type { DatabaseRow, Statements } from '../../database/database-driver.ts';
import { storedKey } from '../../database/stored-key.ts';
import type { Message } from '../../i18n/message.ts';
import { NUMBER_SEQUENCE, QUARANTINE_CAUSE } from '../../i18n/messages/ledger-messages.ts';
import type { Document } from '../../model/document.ts';
import { fillNumber, Numbering } from '../../model/draft.ts';
import { type DataFault, type Fault, withMessage } from '../../model/fault.ts';
import type { GivenNumber } from '../../model/ledger-entry.ts';
import { sha256Hex } from '../../text/sha256.ts';
import type { Quarantine } from '../contract/intake-store.ts';
import { type LedgerContext, selectByIds, text } from '../contract/ledger-context.ts';

/** The tokens that a Numbering leaves in texts, as they are raw and inside JSON. */
const TOKENS = (['number', 'text'] as const).map((as) => {
  const raw = new Numbering('', [], as).toJSON();
  return { raw, json: JSON.stringify(raw).slice(1, -1) };
});

export type Numbered = Pick<Document, 'content' | 'facts' | 'keys'>;

/** The identities that do not depend on the number; if there is none, the content itself is one. */
export function fixedKeys({ keys, numbering, service, digest }: Document): readonly string[] {
  const fixed = keys.filter((key) => fill(key, '') === key);
  return fixed.length > 0 || !numbering ? fixed : [`${service} content ${digest}`];
}

/** The number one of the identities has, if any. */
export async function assignedNumber(
  sql: Statements,
  keys: readonly string[],
  { sequence, scope }: Numbering,
): Promise<number | undefined> {
  const find = 'SELECT number FROM numbering WHERE key = ? AND sequence = ? AND scope = ?';
  for (const key of keys) {
    const [row] = await sql.all(find, storedKey(key), sequence, storedScope(scope));
    if (row) return row.number as number;
  }
  return undefined;
}

/** Means every scope of a sequence without a known number; a scope is a JSON array. */
export const ANY_SCOPE = '*';

/** Parameters: name of the sequence, its stored scope, the next number. */
const SET_NEXT = `INSERT INTO sequence (name, scope, next) VALUES (?, ?, ?)
  ON CONFLICT (name, scope) DO UPDATE SET next = excluded.next`;
const GO_ON = `INSERT INTO sequence (name, scope, next) VALUES (?, ?, ?) ON CONFLICT (name, scope)
  DO UPDATE SET next = CASE WHEN sequence.next < excluded.next THEN excluded.next ELSE sequence.next END`;
const SET_WHOLE = 'UPDATE sequence SET whole = ? WHERE name = ? AND scope = ?';
const SET_NUMBER = 'INSERT INTO numbering (key, sequence, scope, number) VALUES (?, ?, ?, ?)';

/**
 * Why the ledger must not assign the next number of a sequence; undefined if it may. In quarantine it may not know the
 * latest numbers; after a rebuild from receipts it does not know a scope without receipts, until a person sets the number.
 */
export async function findNumberObstacle(
  sql: Statements,
  { sequence, scope }: Pick<Numbering, 'sequence' | 'scope'>,
): Promise<DataFault | undefined> {
  const meta = await sql.all(`SELECT key, value FROM meta WHERE key IN ('quarantine', 'rebuilt') ORDER BY key`);
  const [first] = meta;
  if (!first) return undefined;
  const within = scope.length > 0 ? ` (${scope.join(', ')})` : '';
  const fault = (why: Message, hint: Message): DataFault => ({
    code: 'ledger/number-unknown',
    level: 'error',
    ...withMessage(NUMBER_SEQUENCE.unknown({ sequence: `${sequence}${within}`, why }), hint),
  });
  if (first.key === 'quarantine') {
    const { why, at } = JSON.parse(text(first, 'value')) as Quarantine;
    return fault(NUMBER_SEQUENCE.quarantine({ why: QUARANTINE_CAUSE[why](), at }), NUMBER_SEQUENCE.endQuarantine());
  }
  const find = 'SELECT 1 AS known FROM sequence WHERE name = ? AND scope IN (?, ?)';
  if ((await sql.all(find, sequence, storedScope(scope), ANY_SCOPE)).length > 0) return undefined;
  const scopes = scope.map((value) => ` --within "${value}"`).join('');
  const command = `nightpost ledger next ${sequence} NUMBER_SEQUENCE REASON${scopes}`;
  return fault(NUMBER_SEQUENCE.rebuilt({ at: text(first, 'value') }), NUMBER_SEQUENCE.sayNext({ command }));
}

/** The numbers of these entries. */
export async function selectNumbers(
  sql: Statements,
  entries: readonly DatabaseRow[],
): Promise<ReadonlyMap<string, readonly GivenNumber[]>> {
  const found = new Map<string, GivenNumber[]>();
  if (entries.length === 0 || (await sql.all('SELECT 1 AS some FROM numbering LIMIT 1')).length === 0) return found;
  const rows = await selectByIds(
    sql,
    entries.map((row) => text(row, 'id')),
    (places) =>
      `SELECT DISTINCT i.entry, n.sequence, COALESCE(s.whole, n.scope) AS scope, n.number FROM identity i
       JOIN numbering n ON n.key = i.key LEFT JOIN sequence s ON s.name = n.sequence AND s.scope = n.scope
       WHERE i.entry IN (${places}) ORDER BY i.entry, n.sequence, scope, n.number`,
  );
  for (const row of rows) {
    const one = {
      sequence: text(row, 'sequence'),
      scope: JSON.parse(text(row, 'scope')),
      number: row.number as number,
    };
    found.set(text(row, 'entry'), [...(found.get(text(row, 'entry')) ?? []), one]);
  }
  return found;
}

/** Assigns the next number to these identities for good. `isTaken`: whether a document has a number already. */
export async function assignNumber(
  { sql, context }: { readonly sql: Statements; readonly context: Pick<LedgerContext, 'sequences'> },
  keys: readonly string[],
  { sequence, scope: levels }: Numbering,
  isTaken: (number: number) => Promise<boolean>,
): Promise<number> {
  const find = 'SELECT next FROM sequence WHERE name = ? AND scope IN (?, ?) ORDER BY scope DESC';
  // A scope is an array in JSON, and "[" sorts after "*".
  const [row] = await sql.all(find, sequence, storedScope(levels), ANY_SCOPE);
  let number = Math.max((row?.next as number | undefined) ?? 1, context.sequences[sequence] ?? 1);
  while (await isTaken(number)) number++;
  await setNext(sql, sequence, JSON.stringify(levels), number + 1);
  await recordNumber(sql, keys, { sequence, scope: levels }, number);
  return number;
}

/** Records that these identities also have the number. */
export async function recordNumber(
  sql: Statements,
  keys: readonly string[],
  { sequence, scope }: Pick<Numbering, 'sequence' | 'scope'>,
  number: number,
): Promise<void> {
  for (const key of keys) await sql.run(SET_NUMBER, storedKey(key), sequence, storedScope(scope), number);
}

/** Sets the next number of a scope: a JSON array, or ANY_SCOPE. `atLeast`: a higher one stays. */
export async function setNext(
  sql: Statements,
  sequence: string,
  scope: string,
  next: number,
  atLeast?: 'at least',
): Promise<void> {
  const stored = storedKey(scope);
  await sql.run(atLeast ? GO_ON : SET_NEXT, sequence, stored, next);
  if (stored !== scope) await sql.run(SET_WHOLE, scope, sequence, stored);
}

/** The numbers of a receipt stay with its document, and each sequence continues after its own. */
export async function keepNumbers(
  sql: Statements,
  { keys, numbers }: { readonly keys: readonly string[]; readonly numbers: readonly GivenNumber[] },
): Promise<void> {
  const keep = `${SET_NUMBER} ON CONFLICT DO NOTHING`;
  for (const { sequence, scope: levels, number } of numbers) {
    for (const key of keys) await sql.run(keep, storedKey(key), sequence, storedScope(levels), number);
    await setNext(sql, sequence, JSON.stringify(levels), number + 1, 'at least');
  }
}

function storedScope(levels: readonly string[]): string {
  return storedKey(JSON.stringify(levels));
}

/** The document with its number everywhere; without a number its place is empty in texts for people. */
export function withNumber({ content, facts, keys, numbering }: Document, number: number | undefined): Numbered {
  if (!numbering) return { content, facts, keys };
  const shown = number === undefined ? '' : String(number);
  return {
    content: number === undefined ? content : Buffer.from(fillNumber(content.toString(), number)),
    facts: JSON.parse(fill(JSON.stringify(facts), shown)),
    keys: number === undefined ? keys.filter((key) => fill(key, '') === key) : keys.map((key) => fill(key, shown)),
  };
}

/**
 * The document as one that could not be made, because there is no number for it. Its label is the never-twice values,
 * which follow `nt|kind|` in their key, as for documents without a number.
 */
export function withoutNumber(document: Document, fault: Fault, file: string) {
  const { kind, service, class: of, rows, warnings } = document;
  const { facts } = withNumber(document, undefined);
  const keys = fixedKeys(document);
  const called =
    keys
      .find((key) => key.startsWith('nt|'))
      ?.split('|')
      .slice(2)
      .join(' ') ?? '';
  return {
    ...{ kind, service, class: of, rows, keys },
    content: undefined,
    digest: sha256Hex(`unnumbered\n${document.digest}`),
    facts: { ...facts, identifier: facts.identifier || called },
    faults: [...warnings, { ...fault, origin: { file, row: rows[0] ?? 0 } }],
  };
}

function fill(text: string, number: string): string {
  return TOKENS.reduce((filled, { raw, json }) => filled.replaceAll(json, number).replaceAll(raw, number), text);
}
