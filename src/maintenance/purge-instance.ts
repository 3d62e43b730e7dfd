/**
 * Removes what is old enough (exports in the archive, receipts with payloads, contents in the ledger, logs), or
 * everything of one counterparty. Never what a person or a service still has to act on, and never an identity. The
 * ledger records each removal before the file is deleted: after a stop between the two, the next purge deletes the
 * file.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { purgeRequests } from '../decisions/requests/forget-requests.ts';
import type { Instance } from '../instance/instance.ts';
import { ledgerSiteOf } from '../instance/ledger-site-of.ts';
import { ago } from '../instance/retention-age.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import { purgedRowsTexts } from '../ledger/contract/purged-rows.ts';
import { eraseFreed } from '../ledger/ledger-health.ts';
import { definedItems, definedOnly } from '../model/defined-only.ts';
import {
  doneSince,
  isDone,
  isPurged,
  type LedgerEntry,
  type Purged,
  type PurgedPart,
  type SourceFile,
} from '../model/ledger-entry.ts';
import { addPurgedIdentities } from '../pipeline/context/purged-identities.ts';
import { StopRequestedError, yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { archivedAttachment } from '../pipeline/sources/archived-attachment.ts';
import { payloadName, receiptFileName } from '../receipts/compose-receipt.ts';
import { summaryName } from '../receipts/compose-summary.ts';
import { answersName } from '../receipts/erp-answers.ts';
import { listNames, removeOutput } from '../receipts/output-folders.ts';
import { dropLeftReports } from '../runs/left-reports.ts';
import { removeSearchIndex } from '../search/search-database.ts';
import { appendAll } from '../text/long-lists.ts';
import { removeEmptyDays } from './empty-days.ts';
import { type ArchivedCopy, exportsToPurge, type KeptExport } from './exports-to-purge.ts';
import { answersAbout, type OldAnswers, oldAnswers, removeAnswers, unansweredDocuments } from './old-answers.ts';
import { purgeReports, reportsToPurge } from './purge-reports.ts';

type PurgeContext = { readonly instance: Instance; readonly ledger: Ledger; readonly stop?: AbortSignal };
type Part = Extract<PurgedPart, 'receipts' | 'content'>;

/** On a share with the name of a machine. */
const LOG = /^(\d{4}-\d\d-\d\d)(?:\.[\w.-]+)?\.log$/;
/** Documents at a time, so that they share commits. */
const BATCH = 128;

/** Everything that a purge would remove; the plan itself changes nothing. */
export type PurgePlan = {
  /** Older than this goes, ISO 8601; absent where the settings say nothing, or a counterparty is asked for. */
  readonly before: { readonly [part in 'archive' | 'receipts' | 'content' | 'answers' | 'reports' | 'logs']?: string };
  readonly documents: readonly { readonly entry: LedgerEntry; readonly parts: readonly Part[] }[];
  /**
   * Path of an export, with every record of it in the ledger, and paths of the files that only its documents carried.
   */
  readonly exports: readonly (ArchivedCopy & { readonly attachments: readonly string[] })[];
  /** Of a counterparty: its exports that stay. */
  readonly kept: readonly KeptExport[];
  /** Paths of a summary and of the answers for the ERP that belong to it. */
  readonly summaries: readonly { readonly paths: readonly string[]; readonly file: SourceFile }[];
  /** Copies of the ledger from before, which no purge of a counterparty changes: paths below the instance. */
  readonly former: readonly string[];
  /** Files whose summary says less from now on, because some of their documents go. */
  readonly changed: readonly string[];
  /** Ids of morning reports. */
  readonly reports: readonly string[];
  /** Answer files for the ERP that are still in their folder. */
  readonly answers: readonly OldAnswers[];
  /** Paths. */
  readonly logs: readonly string[];
  /** Identities and rows of documents whose receipts an earlier purge has removed. */
  readonly forgotten: readonly string[];
  /** Of a counterparty, not by age. */
  readonly ofSubject: boolean;
  /** Documents that are old enough, or of the counterparty, and wait for a person or a service. */
  readonly waiting: number;
};

/** How many of the documents of a plan were purged; `stopped`: it was asked to end, the next purge goes on. */
type PurgeEnd = { readonly documents: number; readonly stopped: boolean };

/**
 * By age, as `keep` says; with a subject, everything of that counterparty whatever its age. Reads only; `stopped` if
 * the program is asked to end.
 */
export async function planPurge(
  { instance, ledger, stop }: PurgeContext,
  now: Date,
  subject?: string,
): Promise<PurgePlan | 'stopped'> {
  try {
    return await planOf(definedOnly({ instance, ledger, stop }), now, subject);
  } catch (error) {
    if (error instanceof StopRequestedError) return 'stopped';
    throw error;
  }
}

async function planOf({ instance, ledger, stop }: PurgeContext, now: Date, subject?: string): Promise<PurgePlan> {
  const { keep } = instance.settings;
  const limit = (part: keyof PurgePlan['before']) =>
    keep[part] === undefined ? Number.NEGATIVE_INFINITY : ago(keep[part], now);
  const limits = (['archive', 'receipts', 'content', 'answers', 'reports', 'logs'] as const).map(
    (part) => [part, limit(part)] as const,
  );
  const finite = subject === undefined ? limits.filter(([, ms]) => Number.isFinite(ms)) : [];
  const before = { receipts: limit('receipts'), content: limit('content') };
  let documents: { entry: LedgerEntry; parts: Part[] }[] = [];
  const waiting = new Set<string>();
  /** Of the counterparty, with nothing of their own that is left. */
  const gone: LedgerEntry[] = [];
  const wanted = (entry: LedgerEntry, part: Part) =>
    isLeftBehind(entry, part) ||
    (subject === undefined ? Date.parse(doneSince(entry)) < before[part] : isAbout(entry, subject));
  const unanswered = await unansweredDocuments(ledger);
  const forgotten: string[] = [];
  for await (const entry of yieldingBetween(ledger.queries.find({}), stop, 64)) {
    if (isPurged(entry, 'receipts')) appendAll(forgotten, textsOf(entry, entry.purged?.ofSubject === true));
    const asked = (['receipts', 'content'] as const).filter((part) => wanted(entry, part));
    const parts = asked.filter((part) => !isGone(entry, part));
    if (parts.length === 0) {
      if (asked.length > 0 && isDone(entry)) gone.push(entry);
    } else if (isDone(entry) && !unanswered.has(entry.id)) documents.push({ entry, parts });
    else waiting.add(entry.id);
  }
  const about =
    subject === undefined
      ? undefined
      : await answersAbout(
          ledger,
          documents.map(({ entry }) => entry.id),
        );
  if (about && about.pending.size > 0) {
    // The ERP has still to get its answer.
    for (const id of about.pending) waiting.add(id);
    documents = documents.filter(({ entry }) => !about.pending.has(entry.id));
  }
  const { copies, summarized, kept } = await exportsToPurge(
    { instance, ledger, stop },
    { archive: limit('archive'), receipts: limit('receipts'), unanswered },
    subject === undefined
      ? undefined
      : { name: subject, going: [...documents.map(({ entry }) => entry), ...gone], waiting },
  );
  const summaries = summarized.map((file) => ({ paths: summaryPaths(instance, file), file }));
  return {
    before: Object.fromEntries(finite.map(([part, ms]) => [part, new Date(ms).toISOString()])),
    documents,
    exports: await withAttachments({ instance, ledger }, copies),
    kept,
    former: subject === undefined ? [] : formerLedgers(instance),
    summaries,
    changed:
      subject === undefined ? [] : filesOf(documents).filter((id) => !summaries.some(({ file }) => file.id === id)),
    reports: await reportsToPurge(
      { instance, ledger },
      subject === undefined
        ? { beforeMs: limit('reports') }
        : {
            names: [subject, ...namesOf(documents)],
            isKnown: documents.length + gone.length + waiting.size > 0,
          },
    ),
    answers: about?.files ?? (keep.answers ? await oldAnswers(ledger, limit('answers')) : []),
    logs: subject === undefined ? oldLogs(instance.paths.logs, limit('logs')) : [],
    forgotten,
    ofSubject: subject !== undefined,
    waiting: waiting.size,
  };
}

/**
 * Removes what the plan lists and records person, time and reason. Repeated after a stop, it continues. What the ledger
 * forgets leaves the search index too: it is removed, and made again when a person searches. The answers of acts are removed
 * first, because a document that is purged is in no later plan.
 */
export async function purge(context: PurgeContext, plan: PurgePlan, decision: Omit<Purged, 'what'>): Promise<PurgeEnd> {
  const { settings } = context.instance;
  const now = new Date(decision.at);
  const forgotten = plan.documents.filter(({ parts }) => parts.includes('content')).map(({ entry }) => entry.id);
  const requests = { instance: context.instance, ledger: context.ledger, beforeMs: ago(settings.keep.requests, now) };
  await purgeRequests(requests, new Set(forgotten));
  if (forgotten.length === 0 && !plan.ofSubject) return await purgeAll(context, plan, decision);
  // Before and after: if the process is killed in between, there is no index with the names of these documents.
  removeSearchIndex(ledgerSiteOf(context.instance));
  try {
    const end = await purgeAll(context, plan, decision);
    // Rows that have become shorter or are gone leave their old bytes in the file.
    if (!end.stopped) await eraseFreed(ledgerSiteOf(context.instance));
    return end;
  } finally {
    removeSearchIndex(ledgerSiteOf(context.instance));
  }
}

async function purgeAll(context: PurgeContext, plan: PurgePlan, decision: Omit<Purged, 'what'>): Promise<PurgeEnd> {
  const { instance, ledger, stop } = context;
  let done = 0;
  const isStopped = async () => {
    await turn();
    return stop?.aborted === true;
  };
  // Before anything goes: a ledger that replaces this one has to know that these may have been sent.
  const removed = plan.documents.filter(({ parts }) => parts.includes('receipts'));
  const texts = [...plan.forgotten];
  for (const { entry } of removed) {
    appendAll(texts, textsOf(entry, plan.ofSubject));
    appendAll(texts, await formerTextsOf(ledger, entry, plan.ofSubject));
  }
  await addPurgedIdentities(instance.folder, texts, randomBytes(16).toString('hex'));
  // Before their documents, by which they are found.
  await removeAnswers(ledger, plan.answers, decision.at);
  await purgeReports({ instance, ledger }, plan.reports, decision);
  await dropLeftReports({ instance, ledger });
  // First: what the ledger forgets from now on is in no summary that is written later, wherever this is stopped.
  await ledger.receipts.requestRewrite({ entries: [], files: plan.changed });
  for (let from = 0; from < plan.documents.length; from += BATCH) {
    if (await isStopped()) return { documents: done, stopped: true };
    const batch = plan.documents.slice(from, from + BATCH);
    await Promise.all(
      batch.map(({ entry, parts }) =>
        ledger.maintenance.purgeEntry(entry.id, {
          ...decision,
          what: [...new Set([...(entry.purged?.what ?? []), ...parts])],
          ...(plan.ofSubject && { ofSubject: true }),
        }),
      ),
    );
    const receipts = batch.filter(({ parts }) => parts.includes('receipts')).map(({ entry }) => entry);
    for (const { name, receipt } of receipts) {
      if (!receipt) continue;
      const folder = join(instance.folder, receipt.folder, receipt.day);
      for (const file of [receiptFileName(name), payloadName(name)]) await removeOutput(join(folder, file));
    }
    await Promise.all(receipts.map(({ id }) => ledger.maintenance.markReceiptPurged(id)));
    done += batch.length;
  }
  const purged = new Map<string, readonly PurgedPart[]>();
  const purgeFile = async ({ id, purged: before }: SourceFile, part: PurgedPart) => {
    const what = [...new Set([...(purged.get(id) ?? before?.what ?? []), part])];
    purged.set(id, what);
    await ledger.maintenance.purgeFile(id, { ...decision, what });
  };
  for (const { paths, file } of plan.summaries) {
    if (await isStopped()) return { documents: done, stopped: true };
    await purgeFile(file, 'summary');
    for (const path of paths) await removeOutput(path);
    await ledger.maintenance.markSummaryPurged(file.id);
  }
  for (const { path, files, attachments } of plan.exports) {
    if (await isStopped()) return { documents: done, stopped: true };
    await Promise.all(files.map((file) => purgeFile(file, 'archive')));
    // The export last: as long as it exists, the next purge finds what a stop has left.
    for (const one of [...attachments, path]) rmSync(one, { force: true });
  }
  for (const path of plan.logs) rmSync(path, { force: true });
  removeEmptyDays(instance.paths);
  return { documents: done, stopped: false };
}

function identitiesOf({ identity: { keys, former = [] } }: LedgerEntry): readonly string[] {
  return [...keys, ...former];
}

function textsOf(entry: LedgerEntry, isOfSubject: boolean): readonly string[] {
  const keys = identitiesOf(entry);
  const { rows, first, file } = entry;
  // The keys of a repetition are those of the document that was there first.
  return first ? keys : [...keys, ...purgedRowsTexts({ sha256: file.sha256, rows, keys }, isOfSubject)];
}

/** What it has been before, as an export that is read again may have it; and a repetition, unless the same bytes have what it repeats. */
async function formerTextsOf(ledger: Ledger, entry: LedgerEntry, isOfSubject: boolean): Promise<readonly string[]> {
  const { id, revision, first } = entry;
  if (revision === 1 && !first) return [];
  const [repeated] = first ? await ledger.queries.entriesById([first.id]) : [];
  const keys = [...identitiesOf(entry), ...(repeated ? identitiesOf(repeated) : [])];
  const texts: string[] = [];
  for (const { file, rows } of await ledger.queries.revisionsOfEntry(id)) {
    const sha256 = (await ledger.queries.sourceFile(file))?.sha256;
    const isKnown = sha256 !== undefined && sha256 !== repeated?.file.sha256;
    if (isKnown) appendAll(texts, purgedRowsTexts({ sha256, rows, keys }, isOfSubject));
  }
  return texts;
}

/** Recorded as removed. A receipt may still be in its folder after a stop, so it must not have a place either. */
function isGone(entry: LedgerEntry, part: Part): boolean {
  return isPurged(entry, part) && !isLeftBehind(entry, part);
}

/** The receipt of a purge that was stopped: its document has no name any more by which a subject could find it. */
function isLeftBehind(entry: LedgerEntry, part: Part): boolean {
  return part === 'receipts' && isPurged(entry, part) && entry.receipt !== undefined;
}

function isAbout({ facts, identity }: LedgerEntry, subject: string): boolean {
  const text = subject.trim().toLowerCase();
  return (facts.counterparty ?? '').toLowerCase().includes(text) || identity.receiver?.toLowerCase() === text;
}

function summaryPaths({ folder }: Instance, file: SourceFile): readonly string[] {
  const { summary } = file;
  const answers = join(folder, 'reports', answersName(file));
  return definedItems([summary && join(folder, summary.folder, summary.day, summaryName(file)), answers]);
}

/** Attachments go only if no export that stays has the same file. */
async function withAttachments(
  { instance, ledger }: PurgeContext,
  copies: readonly ArchivedCopy[],
): Promise<PurgePlan['exports']> {
  const going = new Set(copies.flatMap(({ files }) => files.map(({ id }) => id)));
  const stays = async (id: string) =>
    !going.has(id) && !isPurged((await ledger.queries.sourceFile(id)) ?? {}, 'archive');
  const exports: (ArchivedCopy & { attachments: string[] })[] = [];
  for (const copy of copies) {
    const attachments: string[] = [];
    for (const { id } of copy.files) {
      for (const one of await ledger.queries.attachmentsOf(id)) {
        const path = archivedAttachment(instance, one);
        const holders = await Promise.all((await ledger.queries.filesWithAttachment(one)).map(stays));
        if (path !== undefined && !holders.includes(true)) attachments.push(path);
      }
    }
    exports.push({ ...copy, attachments });
  }
  return exports;
}

/** What reports may call the counterparty. */
function namesOf(documents: PurgePlan['documents']): readonly string[] {
  return [...new Set(definedItems(documents.map(({ entry }) => entry.facts.counterparty)))];
}

function filesOf(documents: PurgePlan['documents']): readonly string[] {
  return [...new Set(documents.flatMap(({ entry: { file } }) => [file.id, file.rereads ?? file.id]))];
}

/** Backups in their own folder, and what a restore has replaced. Those on a server, and elsewhere, are in no folder. */
function formerLedgers({ folder }: Instance): readonly string[] {
  const below = (name: string, isCopy: RegExp) =>
    listNames(join(folder, name)).flatMap((one) => (isCopy.test(one) ? [`${name}/${one}`] : []));
  return [...below('backups', /\.sqlite$/), ...below('state', /^before-/)];
}

function oldLogs(folder: string, beforeMs: number): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => Date.parse(LOG.exec(name)?.[1] ?? '') < beforeMs)
    .sort()
    .map((name) => join(folder, name));
}
