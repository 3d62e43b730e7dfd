/**
 * The ledger's facts become files: receipts, summaries, and at last the source in the archive. All of it is a
 * projection: after a crash, or on demand, the same bytes are written again from the ledger. Errors of the disk pass to
 * the caller.
 */

import type { Instance } from '../../instance/instance.ts';
import type { IntakeStore } from '../../ledger/contract/intake-store.ts';
import type { QueryStore } from '../../ledger/contract/query-store.ts';
import type { DueReceipt, WrittenReceipt } from '../../ledger/contract/receipt-store.ts';
import { isReported } from '../../mapping/answers/compile-answers.ts';
import { definedOnly } from '../../model/defined-only.ts';
import {
  type Correction,
  firstFileOf,
  isSourceMissing,
  type LedgerEntry,
  placeOf,
  type SourceFile,
} from '../../model/ledger-entry.ts';
import { must } from '../../model/must.ts';
import { isOfCell } from '../../model/set-aside-rows.ts';
import { archiveSources } from '../../receipts/archive-source.ts';
import { composeReceipt } from '../../receipts/compose-receipt.ts';
import type { Receipt } from '../../receipts/receipt-schema.ts';
import { type ReceiptToWrite, writeReceipts } from '../../receipts/write-receipts.ts';
import { pagesAfter } from '../../text/long-lists.ts';
import { isMissing, recordMissing } from '../admission/missing-source.ts';
import { mayDo } from '../context/may-do.ts';
import type { RunContext } from '../context/run-context.ts';
import { underRole } from './overwritten-receipts.ts';
import { chainEndOf, FEW_ROWS, writeDueSummaries, writeSettledSummaries } from './publish-summaries.ts';

const BATCH = 128;

/** The longest time that a program asked to end writes receipts of queued documents; the next run writes the others. */
const AT_THE_END_MS = 5000;
/** A document of a small file gets a receipt for being queued after this time. */
const QUEUED_MS = 5000;

/** Writes every receipt that is due; with `waiting`, also of documents that are still queued. */
export async function writeDueReceipts(context: RunContext, options: { readonly waiting: boolean }): Promise<void> {
  const { clock, stop, ledger } = context;
  const untilMs = clock.monotonic() + AT_THE_END_MS;
  while (await writeSome(context, await ledger.receipts.receiptsDue(BATCH, { waiting: false })));
  while (options.waiting && !(stop.aborted && clock.monotonic() > untilMs)) {
    if (!(await writeSome(context, await ledger.receipts.receiptsDue(BATCH, { waiting: true })))) return;
  }
}

/** False if nothing was due. */
async function writeSome(context: RunContext, due: readonly DueReceipt[]): Promise<boolean> {
  if (due.length > 0) await writeBatch(context, due);
  return due.length > 0;
}

async function writeBatch(context: RunContext, due: readonly DueReceipt[]): Promise<void> {
  const { ledger, instance } = context;
  const correctionsOf = readCorrections(ledger.queries);
  const items: ReceiptToWrite[] = [];
  for (const { entry, content } of due) {
    // Hardly any is of a file that was read once more: nothing is waited for.
    const corrections = entry.file.rereads === undefined ? [] : await correctionsOf(entry);
    const payload = entry.contentSha256 === undefined || content === undefined ? {} : { payload: content };
    items.push({ entry, corrections, ...payload });
  }
  const end = await chainEndOf(context);
  await underRole(context, { entries: items.map(({ entry }) => entry.id), files: [] }, async () => {
    const written = await writeReceipts(instance.folder, items, instance.settings, end);
    await ledger.receipts.recordReceipts(await withAnswers(context, items, written));
  });
}

/** Documents of mappings with answers are due for the ERP in the commit of their receipt, with those that repeat them. */
async function withAnswers(
  { instance, ledger }: RunContext,
  items: readonly ReceiptToWrite[],
  written: readonly WrittenReceipt[],
): Promise<readonly WrittenReceipt[]> {
  const { mappings } = instance;
  if (mappings.every(({ answers }) => answers.length === 0)) return written;
  const entries = new Map(items.map(({ entry }) => [entry.id, entry]));
  const repeats = Map.groupBy(await ledger.answers.repeatsOf([...entries.keys()]), ({ of }) => of);
  return written.map((receipt) => {
    const entry = must(entries.get(receipt.id), 'the entry of a receipt');
    const blocksOf = (mapping: string | undefined) =>
      (mappings.find(({ id }) => id === mapping)?.answers ?? [])
        .filter(({ when }) => isReported(entry.state, when))
        .map(({ id }) => id);
    const own = { entry: entry.id, file: firstFileOf(entry), firstRow: placeOf(entry) };
    const answers = [
      { ...own, blocks: blocksOf(entry.file.mapping?.id) },
      ...(repeats.get(entry.id) ?? []).map(({ mapping, ...repeat }) => ({ ...repeat, blocks: blocksOf(mapping) })),
    ].filter(({ blocks }) => blocks.length > 0);
    return answers.length === 0 ? receipt : { ...receipt, answers };
  });
}

/** The corrections that the rows of an entry were read with; the ledger is asked once per file. */
export function readCorrections(
  ledger: QueryStore,
): (entry: Pick<LedgerEntry, 'file' | 'rows'>) => Promise<readonly Correction[]> {
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

/** Writes the summaries of every changed file, then archives the sources that no run has to read again. */
export async function completeFiles(context: RunContext): Promise<void> {
  const { ledger } = context;
  await writeDueSummaries(context);
  // A copy that mappings share stays until the last of them has read it.
  const inUse = new Set<string>();
  for await (const page of openPages(ledger.intake)) {
    for (const { state, path } of page) if (state === 'loading') inUse.add(path);
  }
  let missing = 0;
  for await (const page of openPages(ledger.intake)) {
    // What was claimed since the first look is being read.
    for (const { state, path } of page) if (state === 'loading') inUse.add(path);
    const done = page.filter(({ path, rereads }) => rereads === undefined && !inUse.has(path));
    if (done.length > 0) missing += await archive(context, done);
    for (const { id, state, rereads } of page) {
      // Its bytes are those of the file it read once more.
      const first = rereads === undefined || state === 'loading' ? undefined : await ledger.queries.sourceFile(rereads);
      if (first?.archivedAt) await ledger.intake.archiveFile(id, first.path, context.clock.now().toISOString());
    }
  }
  if (missing > 0) await writeDueSummaries(context);
}

/** Completes small files that are finished, a batch at a time: true if there may be more of them. */
async function settleSmallFiles(context: RunContext): Promise<boolean> {
  const files = await writeSettledSummaries(context);
  const inUse = files.length > 0 ? await context.ledger.intake.loadingPaths() : new Set<string>();
  const done = files.filter(
    ({ path, state, archivedAt, rereads }) =>
      state !== 'loading' && archivedAt === undefined && rereads === undefined && !inUse.has(path),
  );
  if (done.length > 0) await archive(context, done);
  return files.length > 0;
}

/** In pages: a night may leave a hundred thousand files open. */
function openPages(ledger: IntakeStore): AsyncIterable<readonly SourceFile[]> {
  return pagesAfter(BATCH, (last?: SourceFile) => ledger.openFilesAfter(last?.id ?? '', BATCH));
}

/** Records copies that a stop left moved but not recorded: their bytes are already in the archive. */
export async function finishArchiving(context: RunContext): Promise<void> {
  const open = await context.ledger.intake.openFiles();
  const moved = open.filter(
    ({ state, path, rereads }) => state !== 'loading' && rereads === undefined && isMissing(path),
  );
  if (moved.length > 0) await archive(context, moved);
}

/** Moves the sources, then records them; returns how many are missing. */
async function archive(context: RunContext, files: readonly SourceFile[]): Promise<number> {
  const { ledger, instance, clock } = context;
  const batch = files.map(({ path, day, sha256, name }) => ({ path, month: day.slice(0, 7), sha256, name }));
  const paths = await archiveSources(instance.folder, batch);
  const at = clock.now().toISOString();
  let missing = 0;
  const settled = files.map(async (file, index) => {
    const path = paths[index];
    if (path === undefined) {
      missing++;
      return await recordMissing(context, file);
    }
    await ledger.intake.archiveFile(file.id, path, at);
    await standIn(context, file, path);
  });
  await Promise.all(settled);
  return missing;
}

/** If the copy of the first file with these bytes is missing, this one takes its place in the archive. */
async function standIn({ ledger }: RunContext, { first }: SourceFile, path: string): Promise<void> {
  const before = first && (await ledger.queries.sourceFile(first.id));
  if (before?.archivedAt === undefined || !isSourceMissing(before) || !isMissing(before.path)) return;
  await ledger.intake.archiveFile(before.id, path, before.archivedAt);
}

/** The receipt as an object, with the same content as its file. */
export function receiptObject(instance: Instance, entry: LedgerEntry, corrections: readonly Correction[]): Receipt {
  const previous = entry.receipt?.link?.previous;
  return composeReceipt(entry, definedOnly({ ...instance.settings, corrections, previous }));
}

/** Writes in parallel to sending: receipts follow their documents by a moment, in batches. */
export type ReceiptWriter = {
  /** Receipts are due; with `files`, summaries and the archive too; with `waiting`, receipts of what stays queued. */
  readonly wake: (more?: 'files' | 'waiting') => void;
  /** Runs `act` while no receipt is written: it may add to the chain. Its error is that of the caller alone. */
  readonly between: (act: () => Promise<void>) => Promise<void>;
  /** Resolves when everything due is written, or throws the error that prevented it. */
  readonly end: () => Promise<void>;
};

/** The pause is this many times as long as the work: a large file is not summed up again for each document sent. */
const PAUSE_PER_WORK = 20;

/**
 * One writer for receipts and summaries, because they share folders. `failed` is called at once when it cannot write.
 */
export function startReceiptWriter(context: RunContext, failed: (error: unknown) => void = () => {}): ReceiptWriter {
  let awake = false;
  let ended = false;
  let filesWait = false;
  let queuedToo = false;
  const { monotonic } = context.clock;
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
    await completeFiles(context);
  });
  const settleSmall = sparing(() => settleSmallFiles(context));
  const queuedLong = sparing(async () => {
    const beforeMs = context.clock.now().getTime() - QUEUED_MS;
    return await writeSome(context, await context.ledger.receipts.receiptsWaiting(BATCH, beforeMs, FEW_ROWS));
  });
  /** True where more is due. */
  const writeAll = async () => {
    if (!mayDo(context, 'receipts')) return false;
    const waiting = queuedToo;
    queuedToo = false;
    const due = await context.ledger.receipts.receiptsDue(BATCH, { waiting });
    queuedToo ||= waiting && due.length === BATCH;
    await writeSome(context, due);
    if ((await settleSmall()) || due.length === BATCH) return true;
    if (!ended && (await queuedLong())) return true;
    await settle();
    return false;
  };
  let failure: { readonly error: unknown } | undefined;
  let notify = () => {};
  const asked: { readonly act: () => Promise<void>; readonly resolve: () => void }[] = [];
  const loop = (async () => {
    while (!ended || awake) {
      if (!awake) await new Promise<void>((resolve) => (notify = resolve));
      awake = false;
      for (const { act } of asked.splice(0)) await act();
      awake = (await writeAll()) || awake;
    }
  })().catch((error: unknown) => {
    failure = { error };
    // What was asked for meanwhile does not happen any more: the program ends, and waits for no one.
    for (const { resolve } of asked.splice(0)) resolve();
    failed(error);
  });
  return {
    wake: (more) => {
      filesWait ||= more === 'files';
      queuedToo ||= more === 'waiting';
      awake = true;
      notify();
    },
    between: (act) => {
      if (ended || failure) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      asked.push({ act: () => act().then(resolve, reject), resolve });
      awake = true;
      notify();
      return promise;
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
