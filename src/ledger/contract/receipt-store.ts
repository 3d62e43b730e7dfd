/**
 * The part of the ledger for receipts and summaries: which are due, where they are, and the chain of links that proves
 * that none was changed or removed. One writer works at a time.
 */
import type { Head, Link, NewReceipt } from '../../model/chain-link.ts';
import type { LedgerEntry, SourceFile } from '../../model/ledger-entry.ts';
import type { Folder } from '../../model/state.ts';
import type { EventSeal, RecordedEvent } from './recorded-event.ts';

/** Where the receipt of an entry is. */
export type ReceiptPlace = {
  /** Absent while there is no receipt. */
  readonly folder?: Folder;
  /** YYYY-MM-DD. */
  readonly day?: string;
  readonly hasPayload: boolean;
  /** A newer receipt is due, perhaps in another folder. */
  readonly due: boolean;
};

/** An entry with the exact content of its latest revision. Its attempts come without their answers: no receipt has them. */
export type DueReceipt = { readonly entry: LedgerEntry; readonly content?: string };

/** With the answers that it makes due. */
export type WrittenReceipt = NewReceipt & {
  /** Answers to the ERP that it makes due: its own, and those of documents that repeat it. */
  readonly answers?: readonly AnswerMark[];
};

/** The blocks of answers in which a document is due, its export and its first row there. */
type AnswerMark = {
  readonly entry: string;
  readonly blocks: readonly string[];
  readonly file: string;
  readonly firstRow: number;
};

/** A summary that was written. */
type WrittenSummary = {
  readonly id: string;
  /** SourceFile.changes as it was when the summary was made: a change meanwhile makes it due again. */
  readonly changes: number;
  readonly folder: Folder;
  readonly day: string;
  readonly link: Link;
};

export type ReceiptStore = {
  /** Entries whose receipt is missing or says less than the ledger, at most `limit`; `waiting` includes queued ones. */
  receiptsDue(limit: number, options?: { readonly waiting: boolean }): Promise<readonly DueReceipt[]>;
  /** The same for entries of files of at most `mostRows` rows that are ready since `beforeMs` (since 1970) or longer. */
  receiptsWaiting(limit: number, beforeMs: number, mostRows: number): Promise<readonly DueReceipt[]>;
  /** Records receipts with their links, in order, in one commit. Throws if another writer has extended the chain. */
  recordReceipts(written: readonly WrittenReceipt[]): Promise<void>;
  /** Where the receipts of these names are; a name that no entry has is not in the map. */
  receiptPlaces(names: readonly string[]): Promise<ReadonlyMap<string, ReceiptPlace>>;

  /** Files whose summary is missing or older than the last receipt of one of their entries, or than its last attempt. */
  summariesDue(limit: number): Promise<readonly SourceFile[]>;
  /** Of these, files of at most `mostRows` rows of which no document is on its way or without its receipt. */
  settledSummariesDue(limit: number, mostRows: number): Promise<readonly SourceFile[]>;
  /** Records summaries with their links, in order, in one commit. Throws if another writer has extended the chain. */
  recordSummaries(written: readonly WrittenSummary[]): Promise<void>;

  /** Makes the receipts of these entries, and the summaries of these files, due once more. */
  requestRewrite(what: { readonly entries: readonly string[]; readonly files: readonly string[] }): Promise<void>;

  /**
   * The latest links of the two runs that wrote into the chain last: of each those of its last `withinMs`, on the clock of its
   * machine. In order.
   */
  latestLinks(withinMs: number): Promise<readonly Link[]>;

  /** The end of the chain of receipts and summaries; undefined while there is none. */
  chainHead(): Promise<Head | undefined>;
  /** Every link, in order. */
  links(): AsyncIterable<Link>;
  linkAt(n: number): Promise<Link | undefined>;
  /** Links of this entry or file, oldest first. */
  linksOf(id: string): Promise<readonly Link[]>;
  /**
   * Adds links for the events that have none. Only while nothing writes receipts; closing the ledger does it too. Does
   * nothing if the ledger can no longer be written.
   */
  sealEvents(): Promise<void>;
  /** How many events were recorded, also if some of them were removed since. */
  eventCount(): Promise<number>;
  /** Events with these numbers, in their order; the two ends are at most some thousand apart. */
  eventsBetween(first: number, last: number): Promise<readonly RecordedEvent[]>;
  /** Events with a number that was never given, or without one, at most 1000: no writer leaves any. */
  strayEvents(): Promise<readonly RecordedEvent[]>;
  /** What each link of events covers, in order; the link 0 does not exist yet. */
  eventSeals(): AsyncIterable<EventSeal>;
  /** Links behind the last one that their entry or file has, or of no entry, file or events: no writer leaves any. */
  orphanedLinks(): Promise<readonly Link[]>;
};
