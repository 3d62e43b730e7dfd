/** What the ledger, its receipts and `verify` show at the end of a walk: each complaint is a broken promise. */
import { format } from '../../../src/i18n/message.ts';
import { chainEndOf } from '../../../src/pipeline/publishing/publish-summaries.ts';
import { writeReceipts } from '../../../src/receipts/write-receipts.ts';
import { verifyEntry } from '../../../src/verify/verify-entry.ts';
import type { WalkClock, WalkDocument } from './walk.ts';
import type { Program } from './walk-instance.ts';

const MOST_DUE = 100;

export async function writeDueReceipts({ ledger, work }: Program): Promise<void> {
  for (
    let due = await ledger.receipts.receiptsDue(MOST_DUE);
    due.length > 0;
    due = await ledger.receipts.receiptsDue(MOST_DUE)
  ) {
    const all = due.map(({ entry, content }) => ({ entry, ...(content !== undefined && { payload: content }) }));
    const { folder, settings } = work.instance;
    await ledger.receipts.recordReceipts(await writeReceipts(folder, all, settings, await chainEndOf(work)));
  }
}

/** Each of its exports is in one document, and `verify` finds no break. */
export async function verifyDocument(
  { ledger, work: { instance } }: Program,
  clock: WalkClock,
  { number }: WalkDocument,
): Promise<readonly string[]> {
  const complaints: string[] = [];
  const files = new Set<string>();
  for await (const entry of ledger.queries.find({ ids: [number] })) {
    if (files.has(entry.file.id)) complaints.push(`the row of ${entry.file.name} is in two documents`);
    files.add(entry.file.id);
    const { breaks } = await verifyEntry({ instance, ledger, clock }, entry, async () => []);
    for (const { code, message } of breaks) complaints.push(`${code}: ${format(message, 'en')}`);
  }
  return complaints;
}
