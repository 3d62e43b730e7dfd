/**
 * Who issues and who receives a French invoice: names, addresses, SIREN, and whether the document belongs to this flow.
 */
import { repairIdentifier, sirenIn } from '../../../model/identifiers.ts';
import { isCountry, meantCountry } from '../../code-lists/countries.ts';
import { textAt } from '../../content/json-pointer.ts';
import { instead, offering } from '../rule-faults.ts';
import type { Report, Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { PartyView } from '../views/party-view.ts';
import { frAddressRules } from './fr-address-rules.ts';
import { identifierRules } from './fr-identifier-rules.ts';
import { roleRules } from './fr-role-rules.ts';
import { schemeRules } from './fr-scheme-rules.ts';

const AT_IDENTIFIERS = (party: string) => [`/${party}/identifiers`, `/${party}/identifiers/*/value`];

/** Names, addresses and countries that must be there. */
const mandatory: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-PTY-1',
    code: 'fr-invoice/missing-field',
    severity: 'error',
    at: ['issuer', 'receiver'].flatMap((one) => [`/${one}/name`, `/${one}/address`, `/${one}/address/country`]),
    source: 'EN 16931 BR-06 to BR-11',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/receiver/address/country': null } },
    test: ({ issuer, receiver }, broken) => {
      for (const { at, name, hasAddress, country } of [issuer, receiver]) {
        const party = at.slice(1);
        if (name === undefined) broken(`${at}/name`, { field: `${party}.name` });
        if (!hasAddress) broken(`${at}/address`, { field: `${party}.address` });
        else if (country === undefined) broken(`${at}/address/country`, { field: `${party}.address.country` });
      }
    },
  },
  {
    id: 'FR-PTY-1b',
    code: 'fr-invoice/unknown-country',
    severity: 'error',
    at: [
      ...['/issuer/address/country', '/receiver/address/country', '/additional-parties/*/address/country'],
      '/logistics/*/address/country',
    ],
    source: 'EN 16931 BR-CL-14; DGFiP G2.01',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/address/country': 'GR' } },
    fails: { set: { '/receiver/address/country': 'EL' } },
    test: ({ parties, logistics }, broken) => {
      for (const { at, country } of parties) countryKnown(country, at, broken);
      logistics.forEach((one, i) => {
        countryKnown(textAt(one, 'address', 'country'), `/logistics/${i}`, broken);
      });
    },
  },
];

/** The SIREN of issuer and receiver. */
const sirens: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-PTY-2',
    code: 'fr-invoice/issuer-siren',
    severity: 'error',
    at: AT_IDENTIFIERS('issuer'),
    formula: 'nine digits',
    source: 'BR-FR-10; DGFiP G1.63',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/issuer/identifiers/0/value': '732 829 320' } },
    test: ({ issuer }, broken) => sirenGiven(issuer, broken),
  },
  {
    id: 'FR-PTY-2b',
    code: 'fr-invoice/siren-only-in-siret',
    severity: 'warning',
    at: ['/receiver/identifiers'],
    source: 'BR-FR-09; GOBL fr.ctc derives it, the contract is silent',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/receiver/identifiers/0': { type: 'siret', value: '40483304800022' } } },
    test: ({ receiver, buyer }, broken) => {
      if (buyer === 'domestic') sirenOnlyInSiret(receiver, broken);
    },
  },
  {
    id: 'FR-PTY-2c',
    code: 'fr-invoice/siren-only-in-siret',
    severity: 'error',
    at: ['/issuer/identifiers'],
    formula: 'identifier of type siren, also next to one of type siret',
    source: 'BR-FR-10; DGFiP G1.63',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { '/issuer/identifiers/0': { type: 'siret', value: '73282932000074' } } },
    test: ({ issuer }, broken) => sirenOnlyInSiret(issuer, broken),
  },
  {
    id: 'FR-PTY-3',
    code: 'fr-invoice/receiver-siren',
    severity: 'error',
    at: AT_IDENTIFIERS('receiver'),
    formula: 'nine digits, where the country is FR',
    source: 'DGFiP G1.63; BR-FR-11',
    profiles: ['fr-2026'],
    passes: {
      set: { '/receiver/address/country': 'BE', '/receiver/identifiers': [{ type: 'vat', value: 'BE0403170701' }] },
    },
    fails: { set: { '/receiver/identifiers/0/value': '40483304800022' } },
    test: ({ receiver, buyer }, broken) => {
      if (buyer === 'domestic') sirenGiven(receiver, broken);
    },
  },
];

/** Documents for buyers abroad or consumers belong into e-reports, not here. */
const flow: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-FLOW-1',
    code: 'fr-invoice/other-flow',
    severity: 'warning',
    at: ['/receiver/address/country', '/receiver'],
    source: 'GOBL fr.ctc flow 10; law on e-reporting (CGI art. 290)',
    profiles: ['fr-2026'],
    unless: { field: ['FR-PTY-1b'] },
    passes: { set: { '/receiver/address/country': 'GP' } },
    fails: { set: { '/receiver/address/country': 'DE' } },
    test: ({ buyer }, broken) => {
      if (buyer === 'abroad') broken('/receiver/address/country');
      if (buyer === 'consumer') broken('/receiver');
    },
  },
];

/** All rules about parties: this file, identifiers, schemes and routing addresses. */
export const frPartyRules: readonly Rule<InvoiceView>[] = [
  ...mandatory,
  ...sirens,
  ...identifierRules,
  ...schemeRules,
  ...roleRules,
  ...frAddressRules,
  ...flow,
];

function countryKnown(country: string | undefined, at: string, broken: Report): void {
  if (country === undefined || isCountry(country)) return;
  broken(`${at}/address/country`, offering(meantCountry(country)));
}

function sirenOnlyInSiret({ at, siren, nineDigits }: PartyView, broken: Report): void {
  if (siren === undefined && nineDigits !== undefined) broken(`${at}/identifiers`, { siren: nineDigits });
}

/** A SIRET replaces a missing SIREN; a SIREN that is given must be one. */
function sirenGiven({ at, identifiers, siren, nineDigits, vat }: PartyView, broken: Report): void {
  if (siren === undefined) {
    if (nineDigits === undefined) broken(`${at}/identifiers`, { instead: instead(sirenIn(vat ?? '')) });
  } else if (siren !== nineDigits) {
    const i = identifiers.findIndex(({ type, value }) => type === 'siren' && value === siren);
    broken(`${at}/identifiers/${i}/value`, { instead: '', ...offering(meantSiren(siren)) });
  }
}

/** The SIREN that was certainly meant: with lost zeros, without blanks, or out of a SIRET or VAT number. */
function meantSiren(text: string): string | undefined {
  return repairIdentifier('siren', text) ?? sirenIn(text);
}
