/**
 * + and - with dates, as a spreadsheet has them: a date and some days give a date, two dates the days between them.
 *
 * Only where the kinds are known before any file is read; all other arithmetic is with numbers.
 */
import { DAYS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import { dateOfDay, dayNumber } from '../../text/calendar-date.ts';
import { type Argument, fail } from '../runtime/function-definition.ts';
import { type Context, FAILED, type Kind, type ReadValue, type Value } from '../runtime/value.ts';
import type { Operator } from './parse-formula.ts';

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

function difference(left: Argument, right: Argument): ReadValue {
  return (context) => {
    const end = left.read(context);
    const start = right.read(context);
    if (end === FAILED || start === FAILED) return FAILED;
    if (typeof end !== 'string' || typeof start !== 'string' || end === '' || start === '') return '';
    return Decimal.from(dayNumber(end) - dayNumber(start));
  };
}

/** An empty number counts as nothing, as it does beside a number. */
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

function noSuchDate(context: Context, from: string): typeof FAILED {
  const words = withMessage(DAYS.tooFar({ date: from }), DAYS.wholeDays());
  return fail(context, { code: 'map/no-such-date', ...words, given: from });
}
