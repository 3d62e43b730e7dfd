/**
 * + and - with dates, as in a spreadsheet: a date and days give a date, two dates give the days between them. Decided
 * by the kinds, before any file is read; all other arithmetic is with numbers. Fault: `map/no-such-date`.
 */
import { DAYS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import { dateOfDay, dayNumber } from '../../text/calendar-date.ts';
import { type Argument, fail } from '../runtime/function-definition.ts';
import { type Context, FAILED, type Kind, type ReadValue, type Value } from '../runtime/value.ts';
import type { Operator } from './parse-formula.ts';

/** Undefined where the operator or the kinds are not those of dates. Days are whole numbers. */
export function dateArithmetic(
  operator: Operator,
  left: Argument,
  right: Argument,
): { readonly kind: Kind; readonly read: ReadValue } | undefined {
  const [a, b] = [left.kind, right.kind];
  if (operator === '-' && a === 'date' && b === 'date') return { kind: 'number', read: difference(left, right) };
  if (operator === '+' && a === 'number' && b === 'date') return { kind: 'date', read: later(right, left, 1) };
  if (a !== 'date' || b !== 'number' || (operator !== '+' && operator !== '-')) return undefined;
  return { kind: 'date', read: later(left, right, operator === '+' ? 1 : -1) };
}

/** Days from `right` to `left`; '' where one of the dates is empty. */
function difference(left: Argument, right: Argument): ReadValue {
  return (context) => {
    const end = left.read(context);
    const start = right.read(context);
    if (end === FAILED || start === FAILED) return FAILED;
    if (typeof end !== 'string' || typeof start !== 'string' || end === '' || start === '') return '';
    return Decimal.from(dayNumber(end) - dayNumber(start));
  };
}

/** An empty count of days counts as 0, as an empty number does in a sum. */
function later(date: Argument, days: Argument, sign: 1 | -1): ReadValue {
  return (context): Value => {
    const from = date.read(context);
    const by = days.read(context);
    if (from === FAILED || by === FAILED) return FAILED;
    if (typeof from !== 'string' || from === '' || !(by instanceof Decimal)) return from;
    const count = by.isInteger() ? Number(by.toText()) : Number.NaN;
    return dateOfDay(dayNumber(from) + sign * count) ?? noSuchDate(context, from);
  };
}

/** The result is outside the calendar, or the count is not whole. */
function noSuchDate(context: Context, from: string): typeof FAILED {
  const words = withMessage(DAYS.tooFar({ date: from }), DAYS.wholeDays());
  return fail(context, { code: 'map/no-such-date', ...words, given: from });
}
