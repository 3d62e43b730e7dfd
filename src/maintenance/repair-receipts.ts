/**
 * Repairs receipts, payloads and summaries that are lost or damaged, from the ledger: with the same bytes if the ledger
 * still gives them, else as new ones with a link of their own at the end of the chain. The ledger's documents stay as
 * they are. A ledger that may not send throws its OperatorError before anything is written.
 */
import { join } from 'node:path';
import { plainBytes } from '../files/read-plain.ts';
import { SEND_GUARD } from '../i18n/messages/send-guard-messages.ts';
import { OperatorError } from '../model/fault.ts';
import { isPurged, type LedgerEntry, type Selector, type SourceFile } from '../model/ledger-entry.ts';
import type { RunContext } from '../pipeline/context/run-context.ts';
import {
  completeFiles,
  readCorrections,
  receiptObject,
  writeDueReceipts,
} from '../pipeline/publishing/publish-results.ts';
import { payloadName, receiptFileName, receiptText } from '../receipts/compose-receipt.ts';
import { rewriteReceipt } from '../receipts/decision-folders.ts';
import { appendAll } from '../text/long-lists.ts';
import { sha256Hex } from '../text/sha256.ts';
import { pathOfSummary } from '../verify/verify-folders.ts';

/** Path below the instance folder; `damaged`: the file exists with other bytes. */
type RepairedFile = { readonly path: string; readonly was: 'missing' | 'damaged' };

type RepairContext = Pick<RunContext, 'instance' | 'ledger'>;

/**
 * The files that differ from the ledger. Without `write` nothing is written. With a selector only documents are
 * checked, without summaries.
 */
export async function repairReceipts(
  context: RepairContext,
  selector?: Selector,
  write?: RunContext,
): Promise<readonly RepairedFile[]> {
  const { guard } = context.ledger;
  // Compared with an older ledger, newer receipts would seem damaged.
  if (write && !guard.send) throw new OperatorError(guard.code, guard.reason, { hint: SEND_GUARD.nothingWritten() });
  const repaired: RepairedFile[] = [];
  const rewrite = { entries: [] as string[], files: [] as string[] };
  const correctionsOf = readCorrections(context.ledger.queries);
  for await (const entry of context.ledger.queries.find(selector ?? {})) {
    const own = await ofEntry(context, entry, correctionsOf);
    appendAll(repaired, own.found);
    if (!write || own.found.length === 0) continue;
    if (own.text === undefined) rewrite.entries.push(entry.id);
    else
      await rewriteReceipt(context.instance.folder, entry, own.text, await context.ledger.queries.contentOf(entry.id));
  }
  if (selector === undefined) {
    const summaries = await differingSummaries(context);
    appendAll(
      repaired,
      summaries.map(({ found }) => found),
    );
    appendAll(
      rewrite.files,
      summaries.map(({ id }) => id),
    );
  }
  if (write && rewrite.entries.length + rewrite.files.length > 0) {
    await context.ledger.receipts.requestRewrite(rewrite);
    await writeDueReceipts(write, { waiting: true });
    await completeFiles(write);
  }
  return repaired;
}

async function differingSummaries(
  context: RepairContext,
): Promise<readonly { readonly id: string; readonly found: RepairedFile }[]> {
  const differing: { id: string; found: RepairedFile }[] = [];
  for await (const file of context.ledger.queries.allFiles()) {
    const found = await ofSummary(context, file);
    if (found) differing.push({ id: file.id, found });
  }
  return differing;
}

/** `text`: the receipt with the bytes of its link; absent if another version of the program wrote it in other words. */
async function ofEntry(
  { instance, ledger }: RepairContext,
  entry: LedgerEntry,
  correctionsOf: ReturnType<typeof readCorrections>,
): Promise<{ readonly found: readonly RepairedFile[]; readonly text?: string }> {
  const { receipt, contentSha256, purged } = entry;
  // One that is due is written by the next run, one that was purged stays away.
  if (!receipt?.link || isPurged({ purged }, 'receipts')) return { found: [] };
  const link = await ledger.receipts.linkAt(receipt.link.n);
  if (!link) return { found: [] };
  const folder = `${receipt.folder}/${receipt.day}`;
  const wanted: [string, string][] = [[`${folder}/${receiptFileName(entry.name)}`, link.sha256]];
  if (contentSha256 !== undefined) wanted.push([`${folder}/${payloadName(entry.name)}`, contentSha256]);
  const found = (await Promise.all(wanted.map(([path, sha256]) => differs(instance.folder, path, sha256)))).flat();
  if (found.length === 0) return { found };
  const text = receiptText(receiptObject(instance, entry, await correctionsOf(entry)));
  return sha256Hex(text) === link.sha256 ? { found, text } : { found };
}

async function ofSummary({ instance, ledger }: RepairContext, file: SourceFile): Promise<RepairedFile | undefined> {
  const path = pathOfSummary(file);
  const number = file.summary?.link;
  const link = number === undefined ? undefined : await ledger.receipts.linkAt(number);
  if (path === undefined || !link) return undefined;
  const [found] = await differs(instance.folder, path, link.sha256);
  return found;
}

async function differs(root: string, path: string, sha256: string): Promise<readonly RepairedFile[]> {
  const bytes = plainBytes(join(root, path));
  if (bytes === undefined) return [{ path, was: 'missing' }];
  return sha256Hex(bytes) === sha256 ? [] : [{ path, was: 'damaged' }];
}
