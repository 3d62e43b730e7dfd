/** Why a French invoice charges no VAT: the code of the reason (BT-121) and its words (BT-120), by category. */

import { categoryOf } from '../../code-lists/vat-categories.ts';
import { isArticle261, isVatex, meantVatex, NET_OF_VAT } from '../../code-lists/vatex.ts';
import { textAt } from '../../content/json-pointer.ts';
import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const REASON = '/totals/subtotals/*/subtotals/*/reason';
const PARTS = ['identifier', 'description'] as const;
const AT_PARTS = PARTS.map((part) => `${REASON}/${part}`);

/** Credit notes that may leave the VAT of their invoice as it is. */
const NET_OF_VAT_TYPES: readonly string[] = ['261', '381', '396'];

const NET_CREDIT = { identifier: NET_OF_VAT, description: 'Avoir net de taxe' };
const HEALTH = { identifier: 'VATEX-FR-CGI261-4', description: 'Soins' };

export const exemptionRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-VAT-4',
    code: 'fr-invoice/no-exemption-reason',
    says: {
      en: 'without VAT a reason is required, and {part} is missing',
      fr: 'sans TVA un motif est requis, et {part} est absent',
      es: 'sin IVA se requiere un motivo, y falta {part}',
    },
    hint: {
      en: 'give reason: { identifier: VATEX-..., description: ... }, e.g. VATEX-EU-AE for the reverse charge, VATEX-FR-FRANCHISE for the small-business scheme; an exemption needs both, the others one of the two',
      fr: 'donnez reason: { identifier: VATEX-…, description: … }, p. ex. VATEX-EU-AE pour l’autoliquidation, VATEX-FR-FRANCHISE pour la franchise en base ; une exonération demande les deux, les autres cas l’un des deux',
      es: 'indique reason: { identifier: VATEX-…, description: … }, p. ej. VATEX-EU-AE para la inversión del sujeto pasivo, VATEX-FR-FRANCHISE para la franquicia; una exención pide ambos, los demás casos uno de los dos',
    },
    severity: 'error',
    at: [REASON, ...AT_PARTS],
    formula:
      'exempt (E): code and words; reverse-charge (AE), intra-community (K), export (G), outside-scope (O) and other names: one of the two',
    source: 'DGFiP G1.40, G1.41 (E); EN 16931 BR-E-10, BR-AE-10, BR-G-10, BR-IC-10, BR-O-10',
    profiles: ['fr-2026'],
    passes: {
      set: { '/totals/subtotals/1/subtotals/2': untaxed('reverse-charge', { description: 'Autoliquidation' }) },
    },
    fails: { set: { '/totals/subtotals/1/subtotals/2': untaxed('exempt', { identifier: 'VATEX-FR-FRANCHISE' }) } },
    test: ({ totals }, broken) => {
      for (const one of totals.perRate) {
        const { subtype, percent } = one;
        // Nearly every entry.
        if (subtype === undefined || subtype === 'standard' || (percent && !percent.isZero())) continue;
        const category = categoryOf(subtype);
        if (category === 'S' || category === 'Z') continue;
        const { at, reason } = one;
        const missing = PARTS.filter((part) => textAt(reason, part) === undefined);
        if (category === 'E') for (const part of missing) broken(`${at}/reason/${part}`, { part: `reason.${part}` });
        else if (missing.length === PARTS.length) broken(`${at}/reason`, { part: 'reason' });
      }
    },
  },
  {
    id: 'FR-VAT-4b',
    code: 'fr-invoice/exemption-reason-unused',
    says: {
      en: 'a reason for charging no VAT, where VAT is charged or its rate is zero by law',
      fr: 'un motif d’exonération alors que la TVA est facturée ou que le taux est zéro de plein droit',
      es: 'un motivo de exención donde se cobra IVA o la tasa es cero por ley',
    },
    hint: {
      en: 'take the reason out, or give the treatment that it belongs to (exempt, reverse-charge ...); French sales are seldom of the category Z',
      fr: 'retirez le motif, ou donnez le traitement auquel il correspond (exempt, reverse-charge…) ; la catégorie Z est rare en France',
      es: 'quite el motivo, o indique el tratamiento al que corresponde (exempt, reverse-charge…); la categoría Z es rara en Francia',
    },
    severity: 'error',
    at: AT_PARTS,
    formula: 'standard (S) and zero (Z): neither code nor words',
    source: 'EN 16931 BR-S-10, BR-Z-10',
    profiles: ['fr-2026'],
    passes: { set: { '/totals/subtotals/1/subtotals/2': untaxed('zero') } },
    fails: { set: { '/totals/subtotals/1/subtotals/2': untaxed('zero', { description: 'Livres' }) } },
    test: ({ totals }, broken) => {
      for (const { at, subtype, reason } of totals.reasoned) {
        if (subtype === undefined) continue;
        const category = categoryOf(subtype);
        if (category !== 'S' && category !== 'Z') continue;
        for (const part of PARTS) if (textAt(reason, part) !== undefined) broken(`${at}/reason/${part}`);
      }
    },
  },
  {
    id: 'FR-VAT-5',
    code: 'fr-invoice/unknown-exemption-code',
    says: {
      en: 'this code is not in the VATEX list of reasons for charging no VAT',
      fr: 'ce code n’est pas dans la liste VATEX des motifs d’exonération',
      es: 'este código no está en la lista VATEX de motivos de exención',
    },
    hint: {
      en: 'e.g. VATEX-FR-FRANCHISE, VATEX-EU-AE, VATEX-EU-IC, VATEX-EU-G, VATEX-FR-CGI261-4; words alone belong into description',
      fr: 'p. ex. VATEX-FR-FRANCHISE, VATEX-EU-AE, VATEX-EU-IC, VATEX-EU-G, VATEX-FR-CGI261-4 ; un libellé va dans description',
      es: 'p. ej. VATEX-FR-FRANCHISE, VATEX-EU-AE, VATEX-EU-IC, VATEX-EU-G, VATEX-FR-CGI261-4; un texto va en description',
    },
    severity: 'error',
    at: [`${REASON}/identifier`],
    source: 'EN 16931 BR-CL-22; EXTENDED-CTC-FR BR-CL-22',
    profiles: ['fr-2026'],
    unless: { field: ['FR-VAT-4b'] },
    passes: {
      set: {
        '/totals/subtotals/1/subtotals/2': untaxed('exempt', { identifier: 'VATEX-FR-CGI261-4', description: 'Soins' }),
      },
    },
    fails: {
      set: {
        '/totals/subtotals/1/subtotals/2': untaxed('exempt', { identifier: 'VATEX-FR-NOPE', description: 'Soins' }),
      },
    },
    test: ({ totals }, broken) => {
      for (const { at, reason } of totals.reasoned) {
        const code = textAt(reason, 'identifier');
        if (code !== undefined && !isVatex(code)) broken(`${at}/reason/identifier`, offering(meantVatex(code)));
      }
    },
  },
  {
    id: 'FR-VAT-6',
    code: 'fr-invoice/net-of-vat-credit-only',
    says: {
      en: `only a credit note of type 381, 261 or 396 leaves the VAT of the invoice as it is (${NET_OF_VAT})`,
      fr: `seul un avoir de type 381, 261 ou 396 est net de taxe (${NET_OF_VAT})`,
      es: `solo una nota de crédito de tipo 381, 261 o 396 deja el IVA de la factura como está (${NET_OF_VAT})`,
    },
    hint: {
      en: 'correct the code of the reason, or the class and the type of the document',
      fr: 'corrigez le code du motif, ou la classe et le type du document',
      es: 'corrija el código del motivo, o la clase y el tipo del documento',
    },
    severity: 'error',
    at: [`${REASON}/identifier`],
    formula: `${NET_OF_VAT}: type 261, 381 or 396; without a type the class credit-note`,
    source: 'DGFiP G6.21',
    profiles: ['fr-2026'],
    unless: { field: ['FR-VAT-4b'] },
    passes: { class: 'credit-note', set: { '/totals/subtotals/1/subtotals/2': untaxed('exempt', NET_CREDIT) } },
    fails: { class: 'invoice', set: { '/totals/subtotals/1/subtotals/2': untaxed('exempt', NET_CREDIT) } },
    test: ({ totals, header: { type }, class: documentClass }, broken) => {
      if (totals.reasoned.length === 0) return;
      const isCredit = type === undefined ? documentClass === 'credit-note' : NET_OF_VAT_TYPES.includes(type);
      if (isCredit) return;
      for (const { at, reason } of totals.reasoned) {
        if (textAt(reason, 'identifier')?.trim().toUpperCase() === NET_OF_VAT) broken(`${at}/reason/identifier`);
      }
    },
  },
  {
    // A warning: who may invoice so all the same is the provider's to say.
    id: 'FR-FLOW-2',
    code: 'fr-invoice/other-flow',
    says: {
      en: 'everything is exempt under article 261 or outside the scope of VAT; such sales are outside electronic invoicing, and the portal rejects the document',
      fr: 'tout est exonéré au titre de l’article 261 ou hors champ de la TVA ; ces ventes sont hors facturation électronique, et le portail rejette le document',
      es: 'todo está exento por el artículo 261 o fuera del ámbito del IVA; esas ventas quedan fuera de la facturación electrónica, y el portal rechaza el documento',
    },
    hint: {
      en: 'send the invoice on paper or by mail, or correct the code of the reason; ask the provider whether it takes such documents',
      fr: 'envoyez la facture sur papier ou par courriel, ou corrigez le code du motif ; demandez au prestataire s’il prend de tels documents',
      es: 'envíe la factura en papel o por correo, o corrija el código del motivo; pregunte al proveedor si admite tales documentos',
    },
    severity: 'warning',
    at: [`${REASON}/identifier`],
    formula:
      'each category exempt (E) or outside-scope (O), and a code VATEX-FR-CGI261... of article 261 of the code of taxes',
    source: 'DGFiP G2.32; CGI art. 261, 289 bis',
    profiles: ['fr-2026'],
    passes: { set: { '/totals/subtotals/1/subtotals/2': untaxed('exempt', HEALTH) } },
    fails: { set: { '/totals/subtotals/1/subtotals': [untaxed('exempt', HEALTH)] } },
    test: ({ totals: { perRate, reasoned } }, broken) => {
      if (reasoned.length === 0) return;
      const isOutside = ({ subtype = '' }: { readonly subtype: string | undefined }) => {
        const category = categoryOf(subtype);
        return category === 'E' || category === 'O';
      };
      const first = reasoned.find(({ reason }) => isArticle261(textAt(reason, 'identifier') ?? ''));
      if (first && perRate.every(isOutside)) broken(`${first.at}/reason/identifier`);
    },
  },
];

/** An entry of the totals without VAT. */
function untaxed(subtype: string, reason?: object): object {
  const entry = { type: 'tax', class: 'vat', subtype, percent: 0, 'taxable-amount': 0, amount: 0 };
  return reason ? { ...entry, reason } : entry;
}
