/** The rules of French invoices, credit notes and correctives, in the order of the document. */
import { isFrenchVat, isSiren, isSiret } from '../../model/identifiers.ts';
import type { RulePack } from '../../model/rule.ts';
import { digitRule, type Visit } from './check-digits.ts';
import { lineRules } from './fr-line-rules.ts';
import { totalRules } from './fr-total-rules.ts';
import { vatRules } from './fr-vat-rules.ts';
import { type InvoiceView, viewInvoice } from './invoice-view.ts';
import { type Rule, rulePack } from './pack.ts';

function identifiers({ parties }: InvoiceView, visit: Visit): void {
  for (const { at, identifiers } of parties) {
    identifiers.forEach(({ type, value }, i) => {
      visit(type, value, () => `${at}/identifiers/${i}/value`);
    });
  }
}

const AT_IDENTIFIERS = [
  '/issuer/identifiers/*/value',
  '/receiver/identifiers/*/value',
  '/additional-parties/*/identifiers/*/value',
];

const parties: readonly Rule<InvoiceView>[] = [
  digitRule({
    id: 'FR-PTY-4',
    code: 'fr-invoice/siren-check-digit',
    name: { en: 'SIREN', fr: 'SIREN', es: 'SIREN' },
    at: AT_IDENTIFIERS,
    formula: 'Luhn over the nine digits',
    source: 'python-stdnum fr.siren; existence is checked by the platform (DGFiP G1.65)',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/identifiers/0/value': '732829320' } },
    fails: { set: { '/receiver/identifiers/0/value': '732829321' } },
    type: 'siren',
    valid: isSiren,
    walk: identifiers,
  }),
  digitRule({
    id: 'FR-PTY-6',
    code: 'fr-invoice/siret-check-digit',
    name: { en: 'SIRET', fr: 'SIRET', es: 'SIRET' },
    at: AT_IDENTIFIERS,
    formula: 'Luhn over the fourteen digits; of La Poste the sum of the digits is a multiple of five',
    source: 'python-stdnum fr.siret',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/identifiers/0': { type: 'siret', value: '35600000049837' } } },
    fails: { set: { '/receiver/identifiers/0': { type: 'siret', value: '73282932000015' } } },
    type: 'siret',
    valid: isSiret,
    walk: identifiers,
  }),
  digitRule({
    id: 'FR-PTY-7',
    code: 'fr-invoice/vat-check-digit',
    name: { en: 'French VAT number', fr: 'numéro de TVA français', es: 'número de IVA francés' },
    at: AT_IDENTIFIERS,
    formula: 'key = (12 + 3 × (SIREN mod 97)) mod 97; keys with letters cannot be verified',
    source: 'GOBL regimes/fr tax identity',
    profiles: ['fr-2026'],
    passes: { set: { '/issuer/identifiers/0': { type: 'vat', value: 'FR44732829320' } } },
    fails: { set: { '/issuer/identifiers/0': { type: 'vat', value: 'FR45732829320' } } },
    type: 'vat',
    valid: isFrenchVat,
    walk: identifiers,
  }),
];

/** Classes that correct an earlier invoice. */
const CORRECTING: readonly string[] = ['credit-note', 'corrective'];

const references: readonly Rule<InvoiceView>[] = [
  {
    // A warning, not an error: the contract says that these classes carry the reference, yet credit notes over a whole
    // period (a yearly rebate) have no single original, and a rejection (code 6) can be mended under the same number.
    id: 'FR-WIRE-1',
    code: 'fr-invoice/no-original-invoice',
    says: {
      en: 'this credit note or corrective does not name the invoice it corrects',
      fr: 'cet avoir ou cette facture rectificative ne nomme pas la facture d’origine',
      es: 'esta nota de crédito o rectificativa no nombra la factura que corrige',
    },
    hint: {
      en: 'add an entry to references: type original-invoice, with the number and the date of that invoice',
      fr: 'ajoutez une entrée à references : type original-invoice, avec le numéro et la date de cette facture',
      es: 'agregue una entrada a references: type original-invoice, con el número y la fecha de esa factura',
    },
    severity: 'warning',
    at: ['/references'],
    source: 'french-invoicing 2.2',
    profiles: ['wire', 'fr-2026'],
    passes: { class: 'credit-note', set: { '/references': [{ type: 'original-invoice', identifier: 'F2026-00001' }] } },
    fails: { class: 'credit-note', set: { '/references': null } },
    test: ({ class: documentClass, originals }, broken) => {
      if (CORRECTING.includes(documentClass) && originals.length === 0) broken('/references');
    },
  },
];

export const frInvoiceRules: RulePack = rulePack(viewInvoice, [
  ...parties,
  ...references,
  ...lineRules,
  ...vatRules,
  ...totalRules,
]);
