/** `ledger/lease-lost`: the lease of this worker may have ended, so others may have taken over what it had under way. */
import { LEDGER_WORKER } from '../../i18n/messages/ledger-messages.ts';
import { OperatorError } from '../../model/fault.ts';

export function leaseLost(): OperatorError {
  return new OperatorError('ledger/lease-lost', LEDGER_WORKER.leaseLost(), { hint: LEDGER_WORKER.leaseLostHint() });
}
