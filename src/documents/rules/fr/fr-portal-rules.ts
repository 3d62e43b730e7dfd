/**
 * Rules of the public portal that are narrower than those of the platforms: a document may pass the platform, and the
 * portal rejects it. Warnings from the first day of the reform on; no day is announced for their end. Each rule names its
 * source; `passes` and `fails` are examples that a test runs.
 */
import { isNearFrance, meantCountry } from '../../code-lists/countries.ts';
import { OVERALL_REBATE } from '../../code-lists/document-types.ts';
import { isMeans } from '../../code-lists/payment-means.ts';
import { listAt, textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const CODE = 'fr-invoice/outside-portal';
/** Electronic invoicing is compulsory from this day on. */
const FROM = '2026-09-01';
const TYPE_AT = '/document/document-type';
const INFO_AT = '/document/additional-info/*/value';
const MEANS = ['10', '20', '30', '42', '48', '49', '97'];
/** Deposited by a subcontractor: in the list of the platforms only. */
const SUBCONTRACTED = 'S3';

/** Both rule sets of the portal, of the start and of later ("cible"), have these lists. */
export const portalRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-TYP-1d',
    code: CODE,
    severity: 'warning',
    at: [TYPE_AT, INFO_AT],
    formula: `type other than ${OVERALL_REBATE}`,
    source: 'DGFiP G1.01, rule sets of July 2026',
    profiles: ['fr-2026'],
    validFrom: FROM,
    passes: { class: 'credit-note', set: { [TYPE_AT]: '381' } },
    fails: { class: 'credit-note', set: { [TYPE_AT]: OVERALL_REBATE } },
    test: ({ header: { typeCodes } }, broken) => {
      for (const { code, at } of typeCodes) if (code === OVERALL_REBATE) broken(at);
    },
  },
  {
    id: 'FR-TYP-2d',
    code: CODE,
    severity: 'warning',
    at: [INFO_AT],
    formula: `frame other than ${SUBCONTRACTED}`,
    source: 'DGFiP G1.02, rule sets of July 2026',
    profiles: ['fr-2026'],
    validFrom: FROM,
    passes: { set: { '/document/additional-info': [{ key: 'business-process', value: 'S1' }] } },
    fails: { set: { '/document/additional-info': [{ key: 'business-process', value: SUBCONTRACTED }] } },
    test: ({ header: { frames } }, broken) => {
      for (const { code, at } of frames) if (code === SUBCONTRACTED) broken(at);
    },
  },
  {
    id: 'FR-PAY-2b',
    code: CODE,
    severity: 'warning',
    at: ['/agreements/*/means/*/type'],
    formula: MEANS.join(' '),
    source: 'DGFiP BT-81, rule sets of July 2026',
    profiles: ['fr-2026'],
    validFrom: FROM,
    passes: { set: means('49') },
    fails: { set: means('59') },
    test: ({ agreements }, broken) =>
      agreements.forEach((agreement, i) => {
        listAt(agreement, 'means').forEach((one, j) => {
          const code = textAt(one, 'type')?.trim() ?? '';
          if (isMeans(code) && !MEANS.includes(code)) {
            broken(`/agreements/${i}/means/${j}/type`, { codes: MEANS.join(', ') });
          }
        });
      }),
  },
  {
    id: 'FR-FLOW-1b',
    code: CODE,
    severity: 'warning',
    at: ['/receiver/identifiers'],
    formula: 'a receiver in an overseas territory or Monaco has a SIREN',
    source: 'DGFiP G1.63, rule sets of July 2026',
    profiles: ['fr-2026'],
    validFrom: FROM,
    passes: { set: { '/receiver/address/country': 'NC' } },
    fails: {
      set: { '/receiver/address/country': 'NC', '/receiver/identifiers': [{ type: '0228', value: '0123456' }] },
    },
    test: ({ buyer, receiver: { country = '', nineDigits } }, broken) => {
      if (buyer !== 'near' || nineDigits !== undefined) return;
      if (isNearFrance(meantCountry(country) ?? country)) broken('/receiver/identifiers');
    },
  },
];

function means(type: string): { readonly [at: string]: unknown } {
  return { '/agreements': [{ type: 'payment', means: [{ type }] }] };
}
