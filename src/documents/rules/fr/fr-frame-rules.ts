/** The billing frame of a French invoice (BT-23): that it is there, one of the list, and fits the type and what is paid. */
import { Decimal } from '../../../model/decimal.ts';
import type { Example } from '../../../model/rule.ts';
import { FRAMES, isAfterAdvance, isFrame, isOfSeveralSellers } from '../../code-lists/billing-frames.ts';
import { isAdvance } from '../../code-lists/document-types.ts';
import { textAt } from '../../content/json-pointer.ts';
import { offering } from '../rule-faults.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const INFO = '/document/additional-info';
const INFO_AT = `${INFO}/*/value`;
const TOTALS = '/totals/additional-info';
const DUE = '/document/date-due';

const GIVE = {
  en: 'add { key: business-process, value: B1 } to document.additional-info: B1 for goods, S1 for services, M1 for both; B2, S2, M2 where all is paid already, B4, S4, M4 after an advance',
  fr: 'ajoutez { key: business-process, value: B1 } à document.additional-info : B1 pour des biens, S1 pour des services, M1 pour les deux ; B2, S2, M2 si tout est déjà payé, B4, S4, M4 après un acompte',
  es: 'agregue { key: business-process, value: B1 } a document.additional-info: B1 para bienes, S1 para servicios, M1 para ambos; B2, S2, M2 si todo está pagado ya, B4, S4, M4 tras un anticipo',
};

export const frameRules: readonly Rule<InvoiceView>[] = [
  {
    // A warning: under which key the provider expects the frame is not shown.
    id: 'FR-TYP-2',
    code: 'fr-invoice/no-billing-frame',
    says: {
      en: 'nothing says whether goods or services are invoiced (billing frame, compulsory since 1 September 2026)',
      fr: 'rien n’indique s’il s’agit de biens ou de services (cadre de facturation, obligatoire depuis le 1er septembre 2026)',
      es: 'nada indica si se facturan bienes o servicios (marco de facturación, obligatorio desde el 1 de septiembre de 2026)',
    },
    hint: GIVE,
    severity: 'warning',
    at: [INFO],
    formula: 'an entry of document.additional-info with a billing frame',
    source: 'BR-FR-08; DGFiP G6.08; CGI ann. II art. 242 nonies A (category of the operation)',
    profiles: ['fr-2026'],
    passes: { set: frame('S1') },
    fails: { set: { [INFO]: null } },
    test: ({ header: { frames } }, broken) => {
      if (frames.length === 0) broken(INFO);
    },
  },
  {
    id: 'FR-TYP-2b',
    code: 'fr-invoice/unknown-billing-frame',
    says: {
      en: 'this is no billing frame; accepted are {frames}',
      fr: 'ce n’est pas un cadre de facturation ; sont acceptés {frames}',
      es: 'esto no es un marco de facturación; se aceptan {frames}',
    },
    hint: GIVE,
    severity: 'error',
    at: [INFO_AT],
    source: 'BR-FR-08; DGFiP G1.02',
    profiles: ['fr-2026'],
    passes: { set: frame('B7') },
    fails: { set: frame('X9') },
    test: ({ header: { frames } }, broken) => {
      for (const { code, at } of frames) {
        if (isFrame(code)) continue;
        const meant = code.toUpperCase();
        broken(at, { frames: FRAMES.join(', '), ...offering(isFrame(meant) ? meant : undefined) });
      }
    },
  },
  {
    id: 'FR-TYP-2c',
    code: 'fr-invoice/several-sellers',
    says: {
      en: 'an invoice of several sellers or of both parties, whose lines cannot name their sellers in this contract',
      fr: 'une facture multi-vendeurs ou bidirectionnelle, dont les lignes ne peuvent pas nommer leurs vendeurs dans ce contrat',
      es: 'una factura de varios vendedores o bidireccional, cuyas líneas no pueden nombrar a sus vendedores en este contrato',
    },
    hint: {
      en: 'send one invoice for each seller, or pass the finished file on as it is (target: file), or ask the provider',
      fr: 'envoyez une facture par vendeur, ou transmettez le fichier fini tel quel (target: file), ou demandez au prestataire',
      es: 'envíe una factura por vendedor, o transmita el archivo terminado tal cual (target: file), o pregunte al proveedor',
    },
    severity: 'error',
    at: [INFO_AT],
    formula: 'none of B8, S8, M8, B9, S9, M9',
    source: 'BR-FR-MV-01 to BR-FR-MV-09, BR-FR-BD-02; french-invoicing 2.2 has no field for the seller of a line',
    profiles: ['fr-2026'],
    passes: { set: frame('S1') },
    fails: { set: frame('M8') },
    test: ({ header: { frames } }, broken) => {
      for (const { code, at } of frames) if (isOfSeveralSellers(code)) broken(at);
    },
  },
  {
    id: 'FR-TYP-3',
    code: 'fr-invoice/frame-and-type',
    says: {
      en: 'the frame of a final invoice after an advance, and the type {type} is that of an advance',
      fr: 'le cadre d’une facture définitive après acompte, alors que le type {type} est celui d’un acompte',
      es: 'el marco de una factura definitiva tras un anticipo, y el tipo {type} es el de un anticipo',
    },
    hint: {
      en: 'an advance has the frame B1, S1 or M1, or B2, S2, M2 where it is paid already; or correct the type',
      fr: 'un acompte a le cadre B1, S1 ou M1, ou B2, S2, M2 s’il est déjà payé ; ou corrigez le type',
      es: 'un anticipo tiene el marco B1, S1 o M1, o B2, S2, M2 si ya está pagado; o corrija el tipo',
    },
    severity: 'error',
    at: [INFO_AT],
    formula: 'B4, S4, M4: type other than 386, 500, 503',
    source: 'BR-FR-CO-08; DGFiP G1.60',
    profiles: ['fr-2026'],
    passes: { set: { ...frame('B4'), '/document/document-type': '380' } },
    fails: { set: { ...frame('B4'), '/document/document-type': '386' } },
    test: ({ header: { frames, type } }, broken) => {
      if (type === undefined || !isAdvance(type)) return;
      for (const { code, at } of frames) if (isAfterAdvance(code)) broken(at, { type });
    },
  },
  {
    id: 'FR-TYP-4',
    code: 'fr-invoice/frame-and-payment',
    says: {
      en: 'the frame says that all is paid already, and this contradicts it, {expected} is expected',
      fr: 'le cadre dit que tout est déjà payé, et ceci le contredit, {expected} est attendu',
      es: 'el marco dice que todo está pagado ya, y esto lo contradice, se espera {expected}',
    },
    hint: {
      en: 'correct the frame (B1, S1, M1), or the amounts; the due date of a paid invoice is the day it was paid',
      fr: 'corrigez le cadre (B1, S1, M1) ou les montants ; l’échéance d’une facture payée est le jour du paiement',
      es: 'corrija el marco (B1, S1, M1) o los importes; el vencimiento de una factura pagada es el día del pago',
    },
    severity: 'error',
    at: [`${TOTALS}/*/value`, DUE],
    formula: 'B2, S2, M2: prepaid-amount = final-amount and payable-amount = 0 where they are stated; a due date',
    source: 'BR-FR-CO-09',
    profiles: ['fr-2026'],
    passes: { set: { ...frame('S2'), ...paid('222.59', '0') } },
    fails: { set: { ...frame('S2'), ...paid('200', '22.59') } },
    test: ({ header: { isPaid }, totals: { final, stated }, payload }, broken) => {
      if (!isPaid) return;
      const { 'prepaid-amount': prepaid, 'payable-amount': payable } = stated;
      if (prepaid?.amount && final && !prepaid.amount.equals(final)) {
        broken(prepaid.at, { expected: final.toText(2) }, prepaid.amount.minus(final));
      }
      if (payable?.amount && !payable.amount.isZero()) broken(payable.at, { expected: Decimal.zero.toText(2) });
      if (textAt(payload, 'document', 'date-due') === undefined) broken(DUE, { expected: 'date-due' });
    },
  },
  {
    // A warning: the key is ours, the contract shows no place for what was paid before.
    id: 'FR-TYP-4b',
    code: 'fr-invoice/frame-and-payment',
    says: {
      en: 'the frame says that all is paid already, and no total says so',
      fr: 'le cadre dit que tout est déjà payé, et aucun total ne le dit',
      es: 'el marco dice que todo está pagado ya, y ningún total lo dice',
    },
    hint: {
      en: 'add { key: prepaid-amount, value: the final amount } and { key: payable-amount, value: "0" } to totals.additional-info',
      fr: 'ajoutez { key: prepaid-amount, value: le montant final } et { key: payable-amount, value: "0" } à totals.additional-info',
      es: 'agregue { key: prepaid-amount, value: el importe final } y { key: payable-amount, value: "0" } a totals.additional-info',
    },
    severity: 'warning',
    at: [TOTALS],
    source: 'BR-FR-CO-09 (BT-113)',
    profiles: ['fr-2026'],
    passes: { set: { ...frame('S2'), ...paid('222.59', '0') } },
    fails: { set: frame('S2') },
    test: ({ header: { isPaid }, totals: { stated } }, broken) => {
      if (isPaid && stated['prepaid-amount'] === undefined) broken(TOTALS);
    },
  },
];

function frame(value: string): Example['set'] {
  return { [INFO]: [{ key: 'business-process', value }] };
}

function paid(prepaid: string, payable: string): Example['set'] {
  return {
    [TOTALS]: [
      { key: 'prepaid-amount', value: prepaid },
      { key: 'payable-amount', value: payable },
    ],
  };
}
