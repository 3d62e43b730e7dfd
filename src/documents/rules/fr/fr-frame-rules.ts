/**
 * The billing frame of a French invoice (BT-23): that it is there, one of the list, and fits the type and what is paid.
 */
import { Decimal } from '../../../model/decimal.ts';
import type { Example } from '../../../model/rule.ts';
import { FRAMES, isAfterAdvance, isFrame, isOfSeveralSellers } from '../../code-lists/billing-frames.ts';
import { isAdvance } from '../../code-lists/document-types.ts';
import { textAt } from '../../content/json-pointer.ts';
import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const INFO = '/document/additional-info';
const INFO_AT = `${INFO}/*/value`;
const TOTALS = '/totals/additional-info';
const DUE = '/document/date-due';
/** The contract does not show where the frame is: see `frames` of the view. */
export const frameRules: readonly Rule<InvoiceView>[] = [
  {
    // A warning: under which key the provider expects the frame is not shown.
    id: 'FR-TYP-2',
    code: 'fr-invoice/no-billing-frame',
    severity: 'warning',
    at: [INFO],
    formula: 'an entry of document.additional-info with a billing frame',
    source: 'BR-FR-08; DGFiP G6.08; CGI ann. II art. 242 nonies A (category of the operation)',
    profiles: ['fr-2026'],
    passes: { set: frame('S1') },
    fails: { set: { [INFO]: null } },
    test: ({ header: { frames } }, broken) => {
      if (frames.length === 0) broken(INFO);
    },
  },
  {
    id: 'FR-TYP-2b',
    code: 'fr-invoice/unknown-billing-frame',
    severity: 'error',
    at: [INFO_AT],
    source: 'BR-FR-08; DGFiP G1.02',
    profiles: ['fr-2026'],
    passes: { set: frame('B7') },
    fails: { set: frame('X9') },
    test: ({ header: { frames } }, broken) => {
      for (const { code, at } of frames) {
        if (isFrame(code)) continue;
        const meant = code.toUpperCase();
        broken(at, { frames: FRAMES.join(', '), ...offering(isFrame(meant) ? meant : undefined) });
      }
    },
  },
  {
    id: 'FR-TYP-2c',
    code: 'fr-invoice/several-sellers',
    severity: 'error',
    at: [INFO_AT],
    formula: 'none of B8, S8, M8, B9, S9, M9',
    source: 'BR-FR-MV-01 to BR-FR-MV-09, BR-FR-BD-02; french-invoicing 2.2 has no field for the seller of a line',
    profiles: ['fr-2026'],
    passes: { set: frame('S1') },
    fails: { set: frame('M8') },
    test: ({ header: { frames } }, broken) => {
      for (const { code, at } of frames) if (isOfSeveralSellers(code)) broken(at);
    },
  },
  {
    id: 'FR-TYP-3',
    code: 'fr-invoice/frame-and-type',
    severity: 'error',
    at: [INFO_AT],
    formula: 'B4, S4, M4: type other than 386, 500, 503',
    source: 'BR-FR-CO-08; DGFiP G1.60',
    profiles: ['fr-2026'],
    passes: { set: { ...frame('B4'), '/document/document-type': '380' } },
    fails: { set: { ...frame('B4'), '/document/document-type': '386' } },
    test: ({ header: { frames, type } }, broken) => {
      if (type === undefined || !isAdvance(type)) return;
      for (const { code, at } of frames) if (isAfterAdvance(code)) broken(at, { type });
    },
  },
  {
    id: 'FR-TYP-4',
    code: 'fr-invoice/frame-and-payment',
    severity: 'error',
    at: [`${TOTALS}/*/value`, DUE],
    formula: 'B2, S2, M2: prepaid-amount = final-amount and payable-amount = 0 where they are stated; a due date',
    source: 'BR-FR-CO-09',
    profiles: ['fr-2026'],
    passes: { set: { ...frame('S2'), ...paid('222.59', '0') } },
    fails: { set: { ...frame('S2'), ...paid('200', '22.59') } },
    test: ({ header: { isPaid }, totals: { final, stated }, payload }, broken) => {
      if (!isPaid) return;
      const { 'prepaid-amount': prepaid, 'payable-amount': payable } = stated;
      if (prepaid?.amount && final && !prepaid.amount.equals(final)) {
        broken(prepaid.at, { expected: final.toText(2) }, prepaid.amount.minus(final));
      }
      if (payable?.amount && !payable.amount.isZero()) broken(payable.at, { expected: Decimal.zero.toText(2) });
      if (textAt(payload, 'document', 'date-due') === undefined) broken(DUE, { expected: 'date-due' });
    },
  },
  {
    // A warning: the key is ours, the contract shows no place for what was paid before.
    id: 'FR-TYP-4b',
    code: 'fr-invoice/frame-and-payment',
    severity: 'warning',
    at: [TOTALS],
    source: 'BR-FR-CO-09 (BT-113)',
    profiles: ['fr-2026'],
    passes: { set: { ...frame('S2'), ...paid('222.59', '0') } },
    fails: { set: frame('S2') },
    test: ({ header: { isPaid }, totals: { stated } }, broken) => {
      if (isPaid && stated['prepaid-amount'] === undefined) broken(TOTALS);
    },
  },
];

function frame(value: string): Example['set'] {
  return { [INFO]: [{ key: 'business-process', value }] };
}

function paid(prepaid: string, payable: string): Example['set'] {
  return {
    [TOTALS]: [
      { key: 'prepaid-amount', value: prepaid },
      { key: 'payable-amount', value: payable },
    ],
  };
}
