/** The part of the ledger that reads only: files, entries, their revisions, attempts, corrections and history. */
import type { Attempt, Exchange } from '../../model/answer.ts';
import type { Document, DocumentFacts } from '../../model/document.ts';
import type { Fault } from '../../model/fault.ts';
import type {
  Attachment,
  Corrected,
  Correction,
  HistoryLine,
  KnownAttachment,
  LedgerEntry,
  Selector,
  SourceFile,
  WaivedExport,
} from '../../model/ledger-entry.ts';
import type { State } from '../../model/state.ts';

/** A revision as the ledger stores it. */
export type RecordedRevision = {
  readonly entry: string;
  /** Receipt name of its entry. */
  readonly name: string;
  readonly revision: number;
  /** Its content and answers were removed; identities and digest are left. */
  readonly purged?: true;
  readonly firstRow: number;
  /** Empty: its rows have become part of another document. */
  readonly rows: readonly number[];
  readonly outcome: State;
  readonly digest: string;
  readonly facts: DocumentFacts;
  readonly faults: readonly Fault[];
  readonly content?: string;
  readonly contentSha256?: string;
};

/** An attempt with its raw exchange, if one was kept. */
export type RecordedAttempt = Attempt & { readonly revision: number; readonly exchange?: Exchange };

export type LedgerCounts = { readonly [state in State]?: number };

/** Which of the later intakes concern a file. */
type LaterIntake = {
  /** A file of its name was admitted. */
  readonly byName: boolean;
  /** Its bytes were admitted. */
  readonly byBytes: boolean;
  /** Its bytes came a second time, and are archived as a duplicate. */
  readonly archived: boolean;
};

/** A cell text that people have always corrected to the same other text, in this many files of one mapping. */
export type RepeatedCorrection = {
  readonly mapping: string;
  readonly column: string;
  readonly from: string;
  readonly to: string;
  readonly files: number;
  /** ISO 8601: the last time. */
  readonly lastAt: string;
};

/** What of a document counts in sums. */
export type RunDocument = Pick<LedgerEntry, 'state' | 'class' | 'facts' | 'evidence' | 'closed'>;

/** An entry without its attempts, which are rows of their own to read. */
export type EntryOutcome = Omit<LedgerEntry, 'attempts'>;

/** Lists of documents come a page at a time. */
export type QueryStore = {
  /** Entries that the selector matches, in the order of their ids. */
  find(selector: Selector): AsyncIterable<LedgerEntry>;
  /** The entries with these ids, in their order; an unknown id has none. */
  entriesById(ids: readonly string[]): Promise<readonly LedgerEntry[]>;
  /** The same without attempts, where many are read and their last answer is enough. */
  outcomesById(ids: readonly string[]): Promise<readonly EntryOutcome[]>;
  /** Ids of the entries that the ERP calls so: by their `never-twice` values, with spaces between several. */
  idsOfSourceNumber(number: string): Promise<readonly string[]>;
  /** How many entries there are of each state; a state without entries is absent. */
  counts(selector?: Selector): Promise<LedgerCounts>;
  /** The exports of the night of this run (`night` of a selector), and what was read of them once more for corrections. */
  filesOfNight(run: string): Promise<readonly SourceFile[]>;
  /** The exact content of the latest revision, after numbering. */
  contentOf(id: string): Promise<string | undefined>;
  /** What happened to an entry, oldest first. */
  historyOf(id: string): Promise<readonly HistoryLine[]>;
  /** The attempts of an entry, in order, each with its answer. */
  attemptsOf(id: string): Promise<readonly RecordedAttempt[]>;
  /** The number that the ledger gave to a document of this entry, if the document waits for one and has one. */
  numberOf(entry: string, document: Document): Promise<number | undefined>;

  sourceFile(id: string): Promise<SourceFile | undefined>;
  /**
   * The latest first, at most `limit` (1000). `since`: claimed then or later, ISO 8601 in UTC. `after`: those before the file
   * with this id in the list. `whole`: not those that were read once more for some documents.
   */
  files(selector: {
    readonly run?: string;
    readonly since?: string;
    readonly after?: string;
    readonly whole?: true;
    readonly limit?: number;
  }): Promise<readonly SourceFile[]>;
  /** The files with this id or name, the latest first, at most 20; not those that were read once more. */
  filesCalled(name: string): Promise<readonly SourceFile[]>;
  /** The files with these ids, in their order; an unknown id has none. */
  filesById(ids: readonly string[]): Promise<readonly SourceFile[]>;
  /** Every file, in the order of their intake. */
  allFiles(): AsyncIterable<SourceFile>;
  /** Refused files, correction files with faults, and files whose copy is missing; the latest first. */
  filesWithFaults(): Promise<readonly SourceFile[]>;
  /** Ids of refused files that a person has set aside (`ReprocessStore.recordEvent`). */
  filesSetAside(): Promise<ReadonlyMap<string, string>>;
  /** Hours of expected exports that a person waived and no one expects again, the latest decision last. */
  exportsWaived(): Promise<readonly WaivedExport[]>;
  /** The start of the first run, or the first intake of a ledger from before run records; ISO 8601 in UTC. */
  firstUse(): Promise<string | undefined>;
  laterIntake(file: Pick<SourceFile, 'id' | 'name' | 'sha256'>): Promise<LaterIntake>;
  /** The run that last took in a file or consulted a service; reprocessing does not count. */
  latestRun(): Promise<string | undefined>;

  /** Every entry whose latest revision is of this file, in row order. */
  entriesOf(fileId: string): AsyncIterable<LedgerEntry>;
  /** Documents of this file that a later file corrected, in row order. */
  correctedOf(fileId: string): AsyncIterable<Corrected>;
  /** Both of these by id of the file, for files of few rows. The attempts of entries come without their answers. */
  entriesByFile(fileIds: readonly string[]): Promise<ReadonlyMap<string, readonly (LedgerEntry | Corrected)[]>>;
  /** Revisions of this file whose documents begin at one of these rows, or all of them, in row order. */
  revisionsOf(fileId: string, firstRows?: readonly number[]): AsyncIterable<RecordedRevision>;
  /** All revisions of an entry, oldest first, each with the id of the reading that made it. */
  revisionsOfEntry(id: string): Promise<readonly (RecordedRevision & { readonly file: string })[]>;
  /** First rows of documents whose content of before a correction a restored ledger does not have. */
  firstRowsLearned(fileId: string): Promise<ReadonlySet<number>>;
  /** Corrections of this file in the order in which they were made; of a file that is reprocessed, those it applies. */
  correctionsOf(fileId: string): Promise<readonly Correction[]>;
  /** Every correction, by the file that was read first and its number there. */
  allCorrections(): AsyncIterable<{ readonly file: string; readonly n: number; readonly correction: Correction }>;
  /** Corrections that were made alike in at least `files` files of one mapping; texts with two corrections are left out. */
  repeatedCorrections(files: number): Promise<readonly RepeatedCorrection[]>;
  /** What the documents of this file carry, or would. */
  attachmentsOf(fileId: string): Promise<readonly Attachment[]>;
  /** The same of every reading of this file, the first one first: of a name that two readings have, the first counts. */
  attachmentsOfReadings(fileId: string): Promise<readonly KnownAttachment[]>;
  /** Of each of these files that has any. */
  attachmentsByFile(fileIds: readonly string[]): Promise<ReadonlyMap<string, readonly KnownAttachment[]>>;
  /** Ids of the files whose documents have this attachment. */
  filesWithAttachment(attachment: Attachment): Promise<readonly string[]>;
};
