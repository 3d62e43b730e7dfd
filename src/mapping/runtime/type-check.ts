/**
 * Does a value fit where it is used? Asked of kinds before any file is read, of values where the kind is open till then.
 */
import { format } from '../../i18n/message.ts';
import { KINDS } from '../../i18n/messages/mapping-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { withMessage } from '../../model/fault.ts';
import { isIsoDate } from '../../text/calendar-date.ts';
import { type Argument, argumentText, fail } from './function-definition.ts';
import { type Context, FAILED, type Kind, type Value } from './value.ts';

/** With its article, for messages in English. */
export function kindInWords(kind: Kind): string {
  return format(KINDS[kind](), 'en');
}

/** Why an argument cannot stand where `taker` (a function or an operator) needs a kind; undefined where it can. */
export function typeMismatch(
  given: Argument,
  kind: Kind,
  taker: string,
): { readonly code: string; readonly message: string; readonly hint: string } | undefined {
  if (kind === 'any' || given.kind === 'any' || given.kind === kind || given.literal === '') return undefined;
  if (kind === 'date' && typeof given.literal === 'string' && isIsoDate(given.literal)) return undefined;
  const message = `${given.source} is ${kindInWords(given.kind)}, and ${taker} needs ${kindInWords(kind)}`;
  return { code: 'map/wrong-kind', message, hint: remedy(given, kind, taker) };
}

function remedy(given: Argument, kind: Kind, taker: string): string {
  const column = /^\$\[?([^$\]]*?)\]?$/.exec(given.source)?.[1];
  if (kind === 'boolean') return `write a comparison, such as ${given.source} = "X"`;
  if (kind === 'text') return `TEXT(${given.source}, "pattern") writes it as text`;
  if (given.kind === 'date')
    return `DUE-DATE(date, ${taker === '-' ? '-' : ''}30, "days") and DAYS(end, start) count with dates`;
  if (given.kind !== 'text') return `give it ${kindInWords(kind)}`;
  if (column !== undefined && column !== '') return `declare the column: source: columns: { ${column}: ${kind} }`;
  return kind === 'number'
    ? 'NUMBER(text) reads a text as a number'
    : 'DATE(text, "dd/MM/yyyy") reads a text as a date';
}

/** The argument, its values looked at while running where its kind is not known before. */
export function checking(given: Argument, kind: Kind, taker: string): Argument {
  if (kind === 'any' || given.kind !== 'any') return given;
  const { read, list } = given;
  const check = (value: Value, context: Context): Value => {
    if (value === '' || value === FAILED || fits(value, kind)) return value;
    const shown = argumentText(value);
    const needs = KINDS.needs({ source: given.source, given: shown, taker, kind: KINDS[kind]() });
    return fail(context, { code: 'map/wrong-kind', ...withMessage(needs), given: shown });
  };
  return {
    ...given,
    kind,
    read: (context) => check(read(context), context),
    ...(list ? { list: (context: Context) => list(context).map((value) => check(value, context)) } : {}),
  };
}

function fits(value: Exclude<Value, typeof FAILED>, kind: Kind): boolean {
  if (kind === 'number') return value instanceof Decimal;
  if (kind === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && (kind !== 'date' || isIsoDate(value));
}
