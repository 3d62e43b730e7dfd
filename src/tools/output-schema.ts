/** The fields of a target as an editor completes them: every value may be one of the four forms, every list an `each`. */
import { arrayOf, leavesOf, objectOf } from '../mapping/schema-branches.ts';
import type { Schema } from '../model/document.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

const ref = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });
export const VALUE = ref('value');
export const COLUMN = ref('column');

/** Keys that a block may have beside its fields. */
const BESIDE: JsonSchema = {
  when: { description: 'Keeps the block only where this formula is true.', type: ['string', 'boolean'] },
  from: { description: 'The column whose code chooses a ready-made block.', ...oneOrMore(COLUMN) },
  table: { description: 'The table that has the ready-made blocks.', ...ref('table') },
  default: VALUE,
  on: VALUE,
};

const EACH: JsonSchema = {
  description: 'row: one item per row. rows by Column: one item per distinct value.',
  anyOf: [{ const: 'row' }, { type: 'string', pattern: '^rows? by ' }],
};

const STANDARD = ['net', 'gross', 'rate', 'currency', 'tax-type', 'subtype', 'discount', 'charge', 'alternate'];

/** Gives a schema a name under `definitions`, the same one for the same schema, and a reference to it. */
export type Define = (schema: JsonSchema) => JsonSchema;

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

export function outputSchema(schema: Schema, define: Define): JsonSchema {
  const forms = [...valueForms(schema), ...listForms(schema, define), ...blockForms(schema, define)];
  const described = schema.description === undefined ? {} : { description: schema.description };
  if (forms.length === 0) return described;
  // What stands beside $ref does not count in draft-07.
  return forms.length === 1 ? { ...described, allOf: forms } : { ...described, anyOf: forms };
}

function valueForms(schema: Schema): readonly JsonSchema[] {
  return leavesOf(schema).length > 0 ? [VALUE] : [];
}

function listForms(schema: Schema, define: Define): readonly JsonSchema[] {
  const { items, type } = arrayOf(schema) ?? {};
  if (type !== 'array') return [];
  const item = define(outputSchema(items ?? {}, define));
  const repeated = { type: 'object', properties: { each: EACH, make: item }, required: ['each', 'make'] };
  return [
    { type: 'array', items: item },
    { ...repeated, additionalProperties: false },
  ];
}

function blockForms(schema: Schema, define: Define): readonly JsonSchema[] {
  const block = objectOf(schema);
  if (!block?.properties) return [];
  const fields = Object.entries(block.properties).map(([key, field]) => [key, outputSchema(field, define)] as const);
  const isTotals = 'final-amount' in block.properties && 'subtotals' in block.properties;
  const standard = { type: 'object', properties: Object.fromEntries(STANDARD.map((key) => [key, {}])) };
  return [
    define({
      type: 'object',
      properties: { ...BESIDE, ...(isTotals ? { standard } : {}), ...Object.fromEntries(fields) },
      additionalProperties: block.additionalProperties ?? false,
    }),
  ];
}

export function oneOrMore(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'array', items: schema }] };
}
