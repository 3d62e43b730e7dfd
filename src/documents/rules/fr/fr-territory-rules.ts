/** Rates of VAT by where a French invoice goes: overseas, Corsica, the mainland; and addresses that do not say it. */
import type { Json } from '../../../model/draft.ts';
import { isFrenchRate } from '../../code-lists/vat-rates.ts';
import { isRateOf, ratesIn, territoryOf } from '../../code-lists/vat-territories.ts';
import { listAt, textAt } from '../../content/json-pointer.ts';
import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const AT_PERCENT = ['/lines/*/taxes/*/percent', '/totals/subtotals/*/subtotals/*/percent'];
const POSTAL = '/receiver/address/postal-code';

export const territoryRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-VAT-2',
    code: 'fr-invoice/unusual-vat-rate',
    says: {
      en: 'not one of the rates that apply where the document goes, {place}, which are {rates}',
      fr: 'ce n’est pas un des taux en vigueur au lieu de destination, {place}, qui sont {rates}',
      es: 'no es una de las tasas vigentes en el lugar de destino, {place}, que son {rates}',
    },
    hint: {
      en: 'compare the VAT code with the delivery address and the receiver; nothing to do where the rate is meant, e.g. of an old invoice',
      fr: 'comparez le code TVA avec l’adresse de livraison et le destinataire ; rien à faire si ce taux est voulu, p. ex. celui d’une facture ancienne',
      es: 'compare el código de IVA con la dirección de entrega y el receptor; nada que hacer si la tasa es intencional, p. ej. de una factura antigua',
    },
    severity: 'warning',
    at: AT_PERCENT,
    formula:
      'by the postal code of the delivery, else of the receiver: 971 (without 97133 and 97150), 972, 974: 8.5 2.1 1.05 1.75; 20xxx: those of the mainland, 13 and 0.9; elsewhere in France 20 10 5.5 2.1; the rates of an issuer overseas or in Corsica too',
    source: 'CGI art. 278 to 281 nonies, 296, 297; that others are unusual is an inference',
    profiles: ['fr-2026'],
    passes: { set: { '/lines/0/taxes/0/percent': 13, [POSTAL]: '20090' } },
    fails: { set: { '/lines/0/taxes/0/percent': 8.5 } },
    test: ({ taxes, destination: { territory, name }, issuer }, broken) => {
      if (territory === 'untaxed') return;
      for (const tax of taxes) {
        const { percent } = tax;
        if (!percent || isRateOf(territory, percent) || !isFrenchRate(percent)) continue;
        const own = territoryOf(issuer.country, issuer.postalCode);
        if (own !== undefined && own !== 'mainland' && isRateOf(own, percent)) continue;
        broken(`${tax.at}/percent`, { place: name, rates: ratesIn(territory) });
      }
    },
  },
  {
    id: 'FR-VAT-2c',
    code: 'fr-invoice/vat-where-none-is',
    says: {
      en: 'VAT is charged, and French VAT does not apply where the document goes, {place}',
      fr: 'de la TVA est facturée, alors qu’elle n’est pas applicable au lieu de destination, {place}',
      es: 'se cobra IVA, y el IVA francés no se aplica en el lugar de destino, {place}',
    },
    hint: {
      en: 'compare the VAT code with the delivery address and the receiver; nothing to do where the goods or services stay elsewhere',
      fr: 'comparez le code TVA avec l’adresse de livraison et le destinataire ; rien à faire si les biens ou services restent ailleurs',
      es: 'compare el código de IVA con la dirección de entrega y el receptor; nada que hacer si los bienes o servicios quedan en otro lugar',
    },
    severity: 'warning',
    at: AT_PERCENT,
    formula:
      'delivery, else receiver, in Guyane (973), Mayotte (976), Saint-Barthélemy (97133), Saint-Martin (97150), Saint-Pierre-et-Miquelon (975), the southern territories (984), Wallis-et-Futuna (986), Polynésie (987), Nouvelle-Calédonie (988): rate 0',
    source: 'CGI art. 294; BOI-TVA-CHAMP-20-10',
    profiles: ['fr-2026'],
    passes: { set: { [POSTAL]: '97110' } },
    fails: { set: { [POSTAL]: '97300' } },
    test: ({ taxes, destination: { territory, name } }, broken) => {
      if (territory !== 'untaxed') return;
      for (const tax of taxes) {
        if (tax.percent && !tax.percent.isZero()) broken(`${tax.at}/percent`, { place: name });
      }
    },
  },
  {
    id: 'FR-PTY-1c',
    code: 'fr-invoice/no-postal-code',
    says: {
      en: 'the receiver is in France, and its address has no postal code of five digits',
      fr: 'le destinataire est en France, et son adresse n’a pas de code postal à cinq chiffres',
      es: 'el receptor está en Francia, y su dirección no tiene código postal de cinco cifras',
    },
    hint: {
      en: 'fill in the cell; where a spreadsheet took the zero in front, declare the column as { text: 5 digits } in the mapping',
      fr: 'remplissez la cellule ; si un tableur a retiré le zéro en tête, déclarez la colonne { text: 5 digits } dans le fichier de correspondance',
      es: 'rellene la celda; si una hoja de cálculo quitó el cero inicial, declare la columna { text: 5 digits } en el archivo de correspondencias',
    },
    severity: 'warning',
    at: [POSTAL],
    formula: 'country FR: five digits',
    source: 'Code de commerce, article L441-9 (address of the buyer)',
    profiles: ['fr-2026'],
    passes: { set: {} },
    fails: { set: { [POSTAL]: null } },
    test: ({ receiver: { country, postalCode, hasAddress } }, broken) => {
      if (country !== 'FR' || !hasAddress || (postalCode !== undefined && /^\d{5}$/.test(postalCode))) return;
      const padded = `0${postalCode ?? ''}`;
      broken(POSTAL, offering(/^\d{5}$/.test(padded) ? padded : undefined));
    },
  },
  {
    id: 'FR-DEL-3',
    code: 'fr-invoice/no-delivery-address',
    says: {
      en: 'the delivery names another place than the receiver, {place}, and has no address',
      fr: 'la livraison nomme un autre lieu que le destinataire, {place}, et n’a pas d’adresse',
      es: 'la entrega nombra un lugar distinto del receptor, {place}, y no tiene dirección',
    },
    hint: {
      en: 'give the address of the delivery under logistics: it is compulsory where goods go elsewhere than to the receiver',
      fr: 'donnez l’adresse de livraison sous logistics : elle est obligatoire quand les biens sont livrés ailleurs que chez le client',
      es: 'indique la dirección de entrega en logistics: es obligatoria cuando los bienes van a otro lugar que el receptor',
    },
    severity: 'warning',
    at: ['/logistics/*/address'],
    formula: 'delivery with a name (additional-info) or a SIRET other than those of the receiver: address',
    source: 'CGI ann. II art. 242 nonies A (address of delivery), since 1 September 2026',
    profiles: ['fr-2026'],
    passes: { set: { '/logistics': [elsewhere({ city: 'Lyon', country: 'FR' })] } },
    fails: { set: { '/logistics': [elsewhere()] } },
    test: ({ logistics, receiver }, broken) =>
      logistics.forEach((one, i) => {
        if (textAt(one, 'type') !== 'delivery' || textAt(one, 'address', 'country') !== undefined) return;
        const place = otherPlace(one, receiver);
        if (place !== undefined) broken(`/logistics/${i}/address`, { place });
      }),
  },
];

/** Name or SIRET of a delivery that are not those of the receiver. */
function otherPlace(one: Json, { name, siret, party }: InvoiceView['receiver']): string | undefined {
  const called = listAt(one, 'additional-info').find((info) => textAt(info, 'key') === 'name');
  const to = textAt(called, 'value');
  const isSame = to === undefined || to === name || to === textAt(party, 'trade-name');
  const at = textAt(
    listAt(one, 'additional-identifiers').find((identifier) => textAt(identifier, 'type') === 'siret'),
    'value',
  );
  if (!isSame) return to;
  return at !== undefined && siret !== undefined && at.trim() !== siret ? at : undefined;
}

function elsewhere(address?: object): object {
  const delivery = { type: 'delivery', 'additional-info': [{ key: 'name', value: 'Entrepôt Sud' }] };
  return address ? { ...delivery, address } : delivery;
}
