/**
 * What is old enough is removed: exports in the archive, receipts with their payloads, contents in the ledger, logs; or
 * all that is kept of one counterparty. Never what a person or the machine still has to act on, and never an identity.
 *
 * The ledger is told before a file goes, so a stop between the two leaves a file that the next purge removes.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import type { Instance } from '../instance.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Entry, Purged, SourceFile } from '../model/entry.ts';
import type { State } from '../model/state.ts';
import { payloadName, receiptName } from '../receipts/receipt.ts';

type Hands = { readonly instance: Instance; readonly ledger: Ledger };
type Part = 'receipts' | 'content';

/** Nobody has anything left to do with these. */
const DONE = new Set<State>(['authorized', 'duplicate']);
const LOG = /^(\d{4}-\d\d-\d\d)\.log$/;
/** Documents at a time: their commits are shared. */
const BATCH = 128;

export type PurgePlan = {
  /** Older than this goes, ISO 8601; absent where the settings say nothing, or a counterparty is asked for. */
  readonly before: { readonly [part in 'archive' | 'receipts' | 'content' | 'logs']?: string };
  readonly documents: readonly { readonly entry: Entry; readonly parts: readonly Part[] }[];
  /** Path of an export, with every record of it in the ledger. */
  readonly exports: readonly { readonly path: string; readonly files: readonly SourceFile[] }[];
  /** Paths. */
  readonly logs: readonly string[];
  /** Documents that are old enough, or of the counterparty, and wait for a person or a service. */
  readonly waiting: number;
};

/** Epoch milliseconds so long ago on the calendar: "90d", "10y". */
export function ago(keep: string, now: Date): number {
  const [, count, unit] = /^(\d+)([dy])$/.exec(keep)!;
  const day = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC');
  const past = day.subtract(unit === 'y' ? { years: Number(count) } : { days: Number(count) });
  return past.epochMilliseconds;
}

/** By age, as `keep` says; with a subject, everything of that counterparty whatever its age. Nothing is written. */
export async function planPurge({ instance, ledger }: Hands, now: Date, subject?: string): Promise<PurgePlan> {
  const { keep } = instance.settings;
  const limit = (part: keyof PurgePlan['before']) =>
    keep[part] === undefined ? Number.NEGATIVE_INFINITY : ago(keep[part], now);
  const limits = (['archive', 'receipts', 'content', 'logs'] as const).map((part) => [part, limit(part)] as const);
  const told = subject === undefined ? limits.filter(([, ms]) => Number.isFinite(ms)) : [];
  const before = { receipts: limit('receipts'), content: limit('content') };
  const documents: { entry: Entry; parts: Part[] }[] = [];
  let waiting = 0;
  const wanted = (entry: Entry, part: Part) =>
    subject === undefined ? Date.parse(entry.since) < before[part] : isAbout(entry, subject);
  for await (const entry of ledger.find({})) {
    const parts = (['receipts', 'content'] as const).filter((part) => wanted(entry, part) && !isGone(entry, part));
    if (parts.length === 0) continue;
    if (DONE.has(entry.state)) documents.push({ entry, parts });
    else waiting++;
  }
  const going = subject === undefined ? undefined : new Set(documents.map(({ entry }) => entry.id));
  return {
    before: Object.fromEntries(told.map(([part, ms]) => [part, new Date(ms).toISOString()])),
    documents,
    exports: await oldExports(ledger, limit('archive'), going),
    logs: subject === undefined ? oldLogs(instance.paths.logs, limit('logs')) : [],
    waiting,
  };
}

/** What is purged says who did it, when and why; done twice, it goes on where it stopped. */
export async function purge({ instance, ledger }: Hands, plan: PurgePlan, told: Omit<Purged, 'what'>): Promise<void> {
  for (let from = 0; from < plan.documents.length; from += BATCH) {
    const batch = plan.documents.slice(from, from + BATCH);
    await Promise.all(
      batch.map(({ entry, parts }) =>
        ledger.purgeEntry(entry.id, { ...told, what: [...new Set([...(entry.purged?.what ?? []), ...parts])] }),
      ),
    );
    const receipts = batch.filter(({ parts }) => parts.includes('receipts')).map(({ entry }) => entry);
    for (const { name, receipt } of receipts) {
      if (!receipt) continue;
      const folder = join(instance.folder, receipt.folder, receipt.day);
      for (const file of [receiptName(name), payloadName(name)]) rmSync(join(folder, file), { force: true });
    }
    await Promise.all(receipts.map(({ id }) => ledger.receiptGone(id)));
  }
  for (const { path, files } of plan.exports) {
    await Promise.all(files.map(({ id }) => ledger.purgeFile(id, { ...told, what: ['archive'] })));
    rmSync(path, { force: true });
  }
  for (const path of plan.logs) rmSync(path, { force: true });
}

/** Its receipt may still lie there after a stop. */
function isGone({ purged, receipt }: Entry, part: Part): boolean {
  const told = purged?.what.includes(part) ?? false;
  return part === 'receipts' ? told && receipt === undefined : told;
}

function isAbout({ facts, identity }: Entry, subject: string): boolean {
  const text = subject.trim().toLowerCase();
  return (facts.counterparty ?? '').toLowerCase().includes(text) || identity.receiver?.toLowerCase() === text;
}

/** One copy may have several records; it goes when none of them has a document left that anybody needs. */
async function oldExports(
  ledger: Ledger,
  beforeMs: number,
  going: ReadonlySet<string> | undefined,
): Promise<PurgePlan['exports']> {
  const byPath = new Map<string, SourceFile[]>();
  for await (const file of ledger.everyFile()) byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  const old: { path: string; files: SourceFile[] }[] = [];
  for (const [path, files] of byPath) {
    const closed = files.every(({ archivedAt, state }) => archivedAt !== undefined && state !== 'refused');
    if (!closed || files.every(({ purged }) => purged !== undefined && !existsSync(path))) continue;
    const isOld = files.every(({ archivedAt }) => Date.parse(archivedAt!) < beforeMs);
    if (going === undefined && !isOld) continue;
    let free = true;
    let documents = 0;
    for (const { id } of files) {
      for await (const entry of ledger.entriesOf(id)) {
        documents++;
        const mayGo = going ? going.has(entry.id) : DONE.has(entry.state) && Date.parse(entry.since) < beforeMs;
        if (!mayGo) free = false;
        if (!free) break;
      }
    }
    if (free && (going === undefined || documents > 0)) old.push({ path, files });
  }
  return old;
}

function oldLogs(folder: string, beforeMs: number): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => Date.parse(LOG.exec(name)?.[1] ?? '') < beforeMs)
    .sort()
    .map((name) => join(folder, name));
}
