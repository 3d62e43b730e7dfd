/** Moves the ledger of an instance between its folder and the server of its settings. Throws OperatorError `ledger/*`. */
import type { Message } from '../i18n/message.ts';
import { LEDGER_MOVE } from '../i18n/messages/send-guard-messages.ts';
import type { Instance } from '../instance/instance.ts';
import { ledgerSiteOf } from '../instance/ledger-site-of.ts';
import { chooseEngine, enginesOf } from '../ledger/choose-engine.ts';
import type { LedgerSite } from '../ledger/contract/ledger-site.ts';
import type { LedgerEngine } from '../ledger/engine/ledger-engine.ts';
import type { EngineName } from '../ledger/installation/move-marks.ts';
import { type MovedLedger, moveLedger } from '../ledger/moving/move-ledger.ts';
import { findRequestQueue } from '../ledger/requests/open-request-queue.ts';
import { OperatorError } from '../model/fault.ts';
import { type OnWait, ownLedgerPlace } from '../runs/open-run.ts';

export { ENGINES, type EngineName } from '../ledger/installation/move-marks.ts';

export async function moveLedgerOf(
  instance: Instance,
  { by, to, onWait }: { readonly by: string; readonly to: EngineName | undefined; readonly onWait?: OnWait },
): Promise<MovedLedger> {
  if (to === undefined) {
    throw new OperatorError('ledger/move-no-target', LEDGER_MOVE.needsTarget(), {
      hint: LEDGER_MOVE.needsTargetHint(),
    });
  }
  const place = ownLedgerPlace(instance, onWait);
  if (!place.postgres) {
    const own = await chooseEngine(place);
    if (to === 'sqlite' && (await own.exists())) throw alreadyThere(own, LEDGER_MOVE.alreadyUsedHint());
    throw new OperatorError('ledger/move-no-server', LEDGER_MOVE.needsSettings(), {
      hint: LEDGER_MOVE.needsSettingsHint(),
    });
  }
  const { sqlite, postgres } = await enginesOf({ ...place, postgres: place.postgres });
  const [from, target] = to === 'postgres' ? [sqlite, postgres] : [postgres, sqlite];
  if (!(await from.exists()) && (await target.exists())) {
    throw alreadyThere(target, to === 'postgres' ? LEDGER_MOVE.alreadyUsedHint() : LEDGER_MOVE.alreadyInFileHint());
  }
  await refuseWhileRequestsWait(to === 'postgres' ? { folder: place.folder } : ledgerSiteOf(instance));
  return await moveLedger({ place, from, to: target, by });
}

function alreadyThere({ shownPlace: to }: LedgerEngine, hint: Message): OperatorError {
  return new OperatorError('ledger/exists', LEDGER_MOVE.alreadyThere({ to }), { hint });
}

/** They are not part of the ledger: left in the queue of the source, none would ever be carried out. */
async function refuseWhileRequestsWait(site: LedgerSite): Promise<void> {
  const count = await countRequests(site);
  if (count === 0) return;
  throw new OperatorError('ledger/move-under-way', LEDGER_MOVE.requestsWait({ count }), {
    hint: LEDGER_MOVE.requestsWaitHint(),
  });
}

/** None where the source cannot be read: the move reports why. */
async function countRequests(site: LedgerSite): Promise<number> {
  try {
    await using queue = await findRequestQueue(site, 'holds');
    if (!queue) return 0;
    return (await queue.waiting()) + (await queue.waitingForPeople(new Date().toISOString())).length;
  } catch {
    return 0;
  }
}
