/** Exports that a shipped mapping reads already: they need no draft. */

type Root = { readonly uri: string; readonly local: string };

const STANDARDS: readonly (readonly [test: (root: Root) => boolean, what: string, mapping: string])[] = [
  [
    ({ uri, local }) => local === 'Invoice' && /:ubl:schema:xsd:Invoice-2$/.test(uri),
    'a UBL invoice',
    'mappings/ubl-invoice.yaml',
  ],
  [
    ({ uri, local }) => local === 'CreditNote' && /:ubl:schema:xsd:CreditNote-2$/.test(uri),
    'a UBL credit note',
    'mappings/ubl-credit-note.yaml',
  ],
  [({ uri }) => /:CrossIndustryInvoice:\d+$/.test(uri), 'a CII invoice (Factur-X, XRechnung)', 'mappings/cii.yaml'],
];
const ODOO = ['Invoice/Bill Date', 'Invoice lines/Quantity'];

/** What to take instead of the draft, as a sentence; undefined where nothing is shipped for it. */
export function shippedFor(root: Root | undefined, columns: readonly string[]): string | undefined {
  const found = root && STANDARDS.find(([test]) => test(root));
  if (found)
    return `This is ${found[1]}: ${found[2]} is shipped and reads all of it. Take that mapping in place of this draft.`;
  return ODOO.every((name) => columns.includes(name))
    ? 'This is an export of Odoo: mappings/odoo-invoices.yaml is shipped for it. Start from that mapping in place of this draft.'
    : undefined;
}
