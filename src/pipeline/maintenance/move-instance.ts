/** Moves the ledger of an instance between its folder and the server of its settings. Throws OperatorError `ledger/*`. */
import { LEDGER_MOVE } from '../../i18n/messages/send-guard-messages.ts';
import type { Instance } from '../../instance/instance.ts';
import { enginesOf } from '../../ledger/choose-engine.ts';
import type { EngineName } from '../../ledger/installation/move-marks.ts';
import { type MovedLedger, moveLedger } from '../../ledger/moving/move-ledger.ts';
import { OperatorError } from '../../model/fault.ts';
import { ledgerPlaceOf } from '../open-run.ts';

export { ENGINES, type EngineName } from '../../ledger/installation/move-marks.ts';

export async function moveLedgerOf(
  instance: Instance,
  { by, to }: { readonly by: string; readonly to: EngineName | undefined },
): Promise<MovedLedger> {
  if (to === undefined) {
    throw new OperatorError('ledger/move-no-target', LEDGER_MOVE.needsTarget(), {
      hint: LEDGER_MOVE.needsTargetHint(),
    });
  }
  const place = ledgerPlaceOf(instance);
  if (!place.postgres) {
    throw new OperatorError('ledger/move-no-server', LEDGER_MOVE.needsSettings(), {
      hint: LEDGER_MOVE.needsSettingsHint(),
    });
  }
  const { sqlite, postgres } = await enginesOf({ ...place, postgres: place.postgres });
  const [from, target] = to === 'postgres' ? [sqlite, postgres] : [postgres, sqlite];
  return await moveLedger({ place, from, to: target, by });
}
