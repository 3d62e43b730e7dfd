/**
 * Rules of the treatments of VAT on a French invoice: each VAT has one, and supplies without VAT within the Union, abroad
 * or under reverse charge name both parties. Each rule names its source; `passes` and `fails` are examples that a test
 * runs.
 */
import { categoryOf } from '../../code-lists/vat-categories.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import { isRegistered, type PartyView, type Typed } from '../views/party-view.ts';

const NESTED = '/totals/subtotals/*/subtotals/*';
const ISSUER = '/issuer/identifiers';
const RECEIVER = '/receiver/identifiers';
const SUBTYPE = '/lines/0/taxes/0/subtype';
/** Types of the identifiers by which a register knows a company (BT-47): words of the mappings, or a number of ISO 6523. */
const OF_REGISTER = /^(?:siren|siret|registration|\d{4})$/;

/** What these sales need is an obligation of the seller: without the numbers, VAT is due. */
export const treatmentRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-VAT-9',
    code: 'fr-invoice/no-vat-treatment',
    severity: 'error',
    at: ['/lines/*/taxes/*/subtype', `${NESTED}/subtype`],
    formula:
      'the VAT of each line, of each discount or charge on the document and of each entry per rate has its subtype',
    source: 'EN 16931 BR-CO-04, BR-32, BR-37, BR-47; BR-FR-15',
    profiles: ['fr-2026'],
    passes: { set: { [SUBTYPE]: 'S' } },
    fails: { set: { [SUBTYPE]: null } },
    test: ({ lines, totals }, broken) => {
      for (const { vat } of lines) if (vat && vat.subtype === undefined) broken(`${vat.at}/subtype`);
      for (const { isAfterTaxes, vat } of totals.others) {
        if (!isAfterTaxes && vat && vat.subtype === undefined) broken(`${vat.at}/subtype`);
      }
      for (const { at, subtype } of totals.perRate) if (subtype === undefined) broken(`${at}/subtype`);
    },
  },
  {
    id: 'FR-PTY-9d',
    code: 'fr-invoice/no-issuer-vat',
    severity: 'error',
    at: [ISSUER],
    formula: 'intra-community (K) or export (G): VAT number of the issuer or of its tax representative',
    source: 'EN 16931 BR-IC-02 to BR-IC-04, BR-G-02 to BR-G-04',
    profiles: ['fr-2026'],
    unless: { field: ['FR-PTY-9', 'FR-PTY-9c'] },
    passes: { set: { [SUBTYPE]: 'export' } },
    fails: {
      set: {
        ...{ '/lines/0/taxes/0/percent': 0, '/lines/1/taxes/0/percent': 0, '/lines/2/taxes/0/percent': 0 },
        ...{ [SUBTYPE]: 'export', '/issuer/identifiers/1': { type: 'tax-registration', value: '1' } },
      },
    },
    test: (view, broken) => {
      if (!hasOwnNumber(view) && (isOf(view, 'K') || isOf(view, 'G'))) broken(ISSUER);
    },
  },
  {
    id: 'FR-PTY-9e',
    code: 'fr-invoice/no-receiver-vat',
    severity: 'error',
    at: [RECEIVER],
    formula: 'intra-community (K): identifier of type vat',
    source: 'EN 16931 BR-IC-02 to BR-IC-04',
    profiles: ['fr-2026'],
    unless: { field: ['FR-PTY-9b'] },
    passes: { set: { [SUBTYPE]: 'intra-community' } },
    fails: {
      set: { [SUBTYPE]: 'intra-community', [RECEIVER]: [{ type: 'registration', value: 'HRB 4711' }] },
    },
    test: (view, broken) => {
      if (!hasNumber(view.receiver) && isOf(view, 'K')) broken(RECEIVER);
    },
  },
  {
    id: 'FR-PTY-9f',
    code: 'fr-invoice/no-receiver-vat',
    severity: 'error',
    at: [RECEIVER],
    formula: 'reverse-charge (AE): identifier of type vat, or that of a register of companies',
    source: 'EN 16931 BR-AE-02 to BR-AE-04',
    profiles: ['fr-2026'],
    unless: { field: ['FR-PTY-3'] },
    passes: { set: { [SUBTYPE]: 'reverse-charge', [RECEIVER]: [{ type: 'registration', value: 'HRB 4711' }] } },
    fails: {
      set: {
        ...{ [SUBTYPE]: 'reverse-charge', '/receiver/address/country': 'DE' },
        [RECEIVER]: [{ type: 'local', value: 'K-1007' }],
      },
    },
    test: (view, broken) => {
      const isKnown = ({ type = '', value }: Typed) => value !== undefined && OF_REGISTER.test(type);
      const { receiver } = view;
      if (!hasNumber(receiver) && isOf(view, 'AE') && !receiver.identifiers.some(isKnown)) broken(RECEIVER);
    },
  },
  {
    // Where the rates are stated, FR-PTY-9 and FR-PTY-9c ask for more: these treatments may leave them out.
    id: 'FR-PTY-9g',
    code: 'fr-invoice/no-issuer-vat',
    severity: 'error',
    at: [ISSUER],
    formula:
      'exempt (E), zero (Z) or reverse-charge (AE): VAT number or tax registration of the issuer, or VAT number of its tax representative',
    source: 'EN 16931 BR-AE-02 to BR-AE-04, BR-E-02 to BR-E-04, BR-Z-02 to BR-Z-04',
    profiles: ['fr-2026'],
    unless: { field: ['FR-PTY-9', 'FR-PTY-9c'] },
    passes: { set: { [SUBTYPE]: 'reverse-charge', '/issuer/identifiers/1/type': 'tax-registration' } },
    fails: {
      set: {
        ...{ '/lines/0/taxes/0': { type: 'vat', subtype: 'reverse-charge' }, '/lines/1/taxes/0/percent': 0 },
        ...{ '/lines/2/taxes/0/percent': 0, '/issuer/identifiers/1': null },
      },
    },
    test: (view, broken) => {
      if (hasOwnNumber(view) || isRegistered(view.issuer)) return;
      if (isOf(view, 'AE') || isOf(view, 'E') || isOf(view, 'Z')) broken(ISSUER);
    },
  },
];

/** A VAT number of the issuer or of its tax representative. */
function hasOwnNumber({ issuer, parties }: InvoiceView): boolean {
  return hasNumber(issuer) || parties.some((one) => one.role === 'tax-representative' && hasNumber(one));
}

function hasNumber({ vat }: PartyView): boolean {
  return vat !== undefined;
}

/** Some line, discount, charge or entry of the totals has a treatment of this category. */
function isOf({ taxes }: InvoiceView, category: 'K' | 'G' | 'AE' | 'E' | 'Z'): boolean {
  return taxes.some(({ subtype }) => subtype !== undefined && categoryOf(subtype) === category);
}
