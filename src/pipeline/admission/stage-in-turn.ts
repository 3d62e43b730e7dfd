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
export async function stageInTurn(
  context: RunContext,
  id: string,
  outcomes: readonly DocumentOutcome[],
): Promise<void> {
  await inShortCommits(context, outcomes, (some) => stageSome(context, id, some));
}

async function stageSome(context: RunContext, id: string, outcomes: readonly DocumentOutcome[]): Promise<void> {
  while (!context.stop.aborted) {
    try {
      return await context.ledger.intake.stage(id, outcomes);
    } catch (error) {
      if (!(error instanceof BusyIdentityError) || error.file < id) throw error;
      if (error.file === id) throw new Error(error.message, { cause: error });
      await untilSettled(context, error.file);
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
export async function readInTurn<T>(context: RunContext, id: string, read: () => Promise<T>): Promise<T | undefined> {
  let idle = 0;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!startsOver(error, id)) throw error;
      if (idle > MOST_AGAIN) throw new Error(error.message, { cause: error });
      await context.ledger.intake.restartFile(id, context.stop);
      idle = (await waitAfter(context, error)) ? 0 : idle + 1;
      // Decided and recorded: the next run goes on with it.
      if (context.stop.aborted) return undefined;
    }
  }
}

function startsOver(error: unknown, id: string): error is AttachmentGrowingError | BusyIdentityError {
  return error instanceof AttachmentGrowingError || (error instanceof BusyIdentityError && error.file !== id);
}

/** False if there was nothing to wait for. */
async function waitAfter(context: RunContext, error: AttachmentGrowingError | BusyIdentityError): Promise<boolean> {
  if (error instanceof BusyIdentityError) return await untilSettled(context, error.file);
  await waitForAttachments(context);
  return true;
}
