/** The type of a French invoice (BT-3): one code of the closed list, and of the class that the document is sent under. */

import { classOfType, isClassWord, TYPE_CODES, typesOf } from '../../code-lists/document-types.ts';
import { textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const TYPE_AT = '/document/document-type';
const INFO_AT = '/document/additional-info/*/value';

export const typeRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-TYP-1',
    code: 'fr-invoice/type-and-class',
    says: {
      en: 'this type of document does not belong to the class {class}',
      fr: 'ce type de document n’appartient pas à la classe {class}',
      es: 'este tipo de documento no pertenece a la clase {class}',
    },
    hint: {
      en: 'types of this class: {types}; without document-type the service takes that of the class',
      fr: 'types de cette classe : {types} ; sans document-type le service prend celui de la classe',
      es: 'tipos de esta clase: {types}; sin document-type el servicio toma el de la clase',
    },
    severity: 'error',
    at: [TYPE_AT, INFO_AT],
    source: 'BR-FR-04; the pairing with classes follows GOBL regimes/fr',
    profiles: ['fr-2026'],
    passes: { set: { [TYPE_AT]: '380' } },
    fails: { set: { [TYPE_AT]: '381' } },
    test: ({ header: { typeCodes }, class: documentClass, payload }, broken) => {
      const another = () => ({ class: documentClass, types: typesOf(documentClass).join(', ') });
      const word = textAt(payload, 'document', 'document-type')?.trim() ?? '';
      if (isClassWord(word) && word !== documentClass) broken(TYPE_AT, another());
      for (const { code, at } of typeCodes) {
        const own = classOfType(code);
        if (own !== undefined && own !== documentClass) broken(at, another());
      }
    },
  },
  {
    id: 'FR-TYP-1b',
    code: 'fr-invoice/unknown-type',
    says: {
      en: 'no type of document that may be issued in France',
      fr: 'ce type de document ne peut pas être émis en France',
      es: 'este tipo de documento no se puede emitir en Francia',
    },
    hint: {
      en: 'codes that are accepted: {types}; a pro forma, a delivery note or a statement is no invoice: keep it out of the export or drop its rows in the mapping',
      fr: 'codes acceptés : {types} ; une facture pro forma, un bon de livraison ou un relevé n’est pas une facture : retirez-le de l’export ou écartez ses lignes dans le mapping',
      es: 'códigos aceptados: {types}; una proforma, un albarán o un extracto no es una factura: sáquelo de la exportación o descarte sus filas en el mapping',
    },
    severity: 'error',
    at: [TYPE_AT, INFO_AT],
    formula: TYPE_CODES.join(' '),
    source: 'BR-FR-04',
    profiles: ['fr-2026'],
    passes: { set: { '/document/additional-info': [{ key: 'type-code', value: '386' }] } },
    fails: { set: { '/document/additional-info': [{ key: 'type-code', value: '325' }] } },
    test: ({ header: { typeCodes } }, broken) => {
      for (const { code, at } of typeCodes) {
        if (classOfType(code) === undefined) broken(at, { types: TYPE_CODES.join(', ') });
      }
    },
  },
  {
    id: 'FR-TYP-1c',
    code: 'fr-invoice/two-types',
    says: {
      en: 'the document gives two types, {first} and this one',
      fr: 'le document porte deux types, {first} et celui-ci',
      es: 'el documento lleva dos tipos, {first} y este',
    },
    hint: {
      en: 'keep the one that is right; document-type and additional-info carry the same code',
      fr: 'gardez celui qui est exact ; document-type et additional-info portent le même code',
      es: 'conserve el correcto; document-type y additional-info llevan el mismo código',
    },
    severity: 'error',
    at: [INFO_AT],
    source: 'BT-3 of EN 16931 occurs once',
    profiles: ['fr-2026'],
    passes: { set: { [TYPE_AT]: '386', '/document/additional-info': [{ key: 'type-code', value: '386' }] } },
    fails: { set: { [TYPE_AT]: '380', '/document/additional-info': [{ key: 'type-code', value: '386' }] } },
    test: ({ header: { typeCodes, type: first = '' } }, broken) => {
      for (const { code, at } of typeCodes) if (code !== first) broken(at, { first });
    },
  },
];
