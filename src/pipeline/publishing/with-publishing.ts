/**
 * Work around which results are published: receipts follow while it goes on, and however it ends, everything that is
 * known becomes files.
 */
import { diskTrouble } from '../../files/write-durable.ts';
import type { PipelineEvent, RunContext } from '../context/run-context.ts';
import { completeFiles, type ReceiptWriter, writeDueReceipts } from './publish-results.ts';

/** However the work ends, everything that is known becomes files; its own error is the one that counts. */
export async function withPublishing<T>(work: RunContext, receipts: ReceiptWriter, act: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await act();
  } catch (error) {
    await publishResults(work, receipts).catch(() => undefined);
    throw toStorageError(work, error);
  }
  await publishResults(work, receipts).catch((error: unknown) => {
    throw toStorageError(work, error);
  });
  return result;
}

/** A full disk is told as one wherever it was met first. */
function toStorageError({ instance }: RunContext, error: unknown): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? diskTrouble(error, path ?? instance.folder) : error;
}

async function publishResults(work: RunContext, receipts: ReceiptWriter): Promise<void> {
  await receipts.end();
  await writeDueReceipts(work, { waiting: true });
  await completeFiles(work);
}

/** What comes to rest wakes the writer of receipts. */
export function withWakeUps(
  work: RunContext,
  wake: (more?: 'waiting') => void,
  admitted = () => {},
  sent = () => {},
): RunContext {
  const emit: RunContext['emit'] = (happening) => {
    work.emit(happening);
    if (happening.what === 'file-admitted') admitted();
    if (happening.what === 'document') sent();
    if (RECEIPTS_FOLLOW.has(happening.what)) wake();
  };
  return { ...work, emit };
}

const RECEIPTS_FOLLOW: ReadonlySet<PipelineEvent['what']> = new Set([
  'document',
  'mapping-held',
  'file-admitted',
  'file-refused',
  'file-duplicate',
]);
