/**
 * The parsed YAML of a mapping file in; its shape out: which keys exist and which types they take. The meaning of
 * values is checked later. Errors are those of zod, reported with their place by `checkShape`.
 */
import { z } from 'zod';
import { MAPPING_SHAPE } from '../../i18n/messages/mapping-messages.ts';
import { expecting, refusedWith } from '../../model/shape-issue.ts';
import { STATE_NAMES } from '../../model/state.ts';
import { answersShape } from './answers-shape.ts';

/** A sign next to an amount: neither a part of the number nor a blank, at most ten characters. */
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

/** States that a sample may be answered with. */
const ANSWERED = STATE_NAMES.filter((state) => state !== 'sending');

/** One entry of `tests`: `given` is a sample file below the instance folder. */
const rehearsal = z.strictObject({
  name: z.string(),
  given: z.string(),
  /** Part of the first document, or a list: one part per document. */
  expect: z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))]).optional(),
  'expect-errors': z.array(expectedError).optional(),
  'expect-documents': z.number().int().nonnegative().optional(),
  /** File with the expected answers, for one block; or one per block, by its file name. */
  'expect-answers': z.union([z.string().min(1), z.record(z.string(), z.string().min(1))]).optional(),
  /** The states that the sample documents get in turn; without it `authorized`. */
  'answers-as': z.array(z.enum(ANSWERED)).min(1).optional(),
});

/** `source.join`: a second file with the lines of the documents. */
const joinShape = z.strictObject({
  with: z.string().min(1),
  /** Columns of the same name in both files, or column of the headers: column of the lines. */
  key: z.union([oneOrMore, z.record(z.string().min(1), z.string().min(1))]),
  wait: z
    .string()
    .regex(/^\d{1,4}[mhd]$/, expecting(MAPPING_SHAPE.wait()))
    .optional(),
  source: z.record(z.string(), z.unknown()).optional(),
});

/**
 * The words of a check: one text for all languages, or one per language; a language that is left out shows English, or
 * else the first given.
 */
const sayShape = z.union([
  z.string().min(1),
  z
    .strictObject({ en: z.string().min(1), fr: z.string().min(1), es: z.string().min(1) })
    .partial()
    .refine((words) => Object.keys(words).length > 0, refusedWith(MAPPING_SHAPE.giveText())),
]);

/** The text of a check as the mapping gives it. */
export type SayOfCheck = z.infer<typeof sayShape>;

/** The keys of a mapping file; `source` is open, because each format adds its own options. */
export const mappingShape = z.strictObject({
  mapping: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/, expecting(MAPPING_SHAPE.mappingName())),
  version: z.union([z.string().min(1), z.number()]),
  target: z.string(),
  accepts: z.strictObject({
    files: oneOrMore,
    columns: z.array(z.string()).optional(),
    /** Other mappings may read the same file as well, if all of them set this. */
    shares: z.boolean().optional(),
    /** Names of files next to an export that are not exports themselves. */
    companions: oneOrMore.optional(),
  }),
  source: z.looseObject({
    format: z.string(),
    numbers: z
      .union([
        z.strictObject({
          decimal: z.enum([',', '.']),
          thousands: oneOrMore.optional(),
          'currency-sign': z.string().regex(CURRENCY_SIGN, expecting(MAPPING_SHAPE.currencySign())).optional(),
        }),
        z.literal('xsd-decimal'),
      ])
      .optional(),
    dates: z.string().optional(),
    'two-digit-years-until': z.int().min(0).max(99).optional(),
    /** Column -> text of a cell -> the text that is read in its place. */
    replace: z.record(z.string(), z.record(z.string(), z.string().min(1))).optional(),
    join: joinShape.optional(),
  }),
  tables: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  'calculated-columns': z.record(z.string(), valueForm).optional(),
  documents: z.strictObject({
    'one-per': oneOrMore,
    rows: z.enum(['adjacent', 'anywhere']).optional(),
    /** Level of the fault for rows of one document that are equal in every column. */
    'identical-rows': z.enum(['warning', 'error', 'allowed']).optional(),
    class: valueForm.optional(),
    'never-twice': oneOrMore.optional(),
    /** The total as the export gives it: shown for a document whose output cannot be made, and never sent. */
    amount: valueForm.optional(),
    keep: z.string().optional(),
  }),
  output: z.record(z.string(), z.unknown()).optional(),
  file: z.record(z.string(), z.unknown()).optional(),
  checks: z.array(z.strictObject({ that: z.string(), else: z.enum(['error', 'warning']), say: sayShape })).optional(),
  /** Files for the ERP about what became of its documents. */
  answers: answersShape.optional(),
  tests: z.array(rehearsal).optional(),
});

/** A mapping file after the check of its shape, before compilation. */
export type MappingFile = z.infer<typeof mappingShape>;
/** One test of a mapping file: a sample, and the documents or errors expected of it. */
export type MappingTest = z.infer<typeof rehearsal>;

/** Keys of `source` that belong to the mapping language; the others belong to the format. */
export const OWN_SOURCE_KEYS = [
  'format',
  'numbers',
  'dates',
  'two-digit-years-until',
  'columns',
  'replace',
  'join',
] as const;

/** A single value as a list of one. */
export function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

/** True for a map with keys of which a mapping knows none. */
export function isOtherFile(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && !keys.some((key) => Object.hasOwn(mappingShape.shape, key));
}
