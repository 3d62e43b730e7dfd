/**
 * The shape of a mapping file: which keys there are, before anybody looks at what the values mean.
 */
import { z } from 'zod';

/** What stands next to an amount and is neither a part of the number nor a blank. */
export const CURRENCY_SIGN = /^[^\s\d.,'’+()-](?:[^\d.,'’+()-]{0,8}[^\s\d.,'’+()-])?$/u;

const oneOrMore = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);
const valueForm = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())], {
  error: 'expected a text, $Column, = formula or { from: Column, table: name }',
});

const expectedError = z.strictObject({
  row: z.number().int().optional(),
  column: z.string().optional(),
  code: z.string(),
});

const rehearsal = z.strictObject({
  name: z.string(),
  given: z.string(),
  /** Part of the first document, or a list: one part per document. */
  expect: z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))]).optional(),
  'expect-errors': z.array(expectedError).optional(),
  'expect-documents': z.number().int().nonnegative().optional(),
});

const joinShape = z.strictObject({
  with: z.string().min(1),
  /** Columns of the same name in both files, or column of the headers: column of the lines. */
  key: z.union([oneOrMore, z.record(z.string().min(1), z.string().min(1))]),
  wait: z
    .string()
    .regex(/^\d{1,4}[mhd]$/, 'expected a time such as 30m, 24h or 2d')
    .optional(),
  source: z.record(z.string(), z.unknown()).optional(),
});

/** The words of a check: one text for everyone, or one for each language; a language that is left out shows the English text, or the first. */
const sayShape = z.union([
  z.string().min(1),
  z
    .strictObject({ en: z.string().min(1), fr: z.string().min(1), es: z.string().min(1) })
    .partial()
    .refine((words) => Object.keys(words).length > 0, { message: 'give a text for en, fr or es' }),
]);

export type SayOfCheck = z.infer<typeof sayShape>;

export const mappingShape = z.strictObject({
  mapping: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/, 'a mapping is named with letters, digits and hyphens'),
  version: z.union([z.string().min(1), z.number()]),
  target: z.string(),
  accepts: z.strictObject({
    files: oneOrMore,
    columns: z.array(z.string()).optional(),
    /** The same file may go through other mappings as well, if all of them say so. */
    shares: z.boolean().optional(),
    /** Names of files that lie beside an export and are not exports themselves. */
    companions: oneOrMore.optional(),
  }),
  source: z.looseObject({
    format: z.string(),
    numbers: z
      .union([
        z.strictObject({
          decimal: z.enum([',', '.']),
          thousands: oneOrMore.optional(),
          'currency-sign': z.string().regex(CURRENCY_SIGN).optional(),
        }),
        z.literal('xsd-decimal'),
      ])
      .optional(),
    dates: z.string().optional(),
    'two-digit-years-until': z.int().min(0).max(99).optional(),
    join: joinShape.optional(),
  }),
  tables: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  'calculated-columns': z.record(z.string(), valueForm).optional(),
  documents: z.strictObject({
    'one-per': oneOrMore,
    rows: z.enum(['adjacent', 'anywhere']).optional(),
    /** What rows of one document that are the same in every column are. */
    'identical-rows': z.enum(['warning', 'error', 'allowed']).optional(),
    class: valueForm.optional(),
    'never-twice': oneOrMore.optional(),
    keep: z.string().optional(),
  }),
  output: z.record(z.string(), z.unknown()).optional(),
  file: z.record(z.string(), z.unknown()).optional(),
  checks: z.array(z.strictObject({ that: z.string(), else: z.enum(['error', 'warning']), say: sayShape })).optional(),
  tests: z.array(rehearsal).optional(),
});

export type MappingFile = z.infer<typeof mappingShape>;
export type MappingTest = z.infer<typeof rehearsal>;

/** Keys of `source` that belong to the mapping language; the others belong to the format. */
export const OWN_SOURCE_KEYS = ['format', 'numbers', 'dates', 'two-digit-years-until', 'columns', 'join'] as const;

export function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}
