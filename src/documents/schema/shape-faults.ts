/**
 * Turns the issues of zod into faults in plain words: one per cause, with the field as the contract writes it. zod
 * reports which place does not fit; the value is read from the body, so that the message can show it. Nothing here
 * throws.
 */
import type { z } from 'zod';
import { decimalText, type Message } from '../../i18n/message.ts';
import { MISFITS, SHAPE } from '../../i18n/messages/documents-messages.ts';
import { Decimal } from '../../model/decimal.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Schema } from '../../model/document.ts';
import { type Json, type JsonObject, Numbering } from '../../model/draft.ts';
import { type DataFault, withMessage } from '../../model/fault.ts';
import { escapeControls } from '../../text/printable.ts';
import { suggest } from '../../text/suggest.ts';
import { type Path, toPointer, valueAt } from '../content/json-pointer.ts';
import type { LeafWord } from './schema-parts.ts';

type Word = LeafWord | keyof typeof MISFITS;
type Issue = z.core.$ZodIssue;
/**
 * The body that was checked. `base` is its pointer in the draft, '' for a payload; `schema` names the fields of each
 * block.
 */
type Looked = {
  readonly kind: string;
  readonly body: JsonObject;
  readonly schema: Schema;
  readonly base: string;
};

/** `<kind>/<word>` per place that does not fit, such as `fr-invoice/not-a-date`, and `<kind>/unknown-field`. */
export function shapeFaults(error: z.ZodError, looked: Looked): readonly DataFault[] {
  return error.issues.flatMap((issue) => faultsOf(issue, [], looked));
}

/** Texts with 60 characters at most; lists and blocks only by their sort. */
export function shownValue(value: Json | undefined): string | Message {
  if (typeof value === 'string') {
    return SHAPE.text({ text: escapeControls(value.length > 60 ? `${value.slice(0, 57)}...` : value) });
  }
  if (value instanceof Decimal) return decimalText(value.toText());
  if (value instanceof Numbering) return SHAPE.nextNumber({ sequence: value.sequence });
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? SHAPE.list() : SHAPE.block();
  return value === undefined ? SHAPE.nothing() : String(value);
}

/**
 * A union takes the branch that fits the type of the value: its faults are about the place that a person has to fix.
 */
function faultsOf(issue: Issue, above: Path, looked: Looked): readonly DataFault[] {
  const path = [...above, ...(issue.path as Path)];
  switch (issue.code) {
    case 'unrecognized_keys':
      // Numbers and numberings are objects to zod.
      if (!isObject(valueAt(looked.body, path))) return [misfit('not-an-object', path, looked)];
      return issue.keys.map((key) => unknownField([...path, key], looked));
    case 'invalid_union': {
      const fits = issue.errors.find((branch) => !branch.some(refusesTheWhole));
      if (!fits) return [misfit('not-text-or-object', path, looked)];
      return fits.flatMap((inner) => faultsOf(inner, path, looked));
    }
    case 'invalid_type':
      return [misfit(issue.expected === 'array' ? 'not-a-list' : 'not-an-object', path, looked)];
    default:
      return [misfit(issue.message as LeafWord, path, looked)];
  }
}

/**
 * The right branch of a union is the one that accepts the type of the value, whatever is wrong further down.
 */
function refusesTheWhole(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'custom' || issue.code === 'invalid_type');
}

/** Null gets the hint to leave the field out; `given` is the value as text, if it has one. */
function misfit(word: Word, path: Path, { kind, body, base }: Looked): DataFault {
  const value = valueAt(body, path);
  const actual = word === 'not-text' && typeof value === 'string' ? 'unusable-text' : word;
  const message = SHAPE.misfit({ field: nameOf(path), value: shownValue(value), says: MISFITS[actual].says() });
  return definedOnly({
    code: `${kind}/${actual}`,
    level: 'error' as const,
    ...withMessage(message, value === null ? SHAPE.leaveOut() : MISFITS[actual].hint()),
    at: base + toPointer(path),
    given: givenText(value),
  });
}

/** Undefined for a value that is not one text or number. */
function givenText(value: Json | undefined): string | undefined {
  if (value instanceof Decimal) return value.toText();
  return typeof value === 'string' ? value : undefined;
}

/** Suggests a near name of the block, else lists its fields. */
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

/** Of a union, only blocks have fields to suggest. */
function objectBranch(schema: Schema | undefined): Schema | undefined {
  return schema?.anyOf ? schema.anyOf.find((branch) => branch.properties !== undefined) : schema;
}

/** The field in the words of the contract, with the number of its entry (from 1) in a list: `lines 3, unit-price`. */
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
