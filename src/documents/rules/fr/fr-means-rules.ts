/** Means of payment of a French invoice: their codes, the account of a transfer, its IBAN, the number of a card. */

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

export const meansRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-PAY-1',
    code: 'fr-invoice/transfer-without-account',
    says: {
      en: 'a transfer without the account to pay to',
      fr: 'un virement sans le compte à créditer',
      es: 'una transferencia sin la cuenta a la que se paga',
    },
    hint: {
      en: 'give objects: [{ type: account, identifiers: [{ type: iban, value: ... }] }] under the means of payment',
      fr: 'donnez objects: [{ type: account, identifiers: [{ type: iban, value: … }] }] sous le moyen de paiement',
      es: 'indique objects: [{ type: account, identifiers: [{ type: iban, value: … }] }] en el medio de pago',
    },
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
    says: {
      en: 'this code is no means of payment of UNTDID 4461',
      fr: 'ce code n’est pas un moyen de paiement de la liste UNTDID 4461',
      es: 'este código no es un medio de pago de la lista UNTDID 4461',
    },
    hint: {
      en: 'e.g. 10 cash, 20 cheque, 30 transfer, 58 SEPA transfer, 48 card, 49 direct debit, 59 SEPA direct debit, 97 clearing',
      fr: 'p. ex. 10 espèces, 20 chèque, 30 virement, 58 virement SEPA, 48 carte, 49 prélèvement, 59 prélèvement SEPA, 97 compensation',
      es: 'p. ej. 10 efectivo, 20 cheque, 30 transferencia, 58 transferencia SEPA, 48 tarjeta, 49 domiciliación, 59 domiciliación SEPA, 97 compensación',
    },
    severity: 'error',
    at: [`${MEANS}/type`],
    formula: 'a type of digits alone is a code of the list; what else the type may hold is not shown',
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
    says: {
      en: 'this is no IBAN, its length or its check digits are wrong',
      fr: 'ce n’est pas un IBAN, sa longueur ou sa clé de contrôle est fausse',
      es: 'esto no es un IBAN, su longitud o sus dígitos de control son incorrectos',
    },
    hint: {
      en: 'compare it with the bank; the buyer would pay to an account that does not exist',
      fr: 'comparez avec le RIB ; l’acheteur paierait sur un compte qui n’existe pas',
      es: 'compárelo con el banco; el comprador pagaría a una cuenta que no existe',
    },
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
    says: {
      en: 'more of the number of a card than may be given',
      fr: 'une plus grande partie du numéro de carte qu’il n’est permis de donner',
      es: 'más cifras del número de una tarjeta de las que se pueden dar',
    },
    hint: {
      en: 'the last four to six digits are allowed: = RIGHT($Column, 4)',
      fr: 'les quatre à six derniers chiffres sont permis : = RIGHT($Colonne, 4)',
      es: 'se permiten los últimos cuatro a seis dígitos: = RIGHT($Columna, 4)',
    },
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

function eachMeans({ agreements }: InvoiceView, visit: (means: Json, at: string) => void): void {
  agreements.forEach((agreement, i) => {
    listAt(agreement, 'means').forEach((means, j) => {
      visit(means, `/agreements/${i}/means/${j}`);
    });
  });
}

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
