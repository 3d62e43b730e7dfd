/** Invoice, credit note or corrective: from a column of types, else from the name of the file and the signs. */

import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { type DraftEntry, partsOf } from './draft-values.ts';

export type DocumentClass = {
  /** As the mapping writes it. */
  readonly value: string;
  readonly says: string | undefined;
  /** Codes of the type column, where the mapping needs a table. */
  readonly entries: readonly DraftEntry[];
  /** Credit notes or correctives are among the documents. */
  readonly corrects: boolean;
  /** The ERP writes credit notes with a minus, the service takes them without. */
  readonly flips: boolean;
  /** An amount with the sign it is sent with. */
  readonly signed: (column: string) => string;
};

const CODES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:av|avoir|avc|credit ?memo|credit ?note|customer credit note|credit|cr|cn|nc|nota de credito|abono|a|381|out_refund|gs|g2|fre?c?tav|note de credit)$/i,
    'credit-note',
  ],
  [/^(?:rect|rectificative|corrective|fr|corr|384|facture rectificative|rectificativa)$/i, 'corrective'],
  [
    /^(?:fa|fac|fact|facture|fc|f|fv|inv|invo|invoice|customer invoice|in|380|out_invoice|f2|fattura|factura|ft|vente|re|i)$/i,
    'invoice',
  ],
];

export function understandClass(u: DraftAnalysis): DocumentClass {
  const parts = partsOf(u);
  const role = parts.role('docType');
  const name = u.file.normalize('NFD').replace(/\p{M}/gu, '');
  const negatives = documentsBelowZero(u);
  const flips = negatives.share > 0;
  if (role) return ofCodes(u, role.profile.values, negatives);
  const byName = classOfFileName(name);
  const mostlyBelow = negatives.share > 0.5;
  const original = parts.has('originalNumber') && parts.role('originalNumber')!.profile.filled === u.table.rows.length;
  const named = u.grouping.key?.name.normalize('NFD') ?? '';
  const found =
    byName ??
    (/avoir|credit/i.test(named) || mostlyBelow ? 'credit-note' : undefined) ??
    (/rect/i.test(named) || original ? 'corrective' : 'invoice');
  const evidence = () => {
    if (found === 'invoice') return 'no column tells the type: all are invoices?';
    if (byName) return 'the name of the file says so';
    return mostlyBelow ? 'the amounts are below zero' : 'the names of the columns say so';
  };
  const says = evidence();
  u.notes.ask(
    found === 'invoice' ? 38 : 58,
    'documents.class',
    `Class: ${found} (${says}). ${negatives.share > 0 && found === 'invoice' ? 'Some documents are below zero: are credit notes among them?' : 'Can other classes come in this file?'}`,
  );
  return {
    value: found,
    says,
    entries: [],
    corrects: found !== 'invoice',
    flips: flips && found === 'credit-note',
    signed: flips && found === 'credit-note' ? (column) => `-${column}` : (column) => column,
  };
}

function classOfFileName(name: string): 'credit-note' | 'corrective' | undefined {
  if (/^(?:av[or_-]?|avoir|credit|cn_|nc_)/i.test(name)) return 'credit-note';
  return /rect|corr/i.test(name) ? 'corrective' : undefined;
}

function ofCodes(
  u: DraftAnalysis,
  codes: ReadonlyMap<string, number>,
  negatives: { readonly of: (code: string) => boolean },
): DocumentClass {
  const parts = partsOf(u);
  const entries = [...codes].map(([code, rows]): DraftEntry => {
    const plain = code.normalize('NFD').replace(/\p{M}/gu, '');
    return { code, rows, value: CODES.find(([form]) => form.test(plain))?.[1], says: '' };
  });
  const open = entries.filter((entry) => entry.value === undefined).map(({ code }) => code);
  if (open.length > 0)
    u.notes.ask(
      91,
      'tables.class',
      `Document types that are not known: ${open.join(', ')}. Their documents are refused until table class knows them.`,
    );
  const credits = entries.filter((entry) => entry.value === 'credit-note').map(({ code }) => code);
  const below = credits.filter(negatives.of);
  const condition = below.map((code) => `${parts.column('docType')} = "${code.replaceAll('"', '""')}"`);
  const when = condition.length > 1 ? `OR(${condition.join(', ')})` : condition[0];
  if (when)
    u.notes.ask(
      56,
      'output.lines',
      `Credit notes have amounts below zero in the file and are sent without the minus: ${below.join(', ')}.`,
    );
  return {
    value: `{ from: ${JSON.stringify(parts.role('docType')!.column.name)}, table: class }`,
    says: undefined,
    entries,
    corrects: entries.some((entry) => entry.value !== 'invoice' && entry.value !== undefined),
    flips: when !== undefined,
    signed: when ? (column) => `IF(${when}, -${column}, ${column})` : (column) => column,
  };
}

/** Documents whose total, or most of whose quantities, are below zero. */
function documentsBelowZero(u: DraftAnalysis): { readonly share: number; readonly of: (code: string) => boolean } {
  const concept = ['totalGross', 'totalNet', 'lineNet', 'quantity', 'lineGross'].find((one) => u.roles.has(one));
  if (concept === undefined) return { share: 0, of: () => false };
  const amounts = u.amounts(u.roles.get(concept)!.column);
  const below = u.grouping.groups.filter(
    (group) => group.filter((at) => (amounts[at]?.units ?? 0) < 0).length * 2 > group.length,
  );
  const type = u.roles.get('docType');
  return {
    share: below.length / Math.max(u.grouping.groups.length, 1),
    of: (code) => below.some((group) => type?.column.cells[group[0]!] === code),
  };
}
