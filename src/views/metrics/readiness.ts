/**
 * Whether an instance can do its work now: for load balancers, containers and service managers. A look at the ledger comes
 * in, reasons come out, as words of a closed list; no data of documents. A ledger that does not open is a reason too.
 */
import { isInboxAway } from '../../inbox/inbox-away.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { OperatorError } from '../../model/fault.ts';
import { freeBytes } from '../queries/instance-health.ts';

/** Less free space than this is an error for `doctor` too. */
const SCANT_BYTES = 50 * 1024 ** 2;

/**
 * `reasons`: the code of the guard or of the error with which the ledger does not open; `quarantine`, `mappings-invalid`,
 * `inbox-away`, `disk-low`, `internal-error`. Empty if it is ready.
 */
export type Readiness = { readonly ready: boolean; readonly reasons: readonly string[] };

type Looked = {
  readonly instance: Pick<Instance, 'paths' | 'unusable'>;
  readonly ledger: Pick<Ledger, 'guard' | 'intake'>;
};

/** `look` opens the instance and its ledger, or throws. */
export async function readReadiness(
  look: (see: (view: Looked) => Promise<readonly string[]>) => Promise<readonly string[]>,
): Promise<Readiness> {
  const reasons = await look(reasonsOf).catch((error: unknown) => [
    error instanceof OperatorError ? error.code : 'internal-error',
  ]);
  return { ready: reasons.length === 0, reasons };
}

async function reasonsOf({ instance, ledger }: Looked): Promise<readonly string[]> {
  const free = freeBytes(instance.paths.state);
  return [
    ...(ledger.guard.send ? [] : [ledger.guard.code]),
    ...((await ledger.intake.quarantine()) ? ['quarantine'] : []),
    ...(instance.unusable ? ['mappings-invalid'] : []),
    ...(isInboxAway(instance.paths.inbox) ? ['inbox-away'] : []),
    ...(free !== undefined && free < SCANT_BYTES ? ['disk-low'] : []),
  ];
}
