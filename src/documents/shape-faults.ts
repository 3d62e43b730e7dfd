/**
 * What a shape found, as faults in plain words: one per cause, with the field as the contract writes it.
 *
 * zod says which place does not fit; what stands there is read from the body, so that the message can show it.
 */
import type { z } from 'zod';
import { Decimal } from '../model/decimal.ts';
import type { Schema } from '../model/document.ts';
import { type Json, type JsonObject, Numbering } from '../model/draft.ts';
import type { Fault } from '../model/fault.ts';
import { printable } from '../model/printable.ts';
import { suggest } from '../model/suggest.ts';
import type { LeafWord } from './part.ts';
import { valueAt } from './read.ts';

type Word = LeafWord | 'not-a-list' | 'not-an-object' | 'not-text-or-object' | 'unusable-text';
type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];

/** What was looked at: `base` is the pointer of the body itself, '' for a payload. */
type Looked = {
  readonly kind: string;
  readonly body: JsonObject;
  readonly schema: Schema;
  readonly base: string;
};

const WORDS: { readonly [word in Word]: { readonly says: string; readonly hint: string } } = {
  'not-text': { says: 'is not text', hint: 'identifiers and codes are text, even where they look like numbers' },
  'not-a-number': { says: 'is not a number', hint: 'declare its column as number in the mapping, or correct the cell' },
  'not-an-integer': { says: 'is not a whole number', hint: 'this field takes no decimals and no text' },
  'not-true-or-false': { says: 'is neither true nor false', hint: 'write true or false, without quotes' },
  'not-a-date': {
    says: 'is not a date of the calendar',
    hint: 'a date reads YYYY-MM-DD: declare its column as date in the mapping, or correct the cell',
  },
  'not-a-date-time': {
    says: 'is not a date with its time',
    hint: 'it reads YYYY-MM-DDThh:mm:ss, and a zone such as Z or +02:00 may follow',
  },
  'not-a-local-date-time': {
    says: 'is not a date with its time, without zone',
    hint: 'it reads YYYY-MM-DDThh:mm:ss with nothing after it',
  },
  'not-base64': { says: 'is not Base64', hint: 'give the content of the file with data: = FILE-CONTENT()' },
  'not-a-plain-value': { says: 'is not a plain value', hint: 'give a text, a number, true or false' },
  'not-a-list': { says: 'is not a list', hint: 'write the entries of this field as a list, each with a leading "-"' },
  'not-an-object': { says: 'is not a block of fields', hint: 'this field has fields of its own: indent them below it' },
  'not-text-or-object': { says: 'is neither text nor a block of fields', hint: 'give a text, or fields of its own' },
  'unusable-text': {
    says: 'holds a character that no document can carry',
    hint: 'look for damaged characters in the cell; the encoding of the file may be declared wrongly',
  },
};

export function shapeFaults(error: z.ZodError, looked: Looked): readonly Fault[] {
  return error.issues.flatMap((issue) => faultsOf(issue, [], looked));
}

/** The JSON pointer of a path. */
export function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
}

/** A value as a message shows it. */
export function shown(value: Json | undefined): string {
  if (typeof value === 'string') return `"${printable(value.length > 60 ? `${value.slice(0, 57)}...` : value)}"`;
  if (value instanceof Decimal) return value.toText();
  if (value instanceof Numbering) return `the next number of sequence "${value.sequence}"`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a block of fields';
  return value === undefined ? 'nothing' : String(value);
}

function faultsOf(issue: Issue, above: Path, looked: Looked): readonly Fault[] {
  const path = [...above, ...(issue.path as Path)];
  switch (issue.code) {
    case 'unrecognized_keys':
      // Numbers and numberings are objects to zod.
      return isObject(valueAt(looked.body, path))
        ? issue.keys.map((key) => unknownField([...path, key], looked))
        : [misfit('not-an-object', path, looked)];
    case 'invalid_union': {
      const fits = issue.errors.find((branch) => !branch.some(refusesTheWhole));
      return fits
        ? fits.flatMap((inner) => faultsOf(inner, path, looked))
        : [misfit('not-text-or-object', path, looked)];
    }
    case 'invalid_type':
      return [misfit(issue.expected === 'array' ? 'not-a-list' : 'not-an-object', path, looked)];
    default:
      return [misfit(issue.message as LeafWord, path, looked)];
  }
}

/** Of the branches of a union the right one is that which takes the type of the value, whatever it says further down. */
function refusesTheWhole(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'custom' || issue.code === 'invalid_type');
}

function misfit(word: Word, path: Path, { kind, body, base }: Looked): Fault {
  const value = valueAt(body, path);
  const actual = word === 'not-text' && typeof value === 'string' ? 'unusable-text' : word;
  return {
    code: `${kind}/${actual}`,
    level: 'error',
    message: `${nameOf(path)}: ${shown(value)} ${WORDS[actual].says}`,
    at: base + pointer(path),
    ...(typeof value === 'string' ? { given: value } : value instanceof Decimal ? { given: value.toText() } : {}),
    hint: value === null ? 'leave the field out where there is no value' : WORDS[actual].hint,
  };
}

function unknownField(path: Path, { kind, schema, base }: Looked): Fault {
  const name = String(path.at(-1));
  const known = Object.keys(schemaAt(schema, path.slice(0, -1))?.properties ?? {});
  const meant = suggest(name, known);
  const place = path.length > 1 ? `in ${nameOf(path.slice(0, -1))}` : 'at the top of the document';
  return {
    code: `${kind}/unknown-field`,
    level: 'error',
    message: `there is no field ${shown(name)} ${place}`,
    at: base + pointer(path),
    given: name,
    hint: meant ? `did you mean "${meant}"?` : `fields here: ${known.join(', ')}`,
  };
}

/** The schema of the place; of a union, the branch that has fields. */
function schemaAt(schema: Schema | undefined, path: Path): Schema | undefined {
  let here = schema;
  for (const step of path) here = objectBranch(typeof step === 'number' ? here?.items : here?.properties?.[step]);
  return here;
}

function objectBranch(schema: Schema | undefined): Schema | undefined {
  return schema?.anyOf ? schema.anyOf.find((branch) => branch.properties !== undefined) : schema;
}

/** The field in the words of the contract, with its entry where it stands in a list: `lines 3, unit-price`. */
function nameOf(path: Path): string {
  const names: string[] = [];
  for (const step of path) {
    if (typeof step === 'number') names[names.length - 1] += ` ${step + 1}`;
    else names.push(step);
  }
  return names.join(', ') || 'the document';
}

function isObject(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Decimal) && !(value instanceof Numbering);
}
