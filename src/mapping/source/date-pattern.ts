/**
 * Patterns of dates, "dd/MM/yyyy HH:mm": its parts in order. Reading cells and TEXT share them.
 */

import { DATE_PATTERNS, DATE_UNITS } from '../../i18n/messages/mapping-messages.ts';
import { dictionary } from '../../text/dictionary.ts';
import type { Problem } from '../runtime/diagnostics.ts';

export type DateUnit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';
export type DatePart =
  | { readonly unit: DateUnit /** 1: one digit or two. 0: the month as a word. */; readonly digits: 0 | 1 | 2 | 4 }
  | { readonly literal: string };

export type PatternProblem = Pick<Problem, 'message' | 'hint'>;

const FIELDS = dictionary<Extract<DatePart, { unit: DateUnit }>>({
  yyyy: { unit: 'year', digits: 4 },
  yy: { unit: 'year', digits: 2 },
  MMMM: { unit: 'month', digits: 0 },
  MMM: { unit: 'month', digits: 0 },
  MM: { unit: 'month', digits: 2 },
  M: { unit: 'month', digits: 1 },
  dd: { unit: 'day', digits: 2 },
  d: { unit: 'day', digits: 1 },
  HH: { unit: 'hour', digits: 2 },
  H: { unit: 'hour', digits: 1 },
  mm: { unit: 'minute', digits: 2 },
  ss: { unit: 'second', digits: 2 },
});

export function parseDatePattern(pattern: string): readonly DatePart[] | PatternProblem {
  const parts: DatePart[] = [];
  const seen = new Set<DateUnit>();
  for (const piece of pattern.match(/([a-zA-Z])\1*|[^a-zA-Z]+/g) ?? []) {
    // The T of ISO date-times is the one letter that is a literal.
    const field = /^[a-zA-Z]/.test(piece) && piece !== 'T' ? FIELDS.get(piece) : { literal: piece };
    if (!field) return { message: DATE_PATTERNS.unknownPart({ part: piece, pattern }), hint: DATE_PATTERNS.letters() };
    if ('unit' in field) {
      if (seen.has(field.unit)) {
        return {
          message: DATE_PATTERNS.twice({ pattern, unit: DATE_UNITS[field.unit]() }),
          hint: DATE_PATTERNS.letters(),
        };
      }
      seen.add(field.unit);
    } else if (/\d/.test(piece)) {
      return { message: DATE_PATTERNS.digits({ pattern }), hint: DATE_PATTERNS.letters() };
    }
    parts.push(field);
  }
  return parts;
}

/** Writes ISO dates along a pattern; a date without a time counts as midnight. */
export function compileDateWriter(pattern: string): ((iso: string) => string) | PatternProblem {
  const parts = parseDatePattern(pattern);
  if ('message' in parts) return parts;
  if (parts.some((part) => 'unit' in part && part.digits === 0)) {
    return { message: DATE_PATTERNS.monthName({ pattern }), hint: DATE_PATTERNS.writeMonth() };
  }
  return (iso) => parts.map((part) => ('literal' in part ? part.literal : written(iso, part))).join('');
}

/** Where each unit begins in ISO text. */
const PLACES: { readonly [unit in DateUnit]: number } = { year: 0, month: 5, day: 8, hour: 11, minute: 14, second: 17 };

function written(iso: string, { unit, digits }: Extract<DatePart, { unit: DateUnit }>): string {
  const at = PLACES[unit];
  const text = iso.slice(at, at + (unit === 'year' ? 4 : 2)) || '00';
  return digits === 1 ? String(Number(text)) : text.slice(-digits);
}
