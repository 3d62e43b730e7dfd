/**
 * French billing documents: invoice, credit note, corrective (french-invoicing 2.2). One shape, three classes.
 * Requirements on the content are rules (rules/fr), by profile; here are the fields, the identity and the facts.
 */
import type { DocumentKind } from '../../model/document.ts';
import type { JsonObject } from '../../model/draft.ts';
import { factsFrom, plainName } from '../content/document-facts.ts';
import { identifiedBy } from '../content/document-identity.ts';
import { asText, dayAt, decimalAt, listAt, numberAt, objectFields, textAt } from '../content/json-pointer.ts';
import { frInvoiceRules } from '../rules/fr/fr-invoice-rules.ts';
import { schemaOf } from '../schema/json-schema.ts';
import { part } from '../schema/schema-parts.ts';
import { agreements, invoiceLines, party, references, totals } from './fr-blocks.ts';
import { frenchIssuer } from './fr-issuer.ts';
import { additionalDates, additionalInfo, address, businessObjects, identifiers } from './fr-parts.ts';

const header = part.object('head of the document', {
  series: part.text('series of the number'),
  identifier: part.text('document number'),
  date: part.day('date of the document'),
  'date-due': part.day('due date'),
  'date-taxes': part.day('tax date'),
  currency: part.text('currency code'),
  'currency-taxes': part.text('currency code of the taxes'),
  language: part.text('language code'),
  'additional-info': additionalInfo(),
  'document-type': part.text('type of the document'),
});

const logistics = part.object('logistics', {
  type: part.text('kind; seen: delivery'),
  date: part.day('date'),
  'additional-dates': additionalDates(),
  address: address('address, as of the delivery'),
  'additional-identifiers': identifiers('further identifiers'),
  objects: businessObjects('objects concerned'),
  instructions: part.text('instructions'),
  'additional-info': additionalInfo(),
});

const note = part.object('note', {
  content: part.text('text of the note'),
  tag: part.text('seen: fixed-recovery-fee, late-payment-penalty, no-early-payment-discount, credit-note-reason'),
});

const attachment = part.object('attachment', {
  type: part.text('kind of attachment'),
  filename: part.text('name of the file'),
  'mime-type': part.text('media type of the file'),
  format: part.text('transport format of the content'),
  content: part.text('encoded content'),
});

const extension = part.object('extension', {
  tag: part.text('tag'),
  format: part.text('format of the content'),
  content: part.text('content'),
});

const shape = part.object('French invoice, credit note or corrective', {
  document: header,
  issuer: party('who issues the document'),
  receiver: party('who receives the document'),
  'additional-parties': part.list('further parties', party('further party')),
  references: references('documents this one refers to'),
  logistics: part.list('deliveries and other logistics', logistics),
  lines: invoiceLines(),
  totals: totals('totals of the document'),
  'alternate-totals': part.list('totals in other currencies', totals('totals in another currency')),
  agreements: agreements(),
  notes: part.list('notes', note),
  attachments: part.list('attachments', attachment),
  extensions: part.list('extensions', extension),
});

/**
 * The SIREN of a party if it has one, else its first identifier or its name. Names of receivers are compared without
 * case.
 */
function partyOf(payload: JsonObject | undefined, party: 'issuer' | 'receiver'): string | undefined {
  const identifiers = listAt(payload, party, 'identifiers').map((one) => {
    const { type, value } = objectFields(one);
    return { type: asText(type), value: asText(value) };
  });
  return frenchIssuer(identifiers, () => {
    const name = textAt(payload, party, 'name');
    return party === 'receiver' ? plainName(name) : name;
  });
}

/** Identity: issuer, class, series, number and year of the document date. */
export const frInvoice: DocumentKind = {
  name: 'fr-invoice',
  service: 'fr',
  classes: ['invoice', 'credit-note', 'corrective'],
  // A number is taken once per issuer and year, whatever the class (DGFiP G1.42).
  otherClasses: {
    invoice: ['credit-note', 'corrective'],
    'credit-note': ['invoice', 'corrective'],
    corrective: ['invoice', 'credit-note'],
  },
  shape,
  schema: schemaOf(shape),
  rules: frInvoiceRules,
  acceptsFile: true,
  // Numbers are unique per issuer and year of the document date: they may start again each year.
  ...identifiedBy({
    issuer: { at: '/issuer/identifiers', find: (payload) => partyOf(payload, 'issuer') },
    number: { at: '/document/identifier', find: (payload) => numberAt(payload, 'document', 'identifier') },
    date: { at: '/document/date', find: (payload) => dayAt(payload, 'document', 'date') },
    series: (payload) => textAt(payload, 'document', 'series'),
  }),
  factsOf: (draft) =>
    factsFrom(draft, {
      identifier: numberAt(draft.payload, 'document', 'identifier'),
      date: textAt(draft.payload, 'document', 'date'),
      currency: textAt(draft.payload, 'document', 'currency') ?? textAt(draft.payload, 'totals', 'currency'),
      amount: decimalAt(draft.payload, 'totals', 'final-amount'),
      counterparty: textAt(draft.payload, 'receiver', 'name'),
      receiver: partyOf(draft.payload, 'receiver'),
      issuer: textAt(draft.payload, 'issuer', 'name'),
    }),
};
