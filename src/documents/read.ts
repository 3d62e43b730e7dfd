/** Reading a body that nobody has checked yet: what is not there, or of another type, is simply undefined. */
import { Decimal } from '../model/decimal.ts';
import { type Json, Numbering } from '../model/draft.ts';
import { isDay } from './calendar.ts';

type Path = readonly (string | number)[];

export function valueAt(body: Json | undefined, path: Path): Json | undefined {
  let here: Json | undefined = body;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || here instanceof Decimal || here instanceof Numbering) return;
    here = Object.hasOwn(here, step) ? (here as { readonly [key: string | number]: Json })[step] : undefined;
  }
  return here;
}

/** A text that is not blank. */
export function textAt(body: Json | undefined, ...path: Path): string | undefined {
  const value = valueAt(body, path);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The day of a date or date-time; undefined where the text begins with no day of the calendar. */
export function dayAt(body: Json | undefined, ...path: Path): string | undefined {
  const day = textAt(body, ...path)?.slice(0, 10);
  return day !== undefined && isDay(day) ? day : undefined;
}

export function decimalAt(body: Json | undefined, ...path: Path): Decimal | undefined {
  const value = valueAt(body, path);
  return value instanceof Decimal ? value : undefined;
}

/** A document number, given as text or as number; still to come from the ledger, the token that holds its place. */
export function numberAt(body: Json | undefined, ...path: Path): string | undefined {
  const value = valueAt(body, path);
  if (value instanceof Numbering) return value.toJSON();
  return value instanceof Decimal ? value.toText() : textAt(value);
}

/** The items of a list; none where there is no list. */
export function listAt(body: Json | undefined, ...path: Path): readonly Json[] {
  const value = valueAt(body, path);
  return Array.isArray(value) ? value : [];
}

/** The keys of a block; none where there is no block. */
export function keysAt(body: Json | undefined, ...path: Path): readonly string[] {
  const value = valueAt(body, path);
  const isBlock =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Decimal) &&
    !(value instanceof Numbering);
  return isBlock ? Object.keys(value) : [];
}
