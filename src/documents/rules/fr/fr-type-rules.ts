/**
 * The type of a French invoice (BT-3): one code of the closed list, and of the class that the document is sent under.
 */

import { classOfType, isClassWord, TYPE_CODES, typesOf } from '../../code-lists/document-types.ts';
import { textAt } from '../../content/json-pointer.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const TYPE_AT = '/document/document-type';
const INFO_AT = '/document/additional-info/*/value';

/** A type code is optional: the contract maps the class to a type by itself. */
export const typeRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-TYP-1',
    code: 'fr-invoice/type-and-class',
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
