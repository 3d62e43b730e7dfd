/**
 * The request envelope of the French service, read strictly (french-invoicing 2.1): bytes in, envelope or the text of
 * its faults out. A wrong envelope is a bad request (HTTP 400); a fault of the document inside is an answer with a
 * code.
 */
import { z } from 'zod';
import { parseJson } from './wire-format.ts';

const text = z.string().min(1);

const shape = z.strictObject({
  context: z.strictObject({
    'request-id': text,
    timestamp: z.iso.datetime({ offset: true, local: true }),
    'request-version': text,
    country: z.string().regex(/^[a-z]{2}$/, 'has to be a lower-case country code'),
    'sender-id': text,
    integration: z.strictObject({ id: text, name: text, version: text }),
  }),
  action: z.strictObject({
    type: z.literal('issue-document'),
    class: text,
    'content-type': text,
    content: z
      .strictObject({
        payload: z.record(z.string(), z.unknown()).optional(),
        file: z.strictObject({ format: text, filename: text, transport: text, data: z.string() }).optional(),
      })
      .refine((content) => content.payload || content.file, 'holds neither a payload nor a file'),
  }),
});

/** The envelope of one document: a payload, a file, or both. */
export type Envelope = z.output<typeof shape>;

/** `lenient`, for benchmarks, checks only the parts that the sandbox itself needs. */
export function readEnvelope(bytes: Buffer, lenient: boolean): { envelope: Envelope } | { fault: string } {
  const parsed = parseJson(bytes, !lenient);
  if (!parsed) return { fault: 'The body is not JSON in UTF-8' };
  if (lenient) return readLenient(parsed.value as Envelope | null);
  const checked = shape.safeParse(parsed.value);
  return checked.success ? { envelope: checked.data } : { fault: describeIssues(checked.error) };
}

/** All issues in one line, each with the path of its field. */
export function describeIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; ');
}

function readLenient(value: Envelope | null): { envelope: Envelope } | { fault: string } {
  const usable = value?.context?.['request-id'] && (value.action?.content?.payload || value.action?.content?.file);
  return usable ? { envelope: value } : { fault: 'context.request-id or action.content is missing' };
}
