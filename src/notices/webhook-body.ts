/** The bodies of webhooks: JSON of a documented shape. Programs read them, so the shape only grows. */
import { z } from 'zod';
import { WEBHOOK_TYPES } from '../instance/notify-shape.ts';

const line = z.strictObject({
  topic: z.string().describe('name of the topic: the same each time it is reported'),
  kind: z.enum(['attention', 'failed', 'absent']),
  why: z.enum(['new', 'more', 'again', 'waiting']).describe('waiting: reported earlier, and not due now'),
  code: z.string().describe('the cause, the service, the name of the export, or the code of the error'),
  documents: z.int().describe('how many documents it is about; 0 where it is about none'),
  says: z.string().describe('a sentence in the language of the channel'),
  more: z.array(z.string()).describe('further lines as details of the channel allow them'),
});

const digest = z.strictObject({
  verdict: z.string().describe('one sentence in the language of the channel'),
  run: z.string().optional().describe('the run that ended'),
  exit: z.int().optional().describe('its exit code'),
  lines: z.array(line),
  over: z
    .array(z.strictObject({ topic: z.string(), says: z.string(), since: z.string() }))
    .describe('topics that were reported since that time (ISO 8601 in UTC) and are settled'),
  report: z.unknown().optional().describe('the report of the run, with details: full (docs/reference/report.md)'),
});

const changes = z.strictObject({
  documents: z
    .array(
      z.strictObject({
        id: z.string(),
        state: z.string(),
        since: z.string().describe('ISO 8601 in UTC'),
        identifier: z.string().optional().describe('number of the document; absent with details: counts'),
        service: z.string(),
        class: z.string(),
        amount: z.string().optional().describe('exact decimal; only with details: full'),
        currency: z.string().optional().describe('only with details: full'),
        counterparty: z.string().optional().describe('only with details: full'),
      }),
    )
    .max(100),
});

/** What every body has; `data` depends on `type`: `changes` for document.changed, else `digest`. */
export const webhookBody = z.strictObject({
  type: z.enum([...WEBHOOK_TYPES, 'sample']),
  at: z.string().describe('when it was made, ISO 8601 in UTC; the same for each try'),
  installation: z.string().describe('id of the installation'),
  environment: z.string(),
  data: z.union([digest, changes, z.strictObject({})]),
});

export type WebhookType = (typeof WEBHOOK_TYPES)[number];
export type WebhookBody = z.infer<typeof webhookBody>;
export type DigestBody = z.infer<typeof digest>;
export type ChangedDocuments = z.infer<typeof changes>['documents'];
