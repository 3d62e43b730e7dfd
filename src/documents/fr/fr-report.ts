/**
 * French e-reporting (french-invoicing 2.3). The contract gives no formal schema, only the fields seen in use: only
 * these are accepted. A date without a type in the contract (in the references of a payment) may be a day or a time.
 */
import type { DocumentKind } from '../../model/document.ts';
import type { JsonObject } from '../../model/draft.ts';
import { factsFrom } from '../content/document-facts.ts';
import { identifiedBy } from '../content/document-identity.ts';
import { numberAt, textAt } from '../content/json-pointer.ts';
import { frReportRules } from '../rules/fr/fr-report-rules.ts';
import { schemaOf } from '../schema/json-schema.ts';
import { part } from '../schema/schema-parts.ts';
import { frenchIssuer } from './fr-issuer.ts';
import { typedValues } from './fr-parts.ts';

const additionalIdentifiers = typedValues('further identifiers', 'kind of identifier', 'identifier');
const additionalTypes = typedValues('further types', 'kind of type', 'type');

const header = part.object('head of the report', {
  identifier: part.text('number of the report'),
  description: part.text('description of the report'),
  date: part.moment('date and time of the report'),
  period: part.object('period reported on', {
    'start-date': part.localMoment('first moment, without zone'),
    'end-date': part.localMoment('last moment, without zone'),
  }),
  'additional-identifiers': additionalIdentifiers,
  'additional-types': additionalTypes,
});

const issuer = part.object('who reports', {
  identifier: part.text('identifier of the issuer'),
  'identifier-type': part.text('kind of that identifier; seen: siren'),
  name: part.text('name'),
  type: part.text('type of the issuer'),
  address: part.object('address', { country: part.text('country code') }),
  'e-addresses': typedValues('electronic addresses', 'kind of address', 'electronic address'),
  'additional-identifiers': additionalIdentifiers,
  'additional-types': additionalTypes,
});

const payment = part.object('payment', {
  type: part.text('kind; seen: payment'),
  date: part.moment('date and time of the payment'),
  amount: part.amount('amount of the payment'),
  currency: part.text('currency code'),
  percent: part.amount('tax rate in percent'),
  references: part.list(
    'documents that were paid',
    part.object('document that was paid', {
      type: part.text('kind of reference'),
      identifier: part.text('number of the document'),
      date: part.dayOrMoment('date of the document'),
    }),
  ),
});

const payments = { payments: part.list('payments', payment) };

const shape = part.object('French e-reporting document', {
  document: header,
  issuer,
  operations: part.object('operations reported', {
    international: part.object('with counterparts abroad', payments),
    consumer: part.object('with consumers', payments),
  }),
});

/** The SIREN of the issuer if it gives one, else its identifier or its name. */
function issuerOf(payload: JsonObject): string | undefined {
  const [type, value] = [textAt(payload, 'issuer', 'identifier-type'), textAt(payload, 'issuer', 'identifier')];
  return frenchIssuer([{ type, value }], () => textAt(payload, 'issuer', 'name'));
}

/** Identity: issuer and number, without a year. A report has no amount of its own. */
export const frReport: DocumentKind = {
  name: 'fr-report',
  service: 'fr',
  classes: ['report'],
  shape,
  schema: schemaOf(shape),
  rules: frReportRules,
  acceptsFile: true,
  // Without year: nothing says that identifiers of reports restart, so the stricter reading holds.
  ...identifiedBy({
    issuer: { at: '/issuer/identifier', find: issuerOf },
    number: { at: '/document/identifier', find: (payload) => numberAt(payload, 'document', 'identifier') },
  }),
  factsOf: (draft) =>
    factsFrom(draft, {
      identifier: numberAt(draft.payload, 'document', 'identifier'),
      date: textAt(draft.payload, 'document', 'date')?.slice(0, 10),
      currency: undefined,
      counterparty: undefined,
      receiver: undefined,
      issuer: textAt(draft.payload, 'issuer', 'name'),
    }),
};
