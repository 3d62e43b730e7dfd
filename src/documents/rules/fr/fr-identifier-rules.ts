/**
 * Rules of SIREN, SIRET and VAT number of the parties of a French invoice: forms, check digits, and agreement with each
 * other. A suggestion is made only if it is certain.
 */
import { Decimal } from '../../../model/decimal.ts';
import {
  frenchVatOf,
  hasDigits,
  isFrenchVat,
  isSiren,
  isSiret,
  looksLikeFrenchVat,
  sirenIn,
} from '../../../model/identifiers.ts';
import { digitRule, type Visit } from '../check-digit-rules.ts';
import { instead, offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import { isRegistered, type PartyView } from '../views/party-view.ts';
import { groupRules, hasGroupNote, inGroup, VAT_GROUP } from './fr-group-rules.ts';

/** A country code, then the number that its tax office gives. */
const ANY_VAT = /^[A-Z]{2}[0-9A-Z+*.]{2,}$/;

const AT = [
  '/issuer/identifiers/*/value',
  '/receiver/identifiers/*/value',
  '/additional-parties/*/identifiers/*/value',
];

/** Check digits: only for values of the right form. */
const digits: readonly Rule<InvoiceView>[] = [
  digitRule({
    id: 'FR-PTY-4',
    code: 'fr-invoice/siren-check-digit',
    // An error: no company has such a number, so that the document reaches no one and comes back as a rejection.
    severity: 'error',
    at: AT,
    formula: 'Luhn over the nine digits',
    source: 'python-stdnum fr.siren; existence is checked by the platform (DGFiP G1.65)',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/identifiers/0/value': '732829320' } },
    fails: {
      set: { '/additional-parties': [{ name: 'Affacturage', identifiers: [{ type: 'siren', value: '732829321' }] }] },
    },
    type: 'siren',
    valid: isSiren,
    // Issuer and domestic receiver are asked for nine digits elsewhere (FR-PTY-2, FR-PTY-3).
    walk: (view, visit) => {
      const { issuer, receiver, buyer } = view;
      for (const one of view.identifiers.siren) {
        const isAsked = one.party === issuer || (one.party === receiver && buyer === 'domestic');
        const meant = () => shownElsewhere(one.party);
        if (!isAsked || isSirenShape(one.value)) visit(one.type, one.value, () => one.at, meant);
      }
    },
  }),
  {
    id: 'FR-PTY-5',
    code: 'fr-invoice/siret-digits',
    severity: 'error',
    at: AT,
    formula: '14 digits',
    source: 'BR-FR-09',
    profiles: ['fr-2026'],
    passes: { set: { '/issuer/identifiers/1': { type: 'siret', value: '73282932000074' } } },
    fails: { set: { '/issuer/identifiers/1': { type: 'siret', value: '732 829 320 00074' } } },
    test: (view, broken) => {
      for (const one of view.identifiers.siret) if (!isSiretShape(one.value)) broken(one.at);
    },
  },
  {
    id: 'FR-PTY-5b',
    code: 'fr-invoice/siret-of-another',
    severity: 'error',
    at: AT,
    formula: 'first nine digits of the SIRET = SIREN',
    source: 'BR-FR-09',
    profiles: ['fr-2026'],
    unless: { field: ['FR-PTY-6'], part: ['FR-PTY-4'] },
    passes: { set: { '/issuer/identifiers/1': { type: 'siret', value: '73282932000074' } } },
    fails: { set: { '/issuer/identifiers/1': { type: 'siret', value: '40483304800022' } } },
    test: (view, broken) => {
      for (const one of view.identifiers.siret) {
        const { siren } = one.party;
        if (siren === undefined || one.value.startsWith(siren)) continue;
        if (isSirenShape(siren) && isSiretShape(one.value)) broken(one.at, { siren });
      }
    },
  },
  digitRule({
    id: 'FR-PTY-6',
    code: 'fr-invoice/siret-check-digit',
    at: AT,
    formula: 'Luhn over the fourteen digits; for La Poste the sum of the digits is a multiple of five',
    source: 'python-stdnum fr.siret',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/identifiers/0': { type: 'siret', value: '35600000049837' } } },
    fails: { set: { '/receiver/identifiers/0': { type: 'siret', value: '73282932000015' } } },
    type: 'siret',
    valid: isSiret,
    walk: withShape('siret', isSiretShape),
  }),
];

/** VAT numbers, and who needs one. */
const vat: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-PTY-7',
    code: 'fr-invoice/vat-format',
    severity: 'error',
    at: AT,
    formula: 'FR, two of 0-9 A-Z, nine digits; other countries: two letters and any further characters',
    source: 'GOBL regimes/fr tax identity; EN 16931 BR-CO-09',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/identifiers/1/value': 'FRXX404833048' } },
    fails: { set: { '/receiver/identifiers/1/value': 'FR 83 404833048' } },
    test: (view, broken) => {
      for (const one of view.identifiers.vat) {
        const { value } = one;
        const isVat = value.startsWith('FR') ? looksLikeFrenchVat(value) : ANY_VAT.test(value);
        if (!isVat) broken(one.at, offering(meantVat(value)));
      }
    },
  },
  digitRule({
    id: 'FR-PTY-7b',
    code: 'fr-invoice/vat-check-digit',
    at: AT,
    formula: 'key = (12 + 3 × (SIREN mod 97)) mod 97; keys with letters cannot be verified',
    source: 'GOBL regimes/fr tax identity',
    profiles: ['fr-2026'],
    passes: { set: { '/issuer/identifiers/0': { type: 'vat', value: 'FR44732829320' } } },
    fails: { set: { '/issuer/identifiers/0': { type: 'vat', value: 'FR45732829320' } } },
    type: 'vat',
    valid: isFrenchVat,
    walk: withShape('vat', looksLikeFrenchVat),
  }),
  {
    id: 'FR-PTY-8',
    code: 'fr-invoice/vat-of-another',
    severity: 'warning',
    at: AT,
    formula: `last nine digits of a French VAT number = SIREN; not with an identifier of type ${VAT_GROUP}`,
    source: 'GOBL fr.ctc flow 2; BR-FR-CO-14, BR-FR-CO-15',
    profiles: ['fr-2026'],
    unless: { field: ['FR-PTY-7b'], part: ['FR-PTY-4'] },
    passes: {
      set: { '/issuer/identifiers/1/value': 'FR83404833048', '/issuer/identifiers/2': { type: VAT_GROUP, value: '1' } },
    },
    fails: { set: { '/issuer/identifiers/1/value': 'FR83404833048' } },
    test: (view, broken) => {
      for (const one of view.identifiers.vat) {
        const { nineDigits } = one.party;
        if (nineDigits === undefined || one.value.endsWith(nineDigits)) continue;
        if (!looksLikeFrenchVat(one.value) || inGroup(one.party) || hasGroupNote(view)) continue;
        broken(one.at, { siren: nineDigits });
      }
    },
  },
  ...groupRules,
  {
    id: 'FR-PTY-9',
    code: 'fr-invoice/no-issuer-vat',
    severity: 'error',
    at: ['/issuer/identifiers'],
    formula: 'a line with a rate above 0: identifier of type vat',
    source: 'EN 16931 BR-S-02; DGFiP G2.33',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/issuer/identifiers/1': null } },
    test: ({ issuer, lines }, broken) => {
      if (issuer.vat !== undefined) return;
      if (lines.some(({ taxes }) => taxes.some(({ percent }) => isAboveZero(percent)))) {
        const { nineDigits } = issuer;
        broken('/issuer/identifiers', { instead: instead(vatOf(nineDigits)) });
      }
    },
  },
  {
    id: 'FR-PTY-9b',
    code: 'fr-invoice/no-receiver-vat',
    severity: 'error',
    at: ['/receiver/identifiers'],
    source: 'DGFiP G1.47, G2.33 at the start of the portal',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/receiver/identifiers/1': null } },
    test: ({ receiver, buyer }, broken) => {
      const { nineDigits, vat: number } = receiver;
      if (buyer !== 'domestic' || nineDigits === undefined || number !== undefined) return;
      broken('/receiver/identifiers', { instead: instead(vatOf(nineDigits)) });
    },
  },
  {
    id: 'FR-PTY-9c',
    code: 'fr-invoice/no-issuer-vat',
    severity: 'error',
    at: ['/issuer/identifiers'],
    formula: 'every rate 0: identifier of type vat or tax-registration',
    source: 'EN 16931 BR-E-02; DGFiP G1.47, G2.33',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/taxes/0/percent': 0, '/lines/1/taxes/0/percent': 0, '/lines/2/taxes/0/percent': 0 } },
    fails: {
      set: {
        ...{ '/lines/0/taxes/0/percent': 0, '/lines/1/taxes/0/percent': 0, '/lines/2/taxes/0/percent': 0 },
        '/issuer/identifiers/1': null,
      },
    },
    test: ({ issuer, lines }, broken) => {
      if (issuer.vat !== undefined || isRegistered(issuer)) return;
      const percents = lines.flatMap(({ taxes }) => taxes.map(({ percent }) => percent));
      if (percents.length > 0 && percents.every((percent) => percent?.isZero())) broken('/issuer/identifiers');
    },
  },
];

/** Check digits, then VAT numbers. */
export const identifierRules: readonly Rule<InvoiceView>[] = [...digits, ...vat];

/** Visits only values of the right form, because another rule reports a wrong form. */
function withShape(
  type: 'siret' | 'vat',
  hasShape: (text: string) => boolean,
): (view: InvoiceView, visit: Visit) => void {
  return (view, visit) => {
    for (const one of view.identifiers[type]) if (hasShape(one.value)) visit(type, one.value, () => one.at);
  };
}

function isSirenShape(text: string): boolean {
  return hasDigits(text, 9);
}

function isSiretShape(text: string): boolean {
  return hasDigits(text, 14);
}

/** The SIREN that VAT number and routing address both hold, neither of them with a wrong digit. */
function shownElsewhere({ vat = '', routing }: PartyView): string | undefined {
  const siren = looksLikeFrenchVat(vat) && isFrenchVat(vat) ? sirenIn(vat) : undefined;
  if (siren === undefined || !isSiren(siren)) return undefined;
  return routing.some(({ value = '' }) => value.startsWith(siren)) ? siren : undefined;
}

/**
 * The French VAT number of a SIREN; undefined for a SIREN with a wrong digit, which would be wrong in the number too.
 */
function vatOf(siren: string | undefined): string | undefined {
  return siren !== undefined && isSiren(siren) ? frenchVatOf(siren) : undefined;
}

function isAboveZero(percent: Decimal | undefined): boolean {
  return percent !== undefined && percent.compare(Decimal.zero) > 0;
}

/** Without blanks, points and hyphens, in capitals; with `FR` if the key fits the SIREN that follows it. */
function meantVat(text: string): string | undefined {
  const plain = text.replace(/[\s.-]/g, '').toUpperCase();
  const whole = /^\d{11}$/.test(plain) ? `FR${plain}` : plain;
  return looksLikeFrenchVat(whole) && isFrenchVat(whole) && whole !== text ? whole : undefined;
}
