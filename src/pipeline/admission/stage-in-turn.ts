/**
 * Two files with the same document, read at the same moment by two workers: one waits for the other, and then decides again. The
 * file that was claimed first keeps what it has staged; the other one drops it and starts over, so that they never wait for each
 * other. Any other error passes to the caller.
 */
import { BusyIdentityError } from '../../ledger/contract/busy-identity.ts';
import type { DocumentOutcome } from '../../model/document.ts';
import type { RunContext } from '../context/run-context.ts';
import { inShortCommits } from '../context/short-commits.ts';
import { waitForAttachments } from '../sources/attachments-of.ts';
import { AttachmentGrowingError } from '../sources/open-attachments.ts';

const LOOK_MS = 100;

/** Stages outcomes of a file. Throws BusyIdentityError if the file has to start over after the other one. */
export async function stageInTurn(work: RunContext, id: string, outcomes: readonly DocumentOutcome[]): Promise<void> {
  await inShortCommits(work, outcomes, (some) => stageSome(work, id, some));
}

async function stageSome(work: RunContext, id: string, outcomes: readonly DocumentOutcome[]): Promise<void> {
  while (!work.stop.aborted) {
    try {
      return await work.ledger.stage(id, outcomes);
    } catch (error) {
      if (!(error instanceof BusyIdentityError) || error.file < id) throw error;
      if (error.file === id) throw new Error(error.message, { cause: error });
      await untilSettled(work, error.file);
    }
  }
}

/** Waits until nothing of a file that does not count yet is staged, or the program is asked to end. */
export async function untilSettled({ ledger, clock, stop }: RunContext, file: string): Promise<void> {
  while (!stop.aborted && (await ledger.isBeingStaged(file))) await clock.sleep(LOOK_MS, stop);
}

/** Makes a reading of some documents of a file as often as it has to start over: after another file, or with another attachment. */
export async function readInTurn<T>(work: RunContext, id: string, read: () => Promise<T>): Promise<T | undefined> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const isReplaced = error instanceof AttachmentGrowingError;
      if (!isReplaced && (!(error instanceof BusyIdentityError) || error.file === id)) throw error;
      await work.ledger.restartFile(id, work.stop);
      if (isReplaced) await waitForAttachments(work);
      else await untilSettled(work, error.file);
      // Decided and recorded: the next run goes on with it.
      if (work.stop.aborted) return undefined;
    }
  }
}
