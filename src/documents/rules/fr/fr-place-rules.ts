/**
 * Rules of parts of a French invoice that the contract shows no place for: the UBL and CII mappings give them one, and the
 * platforms check them there. Each rule names its source; `passes` and `fails` are examples that a test runs.
 */

import type { Json } from '../../../model/draft.ts';
import { hasDigits } from '../../../model/identifiers.ts';
import { isCountry } from '../../code-lists/countries.ts';
import { classOfType, TYPE_CODES } from '../../code-lists/document-types.ts';
import { isNoteSubject } from '../../code-lists/note-codes.ts';
import { isIdentifierScheme, isObjectScheme } from '../../code-lists/schemes.ts';
import { dayAt, listAt, textAt } from '../../content/json-pointer.ts';
import { repeated } from '../duplicate-keys.ts';
import type { Rule } from '../rule-pack.ts';
import type { InvoiceView } from '../views/invoice-view.ts';

const INFO = '/document/additional-info';
const TAX_DAY = '/document/date-taxes';
/** BT-8: of UNTDID 2005 in UBL, of UNTDID 2475 in CII. */
const TAX_POINTS = ['3', '35', '432', '5', '29', '72'];
/** The invoice once each (BR-FR-29). */
const ONCE: readonly string[] = ['AFL', 'AVV'];
const SUBJECT = /^[A-Z]{3}$/;
const ARTICLES = '/lines/*/additional-identifiers/*';
const PROPERTIES = '/lines/*/additional-info/*';
/** XML is allowed by EXTENDED-CTC-FR. */
const MIME_TYPES = [
  ...['application/pdf', 'image/png', 'image/jpeg', 'text/csv', 'text/xml', 'application/xml'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
];

/** In the order of the document. */
export const placeRules: readonly Rule<InvoiceView>[] = [
  {
    id: 'FR-DAT-5',
    code: 'fr-invoice/two-tax-points',
    severity: 'error',
    at: [TAX_DAY],
    formula: 'date-taxes or an entry tax-point-code of document.additional-info, not both',
    source: 'EN 16931 BR-CO-03',
    profiles: ['fr-2026'],
    passes: { set: { [`${INFO}/1`]: { key: 'tax-point-code', value: '432' } } },
    fails: { set: { [`${INFO}/1`]: { key: 'tax-point-code', value: '432' }, [TAX_DAY]: '2026-11-05' } },
    test: ({ payload }, broken) => {
      if (dayAt(payload, 'document', 'date-taxes') !== undefined && taxPoints(payload).length > 0) broken(TAX_DAY);
    },
  },
  {
    id: 'FR-DAT-5b',
    code: 'fr-invoice/unknown-tax-point',
    severity: 'error',
    at: [`${INFO}/*/value`],
    formula: TAX_POINTS.join(' '),
    source: 'EN 16931 BR-CL-06; DGFiP P1.11',
    profiles: ['fr-2026'],
    passes: { set: { [`${INFO}/1`]: { key: 'tax-point-code', value: '35' } } },
    fails: { set: { [`${INFO}/1`]: { key: 'tax-point-code', value: '99' } } },
    test: ({ payload }, broken) => {
      for (const { value, at } of taxPoints(payload)) {
        if (!TAX_POINTS.includes(value)) broken(at, { codes: TAX_POINTS.join(', ') });
      }
    },
  },
  {
    id: 'FR-REF-4',
    code: 'fr-invoice/unknown-scheme',
    severity: 'error',
    at: ['/references/*/tag'],
    formula: 'the tag of an invoiced-object is a scheme of UNTDID 1153',
    source: 'EN 16931 BR-CL-07',
    profiles: ['fr-2026'],
    passes: { set: { '/references/1': { type: 'invoiced-object', identifier: 'P-1', tag: 'AFL' } } },
    fails: { set: { '/references/1': { type: 'invoiced-object', identifier: 'P-1', tag: 'QQQ' } } },
    test: ({ payload }, broken) => {
      for (const { tag, at } of objects(payload)) if (!isObjectScheme(tag)) broken(at);
    },
  },
  {
    id: 'FR-REF-4b',
    code: 'fr-invoice/scheme-twice',
    severity: 'error',
    at: ['/references/*/tag'],
    formula: `${ONCE.join(' and ')} at most once each, as tag of an invoiced-object`,
    source: 'BR-FR-29 (BT-18)',
    profiles: ['fr-2026'],
    passes: { set: { '/references/1': { type: 'invoiced-object', identifier: 'P-1', tag: 'AFL' } } },
    fails: {
      set: {
        '/references/1': { type: 'invoiced-object', identifier: 'P-1', tag: 'AFL' },
        '/references/2': { type: 'invoiced-object', identifier: 'P-2', tag: 'AFL' },
      },
    },
    test: ({ payload }, broken) => {
      const limited = objects(payload).filter(({ tag }) => ONCE.includes(tag));
      for (const { at } of repeated(limited, ({ tag }) => tag)) broken(at);
    },
  },
  {
    id: 'FR-REF-5',
    code: 'fr-invoice/unknown-type',
    severity: 'error',
    at: ['/references/*/additional-info/*/value'],
    formula: `type-code of an original-invoice: ${TYPE_CODES.join(' ')}`,
    source: 'BR-FR-04 (EXT-FR-FE-02)',
    profiles: ['fr-2026'],
    passes: { set: { '/references/0/additional-info': [{ key: 'type-code', value: '380' }] } },
    fails: { set: { '/references/0/additional-info': [{ key: 'type-code', value: '325' }] } },
    test: ({ payload }, broken) =>
      listAt(payload, 'references').forEach((reference, i) => {
        if (textAt(reference, 'type') !== 'original-invoice') return;
        for (const { value, at } of entries(reference, `/references/${i}`, 'type-code')) {
          if (classOfType(value) === undefined) broken(at, { types: TYPE_CODES.join(', ') });
        }
      }),
  },
  {
    id: 'FR-NOT-7',
    code: 'fr-invoice/unknown-note-code',
    severity: 'error',
    at: ['/notes/*/tag'],
    formula: 'a tag of three capitals is a code of UNTDID 4451',
    source: 'EN 16931 BR-CL-08',
    profiles: ['fr-2026'],
    passes: { set: { '/notes/4': { tag: 'AAI', content: 'Merci' } } },
    fails: { set: { '/notes/4': { tag: 'QZX', content: 'Merci' } } },
    test: ({ notes }, broken) => {
      notes.forEach(({ tag = '' }, i) => {
        if (SUBJECT.test(tag) && !isNoteSubject(tag)) broken(`/notes/${i}/tag`);
      });
    },
  },
  {
    id: 'FR-DEL-4',
    code: 'fr-invoice/siret-digits',
    severity: 'error',
    at: ['/logistics/*/additional-identifiers/*/value'],
    formula: '14 digits of a place of delivery',
    source: 'BR-FR-09 (BT-71)',
    profiles: ['fr-2026'],
    passes: { set: place('40483304800022') },
    fails: { set: place('404 833 048 00022') },
    test: ({ logistics }, broken) =>
      logistics.forEach((one, i) => {
        listAt(one, 'additional-identifiers').forEach((identifier, j) => {
          if (textAt(identifier, 'type') !== 'siret' || hasDigits(textAt(identifier, 'value') ?? '', 14)) return;
          broken(`/logistics/${i}/additional-identifiers/${j}/value`);
        });
      }),
  },
  {
    id: 'FR-LIN-8',
    code: 'fr-invoice/no-scheme',
    severity: 'error',
    at: [`${ARTICLES}/type`, `${ARTICLES}/tag`],
    formula:
      'no identifier of type standard, which the mappings give to one without a scheme; type commodity with its tag',
    source: 'EN 16931 BR-64, BR-65',
    profiles: ['fr-2026'],
    passes: { set: article({ type: 'gtin', value: '3012345678900' }) },
    fails: { set: article({ type: 'standard', value: '3012345678900' }) },
    test: ({ lines }, broken) => {
      for (const { at, line } of lines) {
        listAt(line, 'additional-identifiers').forEach((one, i) => {
          const type = textAt(one, 'type');
          if (type === 'standard') broken(`${at}/additional-identifiers/${i}/type`);
          if (type === 'commodity' && textAt(one, 'tag') === undefined) broken(`${at}/additional-identifiers/${i}/tag`);
        });
      }
    },
  },
  {
    id: 'FR-LIN-8b',
    code: 'fr-invoice/unknown-scheme',
    severity: 'error',
    at: [`${ARTICLES}/type`],
    formula: 'a type of four digits is a scheme of ISO 6523: 0002 to 0248',
    source: 'EN 16931 BR-CL-21',
    profiles: ['fr-2026'],
    passes: { set: article({ type: '0160', value: '3012345678900' }) },
    fails: { set: article({ type: '9999', value: '1' }) },
    test: ({ lines }, broken) => {
      for (const { at, line } of lines) {
        listAt(line, 'additional-identifiers').forEach((one, i) => {
          const type = textAt(one, 'type') ?? '';
          if (/^\d{4}$/.test(type) && !isIdentifierScheme(type)) broken(`${at}/additional-identifiers/${i}/type`);
        });
      }
    },
  },
  {
    id: 'FR-LIN-9',
    code: 'fr-invoice/unknown-country',
    severity: 'error',
    at: [`${PROPERTIES}/value`],
    formula: 'origin-country is a code of ISO 3166-1',
    source: 'EN 16931 BR-CL-15',
    profiles: ['fr-2026'],
    passes: { set: property({ key: 'origin-country', value: 'DE' }) },
    fails: { set: property({ key: 'origin-country', value: 'XX' }) },
    test: ({ lines }, broken) => {
      for (const { at, line } of lines) {
        for (const one of entries(line, at, 'origin-country')) if (!isCountry(one.value)) broken(one.at);
      }
    },
  },
  {
    id: 'FR-LIN-10',
    code: 'fr-invoice/property-incomplete',
    severity: 'error',
    at: [`${PROPERTIES}/key`, `${PROPERTIES}/value`],
    formula: 'each entry of additional-info has key and value',
    source: 'EN 16931 BR-54; BR-FR-28',
    profiles: ['fr-2026'],
    passes: { set: property({ key: 'Couleur', value: 'rouge' }) },
    fails: { set: property({ key: 'Couleur' }) },
    test: ({ lines }, broken) => {
      for (const { at, line } of lines) {
        listAt(line, 'additional-info').forEach((one, i) => {
          const [key, value] = [textAt(one, 'key'), textAt(one, 'value')];
          if (key === undefined && value !== undefined) broken(`${at}/additional-info/${i}/key`, { field: 'key' });
          if (value === undefined && key !== undefined) broken(`${at}/additional-info/${i}/value`, { field: 'value' });
        });
      }
    },
  },
  {
    id: 'FR-ATT-3',
    code: 'fr-invoice/attachment-mime-type',
    severity: 'error',
    at: ['/attachments/*/mime-type'],
    formula: `format base64: ${MIME_TYPES.join(', ')}`,
    source: 'EN 16931 BR-CL-24; EXTENDED-CTC-FR, which also takes XML',
    profiles: ['fr-2026'],
    passes: { set: attached({ 'mime-type': 'application/pdf' }) },
    fails: { set: attached({ 'mime-type': 'application/x-msdownload' }) },
    test: ({ attachments }, broken) =>
      attachments.forEach((one, i) => {
        if (textAt(one, 'format')?.toLowerCase() !== 'base64' || textAt(one, 'content') === undefined) return;
        if (MIME_TYPES.includes(textAt(one, 'mime-type')?.trim().toLowerCase() ?? '')) return;
        broken(`/attachments/${i}/mime-type`);
      }),
  },
];

/** Entries of additional-info with this key, by their value. */
function entries(of: Json, at: string, key: string): readonly { readonly value: string; readonly at: string }[] {
  return listAt(of, 'additional-info').flatMap((one, i) => {
    const value = textAt(one, 'key') === key ? textAt(one, 'value')?.trim() : undefined;
    return value === undefined ? [] : [{ value, at: `${at}/additional-info/${i}/value` }];
  });
}

function taxPoints(payload: InvoiceView['payload']): ReturnType<typeof entries> {
  return entries(payload.document ?? {}, '/document', 'tax-point-code');
}

/** References to invoiced objects that name a scheme. */
function objects(payload: InvoiceView['payload']): readonly { readonly tag: string; readonly at: string }[] {
  return listAt(payload, 'references').flatMap((one, i) => {
    const tag = textAt(one, 'type') === 'invoiced-object' ? textAt(one, 'tag')?.trim() : undefined;
    return tag === undefined ? [] : [{ tag, at: `/references/${i}/tag` }];
  });
}

type Changes = { readonly [at: string]: unknown };

function place(value: string): Changes {
  return { '/logistics': [{ type: 'delivery', 'additional-identifiers': [{ type: 'siret', value }] }] };
}

function article(identifier: object): Changes {
  return { '/lines/0/additional-identifiers': [identifier] };
}

function property(entry: object): Changes {
  return { '/lines/0/additional-info': [entry] };
}

function attached(more: object): Changes {
  return { '/attachments': [{ type: 'RIB', format: 'base64', content: 'JVBERi0xLjQK', ...more }] };
}
