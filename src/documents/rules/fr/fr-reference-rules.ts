/**
 * Rules about the invoices that a French credit note or corrective refers to. The exported list also has the rules of
 * notes and deliveries, in the order of the document.
 */
import type { Json } from '../../../model/draft.ts';
import type { Example } from '../../../model/rule.ts';
import { OVERALL_REBATE } from '../../code-lists/document-types.ts';
import { dayAt, listAt, textAt } from '../../content/json-pointer.ts';
import type { Report, Rule } from '../rule-pack.ts';
import type { InvoiceView, ReferenceView } from '../views/invoice-view.ts';
import { deliveryRules } from './fr-delivery-rules.ts';
import { noteRules } from './fr-note-rules.ts';
import { INVOICE_NUMBER, LONGEST_NUMBER } from './fr-number-rules.ts';

/** Classes that correct an earlier invoice. */
const CORRECTING: readonly string[] = ['credit-note', 'corrective'];

const NUMBER_AT = '/references/*/identifier';
const DATE_AT = '/references/*/date';
const TYPE = '/document/document-type';
/** Of additional-dates under logistics, as the UBL and CII mappings write them. */
const PERIOD = ['period-start', 'period-end'] as const;

const references: readonly Rule<InvoiceView>[] = [
  {
    // A warning, not an error: the contract says that these classes carry the reference, yet credit notes over a whole
    // period (a yearly rebate) have no single original, and a rejection (code 6) can be fixed under the same number.
    id: 'FR-WIRE-1',
    code: 'fr-invoice/no-original-invoice',
    severity: 'warning',
    at: ['/references'],
    source: 'french-invoicing 2.2',
    profiles: ['wire'],
    passes: { class: 'credit-note', set: { '/references': [{ type: 'original-invoice', identifier: 'F2026-00001' }] } },
    fails: { class: 'credit-note', set: { '/references': null } },
    test: ({ class: documentClass, originals }, broken) => {
      if (CORRECTING.includes(documentClass) && originals.length === 0) broken('/references');
    },
  },
  {
    id: 'FR-REF-1',
    code: 'fr-invoice/no-original-invoice',
    severity: 'error',
    at: ['/references', NUMBER_AT, DATE_AT],
    formula: 'credit-note: at least one original-invoice with identifier and date',
    source: 'BR-FR-CO-05; DGFiP G1.32; french-invoicing 2.2',
    profiles: ['fr-2026'],
    passes: { class: 'credit-note', set: {} },
    fails: { class: 'credit-note', set: { '/references/0/date': null } },
    test: ({ class: documentClass, originals, header }, broken) => {
      if (documentClass !== 'credit-note' || header.type === OVERALL_REBATE) return;
      if (!originals.some(isWhole)) incomplete(originals[0], broken);
    },
  },
  {
    // Where contract and period go is not shown: these are the places of the UBL and CII mappings.
    id: 'FR-REF-1b',
    code: 'fr-invoice/rebate-without-contract',
    severity: 'error',
    at: ['/references', '/logistics'],
    formula: `type ${OVERALL_REBATE}: a reference of type contract with identifier; a period with both days`,
    source: 'BR-FR-CO-03 (BT-12, BG-14); the places are those of the UBL and CII mappings',
    profiles: ['fr-2026'],
    passes: { class: 'credit-note', set: { [TYPE]: OVERALL_REBATE, ...contract(), ...period(...PERIOD) } },
    fails: { class: 'credit-note', set: { [TYPE]: OVERALL_REBATE, ...contract(), ...period('period-start') } },
    test: ({ header, payload, logistics }, broken) => {
      if (header.type !== OVERALL_REBATE) return;
      const isContract = (one: Json) => textAt(one, 'type') === 'contract' && textAt(one, 'identifier') !== undefined;
      if (!listAt(payload, 'references').some(isContract)) broken('/references', { missing: 'contract' });
      const days = logistics.flatMap((one) => listAt(one, 'additional-dates'));
      const isMissing = (type: string) =>
        !days.some((day) => textAt(day, 'type') === type && dayAt(day, 'value') !== undefined);
      const missing = PERIOD.filter(isMissing);
      if (missing.length > 0) broken('/logistics', { missing: missing.join(', ') });
    },
  },
  {
    id: 'FR-REF-2',
    code: 'fr-invoice/no-original-invoice',
    severity: 'error',
    at: ['/references', NUMBER_AT, DATE_AT],
    formula: 'corrective: an original-invoice with identifier and date',
    source: 'BR-FR-CO-04; DGFiP G1.32',
    profiles: ['fr-2026'],
    passes: { class: 'corrective', set: {} },
    fails: { class: 'corrective', set: { '/references/0/identifier': null } },
    test: ({ class: documentClass, originals }, broken) => {
      if (documentClass !== 'corrective') return;
      const [first] = originals;
      if (first?.identifier === undefined || first.date === undefined) incomplete(first, broken);
    },
  },
  {
    id: 'FR-REF-2b',
    code: 'fr-invoice/several-original-invoices',
    severity: 'error',
    at: ['/references'],
    formula: 'corrective: one original-invoice',
    source: 'BR-FR-CO-04',
    profiles: ['fr-2026'],
    passes: { class: 'corrective', set: { '/references/1': { type: 'buyer-reference', identifier: 'C-1' } } },
    fails: {
      class: 'corrective',
      set: { '/references/1': { type: 'original-invoice', identifier: 'F2026-00002', date: '2026-01-16' } },
    },
    test: ({ class: documentClass, originals }, broken) => {
      if (documentClass === 'corrective' && originals.length > 1) {
        broken('/references', { count: String(originals.length) });
      }
    },
  },
  {
    id: 'FR-REF-2c',
    code: 'fr-invoice/no-original-invoice',
    severity: 'error',
    at: [NUMBER_AT],
    formula: 'each original-invoice has its identifier, in documents of every class',
    source: 'EN 16931 BR-55',
    profiles: ['fr-2026'],
    passes: { set: { '/references': [{ type: 'original-invoice', identifier: 'F2026-00001' }] } },
    fails: { set: { '/references': [{ type: 'original-invoice', date: '2026-01-16' }] } },
    test: ({ class: documentClass, originals, header }, broken) => {
      const isAsked = CORRECTING.includes(documentClass) && header.type !== OVERALL_REBATE;
      // Where none is whole, FR-REF-1 or FR-REF-2 reports the first.
      const rest = isAsked && !originals.some(isWhole) ? originals.slice(1) : originals;
      for (const { at, identifier } of rest) if (identifier === undefined) broken(`${at}/identifier`);
    },
  },
  {
    id: 'FR-REF-3',
    code: 'fr-invoice/referenced-number',
    severity: 'error',
    at: [NUMBER_AT],
    formula: 'A-Z a-z 0-9 + - _ / ; length ≤ 35',
    source: 'BR-FR-01, BR-FR-02 (BT-25)',
    profiles: ['fr-2026'],
    passes: { set: { '/references/0/identifier': 'F2026/00001' } },
    fails: { set: { '/references/0/identifier': 'N°12' } },
    test: ({ originals }, broken) => {
      for (const { at, identifier } of originals) {
        if (identifier === undefined) continue;
        if (identifier.length > LONGEST_NUMBER || !INVOICE_NUMBER.test(identifier)) broken(`${at}/identifier`);
      }
    },
  },
  {
    // A warning: both follow from what a reference is, and no source says them.
    id: 'FR-REF-3b',
    code: 'fr-invoice/reference-out-of-place',
    severity: 'warning',
    at: [NUMBER_AT, DATE_AT],
    formula: 'identifier ≠ document.identifier; date ≤ document.date',
    source: 'an inference',
    profiles: ['fr-2026'],
    unless: { field: ['FR-DAT-1'] },
    passes: { set: { '/references/0/date': '2026-11-05' } },
    fails: { set: { '/references/0/date': '2026-11-06' } },
    test: ({ originals, header }, broken) => {
      for (const { at, identifier, date } of originals) {
        if (identifier !== undefined && identifier === header.number) broken(`${at}/identifier`);
        if (date !== undefined && header.date !== undefined && date > header.date) broken(`${at}/date`);
      }
    },
  },
];

/** References, notes, deliveries. */
export const referenceRules: readonly Rule<InvoiceView>[] = [...references, ...noteRules, ...deliveryRules];

function isWhole({ identifier, date }: ReferenceView): boolean {
  return identifier !== undefined && date !== undefined;
}

/** Reports the first part that is missing; without a reference, the reference itself. */
function incomplete(reference: ReferenceView | undefined, broken: Report): void {
  if (reference === undefined) broken('/references', { missing: 'original-invoice' });
  else if (reference.identifier === undefined) broken(`${reference.at}/identifier`, { missing: 'identifier' });
  else broken(`${reference.at}/date`, { missing: 'date' });
}

function contract(): Example['set'] {
  return { '/references': [{ type: 'contract', identifier: 'RFA-2026' }] };
}

function period(...types: readonly string[]): Example['set'] {
  return { '/logistics': [{ 'additional-dates': types.map((type) => ({ type, value: '2026-10-31' })) }] };
}
