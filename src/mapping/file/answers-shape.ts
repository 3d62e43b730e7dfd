/** The block `answers` of a mapping file: which keys exist and which types they take. Errors are those of zod. */
import { z } from 'zod';
import { ANSWERS_BLOCK } from '../../i18n/messages/mapping-messages.ts';
import { SETTINGS_VALUE } from '../../i18n/messages/settings-messages.ts';
import { expecting, refusedWith } from '../../model/shape-issue.ts';
import { XML_NAME } from '../../text/xml-name.ts';

const yesNo = z
  .union([z.boolean(), z.enum(['yes', 'no'])], expecting(ANSWERS_BLOCK.yesNo()))
  .transform((given) => given === true || given === 'yes');
const replace = z.string().length(1).optional();
const encoding = z.string().min(1).default('utf-8');
const lineEnd = z.enum(['crlf', 'lf']).default('crlf');
const ELEMENT = new RegExp(`^${XML_NAME}$`, 'u');
const elementName = z.string().regex(ELEMENT, expecting(ANSWERS_BLOCK.element()));

const csv = z.strictObject({
  encoding,
  /** One character, or `tab`. */
  delimiter: z
    .string()
    .regex(/^(?:tab|[^"\r\n])$/, expecting(ANSWERS_BLOCK.delimiter()))
    .default(';'),
  'line-end': lineEnd,
  header: yesNo.default(true),
  quote: z.enum(['needed', 'always', 'never']).default('needed'),
  /** In place of a character that the encoding lacks. */
  replace,
  /** A person opens the file: texts that a spreadsheet would take for a formula get an apostrophe. */
  for: z.literal('spreadsheet').optional(),
});

const xml = z.strictObject({
  encoding,
  root: elementName.default('answers'),
  element: elementName.default('document'),
  namespace: z.string().min(1).optional(),
  'line-end': lineEnd.default('lf'),
  replace,
});

const fixed = z.strictObject({
  encoding,
  /** Of a whole line, where every line has to be as long; in characters. */
  width: z.int().min(1).max(10_000).optional(),
  'line-end': lineEnd,
  replace,
});

const fields = z
  .record(z.string().min(1), z.unknown())
  .refine((given) => Object.keys(given).length > 0, refusedWith(ANSWERS_BLOCK.noFields()));

/** One entry of `answers`: files for the ERP, with a line for each document or row. */
const answersEntry = z.strictObject({
  file: z.string().min(1),
  /** A name of `answers.folders` in the settings; the folder `answers` of the instance unless given. */
  to: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, expecting(SETTINGS_VALUE.answersFolder()))
    .default('answers'),
  when: z.enum(['change', 'file', 'settled']).default('change'),
  format: z
    .strictObject({ csv: csv.optional(), xml: xml.optional(), fixed: fixed.optional() })
    .refine((given) => Object.keys(given).length === 1, refusedWith(ANSWERS_BLOCK.oneFormat())),
  marker: z
    .string()
    .regex(/^\.[A-Za-z0-9]{1,16}$/, expecting(ANSWERS_BLOCK.marker()))
    .optional(),
  each: z.enum(['document', 'row']).default('document'),
  head: fields.optional(),
  row: fields,
  foot: fields.optional(),
});

export const answersShape = z.array(answersEntry).min(1);

/** One entry of `answers` after the check of its shape, with the defaults filled in. */
export type AnswersEntry = z.infer<typeof answersEntry>;
