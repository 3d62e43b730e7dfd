/**
 * Rules of further parties of a French invoice by their role, and of the schemes of identifiers and addresses of all parties.
 * Roles and places are those of the UBL and CII mappings. Each rule names its source; `passes` and `fails` are examples that
 * a test runs.
 */
import { isAddressScheme, isIdentifierScheme } from '../../code-lists/schemes.ts';
import { textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';
import type { PartyView } from '../views/party-view.ts';

const PARTIES = ['/issuer', '/receiver', '/additional-parties/*'];
const FURTHER = '/additional-parties/*';
const LONGEST_ADDRESS = 125;
/** Identifiers of a register: the same company may be named twice by them. */
const OF_REGISTER: readonly string[] = ['siren', 'registration', 'vat'];
/** Looks like a code of the list of address schemes; words such as email are those of the mappings. */
const ADDRESS_CODE = /^[0-9A-Z]{2,4}$/;
const IDENTIFIER_CODE = /^\d{4}$/;

const PAYEE = { name: 'Affacturage du Nord', 'additional-info': [{ key: 'role', value: 'payee' }] };
const AGENT = {
  ...{ name: 'Représentant SARL', identifiers: [{ type: 'vat', value: 'FR83404833048' }], address: { country: 'FR' } },
  'additional-info': [{ key: 'role', value: 'tax-representative' }],
};

/** Payees, tax representatives, schemes. */
export const roleRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-PTY-13',
    code: 'fr-invoice/payee',
    severity: 'error',
    at: [`${FURTHER}/name`, `${FURTHER}/identifiers/*/value`],
    formula: 'a further party of role payee has a name, and neither name nor identifier of the issuer',
    source: 'EN 16931 BR-17',
    profiles: ['fr-2026'],
    passes: { set: { '/additional-parties': [PAYEE] } },
    fails: { set: { '/additional-parties': [{ ...PAYEE, name: 'Câbleries du Levant SAS' }] } },
    test: ({ issuer, parties }, broken) => {
      for (const { at, role, name, identifiers } of parties) {
        if (role !== 'payee') continue;
        if (name === undefined || name === issuer.name || name === tradeName(issuer)) broken(`${at}/name`);
        for (const one of identifiers) {
          const { type = '', value } = one;
          if (value === undefined || OF_REGISTER.includes(type)) continue;
          if (issuer.identifiers.some((own) => own.type === type && own.value === value)) broken(one.at);
        }
      }
    },
  },
  {
    id: 'FR-PTY-14',
    code: 'fr-invoice/tax-representative',
    severity: 'error',
    at: ['name', 'address', 'address/country', 'identifiers'].map((part) => `${FURTHER}/${part}`),
    formula: 'a further party of role tax-representative: name, address with country, identifier of type vat',
    source: 'EN 16931 BR-18, BR-19, BR-20, BR-56',
    profiles: ['fr-2026'],
    passes: { set: { '/additional-parties': [AGENT] } },
    fails: { set: { '/additional-parties': [{ ...AGENT, address: { city: 'Lille' } }] } },
    test: ({ parties }, broken) => {
      for (const { at, role, name, hasAddress, country, vat } of parties) {
        if (role !== 'tax-representative') continue;
        if (name === undefined) broken(`${at}/name`, { field: 'name' });
        if (!hasAddress) broken(`${at}/address`, { field: 'address' });
        else if (country === undefined) broken(`${at}/address/country`, { field: 'address.country' });
        if (vat === undefined) broken(`${at}/identifiers`, { field: 'vat' });
      }
    },
  },
  {
    // A warning: the platforms refuse it in UBL and take it in CII; which of them the provider writes is not known.
    id: 'FR-PTY-10c',
    code: 'fr-invoice/no-scheme',
    severity: 'warning',
    at: PARTIES.map((party) => `${party}/identifiers/*/value`),
    formula: 'no identifier of type local, which the mappings give to one without a scheme',
    source: 'BR-FR-CO-10 (BT-29, BT-46, BT-60)',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/identifiers/2': { type: '0088', value: '3012345678900' } } },
    fails: { set: { '/receiver/identifiers/2': { type: 'local', value: 'K-1007' } } },
    test: ({ parties }, broken) => {
      for (const { identifiers } of parties) {
        for (const one of identifiers) if (one.type === 'local' && one.value !== undefined) broken(one.at);
      }
    },
  },
  {
    id: 'FR-PTY-15',
    code: 'fr-invoice/unknown-scheme',
    severity: 'error',
    at: PARTIES.map((party) => `${party}/identifiers/*/type`),
    formula: 'a type of four digits is a scheme of ISO 6523: 0002 to 0248',
    source: 'EN 16931 BR-CL-10, BR-CL-11',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/identifiers/2': { type: '0088', value: '3012345678900' } } },
    fails: { set: { '/receiver/identifiers/2': { type: '9999', value: '1' } } },
    test: ({ parties }, broken) => {
      for (const { at, identifiers } of parties) {
        identifiers.forEach(({ type = '' }, i) => {
          if (IDENTIFIER_CODE.test(type) && !isIdentifierScheme(type)) broken(`${at}/identifiers/${i}/type`);
        });
      }
    },
  },
  {
    id: 'FR-ADR-2b',
    code: 'fr-invoice/routing-address-format',
    severity: 'error',
    at: PARTIES.map((party) => `${party}/e-addresses/*/value`),
    formula: `length of an address of any scheme ≤ ${LONGEST_ADDRESS}`,
    source: 'BR-FR-25',
    profiles: ['fr-2026'],
    unless: { field: ['FR-ADR-2'] },
    passes: { set: { '/receiver/e-addresses/1': { type: 'email', value: 'a'.repeat(LONGEST_ADDRESS) } } },
    fails: { set: { '/receiver/e-addresses/1': { type: 'email', value: 'a'.repeat(LONGEST_ADDRESS + 1) } } },
    test: ({ parties }, broken) => {
      for (const { addresses } of parties) {
        for (const { at, value = '' } of addresses) {
          if (value.length > LONGEST_ADDRESS) broken(at, { length: String(value.length) });
        }
      }
    },
  },
  {
    id: 'FR-ADR-5',
    code: 'fr-invoice/unknown-scheme',
    severity: 'error',
    at: PARTIES.map((party) => `${party}/e-addresses/*/type`),
    formula: 'a type of two to four capitals or digits is a scheme of electronic addresses (EAS)',
    source: 'EN 16931 BR-CL-25',
    profiles: ['fr-2026'],
    passes: { set: { '/receiver/e-addresses/1': { type: 'EM', value: 'achats@example.com' } } },
    fails: { set: { '/receiver/e-addresses/1': { type: 'ZZZZ', value: '1' } } },
    test: ({ parties }, broken) => {
      for (const { addresses } of parties) {
        for (const { at, type = '' } of addresses) {
          if (ADDRESS_CODE.test(type) && !isAddressScheme(type)) broken(at.replace(/value$/, 'type'));
        }
      }
    },
  },
];

function tradeName({ party }: PartyView): string | undefined {
  return textAt(party, 'trade-name');
}
