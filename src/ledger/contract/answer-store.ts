/**
 * The part of the ledger for the answers to the ERP: which documents have a change to report, which answer files were
 * made, and what each of them reported. The number, the name and the content of a file are durable before the file is.
 */
import type { LedgerEntry } from '../../model/ledger-entry.ts';

/** A document whose answer may have changed since the last one; in the order of its source. */
export type DueAnswer = {
  readonly entry: string;
  readonly firstRow: number;
  /** Counts its changes: a change meanwhile keeps it due. */
  readonly changes: number;
  /** A person asked for its answer once more. */
  readonly again: boolean;
};

/** What became of a document, of its latest revision. */
export type KnownOutcome = Pick<
  LedgerEntry,
  'id' | 'revision' | 'state' | 'since' | 'answer' | 'evidence' | 'closed'
> & {
  /** None where it has an answer. */
  readonly faults: LedgerEntry['faults'];
};

/** What an answer can report of a document. */
export type AnswerOutcome = KnownOutcome & {
  readonly file: LedgerEntry['file'];
  readonly rows: LedgerEntry['rows'];
  readonly formerRow?: LedgerEntry['formerRow'];
  /** Of a duplicate: what became of the document that it repeats, which is no duplicate itself. */
  readonly repeats?: KnownOutcome;
  /** Only where it was asked for. */
  readonly document?: Pick<LedgerEntry, 'name' | 'kind' | 'class' | 'facts'> & Pick<LedgerEntry['identity'], 'keys'>;
};

/** `document`: with what was recognized of the document, which not every line of answers has. */
export type AskedOutcome = { readonly document: boolean };

/** Without an outcome where the ledger has no document that counts, or has it at another place now. */
export type DueOutcome = DueAnswer & { readonly outcome?: AnswerOutcome };

/** What an answer file reports of one document. `digest` is of what the service or the checks said. */
export type AnsweredDocument = {
  readonly entry: string;
  readonly state: string;
  readonly code?: number | undefined;
  readonly digest: string;
  readonly changes: number;
};

/** A field that is not as the mapping means it, in so many lines: empty (`no-value`, `too-wide`), or with a substitute (`letter`). */
export type AnswerFieldProblem = {
  readonly field: string;
  readonly why: 'no-value' | 'too-wide' | 'letter';
  readonly count: number;
};

/**
 * chosen: number and content are durable. placed: the bytes are in the target folder under a hidden name. written: the
 * file has its name. taken: it was gone when Nightpost looked for it, so the ERP has it.
 */
export type AnswerFileState = 'composing' | 'chosen' | 'placed' | 'written' | 'taken';

export type AnswersFile = {
  /** Over all answers, from 1. */
  readonly id: number;
  /** The block of the mapping: its name and the pattern of the file. */
  readonly answers: string;
  readonly n: number;
  readonly name: string;
  /** Name of the folder in the settings; its path once the file is placed. */
  readonly folder: string;
  readonly path?: string;
  readonly marker?: string;
  readonly state: AnswerFileState;
  readonly sha256: string;
  readonly documents: number;
  /** Source file, where the answers are of one export. */
  readonly file?: string;
  readonly run: string;
  /** ISO 8601: when number and content became durable, and when the file was written. */
  readonly at: string;
  readonly writtenAt?: string;
  /** Number of its link in the chain. */
  readonly link?: number;
  /** SHA-256 (hex) of the lines of its documents: what the link proves. */
  readonly documentsSha256?: string;
  readonly removedAt?: string;
  /** Fields that are not as the mapping means them. */
  readonly fields?: readonly AnswerFieldProblem[];
};

type NewAnswerFile = Pick<AnswersFile, 'answers' | 'folder' | 'marker' | 'file' | 'run'> & {
  /** The name for a number; a name that another file of the folder had is passed over. */
  readonly nameOf: (n: number) => string;
  readonly at: string;
};

/** A folder that answers could not be written to. */
export type AnswerDelay = {
  readonly folder: string;
  readonly path: string;
  /** ISO 8601: of the first and of the last try. */
  readonly since: string;
  readonly at: string;
  readonly tries: number;
  readonly code: string;
  /** In the language of the settings. */
  readonly says: string;
};

/** A duplicate, and where its answer is due when the document that it repeats changes. */
export type Repeat = {
  readonly entry: string;
  /** The document that it repeats, also through another duplicate. */
  readonly of: string;
  readonly mapping: string;
  readonly file: string;
  readonly firstRow: number;
};

/** The state of all answers: for status, doctor, report and metrics. */
type AnswersWaiting = {
  /** Documents with a change that is in no answer file. */
  readonly documents: number;
  /** Answer files that are chosen and not in their folder. */
  readonly files: number;
  /** ISO 8601: of the oldest of these files. */
  readonly since?: string;
  readonly delays: readonly AnswerDelay[];
  /** Of the answer files of the last 24 hours, up to the newest one; the most frequent first. */
  readonly fields: readonly (Pick<AnswersFile, 'answers'> & AnswerFieldProblem)[];
};

/** What the ERP got about one document, oldest first. */
export type ReportedToErp = {
  readonly file: AnswersFile;
  readonly state: string;
  readonly code?: number;
};

export type AnswerStore = {
  /** Sources with documents whose answer is due, in the order of their intake. */
  answerSources(answers: string, after: string, limit: number): Promise<readonly string[]>;
  /** The blocks with documents whose answer is due, also those that no mapping has any more. */
  dueBlocks(): Promise<readonly string[]>;
  /** How many documents have an answer that is due for a block of this mapping. */
  documentsDueOf(mapping: string): Promise<number>;
  /** Ids of the documents with an answer that is due, for any block. */
  entriesDue(): Promise<readonly string[]>;
  /** Documents that are due for a block that is gone are due for others in its place, or for none. */
  moveDueAnswers(from: string, to: readonly string[]): Promise<void>;
  /** Due documents of a source after the last one of a page. */
  dueAnswers(
    answers: string,
    file: string,
    after: Pick<DueAnswer, 'firstRow' | 'entry'> | undefined,
    limit: number,
  ): Promise<readonly DueAnswer[]>;
  /** The same with what can be reported of each. */
  dueOutcomes(
    asked: AskedOutcome,
    answers: string,
    file: string,
    after: Pick<DueAnswer, 'firstRow' | 'entry'> | undefined,
    limit: number,
  ): Promise<readonly DueOutcome[]>;
  /** What can be reported of these entries, in their order; an unknown id has none. */
  answerOutcomes(ids: readonly string[], asked: AskedOutcome): Promise<readonly AnswerOutcome[]>;
  /** The duplicates that repeat these documents. */
  repeatsOf(ids: readonly string[]): Promise<readonly Repeat[]>;
  /** Every document whose latest revision was read from the source, also when it was read once more. */
  documentsOfSource(
    file: string,
    after: Pick<DueAnswer, 'firstRow' | 'entry'> | undefined,
    limit: number,
  ): Promise<readonly Pick<DueAnswer, 'firstRow' | 'entry'>[]>;
  /** The digest that was reported last, by entry. */
  reportedDigests(answers: string, entries: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** True where an answer file of this source was made. */
  hasAnswered(answers: string, file: string): Promise<boolean>;
  /** Nothing to report: takes them from what is due unless they changed meanwhile. */
  dropDueAnswers(answers: string, file: string, due: readonly DueAnswer[]): Promise<void>;
  beginAnswerFile(file: NewAnswerFile): Promise<AnswersFile>;
  addAnswered(id: number, documents: readonly AnsweredDocument[]): Promise<void>;
  /** From here on the file will be written; its documents are no longer due. */
  chooseAnswerFile(
    id: number,
    content: Pick<AnswersFile, 'sha256' | 'documents' | 'fields'> & {
      readonly documentsSha256: string;
      readonly at: string;
    },
  ): Promise<void>;
  /** Forgets files that a stop left without content. */
  discardComposing(): Promise<void>;
  /** Files that are not in their folder, by number. */
  pendingAnswerFiles(): Promise<readonly AnswersFile[]>;
  answerFilePlaced(id: number, path: string): Promise<void>;
  answerFileDone(id: number, state: 'written' | 'taken', at: string): Promise<void>;
  /** The path under which a folder was used first; undefined for one that never was. */
  answerFolder(folder: string): Promise<string | undefined>;
  useAnswerFolder(folder: string, path: string): Promise<void>;
  delayAnswers(folder: string, delay: Pick<AnswerDelay, 'path' | 'at' | 'code' | 'says'>): Promise<void>;
  endAnswerDelay(folder: string): Promise<void>;
  answersWaiting(): Promise<AnswersWaiting>;
  /** How many fields of all answer files were not as the mapping means them. */
  answerFieldProblems(): Promise<number>;
  /** Makes the answers of these documents due once more, by the decision of a person. */
  answerAgain(
    documents: readonly {
      readonly answers: string;
      readonly file: string;
      readonly firstRow: number;
      readonly entry: string;
    }[],
    decision: { readonly by: string; readonly at: string; readonly reason: string },
  ): Promise<void>;
  reportedToErp(entry: string): Promise<readonly ReportedToErp[]>;
  /** All answer files after this id, oldest first. */
  answerFiles(after: number, limit: number): Promise<readonly AnswersFile[]>;
  /** Id of the newest answer file; 0 without one. */
  lastAnswerFile(): Promise<number>;
  /** The lines that `documentsSha256` is of. */
  answeredLines(id: number): AsyncIterable<string>;
  answerFileRemoved(id: number, at: string): Promise<void>;
};
