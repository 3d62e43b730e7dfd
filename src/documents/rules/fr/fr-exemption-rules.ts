/**
 * Rules about why a French invoice charges no VAT: the code of the reason (BT-121) and its words (BT-120), by category
 * of VAT. Each rule names its source; `passes` and `fails` are examples that a test runs.
 */

import { categoryOf } from '../../code-lists/vat-categories.ts';
import { isArticle261, isVatex, meantVatex, NET_OF_VAT } from '../../code-lists/vatex.ts';
import { textAt } from '../../content/json-pointer.ts';
import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

/** Reasons are on the entries per rate, not on lines. */
const REASON = '/totals/subtotals/*/subtotals/*/reason';
const PARTS = ['identifier', 'description'] as const;
const AT_PARTS = PARTS.map((part) => `${REASON}/${part}`);

/** Credit notes that may leave the VAT of their invoice as it is. */
const NET_OF_VAT_TYPES: readonly string[] = ['261', '381', '396'];

const NET_CREDIT = { identifier: NET_OF_VAT, description: 'Avoir net de taxe' };
const HEALTH = { identifier: 'VATEX-FR-CGI261-4', description: 'Soins' };

/** Categories differ in what they require; each rule cites its clause. */
export const exemptionRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-VAT-4',
    code: 'fr-invoice/no-exemption-reason',
    severity: 'error',
    at: [REASON, ...AT_PARTS],
    formula:
      'exempt (E): code and words; reverse-charge (AE), intra-community (K), export (G), outside-scope (O) and other names: one of the two',
    source: 'DGFiP G1.40, G1.41 (E); EN 16931 BR-E-10, BR-AE-10, BR-G-10, BR-IC-10, BR-O-10',
    profiles: ['fr-2026'],
    passes: {
      set: { '/totals/subtotals/1/subtotals/2': untaxed('reverse-charge', { description: 'Autoliquidation' }) },
    },
    fails: { set: { '/totals/subtotals/1/subtotals/2': untaxed('exempt', { identifier: 'VATEX-FR-FRANCHISE' }) } },
    test: ({ totals }, broken) => {
      for (const one of totals.perRate) {
        const { subtype, percent } = one;
        // Nearly every entry.
        if (subtype === undefined || subtype === 'standard' || (percent && !percent.isZero())) continue;
        const category = categoryOf(subtype);
        if (category === 'S' || category === 'Z') continue;
        const { at, reason } = one;
        const missing = PARTS.filter((part) => textAt(reason, part) === undefined);
        if (category === 'E') for (const part of missing) broken(`${at}/reason/${part}`, { part: `reason.${part}` });
        else if (missing.length === PARTS.length) broken(`${at}/reason`, { part: 'reason' });
      }
    },
  },
  {
    id: 'FR-VAT-4b',
    code: 'fr-invoice/exemption-reason-unused',
    severity: 'error',
    at: AT_PARTS,
    formula: 'standard (S) and zero (Z): neither code nor words',
    source: 'EN 16931 BR-S-10, BR-Z-10',
    profiles: ['fr-2026'],
    passes: { set: { '/totals/subtotals/1/subtotals/2': untaxed('zero') } },
    fails: { set: { '/totals/subtotals/1/subtotals/2': untaxed('zero', { description: 'Livres' }) } },
    test: ({ totals }, broken) => {
      for (const { at, subtype, reason } of totals.reasoned) {
        if (subtype === undefined) continue;
        const category = categoryOf(subtype);
        if (category !== 'S' && category !== 'Z') continue;
        for (const part of PARTS) if (textAt(reason, part) !== undefined) broken(`${at}/reason/${part}`);
      }
    },
  },
  {
    id: 'FR-VAT-5',
    code: 'fr-invoice/unknown-exemption-code',
    severity: 'error',
    at: [`${REASON}/identifier`],
    source: 'EN 16931 BR-CL-22; EXTENDED-CTC-FR BR-CL-22',
    profiles: ['fr-2026'],
    unless: { field: ['FR-VAT-4b'] },
    passes: {
      set: {
        '/totals/subtotals/1/subtotals/2': untaxed('exempt', { identifier: 'VATEX-FR-CGI261-4', description: 'Soins' }),
      },
    },
    fails: {
      set: {
        '/totals/subtotals/1/subtotals/2': untaxed('exempt', { identifier: 'VATEX-FR-NOPE', description: 'Soins' }),
      },
    },
    test: ({ totals }, broken) => {
      for (const { at, reason } of totals.reasoned) {
        const code = textAt(reason, 'identifier');
        if (code !== undefined && !isVatex(code)) broken(`${at}/reason/identifier`, offering(meantVatex(code)));
      }
    },
  },
  {
    id: 'FR-VAT-6',
    code: 'fr-invoice/net-of-vat-credit-only',
    severity: 'error',
    at: [`${REASON}/identifier`],
    formula: `${NET_OF_VAT}: type 261, 381 or 396; without a type the class credit-note`,
    source: 'DGFiP G6.21',
    profiles: ['fr-2026'],
    unless: { field: ['FR-VAT-4b'] },
    passes: { class: 'credit-note', set: { '/totals/subtotals/1/subtotals/2': untaxed('exempt', NET_CREDIT) } },
    fails: { class: 'invoice', set: { '/totals/subtotals/1/subtotals/2': untaxed('exempt', NET_CREDIT) } },
    test: ({ totals, header: { type }, class: documentClass }, broken) => {
      if (totals.reasoned.length === 0) return;
      const isCredit = type === undefined ? documentClass === 'credit-note' : NET_OF_VAT_TYPES.includes(type);
      if (isCredit) return;
      for (const { at, reason } of totals.reasoned) {
        if (textAt(reason, 'identifier')?.trim().toUpperCase() === NET_OF_VAT) {
          broken(`${at}/reason/identifier`, { types: NET_OF_VAT_TYPES.join(', ') });
        }
      }
    },
  },
  {
    // A warning: who may invoice so all the same is the provider's to say.
    id: 'FR-FLOW-2',
    code: 'fr-invoice/other-flow',
    severity: 'warning',
    at: [`${REASON}/identifier`],
    formula:
      'each category exempt (E) or outside-scope (O), and a code that begins with VATEX-FR-CGI261, of article 261 of the code of taxes',
    source: 'DGFiP G2.32; CGI art. 261, 289 bis',
    profiles: ['fr-2026'],
    passes: { set: { '/totals/subtotals/1/subtotals/2': untaxed('exempt', HEALTH) } },
    fails: { set: { '/totals/subtotals/1/subtotals': [untaxed('exempt', HEALTH)] } },
    test: ({ totals: { perRate, reasoned } }, broken) => {
      if (reasoned.length === 0) return;
      const isOutside = ({ subtype = '' }: { readonly subtype: string | undefined }) => {
        const category = categoryOf(subtype);
        return category === 'E' || category === 'O';
      };
      const first = reasoned.find(({ reason }) => isArticle261(textAt(reason, 'identifier') ?? ''));
      if (first && perRate.every(isOutside)) broken(`${first.at}/reason/identifier`);
    },
  },
];

/** An entry of the totals without VAT. */
function untaxed(subtype: string, reason?: object): object {
  const entry = { type: 'tax', class: 'vat', subtype, percent: 0, 'taxable-amount': 0, amount: 0 };
  return reason ? { ...entry, reason } : entry;
}
