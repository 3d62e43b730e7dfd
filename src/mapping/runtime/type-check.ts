/**
 * Checks that a value fits where it is used: by its kind when the mapping is loaded, else by the value at run time.
 */
import type { Message } from '../../i18n/message.ts';
import { FORMULA_KINDS, KINDS, SOURCE_COLUMNS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { withMessage } from '../../model/fault.ts';
import { isIsoDate } from '../../text/calendar-date.ts';
import { singleColumn } from './column-name.ts';
import type { Problem } from './diagnostics.ts';
import { type Argument, argumentText, fail } from './function-definition.ts';
import { type Context, FAILED, type Kind, type Value } from './value.ts';

/** Why an argument does not fit where `taker` (a function or an operator) needs a kind; undefined where it does. */
export function typeMismatch(given: Argument, kind: Kind, taker: string): Problem | undefined {
  if (kind === 'any' || given.kind === 'any' || given.kind === kind || given.literal === '') return undefined;
  if (kind === 'date' && typeof given.literal === 'string' && isIsoDate(given.literal)) return undefined;
  const { source } = given;
  const message = FORMULA_KINDS.needs({ source, given: KINDS[given.kind](), taker, kind: KINDS[kind]() });
  return { code: 'map/wrong-kind', message, hint: conversionHint(given, kind, taker) };
}

function conversionHint({ source, kind: given }: Argument, kind: Kind, taker: string): Message {
  if (kind === 'boolean') return FORMULA_KINDS.writeComparison({ source });
  if (kind === 'text') return FORMULA_KINDS.makeText({ source });
  if (given === 'date') return FORMULA_KINDS.countDates({ days: taker === '-' ? '-30' : '30' });
  if (given !== 'text') return FORMULA_KINDS.give({ kind: KINDS[kind]() });
  const column = singleColumn(source);
  if (column !== undefined) return declareColumn(column, kind);
  return kind === 'number' ? FORMULA_KINDS.makeNumber() : FORMULA_KINDS.makeDate();
}

/** What to do about a column of the wrong kind. `onePerCause` reads its values and sets the right key. */
export function declareColumn(column: string, type: Kind): Message {
  return SOURCE_COLUMNS.declare({ key: 'columns', column, type });
}

/** The argument, with a check of its values at run time where its kind is not known before. */
export function checking(given: Argument, kind: Kind, taker: string): Argument {
  if (kind === 'any' || given.kind !== 'any') return given;
  const { read, list, source } = given;
  const check = checkOf(kind, source, taker);
  return definedOnly({
    ...given,
    kind,
    read: (context: Context) => check(read(context), context),
    list: list && ((context: Context) => list(context).map((value) => check(value, context))),
  });
}

/** Passes a value of the kind, an empty and a failed one; any other is `map/wrong-kind`. `source` is its formula. */
export function checkOf(kind: Kind, source: string, taker: string): (value: Value, context: Context) => Value {
  return (value, context) => {
    if (value === '' || value === FAILED || fits(value, kind)) return value;
    const given = argumentText(value);
    const needs = KINDS.needs({ source, given, taker, kind: KINDS[kind]() });
    return fail(context, { code: 'map/wrong-kind', ...withMessage(needs), given });
  };
}

function fits(value: Exclude<Value, typeof FAILED>, kind: Kind): boolean {
  if (kind === 'number') return value instanceof Decimal;
  if (kind === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && (kind !== 'date' || isIsoDate(value));
}
