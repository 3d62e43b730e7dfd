/** The checks of the draft of an invoice: what the ERP printed, in totals and next to the lines, against what is sent. */

import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE, DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { CHECK_TEXT } from '../../i18n/messages/infer-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { compareSums } from '../analysis/amount-evidence.ts';
import type { SiblingList } from '../analysis/sibling-records.ts';
import type { DocumentClass } from './document-class.ts';
import { draftCheck, type MappingDraft } from './draft-values.ts';

/** `that` holds or the document is refused with `says`; `level` is error unless given. */
type Check = {
  readonly that: string;
  readonly says: Message;
  readonly level?: 'warning';
  readonly comment?: Message | undefined;
};

/** Names of columns as formulas write them. */
type Names = { readonly net: string; readonly rate: string };

/** `net` and `rate` are the columns that the draft calculates or reads them from. */
export function writeDraftChecks(draft: MappingDraft, kind: DocumentClass, names: Names): void {
  const { yaml, analysis, parts } = draft;
  const isRated = parts.has('vatRate') || analysis.vat.kind !== 'fixed';
  const rate = isRated ? referenceIn(names.rate) : undefined;
  const { absolute, sum } = signsOf(kind);
  const checks = [
    ...totalChecks(draft, names.net, absolute),
    ...lineChecks(draft, names.net, sum),
    ...analysis.lists.flatMap((list) => siblingChecks(list, names.net, rate, sum)),
    ...dateChecks(draft),
  ];
  if (checks.length === 0) {
    analysis.notes.addQuestion(46, 'checks', DRAFT_QUESTION.noChecks());
    return;
  }
  yaml.put(0, 'checks:', DRAFT_COMMENT.checks());
  for (const { that, says, level = 'error', comment } of checks)
    yaml.put(2, draftCheck(that, level, says, analysis), comment);
  yaml.blank();
}

/** Amounts that the ERP writes with a minus are sent without it. */
function signsOf({ flips }: DocumentClass) {
  const absolute = (formula: string) => (flips ? `ABS(${formula})` : formula);
  return { absolute, sum: (formula: string) => absolute(`SUM(${formula})`) };
}

function totalChecks({ analysis, parts }: MappingDraft, net: string, absolute: (formula: string) => string): Check[] {
  const totalOf = (concept: string) => {
    const { column } = parts.requireRole(concept);
    const totals = analysis.amounts(column);
    const isOfDocument = totals.length > 0 && analysis.grouping.constant(column);
    const comment = isOfDocument
      ? undefined
      : AMOUNT_EVIDENCE.sums({ count: compareSums(totals, column, analysis.amounts, analysis.grouping).of });
    return { column: column.name, formula: absolute(parts.column(concept)), comment };
  };
  const checks: Check[] = [];
  if (parts.has('totalNet') && parts.has('quantity')) {
    const { column, formula, comment } = totalOf('totalNet');
    const that = `ABS(SUM(${net}) - ${formula}) <= 0.01 * COUNT()`;
    checks.push({ that, says: CHECK_TEXT.netDiffers({ column }), comment });
  }
  if (parts.has('totalGross')) {
    const { column, formula, comment } = totalOf('totalGross');
    const that = `ABS(@totals.final-amount - ${formula}) <= 0.02`;
    checks.push({ that, says: CHECK_TEXT.grossDiffers({ column }), comment });
  }
  return checks;
}

function lineChecks({ parts }: MappingDraft, net: string, sum: (formula: string) => string): Check[] {
  const checks: Check[] = [];
  const nameOf = (concept: string) => ({ column: parts.requireRole(concept).column.name });
  if (parts.has('lineGross') && !parts.has('totalGross')) {
    const that = `ABS(@totals.final-amount - ${sum(parts.column('lineGross'))}) <= 0.01 * COUNT() + 0.01`;
    checks.push({ that, says: CHECK_TEXT.grossDiffersFromSum(nameOf('lineGross')) });
  }
  if (parts.has('lineNet') && parts.has('quantity')) {
    const that = `ABS(SUM(${net}) - ${sum(parts.column('lineNet'))}) <= 0.01 * COUNT()`;
    checks.push({ that, says: CHECK_TEXT.linesDiffer(nameOf('lineNet')) });
  }
  return checks;
}

function dateChecks({ parts }: MappingDraft): Check[] {
  if (!parts.has('due') || !parts.has('date')) return [];
  const that = `${parts.column('due')} >= ${parts.column('date')}`;
  return [{ that, says: CHECK_TEXT.dueTooEarly(), level: 'warning' }];
}

/** The reference inside a value of the draft: `$rate`, or `= $[Taux %]`. */
function referenceIn(rate: string): string {
  return rate.replace(/^["']|["']$/g, '').replace(/^= /, '');
}

/** Records next to the lines against the lines and the totals, per rate too where they have one. */
function siblingChecks(
  { name, fieldOf }: SiblingList,
  net: string,
  rate: string | undefined,
  sum: (formula: string) => string,
): Check[] {
  const checks: Check[] = [];
  if (fieldOf.net) {
    const that = `ABS(${sum(`$${fieldOf.net}`)} - SUM(${net})) <= 0.01 * COUNT()`;
    checks.push({ that, says: CHECK_TEXT.recordsNetDiffers({ name }) });
  }
  if (fieldOf.tax) {
    const that = `ABS(${sum(`$${fieldOf.tax}`)} - (@totals.final-amount - SUM(${net}))) <= 0.01 * COUNT()`;
    checks.push({ that, says: CHECK_TEXT.recordsTaxDiffers({ name }) });
  }
  if (fieldOf.gross) {
    const that = `ABS(${sum(`$${fieldOf.gross}`)} - @totals.final-amount) <= 0.01 * COUNT()`;
    checks.push({ that, says: CHECK_TEXT.recordsGrossDiffers({ name }) });
  }
  if (fieldOf.net && fieldOf.rate && rate) {
    const that = `ABS(${sum(`$${fieldOf.net} * $${fieldOf.rate}`)} - SUM(${net} * ${rate})) <= COUNT()`;
    checks.push({ that, says: CHECK_TEXT.recordsRateDiffers({ name }) });
  }
  return checks;
}
