/** What only one worker does at a time, and whether this program is that worker. */
import { leaseLost } from '../../ledger/contract/lease-lost.ts';
import type { RoleName } from '../../ledger/contract/worker-store.ts';
import type { Exchange } from '../../model/answer.ts';
import type { RunContext } from './run-context.ts';

/** Always true where one program works alone. */
export function mayDo({ ledger }: Pick<RunContext, 'ledger'>, role: RoleName): boolean {
  return ledger.roles?.holds(role) ?? true;
}

/** Why no byte of a request left: this worker may not send any more. */
export function notOurs(): Exchange {
  const { code, message, texts } = leaseLost();
  return { sent: false, error: { code, message, words: texts.message } };
}
