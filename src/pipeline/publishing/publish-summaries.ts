/**
 * Writes the summaries that are due, with correction files and answers: small files many at a time, a large one by
 * itself with its documents streaming. The ledger records a summary after its file is durable. Errors of the disk are
 * thrown.
 */

import { leaseLost } from '../../ledger/contract/lease-lost.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { ChainEnd } from '../../model/chain-link.ts';
import { definedOnly } from '../../model/defined-only.ts';
import type { Corrected, LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { type SummaryToWrite, writeSummary } from '../../receipts/compose-summary.ts';
import { writeAnswers, writeManyAnswers } from '../../receipts/erp-answers.ts';
import { writeSummaries } from '../../receipts/write-summaries.ts';
import { mayDo } from '../context/may-do.ts';
import type { RunContext } from '../context/run-context.ts';
import { toFixOf } from './correction-files.ts';
import { underRole } from './overwritten-receipts.ts';

const BATCH = 128;
/** The most rows of a small file: its documents are in memory together with those of a whole batch. */
export const FEW_ROWS = 100;

/** All of them, in batches, until none is due. */
export async function writeDueSummaries(context: RunContext): Promise<void> {
  for (;;) {
    const files = await context.ledger.receipts.summariesDue(BATCH);
    const isSmall = ({ rows }: SourceFile) => rows <= FEW_ROWS;
    await writeSmall(context, files.filter(isSmall));
    for (const file of files) if (!isSmall(file)) await writeLarge(context, file);
    if (files.length < BATCH) return;
  }
}

/** One batch of small files that are finished; returns them. */
export async function writeSettledSummaries(context: RunContext): Promise<readonly SourceFile[]> {
  const files = await context.ledger.receipts.settledSummariesDue(BATCH, FEW_ROWS);
  await writeSmall(context, files);
  return files;
}

/** The answers of all documents of a file are written into a file of their own. */
function hasAnswers({ instance }: RunContext): boolean {
  return instance.settings.receipts.answers === 'xml';
}

async function writeSmall(context: RunContext, files: readonly SourceFile[]): Promise<void> {
  if (files.length === 0) return;
  const { ledger, instance } = context;
  const ids = files.map(({ id }) => id);
  const [places, carried] = await Promise.all([
    ledger.queries.entriesByFile(ids),
    ledger.queries.attachmentsByFile(ids),
  ]);
  const end = await chainEndOf(context);
  await underRole(context, { entries: [], files: ids }, async () => {
    const fixes = files.map((file) => ({ file, toFix: toFixOf(context, file) }));
    const batch: SummaryToWrite[] = [];
    for (const { file, toFix } of fixes) {
      const seen: (LedgerEntry | Corrected)[] = [];
      for await (const place of toFix.through(places.get(file.id) ?? [])) seen.push(place);
      batch.push({ file, places: seen, attachments: carried.get(file.id) });
    }
    const written = await writeSummaries(instance.folder, batch, instance.settings, end);
    for (const { toFix } of fixes) await toFix.settle();
    if (hasAnswers(context)) {
      const answered = batch.map(({ file, places: all }) => ({ file, entries: all.filter(isEntry) }));
      await writeManyAnswers(instance.folder, answered);
    }
    await ledger.receipts.recordSummaries(
      files.map(({ id, changes }, n) => ({ id, changes, ...must(written[n], 'a written summary') })),
    );
  });
}

function isEntry(place: LedgerEntry | Corrected): place is LedgerEntry {
  return !('correctedBy' in place);
}

async function writeLarge(context: RunContext, file: SourceFile): Promise<void> {
  const { ledger } = context;
  const { folder, settings } = context.instance;
  const carried = await ledger.queries.attachmentsByFile([file.id]);
  const end = await chainEndOf(context);
  await underRole(context, { entries: [], files: [file.id] }, async () => {
    const toFix = toFixOf(context, file);
    const entries = toFix.through(placesOf(ledger.queries, file));
    const attachments = carried.get(file.id);
    const place = await writeSummary(folder, { file, entries, attachments }, settings, end);
    await toFix.settle();
    if (hasAnswers(context)) await writeAnswers(folder, file, ledger.queries.entriesOf(file.id));
    await ledger.receipts.recordSummaries([{ id: file.id, changes: file.changes, ...place }]);
  });
}

async function* placesOf(ledger: QueryStore, { id }: SourceFile): AsyncIterable<LedgerEntry | Corrected> {
  yield* ledger.entriesOf(id);
  yield* ledger.correctedOf(id);
}

/**
 * The last link of the receipt chain, to which the next one is added. Throws `ledger/lease-lost` for a worker that does not write
 * receipts any more: nothing of a batch is written then.
 */
export async function chainEndOf(context: RunContext): Promise<ChainEnd> {
  const { ledger, clock, run } = context;
  if (!mayDo(context, 'receipts')) throw leaseLost();
  const head = await ledger.receipts.chainHead();
  return definedOnly({ head, run, at: clock.now().toISOString() });
}
