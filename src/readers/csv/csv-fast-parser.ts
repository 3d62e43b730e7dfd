/**
 * The records of a CSV file as long as they are regular: cut at line ends outside of quotes and split at the delimiter.
 * It judges nothing and throws nothing. An unusual record (a lone carriage return, a quote inside a cell, text after a
 * closing quote, more than 64 KiB, a last record without line end) stops it; the strict parser reads from there on and
 * alone decides what is accepted.
 */

import { createByteBuffer } from '../encoding/byte-buffer.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const LAST_ASCII = '\u007f';
const MAX_HELD = 64 * 1024;
/** A byte value that no byte has: this dialect has no quote. */
const NONE = -1;

/** Fed with the bytes of the table until `take` returns false; then `rest` begins with the first record not given. */
export type CsvFastParser = {
  /** Gives the records that `bytes` (UTF-8) complete; false once the rest is for the strict parser. */
  readonly take: (bytes: Buffer) => boolean;
  /** Bytes of the records that were not given. */
  readonly rest: () => Buffer;
};

type Dialect = { readonly delimiter: string /** Undefined: none. */; readonly quote: string | undefined };

/**
 * `give` gets the cells of each record in order, unquoted; an empty line is a record without cells. Undefined if only
 * the strict parser can read the dialect: a quote outside of ASCII, or one that is part of the delimiter.
 */
export function createCsvFastParser(
  { delimiter, quote }: Dialect,
  give: (cells: string[]) => void,
): CsvFastParser | undefined {
  // The quote is looked for among bytes, and has to be one.
  if (quote !== undefined && (quote > LAST_ASCII || delimiter.includes(quote))) return undefined;
  const mark = quote?.charCodeAt(0) ?? NONE;
  const held = createByteBuffer();
  // Of the record that is not complete yet: bytes looked at, whether they have quotes, and end inside of them.
  let seen = 0;
  let isQuoted = false;
  let isInside = false;

  /** Jumps from quote to line end with native searches: no JavaScript runs per byte. */
  const take = (bytes: Buffer): boolean => {
    const all = held.append(bytes);
    const next = (byte: number, from: number) => {
      const found = byte === NONE ? -1 : all.indexOf(byte, from);
      return found < 0 ? all.length : found;
    };
    let start = 0;
    let at = seen;
    let quoteAt = next(mark, at);
    let feedAt = next(LINE_FEED, at);
    for (; at < all.length; at++) {
      at = Math.min(quoteAt, feedAt);
      if (at === all.length) break;
      if (at === quoteAt) {
        isInside = !isInside;
        isQuoted = true;
        quoteAt = next(mark, at + 1);
        continue;
      }
      feedAt = next(LINE_FEED, at + 1);
      if (isInside) continue;
      const end = at > start && all[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
      const text = all.toString('utf8', start, end);
      const hasQuotes = isQuoted && quote !== undefined;
      const cells = hasQuotes ? splitQuoted(text, delimiter, quote) : splitPlain(text, delimiter);
      if (!cells) break;
      give(cells);
      start = at + 1;
      isQuoted = false;
    }
    seen = all.length - start;
    held.keep(start, all.length);
    return at === all.length && seen <= MAX_HELD;
  };
  return { take, rest: () => Buffer.from(held.all()) };
}

/** Undefined if a carriage return is inside: the strict parser decides whether it ends the record. */
function splitPlain(text: string, delimiter: string): string[] | undefined {
  if (text === '') return [];
  return text.includes('\r') ? undefined : text.split(delimiter);
}

/** Undefined where a quote is neither around a cell nor doubled inside of it. */
function splitQuoted(text: string, delimiter: string, quote: string): string[] | undefined {
  const cells: string[] = [];
  let nextQuote = text.indexOf(quote);
  let nextReturn = text.indexOf('\r');
  for (let at = 0; ; at += delimiter.length) {
    const isQuoted = at === nextQuote;
    const found = isQuoted ? closingQuoteEnd(text, quote, at) : text.indexOf(delimiter, at);
    const end = found < 0 ? text.length : found;
    if (isQuoted) {
      if (found < 0 || (end < text.length && !text.startsWith(delimiter, end))) return undefined;
      const inner = text.slice(at + 1, end - 1);
      cells.push(inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner);
      nextQuote = text.indexOf(quote, end);
      if (nextReturn >= 0 && nextReturn < end) nextReturn = text.indexOf('\r', end);
    } else {
      if ((nextQuote >= 0 && nextQuote < end) || (nextReturn >= 0 && nextReturn < end)) return undefined;
      cells.push(text.slice(at, end));
    }
    if (end === text.length) return cells;
    at = end;
  }
}

/** The place after the quote that closes the cell, past those that are doubled; -1 where there is none. */
function closingQuoteEnd(text: string, quote: string, start: number): number {
  let at = text.indexOf(quote, start + 1);
  while (at >= 0 && text[at + 1] === quote) at = text.indexOf(quote, at + 2);
  return at < 0 ? -1 : at + 1;
}
