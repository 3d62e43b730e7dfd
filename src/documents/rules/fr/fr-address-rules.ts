/** Routing addresses of issuer and receiver: where the platforms deliver a French invoice. */
import { hasDigits, isSiren, isSiret } from '../../../model/identifiers.ts';
import { isSelfBilled } from '../../code-lists/document-types.ts';
import { instead, offering } from '../rule-faults.ts';
import type { Report, Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { PartyView } from '../views/party-view.ts';

const ADDRESS = /^[A-Za-z0-9+\-_.]+$/;
const LONGEST = 125;
/** The scheme of French addresses, which belongs to the type and not to the value. */
const SCHEME = /^0225\s*:\s*/;
const AT = ['/issuer/e-addresses/*/value', '/receiver/e-addresses/*/value'];

/** Form, length, and agreement with the SIREN of the party. */
export const frAddressRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-ADR-1',
    code: 'fr-invoice/no-routing-address',
    severity: 'error',
    at: ['/issuer/e-addresses', '/receiver/e-addresses'],
    formula: 'an entry of e-addresses with type and value; the type is the scheme, any one',
    source: 'BR-FR-12, BR-FR-13',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/e-addresses/0/type': '0009' } },
    fails: { set: { '/receiver/e-addresses': null } },
    test: (view, broken) => {
      for (const party of french(view)) {
        if (party.addresses.length > 0) continue;
        const { at, nineDigits } = party;
        broken(`${at}/e-addresses`, { party: at.slice(1), instead: instead(validSiren(nineDigits)) });
      }
    },
  },
  {
    id: 'FR-ADR-1b',
    code: 'fr-invoice/address-outside-directory',
    severity: 'error',
    at: ['/issuer/e-addresses', '/receiver/e-addresses'],
    formula:
      'note BAR with B2B: routing-address (scheme 0225) of the receiver, or of the issuer if the buyer bills himself',
    source: 'BR-FR-21, BR-FR-22',
    profiles: ['fr-2026'],
    unless: { field: ['FR-ADR-1'] },
    passes: { set: { '/notes/4': { tag: 'BAR', content: 'B2B' } } },
    fails: { set: { '/notes/4': { tag: 'BAR', content: 'B2B' }, '/receiver/e-addresses/0/type': '0009' } },
    test: (view, broken) => {
      if (view.treatment === 'B2B') outsideDirectory(view, broken);
    },
  },
  {
    // A warning: the norm takes any address, yet the French directory knows those of scheme 0225 alone.
    id: 'FR-ADR-1c',
    code: 'fr-invoice/address-outside-directory',
    severity: 'warning',
    at: ['/issuer/e-addresses', '/receiver/e-addresses'],
    source: 'directory of the French portal (AIFE); BR-FR-12 and BR-FR-13 take any scheme',
    profiles: ['fr-2026'],
    unless: { field: ['FR-ADR-1', 'FR-ADR-1b'] },
    passes: { set: {} },
    fails: { set: { '/receiver/e-addresses/0/type': '0009' } },
    test: (view, broken) => {
      if (view.buyer === 'domestic') outsideDirectory(view, broken);
    },
  },
  {
    id: 'FR-ADR-2',
    code: 'fr-invoice/routing-address-format',
    severity: 'error',
    at: AT,
    formula: 'A-Z a-z 0-9 + - _ . ; length ≤ 125',
    source: 'BR-FR-23, BR-FR-25; the slash is gone since version 1.3.1',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/e-addresses/0/value': '404833048_40483304800022' } },
    fails: { set: { '/receiver/e-addresses/0/value': '404833048/40483304800022' } },
    test: (view, broken) => {
      for (const party of french(view)) {
        for (const one of party.routing) {
          const { value = '' } = one;
          if (!isAddress(value)) broken(one.at, offering(meantAddress(value)));
        }
      }
    },
  },
  {
    id: 'FR-ADR-3',
    code: 'fr-invoice/routing-address-of-another',
    severity: 'error',
    at: AT,
    formula:
      'SIREN, then nothing or _ and more; 14 digits after the first _ begin with the SIREN; address of the issuer if the buyer bills himself',
    source: 'BR-FR-21, BR-FR-22; forms of the directory (AIFE)',
    profiles: ['fr-2026'],
    unless: { part: ['FR-PTY-4'] },
    passes: { set: { '/receiver/e-addresses/0/value': '404833048_SERVICE-ACHATS' } },
    fails: { set: { '/receiver/e-addresses/0/value': '404833048_73282932000074' } },
    test: (view, broken) => {
      const { header, issuer, receiver, buyer } = view;
      if (isSelfBilled(header.type)) begins(issuer, broken);
      else if (buyer === 'domestic') begins(receiver, broken);
    },
  },
  {
    // A warning: one public rule set asks for it of every issuer, the norm of those alone whose buyer bills himself.
    id: 'FR-ADR-3b',
    code: 'fr-invoice/routing-address-of-another',
    severity: 'warning',
    at: ['/issuer/e-addresses/*/value'],
    source: 'GOBL fr.ctc flow 2; BR-FR-22 asks for it where the buyer bills himself',
    profiles: ['fr-2026'],
    unless: { part: ['FR-PTY-4'] },
    passes: { set: {} },
    fails: { set: { '/issuer/e-addresses/0/value': '404833048' } },
    test: ({ header, issuer }, broken) => {
      if (!isSelfBilled(header.type)) begins(issuer, broken);
    },
  },
  {
    id: 'FR-ADR-4',
    code: 'fr-invoice/routing-address-check-digit',
    severity: 'error',
    at: AT,
    formula: 'Luhn over the nine digits before and the fourteen after the first _',
    source: 'python-stdnum fr.siren and fr.siret; forms of the directory (AIFE)',
    profiles: ['fr-2026'],
    unless: { field: ['FR-ADR-3', 'FR-ADR-3b'], part: ['FR-PTY-4'] },
    passes: { set: { '/receiver/e-addresses/0/value': '404833048_40483304800022' } },
    fails: { set: { '/receiver/e-addresses/0/value': '404833048_40483304800023' } },
    test: ({ issuer, receiver }, broken) => {
      for (const { routing, siren } of [issuer, receiver]) {
        for (const one of routing) {
          const { value = '' } = one;
          // Most addresses are the SIREN itself, which has its own rule.
          if (value !== siren && !hasCheckDigits(value)) broken(one.at);
        }
      }
    },
  },
];

/** Breaks if the party to which the document is delivered has no address of the French directory. */
function outsideDirectory({ header, issuer, receiver }: InvoiceView, broken: Report): void {
  const party = isSelfBilled(header.type) ? issuer : receiver;
  const { at, nineDigits, routing } = party;
  if (routing.length > 0) return;
  broken(`${at}/e-addresses`, { party: at.slice(1), instead: instead(validSiren(nineDigits)) });
}

/** The text if it is a SIREN with right digits: an address with a wrong digit reaches no one. */
function validSiren(text: string | undefined): string | undefined {
  return text !== undefined && isSiren(text) ? text : undefined;
}

/** Parties that need an address of the French directory. */
function french({ issuer, receiver, buyer }: InvoiceView): readonly PartyView[] {
  return buyer === 'domestic' ? [issuer, receiver] : [issuer];
}

function isAddress(text: string): boolean {
  return text.length <= LONGEST && ADDRESS.test(text);
}

/** The address without its scheme and without blanks; undefined if that is no address. */
function meantAddress(text: string): string | undefined {
  const plain = text.replace(SCHEME, '').replace(/\s/g, '');
  return plain !== text && isAddress(plain) ? plain : undefined;
}

function begins(party: PartyView, broken: (at: string, values: { readonly siren: string }) => void): void {
  const { nineDigits: siren } = party;
  if (siren === undefined) return;
  for (const one of party.routing) {
    const { value = '' } = one;
    // Most addresses are the SIREN itself.
    if (value !== siren && isAddress(value) && !belongs(value, siren)) broken(one.at, { siren });
  }
}

function belongs(address: string, siren: string): boolean {
  const [first, second = ''] = address.split('_');
  if (first !== siren) return false;
  return !/^\d{14}$/.test(second) || second.startsWith(siren);
}

function hasCheckDigits(address: string): boolean {
  const [first = '', second = ''] = address.split('_');
  return (!hasDigits(first, 9) || isSiren(first)) && (!hasDigits(second, 14) || isSiret(second));
}
