/**
 * What a crash or an interruption left, brought to order before anything new begins.
 *
 * Found `sending`: with its stored answer it is judged now; without, its fate is unknown and stays so until a person or
 * a consultation tells. Found `loading`: started over. Copies without a ledger row: opened as if just claimed.
 */
import { recoverProcessing } from '../inbox/recover.ts';
import { because, type Verdict } from '../model/answer.ts';
import { strayTemporaries } from '../receipts/stray.ts';
import { finishArchiving } from './file-away.ts';
import { knownNumber } from './sending/send.ts';
import { STOPPED } from './sentences.ts';
import { ownerName } from './taking-in/owner.ts';
import type { Work } from './work.ts';

const MINUTE_MS = 60_000;

export async function recover(work: Work): Promise<void> {
  const inDoubt = await settleInterrupted(work);
  await strayTemporaries(work.instance.folder, work.startedAt.getTime());
  await finishArchiving(work);
  const files = await reopenCopies(work);
  if (files > 0 || inDoubt > 0) work.tell({ what: 'recovered', files, inDoubt });
}

async function settleInterrupted(work: Work): Promise<number> {
  let inDoubt = 0;
  for (const { due, n, requestId, exchange } of await work.ledger.interrupted()) {
    const now = work.clock.now();
    const line = work.lines.get(due.service);
    let verdict: Verdict;
    if (exchange && line) {
      const ours = {
        class: due.class,
        ...knownNumber(await work.ledger.contentOf(due.id), due.identifier),
        requestId,
        now,
        tokenRenewed: true,
        tries: due.tries,
        random: work.random,
      };
      verdict = line.destination.judge(exchange, ours);
    } else {
      verdict = {
        state: 'in-doubt',
        ...because(STOPPED.sending()),
        consultAt: now.getTime() + 5 * MINUTE_MS,
      };
    }
    if (verdict.state === 'in-doubt') inDoubt++;
    await work.ledger.finish({ due, n }, verdict, now.toISOString());
    work.tell({
      what: 'document',
      id: due.id,
      identifier: due.identifier,
      state: verdict.state,
      reason: verdict.reason,
    });
  }
  return inDoubt;
}

async function reopenCopies({ ledger, instance, run, day, clock }: Work): Promise<number> {
  const known = new Set((await ledger.openFiles()).map(({ path }) => path));
  const { copies } = await recoverProcessing(instance.paths.processing, instance.paths.inbox, run);
  let opened = 0;
  for (const { faults, run: _, uid, ...copy } of copies) {
    if (known.has(copy.path)) continue;
    const file = await ledger.openFile({
      ...copy,
      claimedAt: clock.now().toISOString(),
      owner: ownerName(uid),
      day,
      run,
    });
    if (faults.length > 0) await ledger.refuseFile(file.id, { faults, rows: 0, leftOut: [] });
    opened++;
  }
  for (const file of await ledger.openFiles()) if (file.state === 'loading') await ledger.restartFile(file.id);
  return opened;
}
