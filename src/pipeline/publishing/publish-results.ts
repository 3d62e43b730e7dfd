/**
 * What the ledger knows becomes files: receipts, summaries, and at last the source in the archive.
 *
 * All of it is a projection: after a crash, or on demand, the same bytes are written again from the ledger.
 */
import type { Instance } from '../../instance/instance.ts';
import type { IntakeStore } from '../../ledger/contract/intake-store.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { DueReceipt } from '../../ledger/contract/receipt-store.ts';
import { definedOnly } from '../../model/defined-only.ts';
import { type Correction, isSourceMissing, type LedgerEntry, type SourceFile } from '../../model/ledger-entry.ts';
import { isOfCell } from '../../model/set-aside-rows.ts';
import { archiveSources } from '../../receipts/archive-source.ts';
import { composeReceipt } from '../../receipts/compose-receipt.ts';
import type { Receipt } from '../../receipts/receipt-schema.ts';
import { type ReceiptToWrite, writeReceipts } from '../../receipts/write-receipts.ts';
import { isMissing, recordMissing } from '../admission/missing-source.ts';
import type { RunContext } from '../context/run-context.ts';
import { chainEndOf, FEW_ROWS, writeDueSummaries, writeSettledSummaries } from './publish-summaries.ts';

const BATCH = 128;

/** Asked to end, a program writes receipts of what is queued for so long; the next run writes those that are left. */
const AT_THE_END_MS = 5000;
/** A document of a small file that has been queued for so long gets a receipt that says so. */
const QUEUED_MS = 5000;

/** Writes every receipt that is due; with `waiting`, also of documents that are still queued. */
export async function writeDueReceipts(work: RunContext, options: { readonly waiting: boolean }): Promise<void> {
  const { clock, stop, ledger } = work;
  const untilMs = clock.monotonic() + AT_THE_END_MS;
  while (await writeSome(work, await ledger.receiptsDue(BATCH, { waiting: false })));
  while (options.waiting && !(stop.aborted && clock.monotonic() > untilMs)) {
    if (!(await writeSome(work, await ledger.receiptsDue(BATCH, { waiting: true })))) return;
  }
}

/** False where nothing was due. */
async function writeSome(work: RunContext, due: readonly DueReceipt[]): Promise<boolean> {
  if (due.length > 0) await writeBatch(work, due);
  return due.length > 0;
}

async function writeBatch(work: RunContext, due: readonly DueReceipt[]): Promise<void> {
  const { ledger, instance } = work;
  const correctionsOf = readCorrections(ledger);
  const items: ReceiptToWrite[] = [];
  for (const { entry, content } of due) {
    // Hardly any is of a file that was read once more: nothing is waited for.
    const corrections = entry.file.rereads === undefined ? [] : await correctionsOf(entry);
    const payload = entry.contentSha256 === undefined || content === undefined ? {} : { payload: content };
    items.push({ entry, corrections, ...payload });
  }
  await ledger.recordReceipts(await writeReceipts(instance.folder, items, instance.settings, await chainEndOf(work)));
}

/** The cells of a document that were read as a person says; asked of the ledger once per file. */
export function readCorrections(ledger: QueryStore): (entry: LedgerEntry) => Promise<readonly Correction[]> {
  const known = new Map<string, Promise<ReadonlyMap<number, readonly Correction[]>>>();
  return async ({ file, rows }) => {
    if (file.rereads === undefined) return [];
    const ofFile = known.get(file.id) ?? ledger.correctionsOf(file.id).then(lastByRow);
    known.set(file.id, ofFile);
    const byRow = await ofFile;
    return rows.flatMap((row) => byRow.get(row) ?? []);
  };
}

function lastByRow(corrections: readonly Correction[]): ReadonlyMap<number, readonly Correction[]> {
  const last = new Map<string, Correction>();
  for (const one of corrections.filter(isOfCell)) last.set(`${one.row} ${one.column}`, one);
  return Map.groupBy(last.values(), ({ row }) => row);
}

/** Summaries of every file that changed, then the archive for those that no run has to touch again. */
export async function completeFiles(work: RunContext): Promise<void> {
  const { ledger } = work;
  await writeDueSummaries(work);
  // A copy that mappings share stays until the last of them has read it.
  const inUse = new Set<string>();
  for await (const page of openPages(ledger)) {
    for (const { state, path } of page) if (state === 'loading') inUse.add(path);
  }
  let missing = 0;
  for await (const page of openPages(ledger)) {
    // What was claimed since the first look is being read.
    for (const { state, path } of page) if (state === 'loading') inUse.add(path);
    const done = page.filter(({ path, rereads }) => rereads === undefined && !inUse.has(path));
    if (done.length > 0) missing += await archive(work, done);
    for (const { id, state, rereads } of page) {
      // Its bytes are those of the file it read once more.
      const first = rereads === undefined || state === 'loading' ? undefined : await ledger.sourceFile(rereads);
      if (first?.archivedAt) await ledger.archiveFile(id, first.path, work.clock.now().toISOString());
    }
  }
  if (missing > 0) await writeDueSummaries(work);
}

/** Those with which nothing more is to happen now, some at a time: true where there may be more of them. */
async function settleSmallFiles(work: RunContext): Promise<boolean> {
  const files = await writeSettledSummaries(work);
  const inUse = files.length > 0 ? await work.ledger.loadingPaths() : new Set<string>();
  const done = files.filter(
    ({ path, state, archivedAt, rereads }) =>
      state !== 'loading' && archivedAt === undefined && rereads === undefined && !inUse.has(path),
  );
  if (done.length > 0) await archive(work, done);
  return files.length > 0;
}

/** A night may leave a hundred thousand files open: never all of them in memory. */
async function* openPages(ledger: IntakeStore): AsyncIterable<readonly SourceFile[]> {
  for (let after = ''; ; ) {
    const page = await ledger.openFilesAfter(after, BATCH);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    if (page.length < BATCH) return;
    after = last.id;
  }
}

/** A stop may have come between moving a copy into the archive and noting it: then its bytes lie there already. */
export async function finishArchiving(work: RunContext): Promise<void> {
  const open = await work.ledger.openFiles();
  const moved = open.filter(
    ({ state, path, rereads }) => state !== 'loading' && rereads === undefined && isMissing(path),
  );
  if (moved.length > 0) await archive(work, moved);
}

/** How many of them are missing. */
async function archive(work: RunContext, files: readonly SourceFile[]): Promise<number> {
  const { ledger, instance, clock } = work;
  const batch = files.map(({ path, day, sha256, name }) => ({ path, month: day.slice(0, 7), sha256, name }));
  const paths = await archiveSources(instance.folder, batch);
  const at = clock.now().toISOString();
  let missing = 0;
  const settled = files.map(async (file, index) => {
    const path = paths[index];
    if (path === undefined) {
      missing++;
      return await recordMissing(work, file);
    }
    await ledger.archiveFile(file.id, path, at);
    await standIn(work, file, path);
  });
  await Promise.all(settled);
  return missing;
}

/** The same bytes once more: where the copy of the first file is missing, this one takes its place in the archive. */
async function standIn({ ledger }: RunContext, { first }: SourceFile, path: string): Promise<void> {
  const before = first && (await ledger.sourceFile(first.id));
  if (before?.archivedAt === undefined || !isSourceMissing(before) || !isMissing(before.path)) return;
  await ledger.archiveFile(before.id, path, before.archivedAt);
}

/** The receipt as an object, the same as in its file. */
export function receiptObject(instance: Instance, entry: LedgerEntry, corrections: readonly Correction[]): Receipt {
  const previous = entry.receipt?.link?.previous;
  return composeReceipt(entry, definedOnly({ ...instance.settings, corrections, previous }));
}

/** The writer that works beside the sending: receipts follow their documents by a moment, in batches. */
export type ReceiptWriter = {
  /** Receipts are due; with `files`, summaries and the archive too; with `waiting`, receipts of what stays queued. */
  readonly wake: (more?: 'files' | 'waiting') => void;
  /** Everything due is written, or the error that kept it from being written is thrown. */
  readonly end: () => Promise<void>;
};

/** A large file is not summed up again and again while its documents go out: the pause grows with the work. */
const PAUSE_PER_WORK = 20;

/**
 * One writer for all of it, because receipts and summaries share folders. `failed` hears at once that they can no longer
 * be written.
 */
export function startReceiptWriter(work: RunContext, failed: (error: unknown) => void = () => {}): ReceiptWriter {
  let awake = false;
  let ended = false;
  let filesWait = false;
  let queuedToo = false;
  const { monotonic } = work.clock;
  /** Runs `act` unless it has to leave the thread to others after it ran last; undefined then. */
  const sparing = <T>(act: () => Promise<T>): (() => Promise<T | undefined>) => {
    let notBefore = 0;
    return async () => {
      const startedMs = monotonic();
      if (!ended && startedMs < notBefore) return undefined;
      const done = await act();
      if (!done) notBefore = monotonic() + PAUSE_PER_WORK * (monotonic() - startedMs);
      return done;
    };
  };
  const settle = sparing(async () => {
    if (!filesWait || ended) return;
    filesWait = false;
    await completeFiles(work);
  });
  const settleSmall = sparing(() => settleSmallFiles(work));
  const queuedLong = sparing(async () => {
    const beforeMs = work.clock.now().getTime() - QUEUED_MS;
    return await writeSome(work, await work.ledger.receiptsWaiting(BATCH, beforeMs, FEW_ROWS));
  });
  /** True where more is due. */
  const writeAll = async () => {
    const waiting = queuedToo;
    queuedToo = false;
    const due = await work.ledger.receiptsDue(BATCH, { waiting });
    queuedToo ||= waiting && due.length === BATCH;
    await writeSome(work, due);
    if ((await settleSmall()) || due.length === BATCH) return true;
    if (!ended && (await queuedLong())) return true;
    await settle();
    return false;
  };
  let failure: { readonly error: unknown } | undefined;
  let notify = () => {};
  const loop = (async () => {
    while (!ended || awake) {
      if (!awake) await new Promise<void>((resolve) => (notify = resolve));
      awake = false;
      awake = (await writeAll()) || awake;
    }
  })().catch((error: unknown) => {
    failure = { error };
    failed(error);
  });
  return {
    wake: (more) => {
      filesWait ||= more === 'files';
      queuedToo ||= more === 'waiting';
      awake = true;
      notify();
    },
    end: async () => {
      ended = true;
      awake = true;
      notify();
      await loop;
      if (failure) throw failure.error;
    },
  };
}
