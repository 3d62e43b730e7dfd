/**
 * Values into the fields of the target: numbers where the schema has a number, text where it has a text. Never rounded.
 */

import type { Message } from '../../i18n/message.ts';
import { FIELDS, KINDS, OUTPUT_FIELDS, SOURCE_COLUMNS } from '../../i18n/messages/mapping-messages.ts';
import type { Schema } from '../../model/document.ts';
import type { Json } from '../../model/draft.ts';
import { withMessage } from '../../model/fault.ts';
import type { ValueExpression } from '../expressions/expression-types.ts';
import { valueText } from '../runtime/composition.ts';
import { type Problem, problemOf } from '../runtime/diagnostics.ts';
import { type Leaf, schemaLeaves } from '../runtime/schema-branches.ts';
import { declareColumn } from '../runtime/type-check.ts';
import type { FAILED, Kind, RunProblem, Value } from '../runtime/value.ts';

type Known = Exclude<Value, typeof FAILED>;

/** Undefined where the field cannot hold the value; '' never comes here. */
export type Convert = (value: Known) => Json | undefined;

const CONVERT = {
  any: (value) => value,
  string: textOf,
  number: (value) => (typeof value === 'object' ? value : undefined),
  integer: (value) => (typeof value === 'object' && value.isInteger() ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
} as const satisfies Record<Leaf, Convert>;

function textOf(value: Known): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? value.toText() : undefined;
}

/** Where a field takes several types, the one that keeps the value as it is comes first. */
const ORDER: readonly Leaf[] = ['boolean', 'integer', 'number', 'any', 'string'];

/** The conversion for a field; of several types of the field the first one in ORDER that holds the value counts. */
export function converterOf(schema: Schema): Convert {
  const types = new Set(schemaLeaves(schema).map((leaf) => leaf.type));
  const [first, ...others] = ORDER.filter((type) => types.has(type)).map((type): Convert => CONVERT[type]);
  if (!first) return () => undefined;
  if (others.length === 0) return first;
  return (value) => {
    let json = first(value);
    for (const convert of others) json ??= convert(value);
    return json;
  };
}

/** True for a kind of which no value fits the field; found when the mapping is loaded. */
export function neverFits(schema: Schema, kind: Kind): boolean {
  const types = schemaLeaves(schema).map((leaf) => leaf.type);
  if (kind === 'any' || types.includes('any')) return false;
  if (kind === 'number') return !types.some((type) => type !== 'boolean');
  if (kind === 'boolean') return !types.includes('boolean');
  return !types.includes('string');
}

/** Why the value does not fit the field, and what to do. */
export function shapeMismatch(schema: Schema, value: Known, name: string, form?: ValueExpression): RunProblem {
  const types = schemaLeaves(schema).map((leaf) => leaf.type);
  const given = valueText(value);
  if (typeof value === 'object' && types.includes('integer')) {
    return {
      code: 'map/not-whole',
      ...withMessage(FIELDS.notWhole({ name, given }), FIELDS.roundIt()),
      given,
    };
  }
  if (types.includes('number') || types.includes('integer')) return { ...textInNumberField(name, form), given };
  if (types.includes('boolean')) {
    return {
      code: 'map/not-true-or-false',
      ...withMessage(FIELDS.notTrueOrFalse({ name, given }), FIELDS.writeTruth()),
      given,
    };
  }
  return {
    code: 'map/not-a-text',
    ...withMessage(FIELDS.notAText({ name, given }), FIELDS.chooseText()),
    given,
  };
}

/** As `shapeMismatch`, for all values of a kind. */
export function misfitKind(schema: Schema, kind: Kind, name: string, form: ValueExpression): Problem {
  const types = schemaLeaves(schema).map((leaf) => leaf.type);
  if (types.includes('number') || types.includes('integer')) return problemOf(textInNumberField(name, form));
  const isBoolean = types.includes('boolean');
  const wanted = isBoolean ? OUTPUT_FIELDS.trueOrFalse() : KINDS.text();
  return {
    code: isBoolean ? 'map/not-true-or-false' : 'map/not-a-text',
    message: OUTPUT_FIELDS.wrongKind({ field: name, wanted, kind: KINDS[kind]() }),
  };
}

function textInNumberField(name: string, form: ValueExpression | undefined): RunProblem {
  return { code: 'map/text-in-number-field', ...withMessage(FIELDS.textInNumber({ name }), numberHint(form)) };
}

/** What makes a number of it depends on where the text comes from: a column, a table, a constant or a formula. */
function numberHint(form: ValueExpression | undefined): Message {
  const column = form?.direct;
  if (column?.calculated) return SOURCE_COLUMNS.calculatedNumber({ column: column.name });
  if (column) return declareColumn(column.name, 'number');
  if (form?.lookup) return FIELDS.numbersInTable({ table: form.lookup.name });
  return form?.constant === undefined ? FIELDS.makeNumber() : FIELDS.noQuotes();
}
