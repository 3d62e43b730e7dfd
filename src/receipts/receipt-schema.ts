/**
 * The shape of a receipt, version 1, which `nightpost schema` publishes and other programs rely on. Every key is always
 * there; what does not apply is null. A text that does not match is no receipt: readers report it and continue.
 */
import { z } from 'zod';
import { STATE_NAMES } from '../model/state.ts';

const text = z.string();
const languages = z.strictObject({ en: text, fr: text, es: text });
/**
 * The place of a value in an export. `row` of a CSV counts from 1 with the header; of an XML it is the number of the
 * element.
 */
export const originShape = z.strictObject({
  file: text,
  row: z.int(),
  column: text
    .optional()
    .describe('column of a CSV, path of an element or attribute of an XML, as a correction names it'),
  path: text.optional().describe('XML: the element, with its number if others of its name are next to it'),
  line: z.int().optional().describe('XML: the line of the file on which it starts'),
});
/** A place in a mapping or settings file; `line` and `column` count from 1. */
const mark = z.strictObject({ file: text, line: z.int(), column: z.int(), length: z.int(), text });

/** A fault as receipts and the API show it. */
export const faultShape = z.strictObject({
  code: text,
  level: z.enum(['error', 'warning']),
  message: text,
  at: text.optional().describe('JSON pointer into the document'),
  origin: originShape.optional().describe('the cell to open'),
  moreRows: z.array(z.int()).optional().describe('other rows of the document in which the column holds the same text'),
  given: text.optional(),
  hint: text.optional(),
  suggestion: text.optional().describe('what the cell most likely was: nightpost fix --suggested takes it over'),
  mark: mark.optional().describe('the place in a mapping or settings file'),
  rule: text.optional().describe('the rule of docs/reference/rules.md'),
  onlyInErp: z
    .literal(true)
    .optional()
    .describe('neither fix nor a *.to-fix file can correct it: correct the row in the ERP and export it again'),
  changed: z
    .strictObject({ from: z.enum(['error', 'warning']), reason: text })
    .optional()
    .describe(
      'the severity that the rule has of itself, and why it has another here: the reason of the settings, or what follows from it',
    ),
});

const status = z.strictObject({
  source: text.optional(),
  code: z.int().optional(),
  name: text.optional(),
  message: text.optional(),
  date: text.optional(),
});

/** The last answer of the service, without headers and secrets. */
const answer = z.strictObject({
  code: z.int(),
  name: text.nullable(),
  message: text.nullable(),
  trackingId: text.nullable(),
  // Receipts of older versions do not have the next four keys.
  documentType: text.nullable().default(null).describe('type of the document as the service processed it'),
  contentInto: text.nullable().default(null).describe('what the result is about, e.g. document'),
  file: z
    .strictObject({ format: text.nullable(), filename: text.nullable(), transport: text.nullable() })
    .nullable()
    .default(null)
    .describe('the file that the service made or keeps'),
  pagination: z
    .strictObject({
      page: z.int().nullable(),
      pageSize: z.int().nullable(),
      totalRecords: z.int().nullable(),
      totalPages: z.int().nullable(),
    })
    .nullable()
    .default(null)
    .describe('pages of the answer, where the service gives them'),
  statuses: z.array(status),
});

/** One request; `ms` is its duration in milliseconds, `at` its begin (ISO 8601, UTC). */
const attempt = z.strictObject({
  n: z.int(),
  act: z.enum(['submit', 'consult', 'resolve']),
  revision: z.int().optional().describe('of the earlier content that it was about; absent for the present one'),
  run: text,
  requestId: text,
  at: text,
  ms: z.number().nullable(),
  http: z.int().nullable(),
  code: z.int().nullable(),
  outcome: text.nullable(),
  reason: text.nullable(),
});

/** A changed cell: the export itself stays as it is. */
const correction = z.strictObject({
  row: z.int(),
  column: text,
  from: text,
  to: text,
  by: text,
  at: text,
  reason: text,
});

/** The second person, where the settings `decisions.two-people` need one. */
const approved = {
  approvedBy: text.optional().describe('the other person who approved it; absent if one person was enough'),
  approvedAt: text.optional(),
};

/** Strict: an unknown key is an error, so that a field is never added without a version. */
export const receiptShape = z.strictObject({
  receipt: z.literal(1).describe('version of this shape'),
  id: text.describe('UUID version 7, the same for every revision of the document'),
  revision: z.int().min(1),
  state: z.enum(STATE_NAMES as [string, ...string[]]),
  since: text,
  words: languages.describe('the state in words'),
  next: languages.describe('what to do next'),
  service: text,
  kind: text,
  class: text,
  environment: text,
  document: z.strictObject({
    identifier: text,
    date: text.nullable(),
    currency: text.nullable(),
    finalAmount: text.nullable().describe('exact, as text'),
    counterparty: text.nullable(),
    issuer: text.nullable(),
  }),
  rules: text.nullable().describe('the profile of rules it was checked under, and what the settings change about it'),
  answer: answer.nullable(),
  notFound: z.strictObject({ times: z.int(), lastAt: text }).nullable().describe('consultations that found nothing'),
  source: z.strictObject({
    file: text,
    sha256: text,
    rows: z.array(z.int()),
    allRows: text
      .optional()
      .describe('where they are more than 50,000: all of them ("2-250001"); `rows` has the first thousand'),
    encoding: text.nullable(),
  }),
  mapping: z.strictObject({ id: text, file: text, version: text, sha256: text, program: text }).nullable(),
  payload: z.strictObject({ file: text, sha256: text }).nullable(),
  first: z.strictObject({ id: text, name: text }).nullable().describe('the document that was there first'),
  identity: z
    .strictObject({
      keys: z.array(text),
      digest: text,
      receiver: text.nullable(),
      former: z
        .array(text)
        .optional()
        .describe('keys that it has besides, such as its number before a correction; absent where there are none'),
      numbers: z
        .array(z.strictObject({ sequence: text, scope: z.array(text), number: z.int() }))
        .optional()
        .describe('numbers that sequences of the ledger have given it; absent where there are none'),
    })
    .nullable()
    .describe('what makes it the same document for ever, so that a lost ledger can be made again from receipts'),
  hold: z.strictObject({ rule: text, says: text }).nullable().describe('held: the rule that holds it, and why'),
  faults: z.array(faultShape),
  corrections: z.array(correction),
  attempts: z.array(attempt),
  evidence: z
    .strictObject({
      ...{ as: text, by: text, at: text, reason: text, file: text.nullable(), sha256: text.nullable() },
      ...approved,
    })
    .nullable()
    .describe('what a person recorded about the outcome'),
  closed: z
    .strictObject({ as: z.enum(['set-aside', 'acknowledged']), by: text, at: text, reason: text, ...approved })
    .optional()
    .describe('a person decided that the document needs no action in this state; absent if no one did'),
  previous: text
    .nullable()
    .describe('hash of the link before this one in the chain of receipts (docs/explanation/audit.md)'),
});

/** A receipt as programs read it; amounts are exact texts, times ISO 8601 in UTC. */
export type Receipt = z.infer<typeof receiptShape>;
