/**
 * Numbers that the ledger gives: the next of a sequence within its scope, once per identity for ever. A document that
 * is read again, after a crash or as a correction, finds the number that its identity has.
 */

import type { Document } from '../model/document.ts';
import { fillNumber, Numbering } from '../model/draft.ts';
import type { Desk } from './desk.ts';
import type { Statements } from './driver.ts';

/** The tokens that a Numbering leaves in texts, as they stand raw and inside JSON. */
const TOKENS = (['number', 'text'] as const).map((as) => {
  const raw = new Numbering('', [], as).toJSON();
  return { raw, json: JSON.stringify(raw).slice(1, -1) };
});

export type Numbered = Pick<Document, 'content' | 'facts' | 'keys'>;

/** The identities that hold before a number is known; where there is none, the content itself has to be one. */
export function fixedKeys({ keys, numbering, service, digest }: Document): readonly string[] {
  const fixed = keys.filter((key) => fill(key, '') === key);
  return fixed.length > 0 || !numbering ? fixed : [`${service} content ${digest}`];
}

/** The number one of the identities has, if any. */
export async function knownNumber(
  sql: Statements,
  keys: readonly string[],
  { sequence, scope }: Numbering,
): Promise<number | undefined> {
  const find = 'SELECT number FROM numbering WHERE key = ? AND sequence = ? AND scope = ?';
  for (const key of keys) {
    const [row] = await sql.all(find, key, sequence, JSON.stringify(scope));
    if (row) return row.number as number;
  }
  return undefined;
}

/** The next number, kept for these identities. `taken` says of a number whether a document has it already. */
export async function giveNumber(
  sql: Statements,
  desk: Desk,
  keys: readonly string[],
  { sequence, scope: levels }: Numbering,
  taken: (number: number) => Promise<boolean>,
): Promise<number> {
  const scope = JSON.stringify(levels);
  const [row] = await sql.all('SELECT next FROM sequence WHERE name = ? AND scope = ?', sequence, scope);
  let number = Math.max((row?.next as number | undefined) ?? 1, desk.sequences[sequence] ?? 1);
  while (await taken(number)) number++;
  const set =
    'INSERT INTO sequence (name, scope, next) VALUES (?, ?, ?) ON CONFLICT (name, scope) DO UPDATE SET next = ?';
  await sql.run(set, sequence, scope, number + 1, number + 1);
  await keepNumber(sql, keys, { sequence, scope: levels }, number);
  return number;
}

/** From now on these identities have the number too. */
export async function keepNumber(
  sql: Statements,
  keys: readonly string[],
  { sequence, scope }: Pick<Numbering, 'sequence' | 'scope'>,
  number: number,
): Promise<void> {
  const keep = 'INSERT INTO numbering (key, sequence, scope, number) VALUES (?, ?, ?, ?)';
  for (const key of keys) await sql.run(keep, key, sequence, JSON.stringify(scope), number);
}

/** The document with its number everywhere; without a number its place is left empty in what people see. */
export function withNumber({ content, facts, keys, numbering }: Document, number: number | undefined): Numbered {
  if (!numbering) return { content, facts, keys };
  const shown = number === undefined ? '' : String(number);
  return {
    content: number === undefined ? content : fillNumber(content, number),
    facts: JSON.parse(fill(JSON.stringify(facts), shown)),
    keys: number === undefined ? keys.filter((key) => fill(key, '') === key) : keys.map((key) => fill(key, shown)),
  };
}

function fill(text: string, number: string): string {
  return TOKENS.reduce((filled, { raw, json }) => filled.replaceAll(json, number).replaceAll(raw, number), text);
}
