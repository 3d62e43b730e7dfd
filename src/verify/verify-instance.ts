/**
 * The proof that source, content, answer, state and receipt of every document belong together: first the chain of
 * receipts, then each export, each document, and the files in the folders. Reads only, and works during a run: facts
 * that a run changes meanwhile are checked again, and unfinished ones count as not settled. Differences are breaks.
 */
import { isDeepStrictEqual } from 'node:util';
import { format } from '../i18n/message.ts';
import type { Head } from '../model/chain-link.ts';
import { definedOnly } from '../model/defined-only.ts';
import type { LedgerEntry, Selector, SourceFile } from '../model/ledger-entry.ts';
import { findEntry } from '../pipeline/context/find-entry.ts';
import { StopRequestedError, yieldingBetween } from '../pipeline/context/yield-to-others.ts';
import { readCorrections } from '../pipeline/publishing/publish-results.ts';
import { keptMappings, verifyMappings } from './archived-mapping.ts';
import { verifyAnswers } from './verify-answers.ts';
import { verifyChain } from './verify-chain.ts';
import { type EntryFound, verifyEntry } from './verify-entry.ts';
import { verifyEvents } from './verify-events.ts';
import type { Break, BreakCode } from './verify-findings.ts';
import { pathOfSummary, unknownFiles, verifySummary } from './verify-folders.ts';
import { verifyReports } from './verify-reports.ts';
import { type VerifyContext, verifySource } from './verify-source.ts';

export type { Break } from './verify-findings.ts';

/** The counts of a proof. */
export type Proven = {
  readonly links: number;
  readonly head?: Head;
  /** Events that links cover. */
  readonly events: number;
  /** Of these, events from before events had links: one link covers them as they were at the upgrade. */
  readonly eventsAsOfUpgrade: number;
  readonly files: number;
  readonly mappings: number;
  readonly documents: number;
  /** Revisions whose content the archived rows give again, byte for byte. */
  readonly contents: number;
  /** Revisions and files that another version or build admitted and the checks of this one refuse: not converted again. */
  readonly otherChecks: number;
  /** Stored answers that still give the recorded verdict. */
  readonly answers: number;
  /** Answers known only from receipts: the ledger was rebuilt from them. */
  readonly hearsay: number;
  /** Documents and files removed under the retention settings; their links remain. */
  readonly purged: number;
  /** Files that were lost before a document was made of them, and that a person set aside. */
  readonly givenUp: number;
  /** Documents and files that a run has not finished yet. */
  readonly notSettled: number;
  readonly breaks: number;
  /** The program was asked to end: only the counted documents were checked. */
  readonly stopped?: true;
};

/** The scope of a proof. */
export type AuditProof = {
  /** Absent: everything. */
  readonly selector?: Selector;
  /** The end of the chain as it was kept elsewhere. */
  readonly head?: Head;
  readonly onBreak: (one: Break) => void;
  /** Gets the number of documents checked so far. */
  readonly onProgress?: (documents: number) => void;
  readonly stop?: AbortSignal;
};

/** Breaks that concern a file, which several readings may share. */
const OF_A_FILE: ReadonlySet<BreakCode> = new Set([
  'verify/mapping-missing',
  'verify/mapping-changed',
  'verify/source-missing',
  'verify/source-changed',
  'verify/attachment-differs',
]);

/** Documents that are checked in parallel, and files up to this many bytes together. */
const AT_ONCE = 32;
const SMALL_BYTES = 1024 * 1024;
/** How often a fact that a run changes meanwhile is checked again. */
const LOOKS = 3;

/** Every break goes to `onBreak`: no difference throws. Errors of the disk and the ledger do. */
export async function verify(given: Omit<VerifyContext, 'stop'>, asked: AuditProof): Promise<Proven> {
  const { stop } = asked;
  const context: VerifyContext = definedOnly({ ...given, stop });
  const count = {
    events: 0,
    eventsAsOfUpgrade: 0,
    files: 0,
    documents: 0,
    contents: 0,
    otherChecks: 0,
    answers: 0,
    hearsay: 0,
    purged: 0,
    givenUp: 0,
    notSettled: 0,
    breaks: 0,
  };
  const report = (breaks: readonly Break[]) => {
    count.breaks += breaks.length;
    for (const one of breaks) asked.onBreak(one);
  };
  const chain = await untilStopped(() => verifyChain(context, asked.head));
  if (chain === 'stopped') return { ...count, links: 0, mappings: 0, stopped: true };
  report(chain.breaks);
  const recorded = await untilStopped(() => verifyEvents(context));
  if (recorded === 'stopped') return { ...count, links: chain.links, mappings: 0, stopped: true };
  Object.assign(count, { events: recorded.events, eventsAsOfUpgrade: recorded.upgraded });
  report(recorded.breaks);
  const { selector } = asked;
  const mappings = selector ? { versions: 0, breaks: [] } : await verifyMappings(context.instance);
  report(mappings.breaks);
  const broken = new Set(mappings.breaks.map(({ path }) => path));
  // A mapping is reported once and not for each export that it read; an export once and not for each reading.
  const isNew = ({ code, path, message }: Break) => {
    if (!OF_A_FILE.has(code)) return true;
    const about = path ?? format(message, 'en');
    const isFirst = !broken.has(about);
    broken.add(about);
    return isFirst;
  };

  const kept = keptMappings(context.instance);
  const aside = await context.ledger.queries.filesSetAside();
  const sourceOf = async (file: SourceFile, only?: ReadonlySet<string>) =>
    await verifySource(context, kept, file, { only, isAside: aside.has(file.id) });
  const countSource = (source: Awaited<ReturnType<typeof sourceOf>>) => {
    if (source === 'not-settled') return void count.notSettled++;
    if (source === 'purged') return void count.purged++;
    if (source === 'given-up') return void count.givenUp++;
    count.files++;
    count.contents += source.proven;
    count.otherChecks += source.otherChecks;
    report(source.breaks.filter(isNew));
  };
  const correctionsOf = readCorrections(context.ledger.queries);
  const tellOf = (entry: LedgerEntry, found: EntryFound) => {
    count.documents++;
    count.answers += found.judged;
    count.hearsay += found.hearsay;
    if (entry.purged) count.purged++;
    if (!found.settled) count.notSettled++;
    report(found.breaks);
    asked.onProgress?.(count.documents);
  };

  // Checked in parallel, because most of the time is waiting for the disk; reported in their order.
  const entries = async (all: AsyncIterable<LedgerEntry>) => {
    for await (const page of yieldingBetween(pagesOf(all), stop, 1)) {
      const looked = await Promise.all(
        page.map(async (entry) => ({ entry, found: await settledEntry(context, entry, correctionsOf) })),
      );
      for (const { entry, found } of looked) tellOf(entry, found);
    }
  };

  const some = async (selector: Selector) => {
    const wanted = new Map<string, { readonly file: SourceFile; readonly names: Set<string> }>();
    for await (const entry of yieldingBetween(context.ledger.queries.find(selector), stop)) {
      const names = wanted.get(entry.file.id)?.names ?? new Set();
      wanted.set(entry.file.id, { file: entry.file, names: names.add(entry.name) });
    }
    await entries(context.ledger.queries.find(selector));
    for await (const { file, names } of yieldingBetween(wanted.values(), stop))
      countSource(await sourceOf(file, names));
  };
  const everything = async () => {
    const summaries = new Set<string>();
    for await (const share of yieldingBetween(sharesOf(context.ledger.queries.allFiles()), stop, 1)) {
      const looked = await Promise.all(
        share.map(async (file) => ({ source: await sourceOf(file), summary: await settledSummary(context, file) })),
      );
      for (const file of share) summaries.add(pathOfSummary(file) ?? '');
      for (const { source, summary } of looked) {
        countSource(source);
        report(summary);
      }
    }
    await entries(context.ledger.queries.find({}));
    for await (const one of unknownFiles(context, summaries)) report([one]);
    for await (const one of yieldingBetween(verifyReports(context), stop)) report([one]);
    report(await verifyAnswers(context));
  };
  const end = await untilStopped(() => (selector ? some(selector) : everything()));
  const { links, head } = chain;
  const proven = definedOnly({ ...count, links, head, mappings: mappings.versions });
  if (end === 'stopped') return { ...proven, stopped: true };
  return proven;
}

async function untilStopped<T>(act: () => Promise<T>): Promise<T | 'stopped'> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StopRequestedError) return 'stopped';
    throw error;
  }
}

async function* pagesOf(all: AsyncIterable<LedgerEntry>): AsyncIterable<readonly LedgerEntry[]> {
  let page: LedgerEntry[] = [];
  for await (const entry of all) {
    page.push(entry);
    if (page.length < AT_ONCE) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Files to check at the same time: a ledger on another machine is waited for once for all of them. */
async function* sharesOf(all: AsyncIterable<SourceFile>): AsyncIterable<readonly SourceFile[]> {
  let share: SourceFile[] = [];
  let bytes = 0;
  for await (const file of all) {
    if (share.length === AT_ONCE || (share.length > 0 && bytes + file.size > SMALL_BYTES)) {
      yield share;
      share = [];
      bytes = 0;
    }
    share.push(file);
    bytes += file.size;
  }
  yield share;
}

/** A run changes the ledger before it changes files: a difference is checked again if the ledger has changed. */
async function settledEntry(
  context: VerifyContext,
  entry: LedgerEntry,
  correctionsOf: ReturnType<typeof readCorrections>,
): Promise<EntryFound> {
  let seen = entry;
  for (let look = 1; ; look++) {
    const found = await verifyEntry(context, seen, correctionsOf);
    if (found.breaks.length === 0) return found;
    const now = await findEntry(context.ledger.queries, seen.id);
    if (!now || isDeepStrictEqual({ ...now, file: 0 }, { ...seen, file: 0 })) return found;
    if (look === LOOKS) return { ...found, settled: false, breaks: [] };
    seen = now;
  }
}

async function settledSummary(context: VerifyContext, file: SourceFile): Promise<readonly Break[]> {
  let seen = file;
  for (let look = 1; ; look++) {
    const breaks = (await verifySummary(context, seen)) ?? [];
    if (breaks.length === 0) return breaks;
    const now = await context.ledger.queries.sourceFile(seen.id);
    if (!now || now.summary?.link === seen.summary?.link) return breaks;
    if (look === LOOKS) return [];
    seen = now;
  }
}
