/**
 * The contract of the ledger: what happened, kept. Everything left of it can be repeated; right of it each thing
 * happens at most once, because the intention is durable before the first byte leaves.
 *
 * Every method that writes resolves when the write is durable (fsynced), several sharing one commit where they meet.
 */
import type { Attempt, Exchange, Verdict } from '../../model/answer.ts';
import type { Head, Link } from '../../model/chain-link.ts';
import type { Document, DocumentFacts, DocumentOutcome, Hold } from '../../model/document.ts';
import type { Fault } from '../../model/fault.ts';
import type {
  Attachment,
  Corrected,
  Correction,
  Evidence,
  HistoryLine,
  LedgerEntry,
  Purged,
  Selector,
  SourceFile,
} from '../../model/ledger-entry.ts';
import type { QuarantineCause } from '../../model/quarantine-cause.ts';
import type { Folder, State } from '../../model/state.ts';
import type { Admission, FileClosing, FileRefusal, SeenQuery } from './close-file.ts';

/** Whether this ledger may send at all. A missing, emptied, older or copied one never does. */
export type SendGuard =
  | { readonly send: true }
  | { readonly send: false; readonly code: string; readonly reason: string };

/** What the ledger is bound to; anything else found there means no-send mode. */
export type Binding = {
  /** Service name -> base address. */
  readonly services: { readonly [service: string]: string };
  readonly environment: string;
};

export type NewFile = Pick<
  SourceFile,
  'name' | 'sha256' | 'size' | 'modifiedAt' | 'claimedAt' | 'owner' | 'day' | 'run' | 'path'
>;

export type DueDocument = {
  readonly id: string;
  readonly revision: number;
  readonly kind: string;
  readonly service: string;
  readonly class: string;
  readonly identifier: string;
  /** Set when an earlier try was provably not processed: the same request-id goes out again. */
  readonly requestId?: string;
  /** Under which its content was made. */
  readonly mapping: { readonly id: string; readonly sha256: string };
  /** Tries so far that were proven not sent, for the back-off. */
  readonly tries: number;
  /** Milliseconds since 1970; absent where nothing is due. */
  readonly dueMs?: number;
};

export type Intent = { readonly requestId: string; readonly at: string; readonly run: string };

/** A document whose intent is durable: it may be sent once, now. */
export type BegunSubmission = Intent & {
  readonly due: DueDocument;
  readonly n: number;
  /** The source file of its revision. */
  readonly file: string;
  readonly content: string;
};

/** What came back, and after how long. */
export type ReceivedResponse = { readonly exchange: Exchange; readonly ms: number };

/** Who let a paused service go on, and why. */
export type Resumption = { readonly by: string; readonly reason: string; readonly at: string };

export type Pause = {
  readonly cause: string;
  readonly says: string;
  readonly at: string;
  readonly untilMs?: number;
  /** Where echoes were read when foreign ones came. */
  readonly echoes?: string;
};

/** Restored, rebuilt or accepted (`why`): it may not know everything that was sent, so all that is admitted is held. */
export type Quarantine = { readonly at: string; readonly by: string; readonly why: QuarantineCause };
/** A revision as it stands in the ledger. */
export type RecordedRevision = {
  readonly entry: string;
  /** Receipt name of its entry. */
  readonly name: string;
  readonly revision: number;
  /** Its content and answers were removed; identities and digest are left. */
  readonly purged?: true;
  readonly firstRow: number;
  /** None: its rows have become part of another document. */
  readonly rows: readonly number[];
  readonly outcome: State;
  readonly digest: string;
  readonly facts: DocumentFacts;
  readonly faults: readonly Fault[];
  readonly content?: string;
  readonly contentSha256?: string;
};

export type RecordedAttempt = Attempt & { readonly revision: number; readonly exchange?: Exchange };

export type ReceiptPlace = {
  readonly folder?: Folder;
  readonly day?: string;
  readonly hasPayload: boolean;
  /** A newer receipt is to be written, perhaps elsewhere. */
  readonly due: boolean;
};

export type LedgerCounts = { readonly [state in State]?: number };

/** A file that is read once more for some of its entries, and what a person has corrected for it. */
export type ReprocessRequest = {
  /** Ids; each of a state that may be corrected, its rows in this file. */
  readonly entries: readonly string[];
  readonly corrections: readonly Correction[];
  readonly by: string;
  readonly reason: string;
  readonly claimedAt: string;
  readonly day: string;
  readonly run: string;
};

/** What the rows of an entry have become. */
export type RevisionBasis = {
  readonly entry: string;
  readonly outcome: DocumentOutcome;
  /** Other entries whose rows are part of it now: they keep none, as duplicates of `entry`. */
  readonly absorbs?: readonly string[];
};

export type PlannedRevision = {
  readonly entry: string;
  /** unchanged: the very content that the service has rejected, which does not go there again. */
  readonly state: 'ready' | 'held' | 'invalid' | 'duplicate' | 'conflict' | 'unchanged';
  /** duplicate, conflict: the entry that has the identity. */
  readonly first?: string;
};

export type Ledger = AsyncDisposable & {
  readonly guard: SendGuard;

  /** The latest file with these bytes that was admitted or refused, with any mapping or with this one. */
  fileBySha256(sha256: string, mappingId?: string): Promise<SourceFile | undefined>;
  /** The same for many at once, of any mapping; of bytes that no file has there is none. */
  filesBySha256(hashes: readonly string[]): Promise<readonly SourceFile[]>;
  /** Records a claimed file as `loading`. */
  openFile(file: NewFile): Promise<SourceFile>;
  /** The same bytes again: recorded as `duplicate` of `firstId`, nothing else happens. */
  duplicateFile(id: string, firstId: string): Promise<void>;
  /** No document is made of it: recorded as `refused` with the faults; what was staged of it is dropped. */
  refuseFile(id: string, refusal: FileRefusal): Promise<void>;
  /**
   * Puts outcomes of a loading file aside, a few hundred per call. Decides here, per identity: new -> ready (or
   * invalid), same content as before -> duplicate, other content -> a new revision where the state of the earlier
   * entry is replaceable, else conflict. Numbers are given here. Nothing of it can be sent before `admit`.
   */
  stage(id: string, outcomes: readonly DocumentOutcome[]): Promise<void>;
  /** What `stageRevisions` would make of these now. Nothing is written. */
  planRevisions(again: readonly RevisionBasis[]): Promise<readonly PlannedRevision[]>;
  /**
   * As `stage`, for a file that is read once more: each outcome is the next revision of its entry, whatever identity it
   * has now; an identity of another entry makes it duplicate or conflict. A number of a sequence stays with the entry.
   * Nothing is staged of what is unchanged. Throws where the state of an entry does not allow a correction.
   */
  stageRevisions(id: string, again: readonly RevisionBasis[]): Promise<readonly PlannedRevision[]>;
  /**
   * One commit makes the whole file count. Done twice it changes nothing. Its entries follow in steps; after `stop` the
   * rest of them count when the ledger is opened the next time.
   */
  admit(id: string, facts: Admission, stop?: AbortSignal): Promise<void>;
  /** Loading files with few documents are closed in this order, in one commit: none of it counts before all of it does. */
  closeFiles(files: readonly FileClosing[]): Promise<void>;
  quarantine(): Promise<Quarantine | undefined>;
  /** Has anything like it gone its way before? For rules that hold what is new, and documents that go first. */
  hasSeen(what: SeenQuery): Promise<boolean>;
  /** Drops what was staged of a loading file, after a crash or an interruption, so that it can be read again. */
  restartFile(id: string, stop?: AbortSignal): Promise<void>;
  moveFile(id: string, path: string): Promise<void>;
  archiveFile(id: string, path: string, at: string): Promise<void>;
  /**
   * The private copy of a file that is not `loading` is neither in processing/ nor in the archive: the fault is added, its
   * documents keep their states, and no run looks for the copy again. Done twice it changes nothing.
   */
  recordMissing(id: string, fault: Fault, at: string): Promise<void>;
  /** Files that are not archived yet, oldest first: what is being worked on, and what a crash or an interruption left. */
  openFiles(): Promise<readonly SourceFile[]>;
  /** Of these, those that are being read, or were when the program ended. */
  loadingFiles(): Promise<readonly SourceFile[]>;
  /** The private copies that are being read. */
  loadingPaths(): Promise<ReadonlySet<string>>;
  /** Of these, those that read this private copy. */
  openFilesAt(path: string): Promise<readonly SourceFile[]>;
  /** At most so many of them behind this id ('' for the first): thousands may be open at once. */
  openFilesAfter(id: string, most: number): Promise<readonly SourceFile[]>;
  /** Every entry whose latest revision is of this file, in row order. */
  entriesOf(fileId: string): AsyncIterable<LedgerEntry>;
  /** Documents of this file that a later file corrected, in row order. */
  correctedOf(fileId: string): AsyncIterable<Corrected>;
  /** Both of these, for files of few rows: their places by id. The attempts of entries come without their answers. */
  entriesByFile(fileIds: readonly string[]): Promise<ReadonlyMap<string, readonly (LedgerEntry | Corrected)[]>>;

  sourceFile(id: string): Promise<SourceFile | undefined>;
  /** Kept in this order under the file that was read first, and in the history. Nothing is read again because of it. */
  recordCorrections(fileId: string, corrections: readonly Correction[]): Promise<void>;
  /** In the order they were made; of a file that is read once more, those that its reading knows. */
  correctionsOf(fileId: string): Promise<readonly Correction[]>;
  /** Records corrections and, as `loading`, that the file is read once more: one commit, found again after a crash. */
  openReprocess(fileId: string, reread: ReprocessRequest): Promise<SourceFile>;
  /** Ids of the entries that a file is read once more for. */
  entriesToReprocess(fileId: string): Promise<readonly string[]>;
  /** A decision of a person about a file, for the history alone. */
  recordEvent(event: {
    readonly what: string;
    readonly file: string;
    readonly at: string;
    readonly person: string;
    readonly detail: { readonly reason: string };
  }): Promise<void>;
  /** Ids of refused files that a person has set aside: `recordEvent` with FILE_SET_ASIDE (ledger-entry.ts). */
  dismissedFiles(): Promise<ReadonlySet<string>>;
  /** What happened to an entry, oldest first. */
  historyOf(id: string): Promise<readonly HistoryLine[]>;

  /** Entries of a service that may go out now, oldest first, those behind `after`; none while the guard forbids sending. */
  due(
    service: string,
    nowMs: number,
    limit: number,
    exceptClasses?: readonly string[],
    after?: Pick<DueDocument, 'id' | 'dueMs'>,
  ): Promise<readonly DueDocument[]>;
  /** What is queued of a mapping is held. How many. */
  holdReady(what: { readonly service: string; readonly mapping: string }, hold: Hold, at: string): Promise<number>;
  /** Are more than so many entries ready, whatever their service? */
  hasMoreReadyThan(count: number): Promise<boolean>;
  /** When the next entry of the service is due, for waiting; undefined when none is. */
  nextDue(service: string): Promise<number | undefined>;
  /** `sending` + request-id durable. Undefined if the entry is no longer ready (somebody else took it). */
  begin(due: DueDocument, intent: Intent): Promise<BegunSubmission | undefined>;
  /** The raw exchange, durable before anything is derived from it. */
  recordExchange(sending: Pick<BegunSubmission, 'due' | 'n'>, exchange: Exchange, ms: number): Promise<void>;
  /** The verdict: state, answer, when to act next; back to ready (same request-id) where the verdict says resend. */
  finish(sending: Pick<BegunSubmission, 'due' | 'n'>, verdict: Verdict, at: string): Promise<void>;
  /**
   * `answered` and `finish` at once: neither is durable without the other. A verdict that cannot be is refused, and the
   * exchange is kept all the same.
   */
  finishWithExchange(sending: BegunSubmission, told: ReceivedResponse, verdict: Verdict, at: string): Promise<void>;
  /** Found `sending` at start: with their stored exchange, to be judged again; without, to be finished as in-doubt. */
  interruptedSubmissions(): Promise<
    readonly {
      readonly due: DueDocument;
      readonly n: number;
      readonly requestId: string;
      readonly exchange?: Exchange;
    }[]
  >;

  consultDue(service: string, nowMs: number, limit: number): Promise<readonly DueDocument[]>;
  /** When the next consultation of the service is due; undefined when none is. */
  nextConsult(service: string): Promise<number | undefined>;
  beginConsult(
    due: DueDocument,
    intent: Intent,
  ): Promise<{
    readonly n: number;
    readonly state: State;
    readonly trackingId?: string;
    /** It is `returned`, and no submission of its present content was ever in doubt. */
    readonly onlyReturned: boolean;
  }>;
  /** `verdict.state` equal to the present one keeps it; `verdict.consultAt` sets the next consultation. */
  finishConsult(
    due: DueDocument,
    n: number,
    exchange: Exchange,
    verdict: Verdict,
    at: string,
    ms: number,
  ): Promise<void>;
  /** A person recorded the outcome. Refused (false) where the state does not allow it. */
  resolve(id: string, evidence: Evidence): Promise<boolean>;

  /**
   * Each entry whose receipt is missing or says less than the ledger, with the exact content of its latest revision; its
   * attempts come without their answers, which no receipt tells.
   */
  receiptsDue(
    limit: number,
    options?: { readonly waiting: boolean },
  ): Promise<readonly { readonly entry: LedgerEntry; readonly content?: string }[]>;
  /** The same for entries of files of few rows that have been ready since before this instant (epoch milliseconds). */
  receiptsWaiting(limit: number, beforeMs: number, mostRows: number): ReturnType<Ledger['receiptsDue']>;
  /** Each file, in the order in which they were taken. */
  allFiles(): AsyncIterable<SourceFile>;
  /** Revisions of this file whose documents begin at one of these rows; all of them, in row order, where none are named. */
  revisionsOf(fileId: string, firstRows?: readonly number[]): AsyncIterable<RecordedRevision>;
  /** The number that the ledger gave to a document of this entry, if it waits for one and has one. */
  numberOf(entry: string, document: Document): Promise<number | undefined>;
  attachmentsOf(fileId: string): Promise<readonly Attachment[]>;
  /** Ids of the files whose documents carry it. */
  filesWithAttachment(attachment: Attachment): Promise<readonly string[]>;
  /** What was tried, in order, each with what came back. */
  attemptsOf(id: string): Promise<readonly RecordedAttempt[]>;
  linkAt(n: number): Promise<Link | undefined>;
  /** Links of this entry or file, oldest first. */
  linksOf(id: string): Promise<readonly Link[]>;
  /** Links behind the last one that their entry or file knows, or of none there is: nobody who writes leaves any. */
  orphanedLinks(): Promise<readonly Link[]>;
  /** Where the receipts of these names lie; of names that no entry has there is nothing. */
  receiptPlaces(names: readonly string[]): Promise<ReadonlyMap<string, ReceiptPlace>>;

  /** The end of the chain of receipts and summaries; undefined while there is none. */
  chainHead(): Promise<Head | undefined>;
  /** Every link, in order. */
  links(): AsyncIterable<Link>;
  /** With their links, in order, in the same commit; refused where another writer was at the chain meanwhile. */
  recordReceipts(
    written: readonly {
      readonly id: string;
      /** Its source file, whose summary is due from now on. */
      readonly file: string;
      readonly revision: number;
      readonly state: State;
      readonly attempts: number;
      readonly folder: Folder;
      readonly day: string;
      readonly link: Link;
    }[],
  ): Promise<void>;
  /** Files whose summary is missing or older than the last receipt of one of their entries, or than its last try. */
  summariesDue(limit: number): Promise<readonly SourceFile[]>;
  /** Of these, files of few rows: none of their documents is on its way or without its receipt. */
  settledSummariesDue(limit: number, mostRows: number): Promise<readonly SourceFile[]>;
  /**
   * With their links, in order, in the same commit. `changes` is SourceFile.changes as it was when the summary was made: a
   * change meanwhile makes it due again.
   */
  recordSummaries(
    written: readonly {
      readonly id: string;
      readonly changes: number;
      readonly folder: Folder;
      readonly day: string;
      readonly link: Link;
    }[],
  ): Promise<void>;

  /** Receipts of these entries, and summaries of these files, are due once more. */
  requestRewrite(what: { readonly entries: readonly string[]; readonly files: readonly string[] }): Promise<void>;

  /** The exact content of the latest revision, after numbering. */
  contentOf(id: string): Promise<string | undefined>;

  find(selector: Selector): AsyncIterable<LedgerEntry>;
  counts(selector?: Selector): Promise<LedgerCounts>;
  /** Refused ones, correction files that something is told of, and files whose copy is missing; the latest first. */
  filesWithFaults(): Promise<readonly SourceFile[]>;
  /** What came after a file: documents made of one of its name, or of its bytes; or its bytes once more, archived. */
  laterIntake(
    file: Pick<SourceFile, 'id' | 'name' | 'sha256'>,
  ): Promise<{ readonly byName: boolean; readonly byBytes: boolean; readonly archived: boolean }>;
  /** The run that last took an export or asked a service; reading again for a correction is none. */
  latestRun(): Promise<string | undefined>;
  /** The latest first. `since`: claimed then or later, ISO 8601 in UTC. */
  files(selector: {
    readonly run?: string;
    readonly since?: string;
    readonly limit?: number;
  }): Promise<readonly SourceFile[]>;

  /** Removes what `what` says of an entry that is done, and keeps who did it and why; its identities stay. */
  purgeEntry(id: string, purged: Purged): Promise<void>;
  /** Its receipt and payload are removed. */
  markReceiptPurged(id: string): Promise<void>;
  purgeFile(id: string, purged: Purged): Promise<void>;
  /** Its summary is removed. */
  markSummaryPurged(id: string): Promise<void>;

  /** From when on nobody was told what became of files and documents, ISO 8601 in UTC: a run is at work, or was cut off. */
  unreportedSince(): Promise<string | undefined>;
  /** What happens from `at` on, ISO 8601 in UTC, will be told; an earlier instant that stands there stays. */
  openReportWindow(at: string): Promise<void>;
  /** All of it was told. */
  closeReportWindow(): Promise<void>;

  pauseOf(service: string): Promise<Pause | undefined>;
  /** undefined ends the pause; with `decision` a person lets the service go on, `pause` is what is left of it. */
  pause(service: string, pause: Pause | undefined, decision?: Resumption): Promise<void>;
};
