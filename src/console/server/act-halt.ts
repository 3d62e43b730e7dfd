/**
 * Why the console takes no act now, as an error that says what to do; undefined if it takes acts. Reads only. While the
 * ledger may not send, or a restored one waits for a person, a click must not change what people still have to compare.
 */
import { ACT_HALT } from '../../i18n/messages/console/console-server-messages.ts';
import { QUARANTINE_CAUSE } from '../../i18n/messages/ledger-messages.ts';
import { SEND_GUARD } from '../../i18n/messages/send-guard-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import { OperatorError } from '../../model/fault.ts';

type View = { readonly instance: Pick<Instance, 'unusable'>; readonly ledger: Ledger };

const known = new WeakMap<Ledger, Promise<OperatorError | undefined>>();

/** As of this look at the ledger. */
export async function whyNoAct({ instance, ledger }: View) {
  if (instance.unusable) return instance.unusable;
  const why = known.get(ledger) ?? haltOf(ledger);
  known.set(ledger, why);
  return await why;
}

async function haltOf(ledger: Ledger): Promise<OperatorError | undefined> {
  const { guard } = ledger;
  if (!guard.send) return new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingChanged() });
  const quarantine = await ledger.intake.quarantine();
  if (!quarantine) return undefined;
  const says = ACT_HALT.quarantine({ why: QUARANTINE_CAUSE[quarantine.why]() });
  return new OperatorError('act/quarantine', says, { hint: ACT_HALT.endQuarantine() });
}
