/**
 * Reads a body that is not checked yet: a value that is missing or of another type is undefined, and nothing throws.
 * Paths are steps (names, indexes from 0); pointers are texts (RFC 6901).
 */
import { Decimal } from '../../model/decimal.ts';
import { type Json, Numbering } from '../../model/draft.ts';
import { codeUnitAt } from '../../text/code-unit.ts';
import { isDay } from './contract-dates.ts';

type Step = string | number;

const NOTHING: readonly Json[] = [];
const NO_FIELDS: Fields = {};

/** The value at the end of the path; never an inherited property, such as `constructor`. */
export function valueAt(body: Json | undefined, path: readonly Step[]): Json | undefined {
  let here = body;
  for (const step of path) here = below(here, step);
  return here;
}

function below(here: Json | undefined, step: Step): Json | undefined {
  if (typeof here !== 'object' || here === null) return;
  const value = (here as { readonly [key: Step]: Json | undefined })[step];
  // JSON has no functions: one is inherited, as is __proto__. Quicker than to ask whether the property is its own.
  if (value === undefined || typeof value === 'function' || step === '__proto__') return;
  return here instanceof Decimal || here instanceof Numbering ? undefined : value;
}

/** The same for few steps, without a list of them: every document is asked for some hundred fields. */
function fieldAt(body: Json | undefined, a?: Step, b?: Step, c?: Step): Json | undefined {
  if (a === undefined) return body;
  const first = below(body, a);
  if (b === undefined) return first;
  const second = below(first, b);
  return c === undefined ? second : below(second, c);
}

/** A text that is not blank. */
export function textAt(body: Json | undefined, a?: Step, b?: Step, c?: Step): string | undefined {
  return asText(fieldAt(body, a, b, c));
}

/** The day of a date or date-time; undefined where the text begins with no day of the calendar. */
export function dayAt(body: Json | undefined, a?: Step, b?: Step, c?: Step): string | undefined {
  const day = textAt(body, a, b, c)?.slice(0, 10);
  return day !== undefined && isDay(day) ? day : undefined;
}

/** A number; undefined for a text of digits. */
export function decimalAt(body: Json | undefined, a?: Step, b?: Step, c?: Step): Decimal | undefined {
  return asDecimal(fieldAt(body, a, b, c));
}

/** A document number, given as text or as number; still to come from the ledger, the token that holds its place. */
export function numberAt(body: Json | undefined, a?: Step, b?: Step, c?: Step): string | undefined {
  const value = fieldAt(body, a, b, c);
  if (value instanceof Numbering) return value.toJSON();
  return value instanceof Decimal ? value.toText() : textAt(value);
}

/** The items of a list; none where there is no list. */
export function listAt(body: Json | undefined, a?: Step, b?: Step, c?: Step): readonly Json[] {
  return asList(fieldAt(body, a, b, c));
}

/** The values of a block by name; empty if the value is no block. */
export type Fields = { readonly [name: string]: Json | undefined };

/**
 * A block of which several fields are read: each of them by its name in the source, which takes a fraction of the time
 * of a path. Only with names that no object inherits, and through `asText`, `asDecimal` and `asList`.
 */
export function objectFields(body: Json | undefined): Fields {
  const isBlock =
    typeof body === 'object' && body !== null && !(body instanceof Decimal) && !(body instanceof Numbering);
  return isBlock ? (body as Fields) : NO_FIELDS;
}

/** The value if it is a text that is not blank. */
export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && !isBlank(value) ? value : undefined;
}

/** The value if it is a number. */
export function asDecimal(value: Json | undefined): Decimal | undefined {
  return value instanceof Decimal ? value : undefined;
}

/** The value if it is a list, else an empty list. */
export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : NOTHING;
}

/** The keys of a block; none where there is no block. */
export function keysAt(body: Json | undefined, a?: Step): readonly string[] {
  const value = fieldAt(body, a);
  const isBlock =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Decimal) &&
    !(value instanceof Numbering);
  return isBlock ? Object.keys(value) : [];
}

function isBlank(text: string): boolean {
  const first = codeUnitAt(text, 0);
  return !(first > 0x20 && first < 0x7f) && text.trim() === '';
}

/** Steps from the body to a value. */
export type Path = readonly (string | number)[];

/** The JSON pointer of a path. */
export function toPointer(path: Path): string {
  return path.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}
