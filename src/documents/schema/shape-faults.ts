/**
 * What a shape found, as faults in plain words: one per cause, with the field as the contract writes it.
 *
 * zod says which place does not fit; what stands there is read from the body, so that the message can show it.
 */
import type { z } from 'zod';
import { decimalText, type Message } from '../../i18n/message.ts';
import { MISFITS, SHAPE } from '../../i18n/messages/documents-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import type { Schema } from '../../model/document.ts';
import { type Json, type JsonObject, Numbering } from '../../model/draft.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { escapeControls } from '../../text/printable.ts';
import { suggest } from '../../text/suggest.ts';
import { type Path, toPointer, valueAt } from '../content/json-pointer.ts';
import type { LeafWord } from './schema-parts.ts';

type Word = LeafWord | keyof typeof MISFITS;
type Issue = z.core.$ZodIssue;
/** What was looked at: `base` is the pointer of the body itself, '' for a payload. */
type Looked = {
  readonly kind: string;
  readonly body: JsonObject;
  readonly schema: Schema;
  readonly base: string;
};

export function shapeFaults(error: z.ZodError, looked: Looked): readonly DataFault[] {
  return error.issues.flatMap((issue) => faultsOf(issue, [], looked));
}

/** A value as a message shows it. */
export function shownValue(value: Json | undefined): string | Message {
  if (typeof value === 'string') {
    return SHAPE.text({ text: escapeControls(value.length > 60 ? `${value.slice(0, 57)}...` : value) });
  }
  if (value instanceof Decimal) return decimalText(value.toText());
  if (value instanceof Numbering) return SHAPE.nextNumber({ sequence: value.sequence });
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? SHAPE.list() : SHAPE.block();
  return value === undefined ? SHAPE.nothing() : String(value);
}

function faultsOf(issue: Issue, above: Path, looked: Looked): readonly DataFault[] {
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

/**
 * Of the branches of a union the right one is that which takes the type of the value, whatever it says further down.
 */
function refusesTheWhole(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'custom' || issue.code === 'invalid_type');
}

function misfit(word: Word, path: Path, { kind, body, base }: Looked): DataFault {
  const value = valueAt(body, path);
  const actual = word === 'not-text' && typeof value === 'string' ? 'unusable-text' : word;
  return {
    code: `${kind}/${actual}`,
    level: 'error',
    ...withMessage(
      SHAPE.misfit({ field: nameOf(path), value: shownValue(value), says: MISFITS[actual].says() }),
      value === null ? SHAPE.leaveOut() : MISFITS[actual].hint(),
    ),
    at: base + toPointer(path),
    ...(typeof value === 'string' ? { given: value } : value instanceof Decimal ? { given: value.toText() } : {}),
  };
}

function unknownField(path: Path, { kind, schema, base }: Looked): DataFault {
  const name = String(path.at(-1));
  const known = Object.keys(schemaAt(schema, path.slice(0, -1))?.properties ?? {});
  const meant = suggest(name, known);
  const what = { name: shownValue(name) };
  return {
    code: `${kind}/unknown-field`,
    level: 'error',
    ...withMessage(
      path.length > 1 ? SHAPE.unknownIn({ ...what, place: nameOf(path.slice(0, -1)) }) : SHAPE.unknownAtTop(what),
      meant ? SHAPE.meant({ meant }) : SHAPE.fieldsHere({ fields: known }),
    ),
    at: base + toPointer(path),
    given: name,
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
function nameOf(path: Path): string | Message {
  const names: string[] = [];
  for (const step of path) {
    if (typeof step === 'number') names[names.length - 1] += ` ${step + 1}`;
    else names.push(step);
  }
  return names.join(', ') || SHAPE.document();
}

function isObject(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Decimal) && !(value instanceof Numbering);
}
