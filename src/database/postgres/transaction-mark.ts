/**
 * A place in the history of a PostgreSQL ledger: the transactions that were over at one moment. Workers commit next to each
 * other, so a row with a lower number may appear after one with a higher number; a place names those that were still under
 * way, and none is left out. Rows have the number of their transaction in the column `tx`. Pure.
 */

/** Those below `end` are over, but for the `open` ones, in rising order. */
export type TransactionMark = { readonly end: number; readonly open: readonly number[] };

/** The column default that numbers each row: the transaction that adds it. */
export const THIS_TRANSACTION = 'CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)';

/** The transactions that are over for the statement that selects it, as `markOfSnapshot` reads it. */
export const SNAPSHOT = 'CAST(pg_current_snapshot() AS TEXT)';

/** Numbers of transactions count up over the life of a server: 15 digits last for ever, and are exact here. */
const NUMBER = String.raw`\d{1,15}`;
const SNAPSHOT_TEXT = new RegExp(`^${NUMBER}:(${NUMBER}):((?:${NUMBER}(?:,|$))*)$`);
const MARK_TEXT = new RegExp(`^x(${NUMBER})((?:-${NUMBER}){0,2000})$`);

/** Of a text of the server: `xmin:xmax:xip,xip` (https://www.postgresql.org/docs/current/functions-info.html). */
export function markOfSnapshot(text: string): TransactionMark {
  const [, end, open = ''] = SNAPSHOT_TEXT.exec(text) ?? [];
  if (end === undefined) throw new Error(`the server gave a snapshot that is none: ${text}`);
  return { end: Number(end), open: open === '' ? [] : open.split(',').map(Number) };
}

/** A text that `readMark` reads: letters, digits and `-`. */
export function markText({ end, open }: TransactionMark): string {
  return [`x${end}`, ...open].join('-');
}

/** Undefined for any other text. */
export function readMark(text: string): TransactionMark | undefined {
  const [, end, open = ''] = MARK_TEXT.exec(text) ?? [];
  return end === undefined ? undefined : { end: Number(end), open: open.split('-').slice(1).map(Number) };
}

/** The condition on rows that are new since a mark; `newSince` has its values. Rows without number are as old as the ledger. */
export const IS_NEW = '(tx >= ? OR tx = ANY(CAST(? AS BIGINT[])))';

export function newSince({ end, open }: TransactionMark): readonly [end: number, open: string] {
  return [end, `{${open.join(',')}}`];
}

/** The mark after all rows up to transaction `last` were read that are over in `now`. */
export function markUpTo(now: TransactionMark, last: number): TransactionMark {
  return { end: Math.min(now.end, last + 1), open: now.open.filter((tx) => tx <= last) };
}
