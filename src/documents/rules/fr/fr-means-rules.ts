/**
 * Rules of the means of payment of a French invoice: codes, the account of a transfer, its IBAN, the number of a card.
 * Each rule names its source; `passes` and `fails` are examples that a test runs.
 */

import type { Json } from '../../../model/draft.ts';
import { isIban, looksLikeIban } from '../../../model/iban.ts';
import type { Example } from '../../../model/rule.ts';
import { isMeans, isTransfer } from '../../code-lists/payment-means.ts';
import { listAt, textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const MEANS = '/agreements/*/means/*';
const OBJECT = `${MEANS}/objects/*`;

/** Objects of a means of payment that are no account to pay to. */
const NO_ACCOUNTS: readonly string[] = ['card', 'debtor-account'];
/** Of a card, only its last digits may be given (BT-87). */
const LONGEST_CARD = 10;

/** Check digits of an IBAN are checked although no platform does: a wrong account costs money. */
export const meansRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-PAY-1',
    code: 'fr-invoice/transfer-without-account',
    severity: 'error',
    at: [`${MEANS}/objects`],
    formula: 'means of type 30 or 58: an object with an identifier, other than a card or the account of the debtor',
    source: 'EN 16931 BR-50, BR-61',
    profiles: ['fr-2026'],
    passes: { set: transfer('58', [{ type: 'iban', value: 'FR7630006000011234567890189' }]) },
    fails: { set: transfer('58', []) },
    test: (view, broken) =>
      eachMeans(view, (means, at) => {
        if (!isTransfer(textAt(means, 'type')?.trim() ?? '')) return;
        const hasAccount = listAt(means, 'objects').some(
          (one) =>
            !NO_ACCOUNTS.includes(textAt(one, 'type') ?? '') &&
            listAt(one, 'identifiers').some((identifier) => textAt(identifier, 'value') !== undefined),
        );
        if (!hasAccount) broken(`${at}/objects`);
      }),
  },
  {
    id: 'FR-PAY-2',
    code: 'fr-invoice/unknown-payment-means',
    severity: 'error',
    at: [`${MEANS}/type`],
    formula: 'a type of digits alone is a code of the list; the contract does not show other values of the type',
    source: 'EN 16931 BR-CL-16',
    profiles: ['fr-2026'],
    passes: { set: transfer('30', [{ type: 'iban', value: 'FR7630006000011234567890189' }]) },
    fails: { set: transfer('71', []) },
    test: (view, broken) =>
      eachMeans(view, (means, at) => {
        const code = textAt(means, 'type')?.trim() ?? '';
        if (/^\d+$/.test(code) && !isMeans(code)) broken(`${at}/type`);
      }),
  },
  {
    id: 'FR-PAY-3',
    code: 'fr-invoice/iban-check-digits',
    severity: 'error',
    at: [`${OBJECT}/identifiers/*/value`],
    formula:
      'ISO 13616: the country and two digits moved to the end, letters as 10 to 35, mod 97 = 1; 27 characters for FR and MC',
    source: 'ISO 13616; no rule of the platforms',
    profiles: ['fr-2026'],
    passes: { set: transfer('30', [{ type: 'iban', value: 'FR76 3000 6000 0112 3456 7890 189' }]) },
    fails: { set: transfer('30', [{ type: 'iban', value: 'FR7630006000011234567890188' }]) },
    test: (view, broken) =>
      eachIdentifier(view, (identifier, at) => {
        if (textAt(identifier, 'type')?.toLowerCase() !== 'iban') return;
        const value = textAt(identifier, 'value') ?? '';
        // UBL and CII call any account number so: those of other countries are digits.
        if (looksLikeIban(value) && !isIban(value)) broken(`${at}/value`);
      }),
  },
  {
    id: 'FR-PAY-4',
    code: 'fr-invoice/whole-card-number',
    severity: 'error',
    at: [`${OBJECT}/identifiers/*/value`],
    formula: `identifier of type card: at most ${LONGEST_CARD} characters`,
    source: 'EN 16931 BR-51',
    profiles: ['fr-2026'],
    passes: { set: transfer('48', [{ type: 'card', value: '1234' }]) },
    fails: { set: transfer('48', [{ type: 'card', value: '4970101234567890' }]) },
    test: (view, broken) =>
      eachIdentifier(view, (identifier, at) => {
        const number = textAt(identifier, 'type') === 'card' ? textAt(identifier, 'value') : undefined;
        if (number !== undefined && number.trim().length > LONGEST_CARD) broken(`${at}/value`);
      }),
  },
];

/** Visits every means of every agreement with its pointer. */
function eachMeans({ agreements }: InvoiceView, visit: (means: Json, at: string) => void): void {
  agreements.forEach((agreement, i) => {
    listAt(agreement, 'means').forEach((means, j) => {
      visit(means, `/agreements/${i}/means/${j}`);
    });
  });
}

/** Visits the identifiers of the objects of every means. */
function eachIdentifier(view: InvoiceView, visit: (identifier: Json, at: string) => void): void {
  eachMeans(view, (means, at) => {
    listAt(means, 'objects').forEach((object, i) => {
      listAt(object, 'identifiers').forEach((identifier, j) => {
        visit(identifier, `${at}/objects/${i}/identifiers/${j}`);
      });
    });
  });
}

function transfer(type: string, identifiers: readonly object[]): Example['set'] {
  return { '/agreements': [{ type: 'payment', means: [{ type, objects: [{ type: 'account', identifiers }] }] }] };
}
