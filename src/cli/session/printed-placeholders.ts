/**
 * Refuses placeholders that the program prints in its commands: a person who pastes a command as printed has not
 * written a value. Text comes in; OperatorError `fix/printed-value` or `decide/no-reason` is thrown.
 */

import { wordsOf } from '../../i18n/message.ts';
import { DECISION } from '../../i18n/messages/cli-decisions-messages.ts';
import { NEXT_STEP } from '../../i18n/messages/cli-views-messages.ts';
import { OperatorError } from '../../model/fault.ts';

/** Placeholders of reasons in hints, reports and receipts, in three languages. */
const REASONS: ReadonlySet<string> = new Set(['...', '…', 'TEXT', 'TEXTE', 'TEXTO', 'REASON', 'MOTIF', 'MOTIVO']);

/** Throws `fix/printed-value` for `fix F-1 Name=VALUE`: the word would be sent to the tax service. */
export function refusePrintedValue(text: string): void {
  if (!Object.values(wordsOf(NEXT_STEP.value())).includes(text.trim())) return;
  throw new OperatorError('fix/printed-value', DECISION.printedValue({ text }), { hint: DECISION.writeValue() });
}

/** Throws `decide/no-reason` for a placeholder: a decision needs a reason that explains it later. */
export function refusePrintedReason(text: string): void {
  if (!REASONS.has(text.trim())) return;
  throw new OperatorError('decide/no-reason', DECISION.printedReason({ text }), { hint: DECISION.writeReason() });
}
