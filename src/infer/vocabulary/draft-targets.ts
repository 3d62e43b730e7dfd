/**
 * What `infer` knows about each kind of document that it drafts a mapping for, as one value each: its concepts, its date, what
 * a row of its exports is. The writers of the drafts are in infer-draft.ts.
 */
import type { Message } from '../../i18n/message.ts';
import { SAMPLE_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import type { KindName } from '../../model/document.ts';

export type DraftTarget = {
  readonly name: KindName;
  /** The concept of the document number. */
  readonly number: string;
  /** The one by which an element of XML is known to be a document. */
  readonly numberOfElement: string;
  /** Concepts of dates in the order in which exports have them. The first is the date of the document. */
  readonly dates: readonly [string, ...string[]];
  /** The place of the date in the mapping, and what a question calls it. */
  readonly date: { readonly at: string; readonly what: Message };
  /** The concepts that a draft can use. */
  readonly takes: (concept: string) => boolean;
  /** The concept of an identifier that is known by its check digit; undefined for those of another country. */
  readonly identifier: (form: string, party: string) => string | undefined;
  /** A row is a payment of a period, or a line of a document. */
  readonly rows: 'lines' | 'payments';
  /** Its lines are counted in numbers, not in texts. */
  readonly hasLineNumbers: boolean;
  /** Its amounts have VAT. */
  readonly hasVat: boolean;
  /** It has totals and parts next to its lines, which prove amounts and lists; the package has mappings for it. */
  readonly isInvoice: boolean;
};

const REPORT = [
  'company',
  'paymentDate',
  'paymentAmount',
  'paymentCurrency',
  'invoiceRef',
  'invoiceDate',
  'payerCountry',
  'vatRate',
  'vatCode',
  'ticket',
  'status',
  'customer.name',
  'description',
  'establishment',
  'till',
  'ignored',
];
const NOTE = [
  'noteNumber',
  'noteDate',
  'noteTime',
  'establishment',
  'till',
  'receiverDocType',
  'receiverDocNumber',
  'nrc',
  'receiverName',
  'activityCode',
  'activityName',
  'receiverEmail',
  'department',
  'municipality',
  'receiverStreet',
  'title',
  'destination',
  'taxedFlag',
  'noteTotal',
  'lineNo',
  'article',
  'description',
  'quantity',
  'unit',
  'price',
  'discountAmount',
  'lineAmount',
  'status',
  'ignored',
];
const NOT_FOR_INVOICES = new Set(
  [...REPORT, ...NOTE].filter((one) =>
    /^(?:payment|invoice|payer|note|receiver|ticket|establishment|till|nrc|activity|department|municipality|title|destination|taxedFlag|lineAmount)/.test(
      one,
    ),
  ),
);

/** Identifiers of El Salvador; the others are French. */
const SALVADORAN: readonly string[] = ['nit', 'dui'];
const french = (form: string, party: string) => (SALVADORAN.includes(form) ? undefined : `${party}.${form}`);

export const DRAFT_TARGETS: { readonly [kind in KindName]: DraftTarget } = {
  'fr-invoice': {
    name: 'fr-invoice',
    number: 'number',
    numberOfElement: 'number',
    dates: ['date', 'due'],
    date: { at: 'output.document.date', what: SAMPLE_QUESTION.documentDate() },
    takes: (concept) => !NOT_FOR_INVOICES.has(concept),
    identifier: french,
    rows: 'lines',
    hasLineNumbers: false,
    hasVat: true,
    isInvoice: true,
  },
  'fr-report': {
    name: 'fr-report',
    number: 'invoiceRef',
    numberOfElement: 'number',
    dates: ['paymentDate', 'invoiceDate'],
    date: { at: 'output.document.date', what: SAMPLE_QUESTION.paymentDate() },
    takes: (concept) => REPORT.includes(concept),
    identifier: french,
    rows: 'payments',
    hasLineNumbers: false,
    hasVat: true,
    isInvoice: false,
  },
  'sv-remission-note': {
    name: 'sv-remission-note',
    number: 'noteNumber',
    numberOfElement: 'noteNumber',
    dates: ['noteDate'],
    date: { at: 'output.FechaGeneracion', what: SAMPLE_QUESTION.noteDate() },
    takes: (concept) => NOTE.includes(concept),
    identifier: (form) => (SALVADORAN.includes(form) ? 'receiverDocNumber' : undefined),
    rows: 'lines',
    hasLineNumbers: true,
    hasVat: false,
    isInvoice: false,
  },
};
