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
/** So often a reading may start over after a file that nothing is read of any more: it may just have ended each time. */
const MOST_AGAIN = 20;

/** Stages outcomes of a file. Throws BusyIdentityError if the file has to start over after the other one. */
export async function stageInTurn(work: RunContext, id: string, outcomes: readonly DocumentOutcome[]): Promise<void> {
  await inShortCommits(work, outcomes, (some) => stageSome(work, id, some));
}

async function stageSome(work: RunContext, id: string, outcomes: readonly DocumentOutcome[]): Promise<void> {
  while (!work.stop.aborted) {
    try {
      return await work.ledger.intake.stage(id, outcomes);
    } catch (error) {
      if (!(error instanceof BusyIdentityError) || error.file < id) throw error;
      if (error.file === id) throw new Error(error.message, { cause: error });
      await untilSettled(work, error.file);
    }
  }
}

/** Waits until nothing of a file that does not count yet is staged, or the program is asked to end. False if nothing was. */
export async function untilSettled({ ledger, clock, stop }: RunContext, file: string): Promise<boolean> {
  let waits = false;
  while (!stop.aborted && (await ledger.intake.isBeingStaged(file))) {
    waits = true;
    await clock.sleep(LOOK_MS, stop);
  }
  return waits;
}

/**
 * Makes a reading of some documents of a file as often as it has to start over: after another file, or with another attachment. Where
 * there is no other file to wait for, it would never end: that is a mistake of the program, and refuses the reading.
 */
export async function readInTurn<T>(work: RunContext, id: string, read: () => Promise<T>): Promise<T | undefined> {
  let idle = 0;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!startsOver(error, id)) throw error;
      if (idle > MOST_AGAIN) throw new Error(error.message, { cause: error });
      await work.ledger.intake.restartFile(id, work.stop);
      idle = (await waitAfter(work, error)) ? 0 : idle + 1;
      // Decided and recorded: the next run goes on with it.
      if (work.stop.aborted) return undefined;
    }
  }
}

function startsOver(error: unknown, id: string): error is AttachmentGrowingError | BusyIdentityError {
  return error instanceof AttachmentGrowingError || (error instanceof BusyIdentityError && error.file !== id);
}

/** False if there was nothing to wait for. */
async function waitAfter(work: RunContext, error: AttachmentGrowingError | BusyIdentityError): Promise<boolean> {
  if (error instanceof BusyIdentityError) return await untilSettled(work, error.file);
  await waitForAttachments(work);
  return true;
}
