/** A ledger whose bytes differ from what was written: Nightpost sends nothing with it, and the remedy is always the same. */
import type { Message } from '../i18n/message.ts';
import { LEDGER_FILE } from '../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { restoreHint } from './restore-hint.ts';

/** `ledger/damaged`. Without `file` the ledger was whole when it was opened. */
export function damagedLedger(file: string | undefined, problem: string | Message, cause?: unknown): OperatorError {
  const message =
    file === undefined ? LEDGER_FILE.damagedWhileOpen({ problem }) : LEDGER_FILE.damaged({ file, problem });
  return new OperatorError('ledger/damaged', message, {
    hint: LEDGER_FILE.damagedHint({ restore: restoreHint(file) }),
    cause,
  });
}
