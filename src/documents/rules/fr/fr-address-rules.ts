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

const OF_DIRECTORY = {
  en: 'add an entry of type routing-address to {party}.e-addresses, as the directory has it{mended}; in UBL and CII the scheme 0225',
  fr: 'ajoutez une entrée de type routing-address à {party}.e-addresses, telle que l’annuaire la donne{mended} ; en UBL et CII le schéma 0225',
  es: 'agregue una entrada de tipo routing-address a {party}.e-addresses, como la da el directorio{mended}; en UBL y CII el esquema 0225',
};

const AT = ['/issuer/e-addresses/*/value', '/receiver/e-addresses/*/value'];

export const addressRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-ADR-1',
    code: 'fr-invoice/no-routing-address',
    says: {
      en: 'the {party} has no electronic address',
      fr: 'pas d’adresse électronique ({party})',
      es: 'falta la dirección electrónica ({party})',
    },
    hint: {
      en: 'add an entry to {party}.e-addresses with type routing-address and the value of the directory, the SIREN alone where nothing else was agreed{mended}; in UBL and CII that is an address and its schemeID 0225, both of them',
      fr: 'ajoutez une entrée à {party}.e-addresses avec type routing-address et la valeur de l’annuaire, le SIREN seul si rien d’autre n’est convenu{mended} ; en UBL et CII c’est une adresse et son schemeID 0225, les deux',
      es: 'agregue una entrada a {party}.e-addresses con type routing-address y el valor del directorio, solo el SIREN si no se acordó otra cosa{mended}; en UBL y CII es una dirección y su schemeID 0225, ambos',
    },
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
        broken(`${at}/e-addresses`, { party: at.slice(1), mended: instead(validSiren(nineDigits)) });
      }
    },
  },
  {
    id: 'FR-ADR-1b',
    code: 'fr-invoice/address-outside-directory',
    says: {
      en: 'the note BAR says B2B, and the {party} has no address of the French directory',
      fr: 'la note BAR dit B2B, et il n’y a pas d’adresse de l’annuaire français ({party})',
      es: 'la nota BAR dice B2B y no hay dirección del directorio francés ({party})',
    },
    hint: OF_DIRECTORY,
    severity: 'error',
    at: ['/issuer/e-addresses', '/receiver/e-addresses'],
    formula:
      'note BAR with B2B: routing-address (scheme 0225) of the receiver; of the issuer where the buyer bills himself',
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
    says: {
      en: 'the {party} has no address of the French directory, only one of another scheme',
      fr: 'pas d’adresse de l’annuaire français, seulement une d’un autre schéma ({party})',
      es: 'sin dirección del directorio francés, solo una de otro esquema ({party})',
    },
    hint: OF_DIRECTORY,
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
    says: {
      en: 'a routing address has at most 125 characters, letters, digits and + - _ . only',
      fr: 'une adresse de routage a au plus 125 caractères, lettres, chiffres et + - _ . seulement',
      es: 'una dirección de enrutamiento tiene como máximo 125 caracteres, letras, cifras y + - _ . solamente',
    },
    hint: {
      en: 'write it as the directory has it; the slash is no longer allowed',
      fr: 'écrivez-la comme dans l’annuaire ; la barre oblique n’est plus admise',
      es: 'escríbala como está en el directorio; la barra ya no se permite',
    },
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
    says: {
      en: 'the routing address does not begin with the SIREN {siren}',
      fr: 'l’adresse de routage ne commence pas par le SIREN {siren}',
      es: 'la dirección de enrutamiento no comienza con el SIREN {siren}',
    },
    hint: {
      en: 'SIREN, SIREN_SIRET, SIREN_SIRET_CODE or SIREN_SUFFIX, and the SIRET of the same company; compare it with the directory',
      fr: 'SIREN, SIREN_SIRET, SIREN_SIRET_CODE ou SIREN_SUFFIXE, et le SIRET de la même société ; comparez avec l’annuaire',
      es: 'SIREN, SIREN_SIRET, SIREN_SIRET_CÓDIGO o SIREN_SUFIJO, y el SIRET de la misma empresa; compárela con el directorio',
    },
    severity: 'error',
    at: AT,
    formula:
      'SIREN, then nothing or _ and more; 14 digits behind the first _ begin with the SIREN; of the issuer where the buyer bills himself',
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
    says: {
      en: 'the routing address of the issuer does not begin with its SIREN {siren}',
      fr: 'l’adresse de routage de l’émetteur ne commence pas par son SIREN {siren}',
      es: 'la dirección de enrutamiento del emisor no comienza con su SIREN {siren}',
    },
    hint: {
      en: 'compare it with the entry of the own company in the directory',
      fr: 'comparez avec l’inscription de votre société dans l’annuaire',
      es: 'compárela con la inscripción de la propia empresa en el directorio',
    },
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
    says: {
      en: 'the routing address begins with nine digits that are no SIREN, or holds fourteen that are no SIRET, because of a wrong check digit',
      fr: 'l’adresse de routage commence par neuf chiffres qui ne sont pas un SIREN, ou en contient quatorze qui ne sont pas un SIRET, la clé de contrôle étant fausse',
      es: 'la dirección de enrutamiento comienza con nueve dígitos que no son un SIREN, o contiene catorce que no son un SIRET, por un dígito verificador incorrecto',
    },
    hint: {
      en: 'compare it with the directory; a document sent to such an address reaches no one',
      fr: 'comparez avec l’annuaire ; un document envoyé à une telle adresse n’arrive nulle part',
      es: 'compárela con el directorio; un documento enviado a tal dirección no llega a nadie',
    },
    severity: 'error',
    at: AT,
    formula: 'Luhn over the nine digits in front and over fourteen behind the first _',
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

/** Who the document is delivered to has no address of the French directory. */
function outsideDirectory({ header, issuer, receiver }: InvoiceView, broken: Report): void {
  const party = isSelfBilled(header.type) ? issuer : receiver;
  const { at, nineDigits, routing } = party;
  if (routing.length > 0) return;
  broken(`${at}/e-addresses`, { party: at.slice(1), mended: instead(validSiren(nineDigits)) });
}

/** With a wrong digit it would lead nowhere. */
function validSiren(text: string | undefined): string | undefined {
  return text !== undefined && isSiren(text) ? text : undefined;
}

/** Those that are asked for an address of the French directory. */
function french({ issuer, receiver, buyer }: InvoiceView): readonly PartyView[] {
  return buyer === 'domestic' ? [issuer, receiver] : [issuer];
}

function isAddress(text: string): boolean {
  return text.length <= LONGEST && ADDRESS.test(text);
}

/** Without the scheme in front and blanks between the digits. */
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
