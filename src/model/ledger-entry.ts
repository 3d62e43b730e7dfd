/** What the ledger knows of files and documents, as receipts, reports and pages read it. */
import type { Message } from '../i18n/message.ts';
import type { Answer, Attempt } from './answer.ts';
import type { DocumentFacts, Hold } from './document.ts';
import type { Fault, MESSAGE } from './fault.ts';
import type { SkippedRow } from './row.ts';
import { CLOSED_IN_SENTENCE, type Folder, SET_ASIDE_INFO, type State, stateGroup, stateInfo } from './state.ts';

export type MappingStamp = {
  /** `mapping:` of the file, its version, path below the instance folder and SHA-256 (hex) with its tables. */
  readonly id: string;
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
  /** Version of the program that ran it. */
  readonly program: string;
};

/**
 * Consultations since the last submission that answered one after the other that the document does not exist (code 18); when the
 * first and the last of them were asked.
 */
export type NotFound = { readonly times: number; readonly firstAt: string; readonly lastAt: string };

export type SourceFile = {
  readonly id: string;
  /** Name under which it was dropped. */
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  /** ISO 8601 with zone: last modification, and when it was claimed. */
  readonly modifiedAt: string;
  readonly claimedAt: string;
  /** Who dropped it, if the system reports that. */
  readonly owner?: string;
  /** Local day of the run that took it in, YYYY-MM-DD: the folder of its receipts. */
  readonly day: string;
  readonly run: string;
  /** Path of the private copy: in processing/, later in archive/. */
  readonly path: string;
  /**
   * loading: rows are still being staged, a crash starts it over. admitted: its documents are in the ledger.
   * refused: no document was made of it, `faults` say why. duplicate: the same bytes were taken before (`first`).
   */
  readonly state: 'loading' | 'admitted' | 'refused' | 'duplicate';
  readonly mapping?: MappingStamp;
  readonly encoding?: string;
  /** How many rows were read, and which of them rules of the mapping left out. */
  readonly rows: number;
  readonly leftOut: readonly SkippedRow[];
  readonly faults: readonly Fault[];
  /** The earlier file with the same bytes. */
  readonly first?: { readonly id: string; readonly name: string; readonly claimedAt: string };
  readonly archivedAt?: string;
  /** Its bytes have been removed from the archive. */
  readonly purged?: Purged;
  /** Id of the file that was reprocessed for some of its documents: the row numbers are those of that file. */
  readonly rereads?: string;
  /** Id of the report that has its sums: the night of an export. Absent until one has it. */
  readonly report?: string;
  /** No export: its rows correct documents of exports. Also a copy of such a file, and one refused as such. */
  readonly corrects?: true;
  /** Id of the other file of a pair, which was read with it. */
  readonly partner?: string;
  /** Name and hash of that file. */
  readonly partnerFile?: { readonly name: string; readonly sha256: string };
  /** Counts the changes of the file and its entries; the summary that was written last says of which it knew. */
  readonly changes: number;
  /** Where its summary was written; it moves when the folder changes. */
  readonly summary?: {
    readonly folder: Folder;
    readonly day: string;
    /** `n` of its link in the chain of receipts; absent while a newer one is due. */
    readonly link?: number;
  };
};

/** Whether the ERP exported the file: it is neither a correction file nor a second reading of some documents. */
export function isExport({ rereads, corrects }: Pick<SourceFile, 'rereads' | 'corrects'>): boolean {
  return rereads === undefined && corrects === undefined;
}

/** The code of the fault of a file whose private copy is gone: deleted or replaced in processing/ before it was archived. */
export const SOURCE_MISSING = 'intake/source-missing';

/** Its documents are in the ledger and its bytes are missing: a person has to find out why. */
export function isSourceMissing({ state, faults }: Pick<SourceFile, 'state' | 'faults'>): boolean {
  return state !== 'refused' && faults.some(({ code }) => code === SOURCE_MISSING);
}

/** Files whose summary is lost, which a restore knows from receipts, have ids of this form. */
export const OF_RECEIPTS = '00000000-0000-8000-8000-';

/** Those of correction files: they are read after the exports that they correct. */
export const LAST_OF_RECEIPTS = `${OF_RECEIPTS}ffff`;

export function isOfReceipts({ id }: Pick<SourceFile, 'id'>): boolean {
  return id.startsWith(OF_RECEIPTS);
}

/** Its bytes were lost before any document was made: Nightpost sent nothing of it, and can prove nothing about it. */
export function isNeverRead({ state, faults }: Pick<SourceFile, 'state' | 'faults'>): boolean {
  return state === 'refused' && faults.some(({ code }) => code === SOURCE_MISSING);
}

/** A file next to an export that is sent inside its documents; its bytes are archived. */
export type Attachment = { readonly name: string; readonly sha256: string };
/** `isWaiting`: in the inbox, because only refused documents have asked for it. */
export type KnownAttachment = Attachment & { readonly isWaiting: boolean };

/**
 * Where it is: `due` to move from the inbox; `waiting` there, with a copy in the archive, because only refused documents have
 * asked for it; or in the archive alone.
 */
export type CarriedAttachment = Attachment & { readonly place: 'due' | 'waiting' | 'archive' };

/** One document in the ledger: one legal identity, its latest revision, and all that happened to it. */
export type LedgerEntry = {
  /** UUID version 7. */
  readonly id: string;
  /** From 1; a correction under the same identity raises it. */
  readonly revision: number;
  readonly kind: string;
  readonly service: string;
  readonly class: string;
  readonly state: State;
  /** ISO 8601: since when in this state. */
  readonly since: string;
  readonly facts: DocumentFacts;
  /** Stem of its receipt's file name, unique in the instance, safe on every file system. */
  readonly name: string;
  readonly file: SourceFile;
  readonly rows: readonly number[];
  /** Where its rows are part of another document now: the first that it had, which is its place in the export. */
  readonly formerRow?: number;
  /** SHA-256 (hex) of the exact bytes of the content as sent, after numbering; absent for invalid documents. */
  readonly contentSha256?: string;
  readonly faults: readonly Fault[];
  readonly attempts: readonly Attempt[];
  readonly answer?: Answer;
  /** duplicate, conflict: the entry that was there first. */
  readonly first?: { readonly id: string; readonly name: string };
  /** ISO 8601: when the machine acts next (send, or consult). */
  readonly dueAt?: string;
  readonly notFound?: NotFound;
  readonly evidence?: Evidence;
  /** A person has decided that it needs no action in this state; any change of the state ends it. */
  readonly closed?: Closing;
  /** Its identities in the ledger, none where it has none of its own; the digest of its content before numbering. */
  readonly identity: {
    readonly keys: readonly string[];
    /** Those that it has besides: of an earlier content, or of before its rows became part of another document. */
    readonly former?: readonly string[];
    readonly digest: string;
    readonly receiver?: string;
    /** Numbers that sequences of the ledger have assigned to it. */
    readonly numbers?: readonly GivenNumber[];
  };
  /** Its data in the ledger has been removed, except its identities. */
  readonly purged?: Purged;
  /** held: why. */
  readonly hold?: Hold;
  /** A receipt is due that has more than the written one, or the document is on its way. */
  readonly receiptDue?: true;
  /** Where the last receipt was written; it moves when the folder changes. */
  readonly receipt?: {
    readonly folder: Folder;
    readonly day: string;
    /** Its link in the chain of receipts; `previous` is the hash that its text names. Absent while a newer one is due. */
    readonly link?: { readonly n: number; readonly previous?: string };
  };
};

/** What people call a document: its number, or without one its receipt name. */
export function documentName({ facts, name }: Pick<LedgerEntry, 'facts' | 'name'>): string {
  return facts.identifier || name;
}

/** Id of the file that was read first: its rows are those of the entry. */
export function firstFileOf({ file }: Pick<LedgerEntry, 'file'>): string {
  return file.rereads ?? file.id;
}

/** Its place in the export, also where its rows are part of another document now. */
export function placeOf({ rows, formerRow = 0 }: Pick<LedgerEntry, 'rows' | 'formerRow'>): number {
  return rows[0] ?? formerRow;
}

/** A number that the ledger has assigned to a document, within its scope (establishment, year). */
export type GivenNumber = { readonly sequence: string; readonly scope: readonly string[]; readonly number: number };

/** A cell that a person corrects; the archived source stays as it is. The last correction of a cell counts. */
export type Correction = {
  /** As the reader gives them: Row.row, and a name of Table.columns. */
  readonly row: number;
  readonly column: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string;
};

/** A line of the history; lines are only added. */
export type HistoryLine = {
  readonly at: string;
  readonly what: string;
  readonly person?: string;
  readonly run?: string;
  readonly detail?: object;
  /** The reason in the detail for each language, where the words are ours. */
  readonly [MESSAGE]?: { readonly message: Message };
};

/** A document of a file that a later file corrected: its receipt now belongs to that file. */
export type Corrected = {
  readonly correctedBy: { readonly id: string; readonly name: string };
  readonly identifier: string;
  /** Rows of the earlier file, not of the later one. */
  readonly rows: readonly number[];
};

/** Of an export: `archive` and `summary`; of a document: `receipts` with the payload, and `content` with names and answers. */
export type PurgedPart = 'archive' | 'summary' | 'receipts' | 'content';

/** What was removed, by whom, when and why. */
export type Purged = {
  readonly what: readonly PurgedPart[];
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  /** With everything else of its counterparty, whatever the age. */
  readonly ofSubject?: true;
};

/** Whether a purge has removed this part: it is missed nowhere. Every other part is still there, and is still proven. */
export function isPurged(
  { purged }: { readonly purged?: Pick<Purged, 'what'> | undefined },
  part: PurgedPart,
): boolean {
  return purged?.what.includes(part) ?? false;
}

/** The decision of a person that a document needs no action; its state stays. `at` is ISO 8601 in UTC. */
export type Closing = {
  readonly as: 'set-aside' | 'acknowledged';
  readonly by: string;
  readonly at: string;
  readonly reason: string;
} & ApprovedBy;

/** The second person of a decision that needed two; `approvedAt` is ISO 8601 in UTC. */
export type ApprovedBy = { readonly approvedBy?: string; readonly approvedAt?: string };

/** What a person recorded about a document whose outcome is in no answer. */
export type Evidence = {
  readonly as: State;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  readonly file?: string;
  readonly sha256?: string;
} & ApprovedBy;

/** A person has decided not to send it, or not to correct it: it still can be corrected, but needs no action. */
export function isSetAside({ state, evidence }: Pick<LedgerEntry, 'state' | 'evidence'>): boolean {
  return state === 'invalid' && evidence?.as === 'invalid';
}

/** The name in the history for a corrected cell. */
export const CORRECTED_CELL = 'cell-corrected';
/** The name in the history for corrections that came after those of another person. No decision: nothing changed. */
export const CORRECTION_NOT_APPLIED = 'correction-not-applied';

/** Whether no person has to act on it although its state says so: set aside, or acknowledged. */
export function isClosed(entry: Pick<LedgerEntry, 'state' | 'evidence' | 'closed'>): boolean {
  return entry.closed !== undefined || isSetAside(entry);
}

/** Whether it is over: no person, no machine and no service has to act on it. `status` counts the same as done. */
export function isDone(entry: Pick<LedgerEntry, 'state' | 'evidence' | 'closed' | 'dueAt'>): boolean {
  return stateGroup(entry.state, { isSetAside: isClosed(entry) }) === 'done' && entry.dueAt === undefined;
}

/** ISO 8601: since when it is over, for a person or for the service, whichever came later. */
export function doneSince({ since, evidence, closed }: Pick<LedgerEntry, 'since' | 'evidence' | 'closed'>): string {
  return [evidence?.at, closed?.at].reduce((latest: string, at = '') => (at > latest ? at : latest), since);
}

/** The word of its state in a sentence, or that a person has closed it. */
export function stateInWords(entry: Pick<LedgerEntry, 'state' | 'evidence' | 'closed'>): Message {
  if (entry.closed) return CLOSED_IN_SENTENCE[entry.closed.as]();
  return isSetAside(entry) ? SET_ASIDE_INFO.inSentence : stateInfo(entry.state).inSentence;
}

/** `nt|kind|value|...`: an identity of the columns of `never-twice`. */
const SOURCE_KEY = /^nt\|[^|]*\|/;

/**
 * The number of the ERP: the `never-twice` values, with spaces between several. Undefined if the official number is one of
 * them, so that the ERP knows the document by it.
 */
export function sourceNumberOf(keys: readonly string[], identifier: string): string | undefined {
  const key = keys.find((one) => SOURCE_KEY.test(one));
  const escaped = key?.replace(SOURCE_KEY, '').match(/(?:\\.|[^|\\])+/g) ?? [];
  const parts = escaped.map((part) => part.replace(/\\(.)/g, '$1'));
  return parts.length === 0 || parts.includes(identifier) ? undefined : parts.join(' ');
}

/** The name in the history for the decision of a person that a refused file needs no action. */
export const FILE_SET_ASIDE = 'file-set-aside';
/** The same for a person who takes that decision back. */
export const FILE_SET_ASIDE_UNDONE = 'file-set-aside-undone';
/** The names in the history for the decision that an expected export does not come for one hour, and for its end. */
export const EXPORT_WAIVED = 'export-waived';
export const EXPORT_WAIVER_UNDONE = 'export-waiver-undone';

/** An hour (ISO 8601, UTC) for which an expected export was waived, by whom and why. */
export type WaivedExport = {
  readonly name: string;
  readonly due: string;
  readonly by: string;
  readonly reason: string;
};

/** A row that only looks like a document: the mapping has to leave it out, no corrected cell fixes it. */
export function isNoDocument({ faults }: Pick<LedgerEntry, 'faults'>): boolean {
  return faults.some(({ code }) => code === 'map/totals-row');
}

/** States of documents that failed the checks, or are another document: their faults do not have all warnings. */
export const NOT_PASSED: readonly State[] = ['invalid', 'conflict', 'duplicate'];

export type Selector = {
  /** Ids, document numbers or receipt names; a name that is none of them is that of the ERP. */
  readonly ids?: readonly string[];
  readonly states?: readonly State[];
  readonly service?: string;
  readonly mapping?: string;
  readonly run?: string;
  /** A run: documents of the exports of its night, whatever has become of them; those that came again in a later export are of its night. */
  readonly night?: string;
  /** Id of a source file: documents whose latest revision was read from it. */
  readonly file?: string;
  /** As `readCause` takes it (cause.ts), or a code of any service alone. */
  readonly cause?: string;
  /** ISO 8601. */
  readonly since?: string;
  /** Only documents that a person has closed in the state that they have (`LedgerEntry.closed`). */
  readonly closed?: true;
  /** Only documents that passed the checks with warnings: they will be sent, or were sent, and a person has to see them. */
  readonly warnings?: true;
  readonly limit?: number;
};
