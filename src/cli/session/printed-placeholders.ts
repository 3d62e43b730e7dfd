/** What the program prints in its commands where a person has to write something: pasted as printed, it means nothing. */

import { wordsOf } from '../../i18n/message.ts';
import { DECIDE, WAY } from '../../i18n/messages/cli-messages.ts';
import { OperatorError } from '../../model/fault.ts';

/** Of hints and reports, of receipts, of commands of the ledger. */
const REASONS: ReadonlySet<string> = new Set(['...', '…', 'TEXT', 'TEXTE', 'TEXTO', 'REASON', 'MOTIF', 'MOTIVO']);

/** Throws for `fix F-1 Name=VALUE`: the word would go to the tax service. */
export function refusePrintedValue(text: string): void {
  if (!Object.values(wordsOf(WAY.value())).includes(text.trim())) return;
  throw new OperatorError('fix/printed-value', DECIDE.printedValue({ text }), { hint: DECIDE.writeValue() });
}

export function refusePrintedReason(text: string): void {
  if (!REASONS.has(text.trim())) return;
  throw new OperatorError('decide/no-reason', DECIDE.printedReason({ text }), { hint: DECIDE.writeReason() });
}
