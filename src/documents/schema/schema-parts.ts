/**
 * The pieces that shapes of documents are built from: leaves, lists and objects in zod, each with the phrase that
 * describes it in the manual. Every field is optional, because the contracts show no required ones.
 *
 * The message of a leaf is the last word of its fault code; `shape-faults.ts` makes sentences of them.
 */
import { z } from 'zod';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { Numbering } from '../../model/draft.ts';
import { isDay, isLocalMoment, isMoment } from '../content/contract-dates.ts';

/** What a leaf says about a value it does not take. */
export type LeafWord =
  | 'not-text'
  | 'not-a-number'
  | 'not-an-integer'
  | 'not-true-or-false'
  | 'not-a-date'
  | 'not-a-date-time'
  | 'not-a-local-date-time'
  | 'not-base64'
  | 'not-json';

/** The type in JSON Schema, which `explain` and the manual show. */
type JsonType = 'string' | 'number' | 'integer' | 'boolean';
type Fields = { readonly [key: string]: z.ZodType };

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Builders of shapes. `says` is a short phrase of the contract. */
export const part = {
  text: (says: string) => leaf('string', 'not-text', says, isText),
  amount: (says: string) => leaf('number', 'not-a-number', says, isAmount),
  whole: (says: string) => leaf('integer', 'not-an-integer', says, isWhole),
  flag: (says: string) => leaf('boolean', 'not-true-or-false', says, (value) => typeof value === 'boolean'),
  day: (says: string) => leaf('string', 'not-a-date', says, textThat(isDay), 'date'),
  /** Where the contract names a date without its type: a day, or a day with its time. */
  dayOrMoment: (says: string) =>
    leaf(
      'string',
      'not-a-date',
      says,
      textThat((text) => isDay(text) || isMoment(text)),
      'date',
    ),
  moment: (says: string) => leaf('string', 'not-a-date-time', says, textThat(isMoment), 'date-time'),
  localMoment: (says: string) => leaf('string', 'not-a-local-date-time', says, textThat(isLocalMoment), 'date-time'),
  base64: (says: string) => leaf('string', 'not-base64', says, textThat(isBase64)),
  list: (says: string, item: z.ZodType): z.ZodType => z.array(item).meta({ description: says }),
  /** Only the given fields exist; each may be left out. */
  object: (says: string, fields: Fields): z.ZodType =>
    z
      .strictObject(Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.optional()])))
      .meta({ description: says }),
  /** Any fields: for the places where a contract shows an object but not its keys. */
  free: (says: string, value: z.ZodType): z.ZodType => z.record(z.string(), value).meta({ description: says }),
  textOr: (says: string, other: z.ZodType): z.ZodType => z.union([part.text(says), other]).meta({ description: says }),
  /** Any JSON but null: for the places where a contract shows nothing of what is in them. */
  any: (says: string): z.ZodType => z.custom(isJson, 'not-json' satisfies LeafWord).meta({ description: says }),
  /** The given fields, and others with any value. */
  open: (says: string, fields: Fields): z.ZodType =>
    z
      // Refuses what is no plain block, such as a number, before its fields are looked at.
      .record(z.string(), z.unknown())
      .pipe(
        z
          .object(Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.optional()])))
          .catchall(part.any('any value'))
          .meta({ description: says }),
      )
      .meta({ description: says }),
};

function leaf(
  type: JsonType,
  word: LeafWord,
  description: string,
  test: (value: unknown) => boolean,
  format?: 'date' | 'date-time',
): z.ZodType {
  return z.custom(test, word).meta(definedOnly({ type, description, format: format ? format : undefined }));
}

/**
 * What XML 1.0 has no place for (Char, section 2.2), in which the provider writes what it forwards: control characters
 * other than tab and line ends, and two that are none. NUL also marks the place of a number (model/draft.ts).
 */
const NOT_IN_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** Half a surrogate pair has no UTF-8, and some characters have no place in XML: neither may be in a text. */
export function isText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !NOT_IN_XML.test(value);
  return value instanceof Numbering && value.as === 'text';
}

/** Numbers of a draft are Decimals: a float never gets this far. */
export function isAmount(value: unknown): value is Decimal {
  return value instanceof Decimal;
}

function isNumber(value: unknown): boolean {
  return value instanceof Decimal || (value instanceof Numbering && value.as === 'number');
}

function isJson(value: unknown): boolean {
  if (isText(value) || isNumber(value) || typeof value === 'boolean') return true;
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.entries(value).every(([key, part]) => isText(key) && (part === undefined || isJson(part)));
}

/** A number from a sequence is whole by itself. */
function isWhole(value: unknown): boolean {
  return value instanceof Decimal ? value.isInteger() : isNumber(value);
}

function textThat(test: (text: string) => boolean): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && test(value);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}
