/**
 * The JSON Schema of a mapping file, for editors: the keys of the language, the fields of its target, the options of
 * its format, and the columns of its sample with an example each. Draft-07 keywords only, which every editor knows.
 * Never fails: an unfinished mapping gives a wider schema.
 */
import { z } from 'zod';
import { DOCUMENT_KINDS, READERS } from '../catalogue.ts';
import { mappingShape } from '../mapping/file/mapping-shape.ts';
import { FUNCTIONS } from '../mapping/functions/functions.ts';
import type { DocumentKind } from '../model/document.ts';
import { COLUMN, collectDefinitions, type JsonSchema, oneOrMore, outputSchema, VALUE } from './output-json-schema.ts';
import { blockOf, type LooseMapping, ownKeys, type SampleColumns } from './sample-columns.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';

/**
 * The schema of any zod shape of this program as people write the file (its input, before defaults and conversions).
 */
export function mappingJsonSchema(shape: z.ZodType, title: string): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  return { $schema: DRAFT, title, ...(schema as JsonSchema) };
}

/**
 * Without a mapping, the schema that holds for all of them. A known target narrows `output` to its fields; a known
 * format narrows `source` to its options.
 */
export function mappingSchema(
  mapping: LooseMapping = {},
  columns: SampleColumns = new Map(),
  known: readonly DocumentKind[] = DOCUMENT_KINDS,
): JsonSchema {
  const base = mappingJsonSchema(mappingShape, 'Nightpost mapping') as {
    readonly properties: { readonly [key in 'accepts' | 'documents' | 'source']: JsonSchema };
  };
  const { accepts, documents, source } = base.properties;
  const targets = known.filter(({ name }) => name === mapping.target);
  const kinds = targets.length > 0 ? targets : known;
  // Only one known target narrows the fields of `output` and the classes.
  const parts = collectDefinitions();
  const [kind, second] = kinds;
  const output = kind && !second ? outputSchema(kind.schema, parts.define) : { type: 'object' };
  const classes = [...new Set(kinds.flatMap((kind) => kind.classes))].map((name) => ({ const: name }));
  return {
    ...base,
    properties: {
      ...base.properties,
      target: { description: 'What the rows become.', enum: known.map(({ name }) => name) },
      accepts: withFields(accepts, { columns: { type: 'array', items: COLUMN } }),
      source: sourceSchema(blockOf(mapping.source), columns, source),
      'calculated-columns': { type: 'object', additionalProperties: VALUE },
      documents: withFields(documents, {
        'one-per': oneOrMore({ anyOf: [COLUMN, { enum: ['file', 'row'] }] }),
        'never-twice': oneOrMore(COLUMN),
        class: { anyOf: [...classes, VALUE] },
      }),
      output,
    },
    definitions: { ...definitions(mapping, columns), ...parts.all() },
  };
}

function withFields(schema: JsonSchema, fields: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...fields } };
}

/** With a known format, its options next to the keys of the mapping language; nothing else is allowed then. */
function sourceSchema(source: LooseMapping, columns: SampleColumns, base: JsonSchema): JsonSchema {
  const format = { description: 'How the export is written.', enum: READERS.map((reader) => reader.format) };
  const reader = READERS.find((one) => one.format === source.format);
  if (!reader) return withFields(base, { format });
  const options = mappingJsonSchema(reader.options, '') as {
    readonly properties?: JsonSchema;
    readonly required?: string[];
  };
  const types = ownKeys(source.format).includes('types') ? 'types' : 'columns';
  const typed = Object.fromEntries([...columns].map(([name, example]) => [name, exampleOf(example, COLUMN_TYPE)]));
  return {
    type: 'object',
    properties: {
      ...(base.properties as object),
      ...options.properties,
      format,
      [types]: { type: 'object', properties: typed, additionalProperties: COLUMN_TYPE },
    },
    required: [...((base.required as string[] | undefined) ?? []), ...(options.required ?? [])],
    additionalProperties: false,
  };
}

const COLUMN_TYPE: JsonSchema = {
  anyOf: [{ enum: ['text', 'number', 'date', 'date-time'] }, { type: 'object', minProperties: 1, maxProperties: 1 }],
};

function exampleOf(example: string, schema: JsonSchema): JsonSchema {
  return example === '' ? schema : { ...schema, description: `such as ${example}` };
}

/** Names that a formula reads without brackets; the same rule as in the tokenizer of formulas. */
const BARE = /^[\p{L}\p{M}\p{N}_]+(?:\.[\p{L}\p{M}\p{N}_]+)*$/u;

/** $Name, or $[Name with spaces] with each ] doubled. */
function asValue(name: string): string {
  return BARE.test(name) ? `$${name}` : `$[${name.replaceAll(']', ']]')}]`;
}

/** `value`, `column` and `table`, which the other schemas refer to by name. */
function definitions(mapping: LooseMapping, columns: SampleColumns): JsonSchema {
  const calculated = Object.keys(blockOf(mapping['calculated-columns']));
  const declared = Object.keys(blockOf(blockOf(mapping.source).columns));
  const own = [...calculated, ...declared].filter((name) => !columns.has(name));
  const all = [...columns, ...own.map((name) => [name, ''] as const)];
  const tables = Object.keys(blockOf(mapping.tables));
  // Without a sample, or with a joined second file, not all columns are known: any name may be right.
  const isKnown = columns.size > 0 && blockOf(mapping.source).join === undefined;
  const others = isKnown ? { type: 'string', pattern: '^(?!\\$)' } : { type: 'string' };
  const lookup = { from: oneOrMore(COLUMN), table: { $ref: '#/definitions/table' }, default: VALUE, on: VALUE };
  return {
    value: {
      description: `text, $Column, = formula, or { from: Column, table: name }. Functions: ${functionList()}`,
      anyOf: [
        ...all.map(([name, example]) => exampleOf(example, { const: asValue(name) })),
        others,
        { type: ['number', 'boolean'] },
        { type: 'object', properties: lookup, required: ['from', 'table'], additionalProperties: false },
        { type: 'object', properties: { sequence: { type: 'string' }, per: {} }, required: ['sequence'] },
        {
          type: 'object',
          properties: { base64: { type: 'string' } },
          required: ['base64'],
          additionalProperties: false,
        },
      ],
    },
    column: {
      anyOf: [...all.map(([name, example]) => exampleOf(example, { const: name })), { type: ['string', 'integer'] }],
    },
    table: { anyOf: [...tables.map((name) => ({ const: name })), { type: 'string' }] },
  };
}

function functionList(): string {
  return [...FUNCTIONS.values()].map(({ syntax }) => syntax).join('; ');
}
