/** What only one worker does at a time, and whether this program is that worker. */
import type { RoleName } from '../../ledger/contract/worker-store.ts';
import type { RunContext } from './run-context.ts';

/** Always true where one program works alone. */
export function mayDo({ ledger }: Pick<RunContext, 'ledger'>, role: RoleName): boolean {
  return ledger.roles?.holds(role) ?? true;
}
