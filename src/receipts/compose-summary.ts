/**
 * Composes the summary of a source file: the place of each row, its documents, and control totals to compare with the
 * ERP. It is in error while any row is there, then in pending, at last in outbox. Documents stream through, one line
 * each, so that 300,000 of them take little memory. A refusal of the disk throws its OperatorError.
 */
import type { Hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../files/fsync-directory.ts';
import { ensureFolder, temporaryName, writeDurable } from '../files/write-durable.ts';
import type { Language } from '../i18n/message.ts';
import type { ChainEnd, Link } from '../model/chain-link.ts';
import { definedOnly } from '../model/defined-only.ts';
import { isError } from '../model/fault.ts';
import type { Corrected, KnownAttachment, LedgerEntry, SourceFile } from '../model/ledger-entry.ts';
import type { Folder } from '../model/state.ts';
import { stripTerminalControls } from '../text/printable.ts';
import { beginSha256 } from '../text/sha256.ts';
import { nullable } from './compose-receipt.ts';
import {
  nameForExport,
  OUTPUT_FOLDERS,
  RECEIPT_ENDING,
  receiptDay,
  removeOutput,
  SUMMARY_ENDING,
} from './output-folders.ts';
import { RowAccounting, receiptFolder } from './row-accounting.ts';
import { rowRanges } from './row-set.ts';
import { SpillBuffer } from './spill-buffer.ts';
import { writeReadme } from './write-readme.ts';

/** The settings that a summary and its folder depend on. */
export type SummarySettings = { readonly environment: string; readonly rules: { readonly language: Language } };
/**
 * `places`: the entries in row order, then the documents that a later file corrected. `attachments`: what they carry, or would; the same
 * bytes belong to every later reading.
 */
export type SummaryToWrite = {
  readonly file: SourceFile;
  readonly places: readonly (LedgerEntry | Corrected)[];
  readonly attachments?: readonly KnownAttachment[] | undefined;
};
/** Where the summary is: folder, day of the file (YYYY-MM-DD), and its link in the chain. */
export type SummaryPlace = { readonly folder: Folder; readonly day: string; readonly link: Link };

/**
 * `entries` come in row order and include the documents that a later file corrected. Resolves when the summary is
 * durable and an older one in another folder is removed.
 */
export async function writeSummary(
  root: string,
  {
    file,
    entries,
    attachments,
  }: Pick<SummaryToWrite, 'file' | 'attachments'> & { readonly entries: AsyncIterable<LedgerEntry | Corrected> },
  settings: SummarySettings,
  chain: ChainEnd,
): Promise<SummaryPlace> {
  const spillFolder = join(root, 'pending');
  await ensureFolder(spillFolder);
  await using table = new SpillBuffer(temporaryName(join(spillFolder, `${file.id}.table`)));
  const accounting = new RowAccounting(file);
  let separator = '';
  for await (const entry of entries) {
    accounting.add(entry);
    await table.add(`${separator}\n    ${summaryLine(entry)}`);
    separator = ',';
  }
  const place = { folder: summaryFolder(file, accounting), day: file.day };
  const folder = join(root, place.folder, place.day);
  await ensureFolder(folder);
  if (place.folder === 'error') await writeReadme(folder, 'error', settings.rules.language);
  const hash = beginSha256();
  const about = { environment: settings.environment, previous: chain.head?.hash ?? null, attachments };
  const text = summaryText(file, accounting, table, about);
  await writeDurable(join(folder, summaryName(file)), withHash(text, hash));
  await syncFolder(folder);
  await removeOlderSummaries(root, file, place);
  return { ...place, link: summaryLink(file, hash.digest('hex'), chain) };
}

/** The link of the summary in the chain of receipts; `sha256` is the hash of the file's bytes. */
export function summaryLink(file: SourceFile, sha256: string, { head, run, at }: ChainEnd): Link {
  return definedOnly({
    n: (head?.n ?? 0) + 1,
    what: 'summary',
    id: file.id,
    revision: file.changes,
    state: file.state,
    attempts: 0,
    sha256,
    run,
    at,
    previous: head?.hash,
  });
}

async function* withHash(text: AsyncIterable<string>, hash: Hash): AsyncIterable<string> {
  for await (const part of text) {
    hash.update(part);
    yield part;
  }
}

/** The file name of a summary, the same in each folder. */
export function summaryName(file: Pick<SourceFile, 'id' | 'name'>): string {
  return nameForExport(file, SUMMARY_ENDING);
}

type About = Pick<SummaryToWrite, 'attachments'> & { readonly environment: string; readonly previous: string | null };

async function* summaryText(
  file: SourceFile,
  accounting: RowAccounting,
  table: SpillBuffer,
  about: About,
): AsyncIterable<string> {
  yield summaryHead(file, accounting, about);
  yield* table.read();
  yield SUMMARY_END;
}

/** The text up to the lines of the documents: `accounting` must have counted all of them before. */
export function summaryHead(
  file: SourceFile,
  accounting: RowAccounting,
  { environment, previous, attachments }: About,
): string {
  const { outbox, pending, error, corrected, withoutAmount } = accounting.documents();
  const head = {
    summary: 1,
    environment,
    file: {
      id: file.id,
      name: file.name,
      sha256: file.sha256,
      size: file.size,
      modifiedAt: file.modifiedAt,
      claimedAt: file.claimedAt,
      run: file.run,
      state: file.state,
      encoding: file.encoding ?? null,
      first: nullable(file.first, ({ id, name, claimedAt }) => ({ id, name, claimedAt })),
      ...(file.rereads !== undefined && { rereads: file.rereads }),
      ...(file.partnerFile && { partner: { id: file.partner, ...file.partnerFile } }),
    },
    mapping: file.mapping ?? null,
    faults: file.faults,
    rows: accounting.rows(),
    documents: { read: outbox + pending + error + corrected, outbox, pending, error, corrected, withoutAmount },
    totals: accounting.totals(),
    ...(attachments && { attachments: attachments.map(toCarried) }),
    previous,
  };
  return `${stripTerminalControls(JSON.stringify(head, undefined, 2).slice(0, -2))},\n  "table": [`;
}

function toCarried({ name, sha256, isWaiting }: KnownAttachment) {
  return { name, sha256, ...(isWaiting && { waiting: true }) };
}

/** The text after the last line of a document. */
export const SUMMARY_END = '\n  ]\n}\n';

/**
 * One document as one line of JSON, so that line tools can search a summary. A corrected document names its correction.
 */
export function summaryLine(entry: LedgerEntry | Corrected): string {
  if ('correctedBy' in entry) {
    return harmlessJson({
      number: entry.identifier,
      state: null,
      rows: rowRanges(entry.rows),
      correctedBy: { id: entry.correctedBy.id, name: entry.correctedBy.name },
    });
  }
  return harmlessJson({
    number: entry.facts.identifier,
    state: entry.state,
    rows: rowRanges(entry.rows),
    code: entry.answer?.code ?? null,
    amount: entry.facts.amount ?? null,
    currency: entry.facts.currency ?? null,
    receipt: `${receiptFolder(entry)}/${receiptDay(entry)}/${entry.name}${RECEIPT_ENDING}`,
    id: entry.id,
  });
}

function harmlessJson(value: object): string {
  return stripTerminalControls(JSON.stringify(value));
}

/** Error if the file, a document or a row needs a person; pending if a document is under way; else outbox. */
export function summaryFolder(file: SourceFile, accounting: RowAccounting): Folder {
  const { unaccounted, twice } = accounting.rows();
  const { pending, error } = accounting.documents();
  const whole = file.state === 'refused' || file.state === 'duplicate';
  // A correction file has errors for the rows that were refused.
  const faulty = file.faults.some(isError);
  if (whole || faulty || error > 0 || unaccounted.count > 0 || twice.count > 0) return 'error';
  return pending > 0 || file.state === 'loading' ? 'pending' : 'outbox';
}

async function removeOlderSummaries(
  root: string,
  file: SourceFile,
  place: { readonly folder: Folder; readonly day: string },
): Promise<void> {
  for (const name of OUTPUT_FOLDERS) {
    const folder = join(root, name, file.day);
    const path = join(folder, summaryName(file));
    if (name === place.folder || !existsSync(path)) continue;
    await removeOutput(path);
    await syncFolder(folder);
  }
}
