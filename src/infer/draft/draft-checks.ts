/** The checks of the draft of an invoice: what the ERP printed, in totals and next to the lines, against what is sent. */

import type { Message } from '../../i18n/message.ts';
import { AMOUNT_EVIDENCE, DRAFT_COMMENT } from '../../i18n/messages/infer-evidence-messages.ts';
import { CHECK_TEXT } from '../../i18n/messages/infer-messages.ts';
import { DRAFT_QUESTION } from '../../i18n/messages/infer-questions-messages.ts';
import { compareSums } from '../analysis/amount-evidence.ts';
import type { DraftAnalysis } from '../analysis/draft-analysis.ts';
import type { DocumentClass } from './document-class.ts';
import { type Draft, draftCheck } from './draft-values.ts';

/** `net` and `rate` are the columns that the draft calculates or reads them from, as formulas write them. */
export function writeDraftChecks(
  draft: Draft,
  kind: DocumentClass,
  { net, rate }: { readonly net: string; readonly rate: string },
): void {
  const { yaml, analysis, parts } = draft;
  const checks: [text: string, says: Message | undefined][] = [];
  const total = (concept: string) => (kind.flips ? `ABS(${parts.column(concept)})` : parts.column(concept));
  const agreement = (concept: string) => {
    const role = parts.requireRole(concept);
    const nets = analysis.amounts(role.column);
    return nets.length > 0 && analysis.grouping.constant(role.column)
      ? undefined
      : AMOUNT_EVIDENCE.sums({ count: compareSums(nets, role.column, analysis.amounts, analysis.grouping).of });
  };
  if (parts.has('totalNet') && parts.has('quantity'))
    checks.push([
      draftCheck(
        `ABS(SUM(${net}) - ${total('totalNet')}) <= 0.01 * COUNT()`,
        'error',
        CHECK_TEXT.netDiffers({ column: parts.requireRole('totalNet').column.name }),
        analysis,
      ),
      agreement('totalNet'),
    ]);
  if (parts.has('totalGross'))
    checks.push([
      draftCheck(
        `ABS(@totals.final-amount - ${total('totalGross')}) <= 0.02`,
        'error',
        CHECK_TEXT.grossDiffers({ column: parts.requireRole('totalGross').column.name }),
        analysis,
      ),
      agreement('totalGross'),
    ]);
  if (parts.has('lineGross') && !parts.has('totalGross'))
    checks.push([
      draftCheck(
        `ABS(@totals.final-amount - ${kind.flips ? `ABS(SUM(${parts.column('lineGross')}))` : `SUM(${parts.column('lineGross')})`}) <= 0.01 * COUNT() + 0.01`,
        'error',
        CHECK_TEXT.grossDiffersFromSum({ column: parts.requireRole('lineGross').column.name }),
        analysis,
      ),
      undefined,
    ]);
  if (parts.has('lineNet') && parts.has('quantity'))
    checks.push([
      draftCheck(
        `ABS(SUM(${net}) - ${kind.flips ? `ABS(SUM(${parts.column('lineNet')}))` : `SUM(${parts.column('lineNet')})`}) <= 0.01 * COUNT()`,
        'error',
        CHECK_TEXT.linesDiffer({ column: parts.requireRole('lineNet').column.name }),
        analysis,
      ),
      undefined,
    ]);
  for (const text of siblingChecks(
    analysis,
    kind,
    net,
    parts.has('vatRate') || analysis.vat.kind !== 'fixed' ? rateIn(rate) : undefined,
  ))
    checks.push([text, undefined]);
  if (parts.has('due') && parts.has('date'))
    checks.push([
      draftCheck(`${parts.column('due')} >= ${parts.column('date')}`, 'warning', CHECK_TEXT.dueTooEarly(), analysis),
      undefined,
    ]);
  if (checks.length === 0) {
    analysis.notes.addQuestion(46, 'checks', DRAFT_QUESTION.noChecks());
    return;
  }
  yaml.put(0, 'checks:', DRAFT_COMMENT.checks());
  for (const [text, says] of checks) yaml.put(2, text, says);
  yaml.blank();
}

/** The reference inside a value of the draft: `$rate`, or `= $[Taux %]`. */
function rateIn(rate: string): string {
  return rate.replace(/^["']|["']$/g, '').replace(/^= /, '');
}

/** Records next to the lines say what the lines and the totals say, per rate too where they name one. */
function siblingChecks(
  analysis: DraftAnalysis,
  kind: DocumentClass,
  net: string,
  rate: string | undefined,
): readonly string[] {
  return analysis.lists.flatMap(({ name, fieldOf }) => {
    const sum = (formula: string) => (kind.flips ? `ABS(SUM(${formula}))` : `SUM(${formula})`);
    const field = (meaning: keyof typeof fieldOf) => `$${fieldOf[meaning]!}`;
    return [
      ...(fieldOf.net
        ? [
            draftCheck(
              `ABS(${sum(field('net'))} - SUM(${net})) <= 0.01 * COUNT()`,
              'error',
              CHECK_TEXT.recordsNetDiffers({ name }),
              analysis,
            ),
          ]
        : []),
      ...(fieldOf.tax
        ? [
            draftCheck(
              `ABS(${sum(field('tax'))} - (@totals.final-amount - SUM(${net}))) <= 0.01 * COUNT()`,
              'error',
              CHECK_TEXT.recordsTaxDiffers({ name }),
              analysis,
            ),
          ]
        : []),
      ...(fieldOf.gross
        ? [
            draftCheck(
              `ABS(${sum(field('gross'))} - @totals.final-amount) <= 0.01 * COUNT()`,
              'error',
              CHECK_TEXT.recordsGrossDiffers({ name }),
              analysis,
            ),
          ]
        : []),
      ...(fieldOf.net && fieldOf.rate && rate
        ? [
            draftCheck(
              `ABS(${sum(`${field('net')} * ${field('rate')}`)} - SUM(${net} * ${rate})) <= COUNT()`,
              'error',
              CHECK_TEXT.recordsRateDiffers({ name }),
              analysis,
            ),
          ]
        : []),
    ];
  });
}
