/** Shapes of parts of the status: exports that should arrive, answers to the ERP, notices by mail and webhook. */
import { z } from 'zod';

const text = z.string();
const time = text.describe('ISO 8601, UTC');
const count = z.int().nonnegative();

export const EXPECTED_EXPORTS = z.array(
  z.strictObject({
    name: text,
    files: text,
    due: time,
    since: time,
    state: z.enum(['arrived', 'missing', 'refused', 'duplicate', 'waived', 'not-due']),
    file: text.optional(),
    by: text.optional(),
    reason: text.optional(),
  }),
);

export const ANSWERS_STATUS = z.strictObject({
  documents: count.describe('with a change that is in no answer file'),
  files: count.describe('chosen and not in their folder'),
  since: time.optional(),
  delays: z.array(
    z.strictObject({ folder: text, path: text, since: time, at: time, tries: count, code: text, says: text }),
  ),
  fields: z
    .array(z.strictObject({ answers: text, field: text, why: z.enum(['no-value', 'too-wide', 'letter']), count }))
    .describe('fields of the answer files of the last day that are empty or lack a letter'),
  left: z
    .array(z.strictObject({ mapping: text, documents: count }))
    .describe('mappings that are gone while documents wait for their answers'),
});

export const WORKERS_STATUS = z
  .array(
    z.strictObject({
      host: text,
      pid: count,
      work: z.enum(['run', 'watch', 'act', 'upkeep']),
      version: text.describe('empty for a program that is alone with the ledger'),
      startedAt: time,
      state: z.enum(['works', 'silent', 'gone']),
      roles: z.array(text),
      files: count.describe('under way'),
      differs: z.boolean().describe('other settings, mappings or another version than the one started last'),
      waits: z
        .strictObject({ version: z.boolean(), settings: z.boolean(), mappings: z.array(text) })
        .nullable()
        .describe('takes no files because of what differs from the one that writes receipts; mappings by their ids'),
    }),
  )
  .describe('programs that share a ledger on PostgreSQL; absent where there are none');

export const NOTICES_STATUS = z.strictObject({
  waiting: count,
  failed: count,
  off: z.array(z.strictObject({ channel: text, since: time })).describe('receivers that are gone: HTTP 410'),
});
