/** What the program prints in its commands where a person has to write something: pasted as printed, it means nothing. */

import { wordsOf } from '../../i18n/message.ts';
import { DECISION } from '../../i18n/messages/cli-decisions-messages.ts';
import { NEXT_STEP } from '../../i18n/messages/cli-views-messages.ts';
import { OperatorError } from '../../model/fault.ts';

/** Of hints and reports, of receipts, of commands of the ledger. */
const REASONS: ReadonlySet<string> = new Set(['...', '…', 'TEXT', 'TEXTE', 'TEXTO', 'REASON', 'MOTIF', 'MOTIVO']);

/** Throws for `fix F-1 Name=VALUE`: the word would go to the tax service. */
export function refusePrintedValue(text: string): void {
  if (!Object.values(wordsOf(NEXT_STEP.value())).includes(text.trim())) return;
  throw new OperatorError('fix/printed-value', DECISION.printedValue({ text }), { hint: DECISION.writeValue() });
}

export function refusePrintedReason(text: string): void {
  if (!REASONS.has(text.trim())) return;
  throw new OperatorError('decide/no-reason', DECISION.printedReason({ text }), { hint: DECISION.writeReason() });
}
