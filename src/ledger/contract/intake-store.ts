/**
 * The part of the ledger that admits files: a claimed file is recorded as `loading`, its documents are staged, and one
 * commit makes all of them count. No document of a file can be sent before that commit.
 */
import type { QUARANTINE_CAUSE } from '../../i18n/messages/ledger-messages.ts';
import type { DocumentOutcome } from '../../model/document.ts';
import type { Fault } from '../../model/fault.ts';
import type { Attachment, SourceFile } from '../../model/ledger-entry.ts';
import type { Admission, FileClosing, FileRefusal, SeenQuery } from './close-file.ts';

/** Why all documents that wait are held: each cause has its words in locales/. */
export type QuarantineCause = keyof typeof QUARANTINE_CAUSE;

/** A claimed file as it enters the ledger. `size` in bytes, instants in ISO 8601 in UTC, `day` as YYYY-MM-DD. */
export type NewFile = Pick<
  SourceFile,
  'name' | 'sha256' | 'size' | 'modifiedAt' | 'claimedAt' | 'owner' | 'day' | 'run' | 'path'
>;

/** Whether its export was read again: of one that could not be, a person has decided. Undefined: no summary shows the number. */
export type ShownNumbers = (number: string) => boolean | undefined;

/** Restored, rebuilt or accepted (`why`): the ledger may not know all that was sent, so each admitted document is held. */
export type Quarantine = { readonly at: string; readonly by: string; readonly why: QuarantineCause };

/** Methods that stage, close or restart a file throw an Error if the ledger has no such file, or if it is not `loading`. */
export type IntakeStore = {
  /** The latest file with these bytes (SHA-256 in hexadecimal) that was admitted or refused, with any mapping or this one. */
  fileBySha256(sha256: string, mappingId?: string): Promise<SourceFile | undefined>;
  /** The same for many hashes at once, with any mapping. A hash that no file has adds nothing to the result. */
  filesBySha256(hashes: readonly string[]): Promise<readonly SourceFile[]>;
  /** Records a claimed file as `loading`. */
  openFile(file: NewFile): Promise<SourceFile>;
  /**
   * The same bytes a second time: records the file as `duplicate` of `firstId`, and drops what was staged of it. The attachments of
   * the first may have come with it: they are to be moved again.
   */
  duplicateFile(id: string, firstId: string): Promise<void>;
  /** The file gives no document: records it as `refused` with its faults, and drops what was staged of it. */
  refuseFile(id: string, refusal: FileRefusal): Promise<void>;
  /**
   * Stages outcomes of a loading file, a few hundred per call. Decides here, per identity: new -> ready (or invalid),
   * same content as before -> duplicate, other content -> a new revision if the state of the earlier entry is
   * replaceable, else conflict. Assigns numbers of sequences. None of them can be sent before `admit`. Throws
   * BusyIdentityError, and stages nothing, if another file that is being read has an identity of one.
   */
  stage(id: string, outcomes: readonly DocumentOutcome[]): Promise<void>;
  /**
   * One commit makes the whole file count; a second call changes nothing. The entries follow in steps; after `stop` the
   * rest of them count when the ledger is opened the next time.
   */
  admit(id: string, facts: Admission, stop?: AbortSignal): Promise<void>;
  /** Closes loading files with few documents, in this order and in one commit: all of it counts, or none. */
  closeFiles(files: readonly FileClosing[]): Promise<void>;
  /** Attachments of admitted files that have still to move to the archive; without those of other workers that live. */
  attachmentsToMove(): Promise<readonly { readonly file: SourceFile; readonly attachments: readonly Attachment[] }[]>;
  /** Records that the attachments of this file are in the archive, or stay where they are. */
  recordMoved(id: string): Promise<void>;
  /** The quarantine that a person has not ended yet. */
  quarantine(): Promise<Quarantine | undefined>;
  /**
   * When this ledger took the place of another one, or was accepted although it may not be the latest (ISO 8601): documents of an
   * export that was taken before may have been sent.
   */
  replacedAt(): Promise<string | undefined>;
  /** Exports with documents that it did not know then, and whose bytes were gone. */
  unreadFiles(): Promise<ReadonlySet<string>>;
  /** Numbers that only summaries showed then: the documents may have been sent, and no record says so. */
  shownNumbers(): Promise<ShownNumbers>;
  /** Whether the ledger has seen a document like it: for rules that hold what is new, and for documents that go first. */
  hasSeen(what: SeenQuery): Promise<boolean>;
  /** Drops what was staged of a loading file, after a crash or an interruption, so that it can be read from its start. */
  restartFile(id: string, stop?: AbortSignal): Promise<void>;
  /** Records where the private copy of the file is now. */
  moveFile(id: string, path: string): Promise<void>;
  /** Records that the private copy is in the archive since `at`. */
  archiveFile(id: string, path: string, at: string): Promise<void>;
  /**
   * The private copy of a file that is not `loading` is neither in processing/ nor in the archive: adds the fault. The
   * documents keep their states, and no later run looks for the copy. A second call changes nothing.
   */
  recordMissing(id: string, fault: Fault, at: string): Promise<void>;
  /** Files that are not archived yet, oldest first: what a run works on, and what a crash or an interruption left. */
  openFiles(): Promise<readonly SourceFile[]>;
  /** Whether something of a file that does not count yet is staged: a file with the same document waits for it. */
  isBeingStaged(id: string): Promise<boolean>;
  /** Of the open files, those that this worker reads, or read when the program ended. */
  loadingFiles(): Promise<readonly SourceFile[]>;
  /** The paths of the private copies of the loading files. */
  loadingPaths(): Promise<ReadonlySet<string>>;
  /** Of the open files, those with this private copy. */
  openFilesAt(path: string): Promise<readonly SourceFile[]>;
  /** A page of at most `most` open files after this id ('' for the first page): there may be thousands. */
  openFilesAfter(id: string, most: number): Promise<readonly SourceFile[]>;
};
