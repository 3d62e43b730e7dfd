/**
 * Composes consultations: requests for the outcome of a document. No contract shows how (french-invoicing 4.4,
 * remission-note 4.2), so all of it is settings: method, path and body with placeholders, and the places in the answer.
 */
import { z } from 'zod';
import { SERVICE_SETTING } from '../i18n/messages/delivery-messages.ts';
import { addProblem } from '../model/shape-issue.ts';
import type { AnswerPlaces } from './parse-reply.ts';
import type { Policy } from './response-policy.ts';
import type { Consultation, WireRequest } from './service.ts';
import { answerPointer, serviceAddress } from './service-settings.ts';

const PLACEHOLDER = /\{([a-z-]*)\}/g;
const KNOWN = ['identifier', 'tracking-id', 'class', 'request-id'];

const answerPlaces = {
  code: answerPointer.describe('place of the status code in the answer, e.g. /result/status/code'),
  name: answerPointer.optional().describe('place of the name of the status'),
  message: answerPointer.optional().describe('place of the message for people'),
  'tracking-id': answerPointer.optional().describe('place of the tracking identifier'),
  'document-type': answerPointer.optional().describe('place of the type of the processed document'),
  file: answerPointer
    .optional()
    .describe('place of the file of the document: an object with format, filename, transport'),
  identifier: answerPointer.optional().describe('where the document number is echoed; if it is there it must be ours'),
};

/** `answer` of a service whose response shape is not shown; `request-id` needs the header that sends it. */
export const answerSettings = z.strictObject({
  ...answerPlaces,
  'request-id': answerPointer.optional().describe('where the request-id is echoed; if it is there it must be ours'),
});

const consultationAnswer = answerSettings.extend({
  date: answerPointer.optional().describe('place of the date of the document, for people to compare'),
  amount: answerPointer.optional().describe('place of the total of the document, for people to compare'),
});

/** `consultation` of a service. Without it, Nightpost lists due documents and a person records the outcome. */
export const consultationSettings = z
  .strictObject({
    method: z.enum(['GET', 'POST']).describe('HTTP method of a consultation'),
    'base-url': serviceAddress
      .optional()
      .describe('address of the consultation, if it is not at the address of issuing'),
    path: z
      .string()
      .startsWith('/')
      .describe('path with {identifier}, {tracking-id}, {class} or {request-id}, e.g. /documents/{identifier}'),
    body: z.json().optional().describe('JSON to send with POST; texts in it may carry the same placeholders'),
    answer: consultationAnswer.describe('places in the answer'),
  })
  .superRefine((settings, context) => {
    const template = templateOf(settings);
    const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
    const unknown = names.find((name) => !KNOWN.includes(name));
    if (unknown !== undefined) {
      const known = KNOWN.map((name) => `{${name}}`);
      addProblem(context, SERVICE_SETTING.unknownPlaceholder({ name: `{${unknown}}`, names: known }), ['path']);
    }
    if (!names.some((name) => name === 'identifier' || name === 'tracking-id')) {
      addProblem(context, SERVICE_SETTING.nameDocument({ one: '{identifier}', other: '{tracking-id}' }), ['path']);
    }
    if (settings.method === 'GET' && settings.body !== undefined) {
      addProblem(context, SERVICE_SETTING.bodyOfGet(), ['body']);
    }
  });

/** The settings with defaults filled in. */
export type ConsultationSettings = z.output<typeof consultationSettings>;

type Compared = Partial<Pick<z.output<typeof consultationAnswer>, 'date' | 'amount'>>;

/** The settings of an answer as the reader of answers names its places. */
export function placesOf(answer: z.output<typeof answerSettings> & Compared): AnswerPlaces {
  return {
    code: answer.code,
    name: answer.name,
    message: answer.message,
    trackingId: answer['tracking-id'],
    documentType: answer['document-type'],
    file: answer.file,
    identifier: answer.identifier,
    requestId: answer['request-id'],
    date: answer.date,
    amount: answer.amount,
  };
}

/** How answers to consultations are judged: as those to submissions, with the places that the settings name. */
export function policyOfConsultation(
  service: string,
  asking: ConsultationSettings | undefined,
  policy: Policy,
): Policy {
  if (!asking) return policy;
  return { ...policy, places: placesOf(asking.answer), setting: `services.${service}.consultation.answer` };
}

/** The request; undefined if it needs a tracking-id that the document does not have, or a value is "." or "..". */
export function consultationRequest(
  settings: ConsultationSettings,
  baseUrl: string,
  consultation: Consultation,
): WireRequest | undefined {
  const values: { readonly [name: string]: string | undefined } = {
    identifier: consultation.identifier,
    'tracking-id': consultation.trackingId,
    class: consultation.class,
    'request-id': consultation.requestId,
  };
  if (values['tracking-id'] === undefined && templateOf(settings).includes('{tracking-id}')) return undefined;
  // Addresses fold "." and ".." away, encoded or not: no request can have such a name.
  if (Object.values(values).some((value) => value === '.' || value === '..')) return undefined;
  const fill = (text: string, encode: (value: string) => string) =>
    text.replace(PLACEHOLDER, (_, name: string) => encode(values[name] ?? ''));
  const url = join(settings['base-url'] ?? baseUrl, fill(settings.path, encodeURIComponent));
  const headers = { accept: 'application/json' };
  if (settings.body === undefined) return { method: settings.method, url, headers };
  const body = JSON.stringify(settings.body, (_, value: unknown) =>
    typeof value === 'string' ? fill(value, (text) => text) : value,
  );
  return { method: settings.method, url, headers: { ...headers, 'content-type': 'application/json' }, body };
}

/** Base address and path with exactly one slash between. */
export function join(base: string, path: string): string {
  return base.replace(/\/+$/, '') + path;
}

function templateOf(settings: { readonly path: string; readonly body?: unknown }): string {
  return settings.path + JSON.stringify(settings.body ?? '');
}
