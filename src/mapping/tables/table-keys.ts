/**
 * Keys of a table that match many codes: ranges ("100..199", "2026-01-01..", "A..F") and wildcards ("7*").
 *
 * An exact key goes first, then the one range that includes the code, then the wildcard with the most characters of its own.
 * Whatever would leave a choice between two of a kind is a finding, so that the order of a table never matters.
 */

import type { Message } from '../../i18n/message.ts';
import { TABLE_KEYS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { isIsoDate } from '../../text/calendar-date.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import type { Problem } from '../runtime/diagnostics.ts';

type RangeKind = 'number' | 'date' | 'text';

export type Keys = {
  /** The range or wildcard that a code falls under, as it is written; the code is not empty. */
  readonly match: ((code: string) => string | undefined) | undefined;
  /** The codes that each key matches, for keys that are ranges or wildcards. */
  readonly patterns: ReadonlyMap<string, RangeKind | 'wildcard'>;
  readonly problems: readonly KeyProblem[];
};

export type KeyProblem = { readonly key: string; readonly problem: Problem };

type Ends = { readonly key: string; readonly from: string; readonly to: string };
type Wildcard = { readonly key: string; readonly head: string; readonly tail: string };

/** Each is tried in turn, and held against each other of its length when the table is read. */
const MAX_WILDCARDS = 1000;

export function readKeys(codes: Iterable<string>): Keys {
  const ends: Ends[] = [];
  const wildcards: Wildcard[] = [];
  const problems: KeyProblem[] = [];
  for (const key of codes) {
    const range = /^\s*([^.\s](?:.*?[^.\s])?|)\s*\.\.\s*((?:[^.\s].*)?)$/s.exec(key);
    const [, from = '', to = ''] = range ?? [];
    if (from !== '' || to !== '') ends.push({ key, from, to: to.trim() });
    else if (key.includes('*')) {
      const [head = '', tail = '', ...rest] = key.split('*');
      wildcards.push({ key, head, tail });
      if (rest.length > 0) problems.push(wrong(key, TABLE_KEYS.severalStars({ key }), TABLE_KEYS.oneStar()));
    }
  }
  const ranges = rangesOf(ends, problems);
  checkWildcards(wildcards, problems);
  const patterns = new Map<string, RangeKind | 'wildcard'>(wildcards.map(({ key }) => [key, 'wildcard']));
  if (ranges) for (const { key } of ends) patterns.set(key, ranges.kind);
  return { match: matcher(ranges?.find, wildcards), patterns, problems };
}

function matcher(find: ((code: string) => string | undefined) | undefined, wildcards: Wildcard[]): Keys['match'] {
  if (!find && wildcards.length === 0) return undefined;
  wildcards.sort((a, b) => own(b) - own(a));
  return (code) =>
    find?.(code) ??
    wildcards.find(
      ({ head, tail }) => code.length >= head.length + tail.length && code.startsWith(head) && code.endsWith(tail),
    )?.key;
}

function own({ head, tail }: Wildcard): number {
  return head.length + tail.length;
}

/** Two of one length that a single code could fit: "7*" and "*7" for 77. */
function checkWildcards(wildcards: readonly Wildcard[], problems: KeyProblem[]): void {
  const tooMany = wildcards[MAX_WILDCARDS];
  if (tooMany) {
    problems.push(wrong(tooMany.key, TABLE_KEYS.tooManyStars({ most: MAX_WILDCARDS }), TABLE_KEYS.useRanges()));
    return;
  }
  for (const [n, one] of wildcards.entries()) {
    const other = wildcards.slice(0, n).find((before) => own(before) === own(one) && meet(before, one));
    if (other) problems.push(overlap(one.key, other.key));
  }
}

function meet(a: Wildcard, b: Wildcard): boolean {
  const heads = a.head.startsWith(b.head) || b.head.startsWith(a.head);
  return heads && (a.tail.endsWith(b.tail) || b.tail.endsWith(a.tail));
}

type Ranges = { readonly kind: RangeKind; readonly find: (code: string) => string | undefined };

function rangesOf(ends: readonly Ends[], problems: KeyProblem[]): Ranges | undefined {
  const first = ends[0];
  if (!first) return undefined;
  const kind = kindOf(first);
  const odd = ends.find((one) => kindOf(one) !== kind);
  if (odd) {
    const message = TABLE_KEYS.differentKinds({ first: first.key, other: odd.key });
    problems.push(wrong(odd.key, message, TABLE_KEYS.oneKind()));
    return undefined;
  }
  if (kind === 'number') return { kind, find: finder(ends, numberIn, (a, b) => a.compare(b), problems) };
  if (kind === 'date') return { kind, find: finder(ends, dayIn, compareTexts, problems) };
  for (const { key, from, to } of ends) {
    if (from.length === to.length) continue;
    problems.push(wrong(key, TABLE_KEYS.differentLengths({ key }), TABLE_KEYS.sameLength()));
  }
  return { kind, find: finder(ends, (text) => text, byLength, problems) };
}

function kindOf({ from, to }: Ends): RangeKind {
  const given = [from, to].filter((end) => end !== '');
  if (given.every((end) => numberIn(end)?.toText() === end.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')))
    return 'number';
  return given.every((end) => isIsoDate(end)) ? 'date' : 'text';
}

function numberIn(text: string): Decimal | undefined {
  return Decimal.parse(text);
}

function dayIn(text: string): string | undefined {
  return isIsoDate(text) ? text.slice(0, 10) : undefined;
}

/** Texts sort by length first, so that the range 01000..01999 never includes 0150. */
function byLength(a: string, b: string): number {
  return a.length - b.length || compareTexts(a, b);
}

type Range<T> = { readonly key: string; readonly from: T | undefined; readonly to: T | undefined };

function finder<T>(
  ends: readonly Ends[],
  read: (text: string) => T | undefined,
  compare: (a: T, b: T) => number,
  problems: KeyProblem[],
): (code: string) => string | undefined {
  const ranges = ends.map(({ key, from, to }): Range<T> => ({ key, from: read(from), to: read(to) }));
  for (const { key, from, to } of ranges) {
    if (from === undefined || to === undefined || compare(from, to) <= 0) continue;
    problems.push(wrong(key, TABLE_KEYS.backwards({ key }), TABLE_KEYS.lowerFirst()));
  }
  ranges.sort((a, b) => {
    if (a.from === undefined) return -1;
    return b.from === undefined ? 1 : compare(a.from, b.from);
  });
  for (const [n, { key, from }] of ranges.entries()) {
    const before = ranges[n - 1];
    if (!before || (before.to !== undefined && from !== undefined && compare(before.to, from) < 0)) continue;
    problems.push(overlap(key, before.key));
  }
  return (code) => {
    const value = read(code);
    if (value === undefined) return undefined;
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const from = ranges[middle]?.from;
      if (from === undefined || compare(from, value) <= 0) low = middle + 1;
      else high = middle;
    }
    const found = ranges[low - 1];
    return found && (found.to === undefined || compare(value, found.to) <= 0) ? found.key : undefined;
  };
}

function wrong(key: string, message: Message, hint: Message): KeyProblem {
  return { key, problem: { code: 'map/wrong-table', message, hint } };
}

function overlap(key: string, other: string): KeyProblem {
  const message = TABLE_KEYS.overlap({ key, other });
  return { key, problem: { code: 'map/keys-overlap', message, hint: TABLE_KEYS.oneValue() } };
}
