/**
 * The `controls` of a source: values in a preamble or trailer with what the file must hold, such as a count of rows.
 * Here are the settings that all formats share, as zod shapes; the format adds the place of the value. A setting that
 * contradicts another becomes an issue of zod.
 */
import { z } from 'zod';
import type { Message } from '../i18n/message.ts';
import { READER_OPTION } from '../i18n/messages/readers-messages.ts';
import { addProblem } from '../model/shape-issue.ts';

const decimals = z.int().min(1).max(9).optional();

/** The settings of a control that do not depend on the format: it counts documents or rows, or adds up a column. */
export const controlFields = {
  'count-of': z.enum(['documents', 'rows']).optional(),
  'sum-of': z.string().min(1).optional().describe('A number column, of the file or calculated'),
  'once-per': z
    .enum(['document', 'row'])
    .optional()
    .describe('With sum-of: document for a header column repeated on each row, row for a line column'),
  'implied-decimals': decimals.describe('The value is written without a decimal mark: so many of its digits follow it'),
};

type Given = {
  readonly 'count-of'?: string | undefined;
  readonly 'sum-of'?: string | undefined;
  readonly 'once-per'?: string | undefined;
};

/** For `superRefine` of one control: exactly one of `count-of` and `sum-of`, and `once-per` with `sum-of` alone. */
export function checkControl(control: Given, context: z.core.$RefinementCtx): void {
  const problem = findControlProblem(control);
  if (problem !== undefined) addProblem(context, problem);
}

function findControlProblem({ 'count-of': count, 'sum-of': sum, 'once-per': once }: Given): Message | undefined {
  if ((count === undefined) === (sum === undefined)) return READER_OPTION.countOrSum();
  if (sum !== undefined && once === undefined) return READER_OPTION.needsOncePer();
  return count !== undefined && once !== undefined ? READER_OPTION.oncePerOfSum() : undefined;
}
