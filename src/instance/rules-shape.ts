/** The shape of `rules` in nightpost.yaml: profiles, changed severities, and fields beyond the contract. */
import { z } from 'zod';
import { perCountry } from '../catalogue.ts';
import { FIELD_TYPES } from '../documents/schema/further-fields.ts';
import { RULES_SETTING } from '../i18n/messages/settings-messages.ts';
import { expecting } from '../model/shape-issue.ts';

/** A JSON pointer of plain names; * is any line of a list. */
const FIELD = /^(?:\/(?:[A-Za-z][\w-]*|\*))*\/[A-Za-z][\w-]*$/;

/** A changed severity of a rule, always with its reason. */
const severity = z.strictObject({
  level: z.enum(['error', 'warning', 'off']).describe('what a document that breaks the rule gets'),
  reason: z.string().min(1).describe('why; receipts show it'),
});

/** What documents must satisfy before they are sent. */
export const rulesShape = z.strictObject({
  ...perCountry(({ profile }) => profile),
  language: z.enum(['en', 'fr', 'es']).default('en').describe('language of the messages for operators'),
  severity: z
    .record(z.string(), severity)
    .default({})
    .describe(
      'another severity than its own, per rule of docs/reference/rules.md, e.g. { FR-NOT-3: { level: off, reason: ... } }',
    ),
  'further-fields': z
    .record(z.string(), z.record(z.string().regex(FIELD, expecting(RULES_SETTING.field())), z.enum(FIELD_TYPES)))
    .default({})
    .describe(
      'fields that the provider takes and the contract does not show, by kind of document, e.g. { sv-remission-note: { /emisor/direccion/distrito: text } }; receipts name them',
    ),
});
