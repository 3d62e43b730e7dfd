/**
 * Rules about rates of VAT by the destination of a French invoice: overseas, Corsica, the mainland; and about addresses
 * that do not show it. All are warnings. Each rule names its source.
 */
import type { Json } from '../../../model/draft.ts';
import { isFrenchRate } from '../../code-lists/vat-rates.ts';
import { isRateOf, territoryOf, territoryRates } from '../../code-lists/vat-territories.ts';
import { listAt, textAt } from '../../content/json-pointer.ts';
import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const AT_PERCENT = ['/lines/*/taxes/*/percent', '/totals/subtotals/*/subtotals/*/percent'];
const POSTAL = '/receiver/address/postal-code';

/** The delivery decides before the receiver, and the receiver before the issuer. */
export const territoryRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-VAT-2',
    code: 'fr-invoice/unusual-vat-rate',
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
        broken(`${tax.at}/percent`, { place: name, rates: territoryRates(territory) });
      }
    },
  },
  {
    id: 'FR-VAT-2c',
    code: 'fr-invoice/vat-where-none-is',
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
