/**
 * The schema of a target in, the JSON Schema of `output` for editors out: every value may have one of the four forms,
 * every list an `each`, every block a look-up. Never fails.
 */
import { REGIMES } from '../mapping/functions/functions-date.ts';
import { arrayOf, objectOf, schemaLeaves } from '../mapping/runtime/schema-branches.ts';
import { standardKeys } from '../mapping/standard-blocks/standard-blocks.ts';
import { VARIANTS } from '../mapping/standard-blocks/standard-summary.ts';
import { definedItems } from '../model/defined-only.ts';
import type { Schema } from '../model/document.ts';
import { dictionary } from '../text/dictionary.ts';

/** One draft-07 schema; keywords are not checked here. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const ref = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });
/** One of the four value forms, with the columns of the mapping for completion. */
export const VALUE = ref('value');
/** The name of a column, without the $ of a value. */
export const COLUMN = ref('column');

/** Keys that a block may have in addition to its fields. */
const BESIDE = {
  when: { description: 'Keeps the block only where this formula is true.', type: ['string', 'boolean'] },
  from: { description: 'The column whose code chooses a ready-made block.', ...oneOrMore(COLUMN) },
  table: { description: 'The table that has the ready-made blocks.', ...ref('table') },
  default: VALUE,
  on: VALUE,
  use: { description: 'The YAML file whose content is put here.', type: 'string' },
};

/** The three words that repeat an item of a list. */
const EACH: JsonSchema = {
  description:
    'row: one item per row. rows by Column: one item per distinct value. item of List: one item per item of a list of the source.',
  anyOf: [{ const: 'row' }, { type: 'string', pattern: '^(rows? by|items? of) ' }],
};

const ORDER: JsonSchema = {
  description: 'Of groups, by the values of their columns; otherwise as they first appear.',
  enum: ['ascending', 'descending'],
};

/** Keys of ready-made blocks that take one of a few words. */
const STANDARD_VALUES = dictionary<JsonSchema>({
  order: ORDER,
  variant: { enum: VARIANTS },
  regime: { enum: REGIMES },
});

/** Gives a schema a name under `definitions`, the same one for the same schema, and a reference to it. */
export type Define = (schema: JsonSchema) => JsonSchema;

/** Schemas with equal JSON share one name (`part-1`, ...): the fields of a target repeat the same parts many times. */
export function collectDefinitions(): { readonly define: Define; readonly all: () => JsonSchema } {
  const names = new Map<string, string>();
  const all: { [name: string]: JsonSchema } = {};
  return {
    define: (schema) => {
      const text = JSON.stringify(schema);
      const name = names.get(text) ?? `part-${names.size + 1}`;
      names.set(text, name);
      all[name] = schema;
      return ref(name);
    },
    all: () => all,
  };
}

/**
 * The forms that a mapping may give for a field of this schema: a value, a list, a block, or several of them. A schema
 * without any form allows everything.
 */
export function outputSchema(schema: Schema, define: Define): JsonSchema {
  const forms = [...valueForms(schema), ...listForms(schema, define), ...blockForms(schema, define)];
  const described = schema.description === undefined ? {} : { description: schema.description };
  if (forms.length === 0) return described;
  // Draft-07 ignores keywords next to $ref, so the description goes around it.
  return forms.length === 1 ? { ...described, allOf: forms } : { ...described, anyOf: forms };
}

function valueForms(schema: Schema): readonly JsonSchema[] {
  return schemaLeaves(schema).length > 0 ? [VALUE] : [];
}

/** A list of items, an `each` block, an included file, or a standard block where the language has one. */
function listForms(schema: Schema, define: Define): readonly JsonSchema[] {
  const { items: of, type } = arrayOf(schema) ?? {};
  if (type !== 'array') return [];
  const item = define(outputSchema(of ?? {}, define));
  const repeated = { type: 'object', properties: { each: EACH, order: ORDER, make: item }, required: ['each', 'make'] };
  const each = { ...repeated, additionalProperties: false };
  const use = { type: 'object', properties: { use: BESIDE.use }, required: ['use'], additionalProperties: false };
  const ready = standardSchema(schema);
  const standard = ready && { ...block({ when: BESIDE.when, ...ready }), required: ['standard'] };
  const items = { anyOf: definedItems([standard, item, each]) };
  return definedItems([{ type: 'array', items }, each, use, standard]);
}

/** A block with its fields plus the keys of look-ups; no form where the schema is not an object. */
function blockForms(schema: Schema, define: Define): readonly JsonSchema[] {
  const { properties, additionalProperties = false } = objectOf(schema) ?? {};
  if (!properties) return [];
  const fields = Object.entries(properties).map(([key, field]) => [key, outputSchema(field, define)] as const);
  return [
    define({
      type: 'object',
      properties: { ...BESIDE, ...standardSchema(schema), ...Object.fromEntries(fields) },
      additionalProperties,
    }),
  ];
}

/** The key `standard`, where the language has a ready-made block for the place. */
function standardSchema(schema: Schema): { readonly standard: JsonSchema } | undefined {
  const keys = standardKeys(schema);
  return keys && { standard: block(Object.fromEntries(keys.map((key) => [key, STANDARD_VALUES.get(key) ?? {}]))) };
}

function block(properties: { readonly [key: string]: unknown }): JsonSchema {
  return { type: 'object', properties, additionalProperties: false };
}

/** The schema itself or a list of it, as the mapping language allows for columns and patterns. */
export function oneOrMore(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'array', items: schema }] };
}
