/** Invoice, credit note or corrective: from a column of types, else from the name of the file and the signs. */

import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE } from '../../i18n/messages/infer-evidence-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import { createDraftColumns, type DraftEntry } from './draft-values.ts';

/** The class of the documents of a draft, and the sign of their amounts. */
export type DocumentClass = {
  /** As the mapping writes it. */
  readonly value: string;
  readonly says: Message | undefined;
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

/** Adds a question unless a column of types shows the class of each document. */
export function classifyDocuments(analysis: DraftAnalysis): DocumentClass {
  const parts = createDraftColumns(analysis);
  const role = parts.role('docType');
  const name = analysis.file.normalize('NFD').replace(/\p{M}/gu, '');
  const negatives = findNegativeDocuments(analysis);
  const flips = negatives.share > 0;
  if (role) return classifyByCodes(analysis, role.profile.values, negatives);
  const byName = classOfFileName(name);
  const mostlyBelow = negatives.share > 0.5;
  const original =
    parts.has('originalNumber') && parts.requireRole('originalNumber').profile.filled === analysis.table.rows.length;
  const named = analysis.grouping.key?.name.normalize('NFD') ?? '';
  const found =
    byName ??
    (/avoir|credit/i.test(named) || mostlyBelow ? 'credit-note' : undefined) ??
    (/rect/i.test(named) || original ? 'corrective' : 'invoice');
  const evidence = () => {
    if (found === 'invoice') return AMOUNT_EVIDENCE.allInvoices();
    if (byName) return AMOUNT_EVIDENCE.classByFile();
    return mostlyBelow ? AMOUNT_EVIDENCE.classByAmounts() : AMOUNT_EVIDENCE.classByColumns();
  };
  const says = evidence();
  const isMixed = found === 'invoice' && negatives.share > 0;
  const question = isMixed ? DRAFT_QUESTION.classNegatives : DRAFT_QUESTION.classOther;
  const weight = found === 'invoice' ? 38 : 58;
  analysis.notes.addQuestion(weight, 'documents.class', question({ class: found, reason: says }));
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

function classifyByCodes(
  analysis: DraftAnalysis,
  codes: ReadonlyMap<string, number>,
  negatives: { readonly of: (code: string) => boolean },
): DocumentClass {
  const parts = createDraftColumns(analysis);
  const entries = [...codes].map(([code, rows]): DraftEntry => {
    const plain = code.normalize('NFD').replace(/\p{M}/gu, '');
    return { code, rows, value: CODES.find(([form]) => form.test(plain))?.[1], says: undefined };
  });
  const open = entries.filter((entry) => entry.value === undefined).map(({ code }) => code);
  if (open.length > 0) analysis.notes.addQuestion(91, 'tables.class', DRAFT_QUESTION.openTypes({ codes: open }));
  const credits = entries.filter((entry) => entry.value === 'credit-note').map(({ code }) => code);
  const below = credits.filter(negatives.of);
  const condition = below.map((code) => `${parts.column('docType')} = "${code.replaceAll('"', '""')}"`);
  const when = condition.length > 1 ? `OR(${condition.join(', ')})` : condition[0];
  if (when) analysis.notes.addQuestion(56, 'output.lines', DRAFT_QUESTION.negativeCredits({ codes: below }));
  return {
    value: `{ from: ${JSON.stringify(parts.requireRole('docType').column.name)}, table: class }`,
    says: undefined,
    entries,
    corrects: entries.some((entry) => entry.value !== 'invoice' && entry.value !== undefined),
    flips: when !== undefined,
    signed: when ? (column) => `IF(${when}, -${column}, ${column})` : (column) => column,
  };
}

/** Documents whose total, or most of whose quantities, are below zero. */
function findNegativeDocuments(analysis: DraftAnalysis): {
  readonly share: number;
  readonly of: (code: string) => boolean;
} {
  const signed = ['totalGross', 'totalNet', 'lineNet', 'quantity', 'lineGross'];
  const [role] = signed.flatMap((concept) => analysis.roles.get(concept) ?? []);
  if (!role) return { share: 0, of: () => false };
  const amounts = analysis.amounts(role.column);
  const below = analysis.grouping.groups.filter(
    (group) => group.filter((at) => (amounts[at]?.units ?? 0) < 0).length * 2 > group.length,
  );
  const type = analysis.roles.get('docType');
  return {
    share: below.length / Math.max(analysis.grouping.groups.length, 1),
    of: (code) => below.some(([first = -1]) => type?.column.cells[first] === code),
  };
}
