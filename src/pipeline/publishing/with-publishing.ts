/**
 * Work with its results published: receipts follow while it runs, and however it ends, all recorded facts become files.
 */

import { isOutOfRoom } from '../../files/errno-name.ts';
import { diskTrouble } from '../../files/write-durable.ts';
import { mayDo } from '../context/may-do.ts';
import type { PipelineEvent, RunContext } from '../context/run-context.ts';
import { completeFiles, type ReceiptWriter, writeDueReceipts } from './publish-results.ts';

/**
 * Returns the result of `act` or throws its error, after publishing in both cases. A full disk becomes its
 * OperatorError.
 */
export async function withPublishing<T>(
  context: RunContext,
  receipts: ReceiptWriter,
  act: () => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await act();
  } catch (error) {
    await publishResults(context, receipts).catch(() => undefined);
    throw toStorageError(context, error);
  }
  await publishResults(context, receipts).catch((error: unknown) => {
    throw toStorageError(context, error);
  });
  return result;
}

/** A full disk gets the same error wherever it is noticed first. */
function toStorageError({ instance }: RunContext, error: unknown): unknown {
  const { path } = error as NodeJS.ErrnoException;
  return isOutOfRoom(error) ? diskTrouble(error, path ?? instance.folder) : error;
}

async function publishResults(context: RunContext, receipts: ReceiptWriter): Promise<void> {
  await receipts.end();
  if (!mayDo(context, 'receipts')) return;
  await writeDueReceipts(context, { waiting: true });
  await completeFiles(context);
  await context.ledger.receipts.sealEvents();
}

/** The context with an `emit` that also wakes the receipt writer, and counts admitted and sent documents. */
export function withWakeUps(
  context: RunContext,
  wake: (more?: 'waiting') => void,
  admitted = () => {},
  sent = () => {},
): RunContext {
  const emit: RunContext['emit'] = (event) => {
    context.emit(event);
    if (event.what === 'file-admitted') admitted();
    if (event.what === 'document') sent();
    if (RECEIPTS_FOLLOW.has(event.what)) wake();
  };
  return { ...context, emit };
}

const RECEIPTS_FOLLOW: ReadonlySet<PipelineEvent['what']> = new Set([
  'document',
  'mapping-held',
  'file-admitted',
  'file-refused',
  'file-duplicate',
  'act',
]);
