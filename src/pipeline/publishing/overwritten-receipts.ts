/**
 * Receipts among several workers: one that pauses between its check and a rename can replace a newer file of the worker that
 * took its role over, because no file system fences a write. Both sides notice, and the chain decides what is written again.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256OfOurs } from '../../files/sha256-of-file.ts';
import { onceMoreIfGone } from '../../files/write-durable.ts';
import { leaseLost } from '../../ledger/contract/lease-lost.ts';
import type { EntryOutcome } from '../../ledger/contract/query-store.ts';
import type { ReceiptStore } from '../../ledger/contract/receipt-store.ts';
import type { WorkerStore } from '../../ledger/contract/worker-store.ts';
import type { Link } from '../../model/chain-link.ts';
import { OperatorError } from '../../model/fault.ts';
import type { SourceFile } from '../../model/ledger-entry.ts';
import { payloadName, receiptFileName } from '../../receipts/compose-receipt.ts';
import { summaryName } from '../../receipts/compose-summary.ts';
import { DECISION_FOLDERS } from '../../receipts/decision-folders.ts';
import { OUTPUT_FOLDERS } from '../../receipts/output-folders.ts';
import { appendAll } from '../../text/long-lists.ts';
import { mayDo } from '../context/may-do.ts';
import type { RunContext } from '../context/run-context.ts';

const PAGE = 128;
/** How many leases before the end of a writer, and after its own take-over, a worker looks at. */
const LEASES = 2;
const LOOKS_PER_LEASE = 3;

type Written = Parameters<ReceiptStore['requestRewrite']>[0];

/**
 * Writes and records a batch, once more where a file or folder of it vanishes meanwhile: `write` begins from its start. If the
 * role was lost meanwhile, the worker that has it writes the batch again, and the error is `ledger/lease-lost`, also where that
 * worker removed a temporary file that was still to be renamed.
 */
export async function underRole<T>(context: RunContext, batch: Written, write: () => Promise<T>): Promise<T> {
  try {
    return await onceMoreIfGone(write, () => mayDo(context, 'receipts'));
  } catch (error) {
    const { roles } = context.ledger;
    const isLost = error instanceof OperatorError && error.code === 'ledger/lease-lost';
    if (!roles || !(isLost || !roles.holds('receipts'))) throw error;
    await roles.giveUpWrites(batch).catch(() => undefined);
    throw leaseLost();
  }
}

/** Looks every third of a lease, `between` two batches of receipts, until the program is asked to end. */
export async function keepReceipts(
  context: RunContext,
  between: (act: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { clock, stop, ledger } = context;
  const { roles } = ledger;
  if (!roles) return;
  const look = watchingOverwrites(context, roles);
  while (!stop.aborted) {
    await between(look);
    await clock.sleep(roles.leaseMs / LOOKS_PER_LEASE, stop);
  }
}

/**
 * A function for each look of a worker, to be called while it writes no receipt: after it took the role over, and for two leases
 * if one of those before it may still go on, it makes files due that are not as the chain has them.
 */
export function watchingOverwrites(context: RunContext, roles: WorkerStore): () => Promise<void> {
  const { clock, ledger } = context;
  const withinMs = LEASES * roles.leaseMs;
  let takenMs: number | undefined;
  let mayGoOn = false;
  return async () => {
    if (!roles.holds('receipts')) return;
    if (takenMs === undefined) {
      takenMs = clock.monotonic();
      mayGoOn = (await ledger.workers.list()).some(({ lapsed }) => lapsed);
    } else if (!mayGoOn || clock.monotonic() - takenMs > withinMs) return;
    const due = await findOverwritten(context, await ledger.receipts.latestLinks(withinMs));
    if (due.entries.length + due.files.length === 0) return;
    await ledger.receipts.requestRewrite(due);
    context.emit({ what: 'written-again', receipts: due.entries.length, summaries: due.files.length });
  };
}

/** Receipts and summaries with one of these links as their last one that are missing, changed, or also in another folder. */
async function findOverwritten(
  { ledger, instance: { folder } }: RunContext,
  links: readonly Link[],
): Promise<{ readonly entries: readonly string[]; readonly files: readonly string[] }> {
  const last = (what: Link['what']) => new Map(links.flatMap((link) => (link.what === what ? [[link.id, link]] : [])));
  const [receipts, summaries] = [last('receipt'), last('summary')];
  const entries = await pagesOf([...receipts.keys()], async (ids) => {
    const found = await ledger.queries.outcomesById(ids);
    return await unlike(found, (entry) => isReceiptThere(folder, entry, receipts.get(entry.id)));
  });
  const files = await pagesOf([...summaries.keys()], async (ids) => {
    const found = await ledger.queries.filesById(ids);
    return await unlike(found, (file) => isSummaryThere(folder, file, summaries.get(file.id)));
  });
  return { entries, files };
}

async function pagesOf(ids: readonly string[], find: (page: readonly string[]) => Promise<readonly string[]>) {
  const found: string[] = [];
  for (let at = 0; at < ids.length; at += PAGE) appendAll(found, await find(ids.slice(at, at + PAGE)));
  return found;
}

async function unlike<T extends { readonly id: string }>(
  all: readonly T[],
  isThere: (one: T) => Promise<boolean>,
): Promise<readonly string[]> {
  const there = await Promise.all(all.map(isThere));
  return all.flatMap(({ id }, n) => (there[n] ? [] : [id]));
}

/** True also for what is due anyway, was purged, or has a later link. */
async function isReceiptThere(root: string, entry: EntryOutcome, link: Link | undefined): Promise<boolean> {
  const { receipt, name, contentSha256, state, file, purged } = entry;
  if (!link || entry.receiptDue || purged || receipt?.link?.n !== link.n) return true;
  const receiptName = receiptFileName(name);
  const isWaiting = (decision: string) => existsSync(join(root, 'pending', decision, receiptName));
  // A person has moved it, as a decision.
  if (state === 'held' && DECISION_FOLDERS.some(isWaiting)) return true;
  const own = join(root, receipt.folder, receipt.day);
  if (isElsewhere(root, receipt.folder, join(file.day, receiptName))) return false;
  if (!(await hasHash(join(own, receiptName), link.sha256))) return false;
  return contentSha256 === undefined || (await hasHash(join(own, payloadName(name)), contentSha256));
}

async function isSummaryThere(root: string, file: SourceFile, link: Link | undefined): Promise<boolean> {
  const { summary } = file;
  if (!link || file.purged || summary?.link !== link.n) return true;
  const path = join(summary.day, summaryName(file));
  return !isElsewhere(root, summary.folder, path) && (await hasHash(join(root, summary.folder, path), link.sha256));
}

function isElsewhere(root: string, own: string, path: string): boolean {
  return OUTPUT_FOLDERS.some((folder) => folder !== own && existsSync(join(root, folder, path)));
}

async function hasHash(path: string, sha256: string): Promise<boolean> {
  return existsSync(path) && (await sha256OfOurs(path)) === sha256;
}
