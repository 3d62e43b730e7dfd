/** Exports that a shipped mapping reads already: they need no draft. */
import type { Message } from '../i18n/message.ts';
import { SAMPLE_QUESTION } from '../i18n/messages/infer-questions-messages.ts';

type Root = { readonly uri: string; readonly local: string };
type Standard = { readonly local?: string; readonly uri: RegExp; readonly what: Message; readonly mapping: string };

const { ublInvoice, ublCreditNote, ciiInvoice } = SAMPLE_QUESTION;
const STANDARDS: readonly Standard[] = [
  {
    local: 'Invoice',
    uri: /:ubl:schema:xsd:Invoice-2$/,
    what: ublInvoice(),
    mapping: 'mappings/ubl-invoice.yaml',
  },
  {
    local: 'CreditNote',
    uri: /:ubl:schema:xsd:CreditNote-2$/,
    what: ublCreditNote(),
    mapping: 'mappings/ubl-credit-note.yaml',
  },
  { uri: /:CrossIndustryInvoice:\d+$/, what: ciiInvoice(), mapping: 'mappings/cii.yaml' },
];
const ODOO = ['Invoice/Bill Date', 'Invoice lines/Quantity'];

/** The mapping to take instead of the draft, as a question; undefined where none is shipped for the export. */
export function findShippedMapping(root: Root | undefined, columns: readonly string[]): Message | undefined {
  const found = root && STANDARDS.find(({ uri, local = root.local }) => local === root.local && uri.test(root.uri));
  if (found) return SAMPLE_QUESTION.shipped({ what: found.what, mapping: found.mapping });
  return ODOO.every((name) => columns.includes(name)) ? SAMPLE_QUESTION.odoo() : undefined;
}
